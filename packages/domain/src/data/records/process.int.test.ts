import { newId, stringifyJson } from '@tieout/infra';
import { createField, deleteRecord, type CreateField } from '../..';
import { useRecordBench } from '../../../testing/record-bench';
import type { JsonObject } from '../../kernel/ports';
import { enqueueChunks } from './enqueue';
import { normaliseInPlace, type NormaliseRecords } from './normalise';
import { processRecords } from './process';
import { getRecord } from './read';
import type { RecordError } from './record';
import { reprocessDataset } from './reprocess';

const bench = useRecordBench();
const { newDataset, post } = bench;
const amount: CreateField = { name: 'Amount', key: 'amount', type: 'amount' };

interface SeenRecord {
  status: string;
  data: JsonObject;
  fields: JsonObject | null;
  error: RecordError | null;
}

/** Reads a record as the API answers it. */
const seen = async (id: string): Promise<SeenRecord> =>
  JSON.parse(stringifyJson(await getRecord(bench.scope, id))) as SeenRecord;

async function processed(id: string): Promise<SeenRecord> {
  await processRecords(bench.scope, [id], normaliseInPlace);
  return seen(id);
}

test('a record of a dataset without fields becomes ready with no fields', async () => {
  const { name } = await newDataset();
  expect(await processed(await post(name, { amount: 1 }))).toMatchObject({ status: 'ready', fields: {}, error: null });
});

test('a record becomes ready with its normalised fields, its data untouched', async () => {
  const { name } = await newDataset(amount);
  const record = await processed(await post(name, { amount: '12.50', note: 'x' }));
  expect(record).toMatchObject({
    status: 'ready',
    fields: { amount: 12.5 },
    data: { amount: '12.50', note: 'x' },
    error: null,
  });
});

test('a value that cannot be coerced fails the record, names it, and leaves the data as it was', async () => {
  const { name } = await newDataset(amount);
  const record = await processed(await post(name, { amount: 'a lot' }));
  expect(record).toMatchObject({
    status: 'failed',
    fields: null,
    data: { amount: 'a lot' },
    error: { field: 'amount', value: 'a lot', code: 'invalid_amount' },
  });
});

test('a failed record that is sent again with valid data becomes ready and loses its error', async () => {
  const { name } = await newDataset(amount);
  const id = await post(name, { amount: 'a lot' }, 'A');
  await processed(id);
  await post(name, { amount: 3 }, 'A');
  expect(await seen(id)).toMatchObject({ status: 'received', error: null, fields: null });
  expect(await processed(id)).toMatchObject({ status: 'ready', fields: { amount: 3 }, error: null });
});

test('one chunk may hold records of several datasets, with fields and without', async () => {
  const plain = await newDataset();
  const typed = await newDataset(amount);
  const ids = [
    await post(plain.name, { amount: '1' }),
    await post(typed.name, { amount: '2' }),
    await post(typed.name, { amount: 'x' }),
  ];
  await processRecords(bench.scope, ids, normaliseInPlace);
  const states = await Promise.all(ids.map(async (id) => (await seen(id)).status));
  expect(states).toEqual(['ready', 'ready', 'failed']);
});

test('processing twice changes nothing', async () => {
  const { name } = await newDataset(amount);
  const id = await post(name, { amount: 1 });
  const first = await processed(id);
  let calls = 0;
  const counting: NormaliseRecords = (fields, records) => {
    calls++;
    return normaliseInPlace(fields, records);
  };
  await processRecords(bench.scope, [id], counting);
  expect(await seen(id)).toEqual(first);
  expect(calls).toBe(0);
});

test('results of old data never overwrite a record that was sent again meanwhile', async () => {
  const { name } = await newDataset(amount);
  const id = await post(name, { amount: 1 }, 'A');
  const slow: NormaliseRecords = async (fields, records) => {
    const results = await normaliseInPlace(fields, records);
    await post(name, { amount: 2 }, 'A');
    return results;
  };
  await processRecords(bench.scope, [id], slow);
  expect(await seen(id)).toMatchObject({ status: 'received', data: { amount: 2 }, fields: null });
  expect(await processed(id)).toMatchObject({ status: 'ready', fields: { amount: 2 } });
});

test('a record that is deleted while it is processed stays deleted', async () => {
  const { name } = await newDataset(amount);
  const id = await post(name, { amount: 1 });
  const deleting: NormaliseRecords = async (fields, records) => {
    await deleteRecord(bench.scope, id);
    return normaliseInPlace(fields, records);
  };
  await processRecords(bench.scope, [id], deleting);
  await expect(seen(id)).rejects.toMatchObject({ code: 'record_not_found' });
});

test('records of another tenant are not processed', async () => {
  const { name } = await newDataset();
  const id = await post(name, {});
  const other = await bench.newTenant();
  await processRecords(other, [id], normaliseInPlace);
  expect((await seen(id)).status).toBe('received');
});

/** Stops the clock until the end of the test, so that no slice ends on a slow machine. */
const stopClock = (): void => void jest.spyOn(performance, 'now').mockReturnValue(0);

afterEach(() => jest.restoreAllMocks());

test('records that are too heavy to be loaded together are processed in groups', async () => {
  const { name } = await newDataset(amount);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push(await post(name, { amount: i, filler: 'x'.repeat(900_000) }));
  const groups: number[] = [];
  stopClock();
  await processRecords(bench.scope, ids, (fields, records) => {
    groups.push(records.length);
    return normaliseInPlace(fields, records);
  });
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.reduce((a, b) => a + b)).toBe(12);
  expect(await seen(ids[11] as string)).toMatchObject({ status: 'ready', fields: { amount: 11 } });
});

