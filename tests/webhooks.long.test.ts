import { createHmac } from 'node:crypto';
import { createDb, createLogger, type Db } from '@tieout/infra';
import { behaviours, type HttpsReceiver } from '@tieout/testing';
import { eventually, startStack, type Stack } from './support/stack';
import {
  outcomesOf,
  startTrustedReceiver,
  newSubscriber,
  webhookSecret as secret,
  type TenantSubscriber,
  type TrustedReceiver,
} from './support/webhooks';

const { after, answer, hang, sequence } = behaviours;

let trusted: TrustedReceiver;
let receiver: HttpsReceiver;
let stack: Stack;
let database: Db;

beforeAll(async () => {
  trusted = await startTrustedReceiver();
  ({ receiver } = trusted);
  stack = await startStack({ ...trusted.settings, WEBHOOK_RETRY_DELAYS: '1s' });
  database = createDb({
    url: stack.database.url,
    poolSize: 2,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
});

afterAll(async () => {
  await database.close();
  await stack.close();
  await trusted.close();
});

const subscribe = (): Promise<TenantSubscriber> => newSubscriber(stack, receiver);

test('a completed job sends a signed event', async () => {
  const { tenant, signingSecret, path: at } = await subscribe();
  const rows = [{ externalId: 'a', body: { n: 1 } }];
  await tenant.bulk('left', rows);
  await tenant.bulk('right', rows);
  await Promise.all([tenant.settled('left', 1), tenant.settled('right', 1)]);
  await tenant.ruleSet('left', 'right', { jsonataExpr: 'left.n = right.n', params: { Tmatch: 1, Tpossible: 1 } });
  const jobId = await tenant.startJob('left');
  const [request] = await receiver.received(1, at);
  const { headers, body } = request as NonNullable<typeof request>;
  const { event, data } = JSON.parse(body.toString()) as { event: string; data: object };
  expect({ event, data }).toMatchObject({
    event: 'MATCHING_JOB_COMPLETED',
    data: { matchingJobId: jobId, status: 'completed', decisionCounts: { MATCH: 1 } },
  });
  const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
});

/** The tables that hold any of the texts, whatever the type of the column. */
async function tablesHolding(texts: readonly string[]): Promise<string[]> {
  const tables = await database.system.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.system.query<{ holds: boolean }>(
      `select exists (select 1 from ${name} t, unnest($1::text[]) as x (part)
        where position(x.part in t::text) > 0) as holds`,
      [texts],
    );
    if (row?.holds) found.push(name);
  }
  return found;
}

test('no secret is in a table, a queue, a log or an answer, whatever became of it', async () => {
  const { tenant, webhookId, signingSecret, path: at, reached, send, delivery } = await subscribe();
  const url = receiver.urlByAddress(at);
  const used = [
    secret,
    'Bearer of the replaced secret',
    'a secret that is refused\u00e9',
    'Bearer of the one made once',
    signingSecret,
    `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
  ];
  const answers: unknown[] = [];
  receiver.on(
    at,
    ({ request, response }) =>
      void response
        .writeHead(500, { 'retry-after': String(request.headers.authorization) })
        .end(JSON.stringify(request.headers)),
  );
  const id = await send();
  await receiver.received(2, at);
  await tenant.http.put(`/v1/webhooks/${webhookId}`, { url, secret: used[1] });
  await tenant.http.post(`/v1/webhooks/${webhookId}/rotate-signing-secret`, { signingSecret: used[5] });
  receiver.on(
    at,
    sequence(
      ({ request, response }) => void response.writeHead(302, { location: `/?${request.headers.authorization}` }).end(),
      answer(),
    ),
  );
  answers.push(await reached(id, 'delivered'));
  answers.push((await tenant.http.post(`/v1/webhooks/${webhookId}/deliveries/${id}/retry`)).data, await delivery(id));
  const refused = await tenant.http.post('/v1/webhooks', { url, secret: used[2] }, { validateStatus: null });
  expect(refused.status).toBe(400);
  answers.push(refused.data);
  await tenant.http.post('/v1/webhooks', { url, secret: used[3] }, { headers: { 'idempotency-key': 'once' } });
  answers.push(
    (await tenant.http.get('/v1/webhooks')).data,
    (await tenant.http.get(`/v1/webhooks/${webhookId}/deliveries`)).data,
  );
  const forms = used.flatMap((one) => [
    one.replace(/^whsec_/, ''),
    Buffer.from(one).toString('hex'),
    Buffer.from(one).toString('base64'),
  ]);
  expect(forms.filter((form) => JSON.stringify(answers).includes(form))).toEqual([]);
  expect(forms.filter((form) => stack.log().includes(form))).toEqual([]);
  expect(await tablesHolding(forms)).toEqual([]);
  // The search finds what is there.
  expect(await tablesHolding([webhookId])).toContain('public.webhooks');
});

test('an attempt of a killed worker is logged as interrupted and repeated once', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, sequence(hang(), answer()));
  const id = await subscriber.send();
  await receiver.received(1, subscriber.path);
  await stack.kill('webhook-worker');
  await stack.start('webhook-worker');
  expect(outcomesOf(await subscriber.reached(id, 'delivered'))).toEqual(['interrupted', 'delivered']);
  expect(receiver.requests(subscriber.path).length).toBe(2);
});

test('a stopping worker first finishes the attempts it has begun', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, after(1_000, answer()));
  const id = await subscriber.send();
  await receiver.received(1, subscriber.path);
  expect(await stack.stop('webhook-worker')).toBe(0);
  expect((await subscriber.delivery(id)).status).toBe('delivered');
  await stack.start('webhook-worker');
});

test('a stopping worker abandons a long attempt, and the next worker repeats it at once', async () => {
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
});

test('a database that drops all connections repeatedly loses no event', async () => {
  const subscriber = await subscribe();
  receiver.on(subscriber.path, after(20, answer()));
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 10; i++) ids.push(await subscriber.send());
    await database.system.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // The API has noticed, too.
    await eventually('the API answers', () =>
      subscriber.tenant.http.get('/v1/webhooks').then(
        () => true,
        () => undefined,
      ),
    );
  }
  for (const id of ids) await subscriber.reached(id, 'delivered');
  expect(new Set(receiver.requests(subscriber.path).map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length);
});
