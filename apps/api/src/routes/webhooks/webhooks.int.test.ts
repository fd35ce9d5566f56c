import { createOutboundClient, newId } from '@tieout/infra';
import { startTestApi, type KeyedApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  tenant = await api.newTenant();
});

interface WebhookBody {
  id: string;
  url: string;
  secret?: string;
  signingSecret?: string;
  events?: string[];
  createdAt: string;
  updatedAt: string;
}

const url = 'https://receiver.example.com/tieout';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function created(body: object = {}, of = tenant): Promise<WebhookBody> {
  return ((await of.api.post('/v1/webhooks', { url, secret, ...body }).expect(201)).body as { data: WebhookBody }).data;
}

const errorOf = ({ request_id: _request, errors: _errors, ...rest }: { request_id?: string; errors?: object }) => rest;

describe('creating', () => {
  test('answers with the secret, in the envelope of the interface', async () => {
    const { body } = await tenant.api.post('/v1/webhooks', { url, secret }).expect(201);
    expect(body).toEqual({
      status: 'success',
      data: {
        id: expect.stringMatching(uuidV7) as string,
        url,
        secret,
        signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
        createdAt: expect.stringMatching(timestamp) as string,
        updatedAt: expect.stringMatching(timestamp) as string,
      },
    });
  });

  test('the secret is encrypted at rest', async () => {
    const { id } = await created();
    const [row] = await api.service.deps.db.system.query<{ secret: string }>(
      `select secret from webhooks where id = $1::uuid`,
      [id],
    );
    expect(row?.secret).not.toContain(secret.slice(6));
  });

  test('an Idempotency-Key makes one webhook, and its stored answer does not show the secret', async () => {
    const send = () => tenant.api.post('/v1/webhooks', { url, secret }).set('Idempotency-Key', 'once').expect(201);
    expect((await send()).body).toEqual((await send()).body);
    const stored = await api.service.deps.db.system.query<{ body: string }>(
      `select body from idempotency_keys where tenant_id = $1::uuid`,
      [tenant.tenantId],
    );
    expect(stored.map(({ body }) => body.includes(secret))).toEqual([false]);
  });

  test('no transaction is open while a name is looked up, also with an Idempotency-Key', async () => {
    let open: unknown;
    const resolve = async (): Promise<readonly string[]> => {
      [open] = await api.service.deps.db.system.query(
        `select count(*)::int as transactions from pg_stat_activity where datname = current_database() and state
         like 'idle in transaction%'`,
      );
      return ['93.184.216.34'];
    };
    const outbound = createOutboundClient({ allowedPorts: [443], allowCidrs: [] }, { resolve });
    const looking = await startTestApi({ service: api.service, outbound });
    const as = looking.withKey((await looking.newTenant()).key);
    await as.post('/v1/webhooks', { url, secret }).set('Idempotency-Key', 'slow').expect(201);
    expect(open).toEqual({ transactions: 0 });
    await looking.close();
    await outbound.close();
  });

  test.each(['HTTPS://Receiver.EXAMPLE.com:443/a/../b', 'https://receiver.example.com/x/%2e%2e/b'])(
    'the url %s comes back as the URL standard normalises it, also from an update',
    async (given) => {
      const { id, url: normalised } = await created({ url: given });
      const { body } = await tenant.api.put(`/v1/webhooks/${id}`, { url: given, secret }).expect(200);
      expect([normalised, (body as { data: WebhookBody }).data.url]).toEqual(
        Array(2).fill('https://receiver.example.com/b'),
      );
    },
  );

  test('names the events that it wants', async () => {
    expect((await created({ events: ['MATCHING_JOB_FAILED', 'ITEM_ERROR'] })).events).toEqual([
      'MATCHING_JOB_FAILED',
      'ITEM_ERROR',
    ]);
  });

  test('of concurrent creations as many succeed as the limit allows; removing one makes room', async () => {
    const answers = await Promise.all(
      Array.from({ length: 53 }, () => tenant.api.post('/v1/webhooks', { url, secret })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(50);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      Array(3).fill([413, 'quota_exceeded']),
    );
    expect(refused[0]?.body).toMatchObject({
      message: expect.stringContaining('limit of 50 webhooks, of which 50 are in use') as string,
    });
    const [one] = answers.filter(({ status }) => status === 201);
    await tenant.api.delete(`/v1/webhooks/${(one?.body as { data: WebhookBody }).data.id}`).expect(200);
    await created();
    await (await api.newTenant()).api.post('/v1/webhooks', { url, secret }).expect(201);
  });

  test.each<[string, object, string]>([
    ['no url', { url: undefined }, '/url'],
    ['no secret', { secret: undefined }, '/secret'],
    ['an empty secret', { secret: '' }, '/secret'],
    ['a line break in the secret', { secret: 'a\r\nb: c' }, '/secret'],
    ['a letter beyond ASCII in the secret', { secret: 'geheimnisß' }, '/secret'],
    ['a space at the end of the secret', { secret: 'secret ' }, '/secret'],
    ['a secret of 1025 characters', { secret: 'x'.repeat(1025) }, '/secret'],
    ['an unknown event', { events: ['MATCHING_JOB_DONE'] }, '/events/0'],
    ['no event', { events: [] }, '/events'],
    ['an unknown key', { uri: url }, '/uri'],
    ['a url that is not https', { url: 'http://receiver.example.com/' }, '/url'],
    ['a url of another scheme', { url: 'ftp://receiver.example.com/' }, '/url'],
    ['a url that is none', { url: 'receiver' }, '/url'],
    ['a url with a space', { url: 'https://receiver.example.com/a b' }, '/url'],
  ])('%s is a validation_error', async (_what, body, path) => {
    const answer = await tenant.api.post('/v1/webhooks', { url, secret, ...body }).expect(400);
    expect(answer.body).toMatchObject({ status: 'error', code: 'validation_error', errors: [{ path }] });
    expect((await tenant.api.get('/v1/webhooks').expect(200)).body).toEqual({
      status: 'success',
      data: { webhooks: [] },
    });
  });

  test.each([
    'https://user:password@receiver.example.com/',
    'https://receiver.example.com/#part',
    'https://receiver.example.com:22/',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://x.internal/',
    'https://x.internal../',
    'https://x.intern%61l%2e/',
    'https://printer.local/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/',
    'https://１２７.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://8.8.8.8/',
  ])('the unsafe url %s is refused as such, also by an update, and nothing is stored', async (unsafe) => {
    const { id } = await created();
    const answers = [
      tenant.api.post('/v1/webhooks', { url: unsafe, secret }),
      tenant.api.put(`/v1/webhooks/${id}`, { url: unsafe, secret }),
    ];
    for (const answer of answers) {
      expect((await answer.expect(400)).body).toMatchObject({
        status: 'error',
        code: 'webhook_url_not_allowed',
        errors: [{ path: '/url' }],
      });
    }
    const { body } = await tenant.api.get('/v1/webhooks').expect(200);
    expect((body as { data: { webhooks: WebhookBody[] } }).data.webhooks.map((webhook) => webhook.url)).toEqual([url]);
  });
});

describe('reading', () => {
  test('shows all but the secret, newest first', async () => {
    const webhooks = [await created(), await created({ events: ['ITEM_CREATED'] })].map(
      ({ secret: _secret, signingSecret: _signing, ...shown }) => shown,
    );
    expect((await tenant.api.get('/v1/webhooks').expect(200)).body).toEqual({
      status: 'success',
      data: { webhooks: [...webhooks].reverse() },
    });
    const answer = await tenant.api.get(`/v1/webhooks/${webhooks[1]?.id}`).expect(200);
    expect(answer.body).toEqual({ status: 'success', data: webhooks[1] });
  });
});

describe('updating', () => {
  test('replaces url, secret and events, and does not show the secret', async () => {
    const before = await created({ events: ['ITEM_CREATED'] });
    const { body } = await tenant.api
      .put(`/v1/webhooks/${before.id}`, { url: `${url}/2`, secret: 'other' })
      .expect(200);
    expect(body).toEqual({
      status: 'success',
      data: {
        id: before.id,
        url: `${url}/2`,
        createdAt: before.createdAt,
        updatedAt: expect.stringMatching(timestamp) as string,
      },
    });
  });
});

describe('removing', () => {
  test('answers with a message; the webhook is gone', async () => {
    const { id } = await created();
    expect((await tenant.api.delete(`/v1/webhooks/${id}`).expect(200)).body).toEqual({
      status: 'success',
      message: 'Webhook removed',
    });
    await tenant.api.get(`/v1/webhooks/${id}`).expect(404);
    await tenant.api.delete(`/v1/webhooks/${id}`).expect(404);
  });

  test('forgets the secret', async () => {
    const { id } = await created();
    await tenant.api.delete(`/v1/webhooks/${id}`).expect(200);
    const [row] = await api.service.deps.db.system.query<{ secret: string }>(
      `select secret from webhooks where id = $1::uuid`,
      [id],
    );
    expect(row).toEqual({ secret: '' });
  });
});

type Send = (as: KeyedApi, id: string) => ReturnType<KeyedApi['get']>;

const onOne: [string, Send, string][] = [
  ['reading', (as, id) => as.get(`/v1/webhooks/${id}`), 'Webhook not found'],
  ['updating', (as, id) => as.put(`/v1/webhooks/${id}`, { url, secret }), 'Webhook not found'],
  ['removing', (as, id) => as.delete(`/v1/webhooks/${id}`), 'Webhook not found.'],
  ['testing', (as, id) => as.post(`/v1/webhooks/${id}/test`), 'Webhook not found'],
  ['listing the deliveries of', (as, id) => as.get(`/v1/webhooks/${id}/deliveries`), 'Webhook not found'],
  ['reading a delivery of', (as, id) => as.get(`/v1/webhooks/${id}/deliveries/${newId()}`), 'Webhook not found'],
  [
    'retrying a delivery of',
    (as, id) => as.post(`/v1/webhooks/${id}/deliveries/${newId()}/retry`),
    'Webhook not found',
  ],
];

test.each(onOne)(
  '%s a webhook that is unknown, or of another tenant, is 404 with the same body',
  async (_what, send, message) => {
    const { id } = await created({}, await api.newTenant());
    for (const unknown of [newId(), id]) {
      const { body } = await send(tenant.api, unknown).expect(404);
      expect(errorOf(body as object)).toEqual({ status: 'error', code: 'webhook_not_found', message });
    }
  },
);

test.each(onOne)('%s a webhook whose id is not a UUID v7 is 400', async (_what, send) => {
  for (const id of ['x', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '01994e6c-2a10-7c44-cf02-6b1d3e5f7a21']) {
    const { body } = await send(tenant.api, id).expect(400);
    expect(body).toMatchObject({ status: 'error', code: 'validation_error', errors: [{ path: '/path/id' }] });
  }
});

test.each<[string, 'read' | 'write', Send]>([
  ['creating', 'write', (as) => as.post('/v1/webhooks', { url, secret })],
  ['listing', 'read', (as) => as.get('/v1/webhooks')],
  ['reading', 'read', onOne[0]?.[1] as Send],
  ['updating', 'write', onOne[1]?.[1] as Send],
  ['testing', 'write', onOne[3]?.[1] as Send],
  ['listing the deliveries of', 'read', onOne[4]?.[1] as Send],
  ['removing', 'write', onOne[2]?.[1] as Send],
])('%s a webhook needs the scope webhooks:%s', async (_what, kind, send) => {
  const { id } = await created();
  const status = async (scope: string): Promise<number> =>
    (await send((await api.newKey(tenant, [scope])).api, id)).status;
  expect(await status('records:write')).toBe(403);
  expect(await status('webhooks:read')).toBe(kind === 'read' ? 200 : 403);
  expect(await status('webhooks:write')).toBeLessThan(300);
});
