import { createSandboxProvider } from '@tieout/domain';
import {
  eventually,
  itemsOf,
  onlyProvider,
  startTestApi,
  type TestApi,
  type TestItems,
  type TestTenant,
  type ReceivedEvent,
} from '../../../testing';

/** The clock of the institution: it stands still unless a test says otherwise. */
let institutionMs = 0;
let api: TestApi;
let tenant: TestTenant;
let items: TestItems;

beforeAll(async () => {
  api = await startTestApi({
    openFinance: onlyProvider(createSandboxProvider({ nowMs: () => institutionMs })),
    itemPolicy: { pollMs: 20, maxPollMs: 20, retryDelaysMs: [10, 10] },
  });
  await api.startItems();
});

beforeEach(async () => {
  institutionMs = Date.now();
  tenant = await api.newTenant();
  items = itemsOf(api, tenant);
  await tenant.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's3cret' }).expect(201);
});

afterAll(() => api.close());

const begun = ['ITEM_CREATED UPDATING'];
const synced = ['ITEM_LOGIN_SUCCEEDED UPDATING', 'ITEM_UPDATED UPDATED'];

test('creation: UPDATING at once, told of as the first event, and nothing that was given is shown', async () => {
  const item = await items.create('mfa');
  expect(item).toMatchObject({
    status: 'UPDATING',
    execution_status: 'LOGIN_IN_PROGRESS',
    error: null,
    next_sync_at: null,
    last_updated_at: null,
  });
  expect(item).not.toHaveProperty('parameters');
  const [first] = await items.eventsOf(item.id);
  expect(first).toMatchObject({ event: 'ITEM_CREATED', data: { itemId: item.id, status: 'UPDATING', sequence: 1 } });
});

test('login accepted, all collected: transactions of each account, then one ITEM_UPDATED', async () => {
  const { id } = await items.create('ok');
  const item = await items.reached(id, 'UPDATED');
  expect(item).toMatchObject({ execution_status: 'SUCCESS', error: null });
  expect(item.next_sync_at).not.toBeNull();
  const events = await items.eventsOf(id);
  const names = events.map(({ event }) => event);
  expect(names.slice(0, 2)).toEqual(['ITEM_CREATED', 'ITEM_LOGIN_SUCCEEDED']);
  expect(names.at(-1)).toBe('ITEM_UPDATED');
  expect(new Set(names.slice(2, -1))).toEqual(new Set(['TRANSACTIONS_CREATED']));
  expect(events.map(({ data }) => data.sequence)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.flatMap(({ data }) => data.accountId ?? [])).size).toBe(3);
});

test('collected in part: UPDATED, with what is missing', async () => {
  const { id } = await items.create('partial');
  const item = await items.reached(id, 'UPDATED');
  expect(item).toMatchObject({ execution_status: 'PARTIAL_SUCCESS', error: { code: 'PARTIAL_SUCCESS' } });
  expect(await items.story(id)).toEqual([...begun, ...synced]);
});

test('a run that takes its time stays UPDATING and ends', async () => {
  const { id } = await items.create('slow');
  expect((await items.read(id)).status).toBe('UPDATING');
  const aSecondLater = () => {
    institutionMs += 1_000;
    return items.read(id);
  };
  await eventually(aSecondLater, ({ status }) => status === 'UPDATED');
  expect(await items.story(id)).toEqual([...begun, ...synced]);
});