test('the first chunk of one tenant comes before the second of another, whichever was first', async () => {
  const ids = (count: number): string[] => Array.from({ length: count }, () => newId());
  await bench.queue.drain();
  await enqueueChunks(bench.scope.queue, bench.scope.tenantId, ids(1_500));
  const other = await bench.newTenant();
  await enqueueChunks(other.queue, other.tenantId, ids(1));
  const jobs = await bench.queue.getJobs(['prioritized'], 0, -1, true);
  const order = jobs
    .sort((a, b) => a.priority - b.priority)
    .map((job) => (job.data as { payload: { tenantId: string } }).payload.tenantId);
  expect(order).toEqual([bench.scope.tenantId, other.tenantId, bench.scope.tenantId, bench.scope.tenantId]);
});

test('chunks of one tenant do not wait for all single records of another', async () => {
  await bench.queue.drain();
  for (let i = 0; i < 60; i++) await enqueueChunks(bench.scope.queue, bench.scope.tenantId, [newId()]);
  const other = await bench.newTenant();
  await enqueueChunks(
    other.queue,
    other.tenantId,
    Array.from({ length: 1_000 }, () => newId()),
  );
  const jobs = await bench.queue.getJobs(['prioritized', 'waiting'], 0, -1, true);
  const order = jobs
    .sort((a, b) => a.priority - b.priority)
    .map((job) => (job.data as { payload: { tenantId: string } }).payload.tenantId);
  expect(order.lastIndexOf(other.tenantId)).toBeLessThan(45);
});

test('results of many datasets are written before they exceed the max held at a time', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const { name } = await newDataset({
      name: 'Padded',
      key: 'padded',
      type: 'string',
      transformExpr: '$pad("", 1900000, "x")',
    });
    ids.push(await post(name, {}));
  }
  const ready = async (): Promise<number> =>
    (await bench.scope.db.query(`select 1 from records where id = any($1::uuid[]) and status = 'ready'`, [ids])).length;
  const before: number[] = [];
  stopClock();
  await processRecords(bench.scope, ids, async (fields, records) => {
    before.push(await ready());
    return normaliseInPlace(fields, records);
  });
  expect(before).toEqual([...Array.from({ length: 9 }, () => 0), 9, 9, 9]);
  expect(await ready()).toBe(12);
});

test('records that are left at the end of a slice are enqueued again', async () => {
  const { name } = await newDataset(amount);
  const ids = [await post(name, { amount: 1 }), await post(name, { amount: 2 }), await post(name, { amount: 3 })];
  const onePerSlice: NormaliseRecords = (fields, records) => normaliseInPlace(fields, records.slice(0, 1));
  await bench.queue.drain();
  await processRecords(bench.scope, ids, onePerSlice);
  const statuses = await Promise.all(ids.map(async (id) => (await seen(id)).status));
  expect(statuses.sort()).toEqual(['ready', 'received', 'received']);
  const left = await Promise.all(ids.map(async (id) => ((await seen(id)).status === 'received' ? [id] : [])));
  const jobs = (await bench.queue.getJobs(['waiting', 'prioritized'])).map(
    (job) => (job.data as { payload: { recordIds?: string[] } }).payload.recordIds,
  );
  expect(jobs).toContainEqual(expect.arrayContaining(left.flat()));
  expect(jobs).not.toContainEqual(expect.arrayContaining(ids));
});

test('reprocessing takes back every record of the dataset, and no other', async () => {
  const { id: datasetId, name } = await newDataset();
  const elsewhere = await newDataset();
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.push(await post(name, { amount: String(i) }));
  const stranger = await post(elsewhere.name, { amount: '9' });
  await processRecords(bench.scope, [...ids, stranger], normaliseInPlace);
  await createField(bench.scope, datasetId, amount);
  await reprocessDataset(bench.scope, datasetId, 3);
  const taken = await Promise.all(ids.map((id) => seen(id)));
  expect(taken.every((record) => record.status === 'received')).toBe(true);
  expect((await seen(stranger)).status).toBe('ready');
  await processRecords(bench.scope, ids, normaliseInPlace);
  expect((await seen(ids[6] as string)).fields).toEqual({ amount: 6 });
});

test('reprocessing voids results that are being computed under the old fields', async () => {
  const { id: datasetId, name } = await newDataset(amount);
  const id = await post(name, { amount: '1' });
  await processRecords(bench.scope, [id], async (fields, records) => {
    const results = await normaliseInPlace(fields, records);
    await createField(bench.scope, datasetId, { name: 'Note', key: 'note', type: 'string' });
    await reprocessDataset(bench.scope, datasetId);
    return results;
  });
  expect((await seen(id)).status).toBe('received');
});

test('values stay readable while a dataset is reprocessed', async () => {
  const { id: datasetId, name } = await newDataset(amount);
  const id = await post(name, { amount: '1' });
  await processed(id);
  await reprocessDataset(bench.scope, datasetId);
  expect(await seen(id)).toMatchObject({ status: 'received', fields: { amount: 1 } });
});

test('reprocessing a deleted dataset does nothing', async () => {
  await expect(reprocessDataset(bench.scope, newId())).resolves.toBeUndefined();
});
