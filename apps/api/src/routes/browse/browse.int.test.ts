import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  eventually,
  itemsOf,
  startTestApi,
  type KeyedApi,
  type TestApi,
  type TestItems,
  type TestTenant,
} from '../../../testing';

interface Pagination {
  page: number;
  limit: number;
  totalPages: number;
  totalRecords: number;
}

interface Row {
  id: string;
  itemId: string;
  type: string;
  date: string;
}

type Body = { pagination: Pagination } & Record<'accounts' | 'creditCards' | 'investments' | 'transactions', Row[]>;

let api: TestApi;
let tenant: TestTenant;
let items: TestItems;
/** An item of the tenant whose login was accepted. */
let itemId: string;
let accounts: Row[];
let investmentId: string;

const calls = {
  accounts: (by: KeyedApi, query: string) => by.get(`/v1/data-sources/openfinance/browse/accounts?${query}`),
  'account-transactions': (by: KeyedApi, query: string) =>
    by.get(`/v1/data-sources/openfinance/browse/account-transactions?${query}`),
  'credit-cards': (by: KeyedApi, query: string) => by.get(`/v1/data-sources/openfinance/browse/credit-cards?${query}`),
  'credit-card-transactions': (by: KeyedApi, query: string) =>
    by.get(`/v1/data-sources/openfinance/browse/credit-card-transactions?${query}`),
  investments: (by: KeyedApi, query: string) => by.get(`/v1/data-sources/openfinance/browse/investments?${query}`),
  'investment-transactions': (by: KeyedApi, query: string) =>
    by.get(`/v1/data-sources/openfinance/browse/investment-transactions?${query}`),
};
type List = keyof typeof calls;
const lists = Object.keys(calls) as List[];

const browse = (list: List, query: Record<string, string>, by: KeyedApi = tenant.api) =>
  calls[list](by, new URLSearchParams(query).toString());
const read = async (list: List, query: Record<string, string>): Promise<Body> =>
  (await browse(list, query).expect(200)).body as Body;
const accountOf = (type: string): string => accounts.find((account) => account.type === type)?.id ?? '';

beforeAll(async () => {
  api = await startTestApi();
  await api.startItems();
  tenant = await api.newTenant();
  items = itemsOf(api, tenant);
  const { id } = await items.create('ok', { seed: 'browse' });
  itemId = id;
  await items.reached(id, 'UPDATED');
  accounts = (await read('accounts', { itemId })).accounts;
  investmentId = (await read('investments', { itemId })).investments[0]?.id ?? '';
});
afterAll(() => api.close());

/** Returns the query of an operation, without its page. */
const queryOf = (list: List): Record<string, string> => ({
  itemId,
  ...{
    accounts: {},
    'credit-cards': {},
    investments: {},
    'account-transactions': { accountId: accountOf('CHECKING') },
    'credit-card-transactions': { cardId: accountOf('CREDIT_CARD') },
    'investment-transactions': { investmentId },
  }[list],
});

const parents = [
  ['account-transactions', 'accountId', 'account_not_found'],
  ['credit-card-transactions', 'cardId', 'account_not_found'],
  ['investment-transactions', 'investmentId', 'investment_not_found'],
] as const;

