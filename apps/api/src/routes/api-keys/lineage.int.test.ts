import { newId } from '@tieout/infra';
import { becomes, startTestApi, type KeyedApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let elsewhere: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi({ trustedProxies: ['loopback'], rateLimits: { failed_auth: 0 } });
  elsewhere = await startTestApi({
    service: api.service,
    trustedProxies: ['loopback'],
    rateLimits: { failed_auth: 0 },
  });
});

beforeEach(async () => {
  tenant = await api.newTenant();
});

afterAll(async () => {
  await elsewhere.close();
  await api.close();
});

interface KeyBody {
  id: string;
  key: string;
  active: boolean;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  allowed_cidrs: string[];
  created_by: { type: string; id: string | null; label: string } | null;
  previous: { prefix: string; last4: string; expires_at: string } | null;
}

interface Owned extends KeyBody {
  api: KeyedApi;
}

async function mint(as: KeyedApi, body: object = {}): Promise<Owned> {
  const made = (await as.post('/v1/api-keys', { label: 'made', ...body }).expect(201)).body as KeyBody;
  return { ...made, api: api.withKey(made.key) };
}

const read = async (id: string): Promise<KeyBody> =>
  (await tenant.api.get(`/v1/api-keys/${id}`).expect(200)).body as KeyBody;
const activeOf = async (keys: readonly Owned[]): Promise<boolean[]> =>
  Promise.all(keys.map(async ({ id }) => (await read(id)).active));
const idsOf = async (query: string): Promise<string[]> =>
  ((await tenant.api.get(`/v1/api-keys?${query}`).expect(200)).body as { items: KeyBody[] }).items.map(({ id }) => id);
const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

describe('who has created a key', () => {
  test('is kept with the key, and lists find it', async () => {
    const parent = await mint(tenant.api, { label: 'parent' });
    const child = await mint(parent.api);
    const [first] = ((await tenant.api.get('/v1/api-keys?createdBy=platform').expect(200)).body as { items: KeyBody[] })
      .items;
    expect(first?.created_by).toEqual({ type: 'platform', id: null, label: 'Platform' });
    expect(parent.created_by).toEqual({ type: 'key', id: first?.id, label: 'test' });
    expect((await read(child.id)).created_by).toEqual({ type: 'key', id: parent.id, label: 'parent' });
    expect(await idsOf(`createdBy=${parent.id.toUpperCase()}`)).toEqual([child.id]);
    expect(await idsOf(`createdBy=${child.id}`)).toEqual([]);
  });

  test('of another tenant is like one that does not exist', async () => {
    const parent = await mint(tenant.api);
    await mint(parent.api);
    const other = await api.newTenant();
    for (const id of [parent.id, newId()])
      expect((await other.api.get(`/v1/api-keys?createdBy=${id}`).expect(200)).body).toMatchObject({ total: 0 });
  });

  test('is null for a key that is older than the note', async () => {
    const { id } = await mint(tenant.api);
    await api.service.deps.db.system.execute(
      'update api_keys set created_by_type = null, created_by_id = null where id = $1::uuid',
      [id],
    );
    expect((await read(id)).created_by).toBeNull();
  });

  test('must be an id or the platform', async () => {
    const { body } = await tenant.api.get('/v1/api-keys?createdBy=me').expect(400);
    expect(body).toMatchObject({
      errors: [{ path: '/query/createdBy', message: 'must be the id of a key or user, or platform' }],
    });
  });
});

