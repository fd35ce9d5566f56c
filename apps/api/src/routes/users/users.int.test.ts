import { newId } from '@tieout/infra';
import { openUser, password, startTestApi, type SignedInUser, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let admin: SignedInUser;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
  admin = await openUser(api, tenant, { role: 'admin' });
});

afterAll(() => api.close());

const codeOf = (answer: { body: unknown }): string => (answer.body as { code: string }).code;

interface InvitedBody {
  id: string;
  invitation: { token: string; url: string };
}

let emails = 0;
async function invite(role = 'viewer', as = admin.api): Promise<InvitedBody> {
  const email = `new-${emails++}@example.com`;
  return (await as.post('/v1/users', { email, name: 'New', role }).expect(201)).body as InvitedBody;
}
const accept = (token: string, chosen = password) =>
  api.request.post('/v1/users/accept').send({ token, password: chosen });

describe('an invitation', () => {
  test('is shown once, and accepted once', async () => {
    const { id, invitation } = await invite();
    expect(invitation.url).toBe(`${api.url}/app/invitation#${invitation.token}`);
    const shown = await admin.api.get(`/v1/users/${id}`).expect(200);
    expect(shown.body).toMatchObject({ has_password: false, last_sign_in_at: null });
    expect(shown.text).not.toContain(invitation.token);
    const accepted = await accept(invitation.token).expect(201);
    expect(accepted.body).toMatchObject({ me: { user: { id } } });
    expect(codeOf(await accept(invitation.token).expect(404))).toBe('invitation_not_valid');
    expect((await admin.api.get(`/v1/users/${id}`).expect(200)).body).toMatchObject({
      has_password: true,
      invited_until: null,
      last_sign_in_at: expect.any(String) as string,
    });
  });

  test('is accepted by one of two who try at once', async () => {
    const { invitation } = await invite();
    const answers = await Promise.all([accept(invitation.token), accept(invitation.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  test.each([
    ['is too old', `invitation_until = now() - interval '1 second'`],
    ['is of an inactive user', 'active = false'],
  ])('that %s is not valid', async (_what, change) => {
    const { id, invitation } = await invite();
    await api.service.deps.db.system.execute(`update users set ${change} where id = $1::uuid`, [id]);
    expect(codeOf(await accept(invitation.token).expect(404))).toBe('invitation_not_valid');
  });

  test('that is not the last one is void; the last one ends the sessions and the old password', async () => {
    const user = await openUser(api, tenant, { role: 'viewer' });
    const again = async () => (await admin.api.post(`/v1/users/${user.id}/invitation`).expect(201)).body as InvitedBody;
    const [first, second] = [await again(), await again()];
    await accept(first.invitation.token).expect(404);
    await user.api.get('/v1/me').expect(200);
    await accept(second.invitation.token, 'another four words').expect(201);
    await user.api.get('/v1/me').expect(401);
    await api.request.post('/v1/sessions').send({ email: user.email, password }).expect(401);
  });

  test.each(['short', 'aaaaaaaaaaaaaaaa', 'password12345', '1234567890123', 'qwertyuiopas', 'x'.repeat(257)])(
    'with the password %s is refused and can still be accepted',
    async (weak) => {
      const { invitation } = await invite();
      expect((await accept(invitation.token, weak).expect(400)).body).toMatchObject({
        errors: [{ path: '/password', code: 'weak_password' }],
      });
      await accept(invitation.token).expect(201);
    },
  );

  test('is made once by a repeated request', async () => {
    const body = { email: 'once@example.com', name: 'Once', role: 'viewer' };
    const send = (as: SignedInUser) => as.api.post('/v1/users', body).set('Idempotency-Key', 'invite-1');
    const first = await send(admin).expect(201);
    expect((await send(admin).expect(201)).body).toEqual(first.body);
    const other = await openUser(api, tenant, { role: 'admin' });
    expect(codeOf(await send(other).expect(422))).toBe('idempotency_key_reused');
  });
});

describe('a user', () => {
  test.each(['no email', 'a@b c', '@b', 'a@', '', `${'a'.repeat(250)}@example.com`, 'a@b\u202e'])(
    'with the email %j is refused',
    async (email) => {
      const answer = await admin.api.post('/v1/users', { email, name: 'X', role: 'viewer' }).expect(400);
      expect(answer.body).toMatchObject({ errors: [{ path: '/email' }] });
    },
  );

  test('has an email that nobody else of the tenant has, in any case', async () => {
    const body = { email: 'Same@Example.com', name: 'X', role: 'viewer' };
    expect((await admin.api.post('/v1/users', body).expect(201)).body).toMatchObject({ email: 'same@example.com' });
    expect(codeOf(await admin.api.post('/v1/users', { ...body, email: 'same@example.COM' }).expect(409))).toBe(
      'conflict',
    );
    const other = await api.newTenant();
    await other.api.post('/v1/users', body).expect(201);
  });

  test('is found by role and activity', async () => {
    const own = await api.newTenant();
    const made = [await invite('viewer', own.api), await invite('approver', own.api), await invite('viewer', own.api)];
    const [first, second, third] = made.map(({ id }) => id);
    await own.api.patch(`/v1/users/${third}`, { active: false }).expect(200);
    const found = async (query: string) =>
      ((await own.api.get(`/v1/users?${query}`).expect(200)).body as { items: { id: string }[] }).items.map(
        ({ id }) => id,
      );
    expect(await found('')).toEqual([third, second, first]);
    expect(await found('role=viewer')).toEqual([third, first]);
    expect(await found('role=viewer&active=true')).toEqual([first]);
  });

  test('loses the sessions at once when inactive, and cannot sign in', async () => {
    const user = await openUser(api, tenant, { role: 'preparer' });
    await admin.api.patch(`/v1/users/${user.id}`, { active: false }).expect(200);
    await user.api.get('/v1/me').expect(401);
    await api.request.post('/v1/sessions').send({ email: user.email, password }).expect(401);
    expect(codeOf(await admin.api.post(`/v1/users/${user.id}/invitation`).expect(409))).toBe('conflict');
    await admin.api.patch(`/v1/users/${user.id}`, { active: true }).expect(200);
    await user.api.get('/v1/me').expect(401);
    await api.request.post('/v1/sessions').send({ email: user.email, password }).expect(201);
  });

  test('may at once what a new role may', async () => {
    const user = await openUser(api, tenant, { role: 'preparer' });
    await user.api.post('/v1/datasets', { name: newId() }).expect(201);
    await admin.api.patch(`/v1/users/${user.id}`, { role: 'viewer' }).expect(200);
    expect(codeOf(await user.api.post('/v1/datasets', { name: newId() }).expect(403))).toBe('insufficient_scope');
    await user.api.get('/v1/datasets').expect(200);
  });

  test('is gone when deleted, and stays in the audit', async () => {
    const user = await openUser(api, tenant, { role: 'viewer' });
    await admin.api.delete(`/v1/users/${user.id}`).expect(204);
    await user.api.get('/v1/me').expect(401);
    expect(codeOf(await admin.api.get(`/v1/users/${user.id}`).expect(404))).toBe('user_not_found');
    const { body } = await admin.api.get(`/v1/audit?objectId=${user.id}`).expect(200);
    expect(body).toMatchObject({
      items: [
        { action: 'user.delete', actor: { type: 'user', id: admin.id, label: admin.email } },
        { action: 'user.accept', actor: { type: 'user', id: user.id, label: user.email } },
        { action: 'user.create', actor: { type: 'key' }, after: { email: user.email, role: 'viewer' } },
      ],
    });
  });

  test('takes no access from their own user, so that an admin is left', async () => {
    for (const change of [{ role: 'viewer' }, { active: false }])
      expect(codeOf(await admin.api.patch(`/v1/users/${admin.id}`, change).expect(409))).toBe('conflict');
    expect(codeOf(await admin.api.delete(`/v1/users/${admin.id}`).expect(409))).toBe('conflict');
    await admin.api.patch(`/v1/users/${admin.id}`, { name: 'Still me', role: 'admin', active: true }).expect(200);
  });
});

describe('what a caller may not do itself', () => {
  test.each(['viewer', 'preparer', 'approver'] as const)('a %s reaches no users, keys or webhooks', async (role) => {
    const user = await openUser(api, tenant, { role });
    const calls = [
      user.api.post('/v1/users', { email: 'x@example.com', name: 'X', role: 'viewer' }),
      user.api.patch(`/v1/users/${user.id}`, { role: 'admin' }),
      user.api.post(`/v1/users/${admin.id}/invitation`),
      user.api.post('/v1/api-keys', { label: 'x' }),
      user.api.post('/v1/webhooks', { url: 'https://hooks.example', secret: 'whsec_0123456789' }),
    ];
    for (const call of calls) expect(codeOf(await call.expect(403))).toBe('insufficient_scope');
  });

  test.each([
    ['with scopes', { scopes: ['users:write'] }],
    ['that expires', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() }],
    ['of one address', { allowedCidrs: ['127.0.0.1'] }],
  ])('a key %s neither makes nor changes an admin', async (_which, limits) => {
    const made = await tenant.api.post('/v1/api-keys', { label: 'limited', ...limits }).expect(201);
    const limited = api.withKey((made.body as { key: string }).key);
    const calls = [
      limited.post('/v1/users', { email: 'x@example.com', name: 'X', role: 'admin' }),
      limited.patch(`/v1/users/${admin.id}`, { name: 'Y' }),
      limited.post(`/v1/users/${admin.id}/invitation`),
      limited.delete(`/v1/users/${admin.id}`),
    ];
    for (const call of calls) expect(codeOf(await call.expect(403))).toBe('insufficient_scope');
  });

  test('a key that an admin makes names the admin', async () => {
    const made = await admin.api.post('/v1/api-keys', { label: 'by a person' }).expect(201);
    expect(made.body).toMatchObject({ created_by: { type: 'user', id: admin.id, label: admin.email } });
    const { body } = await admin.api.get(`/v1/api-keys?createdBy=${admin.id}`).expect(200);
    expect(body).toMatchObject({ items: [{ label: 'by a person' }] });
  });
});

test('the platform key makes the first user of a tenant', async () => {
  const { tenantId } = await api.newTenant();
  const { body } = await api.platform
    .post('/v1/users', { email: 'first@example.com', name: 'First', role: 'admin' })
    .set('x-tenant-id', tenantId)
    .expect(201);
  await accept((body as InvitedBody).invitation.token).expect(201);
});
