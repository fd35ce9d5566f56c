import { createStorage } from '@tieout/infra';
import { startS3Server } from '@tieout/testing';
import {
  createDataset,
  createField,
  createFieldsFromColumns,
  failFileOfWorker,
  ingestFile,
  listFileErrors,
  normaliseInPlace,
  processRecords,
  reprocessDataset,
  tenantScope,
  updateField,
} from '../..';
import { csv, dying, many, useFileBench } from '../../../testing/file-bench';

const bench = useFileBench();
const { upload, ingest, ingested, fileOf, records } = bench;
const camtHead = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>';

test('a file whose worker dies in any chunk, repeatedly, stores every row once', async () => {
  const { id } = await upload(csv(many));
  for (const call of [1, 2, 1, 2, 1])
    await ingest(id, dying(call)).catch((error: Error) => expect(error.message).toBe('killed'));
  await ingest(id);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many, failedRows: 0, rejectedRows: 0 });
  const ids = (await records()).map(({ data }) => data['id']);
  expect(ids).toEqual(Array.from({ length: many }, (_, i) => String(i)));
});

const name = '\u0093\u00fa\u0096\u007b';
test.each<[string, (text: string) => Buffer, string]>([
  ['utf-16le', (text) => Buffer.from(`\ufeff${text.replaceAll(name, '日本')}`, 'utf16le'), '日本'],
  ['utf-16be', (text) => Buffer.from(text.replaceAll(name, '日本'), 'utf16le').swap16(), '日本'],
  ['shift_jis', (text) => Buffer.from(text, 'latin1'), '日本'],
  ['gb18030', (text) => Buffer.from(text, 'latin1'), '擔杮'],
])(
  'a worker that dies while it reads a file in %s leaves the rest to the next one',
  async (encoding, encoded, shown) => {
    const { id } = await upload(
      encoded(`id,name\n${Array.from({ length: many }, (_, i) => `${i},${name}\n`).join('')}`),
      {
        dataset: 'lines',
        encoding,
      },
    );
    for (const call of [2, 2, 1]) await ingest(id, dying(call)).catch(() => undefined);
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many, failedRows: 0, rejectedRows: 0 });
    expect((await records()).map(({ data }) => data)).toEqual(
      Array.from({ length: many }, (_, i) => ({ id: String(i), name: shown })),
    );
  },
);

test('a file that several workers read at a time stores every row once', async () => {
  const { id } = await upload(csv(many));
  await Promise.all([ingest(id), ingest(id), ingest(id)]);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many });
  expect(await records()).toHaveLength(many);
});

test('a file that has ended is not read again', async () => {
  const { id } = await upload(csv(3));
  await ingest(id);
  await ingest(id);
  expect(await records()).toHaveLength(3);
});

test('a file yields to others, and continues at its position', async () => {
  const { id } = await upload(csv(many));
  await ingestFile(bench.scope, id, {
    normalise: normaliseInPlace,
    othersWait: () => Promise.resolve(true),
    sliceMs: 0,
  });
  const { status, readyRows } = await fileOf(id);
  expect([status, readyRows > 0, readyRows < many]).toEqual(['processing', true, true]);
  await ingest(id);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many });
});

test('every slice of a file makes progress, however many others wait', async () => {
  const { id } = await upload(csv(many));
  const readyRows: number[] = [];
  while ((await fileOf(id)).status !== 'ready') {
    await ingestFile(bench.scope, id, {
      normalise: normaliseInPlace,
      othersWait: () => Promise.resolve(true),
      sliceMs: 0,
    });
    readyRows.push((await fileOf(id)).readyRows);
  }
  expect(readyRows).toEqual([...new Set(readyRows)].sort((a, b) => a - b));
});

describe('identity', () => {
  const identity = { name: 'Id', key: 'id', type: 'string', isIdentity: true } as const;

  test('rows with one identity are one record, with the data of the last', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, identity);
    const { id } = await upload(csv(many, (i) => i % 4_000));
    await ingest(id);
    const stored = await records();
    expect(stored).toHaveLength(4_000);
    expect(stored.find(({ externalId }) => externalId === '0')).toMatchObject({
      data: { amount: '4000.50' },
      revision: 2,
    });
    expect(await fileOf(id)).toMatchObject({ readyRows: many });
  });

  test('a second file replaces the records of the first by their identity', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, identity);
    await ingested('id,amount\n1,1\n2,2\n');
    await ingested('id,amount\n2,22\n3,3\n');
    expect((await records()).map(({ data }) => data['amount'])).toEqual(['1', '22', '3']);
  });

  test('an identity can be computed by an expression', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { ...identity, key: 'key', transformExpr: '$uppercase(id)' });
    await ingested('id\na\nA\nb\n');
    expect((await records()).map(({ externalId }) => externalId).sort()).toEqual(['A', 'B']);
  });

  test('an identity that is too long rejects its row', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, identity);
    const { id } = await upload(`id\n1\n${'é'.repeat(600)}\n2\n`);
    await ingest(id);
    expect(await records()).toHaveLength(2);
    const page = await listFileErrors(bench.scope, bench.source, id, { page: 1, limit: 10 });
    expect(page.items).toMatchObject([{ line: 3, code: 'identity_too_long', raw: 'é'.repeat(512) }]);
  });
});

