import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { openUser, password, signedIn, startTestApi, type TestApi, type TestTenant } from '../../testing';

let services: Record<'main' | 'b' | 'c', TestService>;
let api: TestApi;
/** APIs that create tenants in the databases of these names. */
let apis: Record<'main' | 'b' | 'c', TestApi>;
let tenants: Record<'main' | 'b' | 'c', TestTenant>;
const names = ['main', 'b', 'c'] as const;

beforeAll(async () => {
  const [main, b, c] = [await createTestService(), await createTestService(), await createTestService()];
  services = { main, b, c };
  const open = (newTenants: string) => startTestApi({ service: main, databases: { b, c }, newTenants });
  apis = { main: await open('main'), b: await open('b'), c: await open('c') };
  api = apis.main;
  tenants = { main: await apis.main.newTenant(), b: await apis.b.newTenant(), c: await apis.c.newTenant() };
});

afterAll(async () => {
  for (const one of Object.values(apis)) await one.close();
  for (const one of Object.values(services)) await one.close();
});

const withTenant = (path: string, { tenantId }: TestTenant) => api.platform.get(path).set('x-tenant-id', tenantId);

async function placesOf({ tenantId }: TestTenant): Promise<string[]> {
  const found = [];
  for (const name of names) {
    const rows = await services[name].deps.db.system.query('select 1 from tenants where id = $1::uuid', [tenantId]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe.each(names)('a tenant in %s', (name) => {
  test('is in that database alone, and in the directory unless that is main', async () => {
    const { tenantId } = tenants[name];
    expect(await placesOf(tenants[name])).toEqual([name]);
    const listed = await services.main.deps.db.system.query(
      'select database from tenant_directory where id = $1::uuid',
      [tenantId],
    );
    expect(listed).toEqual(name === 'main' ? [] : [{ database: name }]);
  });

  test('is found by its key, by the platform key, and by a session', async () => {
    const tenant = tenants[name];
    await api
      .withKey(tenant.key)
      .post('/v1/datasets', { name: `of ${name}` })
      .expect(201);
    const listOf = (body: unknown) => (body as { items: { name: string }[] }).items.map((one) => one.name);
    const byPlatform = await withTenant('/v1/datasets', tenant).expect(200);
    expect(listOf(byPlatform.body)).toEqual([`of ${name}`]);
    const user = await openUser(api, { ...tenant, api: api.withKey(tenant.key) }, { role: 'admin' });
    expect(listOf((await user.api.get('/v1/datasets').expect(200)).body)).toEqual([`of ${name}`]);
    const byPassword = await api.request.post('/v1/sessions').send({ email: user.email, password }).expect(201);
    const again = signedIn(api, byPassword);
    expect(listOf((await again.api.get('/v1/datasets').expect(200)).body)).toEqual([`of ${name}`]);
    const byKey = signedIn(api, await api.request.post('/v1/sessions').send({ apiKey: tenant.key }).expect(201));
    expect((await byKey.api.get('/v1/me').expect(200)).body).toMatchObject({ me: { tenant: { id: tenant.tenantId } } });
  });

  test('is read, changed and set up by the operator', async () => {
    const { tenantId } = tenants[name];
    await api.platform.patch(`/v1/tenants/${tenantId}`, { quotas: { records: 7 } }).expect(200);
    const { body } = await api.platform.get(`/v1/tenants/${tenantId}`).expect(200);
    expect(body).toMatchObject({ id: tenantId, quotas: { records: { limit: 7 } } });
    await api.platform.post('/v1/setup/core', { companyId: tenantId }).expect(201);
    expect(await placesOf(tenants[name])).toEqual([name]);
    await api.platform.post('/v1/tenants', { name: 'again', id: tenantId }).expect(409);
  });
});

test('no tenant reaches records of one in another database', async () => {
  const record = await api
    .withKey(tenants.b.key)
    .post('/v1/records?dataset=a', { body: { n: 1 } })
    .expect(202);
  const { id } = record.body as { id: string };
  await api.withKey(tenants.b.key).get(`/v1/records/${id}`).expect(200);
  for (const name of ['main', 'c'] as const) await api.withKey(tenants[name].key).get(`/v1/records/${id}`).expect(404);
  await api.withKey(tenants.c.key).get('/v1/datasets').set('x-tenant-id', tenants.b.tenantId).expect(403);
});

test('the list of tenants is that of all databases, newest first, page by page', async () => {
  const all = (await api.platform.get('/v1/tenants?limit=100').expect(200)).body as { items: { id: string }[] };
  const ids = all.items.map(({ id }) => id);
  expect(ids).toEqual([tenants.c.tenantId, tenants.b.tenantId, tenants.main.tenantId]);
  const pages = [];
  for (const page of [1, 2, 3, 4]) {
    const { body } = await api.platform.get(`/v1/tenants?limit=1&page=${page}`).expect(200);
    expect(body).toMatchObject({ total: 3, page });
    pages.push(...(body as { items: { id: string }[] }).items.map(({ id }) => id));
  }
  expect(pages).toEqual(ids);
});

test('a person with one email in several databases chooses the tenant', async () => {
  const email = 'everywhere@example.com';
  for (const name of names) {
    const tenant = tenants[name];
    await openUser(api, { ...tenant, api: api.withKey(tenant.key) }, { role: 'viewer', email });
  }
  const { body } = await api.request.post('/v1/sessions').send({ email, password }).expect(200);
  const { tenants: offered } = body as { tenants: { id: string }[] };
  expect(offered.map(({ id }) => id).sort()).toEqual(names.map((name) => tenants[name].tenantId).sort());
  const chosen = { email, password, tenantId: tenants.c.tenantId };
  const session = signedIn(api, await api.request.post('/v1/sessions').send(chosen).expect(201));
  expect((await session.api.get('/v1/me')).body).toMatchObject({ me: { tenant: { id: tenants.c.tenantId } } });
});

test('what no database knows is refused as with one', async () => {
  await api
    .withKey(`tk_${'x'.repeat(60)}`)
    .get('/v1/datasets')
    .expect(401);
  await withTenant('/v1/datasets', { ...tenants.b, tenantId: newId() }).expect(404);
  await api.platform.get(`/v1/tenants/${newId()}`).expect(404);
  await api.request.post('/v1/sessions').send({ email: 'nobody@example.com', password }).expect(401);
});
