import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

test('a data source is created, read and listed, newest first', async () => {
  const first = await tenant.api.post('/v1/data-sources', { name: 'ERP', kind: 'erp' }).expect(201);
  const second = await tenant.api.post('/v1/data-sources', { name: 'Bank', kind: 'bank' }).expect(201);
  expect(first.body).toMatchObject({ name: 'ERP', kind: 'erp' });
  const { id } = first.body as { id: string };
  const read = await tenant.api.get(`/v1/data-sources/${id}`).expect(200);
  expect(read.body).toEqual(first.body);
  const list = await tenant.api.get('/v1/data-sources').expect(200);
  expect(list.body).toEqual({ items: [second.body, first.body], total: 2, page: 1, limit: 25 });
});

test.each([
  [{ name: 'x' }, '/kind'],
  [{ kind: 'x' }, '/name'],
  [{ name: '', kind: 'x' }, '/name'],
  [{ name: 'x', kind: 5 }, '/kind'],
  [{ name: 'x', kind: 'y', url: 'z' }, '/url'],
])('creating one with %j is refused at %s', async (body, path) => {
  const response = await tenant.api.post('/v1/data-sources', body).expect(400);
  expect(response.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});

test('another tenant sees nothing of it', async () => {
  const { body } = await tenant.api.post('/v1/data-sources', { name: 'Mine', kind: 'erp' }).expect(201);
  const { id } = body as { id: string };
  const other = await api.newTenant();
  const foreign = await other.api.get(`/v1/data-sources/${id}`).set('x-request-id', 'same-for-all').expect(404);
  const unknown = await other.api
    .get('/v1/data-sources/01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10')
    .set('x-request-id', 'same-for-all')
    .expect(404);
  expect(foreign.text).toBe(unknown.text);
  const list = await other.api.get('/v1/data-sources').expect(200);
  expect(list.body).toMatchObject({ items: [], total: 0 });
});

test('reading needs datasets:read, creating datasets:write', async () => {
  const reader = await api.newKey(tenant, ['datasets:read']);
  await reader.api.get('/v1/data-sources').expect(200);
  await reader.api.post('/v1/data-sources', { name: 'x', kind: 'y' }).expect(403);
  const stranger = await api.newKey(tenant, ['records:write']);
  await stranger.api.get('/v1/data-sources').expect(403);
});