describe('fields', () => {
  test('a value that does not fit its field makes a failed record, and the row is counted as such', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'Amount', key: 'amount', type: 'amount' });
    const { id } = await upload('id,amount\n1,1.5\n2,many\n');
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: 1, failedRows: 1 });
    expect((await records()).map(({ status }) => status)).toEqual(['ready', 'failed']);
  });

  test('fields that change while a file is read apply to all of its rows in the end', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    const field = await createField(bench.scope, datasetId, { name: 'Note', key: 'id', type: 'string' });
    const { id } = await upload(csv(many));
    let calls = 0;
    await ingest(id, async (fields, rows) => {
      if (++calls === 2) await updateField(bench.scope, field.id, { transformExpr: '"n" & id' });
      return normaliseInPlace(fields, rows);
    });
    expect((await records()).at(-1)).toMatchObject({ fields: { id: `n${many - 1}` } });
    await reprocessDataset(bench.scope, datasetId);
    const open = await bench.scope.db.query<{ id: string }>(
      `select id from records where tenant_id = $1::uuid and status = 'received' order by id`,
      [bench.scope.tenantId],
    );
    for (let at = 0; at < open.length; at += 1000)
      await processRecords(
        bench.scope,
        open.slice(at, at + 1000).map((row) => row.id),
        normaliseInPlace,
      );
    const stored = await records();
    expect(stored.every(({ data, fields }) => fields?.['id'] === `n${data['id']}`)).toBe(true);
  });

  test('records that are processed again are read in the notation of their file', async () => {
    const { id } = await upload('Datum;Betrag\n31.01.2026;1.234,50\n01.02.2026;-7,25\n', {
      dataset: 'german',
      fromColumns: true,
    });
    await ingest(id);
    const { datasetId } = await fileOf(id);
    await createField(bench.scope, datasetId, { name: 'Paid', key: 'paid', type: 'amount', sourcePath: 'Betrag' });
    await reprocessDataset(bench.scope, datasetId);
    const ids = await bench.scope.db.query<{ id: string }>('select id from records where tenant_id = $1::uuid', [
      bench.scope.tenantId,
    ]);
    await processRecords(
      bench.scope,
      ids.map((row) => row.id),
      normaliseInPlace,
    );
    expect((await records('german')).map(({ fields }) => fields)).toEqual([
      { datum: '2026-01-31', betrag: 1234.5, paid: 1234.5 },
      { datum: '2026-02-01', betrag: -7.25, paid: -7.25 },
    ]);
  });

  test('deriving fields from columns keeps declared fields, and gives no column a second field', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'My number', key: 'number', type: 'string', sourcePath: 'id' });
    await ingested('id,number,Amount\n1,2,3.50\n', { fromColumns: true });
    const fields = await bench.scope.db.query(
      'select key, type, source_path as "sourcePath" from dataset_fields where tenant_id = $1::uuid order by id',
      [bench.scope.tenantId],
    );
    expect(fields).toEqual([
      { key: 'number', type: 'string', sourcePath: 'id' },
      { key: 'number_2', type: 'string', sourcePath: 'number' },
      { key: 'amount', type: 'amount', sourcePath: 'Amount' },
    ]);
  });

  test('a line of totals that is kept does not change the type of a column, and is listed as an error', async () => {
    const { id } = await ingested(
      'Data;Histórico;Valor\n05/02/2026;Boleto;1.234,56\n17/02/2026;Tarifa;-10,00\nTotal;;1.224,56\n',
      { fromColumns: true, footer: false },
    );
    expect((await records()).map(({ fields }) => fields)).toEqual([
      { data: '2026-02-05', historico: 'Boleto', valor: 1234.56 },
      { data: '2026-02-17', historico: 'Tarifa', valor: -10 },
      null,
    ]);
    const { items } = await listFileErrors(bench.scope, bench.source, id, { page: 1, limit: 10 });
    expect(items).toMatchObject([{ line: 4, column: 'Data', code: 'invalid_date', raw: 'Total;;1.224,56' }]);
  });

  test('a column that only the last row fills has the type of that value', async () => {
    await ingested('a,b\nx,\ny,\n,2\n', { fromColumns: true });
    expect((await records()).map(({ fields }) => fields)).toEqual([{ a: 'x' }, { a: 'y' }, { b: 2 }]);
  });

  test('ids of statements are always texts', async () => {
    const transaction = (id: string) =>
      `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>-1.5<FITID>${id}<CHECKNUM>2026-01-05</STMTTRN>`;
    const statement = (...ids: string[]) =>
      `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>${ids.map(transaction).join('')}` +
      '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
    await ingested(statement('20260105001', '7'), { fromColumns: true });
    await ingested(statement('N2026A'));
    const stored = await records();
    expect(stored.map(({ fields }) => fields?.['transaction_id'])).toEqual(['20260105001', '7', 'N2026A']);
    expect(stored[0]?.fields).toMatchObject({ date_posted: '2026-01-05', amount: -1.5, check_number: '2026-01-05' });
  });

  test('fields derived from columns after the upload use the notation of the file', async () => {
    const { datasetId } = await ingested('Datum;Betrag;Konto\n31.01.2026;1.234,50;007\n01.02.2026;-7,25;123\n');
    const fields = await createFieldsFromColumns(bench.scope, datasetId, [
      { name: 'Datum' },
      { name: 'Betrag' },
      { name: 'Konto' },
    ]);
    expect(fields.map(({ type }) => type)).toEqual(['date', 'amount', 'string']);
  });

  test('texts that only look like numbers stay texts', async () => {
    await ingested('ref;code;sum\nINV-1;007;1,50\nREF2;008;EUR 2,50\n', { fromColumns: true });
    expect((await records()).map(({ fields }) => fields)).toEqual([
      { ref: 'INV-1', code: '007', sum: 1.5 },
      { ref: 'REF2', code: '008', sum: 2.5 },
    ]);
  });
});

