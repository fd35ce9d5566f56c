import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createStorage, queueClasses } from '@tieout/infra';
import { startS3Server } from '@tieout/testing';
import {
  beginUpload,
  createDataset,
  createField,
  createFieldsFromColumns,
  deleteDataset,
  failFileOfWorker,
  ingestFile,
  listFileErrors,
  normaliseInPlace,
  processRecords,
  reprocessDataset,
  sweepFiles,
  tenantScope,
  updateField,
} from '../..';
import { csv, dying, many, useFileBench } from '../../testing/file-bench';

const bench = useFileBench();
const { upload, ingest, ingested, fileOf, records } = bench;

test('a file that dies in any chunk, again and again, brings every row once', async () => {
  const { id } = await upload(csv(many));
  for (const call of [1, 2, 1, 2, 1])
    await ingest(id, dying(call)).catch((error: Error) => expect(error.message).toBe('killed'));
  await ingest(id);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many, failedRows: 0, rejectedRows: 0 });
  const ids = (await records()).map(({ data }) => data['id']);
  expect(ids).toEqual(Array.from({ length: many }, (_, i) => String(i)));
});

test('a file that two workers read at a time brings every row once', async () => {
  const { id } = await upload(csv(many));
  await Promise.all([ingest(id), ingest(id), ingest(id)]);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many });
  expect(await records()).toHaveLength(many);
});

test('a file that is done with is not read again', async () => {
  const { id } = await upload(csv(3));
  await ingest(id);
  await ingest(id);
  expect(await records()).toHaveLength(3);
});

