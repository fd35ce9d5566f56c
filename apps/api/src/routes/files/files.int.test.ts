import { readdir } from 'node:fs/promises';
import {
  newSource,
  recordsIn,
  startTestApi,
  uploadTo,
  type FileBody,
  type ReadRecord,
  type TestApi,
  type TestTenant,
} from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let source: string;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
  source = await newSource(tenant.api);
});

afterAll(() => api.close());

const upload = (content: string | Buffer, fields: Record<string, string> = {}, filename = 'lines.csv') =>
  uploadTo(tenant.api, source, content, fields, filename);

const read = async (id: string): Promise<FileBody> =>
  (await tenant.api.get(`/v1/data-sources/${source}/files/${id}`).expect(200)).body as FileBody;

async function ingested(
  content: string | Buffer,
  fields: Record<string, string> = {},
  filename?: string,
): Promise<FileBody> {
  const { id } = await upload(content, fields, filename);
  await api.runIngest();
  return read(id);
}

const records = (dataset: string): Promise<ReadRecord[]> => recordsIn(tenant.api, dataset);

test('an upload is accepted at once and becomes records of the dataset that it names', async () => {
  const accepted = await upload('id,amount\n1,10.50\n2,7\n', { dataset: 'accepted' });
  expect(accepted).toMatchObject({
    dataSourceId: source,
    tenantId: tenant.tenantId,
    originalName: 'lines.csv',
    status: 'uploaded',
    rowCount: 0,
    sizeBytes: 22,
    mimeType: null,
    format: null,
    errorMessage: null,
    processedAt: null,
    metadata: { dataset: 'accepted', duplicateOf: null },
  });
  await api.runIngest();
  expect(await read(accepted.id)).toMatchObject({
    id: accepted.id,
    status: 'ready',
    rowCount: 2,
    headers: ['id', 'amount'],
    sheetNames: [],
    mimeType: 'text/csv',
    format: 'csv',
    errorMessage: null,
    metadata: { ready: 2, failed: 0, rejected: 0, progress: { processed: 2, percent: 100 } },
  });
  expect((await records('accepted')).map(({ data, status }) => ({ data, status }))).toEqual([
    { data: { id: '2', amount: '7' }, status: 'ready' },
    { data: { id: '1', amount: '10.50' }, status: 'ready' },
  ]);
});

const mt940 =
  ':20:STARTUMSE\r\n:25:DE89370400440532013000\r\n:28C:1/1\r\n:60F:C260101EUR10,\r\n' +
  ':61:2601050105D2,5NTRFNONREF//B1\r\n' +
  ':86:166?00UEBERWEISUNG?20EREF+E-1?21SVWZ+Invoice 0017?32Shop\r\n:62F:C260131EUR7,5\r\n-\r\n';

test('a bank statement becomes records with typed fields, and its balances are shown', async () => {
  const file = await ingested(mt940, { dataset: 'statement', fromColumns: 'true' }, 'export.sta');
  expect(file).toMatchObject({
    status: 'ready',
    format: 'mt940',
    metadata: {
      warnings: [],
      statements: [
        {
          id: '1/1',
          account_id: 'DE89370400440532013000',
          currency: 'EUR',
          transactions: 1,
          balances: [
            { type: 'opening', amount: 10, currency: 'EUR', date: '2026-01-01' },
            { type: 'closing', amount: 7.5, currency: 'EUR', date: '2026-01-31' },
          ],
        },
      ],
    },
  });
  expect(await records('statement')).toMatchObject([
    {
      external_id: null,
      data: { amount: -2.5, end_to_end_id: 'E-1' },
      fields: { amount: -2.5, booking_date: '2026-01-05', remittance_information: 'Invoice 0017' },
    },
  ]);
});

test('a file says how it is read, how sure that is, and what stands above its table', async () => {
  const file = await ingested('Account;DE12\nDate;Amount\n01.02.2026;-16,52\n', { dataset: 'titled' });
  expect(file).toMatchObject({
    reading: { delimiter: ';', header_row: 2, decimal_separator: ',', date_formats: { Date: 'DD.MM.YYYY' } },
    warnings: [{ code: 'lines_skipped' }],
    metadata: { preamble: { Account: 'DE12' } },
  });
});

test('names of columns that may be values are numbered for a key that does not see records', async () => {
  const file = await ingested('Hans;Köln\nEva;Rom\nMax;Bern\n', { dataset: 'doubtful' });
  expect(file).toMatchObject({ headers: ['Hans', 'Köln'], warnings: [{ code: 'reading_uncertain' }] });
  const stranger = await api.newKey(tenant, ['datasets:read']);
  const { body } = await stranger.api.get(`/v1/data-sources/${source}/files/${file.id}`).expect(200);
  expect(body).toMatchObject({ headers: ['column_1', 'column_2'] });
  expect(JSON.stringify(body)).not.toMatch(/Hans|Köln/);
});

test('without a dataset the rows go into one that is called like the file', async () => {
  const file = await ingested('a\n1\n', {}, 'C:\\Exports\\Statement March.csv');
  expect(file.metadata.dataset).toBe('Statement March');
});