describe('failure', () => {
  const entry =
    '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-31</Dt></BookgDt></Ntry>';
  const broken = `<?xml version="1.0"?>${camtHead}${entry.repeat(12_000)}<Ntry>`;

  test('a truncated file leaves no records, and can be sent again as a whole', async () => {
    const { id } = await upload(broken);
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({
      status: 'failed',
      readyRows: 0,
      rejectedRows: 0,
      errorCode: 'file_damaged',
    });
    expect(await records()).toEqual([]);
  });

  test('a file that a worker gave up is read from the beginning when its queue job is retried', async () => {
    const { id } = await upload(csv(many));
    await ingest(id, dying(2)).catch(() => undefined);
    await failFileOfWorker(bench.scope, id);
    expect(await fileOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_failed', readyRows: 0 });
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many, errorMessage: null });
    expect(await records()).toHaveLength(many);
  });

  test('content whose first file has failed is read from the next one', async () => {
    const first = await upload(csv(3));
    await failFileOfWorker(bench.scope, first.id);
    const second = await upload(csv(3));
    await ingest(second.id);
    expect(await fileOf(second.id)).toMatchObject({ status: 'ready', duplicateOf: null, readyRows: 3 });
  });

  test('thousands of rejected rows are listed, and the good ones are stored', async () => {
    const bad = 20_000;
    const { id } = await upload(`a,b\n${'1,2\n1,2,3\n'.repeat(bad)}`);
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: bad, rejectedRows: bad });
    const last = await listFileErrors(bench.scope, bench.source, id, { page: bad / 100, limit: 100 });
    expect(last).toMatchObject({ total: bad });
    expect(last.items.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, i) => 2 * bad + 1 - 2 * (99 - i)),
    );
  });
});

test('files can be kept in a bucket', async () => {
  const server = await startS3Server();
  process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  const storage = createStorage(`s3://bucket/files?endpoint=${encodeURIComponent(server.url)}`);
  const inBucket = tenantScope({ ...bench.service.deps, storage }, bench.scope.tenantId);
  const { id } = await upload(csv(many), {}, inBucket);
  await ingest(id, dying(2), inBucket).catch(() => undefined);
  await ingest(id, normaliseInPlace, inBucket);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many });
  storage.close();
  await server.close();
});

test.each([
  ['NDJSON', '{"id":1,"paid":true}\n{"id":2}\n', 'ndjson', [{ id: 1, paid: true }, { id: 2 }]],
  ['JSON', '{"items":[{"id":1,"tags":["a"]},{"id":2}]}', 'json', [{ id: 1, tags: ['a'] }, { id: 2 }]],
  ['TSV', 'id\tname\n1\tÄpfel\n', 'tsv', [{ id: '1', name: 'Äpfel' }]],
  [
    'camt.053',
    `${camtHead}<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-31</Dt></BookgDt>` +
      '</Ntry></Stmt></BkToCstmrStmt></Document>',
    'camt.053',
    [{ amount: -12.5, currency: 'EUR', booking_date: '2026-01-31' }],
  ],
])('rows of %s become records', async (_format, content, format, data) => {
  const { id } = await upload(content);
  await ingest(id);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', detected: { format } });
  expect((await records()).map((record) => record.data)).toMatchObject(data);
});
