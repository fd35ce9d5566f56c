import { startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const unknownId = '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10';

test('the platform key creates a tenant with an id made by the service', async () => {
  const { body } = await api.platform.post('/v1/tenants', { name: 'Acme' }).expect(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
    name: 'Acme',
    status: 'active',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  });
});

test('a tenant can be created under a given id, once', async () => {
  const id = 'F7B0E2C4-0000-4000-8000-00000000000A';
  const { body } = await api.platform.post('/v1/tenants', { name: 'Acme', id }).expect(201);
  expect(body).toMatchObject({ id: id.toLowerCase() });
  const second = await api.platform.post('/v1/tenants', { name: 'Other', id }).expect(409);
  expect(second.body).toMatchObject({ status: 'error', code: 'conflict' });
});

test.each([
  [{}, '/name', 'required'],
  [{ name: '' }, '/name', 'minLength'],
  [{ name: 'a\0b' }, '/name', 'nul_character'],
  [{ name: 'x', id: 'urn:uuid:01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10' }, '/id', 'format'],
  [{ name: 'x', nmae: 'y' }, '/nmae', 'unknown_key'],
])('creating a tenant with %j is refused at %s', async (body, path, code) => {
  const response = await api.platform.post('/v1/tenants', body).expect(400);
  expect(response.body).toMatchObject({ code: 'validation_error', errors: [{ path, code }] });
});

test('the list has the newest tenant first and counts them all', async () => {
  await api.platform.post('/v1/tenants', { name: 'first' }).expect(201);
  await api.platform.post('/v1/tenants', { name: 'second' }).expect(201);
  const { body } = await api.platform.get('/v1/tenants?limit=2').expect(200);
  const page = body as { items: { name: string }[]; total: number; page: number; limit: number };
  expect(page.items.map(({ name }) => name)).toEqual(['second', 'first']);
  expect(page.total).toBeGreaterThanOrEqual(2);
  expect(page).toMatchObject({ page: 1, limit: 2 });
  const next = await api.platform.get('/v1/tenants?limit=1&page=2').expect(200);
  expect(next.body).toMatchObject({ items: [{ name: 'first' }], page: 2 });
});

test.each(['page=0', 'page=x', 'limit=0', 'limit=101', 'page=2147483648', 'sort=name', 'page=1&page=2'])(
  'the list refuses ?%s',
  async (query) => {
    const { body } = await api.platform.get(`/v1/tenants?${query}`).expect(400);
    const path = (body as { errors: { path: string }[] }).errors[0]?.path;
    expect(path).toBe(`/query/${query.split('=')[0]}`);
  },
);

test('a tenant key may neither create nor list tenants', async () => {
  const tenant = await api.newTenant();
  const created = await tenant.api.post('/v1/tenants', { name: 'x' }).expect(403);
  expect(created.body).toMatchObject({ code: 'insufficient_scope' });
  await tenant.api.get('/v1/tenants').expect(403);
});

test('without a valid key nothing is answered', async () => {
  const missing = await api.request.get('/v1/tenants').expect(401);
  expect(missing.body).toMatchObject({ code: 'missing_api_key' });
  const wrong = await api.request.get('/v1/tenants').set('x-api-key', 'x'.repeat(40)).expect(401);
  expect(wrong.body).toMatchObject({ code: 'invalid_api_key' });
});

test('a tenant operation with the platform key needs a tenant that exists', async () => {
  const without = await api.platform.get('/v1/api-keys').expect(400);
  expect(without.body).toMatchObject({ code: 'tenant_required' });
  for (const id of [unknownId, 'nonsense']) {
    const unknown = await api.platform.get('/v1/api-keys').set('x-tenant-id', id).expect(404);
    expect(unknown.body).toMatchObject({ code: 'tenant_not_found' });
  }
  const tenant = await api.newTenant();
  await api.platform.get('/v1/api-keys').set('x-tenant-id', tenant.tenantId.toUpperCase()).expect(200);
});

test('a repeated creation with an Idempotency-Key gives the same tenant', async () => {
  const create = () => api.platform.post('/v1/tenants', { name: 'Once' }).set('idempotency-key', 'tenant-1');
  const first = await create().expect(201);
  const second = await create().expect(201);
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotent-replayed']).toBe('true');
});
