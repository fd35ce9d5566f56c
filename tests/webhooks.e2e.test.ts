import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDb, createLogger, type Db } from '@tieout/infra';
import { behaviours, startHttpsReceiver, testServers, type HttpsReceiver } from '@tieout/testing';
import { startRedis, type OwnRedis } from './support/redis';
import { eventually, startStack, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

const { after, answer, hang, sequence } = behaviours;
const secret = 'whsec_c2VjcmV0IG9mIHRoZSBlbmQgdG8gZW5kIHRlc3Rz';

let receiver: HttpsReceiver;
let directory: string;
let settings: Record<string, string>;
let stack: Stack;
let database: Db;

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-webhooks-'));
  const ca = path.join(directory, 'ca.pem');
  await writeFile(ca, receiver.ca);
  settings = {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32', WEBHOOK_ALLOWED_PORTS: String(receiver.port), WEBHOOK_EXTRA_CA_FILE: ca, WEBHOOK_RETRY_DELAYS: '1s',
    LOG_LEVEL: 'debug',
  };
  stack = await startStack(settings);
  database = createDb({ url: stack.database.url, poolSize: 2, applicationName: 'test', logger: createLogger('test', 'silent') });
});

afterAll(async () => {
  await database.close();
  await stack.close();
  await receiver.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Delivery {
  id: string;
  status: string;
  attemptLog: { outcome: string }[];
}

interface Subscriber {
  tenant: TenantClient;
  webhookId: string;
  path: string;
  /** Has a test event sent; returns the id of its delivery. */
  send(): Promise<string>;
  delivery(id: string): Promise<Delivery>;
  /** Resolves with the delivery once it has this status. */
  reached(id: string, status: string, timeoutMs?: number): Promise<Delivery>;
}

async function subscribe(to: Stack = stack): Promise<Subscriber> {
  const tenant = await TenantClient.create(to);
  const at = `/${tenant.tenantId}`;
  const { data } = await tenant.http.post<{ data: { id: string } }>('/v1/webhooks', { url: receiver.urlByAddress(at), secret });
  const webhookId = data.data.id;
  const delivery = async (id: string): Promise<Delivery> =>
    (await tenant.http.get<{ data: Delivery }>(`/v1/webhooks/${webhookId}/deliveries/${id}`)).data.data;
  return {
    tenant,
    webhookId,
    path: at,
    delivery,
    send: async () => (await tenant.http.post<{ data: { id: string } }>(`/v1/webhooks/${webhookId}/test`)).data.data.id,
    reached: (id, status, timeoutMs = 30_000) =>
      eventually(`delivery ${status}`, timeoutMs, async () => {
        const found = await delivery(id);
        return found.status === status ? found : undefined;
      }),
  };
}

const outcomesOf = ({ attemptLog }: Delivery): string[] => attemptLog.map(({ outcome }) => outcome);

test('a job tells that it is completed, signed, and no secret is in any log, queue or table', async () => {
  const { tenant, path: at } = await subscribe();
  const rows = [{ externalId: 'a', body: { n: 1 } }];
  await tenant.bulk('left', rows);
  await tenant.bulk('right', rows);
  await Promise.all([tenant.settled('left', 1), tenant.settled('right', 1)]);
  await tenant.ruleSet('left', 'right', { jsonataExpr: 'left.n = right.n', params: { Tmatch: 1, Tpossible: 1 } });
  const jobId = await tenant.startJob('left');
  const [request] = await receiver.received(1, at);
  const { headers, body } = request as NonNullable<typeof request>;
  const { event, data } = JSON.parse(body.toString()) as { event: string; data: object };
  expect({ event, data }).toMatchObject({ event: 'MATCHING_JOB_COMPLETED', data: { matchingJobId: jobId, status: 'completed', decisionCounts: { MATCH: 1 } } });
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(stack.log()).not.toContain(secret.slice('whsec_'.length));
}, 60_000);

test('a worker that is killed in the middle of an attempt has it repeated once, and told as interrupted', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, sequence(hang(), answer()));
  const id = await subscriber.send();
  await receiver.received(1, subscriber.path);
  await stack.kill('webhook-worker');
  await stack.start('webhook-worker');
  expect(outcomesOf(await subscriber.reached(id, 'delivered', 60_000))).toEqual(['interrupted', 'delivered']);
  expect(receiver.requests(subscriber.path).length).toBe(2);
}, 90_000);