test('fields are derived from the columns, and values are read as the file writes them', async () => {
  const text =
    'Buchungstag;Betrag;Verwendungszweck\r\n31.01.2026;-1.234,56;Miete für März\r\n01.02.2026;20,00;"Gutschrift ' +
    '""A""; Rest"\r\n';
  const file = await ingested(Buffer.from(text, 'latin1'), { dataset: 'german', fromColumns: 'true' });
  expect(file).toMatchObject({
    status: 'ready',
    metadata: { ready: 2, failed: 0, detected: { delimiter: ';', decimalSeparator: ',' } },
  });
  expect((await records('german')).map(({ fields }) => fields)).toEqual([
    { buchungstag: '2026-02-01', betrag: 20, verwendungszweck: 'Gutschrift "A"; Rest' },
    { buchungstag: '2026-01-31', betrag: -1234.56, verwendungszweck: 'Miete für März' },
  ]);
});

test('bad rows are listed with line and reason, and good rows go in', async () => {
  const file = await ingested('a,b\n1,2\n3,4,5\n6\n7,8,9\n', { dataset: 'ragged' });
  expect(file).toMatchObject({ status: 'ready', rowCount: 4, metadata: { ready: 2, rejected: 2 } });
  const { body } = await tenant.api
    .get(`/v1/data-sources/${source}/files/${file.id}/errors?limit=1&page=2`)
    .expect(200);
  expect(body).toMatchObject({
    total: 2,
    page: 2,
    limit: 1,
    items: [{ line: 5, code: 'too_many_columns', raw: '7,8,9' }],
  });
  expect((await records('ragged')).map(({ data }) => data)).toEqual([
    { a: '6', b: '' },
    { a: '1', b: '2' },
  ]);
});

test('a record of which a value does not fit is listed with its line, between those that are none', async () => {
  const { body: dataset } = await tenant.api.post('/v1/datasets', { name: 'failing' }).expect(201);
  const { id: datasetId } = dataset as { id: string };
  await tenant.api
    .post(`/v1/datasets/${datasetId}/fields`, { name: 'Total', key: 'total', type: 'amount', sourcePath: 'Sum' })
    .expect(201);
  const file = await ingested('Day;Sum\n1;2;3\nMonday;many\n2;4.50\n5;6;7\n', { dataset: 'failing' });
  const { body } = await tenant.api.get(`/v1/data-sources/${source}/files/${file.id}/errors`).expect(200);
  expect(body).toMatchObject({
    total: 3,
    items: [
      { line: 2, code: 'too_many_columns', recordId: null },
      {
        line: 3,
        column: 'Sum',
        code: 'invalid_amount',
        raw: 'Monday;many',
        message: expect.stringContaining('"Sum": "many" is not') as string,
        recordId: expect.any(String) as string,
      },
      { line: 5, code: 'too_many_columns', recordId: null },
    ],
  });
});

test('a wrong reading is corrected by sending the file again with the right one', async () => {
  const wrong = await ingested('a;b\n1;2\n', { dataset: 'misread', delimiter: ',' });
  const right = await ingested('a;b\n1;2\n', { dataset: 'misread', delimiter: ';' });
  expect(right.metadata).toMatchObject({ duplicateOf: null, replaces: wrong.id });
  expect((await read(wrong.id)).metadata.replacedBy).toBe(right.id);
  expect((await records('misread')).map(({ data }) => data)).toEqual([{ a: '1', b: '2' }]);
});

test('what the content leaves open is told, and the option settles it', async () => {
  const open = await ingested('Konto;Betrag\nA;1.234\n', { dataset: 'ambiguous', fromColumns: 'true' });
  expect(open.metadata.warnings).toMatchObject([{ code: 'ambiguous_number', column: 'Betrag' }]);
  expect((await records('ambiguous')).map(({ fields }) => fields)).toEqual([{ konto: 'A', betrag: 1.234 }]);
  const settled = await ingested('Konto;Betrag\nA;1.234\n', { dataset: 'ambiguous', decimalSeparator: ',' });
  expect(settled.metadata).toMatchObject({ warnings: [], replaces: open.id });
  expect((await records('ambiguous')).map(({ fields }) => fields)).toEqual([{ konto: 'A', betrag: 1234 }]);
});

test('a corrected file brings its corrected row, and the others not again', async () => {
  await ingested('a,b\n1,2\n3,4,5\n', { dataset: 'corrected', equalRows: 'same' });
  expect((await ingested('a,b\n1,2\n3,"4,5"\n', { dataset: 'corrected', equalRows: 'same' })).metadata).toMatchObject({
    ready: 2,
    repeated: 1,
  });
  expect(await records('corrected')).toHaveLength(2);
});

test('the same content again into the same dataset adds a file and no records', async () => {
  const first = await ingested('a\n1\n2\n', { dataset: 'twice' });
  const again = await ingested('a\n1\n2\n', { dataset: 'twice' }, 'other-name.csv');
  expect(again).toMatchObject({ status: 'ready', rowCount: 2, headers: ['a'], metadata: { duplicateOf: first.id } });
  expect(await records('twice')).toHaveLength(2);
  const elsewhere = await ingested('a\n1\n2\n', { dataset: 'elsewhere' });
  expect(elsewhere.metadata.duplicateOf).toBeNull();
});