describe('a key gives out nothing that reaches further than itself', () => {
  const until = soon(3_600);
  test.each([
    ['scopes', { scopes: ['keys:write', 'records:read'] }, { scopes: ['records:write'] }, '/scopes'],
    ['all scopes', { scopes: ['keys:write', 'records:read'] }, { scopes: [] }, '/scopes'],
    ['all scopes by default', { scopes: ['keys:write'] }, {}, '/scopes'],
    ['a later end', { expiresAt: until }, { expiresAt: soon(3_700) }, '/expiresAt'],
    ['no end', { expiresAt: until }, { expiresAt: null }, '/expiresAt'],
    ['no end by default', { expiresAt: until }, {}, '/expiresAt'],
    ['more addresses', { allowedCidrs: ['127.0.0.0/8'] }, { allowedCidrs: ['0.0.0.0/0'] }, '/allowedCidrs'],
    ['one more address', { allowedCidrs: ['127.0.0.1'] }, { allowedCidrs: ['127.0.0.1', '::1'] }, '/allowedCidrs'],
    ['all addresses by default', { allowedCidrs: ['127.0.0.1'] }, {}, '/allowedCidrs'],
  ])('%s', async (_, own, wanted, path) => {
    const parent = await mint(tenant.api, own);
    const { body } = await parent.api.post('/v1/api-keys', { label: 'wider', ...wanted }).expect(403);
    expect(body).toMatchObject({ code: 'insufficient_scope', errors: [{ path, code: 'wider_than_own' }] });
    expect(await idsOf(`createdBy=${parent.id}`)).toEqual([]);
    // Nor by taking over a key that does.
    const wide = await mint(tenant.api, wanted);
    await parent.api.post(`/v1/api-keys/${wide.id}/rotate`, { overlapSeconds: 0 }).expect(403);
    await wide.api.get('/v1/api-keys').expect(wide.scopes.includes('records:write') ? 403 : 200);
  });

  test('within its own limits it does', async () => {
    const own = { scopes: ['keys:write', 'records:write'], expiresAt: until, allowedCidrs: ['127.0.0.0/8', '::1'] };
    const parent = await mint(tenant.api, own);
    const child = await mint(parent.api, { ...own, scopes: ['records:read', 'keys:read'], allowedCidrs: ['::1/128'] });
    expect(child).toMatchObject({
      scopes: ['records:read', 'keys:read'],
      expires_at: until,
      allowed_cidrs: ['::1/128'],
    });
  });
});