test('a worker that is told to stop writes what it has begun first', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, after(1_000, answer()));
  const id = await subscriber.send();
  await receiver.received(1, subscriber.path);
  expect(await stack.stop('webhook-worker')).toBe(0);
  expect((await subscriber.delivery(id)).status).toBe('delivered');
  await stack.start('webhook-worker');
}, 60_000);

test('a worker that is told to stop gives up what lasts too long, and who comes next repeats it at once', async () => {
  const subscriber = await subscribe();
  // Only a retry may last longer than a shutdown.
  receiver.on(subscriber.path, sequence(answer(500), hang(), answer()));
  const id = await subscriber.send();
  await receiver.received(2, subscriber.path);
  const before = stack.log().length;
  expect(await stack.stop('webhook-worker')).toBe(0);
  expect(stack.log().slice(before)).toContain('"msg":"stopped"');
  const { status, attemptLog } = await subscriber.delivery(id);
  expect([status, attemptLog[1]?.outcome]).toEqual(['retry_scheduled', 'interrupted']);
  await stack.start('webhook-worker');
  expect(outcomesOf(await subscriber.reached(id, 'delivered'))).toEqual(['http_status', 'interrupted', 'delivered']);
}, 60_000);

test('a database that drops every connection again and again costs no event', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, after(20, answer()));
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 10; i++) ids.push(await subscriber.send());
    await database.system.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // Whoever answers the API has noticed, too.
    await eventually('the API answers', 10_000, () => subscriber.tenant.http.get('/v1/webhooks').then(() => true, () => undefined));
  }
  for (const id of ids) await subscriber.reached(id, 'delivered', 60_000);
  expect(new Set(receiver.requests(subscriber.path).map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length);
}, 120_000);

const onRedis = testServers().redisUrl === undefined ? describe.skip : describe;

onRedis('with a Redis of its own', () => {
  let redis: OwnRedis;
  let own: Stack;

  beforeAll(async () => {
    redis = await startRedis();
    own = await startStack({ ...settings, QUEUE_URL: redis.url, WEBHOOK_RETRY_DELAYS: '3s' });
  });

  afterAll(async () => {
    await own.close();
    await redis.close();
  });

  test('retries that wait when it is emptied are made on time, each once', async () => {
    const subscriber = await subscribe(own);
    let failing = true;
    receiver.on(subscriber.path, (exchange) => answer(failing ? 500 : 200)(exchange));
    const ids = await Promise.all(Array.from({ length: 20 }, () => subscriber.send()));
    for (const id of ids) await subscriber.reached(id, 'retry_scheduled');
    redis.flushAll();
    failing = false;
    for (const id of ids) expect(outcomesOf(await subscriber.reached(id, 'delivered'))).toEqual(['http_status', 'delivered']);
    expect(receiver.requests(subscriber.path).length).toBe(40);
  }, 60_000);

  test('events of a time when it is down are accepted, and sent when it is back', async () => {
    const subscriber = await subscribe(own);
    await redis.stop();
    const ids = await Promise.all(Array.from({ length: 5 }, () => subscriber.send()));
    expect(receiver.requests(subscriber.path)).toEqual([]);
    await redis.start();
    for (const id of ids) await subscriber.reached(id, 'delivered', 60_000);
    expect(receiver.requests(subscriber.path).length).toBe(5);
  }, 90_000);
});
