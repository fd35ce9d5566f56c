import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

interface WebhookBody {
  id: string;
  signingSecret?: string;
  signsWith?: string;
  oldSigningSecretUntil?: string;
}

const url = 'https://receiver.example.com/tieout';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const generated = /^whsec_[A-Za-z0-9+/]{43}=$/;
const encoded = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const dataOf = (body: unknown): WebhookBody => (body as { data: WebhookBody }).data;
const read = async (id: string): Promise<WebhookBody> =>
  dataOf((await tenant.api.get(`/v1/webhooks/${id}`).expect(200)).body);
const create = async (body: object = {}): Promise<WebhookBody> =>
  dataOf((await tenant.api.post('/v1/webhooks', { url, secret, ...body }).expect(201)).body);
const rotate = (id: string, body?: object) => tenant.api.post(`/v1/webhooks/${id}/rotate-signing-secret`, body);

test.each([encoded(24), encoded(32), encoded(64), 'x'.repeat(24), 'Za-~!'.repeat(8)])(
  'the signing secret %s may be given, and is shown in the answer alone',
  async (signingSecret) => {
    const made = await create({ signingSecret });
    expect(made.signingSecret).toBe(signingSecret);
    expect(Object.keys(await read(made.id)).sort()).toEqual(['createdAt', 'id', 'updatedAt', 'url']);
    const { body } = await rotate(made.id, { signingSecret: `${encoded(33)}` }).expect(200);
    expect(dataOf(body).signingSecret).toBe(encoded(33));
    expect(JSON.stringify([await read(made.id), (await tenant.api.get('/v1/webhooks')).body])).not.toContain('whsec_');
    await tenant.api.delete(`/v1/webhooks/${made.id}`).expect(200);
  },
);

test.each([
  '',
  'short',
  'x'.repeat(65),
  `x${' '.repeat(30)}x`,
  'é'.repeat(30),
  'whsec_',
  'whsec_abc',
  encoded(23),
  encoded(65),
  `${encoded(32)}=`,
  encoded(32).replace('=', ''),
  `whsec_${'!'.repeat(40)}`,
  secret,
])('the signing secret %j is refused, with what it has to be, on creation and rotation', async (signingSecret) => {
  const { id } = await create({ secret: signingSecret === secret ? secret : 'another secret' });
  for (const call of [tenant.api.post('/v1/webhooks', { url, secret, signingSecret }), rotate(id, { signingSecret })]) {
    const { body } = await call.expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: '/signingSecret' }] });
  }
  await tenant.api.delete(`/v1/webhooks/${id}`).expect(200);
});

test('the present signing secret cannot be the new one', async () => {
  const { id, signingSecret } = await create();
  const { body } = await rotate(id, { signingSecret: signingSecret as string }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/signingSecret', message: 'is the current one: give another one' }] });
});

test('a rotation makes another one, which overlaps with the old one for a day unless it says otherwise', async () => {
  const made = await create();
  const { body } = await rotate(made.id).expect(200);
  const rotated = dataOf(body);
  expect(rotated.signingSecret).toMatch(generated);
  expect(rotated.signingSecret).not.toBe(made.signingSecret);
  const untilMs = Date.parse(rotated.oldSigningSecretUntil as string) - Date.now();
  expect(untilMs).toBeGreaterThan(86_000_000);
  expect(untilMs).toBeLessThanOrEqual(86_401_000);
  expect((await read(made.id)).oldSigningSecretUntil).toBe(rotated.oldSigningSecretUntil);
  await rotate(made.id, { overlapSeconds: 0 }).expect(200);
  expect(await read(made.id)).not.toHaveProperty('oldSigningSecretUntil');
});

test.each([-1, 2_592_001, 1.5, '60', null])('an overlap of %j seconds is refused', async (overlapSeconds) => {
  const { id } = await create();
  const { body } = await rotate(id, { overlapSeconds }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/overlapSeconds' }] });
  await tenant.api.delete(`/v1/webhooks/${id}`).expect(200);
});

test('an update cannot set the signing secret, and says so', async () => {
  const { id } = await create();
  const { body } = await tenant.api.put(`/v1/webhooks/${id}`, { url, secret, signingSecret: encoded(32) }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/signingSecret', code: 'unknown_key' }] });
});

test('a webhook of before signing secrets says that its secret signs, until it gets one', async () => {
  const { id } = await create();
  await api.service.deps.db.system.execute(`update webhooks set signing_secret = '' where id = $1::uuid`, [id]);
  expect((await read(id)).signsWith).toBe('secret');
  await rotate(id).expect(200);
  expect(await read(id)).not.toHaveProperty('signsWith');
});

test('a rotation with an Idempotency-Key happens once, and its stored answer does not show the secret', async () => {
  const { id } = await create();
  const send = () => rotate(id, {}).set('Idempotency-Key', 'rotate-once').expect(200);
  const first = await send();
  expect((await send()).body).toEqual(first.body);
  const stored = await api.service.deps.db.system.query<{ body: string }>(`select body from idempotency_keys`);
  expect(stored.map(({ body }) => body.includes(dataOf(first.body).signingSecret as string))).not.toContain(true);
});

test('signing secrets are encrypted at rest', async () => {
  const { id, signingSecret } = await create();
  const { body } = await rotate(id).expect(200);
  const rows = await api.service.deps.db.system.query(`select * from webhooks where id = $1::uuid`, [id]);
  const text = JSON.stringify(rows);
  expect([signingSecret, dataOf(body).signingSecret].filter((one) => text.includes(one as string))).toEqual([]);
  expect(text.match(/v1\.[0-9a-f]{8}\./g)).toHaveLength(3);
});