describe('input asked for', () => {
  test('says what it wants, once, and goes on with the right answer', async () => {
    const { id } = await items.create('mfa');
    expect(await items.reached(id, 'WAITING_USER_INPUT')).toMatchObject({
      parameter: { name: 'token' },
      user_action: null,
      next_sync_at: null,
    });
    const { body } = await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { token: '123456' } }).expect(200);
    expect(body).toMatchObject({ id, status: 'UPDATING', parameter: null });
    await items.reached(id, 'UPDATED');
    expect(await items.story(id)).toEqual([...begun, 'ITEM_WAITING_USER_INPUT WAITING_USER_INPUT', ...synced]);
  });

  test('a wrong answer is a LOGIN_ERROR', async () => {
    const { id } = await items.create('mfa');
    await items.reached(id, 'WAITING_USER_INPUT');
    await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { token: '000000' } }).expect(200);
    await items.reached(id, 'LOGIN_ERROR');
    expect(await items.story(id)).toEqual([
      ...begun,
      'ITEM_WAITING_USER_INPUT WAITING_USER_INPUT',
      'ITEM_ERROR LOGIN_ERROR INVALID_CREDENTIALS_MFA',
    ]);
  });

  test('an answer without what is asked for is refused by name', async () => {
    const { id } = await items.create('mfa');
    await items.reached(id, 'WAITING_USER_INPUT');
    const { body } = await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { code: '1' } }).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: '/parameters/token' }] });
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['the institution says so', 'mfa-timeout', () => Promise.resolve((institutionMs += 10_000))],
    ['we have waited long enough', 'mfa', () => Promise.resolve()],
  ])('that does not come makes the item OUTDATED when %s', async (_when, user, wait) => {
    const { id } = await items.create(user);
    await items.reached(id, 'WAITING_USER_INPUT');
    await wait();
    await items.passTime(id);
    expect(await items.reached(id, 'OUTDATED')).toMatchObject({
      error: { code: 'USER_INPUT_TIMEOUT' },
      parameter: null,
    });
    expect((await items.story(id)).at(-1)).toBe('ITEM_ERROR OUTDATED USER_INPUT_TIMEOUT');
  });
});

describe('an action asked for', () => {
  test('is noticed when the user has done it', async () => {
    const { id } = await items.create('action');
    expect(await items.reached(id, 'WAITING_USER_ACTION')).toMatchObject({
      user_action: { type: 'app' },
      parameter: null,
    });
    institutionMs += 10_000;
    await items.reached(id, 'UPDATED');
    expect(await items.story(id)).toEqual([...begun, 'ITEM_WAITING_USER_ACTION WAITING_USER_ACTION', ...synced]);
  });

  test('can be said to be done', async () => {
    const { id } = await items.create('action');
    await items.reached(id, 'WAITING_USER_ACTION');
    await tenant.api.post(`/v1/items/${id}/mfa`, {}).expect(200);
    await items.reached(id, 'UPDATED');
  });
});

describe('a login that is refused', () => {
  test.each([
    ['bad-password', 'INVALID_CREDENTIALS'],
    ['locked', 'ACCOUNT_LOCKED'],
  ])('%s: LOGIN_ERROR %s, and nothing is scheduled', async (user, code) => {
    const { id } = await items.create(user);
    expect(await items.reached(id, 'LOGIN_ERROR')).toMatchObject({
      execution_status: code,
      error: { code },
      next_sync_at: null,
    });
    expect(await items.story(id)).toEqual([...begun, `ITEM_ERROR LOGIN_ERROR ${code}`]);
    expect(
      await api.service.deps.db.system.query('select due_at, parameters from items where id = $1::uuid', [id]),
    ).toEqual([{ due_at: null, parameters: null }]);
  });

  test('new parameters log in again', async () => {
    const { id } = await items.create('bad-password');
    await items.reached(id, 'LOGIN_ERROR');
    const { body } = await tenant.api
      .patch(`/v1/items/${id}`, { parameters: { user: 'ok', password: 'other' } })
      .expect(200);
    expect(body).toMatchObject({ status: 'UPDATING', error: null });
    await items.reached(id, 'UPDATED');
    expect(await items.story(id)).toEqual([...begun, 'ITEM_ERROR LOGIN_ERROR INVALID_CREDENTIALS', ...synced]);
  });
});

describe('an institution that is down', () => {
  test('makes the item OUTDATED, which is tried again by schedule', async () => {
    const { id } = await items.create('unavailable');
    const { next_sync_at } = await items.reached(id, 'OUTDATED');
    expect(next_sync_at).not.toBeNull();
    expect(await items.story(id)).toEqual([...begun, 'ITEM_ERROR OUTDATED SITE_NOT_AVAILABLE']);
    await items.passTime(id);
    await eventually(
      () => items.story(id),
      (told) => told.length === 3,
    );
    expect((await items.story(id)).at(-1)).toBe('ITEM_ERROR OUTDATED SITE_NOT_AVAILABLE');
  });

  test('a provider that fails while we read is asked a few times, and then the item is OUTDATED', async () => {
    const { id } = await items.create('outage');
    const tried = async () => {
      await items.passTime(id, 'UPDATING');
      return items.read(id);
    };
    const item = await eventually(tried, ({ status }) => status === 'OUTDATED');
    expect(item).toMatchObject({ error: { code: 'SITE_NOT_AVAILABLE', message: 'The provider is not available' } });
    expect(await items.story(id)).toEqual([
      ...begun,
      'ITEM_LOGIN_SUCCEEDED UPDATING',
      'ITEM_ERROR OUTDATED SITE_NOT_AVAILABLE',
    ]);
  });
});

