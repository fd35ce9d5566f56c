import { createCipher, createOutboundClient, newId, type OutboundClient } from '@tieout/infra';
import { createDeliverer, defaultDeliveryPolicy, type Deliverer } from '@tieout/domain';
import { behaviours, startHttpsReceiver, testSecretsKey, type HttpsReceiver } from '@tieout/testing';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

const { answer, hang } = behaviours;

let receiver: HttpsReceiver;
let api: TestApi;
let outbound: OutboundClient;
let deliverer: Deliverer;
let tenant: TestTenant;
let webhookId: string;

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  outbound = createOutboundClient(receiver.policy, { resolve: receiver.resolve });
  api = await startTestApi({ outbound });
  const { db, logger } = api.service.deps;
  deliverer = createDeliverer({
    db,
    outbound,
    cipher: createCipher(testSecretsKey),
    policy: defaultDeliveryPolicy,
    logger,
    wake: () => Promise.resolve(),
  });
});

afterAll(async () => {
  await deliverer.close();
  await api.close();
  await receiver.stop();
});

beforeEach(async () => {
  tenant = await api.newTenant();
  const { body } = await tenant.api
    .post('/v1/webhooks', { url: receiver.url(`/${tenant.tenantId}`), secret: 'Bearer of news' })
    .expect(201);
  webhookId = (body as { data: { id: string } }).data.id;
});

interface DeliveryBody {
  id: string;
  status: string;
  attempts: number;
  nextAttemptAt: string | null;
  attemptLog: { number: number; trigger: string; outcome: string }[];
}

const path = (): string => `/${tenant.tenantId}`;

async function tested(): Promise<DeliveryBody> {
  const { body } = await tenant.api.post(`/v1/webhooks/${webhookId}/test`).expect(202);
  return (body as { data: DeliveryBody }).data;
}

async function detail(id: string): Promise<DeliveryBody> {
  const { body } = await tenant.api.get(`/v1/webhooks/${webhookId}/deliveries/${id}`).expect(200);
  return (body as { data: DeliveryBody }).data;
}

async function delivered(): Promise<DeliveryBody> {
  const { id } = await tested();
  await deliverer.deliverDue(tenant.tenantId);
  await deliveriesWritten(id);
  return detail(id);
}

/** Results are written behind the turn. */
async function deliveriesWritten(id: string): Promise<void> {
  while ((await detail(id)).status === 'sending');
}

test('a test event is delivered to its webhook, whichever events that one wants', async () => {
  await tenant.api
    .put(`/v1/webhooks/${webhookId}`, { url: receiver.url(path()), secret: 's', events: ['ITEM_ERROR'] })
    .expect(200);
  await delivered();
  const [request] = receiver.requests(path());
  expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
    event: 'WEBHOOK_TEST',
    data: { eventId: request?.headers['webhook-id'], occurredAt: expect.any(String) as string, webhookId },
  });
});

test('a delivery shows its attempts, without the secret', async () => {
  receiver.on(path(), answer(503, 'come back later', { 'retry-after': '120' }));
  const shown = await delivered();
  expect(shown).toEqual({
    id: expect.any(String) as string,
    event: 'WEBHOOK_TEST',
    eventId: receiver.requests(path())[0]?.headers['webhook-id'],
    status: 'retry_scheduled',
    attempts: 1,
    nextAttemptAt: expect.any(String) as string,
    createdAt: expect.any(String) as string,
    attemptLog: [
      {
        number: 1,
        trigger: 'schedule',
        startedAt: expect.any(String) as string,
        durationMs: expect.any(Number) as number,
        outcome: 'http_status',
        responseStatus: 503,
        responseBody: 'come back later',
        bodyState: 'complete',
        remoteAddress: '127.0.0.1',
        retryAfter: '120',
        error: expect.anything() as string,
      },
    ],
  });
  expect(JSON.stringify(shown)).not.toContain('Bearer of news');
});

test('a test while the key of the secret is not there is accepted, waits, and says nothing of keys', async () => {
  const { db, logger } = api.service.deps;
  const cipher = createCipher('cd'.repeat(32));
  const without = createDeliverer({
    db,
    outbound,
    cipher,
    policy: defaultDeliveryPolicy,
    logger,
    wake: () => Promise.resolve(),
  });
  const asked = await tested();
  await without.deliverDue(tenant.tenantId);
  await without.close();
  expect(await detail(asked.id)).toEqual({ ...asked, status: 'pending', attempts: 0, attemptLog: [] });
});

