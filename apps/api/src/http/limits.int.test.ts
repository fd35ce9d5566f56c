import { generateKey, type TenantScope } from '@tieout/domain';
import { newId } from '@tieout/infra';
import { featureRoutes } from '../routes';
import { lockWaiters, reaches, startTestApi, type TestApi, type TestTenant } from '../../testing';
import type { ApiAnswer } from '../../testing/call';
import { closed, defineRoute, reply, tenantAccess } from '.';

const limits = { read: 40, write: 30, bulk: 2, job: 2, costly: 2, sync: 2, failed_auth: 20 };

let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  api = await startTestApi({ rateLimits: limits });
  other = await startTestApi({ service: api.service, rateLimits: limits });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const read = (tenant: Pick<TestTenant, 'api'>): PromiseLike<ApiAnswer> => tenant.api.get('/v1/datasets');
const count = (answers: readonly ApiAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

test('two processes together accept what the limit allows, and refuse the rest with Retry-After', async () => {
  const tenant = await api.newTenant();
  const there = { api: other.withKey(tenant.key) };
  await read(tenant);
  // Nothing comes back while this runs.
  await api.service.deps.db.system.execute(
    `update rate_limits set filled_at = now() + interval '1 hour' where owner_id = $1::uuid`,
    [tenant.tenantId],
  );
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => read(i % 2 === 0 ? tenant : there)));
  // One was used before; a tenth of the limit may be with the other process.
  expect(count(answers, 200)).toBeGreaterThanOrEqual(35);
  expect(count(answers, 200)).toBeLessThanOrEqual(39);
  expect(count(answers, 429)).toBe(60 - count(answers, 200));
  const refused = answers.find(({ status }) => status === 429) as ApiAnswer;
  expect(refused.body).toMatchObject({
    status: 'error',
    code: 'rate_limited',
    request_id: refused.headers['x-request-id'],
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '40', 'x-ratelimit-remaining': '0' });
});

test('a tenant at its limit affects neither other tenants nor its own other classes', async () => {
  const [flooding, calm] = [await api.newTenant(), await api.newTenant()];
  await Promise.all(Array.from({ length: 60 }, () => read(flooding)));
  expect((await read(calm)).status).toBe(200);
  await flooding.api.post('/v1/datasets', { name: 'still' }).expect(201);
});

test('every answer to a key states what is left of its limit, failures and refusals included', async () => {
  const tenant = await api.newTenant();
  const reader = await api.newKey(tenant, ['records:read']);
  const answers = [
    await tenant.api.get('/v1/datasets').expect(200),
    await tenant.api.get(`/v1/datasets/${newId()}`).expect(404),
    await tenant.api.get('/v1/datasets?nonsense=1').expect(400),
    await reader.api.get('/v1/datasets').expect(403),
    await api.platform.get('/v1/datasets').set('x-tenant-id', tenant.tenantId).expect(200),
  ];
  expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(Array(5).fill('40'));
  const remaining = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  expect(remaining).toEqual([...remaining].sort((a, b) => b - a));
  expect(remaining[0]).toBeLessThan(40);
  expect(Number(answers[0]?.headers['x-ratelimit-reset'])).toBeGreaterThan(0);
  const platform = await api.platform.get('/v1/tenants').expect(200);
  expect(platform.headers['x-ratelimit-limit']).toBe('40');
});

test.each([
  [
    'bulk',
    (tenant: TestTenant) =>
      tenant.api.post('/v1/records/bulk').set('content-type', 'application/x-ndjson').send('{"body":{}}'),
  ],
  ['job', (tenant: TestTenant) => tenant.api.post('/v1/matching-jobs', { dataset: 'none' })],
  ['costly', (tenant: TestTenant) => tenant.api.get(`/v1/data-sources/openfinance/browse/accounts?itemId=${newId()}`)],
  ['costly', (tenant: TestTenant) => tenant.api.post('/v1/rule-sets/preview', {})],
  ['sync', (tenant: TestTenant) => tenant.api.patch(`/v1/items/${newId()}`, {})],
])('requests of the class %s have a limit of their own', async (_, call) => {
  const tenant = await api.newTenant();
  const statuses = [(await call(tenant)).status, (await call(tenant)).status, (await call(tenant)).status];
  expect(statuses[0]).not.toBe(429);
  expect(statuses[2]).toBe(429);
});

