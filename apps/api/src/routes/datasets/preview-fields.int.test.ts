import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

const preview = async (body: object, status = 200) =>
  (await tenant.api.post('/v1/datasets/fields/preview', body).expect(status)).body as {
    records: { fields: object; errors: object[] }[];
  };

const price = { key: 'price', type: 'amount', sourcePath: 'Price' };

describe('a preview of fields', () => {
  test('gives each value, and beside it why another has none', async () => {
    const total = { key: 'total', type: 'amount', transform_expr: '$amount(Price) * n' };
    const { records } = await preview({ fields: [price, total], records: [{ Price: '2.50', n: 3 }, { Price: 'two' }] });
    expect(records).toMatchObject([
      { fields: { price: 2.5, total: 7.5 }, errors: [] },
      { fields: {}, errors: [{ field: 'price', code: 'invalid_amount' }] },
    ]);
  });

  test('reads texts in the notation of the field', async () => {
    const day = { key: 'day', type: 'date', dateFormat: 'DD/MM/YYYY' };
    const records = [{ Price: '1.234,50', day: '02/01/2026' }];
    const shown = await preview({ fields: [{ ...price, decimalSeparator: ',' }, day], records });
    expect(shown.records).toEqual([{ fields: { price: 1234.5, day: '2026-01-02' }, errors: [] }]);
  });

  test('tells of an expression that fails with its record, and goes on', async () => {
    const field = { key: 'a', type: 'number', transform_expr: 'a + 1' };
    const { records } = await preview({ fields: [field], records: [{ a: 'x' }, { a: 1 }] });
    expect(records).toMatchObject([
      { fields: {}, errors: [{ field: 'a', code: 'transform_failed' }] },
      { fields: { a: 2 }, errors: [] },
    ]);
  });

  test.each([
    ['an expression that does not parse', [{ ...price, transform_expr: '1 +' }], '/fields/0/transform_expr'],
    ['a key that two fields have', [price, price], '/fields/1/key'],
    ['a type that is none', [{ ...price, type: 'money' }], '/fields/0/type'],
    ['no fields', [], '/fields'],
  ])('%s is named', async (_what, fields, path) => {
    expect(await preview({ fields, records: [{}] }, 400)).toMatchObject({ errors: [{ path }] });
  });

  test('needs the scope of datasets and no records', async () => {
    const body = { fields: [price], records: [{ Price: 1 }] };
    await (await api.newKey(tenant, ['datasets:read'])).api.post('/v1/datasets/fields/preview', body).expect(200);
    await (await api.newKey(tenant, ['records:read'])).api.post('/v1/datasets/fields/preview', body).expect(403);
  });
});
