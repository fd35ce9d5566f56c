import { newId } from '@tieout/infra';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

interface Field {
  id: string;
  key: string;
  name: string;
  type: string;
  source_path: string | null;
}

let serial = 0;

async function newDataset(): Promise<string> {
  const { body } = await tenant.api.post('/v1/datasets', { name: `d${serial++}` }).expect(201);
  return (body as { id: string }).id;
}

async function addRecords(datasetId: string, data: readonly object[]): Promise<void> {
  await api.service.deps.db.system.execute(
    `insert into records (id, tenant_id, dataset_id, data) select i, $1::uuid, $2::uuid, d::jsonb from
     unnest($3::uuid[], $4::text[]) as r(i, d)`,
    [tenant.tenantId, datasetId, data.map(() => newId()), data.map((d) => JSON.stringify(d))],
  );
}

const fromColumns = async (datasetId: string, columns: readonly object[]): Promise<Field[]> => {
  const { body } = await tenant.api.post(`/v1/datasets/${datasetId}/fields/from-columns`, { columns }).expect(200);
  return body as Field[];
};

describe('from columns', () => {
  test('a missing key is a slug of the name, which then is the path to the value', async () => {
    const fields = await fromColumns(await newDataset(), [
      { name: 'Valor Líquido (R$)' },
      { name: 'Straße' },
      { name: '2nd date' },
      { name: '日付' },
      { name: 'plain' },
    ]);
    expect(fields.map(({ key, source_path }) => [key, source_path])).toEqual([
      ['valor_liquido_r', 'Valor Líquido (R$)'],
      ['strasse', 'Straße'],
      ['f_2nd_date', '2nd date'],
      ['field', '日付'],
      ['plain', null],
    ]);
  });

  test('derived keys do not collide with each other or with given ones', async () => {
    const fields = await fromColumns(await newDataset(), [
      { name: 'Total' },
      { name: 'total' },
      { name: 'TOTAL', key: 'total' },
      { name: 'x'.repeat(70) },
      { name: `${'x'.repeat(70)}!` },
    ]);
    expect(fields.map(({ key }) => key)).toEqual([
      'total_2',
      'total_3',
      'total',
      'x'.repeat(64),
      `${'x'.repeat(62)}_2`,
    ]);
  });

  test('a missing type is that of the data at hand, and string without data', async () => {
    const datasetId = await newDataset();
    await addRecords(datasetId, [
      {
        n: 1,
        'a b': '10',
        yes: true,
        day: '2026-02-28',
        at: '2026-02-28T10:00:00Z',
        list: [1],
        map: {},
        mixed: 1,
        code: '007',
        blank: '',
      },
      {
        n: 2.5,
        'a b': '9.50',
        yes: false,
        day: '2026-03-01',
        at: '2026-02-28',
        list: [],
        map: {},
        mixed: 'x',
        code: '008',
        blank: null,
      },
    ]);
    const names = ['n', 'a b', 'yes', 'day', 'at', 'list', 'map', 'mixed', 'code', 'blank', 'absent'];
    const fields = await fromColumns(
      datasetId,
      names.map((name) => ({ name })),
    );
    expect(fields.map(({ type }) => type)).toEqual([
      'number',
      'amount',
      'boolean',
      'date',
      'datetime',
      'array',
      'object',
      'string',
      'string',
      'string',
      'string',
    ]);
    const [field] = await fromColumns(await newDataset(), [{ name: 'n' }]);
    expect(field).toMatchObject({ type: 'string' });
  });

  test('the data decides whether a given key or the name leads to the value', async () => {
    const datasetId = await newDataset();
    await addRecords(datasetId, [{ 'Net total': '1.00', gross: '2.00' }]);
    const fields = await fromColumns(datasetId, [
      { name: 'Net total', key: 'net' },
      { name: 'Gross total', key: 'gross' },
    ]);
    expect(fields.map(({ source_path, type }) => [source_path, type])).toEqual([
      ['Net total', 'amount'],
      [null, 'amount'],
    ]);
  });

  test('calling it again updates by key and adds what is new', async () => {
    const datasetId = await newDataset();
    const [first] = await fromColumns(datasetId, [{ name: 'Total', type: 'string' }]);
    const again = await fromColumns(datasetId, [{ name: 'Date' }, { name: 'TOTAL', type: 'amount' }]);
    expect(again.map(({ key }) => key)).toEqual(['date', 'total']);
    expect(again[1]).toMatchObject({ id: first?.id, name: 'TOTAL', type: 'amount' });
    const { body } = await tenant.api.get(`/v1/datasets/${datasetId}/fields`).expect(200);
    expect((body as Field[]).map(({ key }) => key)).toEqual(['total', 'date']);
  });

  test.each([
    [{}, '/columns'],
    [{ columns: {} }, '/columns'],
    [{ columns: [{}] }, '/columns/0/name'],
    [{ columns: [{ name: '' }] }, '/columns/0/name'],
    [{ columns: [{ name: 'a', type: 'money' }] }, '/columns/0/type'],
    [{ columns: [{ name: 'a', key: '1' }] }, '/columns/0/key'],
    [{ columns: [{ name: 'a', label: 'b' }] }, '/columns/0/label'],
    [
      {
        columns: [
          { name: 'a', key: 'k' },
          { name: 'b', key: 'k' },
        ],
      },
      '/columns/1/key',
    ],
  ])('%j is refused at %s', async (body, path) => {
    const response = await tenant.api.post(`/v1/datasets/${await newDataset()}/fields/from-columns`, body).expect(400);
    expect(response.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
  });

  test('no columns make no fields', async () => {
    expect(await fromColumns(await newDataset(), [])).toEqual([]);
  });
});
