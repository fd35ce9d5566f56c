import fc from 'fast-check';
import { newId } from '@tieout/infra';
import { lockWaiters } from '@tieout/testing';
import { createDataset, createField, failFileOfWorker, ingestRecord, type FileOptions } from '../..';
import { csv, dying, many, useFileBench } from '../../../testing/file-bench';

const bench = useFileBench();
const { upload, ingest, ingested, fileOf, records } = bench;
const same = { equalRows: 'same' } as const;

describe('readings of one content', () => {
  const text = 'a;b\n1.234;x\n2,5;y\n';

  test('the same reading with explicit options is a duplicate', async () => {
    const first = await ingested(text);
    const again = await ingested(text, { delimiter: ';', encoding: 'utf-8' });
    expect(again).toMatchObject({ status: 'ready', duplicateOf: first.id, replaces: null });
    expect(await records()).toHaveLength(2);
  });

  test('another reading replaces the rows of the first', async () => {
    const wrong = await ingested(text, { delimiter: ',' });
    const right = await ingested(text);
    expect(right).toMatchObject({ status: 'ready', duplicateOf: null, replaces: wrong.id });
    expect(await fileOf(wrong.id)).toMatchObject({ replacedBy: right.id });
    expect((await records()).map(({ data }) => data)).toEqual([
      { a: '1.234', b: 'x' },
      { a: '2,5', b: 'y' },
    ]);
    expect(await ingested(text)).toMatchObject({ duplicateOf: right.id });
  });

  test('rows identified by content stay the same records under another decimal separator', async () => {
    const { datasetId } = await ingested(text, same);
    await createField(bench.scope, datasetId, { name: 'A', key: 'a', type: 'amount' });
    const before = (await records()).map(({ id }) => id);
    await ingested(text, { ...same, decimalSeparator: '.' });
    await ingested(text, { ...same, decimalSeparator: ',' });
    expect((await records()).map(({ id }) => id)).toEqual(before);
    expect((await records()).map(({ fields }) => fields)).toEqual([{ a: 1234 }, { a: 2.5 }]);
  });

  test('a replaced reading can be restored', async () => {
    await ingested(text);
    await ingested(text, { delimiter: ',' });
    expect(await ingested(text)).toMatchObject({ duplicateOf: null });
    expect(await records()).toHaveLength(2);
  });

  test('records whose identity only the wrong reading gave are removed with it', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'Id', key: 'a', type: 'string', isIdentity: true });
    await ingested('a;b|c\n1|2;3\n', { delimiter: '|', header: false });
    await ingested('a;b|c\n1|2;3\n', { delimiter: ';' });
    expect((await records()).map(({ externalId }) => externalId)).toEqual(['1|2']);
  });

  test('a reading without a stored row replaces nothing', async () => {
    await ingested('a;b\n1;2\n');
    expect(await ingested('a;b\n1;2\n', { dateFormat: 'DD/MM/YYYY', sheet: 'x', format: 'json' })).toMatchObject({
      status: 'failed',
    });
    expect(await records()).toHaveLength(1);
  });

  test('totals below a table are not records, a warning names them, and footer=false keeps them', async () => {
    const totalled = `date;text;amount\n${'2026-02-01;A;1,00\n'.repeat(3_000)}Total;;3.000,00\n`;
    const file = await ingested(totalled);
    const message = expect.stringMatching(/^Line 3002 .*"Total 3.000,00"/) as string;
    const warnings = [{ code: 'footer_skipped', count: 1, message }];
    expect(file).toMatchObject({ readyRows: 3_000, rejectedRows: 0, detected: { warnings } });
    const all = await ingested(totalled, { footer: false });
    expect(all).toMatchObject({ readyRows: 3_001, replaces: file.id, detected: { warnings: [] } });
  });

  test('a file that is read again after a failure on our side tells its footer once', async () => {
    const { id } = await upload('date;text;amount\n2026-02-01;A;1,00\nTotal;;1,00\n');
    await ingest(id);
    await bench.scope.db.execute(
      `update data_source_files set status = 'processing' where tenant_id = $1::uuid and id = $2::uuid`,
      [bench.scope.tenantId, id],
    );
    await failFileOfWorker(bench.scope, id);
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ readyRows: 1, detected: { warnings: [{ code: 'footer_skipped' }] } });
  });

  test('fields from columns are derived from a duplicate', async () => {
    await ingested(text);
    expect(await ingested(text, { fromColumns: true })).toMatchObject({ duplicateOf: expect.any(String) as string });
    expect(await bench.scope.db.orm.datasetField.count()).toBe(2);
  });
});

test('a row without identity is a new record in every file', async () => {
  await ingested('a\n1\n2\n');
  expect(await ingested('a\n1\n3\n')).toMatchObject({ readyRows: 2, repeatedRows: 0 });
  expect((await records()).map(({ data }) => data['a'])).toEqual(['1', '2', '1', '3']);
});