describe('a refresh', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['asked for', async (id) => void (await tenant.api.patch(`/v1/items/${id}`, {}).expect(200))],
    ['by schedule', (id) => items.passTime(id)],
  ])('%s tells of what is new and of what has changed, each once, and ends UPDATED', async (_how, refresh) => {
    const { id } = await items.create('ok');
    const { last_updated_at } = await items.reached(id, 'UPDATED');
    const before = await items.eventsOf(id);
    await refresh(id);
    await eventually(
      () => items.read(id),
      (item) => item.last_updated_at !== last_updated_at,
    );
    const events = (await items.eventsOf(id)).slice(before.length);
    expect((await items.story(id)).slice(3)).toEqual(synced);
    const ids = (of: ReceivedEvent[], event: string): string[] =>
      of.filter((one) => one.event === event).flatMap(({ data }) => data.transactionIds ?? []);
    const [old, created, updated] = [
      ids(before, 'TRANSACTIONS_CREATED'),
      ids(events, 'TRANSACTIONS_CREATED'),
      ids(events, 'TRANSACTIONS_UPDATED'),
    ];
    expect(created.length).toBeGreaterThan(0);
    expect(updated.length).toBeGreaterThan(0);
    expect(new Set([...old, ...created]).size).toBe(old.length + created.length);
    expect(updated.filter((one) => !old.includes(one))).toEqual([]);
  });

  test.each(['UPDATING', 'WAITING_USER_INPUT', 'WAITING_USER_ACTION'])(
    'is refused while the item is %s',
    async (status) => {
      const { id } = await items.create({ UPDATING: 'slow', WAITING_USER_INPUT: 'mfa' }[status] ?? 'action');
      await items.reached(id, status);
      expect((await tenant.api.patch(`/v1/items/${id}`, {}).expect(409)).body).toMatchObject({ code: 'item_busy' });
    },
  );

  test('of an item that the provider has never known, and of which nothing is kept, needs parameters', async () => {
    const { id } = await items.create('bad-password');
    await items.reached(id, 'LOGIN_ERROR');
    await api.service.deps.db.system.execute('update items set provider_item_id = null where id = $1::uuid', [id]);
    const { body } = await tenant.api.patch(`/v1/items/${id}`, {}).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: '/parameters', code: 'required' }] });
  });
});

test.each(['UPDATING', 'UPDATED', 'LOGIN_ERROR'])('an answer to an item that is %s is refused', async (status) => {
  const { id } = await items.create({ UPDATING: 'slow', UPDATED: 'ok' }[status] ?? 'locked');
  await items.reached(id, status);
  expect((await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { token: '1' } }).expect(409)).body).toMatchObject(
    { code: 'item_busy' },
  );
});

describe('removal', () => {
  test.each([
    ['slow', 'UPDATING'],
    ['mfa', 'WAITING_USER_INPUT'],
    ['action', 'WAITING_USER_ACTION'],
    ['ok', 'UPDATED'],
    ['locked', 'LOGIN_ERROR'],
    ['unavailable', 'OUTDATED'],
  ])('of an item of %s that is %s tells of it, as the last thing, and leaves nothing', async (user, status) => {
    const { id } = await items.create(user);
    await items.reached(id, status);
    await tenant.api.delete(`/v1/items/${id}`).expect(204);
    await tenant.api.get(`/v1/items/${id}`).expect(404);
    await tenant.api.delete(`/v1/items/${id}`).expect(204);
    const left = (): Promise<unknown[]> =>
      api.service.deps.db.system.query(
        `select id::text from items where id = $1::uuid union all select id from item_transactions
          where item_id = $1::uuid`,
        [id],
      );
    await eventually(left, (rows) => rows.length === 0);
    const names = await items.story(id);
    expect(names.at(-1)).toBe('ITEM_DELETED DELETED');
    expect(names.filter((name) => name.startsWith('ITEM_DELETED'))).toHaveLength(1);
  });
});
