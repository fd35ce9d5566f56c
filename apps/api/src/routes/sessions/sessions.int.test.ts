import { createMaintenanceHandlers } from '@tieout/domain';
import { createCipher, newId } from '@tieout/infra';
import { testSecretsKey } from '@tieout/testing';
import {
  alone,
  becomes,
  cookieOf,
  openUser,
  password,
  signedIn,
  startTestApi,
  type SignedInUser,
  type TestApi,
  type TestTenant,
} from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let user: SignedInUser;

beforeAll(async () => {
  api = await startTestApi(alone);
  tenant = await api.newTenant();
  user = await openUser(api, tenant, { role: 'preparer' });
});

afterAll(() => api.close());

const signIn = (body: object) => api.request.post('/v1/sessions').send(body);
const system = () => api.service.deps.db.system;
const codeOf = (answer: { body: unknown }): string => (answer.body as { code: string }).code;
const cookieCall = (cookie: string) => api.request.get('/v1/me').set('cookie', cookie);

describe('signing in', () => {
  test('answers with the user, what the role may do, and a cookie that no script reads', async () => {
    const answer = await signIn({ email: ` ${user.email.toUpperCase()}`, password }).expect(201);
    expect(answer.body).toMatchObject({
      status: 'ok',
      me: { kind: 'user', user: { id: user.id, role: 'preparer' }, tenant: { id: tenant.tenantId, name: 'Acme' } },
    });
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^tieout_session=[\w-]{43}; Expires=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
    const [token = ''] = /[\w-]{43}/.exec(cookie ?? '') ?? [];
    expect(JSON.stringify(answer.body)).not.toContain(token);
  });

  test('sets a cookie for encrypted connections only, but on the own machine', async () => {
    const answer = await signIn({ email: user.email, password }).set('host', 'tieout.example').expect(201);
    expect(String(answer.headers['set-cookie'])).toMatch(/; Secure$/);
  });

  test.each([
    ['a wrong password', () => ({ email: user.email, password: `${password}?` })],
    ['an unknown email', () => ({ email: 'nobody@example.com', password })],
    ['another tenant', () => ({ email: user.email, password, tenantId: newId() })],
  ])('with %s is 401, always alike', async (_what, body) => {
    const answer = await signIn(body()).expect(401);
    expect(answer.body).toMatchObject({ code: 'invalid_credentials', message: 'Email or password is wrong' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['nothing', {}, ['/email', '/password']],
    ['an email alone', { email: 'a@b' }, ['/password']],
    ['a key and an email', { apiKey: 'rk_x', email: 'a@b' }, ['/email']],
  ])('with %s says what is missing', async (_what, body, paths) => {
    const answer = await signIn(body).expect(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual(paths);
  });

  test('from a page of another site is refused', async () => {
    for (const [header, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const)
      expect(codeOf(await signIn({ email: user.email, password }).set(header, value).expect(403))).toBe(
        'cross_site_request',
      );
  });

  test('is limited by account, whether it exists or not, and by address', async () => {
    const strict = await startTestApi({ service: api.service, rateLimits: { sign_in: 1 } });
    const attempt = (email: string) => strict.request.post('/v1/sessions').send({ email, password: 'wrong' });
    try {
      for (const email of [user.email, 'nobody@example.com']) {
        await attempt(email).expect(401);
        const refused = await attempt(email).expect(429);
        expect(refused.body).toMatchObject({ code: 'rate_limited' });
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      }
      const statuses = [];
      for (let i = 0; i < 5; i++) statuses.push((await attempt(`other-${i}@example.com`)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 429]);
    } finally {
      await strict.close();
    }
  });

  test('successfully is not limited', async () => {
    const strict = await startTestApi({ service: api.service, rateLimits: { sign_in: 1 } });
    try {
      for (let i = 0; i < 3; i++)
        await strict.request.post('/v1/sessions').send({ email: user.email, password }).expect(201);
    } finally {
      await strict.close();
    }
  });

  test('asks for the tenant where several know email and password, and not for one with its own password', async () => {
    const other = await api.newTenant('Zenith');
    const third = await api.newTenant('Third');
    for (const one of [other, third]) await openUser(api, one, { role: 'viewer', email: user.email });
    const asked = await signIn({ email: user.email, password }).expect(200);
    expect(asked.body).toEqual({
      status: 'choose_tenant',
      tenants: [
        { id: tenant.tenantId, name: 'Acme' },
        { id: third.tenantId, name: 'Third' },
        { id: other.tenantId, name: 'Zenith' },
      ],
    });
    expect(asked.headers['set-cookie']).toBeUndefined();
    const chosen = await signIn({ email: user.email, password, tenantId: other.tenantId }).expect(201);
    expect(chosen.body).toMatchObject({ me: { tenant: { name: 'Zenith' }, user: { role: 'viewer' } } });
    const mine = signedIn(api, chosen);
    const change = { currentPassword: password, newPassword: 'another four words' };
    await mine.api.post('/v1/me/password', change).expect(204);
    const direct = await signIn({ email: user.email, password: change.newPassword }).expect(201);
    expect(direct.body).toMatchObject({ me: { tenant: { name: 'Zenith' } } });
    for (const one of [other, third]) await api.platform.delete(`/v1/tenants/${one.tenantId}`).expect(202);
    await signIn({ email: user.email, password }).expect(201);
  });

  test('to a suspended tenant is refused, once the password is right', async () => {
    const other = await api.newTenant();
    const { email } = await openUser(api, other, { role: 'admin' });
    await api.platform.patch(`/v1/tenants/${other.tenantId}`, { status: 'suspended' }).expect(200);
    expect(codeOf(await signIn({ email, password }).expect(403))).toBe('tenant_suspended');
    await signIn({ email, password: 'wrong' }).expect(401);
  });
});

describe('a session', () => {
  test('reads without more, and changes with the token that its page knows', async () => {
    const { cookie, csrf } = user;
    const { body } = await cookieCall(cookie).expect(200);
    expect(body).toMatchObject({ me: { kind: 'user' }, csrf_token: csrf });
    const post = () => api.request.post('/v1/data-sources').set('cookie', cookie);
    const source = { name: 'x', kind: 'files' };
    expect(codeOf(await post().send(source).expect(403))).toBe('cross_site_request');
    expect(codeOf(await post().set('x-tieout-csrf', `${csrf}x`).send(source).expect(403))).toBe('cross_site_request');
    const other = await openUser(api, tenant, { role: 'preparer' });
    expect(codeOf(await post().set('x-tieout-csrf', other.csrf).send(source).expect(403))).toBe('cross_site_request');
    await post().set('x-tieout-csrf', csrf).send(source).expect(201);
  });

  test.each([
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
  ])('is not used by a request with %s: %s, not even to read', async (header, value) => {
    expect(codeOf(await user.api.get('/v1/me').set(header, value).expect(403))).toBe('cross_site_request');
    await tenant.api.get('/v1/me').set(header, value).expect(200);
  });

  test('is used by a page of the same origin', async () => {
    const call = user.api.post('/v1/data-sources', { name: 'y', kind: 'files' }).set('host', 'tieout.example:8443');
    await call.set('origin', 'https://tieout.example:8443').set('sec-fetch-site', 'same-origin').expect(201);
  });

  test('gives way to a key in the same request', async () => {
    const { key } = await api.newKey(tenant, ['records:read']);
    await user.api.get('/v1/datasets').set('x-api-key', key).expect(403);
    expect(codeOf(await user.api.get('/v1/me').set('x-api-key', 'rk_wrong').expect(401))).toBe('invalid_api_key');
  });

  test.each([
    ['none', 'other=1', 'missing_api_key'],
    ['an unknown one', `tieout_session=${'a'.repeat(43)}`, 'invalid_session'],
    ['no token', 'tieout_session=x', 'invalid_session'],
  ])('is needed: %s is 401', async (_what, cookie, code) => {
    expect(codeOf(await cookieCall(cookie).expect(401))).toBe(code);
  });

  test('of two cookies none is taken', async () => {
    expect(codeOf(await cookieCall(`${user.cookie}; ${user.cookie}`).expect(401))).toBe('invalid_session');
  });

  test.each([
    ['12 hours after its last request', `last_seen_at = now() - interval '12 hours 1 minute'`],
    ['30 days after its first', `expires_at = now() - interval '1 second'`],
  ])('ends %s', async (_when, change) => {
    const { cookie, sessionId } = await openUser(api, tenant, { role: 'viewer' });
    await system().execute(`update sessions set ${change} where id = $1::uuid`, [sessionId]);
    expect(codeOf(await cookieCall(cookie).expect(401))).toBe('invalid_session');
  });

  test('in use does not end', async () => {
    const { cookie, sessionId } = await openUser(api, tenant, { role: 'viewer' });
    await system().execute(`update sessions set last_seen_at = now() - interval '11 hours' where id = $1::uuid`, [
      sessionId,
    ]);
    await cookieCall(cookie).expect(200);
    const [row] = await system().query<{ isFresh: boolean }>(
      `select last_seen_at > now() - interval '1 minute' as "isFresh" from sessions where id = $1::uuid`,
      [sessionId],
    );
    expect(row).toEqual({ isFresh: true });
  });

  test('that has ended by itself is removed, a running one stays', async () => {
    const { sessionId } = await openUser(api, tenant, { role: 'viewer' });
    await system().execute(`update sessions set last_seen_at = now() - interval '13 hours' where id = $1::uuid`, [
      sessionId,
    ]);
    await createMaintenanceHandlers(api.service.deps, createCipher(testSecretsKey))['maintenance.retention']();
    const rows = await system().query<{ id: string }>(
      `select id::text as id from sessions where id = any($1::uuid[])`,
      [[sessionId, user.sessionId]],
    );
    expect(rows).toEqual([{ id: user.sessionId }]);
  });

  test('is stored without its token', async () => {
    const [row] = await system().query<{ row: string }>(`select s::text as row from sessions s where id = $1::uuid`, [
      user.sessionId,
    ]);
    expect(row?.row).not.toContain(user.cookie.split('=')[1]);
  });

  test('acts as its user in the audit, who names nobody else', async () => {
    await user.api.post('/v1/data-sources', { name: 'z', kind: 'files' }).set('x-actor', 'the boss').expect(403);
    const { body } = await tenant.api.get(`/v1/audit?objectId=${user.sessionId}`).expect(200);
    expect(body).toMatchObject({
      items: [{ action: 'session.begin', actor: { type: 'user', id: user.id, label: user.email } }],
    });
  });
});

describe('own sessions', () => {
  test('are listed and ended by their user alone', async () => {
    const mine = await openUser(api, tenant, { role: 'viewer' });
    const second = signedIn(
      api,
      await signIn({ email: mine.email, password }).set('user-agent', 'Firefox').expect(201),
    );
    const { body } = await mine.api.get('/v1/sessions').expect(200);
    expect(body).toMatchObject({
      items: [
        { id: second.sessionId, current: false, user_agent: 'Firefox' },
        { id: mine.sessionId, current: true },
      ],
    });
    expect(codeOf(await user.api.delete(`/v1/sessions/${mine.sessionId}`).expect(404))).toBe('session_not_found');
    await mine.api.delete(`/v1/sessions/${second.sessionId}`).expect(204);
    await second.api.get('/v1/me').expect(401);
    const out = await mine.api.delete('/v1/sessions/current').expect(204);
    expect(cookieOf(out)).toBe('tieout_session=');
    await mine.api.get('/v1/me').expect(401);
  });

  test('a key without a session has none to end', async () => {
    expect(codeOf(await tenant.api.delete('/v1/sessions/current').expect(404))).toBe('session_not_found');
  });
});

describe('the session of a key', () => {
  const open = async (scopes: readonly string[], limits: object = {}) => {
    const made = await tenant.api.post('/v1/api-keys', { label: 'of a browser', scopes, ...limits }).expect(201);
    const { id, key } = made.body as { id: string; key: string };
    const answer = await signIn({ apiKey: key }).expect(201);
    return { id, key, answer, ...signedIn(api, answer) };
  };

  test('may do what the key may, and acts as the key', async () => {
    const { id, answer, ...session } = await open(['datasets:read', 'audit:read']);
    expect(answer.body).toMatchObject({
      me: { kind: 'key', key: { id, label: 'of a browser' }, scopes: ['datasets:read', 'audit:read'] },
    });
    await session.api.get('/v1/datasets').expect(200);
    await session.api.post('/v1/datasets', { name: 'no' }).expect(403);
    const { body } = await session.api.get(`/v1/audit?objectId=${session.sessionId}`).expect(200);
    expect(body).toMatchObject({ items: [{ action: 'session.begin', actor: { type: 'key', id } }] });
    expect((await session.api.get('/v1/sessions').expect(200)).body).toMatchObject({ items: [{ current: true }] });
  });

  test.each([
    ['revoked', (id: string) => tenant.api.delete(`/v1/api-keys/${id}`).expect(204)],
    ['rotated', (id: string) => tenant.api.post(`/v1/api-keys/${id}/rotate`, { overlapSeconds: 0 }).expect(200)],
  ])('ends with the secret of a key that is %s', async (_how, end) => {
    const { id, ...session } = await open([]);
    await session.api.get('/v1/me').expect(200);
    await end(id);
    expect(codeOf(await becomes(401, () => session.api.get('/v1/me')))).toBe('invalid_session');
  });

  test('works where the key does', async () => {
    const { id, ...session } = await open([], { allowedCidrs: ['127.0.0.1'] });
    await system().execute(`update api_keys set allowed_cidrs = '{10.0.0.0/8}' where id = $1::uuid`, [id]);
    expect(codeOf(await becomes(403, () => session.api.get('/v1/me')))).toBe('address_not_allowed');
  });

  test('of a wrong key, or of the platform key, does not begin', async () => {
    expect(codeOf(await signIn({ apiKey: 'rk_nonsense' }).expect(401))).toBe('invalid_api_key');
    expect((await signIn({ apiKey: api.platformKey }).expect(400)).body).toMatchObject({
      errors: [{ path: '/apiKey' }],
    });
  });
});

describe('a change of the own password', () => {
  test('ends the other sessions and not this one, and lets the old password in no more', async () => {
    const mine = await openUser(api, tenant, { role: 'viewer' });
    const other = signedIn(api, await signIn({ email: mine.email, password }).expect(201));
    const change = { currentPassword: password, newPassword: 'five words that do not' };
    await mine.api.post('/v1/me/password', change).expect(204);
    await other.api.get('/v1/me').expect(401);
    await mine.api.get('/v1/me').expect(200);
    await signIn({ email: mine.email, password }).expect(401);
    await signIn({ email: mine.email, password: change.newPassword }).expect(201);
  });

  test.each([
    ['a wrong present one', { currentPassword: 'wrong', newPassword: 'five words that do not' }, '/currentPassword'],
    ['a weak new one', { currentPassword: password, newPassword: 'short' }, '/newPassword'],
  ])('with %s is 400', async (_what, body, path) => {
    const answer = await user.api.post('/v1/me/password', body).expect(400);
    expect(answer.body).toMatchObject({ errors: [{ path }] });
  });

  test('is for users alone', async () => {
    const body = { currentPassword: password, newPassword: 'five words that do not' };
    await tenant.api.post('/v1/me/password', body).expect(403);
  });
});

test('the platform key is told that it is the platform', async () => {
  const { body } = await api.platform.get('/v1/me').set('x-tenant-id', tenant.tenantId).expect(200);
  expect(body).toEqual({
    status: 'ok',
    me: { kind: 'platform', tenant: { id: tenant.tenantId, name: 'Acme' }, scopes: [] },
  });
});
