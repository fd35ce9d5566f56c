import {
  newSource,
  recordsIn,
  startTestApi,
  uploadTo,
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

const records = (dataset: string): Promise<ReadRecord[]> => recordsIn(tenant.api, dataset);

describe('a preview', () => {
  const preview = (
    content: string | Buffer,
    { filename = 'lines.csv', ...fields }: Record<string, string> = {},
    status = 200,
  ) => {
    let call = tenant.api.post('/v1/files/preview').attach('file', Buffer.from(content), { filename });
    for (const [name, value] of Object.entries(fields)) call = call.field(name, value);
    return call.expect(status).then(({ body }) => body as Record<string, unknown>);
  };
  const statement = 'Account;DE12\nDate;Text;Amount\n01.02.2026;A;-16,52\n02.02.2026;B;soon\n03.02.2026;C;1,00\n';

  test('of a file of which it reads the beginning alone leaves the files of other requests open', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `${i},1.50,${'x'.repeat(40)}`);
    const long = ['id,amount,text', ...lines].join('\n');
    const rounds = Array.from({ length: 5 }, (_, i) => [preview(long), upload(long, { dataset: `long ${i}` })]);
    expect(await Promise.all(rounds.flat())).toMatchObject([
      { rows: { length: 50 } },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  test('shows the reading, the rows as they would be and the wrong cells, and stores nothing', async () => {
    const { id } = (await tenant.api.post('/v1/datasets', { name: 'previewed' }).expect(201)).body as { id: string };
    await tenant.api.post(`/v1/datasets/${id}/fields`, {
      name: 'Amount',
      key: 'amount',
      type: 'amount',
      sourcePath: 'Amount',
    });
    const shown = await preview(statement, { dataset: 'previewed' });
    expect(shown).toMatchObject({
      format: 'csv',
      headers: ['Date', 'Text', 'Amount'],
      reading: { delimiter: ';', encoding: 'utf-8', header_row: 2, confidence: 1, types: { Date: 'date' } },
      preamble: { Account: 'DE12' },
      warnings: [{ code: 'lines_skipped' }, { code: 'column_mostly_amounts', column: 'Amount' }],
      fields: [{ key: 'amount', column: 'Amount', type: 'amount' }],
      rejected: [],
    });
    expect(shown['rows']).toMatchObject([
      { line: 3, fields: { amount: -16.52 }, errors: [] },
      {
        line: 4,
        data: { Amount: 'soon' },
        fields: {},
        errors: [{ column: 'Amount', field: 'amount', code: 'invalid_amount' }],
      },
      { line: 5, fields: { amount: 1 }, errors: [] },
    ]);
    expect(await records('previewed')).toEqual([]);
    expect((await tenant.api.get(`/v1/data-sources/${source}/files`).expect(200)).body).not.toContainEqual(
      expect.objectContaining({ sizeBytes: statement.length }),
    );
  });

  test('reads by the options of an upload, and says what the columns would become', async () => {
    const shown = await preview('1;2\n01/02/2026;1,5\n', { skipLines: '1', header: 'false', dateFormat: 'DD/MM/YYYY' });
    expect(shown).toMatchObject({
      reading: { header_row: null, skip_lines: 1 },
      rows: [{ line: 2, fields: { column_1: '2026-02-01', column_2: 1.5 } }],
    });
  });

  test('shows the first 50 rows, and those that cannot be read among them', async () => {
    const shown = await preview(`a,b\n1,2\n3,4,5\n${'6,7\n'.repeat(5_000)}8,9,10\n`);
    expect(shown['rows']).toHaveLength(50);
    expect(shown['rejected']).toMatchObject([{ line: 3, code: 'too_many_columns' }]);
  });

  test.each([
    ['%PDF-1.7', {}, '/file', 'format_unsupported'],
    ['', {}, '/file', 'file_empty'],
    ['date;amount\n', {}, '/file', 'file_empty'],
    ['[1,2,3]', {}, '/file', 'no_readable_rows'],
    ['{"a":1,', {}, '/file', 'no_readable_rows'],
    ['a;b\n\xe9;2\n', { sheet: 'S' }, '/sheet', 'option_invalid'],
    [statement, { path: 'items' }, '/path', 'option_invalid'],
    [statement, { headerRow: '90' }, '/headerRow', 'option_invalid'],
    [statement, { dateFormat: 'dd.mm.yyyy' }, '/dateFormat', 'option_invalid'],
    [statement, { encoding: 'klingon' }, '/encoding', 'option_invalid'],
  ])('of what cannot be read is refused with the reason: %j', async (content, fields, path, code) => {
    expect(await preview(content, fields, 400)).toMatchObject({ code: 'validation_error', errors: [{ path, code }] });
  });

  test.each(['hello\n', 'Dear all,\nplease find the numbers of this month below.\nBest regards, Ann\n'])(
    'and an upload say of a text that is named as a workbook that it is none: %j',
    async (content) => {
      const told = expect.stringContaining('named .xlsx, but its content is plain text and no workbook') as string;
      const refused = await preview(content, { filename: 'sales.xlsx' }, 400);
      expect(refused).toMatchObject({ errors: [{ path: '/file', message: told }] });
      const { id } = await upload(content, { dataset: `named ${content.length}` }, 'sales.xlsx');
      await api.runIngest();
      const { body } = await tenant.api.get(`/v1/data-sources/${source}/files/${id}`).expect(200);
      expect(body).toMatchObject({ status: 'failed', errorMessage: told });
    },
  );

  test('names the options that settle a warning', async () => {
    const { warnings } = await preview('no,day\n1,01/02/2024\n2,03/04/2024\n');
    expect(warnings).toMatchObject([
      {
        code: 'ambiguous_date',
        remedies: [
          { option: 'dateFormat', value: 'DD/MM/YYYY' },
          { option: 'dateFormat', value: 'MM/DD/YYYY' },
        ],
      },
    ]);
  });

  test('leaves out the totals below a table', async () => {
    const shown = await preview('date;text;amount\n2026-02-01;A;1,00\n2026-02-02;B;2,50\nTotal;;3,50\n');
    expect(shown).toMatchObject({ rows: [{ line: 2 }, { line: 3 }], warnings: [{ code: 'footer_skipped', count: 1 }] });
  });

  test.each([
    ['paid,n\nyes please,1\nno thanks,2\n', 'no_ready_rows'],
    ['other,n\n1,2\n', 'no_field_values'],
  ])('says that nothing would be kept of %j', async (content, code) => {
    const dataset = `flags ${code}`;
    const { id } = (await tenant.api.post('/v1/datasets', { name: dataset }).expect(201)).body as { id: string };
    await tenant.api.post(`/v1/datasets/${id}/fields`, { name: 'Paid', key: 'paid', type: 'boolean' }).expect(201);
    expect((await preview(content, { dataset }))['warnings']).toMatchObject([{ code }]);
  });

  test('needs a file', async () => {
    await tenant.api.post('/v1/files/preview').field('dataset', 'x').expect(400);
  });
});