test('a file makes way for others, and goes on where it was', async () => {
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

test('every turn of a file brings it forward, however many others wait', async () => {
  const { id } = await upload(csv(many));
  const brought: number[] = [];
  while ((await fileOf(id)).status !== 'ready') {
    await ingestFile(bench.scope, id, {
      normalise: normaliseInPlace,
      othersWait: () => Promise.resolve(true),
      sliceMs: 0,
    });
    brought.push((await fileOf(id)).readyRows);
  }
  expect(brought).toEqual([...new Set(brought)].sort((a, b) => a - b));
});

describe('identity', () => {
  const identity = { name: 'Id', key: 'id', type: 'string', isIdentity: true } as const;

  test('rows with one identity are one record, with the data of the last', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, identity);
    const { id } = await upload(csv(many, (i) => i % 7_000));
    await ingest(id);
    const stored = await records();
    expect(stored).toHaveLength(7_000);
    expect(stored.find(({ externalId }) => externalId === '0')).toMatchObject({
      data: { amount: '7000.50' },
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

  test('fields that change while a file is read hold for all of its rows in the end', async () => {
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

  test('records that are processed anew are read as their file writes them', async () => {
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

  test('deriving fields from columns leaves the declared ones as they are, and gives no second field to a column', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'My number', key: 'number', type: 'string', sourcePath: 'id' });
    await ingested('id,number,Amount\n1,2,3.50\n', { fromColumns: true });
    const fields = await bench.scope.db.query(
      'select key, type, source_path as "sourcePath" from dataset_fields where tenant_id = $1::uuid order by id',
      [bench.scope.tenantId],
    );
    expect(fields).toEqual([
      { key: 'number', type: 'string', sourcePath: 'id' },
      { key: 'number_2', type: 'number', sourcePath: 'number' },
      { key: 'amount', type: 'amount', sourcePath: 'Amount' },
    ]);
  });

  test('a line of totals takes no type from a column, and is told where it fits none', async () => {
    const { id } = await ingested(
      'Data;Histórico;Valor\n05/02/2026;Boleto;1.234,56\n17/02/2026;Tarifa;-10,00\nTotal;;1.224,56\n',
      { fromColumns: true },
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

  test('ids of statements stay texts, whatever they look like', async () => {
    const transaction = (id: string) =>
      `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>-1.5<FITID>${id}<CHECKNUM>2026-01-05</STMTTRN>`;
    const statement = (...ids: string[]) =>
      `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>${ids.map(transaction).join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
    await ingested(statement('20260105001', '7'), { fromColumns: true });
    await ingested(statement('N2026A'));
    const stored = await records();
    expect(stored.map(({ fields }) => fields?.['transaction_id'])).toEqual(['20260105001', '7', 'N2026A']);
    expect(stored[0]?.fields).toMatchObject({ date_posted: '2026-01-05', amount: -1.5, check_number: '2026-01-05' });
  });

  test('fields made of columns after the upload read as the file is written', async () => {
    const { datasetId } = await ingested('Datum;Betrag;Konto\n31.01.2026;1.234,50;007\n01.02.2026;-7,25;123\n');
    const fields = await createFieldsFromColumns(bench.scope, datasetId, [
      { name: 'Datum' },
      { name: 'Betrag' },
      { name: 'Konto' },
    ]);
    expect(fields.map(({ type }) => type)).toEqual(['date', 'amount', 'string']);
  });

  test('texts that look like numbers to a program only stay texts', async () => {
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
  const broken = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entry.repeat(12_000)}<Ntry>`;

  test('a file that breaks off leaves no records, and can be sent again as a whole', async () => {
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

  test('a file that a worker gave up is read from its beginning when its queue job is tried again', async () => {
    const { id } = await upload(csv(many));
    await ingest(id, dying(2)).catch(() => undefined);
    await failFileOfWorker(bench.scope, id);
    expect(await fileOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_failed', readyRows: 0 });
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ status: 'ready', readyRows: many, errorMessage: null });
    expect(await records()).toHaveLength(many);
  });

  test('content whose first file has failed belongs to the next one', async () => {
    const first = await upload(csv(3));
    await failFileOfWorker(bench.scope, first.id);
    const second = await upload(csv(3));
    await ingest(second.id);
    expect(await fileOf(second.id)).toMatchObject({ status: 'ready', duplicateOf: null, readyRows: 3 });
  });

  test('a hundred thousand bad rows are kept, and the good ones go in', async () => {
    const bad = 100_000;
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

describe('the sweep', () => {
  const age = (id: string, seconds: number): Promise<number> =>
    bench.scope.db.execute(
      `update data_source_files set updated_at = now() - make_interval(secs => $3::int) where tenant_id = $1::uuid and id = $2::uuid`,
      [bench.scope.tenantId, id, seconds],
    );

  async function receivingFile(): Promise<{ id: string; path: string; ageSeconds: number }> {
    const [row] = await bench.scope.db.query<{ id: string; path: string; ageSeconds: number }>(
      `select id, file_path as path, extract(epoch from now() - updated_at)::float8 as "ageSeconds"
         from data_source_files where tenant_id = $1::uuid and status = 'receiving'`,
      [bench.scope.tenantId],
    );
    if (!row) throw new Error('no file is being received');
    return row;
  }

  test('what an upload that was cut off left in the storage goes after some minutes', async () => {
    const begun = await beginUpload(bench.scope, bench.source);
    await begun.store(Readable.from([Buffer.from('a')]));
    const { id, path } = await receivingFile();
    await age(id, 11 * 60);
    await sweepFiles(bench.service.deps);
    expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
    await expect(bench.scope.storage.open(path)).rejects.toThrow('holds nothing');
    await begun.discard();
  });

  test('an upload that the disk does not take is refused as one to be sent again, and leaves nothing', async () => {
    const noDirectory = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-uploads-')), 'file');
    fs.writeFileSync(noDirectory, '');
    const begun = await beginUpload(
      tenantScope({ ...bench.service.deps, storage: createStorage(`file:${noDirectory}`) }, bench.scope.tenantId),
      bench.source,
    );
    await expect(begun.store(Readable.from([Buffer.from('a')]))).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'Files cannot be stored at the moment: send it again later',
    });
    await bench.scope.db.orm.dataSourceFile.deleteMany({ where: { status: 'receiving' } });
    await begun.discard();
    expect(fs.statSync(noDirectory).isFile()).toBe(true);
    fs.rmSync(path.dirname(noDirectory), { recursive: true });
  });

  test('an upload that goes on is let be, however long it takes', async () => {
    const begun = await beginUpload(bench.scope, bench.source, 5);
    const { id } = await receivingFile();
    await age(id, 3 * 3600);
    while ((await receivingFile()).ageSeconds > 60);
    await sweepFiles(bench.service.deps);
    expect((await receivingFile()).id).toBe(id);
    await begun.discard();
  });

  test('the files of a deleted dataset are gone at once, and their bytes with the next sweep', async () => {
    const { id, filePath, datasetId } = await upload(csv(3));
    await ingest(id);
    await deleteDataset(bench.scope, datasetId);
    await expect(fileOf(id)).rejects.toMatchObject({ code: 'data_source_file_not_found' });
    await sweepFiles(bench.service.deps);
    await expect(bench.scope.storage.open(filePath)).rejects.toThrow('holds nothing');
    expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
  });

  test('a file that came in while its dataset was deleted goes as well', async () => {
    const { id, filePath, datasetId } = await upload(csv(3));
    // As another upload sees it: the deletion had looked for the files of the dataset before.
    await bench.scope.db.orm.dataset.deleteMany({ where: { id: datasetId } });
    await ingest(id);
    await age(id, 120);
    await sweepFiles(bench.service.deps);
    await expect(bench.scope.storage.open(filePath)).rejects.toThrow('holds nothing');
    expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
  });

  test('a dataset that is deleted while a file is read ends the reading', async () => {
    const { id, datasetId } = await upload(csv(many));
    let calls = 0;
    await ingest(id, async (fields, rows) => {
      if (++calls === 2) await deleteDataset(bench.scope, datasetId);
      return normaliseInPlace(fields, rows);
    });
    const [left] = await bench.scope.db.query<{ count: number }>(
      'select count(*)::int as count from records where tenant_id = $1::uuid',
      [bench.scope.tenantId],
    );
    expect(left?.count).toBe(0);
  });

  test('a file whose queue job is lost is enqueued again', async () => {
    const { id } = await upload(csv(3));
    const queue = queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue('ingest');
    await queue.waitUntilReady();
    await queue.obliterate({ force: true });
    await age(id, 120);
    await sweepFiles(bench.service.deps);
    expect((await queue.getJobs()).map((job) => job.id)).toEqual([`file-${id}-0`]);
    await queue.close();
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
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-31</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>',
    'camt.053',
    [{ amount: -12.5, currency: 'EUR', booking_date: '2026-01-31' }],
  ],
])('rows of %s become records', async (_what, content, format, data) => {
  const { id } = await upload(content);
  await ingest(id);
  expect(await fileOf(id)).toMatchObject({ status: 'ready', detected: { format } });
  expect((await records()).map((record) => record.data)).toMatchObject(data);
});
