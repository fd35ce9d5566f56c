import { eventually, itemsOf, startTestApi, type TestApi, type ReceivedEvent } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ itemPolicy: { pollMs: 20 } });
  await api.startItems();
});

afterAll(() => api.close());

const at = '/v1/data-sources/openfinance/browse';

test('the data of an event can be browsed as soon as the event exists, also right after browsing', async () => {
  const tenant = await api.newTenant();
  await tenant.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's3cret' }).expect(201);
  const items = itemsOf(api, tenant);
  const { id } = await items.create('ok');
  const browsed = async (accountId: string): Promise<Map<string, object>> => {
    const { body } = await tenant.api.get(`${at}/account-transactions?itemId=${id}&accountId=${accountId}`).expect(200);
    return new Map((body as { transactions: { id: string }[] }).transactions.map((one) => [one.id, one]));
  };
  await items.reached(id, 'UPDATED');
  const before = await items.eventsOf(id);
  const [checking] = before.flatMap(({ data }) => data.accountId ?? []);
  expect((await browsed(checking as string)).size).toBeGreaterThan(200);

  await tenant.api.patch(`/v1/items/${id}`, {}).expect(200);
  const news = ({ event, data }: ReceivedEvent): boolean =>
    event === 'TRANSACTIONS_CREATED' && data.accountId === checking;
  const events = await eventually(
    () => items.eventsOf(id),
    (all) => all.slice(before.length).some(news),
  );
  const { data } = events.slice(before.length).find(news) as ReceivedEvent;
  const shown = await browsed(checking as string);
  expect((data.transactionIds ?? []).filter((one) => !shown.has(one))).toEqual([]);
});