test('ten uploads of one content at once add its records once', async () => {
  const files = await Promise.all(Array.from({ length: 10 }, () => upload('a\n1\n2\n3\n', { dataset: 'at-once' })));
  await api.runIngest();
  const states = await Promise.all(files.map(({ id }) => read(id)));
  expect(states.map(({ status }) => status)).toEqual(Array(10).fill('ready'));
  expect(states.filter(({ metadata }) => metadata.duplicateOf === null)).toHaveLength(1);
  expect(await records('at-once')).toHaveLength(3);
});

test.each([
  ['an empty file', '', 'file_empty', null],
  ['a file of a header alone', 'a,b\n', 'file_empty', 'text/csv'],
  ['a PDF that is called CSV', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n', 'format_unsupported', 'application/pdf'],
])('%s fails with a message for people', async (_what, content, code, mimeType) => {
  const file = await ingested(Buffer.from(content, 'latin1'), { dataset: 'unreadable' });
  expect(file).toMatchObject({ status: 'failed', mimeType, metadata: { errorCode: code } });
  expect(file.errorMessage).toMatch(/\w+ \w+ \w+/);
});

test('a file of which no row can be read has failed', async () => {
  const file = await ingested('a,b\n1,2,3\n', { dataset: 'hopeless' });
  expect(file).toMatchObject({ status: 'failed', metadata: { errorCode: 'no_readable_rows', rejected: 1 } });
});

describe('a request that is refused', () => {
  const storedFiles = async (): Promise<string[]> => {
    const folder = api.service.env.STORAGE_URL.slice('file:'.length);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  test.each([
    ['an option of another kind', { decimalSeparator: ';' }, '/decimalSeparator'],
    ['an unknown option', { delimeter: ';' }, '/delimeter'],
    ['an encoding that is not known', { encoding: 'ebcdic' }, '/encoding'],
    ['a format of dates that is none', { dateFormat: 'yesterday' }, '/dateFormat'],
    ['a delimiter of two characters', { delimiter: ';;' }, '/delimiter'],
    ['a file to replace that is not there', { replaces: '01994e70-2b30-7c51-9c11-2f4e6a8b0c3d' }, '/replaces'],
    ['a sheet of a text', { sheet: 'S' }, '/sheet'],
    ['a path in a table', { path: 'items' }, '/path'],
    ['a switch that is none', { fromColumns: 'maybe' }, '/fromColumns'],
    ['a format that is none', { format: 'pdf' }, '/format'],
    ['an identity that is none', { identity: 'maybe' }, '/identity'],
  ])('%s is named, and nothing is left of the file', async (_what, fields, path) => {
    const before = await storedFiles();
    const call = tenant.api.post(`/v1/data-sources/${source}/files`);
    for (const [name, value] of Object.entries(fields)) void call.field(name, value);
    const { body } = await call.attach('file', Buffer.from('a\n1\n'), { filename: 'a.csv' }).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
    expect(await storedFiles()).toEqual(before);
  });

  test('a form without a file is named', async () => {
    const { body } = await tenant.api.post(`/v1/data-sources/${source}/files`).field('dataset', 'x').expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/file', code: 'required' }] });
  });

  test('a body that is not a form is an unsupported media type', async () => {
    await tenant.api.post(`/v1/data-sources/${source}/files`, { file: 'a' }).expect(415);
  });

  test('a data source that is not there is not found', async () => {
    await tenant.api
      .post(`/v1/data-sources/${tenant.tenantId}/files`)
      .attach('file', Buffer.from('a'), { filename: 'a.csv' })
      .expect(404);
  });
});

test('with one key an upload is carried out once, and answered alike', async () => {
  const post = (content: string) =>
    tenant.api
      .post(`/v1/data-sources/${source}/files`)
      .set('idempotency-key', 'upload-1')
      .attach('file', Buffer.from(content), { filename: 'k.csv' });
  const first = await post('a\n1\n').expect(202);
  const second = await post('a\n1\n').expect(202).expect('idempotent-replayed', 'true');
  expect(second.text).toBe(first.text);
  await post('a\n2\n').expect(422);
  const { body } = await tenant.api.get(`/v1/data-sources/${source}/files?limit=1000`).expect(200);
  expect((body as FileBody[]).filter(({ originalName }) => originalName === 'k.csv')).toHaveLength(1);
});

test('another tenant sees nothing of it', async () => {
  const { id } = await upload('a\n1\n', { dataset: 'mine' });
  const other = await api.newTenant();
  const otherSource = await newSource(other.api);
  for (const at of [source, otherSource]) {
    await other.api.get(`/v1/data-sources/${at}/files/${id}`).expect(404);
    await other.api.get(`/v1/data-sources/${at}/files/${id}/errors`).expect(404);
  }
  await other.api.get(`/v1/data-sources/${source}/files`).expect(404);
  const { body } = await other.api.get(`/v1/data-sources/${otherSource}/files`).expect(200);
  expect(body).toEqual([]);
});
