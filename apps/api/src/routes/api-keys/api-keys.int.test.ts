import { becomes, startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

interface CreatedKey {
  id: string;
  key: string;
}

test('a key is shown once and never again', async () => {
  const created = await tenant.api.post('/v1/api-keys', { label: 'ERP' }).expect(201);
  const { id, key, ...rest } = created.body as CreatedKey & Record<string, unknown>;
  expect(key).toMatch(/^rk_[0-9A-Za-z]+_[0-9A-Za-z]+$/);
  const shown = { ...rest, id };
  expect(shown).toMatchObject({ label: 'ERP', scopes: [], active: true, last4: key.slice(-4), last_used_at: null });
  expect(key.startsWith(String(rest['prefix']))).toBe(true);
  const { body } = await tenant.api.get(`/v1/api-keys/${id}`).expect(200);
  expect(body).toEqual(shown);
  const list = await tenant.api.get('/v1/api-keys').expect(200);
  expect(list.text).not.toContain(key);
});

test('the database holds neither the text nor the secret of a key', async () => {
  const { body } = await tenant.api.post('/v1/api-keys', { label: 'x' }).set('idempotency-key', 'secret-1').expect(201);
  const secret = (body as CreatedKey).key.split('_')[2]?.slice(0, 43) as string;
  const rows = await api.service.deps.db.system.query<{ text: string }>(
    `select row_to_json(k)::text as text from api_keys k union all select row_to_json(i)::text from idempotency_keys i`,
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map((row) => row.text).join('\n')).not.toContain(secret);
});

test('a repeated creation gives the same key to the same caller alone', async () => {
  const other = await api.newKey(tenant, []);
  const create = (as: { post: typeof tenant.api.post }) =>
    as.post('/v1/api-keys', { label: 'once' }).set('idempotency-key', 'create-1');
  const first = await create(tenant.api).expect(201);
  const second = await create(tenant.api).expect(201);
  expect(second.text).toBe(first.text);
  const foreign = await create(other.api).expect(422);
  expect(foreign.body).toMatchObject({ code: 'idempotency_key_reused' });
});

test.each([
  ['revoked', (id: string) => tenant.api.delete(`/v1/api-keys/${id}`).expect(204)],
  ['rotated', (id: string) => tenant.api.post(`/v1/api-keys/${id}/rotate`, { overlapSeconds: 0 }).expect(200)],
])('a repeated creation of a key that was %s meanwhile says that its text is no longer accepted', async (how, end) => {
  const create = async () =>
    (await tenant.api.post('/v1/api-keys', { label: how }).set('idempotency-key', how).expect(201)).body as CreatedKey;
  const first = await create();
  await end(first.id);
  expect(await create()).toEqual({ ...first, active: false });
});

test.each([
  [{}, '/label'],
  [{ label: '' }, '/label'],
  [{ label: 'x', scopes: ['records:fly'] }, '/scopes/0'],
  [{ label: 'x', scopes: 'records:read' }, '/scopes'],
  [{ label: 'x', active: true }, '/active'],
])('creating a key with %j is refused at %s', async (body, path) => {
  const response = await tenant.api.post('/v1/api-keys', body).expect(400);
  expect(response.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});

test('a key may do what its scopes say, and write implies read', async () => {
  const reader = await api.newKey(tenant, ['keys:read']);
  await reader.api.get('/v1/api-keys').expect(200);
  const refused = await reader.api.post('/v1/api-keys', { label: 'x', scopes: ['keys:read'] }).expect(403);
  expect(refused.body).toMatchObject({ code: 'insufficient_scope' });
  const writer = await api.newKey(tenant, ['keys:write']);
  await writer.api.get('/v1/api-keys').expect(200);
  const stranger = await api.newKey(tenant, ['records:write']);
  await stranger.api.get('/v1/api-keys').expect(403);
});

test('a key cannot make a key that may do more than itself', async () => {
  const writer = await api.newKey(tenant, ['keys:write', 'records:read']);
  await writer.api.post('/v1/api-keys', { label: 'x', scopes: ['records:read', 'keys:read'] }).expect(201);
  for (const scopes of [['records:write'], ['datasets:read'], [], undefined]) {
    const { body } = await writer.api.post('/v1/api-keys', { label: 'x', ...(scopes ? { scopes } : {}) }).expect(403);
    expect(body).toMatchObject({ code: 'insufficient_scope' });
  }
});

test('a revoked key stops within a second, stays readable as inactive, and can be revoked again', async () => {
  const doomed = await api.newKey(tenant, []);
  await doomed.api.get('/v1/api-keys').expect(200);
  await tenant.api.delete(`/v1/api-keys/${doomed.id}`).expect(204);
  await becomes(401, () => doomed.api.get('/v1/api-keys'));
  const { body } = await tenant.api.get(`/v1/api-keys/${doomed.id}`).expect(200);
  expect(body).toMatchObject({ active: false });
  await tenant.api.delete(`/v1/api-keys/${doomed.id}`).expect(204);
});

test('the use of a key is noted, once a minute', async () => {
  const { id, api: used } = await api.newKey(tenant, []);
  await used.get('/v1/api-keys').expect(200);
  const lastUsed = async (): Promise<string | null> => {
    const { body } = await tenant.api.get(`/v1/api-keys/${id}`).expect(200);
    return (body as { last_used_at: string | null }).last_used_at;
  };
  let first: string | null = null;
  // The request does not wait until its use is written.
  for (let i = 0; i < 100 && first === null; i++) first = await lastUsed();
  expect(first).not.toBeNull();
  await used.get('/v1/api-keys').expect(200);
  expect(await lastUsed()).toBe(first);
});

test('a mistyped key is refused', async () => {
  const last = tenant.key.at(-1) === 'a' ? 'b' : 'a';
  for (const key of [`${tenant.key.slice(0, -1)}${last}`, tenant.key.slice(0, -1), `${tenant.key}a`, 'rk__']) {
    const { body } = await api.withKey(key).get('/v1/api-keys').expect(401);
    expect(body).toMatchObject({ code: 'invalid_api_key' });
  }
});

test('x-tenant-id beside a tenant key must name its tenant', async () => {
  const other = await api.newTenant();
  await tenant.api.get('/v1/api-keys').set('x-tenant-id', tenant.tenantId).expect(200);
  const { body } = await tenant.api.get('/v1/api-keys').set('x-tenant-id', other.tenantId).expect(403);
  expect(body).toMatchObject({ code: 'insufficient_scope' });
});

test('a key of another tenant answers exactly like an unknown one', async () => {
  const other = await api.newTenant();
  const foreign = await api.newKey(other, []);
  const ids = [foreign.id, '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', 'nonsense'];
  for (const method of ['get', 'delete'] as const) {
    const texts = [];
    for (const id of ids) {
      const response = await tenant.api[method](`/v1/api-keys/${id}`).set('x-request-id', 'same-for-all').expect(404);
      texts.push(response.text);
    }
    expect(new Set(texts).size).toBe(1);
  }
  await foreign.api.get('/v1/api-keys').expect(200);
  const list = await tenant.api.get('/v1/api-keys?limit=100').expect(200);
  expect(list.text).not.toContain(foreign.id);
});

test.each([
  ['blanks', '  \t '],
  ['blanks of other scripts', '\u00a0\u3000\u2003'],
  ['characters without width', '\u200b\u2060\ufeff'],
  ['a mark that turns the direction', 'ERP \u202egnp.exe'],
  ['an isolate', '\u2066x\u2069'],
  ['a line break', 'ERP\nimport'],
  ['an escape', '\u001b[31mERP'],
])('a label of %s is refused', async (_what, label) => {
  const { body } = await tenant.api.post('/v1/api-keys', { label }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/label', code: 'pattern' }] });
});

test.each(['Größe 1', 'איתן', '月次 照合', '👩‍👩‍👧 import'])('the label %j is kept', async (label) => {
  expect((await tenant.api.post('/v1/api-keys', { label }).expect(201)).body).toMatchObject({ label });
});