describe('what the operations answer', () => {
  test.each<[List, string[], number]>([
    ['credit-card-transactions', ['pagination', 'transactions'], 100],
    ['account-transactions', ['pagination', 'transactions'], 500],
    ['credit-cards', ['creditCards', 'pagination'], 500],
    ['accounts', ['accounts', 'pagination'], 500],
    ['investments', ['investments', 'pagination'], 500],
  ])('%s: %j, %d rows on a page unless asked otherwise', async (list, names, limit) => {
    const body = await read(list, queryOf(list));
    expect(Object.keys(body).sort()).toEqual(names);
    expect(body.pagination).toMatchObject({ page: 1, limit });
  });

  test('investment-transactions: all of them, without pages', async () => {
    const body = await read('investment-transactions', queryOf('investment-transactions'));
    expect(Object.keys(body)).toEqual(['transactions']);
    expect(body.transactions.length).toBeGreaterThan(0);
  });

  test.each(lists)('every row of %s names the item as the tenant knows it', async (list) => {
    const { pagination: _, ...rest } = await read(list, queryOf(list));
    expect(
      new Set(
        Object.values(rest)
          .flat()
          .map((row) => row.itemId),
      ),
    ).toEqual(new Set([itemId]));
  });

  test.each([1, 7, 100, 500])('pages of %d are the list, and the totals are its count', async (limit) => {
    const query = { ...queryOf('credit-card-transactions'), limit: '500' };
    const whole = (await read('credit-card-transactions', query)).transactions;
    const pages = limit === 1 ? 3 : Math.ceil(whole.length / limit);
    const found: Row[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const { pagination, transactions } = await read('credit-card-transactions', {
        ...query,
        limit: String(limit),
        page: String(page),
      });
      expect(pagination).toEqual({
        page,
        limit,
        totalPages: Math.ceil(whole.length / limit),
        totalRecords: whole.length,
      });
      found.push(...transactions);
    }
    expect(found).toEqual(whole.slice(0, pages * limit));
  });

  test('newest first', async () => {
    const { transactions } = await read('account-transactions', queryOf('account-transactions'));
    const keys = transactions.map(({ date, id }) => `${date}/${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
  });

  test('a page behind the last one is empty, with the same totals', async () => {
    const [{ pagination }, behind] = [
      await read('accounts', { itemId }),
      await read('accounts', { itemId, page: '2147483647' }),
    ];
    expect(behind).toEqual({ accounts: [], pagination: { ...pagination, page: 2_147_483_647 } });
  });

  test('what a sync has found is there at once', async () => {
    const { id } = await items.create('ok');
    await items.reached(id, 'UPDATED');
    const [account] = (await read('accounts', { itemId: id })).accounts;
    const query = { itemId: id, accountId: account?.id ?? '' };
    const before = (await read('account-transactions', query)).pagination.totalRecords;
    await items.refresh(id);
    expect((await read('account-transactions', query)).pagination.totalRecords).toBeGreaterThan(before);
  });
});

describe('what is refused', () => {
  const refusal = async (list: List, query: Record<string, string>, status: number, by = tenant.api) =>
    (await browse(list, query, by).expect(status)).body as { code: string; errors?: { path: string }[] };

  test.each(lists)('%s without itemId, by its name', async (list) => {
    const { itemId: _, ...rest } = queryOf(list);
    expect(await refusal(list, rest, 400)).toMatchObject({
      code: 'validation_error',
      errors: [{ path: '/query/itemId' }],
    });
  });

  test.each(parents)('%s without %s, by its name', async (list, name) => {
    expect(await refusal(list, { itemId }, 400)).toMatchObject({
      code: 'validation_error',
      errors: [{ path: `/query/${name}` }],
    });
  });

  test.each(
    lists
      .filter((list) => list !== 'investment-transactions')
      .flatMap((list) =>
        [
          ['page', '0'],
          ['page', '1.5'],
          ['page', '2147483648'],
          ['limit', '0'],
          ['limit', '501'],
          ['limit', 'x'],
        ].map(([name = '', value = '']) => [list, name, value] as const),
      ),
  )('%s with %s=%s', async (list, name, value) => {
    const { code, errors } = await refusal(list, { ...queryOf(list), [name]: value }, 400);
    expect([code, errors?.[0]?.path]).toEqual(['validation_error', `/query/${name}`]);
  });

  test('pages of investment-transactions, which has none', async () => {
    expect(
      await refusal('investment-transactions', { ...queryOf('investment-transactions'), page: '1' }, 400),
    ).toMatchObject({ errors: [{ path: '/query/page' }] });
  });

  test.each(lists)('%s of an item of another tenant, like one that does not exist', async (list) => {
    const stranger = await api.newTenant('Stranger');
    const [theirs, none] = [
      await refusal(list, queryOf(list), 404, stranger.api),
      await refusal(list, { ...queryOf(list), itemId: '01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53' }, 404, stranger.api),
    ];
    expect({ ...theirs, request_id: '' }).toEqual({ ...none, request_id: '' });
    expect(theirs.code).toBe('item_not_found');
  });

  test('an item id that is none', async () => {
    expect(await refusal('accounts', { itemId: '../items' }, 404)).toMatchObject({ code: 'item_not_found' });
  });

  test.each(parents)('%s with a %s that the item does not have: %s', async (list, name, code) => {
    expect(await refusal(list, { ...queryOf(list), [name]: 'nothing' }, 404)).toMatchObject({ code });
  });

  test('a credit card as an account, and an account as a credit card', async () => {
    await refusal('account-transactions', { itemId, accountId: accountOf('CREDIT_CARD') }, 404);
    await refusal('credit-card-transactions', { itemId, cardId: accountOf('CHECKING') }, 404);
  });

  test('a key that may do other things', async () => {
    const key = await api.newKey(tenant, ['items:read']);
    expect(await refusal('accounts', { itemId }, 403, key.api)).toMatchObject({ code: 'insufficient_scope' });
  });

  test('nothing to a key that may browse', async () => {
    const key = await api.newKey(tenant, ['browse:read']);
    await browse('accounts', { itemId }, key.api).expect(200);
  });
});

describe('an item without data', () => {
  test.each(lists)('that waits for its user: %s is empty', async (list) => {
    const { id } = await items.create('mfa');
    await items.reached(id, 'WAITING_USER_INPUT');
    const body = await read(list, { ...queryOf(list), itemId: id });
    const rows = Object.entries(body)
      .filter(([name]) => name !== 'pagination')
      .map(([, found]) => found);
    expect(rows).toEqual([[]]);
    if (body.pagination) expect(body.pagination).toMatchObject({ totalPages: 0, totalRecords: 0 });
  });

  test('whose login has failed: 409, with what to do', async () => {
    const { id } = await items.create('bad-password');
    await items.reached(id, 'LOGIN_ERROR');
    const { body } = (await browse('accounts', { itemId: id }).expect(409)) as {
      body: { code: string; message: string };
    };
    expect(body).toMatchObject({
      code: 'item_not_ready',
      message: expect.stringContaining('PATCH /v1/items/{id}') as string,
    });
  });

  test('that has been removed: 404', async () => {
    const { id } = await items.create('ok');
    await tenant.api.delete(`/v1/items/${id}`).expect(204);
    await browse('accounts', { itemId: id }).expect(404);
  });

  test('in an outage of the provider: 503, and when to come back', async () => {
    const { id } = await items.create('outage');
    await eventually(
      () => items.read(id),
      (item) => item.execution_status === 'SUCCESS',
    );
    const answer = await browse('accounts', { itemId: id }).expect(503);
    expect(answer.body).toMatchObject({ code: 'provider_unavailable' });
    expect(answer.headers['retry-after']).toBe('30');
  });
});

describe('docs/reference/open-finance.md', () => {
  const page = readFileSync(path.join(__dirname, '../../../../../docs/reference/open-finance.md'), 'utf8');

  /** Lists the fields at every depth. */
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
    if (typeof value !== 'object' || value === null) return 'value';
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  };

  test('shows an answer with the fields that answers have', async () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { pagination, transactions } = await read('credit-card-transactions', {
      ...queryOf('credit-card-transactions'),
      limit: '500',
    });
    const alike = (transactions as (Row & { merchant: object | null })[]).find(({ merchant }) => merchant !== null);
    expect(shapeOf({ pagination, transactions: [alike] })).toEqual(shapeOf(JSON.parse(example)));
  });

  test('says of every operation what it takes, how long its pages are, and what it answers', async () => {
    const rows = [...page.matchAll(/^- `([a-z-]+)`(?: by `(\w+)`)?: (?:pages of (\d+)|all); (.*)$/gm)];
    expect(rows.map(([, list]) => list).sort()).toEqual([...lists].sort());
    for (const [, list, name, limit, names = ''] of rows) {
      const body = await read(list as List, queryOf(list as List));
      expect(Object.keys(body)).toEqual([...names.matchAll(/`(\w+)`/g)].map(([, field]) => field));
      expect(Object.keys(queryOf(list as List))).toEqual(name ? ['itemId', name] : ['itemId']);
      expect(body.pagination?.limit).toBe(limit === undefined ? undefined : Number(limit));
    }
  });
});