test('a corrected file that names the one it replaces stores no row twice', async () => {
  const first = await ingested('a,b\n1,x\n2,y,z\n');
  const corrected = await ingested('a,b\n1,x\n2,y\n', { replaces: first.id });
  expect(await fileOf(first.id)).toMatchObject({ replacedBy: corrected.id });
  expect((await records()).map(({ data }) => data['b'])).toEqual(['x', 'y']);
});

describe('a corrected file', () => {
  /** Confirms a match of each record with a record that does not exist. */
  const confirmAll = (): Promise<unknown> =>
    bench.scope.db.execute(
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision,
                            explanation, review_status, reviewed_at)
       select gen_random_uuid(), tenant_id, $2::uuid, $2::uuid, id, gen_random_uuid(), 1, 'MATCH', '{}',
              'confirmed', now()
         from records where tenant_id = $1::uuid`,
      [bench.scope.tenantId, newId()],
    );
  const reviewed = async (): Promise<unknown[]> => {
    const rows = await bench.scope.db.query<{ data: { a: string } }>(
      `select r.data from matches m join records r on r.id = m.left_record_id
        where m.tenant_id = $1::uuid and r.tenant_id = $1::uuid and m.review_status is not null`,
      [bench.scope.tenantId],
    );
    return rows.map(({ data }) => data.a).sort();
  };

  test.each<[string, FileOptions, FileOptions]>([
    ['new to new', {}, {}],
    ['same to new', same, {}],
    ['new to same', {}, same],
    ['same to same', same, same],
  ])('lets equal rows keep their records and reviews, and counts what is lost: %s', async (_how, before, after) => {
    const first = await ingested('a,b\n1,x\n1,x\n2,y\n3,z\n', before);
    const ids = new Map((await records()).map(({ id, data }) => [id, data['a']]));
    await confirmAll();
    const corrected = await ingested('a,b\n3,z\n1,x\n2,Y\n1,x\n1,x\n', { ...after, replaces: first.id });
    const stored = await records();
    expect(stored.map(({ data }) => data['a']).sort()).toEqual(['1', '1', '1', '2', '3']);
    expect(stored.filter(({ id }) => ids.has(id)).map(({ data }) => data['a'])).toEqual(['1', '1', '3']);
    expect(stored.filter(({ id }) => ids.has(id)).map(({ revision }) => revision)).toEqual(
      before === same && after === same ? [2, 2, 2] : [1, 1, 1],
    );
    expect(await reviewed()).toEqual(['1', '1', '3']);
    expect(corrected.detected?.warnings).toMatchObject([{ code: 'reviews_lost', count: 1 }]);
    const again = await ingested('a,b\n1,x\n', { ...after, replaces: corrected.id });
    expect((await records()).map(({ id }) => ids.get(id))).toEqual(['1']);
    expect(again.detected?.warnings).toMatchObject([{ code: 'reviews_lost', count: 2 }]);
  });

  test('whose worker dies while it replaces another loses no record', async () => {
    const first = await ingested(csv(many));
    const { id } = await upload(csv(many).replace('5.50', '5.51'), { replaces: first.id });
    for (const call of [2, 1, 3]) await ingest(id, dying(call)).catch(() => undefined);
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ readyRows: many, repeatedRows: many - 1 });
    expect(await records()).toHaveLength(many);
  });

  test('in another notation keeps its records with other values', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'A', key: 'a', type: 'amount' });
    await ingested('a;b\n1.234;x\n5;y\n', { decimalSeparator: '.' });
    const before = (await records()).map(({ id }) => id);
    await ingested('a;b\n1.234;x\n5;y\n', { decimalSeparator: ',' });
    expect((await records()).map(({ id, fields, revision }) => [id, fields, revision])).toEqual([
      [before[0], { a: 1234 }, 2],
      [before[1], { a: 5 }, 1],
    ]);
  });
});

describe('a corrected file keeps the records of others', () => {
  const ids = async (): Promise<string[]> => (await records()).map(({ data }) => String(data['id'])).sort();

  const identified = async (): Promise<void> => {
    const { id } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, id, { name: 'Id', key: 'id', type: 'string', isIdentity: true });
  };

  test.each(['identity', 'content'])('another file, its rows identified by %s', async (by) => {
    if (by === 'identity') await identified();
    await ingested('id\nT1\nT2\n', same);
    const february = await ingested('id\nT2\nT3\nT4\n', same);
    await ingested('id\nT3\n', { ...same, replaces: february.id });
    expect(await ids()).toEqual(['T1', 'T2', 'T3']);
  });

  test('the API', async () => {
    await identified();
    await ingestRecord(bench.scope, { dataset: 'lines', body: { id: 'T2' } });
    const february = await ingested('id\nT2\nT3\n');
    await ingested('id\nT4\n', { replaces: february.id });
    expect(await ids()).toEqual(['T2', 'T4']);
  });

  test.each([
    [
      'the removal waits for a job that completes',
      `select pg_advisory_xact_lock(hashtextextended('records of ' || dataset_id, 0))
         from records where tenant_id = $1::uuid limit 1`,
    ],
    [
      'the removal waits for the counters',
      `select pg_advisory_xact_lock(hashtextextended('live figures ' || $1::uuid, 0))`,
    ],
  ])('the API, while %s', async (_, lock) => {
    await identified();
    const february = await ingested('id\nT2\nT3\n');
    await bench.scope.db.execute(
      `insert into matches
         (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)
       select gen_random_uuid(), tenant_id, gen_random_uuid(), gen_random_uuid(), id, gen_random_uuid(), 1,
              'MATCH', '{}'
         from records where tenant_id = $1::uuid`,
      [bench.scope.tenantId],
    );
    const corrected = await upload('id\nT4\n', { replaces: february.id });
    const [removing] = await bench.scope.transaction(async ({ db }) => {
      await db.execute(lock, [bench.scope.tenantId]);
      const ingesting = ingest(corrected.id);
      await lockWaiters(bench.service.deps.db.system, 1);
      await ingestRecord(bench.scope, { dataset: 'lines', externalId: 'T2', body: { id: 'T2', sent: true } });
      return [ingesting];
    });
    await removing;
    expect((await records()).map(({ data }) => data)).toEqual([{ id: 'T2', sent: true }, { id: 'T4' }]);
  });

  test('another file, when its own content is read in another way', async () => {
    await identified();
    await ingested('id;v\nT1;1\nT2;1\n');
    await ingested('id;v\nT2;1,5\nT3;1\n', { delimiter: ';' });
    await ingested('id;v\nT2;1,5\nT3;1\n', { delimiter: ',' });
    expect(await ids()).toEqual(expect.arrayContaining(['T1', 'T2']));
  });

  test('no record of its own, however often it is corrected', async () => {
    await identified();
    const january = await ingested('id\nT1\nT2\n');
    const corrected = await ingested('id\nT1\nT2\nT3\n', { replaces: january.id });
    await ingested('id\nT1\n', { replaces: corrected.id });
    expect(await ids()).toEqual(['T1']);
  });

  test('older records, when a failed file is removed', async () => {
    await identified();
    await ingested('id,amount\n0,1\n');
    const { id } = await upload(csv(many));
    await ingest(id, dying(3)).catch(() => undefined);
    await failFileOfWorker(bench.scope, id);
    expect(await ids()).toEqual(['0']);
  });
});

describe('identity fields that are declared after a file was read', () => {
  const text = 'id\n1\n2\n';

  const declaredAfter = async (): Promise<string> => {
    const { id, datasetId } = await ingested(text);
    await createField(bench.scope, datasetId, { name: 'Id', key: 'id', type: 'string', isIdentity: true });
    return id;
  };

  test('the next file warns that records have no identity', async () => {
    await declaredAfter();
    expect((await ingested('id\n1\n3\n')).detected?.warnings).toMatchObject([{ code: 'records_without_identity' }]);
    expect(await records()).toHaveLength(4);
  });

  test('the same content, sent to replace that file, gives its records their identity', async () => {
    const first = await declaredAfter();
    const again = await ingested(text, { replaces: first });
    expect(again).toMatchObject({ status: 'ready', duplicateOf: null, replaces: first, detected: { warnings: [] } });
    expect((await records()).map(({ externalId }) => externalId)).toEqual(['1', '2']);
    expect((await ingested('id\n2\n3\n')).detected?.warnings).toEqual([]);
    expect(await records()).toHaveLength(3);
  });
});

describe('a file of which nothing is kept', () => {
  test.each<[string, string, object]>([
    ['all rows fail their field', 'a,b\nx,1\ny,2\n', { code: 'no_ready_rows', count: 2 }],
    ['no field reads a column', 'b,c\n1,2\n', { code: 'no_field_values' }],
    ['the columns of the fields are empty', 'a,b\n,2\n', { code: 'no_field_values' }],
  ])('says so where %s', async (_what, text, warning) => {
    const { datasetId } = await ingested('a\n1\n');
    await createField(bench.scope, datasetId, { name: 'A', key: 'a', type: 'amount' });
    expect((await ingested('a,b\n1,x\n,y\n')).detected?.warnings).toEqual([]);
    const { detected } = await ingested(text);
    expect(detected?.warnings).toMatchObject([warning]);
    expect(detected?.warnings?.[0]?.message).toContain('"a"');
  });
});

describe('rows identified by content', () => {
  const equal = (n: number, other: string): string => `a\n${'same\n'.repeat(n)}${other}\n`;

  test('a corrected file adds its new rows, and stores nothing twice', async () => {
    await ingested('a,b\n1,x\n1,x\n2,y,z\n3,w\n', same);
    const before = (await records()).map(({ id }) => id);
    const corrected = await ingested('a,b\n1,x\n1,x\n2,y\n3,w\n', same);
    expect(corrected).toMatchObject({ status: 'ready', readyRows: 4, repeatedRows: 3, replaces: null });
    expect((await records()).map(({ id }) => id).filter((id) => before.includes(id))).toEqual(before);
    expect((await records()).map(({ data }) => data['b']).sort()).toEqual(['w', 'x', 'x', 'y']);
  });

  test('each of several equal rows of one file is a record, wherever they stand', async () => {
    await ingested(equal(3, 'x'), same);
    const padded = 'same\n' + Array.from({ length: 1_500 }, (_, i) => `${i}\n`).join('');
    await ingested(`a\n${padded.repeat(3)}same\n`, same);
    expect((await records()).filter(({ data }) => data['a'] === 'same')).toHaveLength(4);
    expect(await records()).toHaveLength(4 + 3 * 1_500 + 1);
  });

  test('a file that repeats one row many times stores each repetition', async () => {
    await ingested(equal(2_500, 'x'), same);
    await ingested(equal(5_000, 'y'), same);
    expect(await records()).toHaveLength(5_000 + 2);
  });

  test('a dataset has the max number of equal rows of any file, and reading files again changes nothing', async () => {
    const file = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
        const dataset = `run ${++run}`;
        for (const rows of [...files, ...files]) await ingested(`x\n${rows.join('\n')}\n`, { ...same, dataset });
        const stored = (await records(dataset)).map(({ data }) => data['x']);
        for (const row of ['a', 'b', 'c']) {
          const maxEqual = Math.max(...files.map((rows) => rows.filter((other) => other === row).length));
          expect(stored.filter((other) => other === row)).toHaveLength(maxEqual);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('a file without the option adds new records, and later files do not find them', async () => {
    await ingested(equal(2, 'x'), same);
    await ingested(equal(2, 'y'));
    expect(await ingested(equal(2, 'z'), same)).toMatchObject({ repeatedRows: 2 });
    expect(await records()).toHaveLength(7);
  });

  test('a corrected file whose worker dies in any chunk stores every row once', async () => {
    await ingested(csv(many), same);
    const { id } = await upload(csv(many).replace('5.50', '5.51'), same);
    for (const call of [2, 1, 3])
      await ingest(id, dying(call)).catch((error: Error) => expect(error.message).toBe('killed'));
    await ingest(id);
    expect(await fileOf(id)).toMatchObject({ readyRows: many, repeatedRows: many - 1 });
    expect(await records()).toHaveLength(many + 1);
  });

  test('a file that a worker gave up keeps older records, and can be read again', async () => {
    await ingested(csv(many), same);
    const { id } = await upload(csv(many).replaceAll('11.50', '11.51'), same);
    await ingest(id, dying(3)).catch(() => undefined);
    await failFileOfWorker(bench.scope, id);
    expect(await records()).toHaveLength(many);
    await ingest(id);
    const changed = (await fileOf(id)).readyRows - (await fileOf(id)).repeatedRows;
    expect(await records()).toHaveLength(many + changed);
  });

  test('an upload can name the file it replaces, and removes the rows that it no longer has', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'B', key: 'b', type: 'amount' });
    const first = await ingested('a,b\n1,1.5\n2,many\n', same);
    const second = await ingested('a,b\n1,1.5\n2,2.5\n', { ...same, replaces: first.id });
    expect(second).toMatchObject({ replaces: first.id, readyRows: 2, repeatedRows: 1 });
    expect((await records()).map(({ fields }) => fields)).toEqual([{ b: 1.5 }, { b: 2.5 }]);
  });

  test('an unknown file, or one of another dataset, cannot be replaced', async () => {
    const other = await ingested('a\n1\n', { dataset: 'other' });
    for (const replaces of [other.id, newId()]) {
      await expect(upload('a\n2\n', { replaces })).rejects.toMatchObject({
        code: 'validation_error',
        errors: [{ path: '/replaces' }],
      });
    }
  });
});

test('concurrently read files of one dataset keep their equal rows apart', async () => {
  const files = await Promise.all([1, 2, 3].map((n) => upload(`a\n${'same\n'.repeat(2_500)}${n}\n`, same)));
  const open = async (): Promise<string[]> => {
    const states = await Promise.all(files.map(({ id }) => fileOf(id)));
    return states.filter(({ status }) => status !== 'ready').map(({ id }) => id);
  };
  for (let left = await open(); left.length > 0; left = await open()) await Promise.all(left.map((id) => ingest(id)));
  expect(await records()).toHaveLength(2_500 + 3);
});
