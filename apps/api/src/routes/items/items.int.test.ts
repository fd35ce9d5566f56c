import { newId } from '@tieout/infra';
import {
  itemsOf,
  startTestApi,
  type ItemBody,
  type KeyedApi,
  type ListBody,
  type TestApi,
  type TestItems,
  type TestTenant,
} from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let items: TestItems;

const password = 'correct horse battery staple';
const wanted = { connectorId: 'sandbox', parameters: { user: 'ok', password } };

beforeAll(async () => {
  api = await startTestApi({ itemPolicy: { pollMs: 20 } });
});

beforeEach(async () => {
  tenant = await api.newTenant();
  items = itemsOf(api, tenant);
});

afterAll(() => api.close());

/** All that the database holds, queues included, as text. */
async function everything(): Promise<string> {
  const { system } = api.service.deps.db;
  const tables = await system.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(...(await system.query<{ row: string }>(`select t::text as row from ${name} t`)).map(({ row }) => row));
  return texts.join('\n');
}

describe('creating', () => {
  test('shows the item without what it was given, which is stored encrypted', async () => {
    const { body } = await tenant.api
      .post('/v1/items', { ...wanted, clientUserId: 'u-1', products: ['TRANSACTIONS'] })
      .set('idempotency-key', 'k')
      .expect(201);
    expect(body).toMatchObject({
      connector_id: 'sandbox',
      client_user_id: 'u-1',
      products: ['TRANSACTIONS'],
      status: 'UPDATING',
      error: null,
      user_action: null,
      parameter: null,
    });
    expect(JSON.stringify(body)).not.toContain(password);
    const all = await everything();
    expect(all).toContain((body as ItemBody).id);
    expect(all).not.toContain(password);
  });

  test('repeated with its key gives the same item, and makes none', async () => {
    const send = async () =>
      (await tenant.api.post('/v1/items', wanted).set('idempotency-key', 'same').expect(201)).body;
    expect(await send()).toEqual(await send());
    expect(((await tenant.api.get('/v1/items').expect(200)).body as ListBody<ItemBody>).total).toBe(1);
  });

  test('with its key and another password is another request', async () => {
    await tenant.api.post('/v1/items', wanted).set('idempotency-key', 'same').expect(201);
    const other = { ...wanted, parameters: { user: 'ok', password: 'other' } };
    expect((await tenant.api.post('/v1/items', other).set('idempotency-key', 'same').expect(422)).body).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test.each([
    ['an unknown connector', { ...wanted, connectorId: 'nobank' }, '/connectorId'],
    ['a missing parameter', { ...wanted, parameters: { user: 'ok' } }, '/parameters/password'],
    ['an empty parameter', { ...wanted, parameters: { user: 'ok', password: '' } }, '/parameters/password'],
    ['a parameter that is not text', { ...wanted, parameters: { user: 'ok', password: 7 } }, '/parameters/password'],
    ['no parameters', { connectorId: 'sandbox' }, '/parameters'],
    ['an unknown key', { ...wanted, userId: 'u' }, '/userId'],
  ])('%s is refused by name, and no value is repeated', async (_what, body, path) => {
    const answer = await tenant.api.post('/v1/items', body).expect(400);
    expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
    expect(answer.text).not.toContain(password);
  });
});

test('what was given is forgotten once the provider has it', async () => {
  await api.startItems();
  const { id } = await items.create('ok');
  await items.reached(id, 'UPDATED');
  expect(await api.service.deps.db.system.query('select parameters from items where id = $1::uuid', [id])).toEqual([
    { parameters: null },
  ]);
});

test('nor is an answer, right or wrong, anywhere afterwards', async () => {
  await tenant.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's3cret' }).expect(201);
  await api.startItems();
  const { id } = await items.create('mfa');
  await items.reached(id, 'WAITING_USER_INPUT');
  await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { token: 'one-time-secret' } }).expect(200);
  await items.reached(id, 'LOGIN_ERROR');
  expect(await items.story(id)).toHaveLength(3);
  expect(await everything()).not.toContain('one-time-secret');
});

