import { createAuthenticator, openDomain, defaultSettings, inPlaceEvaluator, generateKey } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { becomes, startTestApi, type TestApi, type TestTenant } from '../../testing';

let first: TestApi;
let second: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  first = await startTestApi();
  second = await startTestApi({ service: first.service });
  tenant = await first.newTenant();
});

afterAll(async () => {
  await second.close();
  await first.close();
});

test('a key revoked on one process stops within a second on every other, even under use', async () => {
  const { id, key } = await first.newKey(tenant, []);
  const elsewhere = second.withKey(key);
  await elsewhere.get('/v1/datasets').expect(200);
  await first.withKey(tenant.key).delete(`/v1/api-keys/${id}`).expect(204);
  await becomes(401, () => elsewhere.get('/v1/datasets'));
});

test('a key made on one process works at once on the other', async () => {
  const { key } = await first.newKey(tenant, []);
  await second.withKey(key).get('/v1/datasets').expect(200);
});

test('the right id with another secret is refused, also while the right one is in use', async () => {
  const { key } = await first.newKey(tenant, []);
  await first.withKey(key).get('/v1/datasets').expect(200);
  const identify = createAuthenticator({
    db: first.service.deps.db,
    logger: first.service.deps.logger,
    platformKey: 'p'.repeat(32),
  });
  expect(await identify.identify({ key, address: '127.0.0.1' }, (lookUp) => lookUp())).toMatchObject({
    kind: 'tenant',
    tenantId: tenant.tenantId,
  });
  // A key with a valid checksum whose id is in the database and whose secret is not.
  const other = generateKey();
  await first.service.deps.db.system.execute(
    `insert into api_keys (id, tenant_id, key_id, secret_hash, last4, label, scopes)
     select gen_random_uuid(), tenant_id, $1, secret_hash, last4, label, scopes from api_keys where key_id = $2`,
    [other.keyId, key.split('_')[1] as string],
  );
  expect(await identify.identify({ key: other.text, address: '127.0.0.1' }, (lookUp) => lookUp())).toBeUndefined();
  await identify.close();
});

test('without a database a key is neither accepted nor refused: the service is unavailable', async () => {
  const logger = createLogger('test', 'silent');
  // Port 1 takes no connections.
  const env = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    DATABASE_POOL_SIZE: 2,
    QUEUE_PREFIX: 'none',
    STORAGE_URL: 'file:/nowhere',
  };
  const { deps, close } = openDomain({
    env,
    applicationName: 'test',
    logger,
    evaluator: inPlaceEvaluator(),
    settings: defaultSettings,
  });
  const api = await startTestApi({ service: { ...first.service, deps } });
  try {
    const { body, headers } = await api.withKey(tenant.key).get('/v1/datasets').expect(503);
    expect(body).toMatchObject({ status: 'error', code: 'service_unavailable' });
    expect(headers['retry-after']).toBe('1');
    await api.platform.get('/v1/tenants').expect(503);
    await api.platform.post('/v1/tenants', { name: 'x' }).set('idempotency-key', 'k').expect(503);
    await api.request.get('/healthz').expect(200);
    await api.request.get('/readyz').expect(503);
  } finally {
    await api.close();
    await close();
  }
});