describe('revoking', () => {
  test('a key with scopes revokes none with scopes that it lacks', async () => {
    const writer = await mint(tenant.api, { scopes: ['keys:write', 'records:read'] });
    const others = [await mint(tenant.api), await mint(tenant.api, { scopes: ['records:write'] })];
    for (const { id } of others)
      for (const query of ['', '?descendants=true']) await writer.api.delete(`/v1/api-keys/${id}${query}`).expect(403);
    expect(await activeOf(others)).toEqual([true, true]);
    const within = await mint(tenant.api, { scopes: ['records:read'] });
    await writer.api.delete(`/v1/api-keys/${within.id}`).expect(204);
    await writer.api.delete(`/v1/api-keys/${writer.id}`).expect(204);
    expect(await activeOf([within, writer])).toEqual([false, false]);
  });

  test('with descendants ends all that a key has made, in turn, and nothing else', async () => {
    const leaked = await mint(tenant.api);
    const child = await mint(leaked.api);
    const grandchild = await mint(child.api);
    const lastOfLine = await mint(grandchild.api, { scopes: ['records:read'] });
    const others = [await mint(tenant.api)];
    await tenant.api.delete(`/v1/api-keys/${leaked.id}`).expect(204);
    expect(await activeOf([leaked, child, grandchild, lastOfLine])).toEqual([false, true, true, true]);
    await tenant.api.delete(`/v1/api-keys/${leaked.id}?descendants=true`).expect(204);
    expect(await activeOf([child, grandchild, lastOfLine, ...others])).toEqual([false, false, false, true]);
    for (const { key } of [child, grandchild, lastOfLine])
      for (const one of [api, elsewhere]) await becomes(401, () => one.withKey(key).get('/v1/records'));
  });

  test('with descendants ends keys whose secret it was given by rotation, also in an overlap', async () => {
    const leaked = await mint(tenant.api);
    const taken = await mint(tenant.api);
    const madeByTaken = await mint(taken.api);
    const passedOn = await mint(tenant.api);
    await leaked.api.post(`/v1/api-keys/${taken.id}/rotate`, { overlapSeconds: 60 }).expect(200);
    await leaked.api.post(`/v1/api-keys/${passedOn.id}/rotate`, { overlapSeconds: 0 }).expect(200);
    await tenant.api.post(`/v1/api-keys/${passedOn.id}/rotate`, { overlapSeconds: 60 }).expect(200);
    const takenBack = await mint(tenant.api);
    await leaked.api.post(`/v1/api-keys/${takenBack.id}/rotate`, { overlapSeconds: 60 }).expect(200);
    await tenant.api.post(`/v1/api-keys/${takenBack.id}/rotate`, { overlapSeconds: 0 }).expect(200);
    await tenant.api.delete(`/v1/api-keys/${leaked.id}?descendants=true`).expect(204);
    expect(await activeOf([taken, madeByTaken, passedOn, takenBack])).toEqual([false, false, false, true]);
  });

  test('a key that makes others while it is revoked leaves none of them alive', async () => {
    const leaked = await mint(tenant.api);
    const attempts = Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? leaked.api : elsewhere.withKey(leaked.key)).post('/v1/api-keys', { label: `escape ${i}` }),
    );
    const [revoked, ...answers] = await Promise.all([
      tenant.api.delete(`/v1/api-keys/${leaked.id}?descendants=true`),
      ...attempts,
    ]);
    expect(revoked.status).toBe(204);
    expect(answers.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
    const { body } = await tenant.api.get(`/v1/api-keys?createdBy=${leaked.id}&limit=100`).expect(200);
    expect((body as { items: KeyBody[] }).items.filter(({ active }) => active)).toEqual([]);
  });

  test('keys that revoke each other at once both end, without an error', async () => {
    const [one, other] = [await mint(tenant.api), await mint(tenant.api)];
    const answers = await Promise.all([
      one.api.delete(`/v1/api-keys/${other.id}`),
      other.api.delete(`/v1/api-keys/${one.id}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  test('a key of another tenant stays, also with descendants', async () => {
    const other = await api.newTenant();
    const foreign = await mint(other.api);
    await tenant.api.delete(`/v1/api-keys/${foreign.id}?descendants=true`).expect(404);
    await tenant.api.post(`/v1/api-keys/${foreign.id}/rotate`, {}).expect(404);
    await foreign.api.get('/v1/api-keys').expect(200);
  });
});

describe('expiry', () => {
  test('a key works until it expires, on every process, and is then shown as inactive', async () => {
    const { id, key } = await mint(tenant.api, { expiresAt: soon(1) });
    expect((await api.withKey(key).get('/v1/records')).status).toBe(200);
    expect((await elsewhere.withKey(key).get('/v1/records')).status).toBe(200);
    const deadlineMs = Date.now() + 3_000;
    while ((await read(id)).active && Date.now() < deadlineMs);
    // At once: both processes have read the key before, and need not read it again.
    for (const one of [api, elsewhere]) {
      const { body } = await one.withKey(key).get('/v1/records').expect(401);
      expect(body).toMatchObject({ code: 'invalid_api_key', message: expect.stringContaining('expired at') as string });
    }
    await tenant.api.post(`/v1/api-keys/${id}/rotate`, {}).expect(409);
  });

  test.each([
    ['2020-01-01T00:00:00Z', 'in_the_past'],
    ['2099-01-01', 'date_time'],
    ['2099-01-01T12:00:00', 'date_time'],
    ['2099-01-01 12:00', 'date_time'],
    ['2099-01-01T12:00:00.000', 'date_time'],
    [new Date(Date.now() - 1).toISOString(), 'in_the_past'],
    ['tomorrow', 'date_time'],
    ['2030-02-30', 'date_time'],
    ['2030-01-01T25:00:00Z', 'date_time'],
    ['', 'date_time'],
  ])('expiresAt %j is refused', async (expiresAt, code) => {
    const { body } = await tenant.api.post('/v1/api-keys', { label: 'x', expiresAt }).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/expiresAt', code }] });
  });

  test('expiresAt with an offset is the same instant in UTC', async () => {
    expect((await mint(tenant.api, { expiresAt: '2099-01-01T00:30:00+01:00' })).expires_at).toBe(
      '2098-12-31T23:30:00.000Z',
    );
  });
});

describe('addresses', () => {
  const from = (address: string, key: string) => api.withKey(key).get('/v1/records').set('x-forwarded-for', address);

  test.each([
    ['203.0.113.9', 200],
    ['::ffff:203.0.113.9', 200],
    ['2001:db8::77', 200],
    ['1.2.3.4, 203.0.113.9', 200],
    ['203.0.113.9, 1.2.3.4', 403],
    ['198.51.100.1', 403],
    ['2001:db9::1', 403],
    ['unknown', 403],
    ['203.0.113.9:4711', 200],
    ['[2001:db8::77]:4711', 200],
    ['203.0.113.9, 1.2.3.4:4711', 403],
    ['203.0.113.9%eth0', 403],
  ])('a client that a trusted proxy reports as %s gets %i', async (address, status) => {
    const { key } = await mint(tenant.api, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    const { body } = await from(address, key).expect(status);
    if (status === 403) expect(body).toMatchObject({ code: 'address_not_allowed' });
  });

  test('a client cannot report an address itself where no proxy is trusted', async () => {
    const plain = await startTestApi({ service: api.service });
    const { key } = await mint(tenant.api, { allowedCidrs: ['203.0.113.0/24'] });
    await plain.withKey(key).get('/v1/records').set('x-forwarded-for', '203.0.113.9').expect(403);
    await plain.close();
  });

  test('the wrong address costs the address, not the tenant', async () => {
    const limited = await startTestApi({ service: api.service, rateLimits: { failed_auth: 3, read: 50 } });
    const { key } = await mint(tenant.api, { allowedCidrs: ['203.0.113.0/24'] });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await limited.withKey(key).get('/v1/records')).status);
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
    const { headers } = await limited.withKey(tenant.key).get('/v1/records').expect(200);
    expect(headers['x-ratelimit-remaining']).toBe('49');
    await limited.close();
  });

  test.each([
    ['10.0.0.1/8', 'write 10.0.0.0/8'],
    ['localhost', 'must be an address or a range'],
    ['10.0.0.0/33', 'must be an address or a range'],
    ['', 'must be an address or a range'],
  ])('allowedCidrs with %j is refused', async (range, message) => {
    const { body } = await tenant.api
      .post('/v1/api-keys', { label: 'x', allowedCidrs: ['10.0.0.0/8', range] })
      .expect(400);
    expect(body).toMatchObject({
      errors: [{ path: '/allowedCidrs/1', message: expect.stringContaining(message) as string }],
    });
  });

  test('ranges are kept in one form', async () => {
    const allowedCidrs = ['::ffff:10.0.0.0/104', '10.0.0.0/8', '2001:DB8:0::/32', '127.0.0.1'];
    expect((await mint(tenant.api, { allowedCidrs })).allowed_cidrs).toEqual([
      '10.0.0.0/8',
      '2001:db8::/32',
      '127.0.0.1/32',
    ]);
  });
});

describe('rotation', () => {
  test('both secrets work during the overlap, on every process at once, and the old one ends with it', async () => {
    const before = await mint(tenant.api, { scopes: ['records:read'] });
    for (const one of [api, elsewhere]) await one.withKey(before.key).get('/v1/records').expect(200);
    const { body } = await tenant.api.post(`/v1/api-keys/${before.id}/rotate`, { overlapSeconds: 2 }).expect(200);
    const after = body as KeyBody;
    expect(after).toMatchObject({ id: before.id, scopes: ['records:read'], created_by: before.created_by });
    expect(after.previous).toMatchObject({ prefix: before.prefix, last4: before.key.slice(-4) });
    for (const one of [api, elsewhere])
      for (const { key } of [before, after]) await one.withKey(key).get('/v1/records').expect(200);
    const deadlineMs = Date.now() + 5_000;
    while ((await read(before.id)).previous && Date.now() < deadlineMs);
    for (const one of [api, elsewhere]) {
      await one.withKey(before.key).get('/v1/records').expect(401);
      await one.withKey(after.key).get('/v1/records').expect(200);
    }
    expect((await tenant.api.get('/v1/api-keys').expect(200)).text).not.toContain(after.key.split('_')[2]);
  });

  test('without overlap the old secret stops within a second, and the new one works at once', async () => {
    const before = await mint(tenant.api);
    await elsewhere.withKey(before.key).get('/v1/records').expect(200);
    const { body } = await before.api.post(`/v1/api-keys/${before.id}/rotate`, { overlapSeconds: 0 }).expect(200);
    const after = body as KeyBody;
    expect(after.previous).toBeNull();
    await elsewhere.withKey(after.key).get('/v1/records').expect(200);
    await becomes(401, () => elsewhere.withKey(before.key).get('/v1/records'));
  });

  test('a second rotation ends the first secret, and a revocation all of them', async () => {
    const first = await mint(tenant.api);
    const rotate = async (): Promise<KeyBody> =>
      (await tenant.api.post(`/v1/api-keys/${first.id}/rotate`).expect(200)).body as KeyBody;
    const [second, third] = [await rotate(), await rotate()];
    await becomes(401, () => first.api.get('/v1/records'));
    for (const { key } of [second, third]) await api.withKey(key).get('/v1/records').expect(200);
    await tenant.api.delete(`/v1/api-keys/${first.id}`).expect(204);
    for (const { key } of [second, third]) await becomes(401, () => api.withKey(key).get('/v1/records'));
    await tenant.api.post(`/v1/api-keys/${first.id}/rotate`).expect(409);
  });

  test('keeps the limits of the key, for both of its secrets', async () => {
    const until = soon(3_600);
    const before = await mint(tenant.api, { expiresAt: until, allowedCidrs: ['203.0.113.0/24'] });
    const { body } = await tenant.api.post(`/v1/api-keys/${before.id}/rotate`, { overlapSeconds: 86_400 }).expect(200);
    expect(body).toMatchObject({ expires_at: until, allowed_cidrs: ['203.0.113.0/24'] });
    for (const { key } of [before, body as KeyBody]) await api.withKey(key).get('/v1/records').expect(403);
  });

  test('a repetition with the same Idempotency-Key gives the same secret', async () => {
    const { id } = await mint(tenant.api);
    const rotate = () =>
      tenant.api.post(`/v1/api-keys/${id}/rotate`, {}).set('idempotency-key', 'rotate-1').expect(200);
    expect((await rotate()).text).toBe((await rotate()).text);
  });

  test.each([{ overlapSeconds: -1 }, { overlapSeconds: 2_592_001 }, { overlapSeconds: 1.5 }, { overlapSeconds: '1' }])(
    '%j is refused',
    async (body) => {
      const { id } = await mint(tenant.api);
      const answer = await tenant.api.post(`/v1/api-keys/${id}/rotate`, body).expect(400);
      expect(answer.body).toMatchObject({ errors: [{ path: '/overlapSeconds' }] });
    },
  );

  test('needs keys:write', async () => {
    const reader = await mint(tenant.api, { scopes: ['keys:read'] });
    await reader.api.post(`/v1/api-keys/${reader.id}/rotate`, {}).expect(403);
  });
});

test.each([
  ['x'.repeat(200), 201],
  ['x'.repeat(201), 400],
  ['🔑'.repeat(200), 201],
  ['a\u0000b', 400],
])('a label %j is answered with %i', async (label, status) => {
  await tenant.api.post('/v1/api-keys', { label }).expect(status);
});

test('both platform keys are accepted while one replaces the other', async () => {
  const previousPlatformKey = `previous-${newId()}`;
  const rotating = await startTestApi({ service: api.service, previousPlatformKey });
  for (const key of [previousPlatformKey, rotating.platformKey])
    await rotating.withKey(key).get('/v1/tenants').expect(200);
  await api.withKey(previousPlatformKey).get('/v1/tenants').expect(401);
  await rotating.close();
});