test('the list is newest first, in pages, filtered by status and event', async () => {
  const first = await delivered();
  const second = await tested();
  const list = async (query: string): Promise<object> => {
    const { body } = await tenant.api.get(`/v1/webhooks/${webhookId}/deliveries${query}`).expect(200);
    const { deliveries, ...page } = (body as { data: { deliveries: DeliveryBody[] } }).data;
    return { ids: deliveries.map(({ id }) => id), ...page };
  };
  expect(await list('')).toEqual({ ids: [second.id, first.id], total: 2, page: 1, limit: 25 });
  expect(await list('?limit=1&page=2')).toEqual({ ids: [first.id], total: 2, page: 2, limit: 1 });
  expect(await list('?status=delivered')).toMatchObject({ ids: [first.id], total: 1 });
  expect(await list('?event=ITEM_ERROR')).toMatchObject({ ids: [], total: 0 });
});

test.each(['status=done', 'event=NEWS', 'limit=101', 'cursor=x'])('?%s is refused', async (query) => {
  await tenant.api.get(`/v1/webhooks/${webhookId}/deliveries?${query}`).expect(400);
});

test('a delivery is unknown to another webhook and to another tenant, as any unknown id is', async () => {
  const { id } = await tested();
  const other = await api.newTenant();
  const { body } = await tenant.api.post('/v1/webhooks', { url: receiver.url('/other'), secret: 's' }).expect(201);
  const otherWebhook = (body as { data: { id: string } }).data.id;
  for (const delivery of [id, newId()]) {
    for (const send of [
      () => tenant.api.get(`/v1/webhooks/${otherWebhook}/deliveries/${delivery}`),
      () => tenant.api.post(`/v1/webhooks/${otherWebhook}/deliveries/${delivery}/retry`),
    ]) {
      expect((await send().expect(404)).body).toMatchObject({
        status: 'error',
        code: 'webhook_delivery_not_found',
        message: 'Delivery not found',
      });
    }
    expect((await other.api.get(`/v1/webhooks/${webhookId}/deliveries/${delivery}`).expect(404)).body).toMatchObject({
      message: 'Webhook not found',
    });
  }
});

test('a delivered event is sent again by hand, the same bytes under the same id', async () => {
  const { id } = await delivered();
  const { body } = await tenant.api.post(`/v1/webhooks/${webhookId}/deliveries/${id}/retry`).expect(202);
  expect((body as { data: DeliveryBody }).data).toMatchObject({ id, status: 'pending', attempts: 1 });
  await deliverer.deliverDue(tenant.tenantId);
  await deliveriesWritten(id);
  const [one, two] = receiver.requests(path());
  expect([two?.body, two?.headers['webhook-id']]).toEqual([one?.body, one?.headers['webhook-id']]);
  expect(await detail(id)).toMatchObject({
    status: 'delivered',
    attempts: 2,
    attemptLog: [{ trigger: 'schedule' }, { trigger: 'manual' }],
  });
});

test('a failed attempt by hand leaves the schedule as it was; a successful one ends it', async () => {
  receiver.on(path(), answer(500));
  const waiting = await delivered();
  const byHand = async (): Promise<DeliveryBody> => {
    await tenant.api.post(`/v1/webhooks/${webhookId}/deliveries/${waiting.id}/retry`).expect(202);
    await deliverer.deliverDue(tenant.tenantId);
    await deliveriesWritten(waiting.id);
    return detail(waiting.id);
  };
  expect(await byHand()).toMatchObject({
    status: 'retry_scheduled',
    attempts: 2,
    nextAttemptAt: waiting.nextAttemptAt,
  });
  receiver.on(path(), answer(204));
  expect(await byHand()).toMatchObject({ status: 'delivered', attempts: 3, nextAttemptAt: null });
});

test('while an attempt is under way, another one by hand is refused', async () => {
  receiver.on(path(), hang());
  const { id } = await tested();
  const turn = deliverer.deliverDue(tenant.tenantId);
  await receiver.received(1, path());
  const { body } = await tenant.api.post(`/v1/webhooks/${webhookId}/deliveries/${id}/retry`).expect(409);
  expect(body).toMatchObject({ code: 'conflict' });
  await turn;
});

test('deliveries of a webhook that is removed are cancelled and stay readable', async () => {
  const { id } = await tested();
  await tenant.api.delete(`/v1/webhooks/${webhookId}`).expect(200);
  await deliverer.deliverDue(tenant.tenantId);
  expect(await detail(id)).toMatchObject({ status: 'cancelled', attempts: 0, nextAttemptAt: null });
  expect(receiver.requests(path())).toEqual([]);
  await tenant.api.post(`/v1/webhooks/${webhookId}/deliveries/${id}/retry`).expect(404);
});

test('a test with an Idempotency-Key is sent once, without waiting for a sweep', async () => {
  const send = () => tenant.api.post(`/v1/webhooks/${webhookId}/test`).set('Idempotency-Key', 'once').expect(202);
  expect((await send()).body).toEqual((await send()).body);
  expect(await api.service.deps.queue.stateOf('webhook.deliver', `deliver-${tenant.tenantId}`)).toBe('waiting');
  await deliverer.deliverDue(tenant.tenantId);
  await receiver.received(1, path());
  expect(receiver.requests(path()).length).toBe(1);
});