describe('the list', () => {
  test('is newest first, and can be asked by status and by user', async () => {
    await api.startItems();
    const [first, second] = [await items.create('ok'), await items.create('locked')];
    await items.reached(first.id, 'UPDATED');
    await items.reached(second.id, 'LOGIN_ERROR');
    const { body } = await tenant.api.post('/v1/items', { ...wanted, clientUserId: 'u-7' }).expect(201);
    const ids = async (query: string) =>
      ((await tenant.api.get(`/v1/items?${query}`).expect(200)).body as ListBody<ItemBody>).items.map(({ id }) => id);
    expect(await ids('')).toEqual([(body as ItemBody).id, second.id, first.id]);
    expect(await ids('status=LOGIN_ERROR')).toEqual([second.id]);
    expect(await ids('clientUserId=u-7')).toEqual([(body as ItemBody).id]);
    expect(await ids('clientUserId=u-8')).toEqual([]);
  });
});

type Send = (as: KeyedApi, id: string) => ReturnType<KeyedApi['get']>;

const onOne: [string, 'read' | 'write', Send][] = [
  ['reading', 'read', (as, id) => as.get(`/v1/items/${id}`)],
  ['updating', 'write', (as, id) => as.patch(`/v1/items/${id}`, { parameters: { user: 'ok', password } })],
  ['answering', 'write', (as, id) => as.post(`/v1/items/${id}/mfa`, { parameters: { token: '1' } })],
  ['ingesting', 'write', (as, id) => as.post(`/v1/items/${id}/ingest`, { dataset: 'bank' })],
  ['listing ingests of', 'read', (as, id) => as.get(`/v1/items/${id}/ingests`)],
  ['ending an ingest of', 'write', (as, id) => as.delete(`/v1/items/${id}/ingests/${newId()}`)],
];

test.each(onOne)(
  '%s an item that is unknown, of another tenant, or no id at all, is one and the same 404',
  async (_what, _kind, send) => {
    const { id } = await itemsOf(api, await api.newTenant()).create('ok');
    for (const unknown of [newId(), id, 'x']) {
      expect((await send(tenant.api, unknown).expect(404)).body).toMatchObject({
        status: 'error',
        code: 'item_not_found',
        message: 'Item not found',
      });
    }
  },
);

test('removing an item of another tenant answers as always, and changes nothing', async () => {
  const other = itemsOf(api, await api.newTenant());
  const { id } = await other.create('ok');
  for (const unknown of [newId(), id, 'x']) await tenant.api.delete(`/v1/items/${unknown}`).expect(204);
  expect((await other.read(id)).id).toBe(id);
});

test.each<[string, 'read' | 'write', Send]>([
  ...onOne,
  ['creating', 'write', (as) => as.post('/v1/items', wanted)],
  ['listing', 'read', (as) => as.get('/v1/items')],
  ['removing', 'write', (as, id) => as.delete(`/v1/items/${id}`)],
])('%s an item needs the scope items:%s', async (_what, kind, send) => {
  const { id } = await items.create('mfa');
  const status = async (scope: string): Promise<number> =>
    (await send((await api.newKey(tenant, [scope])).api, id)).status;
  expect(await status('records:write')).toBe(403);
  expect((await status('items:read')) === 403).toBe(kind === 'write');
  expect(await status('items:write')).not.toBe(403);
});

test('two tenants with the same item at the provider have separate data; ending one keeps the other', async () => {
  await api.startItems();
  const tenants = [tenant, await api.newTenant()] as const;
  const both = tenants.map((one) => itemsOf(api, one));
  for (const one of tenants)
    await one.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's3cret' }).expect(201);
  const ids: string[] = [];
  for (const own of both) {
    const { id } = await own.create('ok', { seed: 'twins' });
    await own.reached(id, 'UPDATED');
    ids.push(id);
  }
  const [first, second] = [await both[0]?.eventsOf(ids[0] as string), await both[1]?.eventsOf(ids[1] as string)];
  const shown = (told: typeof first) => told?.flatMap(({ data }) => data.transactionIds ?? []).sort();
  expect(shown(first)).toEqual(shown(second));
  expect(shown(first)?.length).toBeGreaterThan(500);
  await tenant.api.delete(`/v1/items/${ids[0]}`).expect(204);
  const [left] = await api.service.deps.db.system.query<{ count: number }>(
    'select count(*)::int as count from item_transactions where item_id = $1::uuid',
    [ids[1] as string],
  );
  expect(left?.count).toBe(shown(second)?.length);
});

test('the institutions that can be connected are listed with what their logins need', async () => {
  const { body } = await tenant.api.get('/v1/connectors').expect(200);
  expect(body).toMatchObject({
    items: [{ id: 'sandbox', parameters: [{ name: 'user', required: true, secret: false }, { secret: true }, {}] }],
  });
});
