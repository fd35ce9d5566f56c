import { createDb, createLogger } from '@tieout/infra';
import { behaviours, testServers, type HttpsReceiver } from '@tieout/testing';
import { startPostgres, type OwnPostgres } from './support/postgres';
import { startRedis, type OwnRedis } from './support/redis';
import { eventually, startStack, type Stack } from './support/stack';
import { newSubscriber, outcomesOf, startTrustedReceiver, type TrustedReceiver } from './support/webhooks';

/** Downtime of the queue; REDIS_OUTAGE_SECONDS=60 tests a realistic outage. */
const outageSeconds = Number(process.env.REDIS_OUTAGE_SECONDS ?? 1);

const { answer } = behaviours;

let trusted: TrustedReceiver;
let receiver: HttpsReceiver;
let postgres: OwnPostgres;
let redis: OwnRedis | undefined;
let stack: Stack;

beforeAll(async () => {
  trusted = await startTrustedReceiver();
  ({ receiver } = trusted);
  postgres = await startPostgres();
  redis = testServers().redisUrl === undefined ? undefined : await startRedis();
  const queue = redis ? { QUEUE_URL: redis.url } : {};
  stack = await startStack({ ...trusted.settings, ...queue, WEBHOOK_RETRY_DELAYS: '3s' }, postgres.url, [
    'api',
    'webhook-worker',
  ]);
});

afterAll(async () => {
  await stack.close();
  await redis?.close();
  await postgres.close();
  await trusted.close();
});

test('a database restart during attempts loses none of them, and none of the later ones', async () => {
  const subscriber = await newSubscriber(stack, receiver);
  const held: (() => void)[] = [];
  receiver.on(subscriber.path, (exchange) => void held.push(() => answer()(exchange)));
  const ids = await Promise.all(Array.from({ length: 5 }, () => subscriber.send()));
  await receiver.received(5, subscriber.path);
  const restarted = postgres.restart();
  for (const finish of held) finish();
  await restarted;
  receiver.on(subscriber.path, answer());
  await eventually('the API answers', () =>
    subscriber.tenant.http.get('/v1/webhooks').then(
      () => true,
      () => undefined,
    ),
  );
  for (let i = 0; i < 5; i++) ids.push(await subscriber.send());
  for (const id of ids) expect(outcomesOf(await subscriber.reached(id, 'delivered'))).toEqual(['delivered']);
  expect(receiver.requests(subscriber.path).length).toBe(10);
});

const onRedis = testServers().redisUrl === undefined ? test.skip : test;

onRedis(
  'a thousand retries that wait when the queue is emptied are made on time, each once',
  async () => {
    const subscriber = await newSubscriber(stack, receiver);
    const { tenantId, http } = subscriber.tenant;
    const rows = createDb({
      url: stack.database.url,
      poolSize: 1,
      applicationName: 'test',
      logger: createLogger('test', 'silent'),
    });
    await rows.system.execute(
      `with made as (
       insert into events (id, tenant_id, type, occurred_at, body)
       select gen_random_uuid(), $1::uuid, 'ITEM_UPDATED', now(), '{}' from generate_series(1, 1000) returning id)
     insert into webhook_deliveries
       (id, tenant_id, webhook_id, event_id, event_type, status, attempts, scheduled, next_attempt_at)
     select gen_random_uuid(), $1::uuid, $2::uuid, id, 'ITEM_UPDATED', 'retry_scheduled', 1, 1,
       now() + interval '3 s' from made`,
      [tenantId, subscriber.webhookId],
    );
    await rows.close();
    redis?.flushAll();
    expect(receiver.requests(subscriber.path)).toEqual([]);
    await eventually('all delivered', async () => {
      const { data } = await http.get<{ data: { total: number } }>(
        `/v1/webhooks/${subscriber.webhookId}/deliveries?status=delivered&limit=1`,
      );
      return data.data.total === 1_000 ? true : undefined;
    });
    const requests = receiver.requests(subscriber.path);
    expect([requests.length, new Set(requests.map(({ headers }) => headers['webhook-id'])).size]).toEqual([
      1_000, 1_000,
    ]);
  },
  60_000,
);

onRedis(
  'events of a time when the queue is down are accepted, and sent when it is back',
  async () => {
    const subscriber = await newSubscriber(stack, receiver);
    await redis?.stop();
    const ids = await Promise.all(Array.from({ length: 5 }, () => subscriber.send()));
    await new Promise((resolve) => setTimeout(resolve, outageSeconds * 1_000));
    expect(receiver.requests(subscriber.path)).toEqual([]);
    await redis?.start();
    for (const id of ids) await subscriber.reached(id, 'delivered');
    expect(receiver.requests(subscriber.path).length).toBe(5);
  },
  90_000 + outageSeconds * 1_000,
);
