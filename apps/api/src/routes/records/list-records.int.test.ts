import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

interface WireRecord {
  id: string;
  dataset_name: string;
  external_id: string | null;
  data: Record<string, unknown>;
  created_at: string;
  status: string;
  fields: Record<string, unknown> | null;
  error: unknown;
}

interface WirePage {
  items: WireRecord[];
  total: number;
  next_cursor: string | null;
}

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  tenant = await api.newTenant();
});

async function post(body: object, externalId?: string, dataset = 'ledger'): Promise<string> {
  const answer = await tenant.api
    .post(`/v1/records?dataset=${encodeURIComponent(dataset)}`, {
      body,
      ...(externalId === undefined ? {} : { externalId }),
    })
    .expect(202);
  return (answer.body as { id: string }).id;
}

async function get(id: string): Promise<WireRecord> {
  return (await tenant.api.get(`/v1/records/${id}`).expect(200)).body as WireRecord;
}

async function list(query: string): Promise<WirePage> {
  return (await tenant.api.get(`/v1/records?${query}`).expect(200)).body as WirePage;
}

async function declare(dataset: string, ...fields: object[]): Promise<string> {
  const body = (await tenant.api.post('/v1/datasets', { name: dataset }).expect(201)).body;
  const { id } = body as { id: string };
  for (const field of fields) await tenant.api.post(`/v1/datasets/${id}/fields`, field).expect(201);
  return id;
}

const amountField = { name: 'Amount', key: 'amount', type: 'amount' };

describe('GET /v1/records', () => {
  test('lists newest first, in pages and by cursor, with the same result', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift(await post({ i }));
    const paged = [
      ...(await list('limit=3')).items,
      ...(await list('limit=3&page=2')).items,
      ...(await list('limit=3&page=3')).items,
    ];
    expect(paged.map((r) => r.id)).toEqual(ids);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: WirePage = await list(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.total).toBe(7);
      seen.push(...page.items.map((r) => r.id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test('goes on behind records of a deleted dataset that are still being removed, and shows none of them', async () => {
    const kept = await post({}, 'kept', 'other');
    const removed = [await post({}), await post({ text: 'x'.repeat(1_000_000) }), await post({})];
    await api.service.deps.db.system.execute(`delete from datasets where tenant_id = $1::uuid and name = 'ledger'`, [
      tenant.tenantId,
    ]);
    const first = await list(`limit=${removed.length}`);
    expect(first.items).toEqual([]);
    expect(await list(`limit=2&cursor=${first.next_cursor}`)).toMatchObject({
      items: [{ id: kept }],
      total: 1,
      next_cursor: null,
    });
  });

  test('filters by dataset, external id and status, together', async () => {
    await declare('typed', amountField);
    await post({ amount: 1 }, 'A', 'typed');
    await post({ amount: 'x' }, 'B', 'typed');
    await post({ amount: 1 }, 'A', 'plain');
    await api.runIngest();
    expect((await list('')).total).toBe(3);
    expect((await list('dataset=typed')).total).toBe(2);
    expect((await list('externalId=A')).total).toBe(2);
    expect((await list('dataset=typed&externalId=A')).items).toMatchObject([
      { dataset_name: 'typed', external_id: 'A' },
    ]);
    expect((await list('status=failed')).items).toMatchObject([{ external_id: 'B' }]);
    expect((await list('dataset=typed&externalId=A&status=failed')).total).toBe(0);
  });

  test('a page with records too large to be read together is the same page, read and sent by the group', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.unshift(await post({ n, text: 'x'.repeat(n % 3 === 0 ? 10 : 1_000_000) }));
    const answer = await tenant.api.get('/v1/records?limit=100').expect(200);
    const page = answer.body as WirePage;
    expect(answer.headers['content-length']).toBeUndefined();
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page.items).toEqual(await Promise.all(ids.map(get)));
    expect(page).toMatchObject({ total: 12, page: 1, limit: 100, next_cursor: null });
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.slice(0, 4));
  });

  test('a dataset that does not exist has no records', async () => {
    await post({});
    expect(await list('dataset=nowhere')).toMatchObject({ items: [], total: 0, next_cursor: null });
  });

  test('a filter that does not exist is refused with those that do, field.<key> among them', async () => {
    const { body } = await tenant.api.get('/v1/records?amount=1').expect(400);
    expect(body).toMatchObject({
      errors: [
        {
          path: '/query/amount',
          code: 'unknown_key',
          message: expect.stringMatching(/; known keys: dataset, .*, field\.<key>$/) as string,
        },
      ],
    });
  });

  test('createdFrom is inclusive, createdTo exclusive', async () => {
    const at = (await get(await post({}))).created_at;
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect((await list(`createdFrom=${at}`)).total).toBe(1);
    expect((await list(`createdFrom=${later}`)).total).toBe(0);
    expect((await list(`createdTo=${at}`)).total).toBe(0);
    expect((await list(`createdTo=${later}`)).total).toBe(1);
    await tenant.api.get('/v1/records?createdFrom=yesterday').expect(400);
  });

  test('field.<key> compares the normalised value, else the raw one, as text; several must all hold', async () => {
    await declare('ledger', amountField);
    await post({ amount: '12.50', customer: { name: 'Acme' }, 'a.b': 'dotted key', tags: ['x'] }, 'A');
    await post({ amount: '7', customer: { name: 'Acme' }, open: true }, 'B');
    await api.runIngest();
    const ids = async (query: string) => (await list(query)).items.map((r) => r.external_id).sort();
    expect(await ids('field.amount=12.5')).toEqual(['A']);
    expect(await ids('field.amount=12.50')).toEqual([]);
    expect(await ids('field.customer.name=Acme')).toEqual(['A', 'B']);
    expect(await ids('field.customer.name=Acme&field.amount=7')).toEqual(['B']);
    expect(await ids('field.amount=7&field.amount=12.5')).toEqual([]);
    expect(await ids('field.a.b=dotted%20key')).toEqual(['A']);
    expect(await ids('field.open=true')).toEqual(['B']);
    expect(await ids('field.nothing=1')).toEqual([]);
  });

  test.each([
    'page=0',
    'limit=101',
    'status=done',
    'unknown=1',
    'field.=1',
    'page=1&cursor=abc',
    'cursor=abc',
    'externalId=',
  ])('%s is refused', async (query) => {
    await tenant.api.get(`/v1/records?${query}`).expect(400);
  });
});