test('a limit of 0 means no limit', async () => {
  const free = await startTestApi({ service: api.service, rateLimits: { ...limits, read: 0 } });
  const tenant = await free.newTenant();
  const answers = await Promise.all(Array.from({ length: 60 }, () => read(tenant)));
  expect(count(answers, 200)).toBe(60);
  expect(answers[0]?.headers['x-ratelimit-limit']).toBeUndefined();
  await free.close();
});

test('an address that sends many wrong keys has to wait, while valid keys from it still work', async () => {
  const tenant = await api.newTenant();
  const guesses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? api.request.get('/v1/datasets') : api.withKey(`wrong-${i}`).get('/v1/datasets'),
    ),
  );
  expect(count(guesses, 401)).toBeGreaterThanOrEqual(20);
  expect(count(guesses, 429)).toBeGreaterThan(20);
  const refused = guesses.find(({ status }) => status === 429) as ApiAnswer;
  expect(refused.body).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await tenant.api.get('/v1/datasets').expect(200);
});

test('probes and the description of the API are not limited', async () => {
  for (const path of ['/healthz', '/openapi.json']) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.request.get(path)));
    expect(count(answers, 200)).toBe(50);
  }
});

const lock = 4711;

const testRoute = (operationId: string, work: (scope: TenantScope) => Promise<unknown>, sharesConnection?: 'read') =>
  defineRoute({
    method: 'get',
    path: `/v1/${operationId}`,
    operationId,
    tag: 'Test',
    summary: operationId,
    access: tenantAccess('datasets:read', 'none'),
    ...(sharesConnection && { sharesConnection }),
    responses: { 200: { description: 'Done', schema: closed({}) } },
    handler: async ({ scope }) => {
      await work(scope);
      return reply(200, {});
    },
  });

/** Holds a connection to the database until the test releases a lock. */
const hold = (scope: TenantScope) =>
  scope.db.query(`select pg_advisory_lock_shared(${lock})::text, pg_advisory_unlock_shared(${lock})::text`);

const held = testRoute('held', hold);

/** Begins as a brief read. */
const seeming = testRoute(
  'seeming',
  async (scope) => {
    await scope.db.shortReads.query('select 1');
    await hold(scope);
  },
  'read',
);

test.each([
  ['requests', held],
  ['reads that turn out to need one', seeming],
])('other tenants find a connection to the database however many %s of one tenant hold one', async (_, route) => {
  const crowded = await startTestApi({ service: api.service, routes: [route, ...featureRoutes] });
  const [flooding, calm] = [await crowded.newTenant(), await crowded.newTenant()];
  const { system } = api.service.deps.db;
  let answers: Promise<ApiAnswer>[] = [];
  await system.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${lock})::text`);
    answers = Array.from({ length: 40 }, async () => flooding.api.get(route.path));
    await lockWaiters(crowded, 7);
    await calm.api.get('/v1/datasets').expect(200);
  });
  expect(count(await Promise.all(answers), 200)).toBe(40);
  await crowded.close();
});

test('a tenant may run four times as many short reads as requests with a connection, and both at once', async () => {
  let begun = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const work = async () => {
    begun++;
    await released;
  };
  const crowded = await startTestApi({
    service: api.service,
    routes: [testRoute('brief', work, 'read'), ...featureRoutes],
  });
  const [reader, other] = [await crowded.newTenant(), await crowded.newTenant()];
  const answers = Array.from({ length: 40 }, () => [reader, other])
    .flat()
    .map(async (tenant) => tenant.api.get('/v1/brief'));
  await reaches(() => crowded.app.inFlight(), answers.length);
  await reaches(() => begun, 2 * 28);
  await reader.api.get('/v1/datasets').expect(200);
  expect(begun).toBe(2 * 28);
  release();
  expect(count(await Promise.all(answers), 200)).toBe(80);
  await crowded.close();
});

test.each([
  ['tests of webhooks', 'webhooks', (tenant: TestTenant) => tenant.api.post(`/v1/webhooks/${newId()}/test`)],
  [
    'retries of deliveries',
    'webhooks',
    (tenant: TestTenant) => tenant.api.post(`/v1/webhooks/${newId()}/deliveries/${newId()}/retry`),
  ],
  [
    'previews of a stored rule set',
    'rule_sets',
    (tenant: TestTenant) => tenant.api.post('/v1/rule-sets/preview', { ruleSetId: newId(), sample: {} }),
  ],
  [
    'previews of datasets',
    'datasets',
    (tenant: TestTenant) =>
      tenant.api.post('/v1/rule-sets/preview', {
        ruleSet: {
          engine: 'jsonata-batch',
          jsonataExpr: 'true',
          params: { Tmatch: 1, Tpossible: 1 },
          leftDatasetId: newId(),
          rightDatasetId: newId(),
        },
        sample: {},
      }),
  ],
])('other tenants find a connection to the database however many %s one tenant requests', async (_, table, call) => {
  const crowded = await startTestApi({ service: api.service });
  const [flooding, calm] = [await crowded.newTenant(), await crowded.newTenant()];
  let answers: Promise<ApiAnswer>[] = [];
  await api.service.deps.db.system.transaction(async (tx) => {
    await tx.execute(`lock table ${table} in access exclusive mode`);
    answers = Array.from({ length: 40 }, async () => call(flooding));
    await lockWaiters(crowded, 7);
    await calm.api.post('/v1/api-keys', { label: 'another', scopes: ['records:read'] }).expect(201);
  });
  expect(count(await Promise.all(answers), 429)).toBe(0);
  await crowded.close();
});

test('slow reads of several tenants leave connections to the writes of others, and all are answered', async () => {
  const crowded = await startTestApi({ service: api.service, routes: [held, ...featureRoutes] });
  const [reader, otherReader, writer] = [
    await crowded.newTenant(),
    await crowded.newTenant(),
    await crowded.newTenant(),
  ];
  let answers: Promise<ApiAnswer>[] = [];
  await api.service.deps.db.system.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${lock})::text`);
    answers = Array.from({ length: 10 }, () => [reader, otherReader])
      .flat()
      .map(async (tenant) => tenant.api.get('/v1/held'));
    await reaches(() => crowded.app.inFlight(), answers.length);
    await writer.api.post('/v1/datasets', { name: 'ledger' }).expect(201);
  });
  expect(count(await Promise.all(answers), 200)).toBe(20);
  await crowded.close();
});

test('reads of a tenant that wait for reads of other tenants delay nothing else of their own tenant', async () => {
  const crowded = await startTestApi({ service: api.service, routes: [held, ...featureRoutes] });
  const [reader, otherReader, writer] = [
    await crowded.newTenant(),
    await crowded.newTenant(),
    await crowded.newTenant(),
  ];
  let answers: Promise<ApiAnswer>[] = [];
  await api.service.deps.db.system.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${lock})::text`);
    answers = [reader, otherReader, writer].flatMap((tenant) =>
      Array.from({ length: 7 }, async () => tenant.api.get('/v1/held')),
    );
    await reaches(() => crowded.app.inFlight(), answers.length);
    await writer.api.post('/v1/datasets', { name: 'ledger' }).expect(201);
  });
  expect(count(await Promise.all(answers), 200)).toBe(21);
  await crowded.close();
});

test('tenants find connections to the database however many keys an address guesses', async () => {
  await Promise.all(Array.from({ length: 40 }, () => api.request.get('/v1/datasets')));
  let guesses: Promise<ApiAnswer>[] = [];
  await api.service.deps.db.system.transaction(async (tx) => {
    await tx.execute('lock table api_keys in access exclusive mode');
    guesses = Array.from({ length: 40 }, async () => api.withKey(generateKey().text).get('/v1/datasets'));
    await lockWaiters(api, 1);
    await api.platform.get('/v1/tenants').expect(200);
  });
  expect(count(await Promise.all(guesses), 429)).toBeGreaterThan(30);
});

test('a body whose values would take many times its size is refused; one just within the limit is read', async () => {
  const tenant = await api.newTenant();
  const preview = (nested: number) =>
    tenant.api
      .post('/v1/rule-sets')
      .set('content-type', 'application/json')
      .send(`{"params":[${Array(nested).fill('{}').join()}]}`);
  expect(await preview(524_288)).toMatchObject({
    status: 413,
    body: { code: 'body_too_large', message: 'The body has more than 524288 objects and arrays' },
  });
  expect((await preview(524_286)).status).toBe(400);
});

test('many bodies that take much memory are read one after another, and each is stored', async () => {
  const tenant = await api.newTenant();
  const ids = Array.from({ length: 6 }, (_, n) => `large-${n}`);
  const body = (externalId: string) =>
    `{"externalId":"${externalId}","body":{"nested":[${Array(340_000).fill('{}').join()}]}}`;
  const answers = await Promise.all(
    ids.map((id) =>
      tenant.api.post('/v1/records?dataset=nested').set('content-type', 'application/json').send(body(id)),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
});
