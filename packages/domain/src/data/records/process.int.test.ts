import { createConsumer, newId, queueClasses, stringifyJson, type JobHandlers } from '@tieout/infra';
import { createTestService, queueDrained, type TestService } from '@tieout/testing';
import {
  createDataset,
  createField,
  ingestRecord,
  jobCatalog,
  tenantScope,
  type CreateField,
  type TenantScope,
} from '../..';
import { enqueueChunks } from './enqueue';
import type { JsonObject } from './field';
import { normaliseInPlace, type NormaliseRecords } from './normalise';
import { processRecords } from './process';
import { deleteRecord, getRecord } from './read';
import type { RecordError } from './record';
import { reprocessDataset, sweepReprocessing } from './reprocess';
import { sweepReceivedRecords } from './sweep';

let service: TestService;
let queue: ReturnType<ReturnType<typeof queueClasses>['openQueue']>;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
  queue = queueClasses(service.queueSettings, { role: 'producer' }).openQueue('ingest');
});

afterAll(async () => {
  await queue.close();
  await service.close();
});

beforeEach(async () => {
  scope = await newTenant();
});

async function newTenant(): Promise<TenantScope> {
  const id = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [id, 'Acme']);
  return tenantScope(service.deps, id);
}

async function dataset(...fields: CreateField[]): Promise<{ id: string; name: string }> {
  const made = await createDataset(scope, { name: `ledger ${newId()}` });
  for (const field of fields) await createField(scope, made.id, field);
  return made;
}

const amount: CreateField = { name: 'Amount', key: 'amount', type: 'amount' };

async function post(name: string, body: JsonObject, externalId?: string): Promise<string> {
  const { id } = await ingestRecord(scope, {
    dataset: name,
    body,
    ...(externalId === undefined ? {} : { externalId }),
  });
  return id;
}

interface Seen {
  status: string;
  data: JsonObject;
  fields: JsonObject | null;
  error: RecordError | null;
}

/** As it is answered. */
const seen = async (id: string): Promise<Seen> => JSON.parse(stringifyJson(await getRecord(scope, id))) as Seen;

async function processed(id: string): Promise<Seen> {
  await processRecords(scope, [id], normaliseInPlace);
  return seen(id);
}

test('a record of a dataset without fields becomes ready with no fields', async () => {
  const { name } = await dataset();
  expect(await processed(await post(name, { amount: 1 }))).toMatchObject({ status: 'ready', fields: {}, error: null });
});

test('a record becomes ready with its normalised fields, its data untouched', async () => {
  const { name } = await dataset(amount);
  const record = await processed(await post(name, { amount: '12.50', note: 'x' }));
  expect(record).toMatchObject({
    status: 'ready',
    fields: { amount: 12.5 },
    data: { amount: '12.50', note: 'x' },
    error: null,
  });
});

test('a value that cannot be coerced fails the record, names it, and leaves the data as it was', async () => {
  const { name } = await dataset(amount);
  const record = await processed(await post(name, { amount: 'a lot' }));
  expect(record).toMatchObject({
    status: 'failed',
    fields: null,
    data: { amount: 'a lot' },
    error: { field: 'amount', value: 'a lot', code: 'invalid_amount' },
  });
});

test('a failed record that is sent again with better data becomes ready and loses its error', async () => {
  const { name } = await dataset(amount);
  const id = await post(name, { amount: 'a lot' }, 'A');
  await processed(id);
  await post(name, { amount: 3 }, 'A');
  expect(await seen(id)).toMatchObject({ status: 'received', error: null, fields: null });
  expect(await processed(id)).toMatchObject({ status: 'ready', fields: { amount: 3 }, error: null });
});

test('one chunk may hold records of several datasets, with fields and without', async () => {
  const plain = await dataset();
  const typed = await dataset(amount);
  const ids = [
    await post(plain.name, { amount: '1' }),
    await post(typed.name, { amount: '2' }),
    await post(typed.name, { amount: 'x' }),
  ];
  await processRecords(scope, ids, normaliseInPlace);
  const states = await Promise.all(ids.map(async (id) => (await seen(id)).status));
  expect(states).toEqual(['ready', 'ready', 'failed']);
});

test('processing twice changes nothing', async () => {
  const { name } = await dataset(amount);
  const id = await post(name, { amount: 1 });
  const first = await processed(id);
  let calls = 0;
  const counting: NormaliseRecords = (fields, records) => {
    calls++;
    return normaliseInPlace(fields, records);
  };
  await processRecords(scope, [id], counting);
  expect(await seen(id)).toEqual(first);
  expect(calls).toBe(0);
});

test('what was computed from old data never overwrites a record that was sent again meanwhile', async () => {
  const { name } = await dataset(amount);
  const id = await post(name, { amount: 1 }, 'A');
  const slow: NormaliseRecords = async (fields, records) => {
    const results = await normaliseInPlace(fields, records);
    await post(name, { amount: 2 }, 'A');
    return results;
  };
  await processRecords(scope, [id], slow);
  expect(await seen(id)).toMatchObject({ status: 'received', data: { amount: 2 }, fields: null });
  expect(await processed(id)).toMatchObject({ status: 'ready', fields: { amount: 2 } });
});

test('a record that is deleted while it is processed stays deleted', async () => {
  const { name } = await dataset(amount);
  const id = await post(name, { amount: 1 });
  const deleting: NormaliseRecords = async (fields, records) => {
    await deleteRecord(scope, id);
    return normaliseInPlace(fields, records);
  };
  await processRecords(scope, [id], deleting);
  await expect(seen(id)).rejects.toMatchObject({ code: 'record_not_found' });
});

test('records of another tenant are not processed', async () => {
  const { name } = await dataset();
  const id = await post(name, {});
  const other = await newTenant();
  await processRecords(other, [id], normaliseInPlace);
  expect((await seen(id)).status).toBe('received');
});

/** Until the end of the test: no turn is over, however slow the machine is. */
const stopClock = (): void => void jest.spyOn(performance, 'now').mockReturnValue(0);

afterEach(() => jest.restoreAllMocks());

test('records heavier together than memory allows are processed in groups', async () => {
  const { name } = await dataset(amount);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push(await post(name, { amount: i, filler: 'x'.repeat(900_000) }));
  const groups: number[] = [];
  stopClock();
  await processRecords(scope, ids, (fields, records) => {
    groups.push(records.length);
    return normaliseInPlace(fields, records);
  });
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.reduce((a, b) => a + b)).toBe(12);
  expect(await seen(ids[11] as string)).toMatchObject({ status: 'ready', fields: { amount: 11 } });
});

test('the first chunk of one tenant comes before the second of another, whoever was first', async () => {
  const ids = (count: number): string[] => Array.from({ length: count }, () => newId());
  await queue.drain();
  await enqueueChunks(scope.queue, scope.tenantId, ids(1_500));
  const other = await newTenant();
  await enqueueChunks(other.queue, other.tenantId, ids(1));
  const jobs = await queue.getJobs(['prioritized'], 0, -1, true);
  const order = jobs
    .sort((a, b) => a.priority - b.priority)
    .map((job) => (job.data as { payload: { tenantId: string } }).payload.tenantId);
  expect(order).toEqual([scope.tenantId, other.tenantId, scope.tenantId, scope.tenantId]);
});

test('chunks of one tenant do not wait for all that another sends record by record', async () => {
  await queue.drain();
  for (let i = 0; i < 60; i++) await enqueueChunks(scope.queue, scope.tenantId, [newId()]);
  const other = await newTenant();
  await enqueueChunks(
    other.queue,
    other.tenantId,
    Array.from({ length: 1_000 }, () => newId()),
  );
  const jobs = await queue.getJobs(['prioritized', 'waiting'], 0, -1, true);
  const order = jobs
    .sort((a, b) => a.priority - b.priority)
    .map((job) => (job.data as { payload: { tenantId: string } }).payload.tenantId);
  expect(order.lastIndexOf(other.tenantId)).toBeLessThan(45);
});

test('what is made of records of many datasets is written before it is more than is held at a time', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const { name } = await dataset({
      name: 'Padded',
      key: 'padded',
      type: 'string',
      transformExpr: '$pad("", 1900000, "x")',
    });
    ids.push(await post(name, {}));
  }
  const ready = async (): Promise<number> =>
    (await scope.db.query(`select 1 from records where id = any($1::uuid[]) and status = 'ready'`, [ids])).length;
  const before: number[] = [];
  stopClock();
  await processRecords(scope, ids, async (fields, records) => {
    before.push(await ready());
    return normaliseInPlace(fields, records);
  });
  expect(before).toEqual([...Array.from({ length: 9 }, () => 0), 9, 9, 9]);
  expect(await ready()).toBe(12);
});

test('records that a turn does not come to are enqueued again', async () => {
  const { name } = await dataset(amount);
  const ids = [await post(name, { amount: 1 }), await post(name, { amount: 2 }), await post(name, { amount: 3 })];
  const oneATurn: NormaliseRecords = (fields, records) => normaliseInPlace(fields, records.slice(0, 1));
  await queue.drain();
  await processRecords(scope, ids, oneATurn);
  const statuses = await Promise.all(ids.map(async (id) => (await seen(id)).status));
  expect(statuses.sort()).toEqual(['ready', 'received', 'received']);
  const left = await Promise.all(ids.map(async (id) => ((await seen(id)).status === 'received' ? [id] : [])));
  const jobs = (await queue.getJobs(['waiting', 'prioritized'])).map(
    (job) => (job.data as { payload: { recordIds?: string[] } }).payload.recordIds,
  );
  expect(jobs).toContainEqual(expect.arrayContaining(left.flat()));
  expect(jobs).not.toContainEqual(expect.arrayContaining(ids));
});

test('re-processing takes back every record of the dataset, and no other', async () => {
  const { id: datasetId, name } = await dataset();
  const elsewhere = await dataset();
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.push(await post(name, { amount: String(i) }));
  const stranger = await post(elsewhere.name, { amount: '9' });
  await processRecords(scope, [...ids, stranger], normaliseInPlace);
  await createField(scope, datasetId, amount);
  await reprocessDataset(scope, datasetId, 3);
  const taken = await Promise.all(ids.map((id) => seen(id)));
  expect(taken.every((record) => record.status === 'received')).toBe(true);
  expect((await seen(stranger)).status).toBe('ready');
  await processRecords(scope, ids, normaliseInPlace);
  expect((await seen(ids[6] as string)).fields).toEqual({ amount: 6 });
});

test('re-processing voids what is being computed under the fields of before', async () => {
  const { id: datasetId, name } = await dataset(amount);
  const id = await post(name, { amount: '1' });
  await processRecords(scope, [id], async (fields, records) => {
    const results = await normaliseInPlace(fields, records);
    await createField(scope, datasetId, { name: 'Note', key: 'note', type: 'string' });
    await reprocessDataset(scope, datasetId);
    return results;
  });
  expect((await seen(id)).status).toBe('received');
});

test('values stay readable while a dataset is re-processed', async () => {
  const { id: datasetId, name } = await dataset(amount);
  const id = await post(name, { amount: '1' });
  await processed(id);
  await reprocessDataset(scope, datasetId);
  expect(await seen(id)).toMatchObject({ status: 'received', fields: { amount: 1 } });
});

test('re-processing a dataset that is gone does nothing', async () => {
  await expect(reprocessDataset(scope, newId())).resolves.toBeUndefined();
});

test('re-processing that was lost with the queue is enqueued again, once it is done no more', async () => {
  const { id: datasetId } = await dataset(amount);
  const jobs = async () =>
    (await queue.getJobs(['waiting', 'prioritized'])).filter(
      (job) => (job.data as { payload: { datasetId?: string } }).payload.datasetId === datasetId,
    );
  await queue.drain();
  await sweepReprocessing(service.deps);
  await sweepReprocessing(service.deps);
  expect(await jobs()).toHaveLength(1);
  await reprocessDataset(scope, datasetId);
  await queue.drain();
  await sweepReprocessing(service.deps);
  expect(await jobs()).toHaveLength(0);
});

/** As received so many seconds ago. */
const age = (seconds: number, ...ids: string[]): Promise<number> =>
  service.deps.db.system.execute(
    'update records set updated_at = now() - make_interval(secs => $1::float8) where id = any($2::uuid[])',
    [seconds, ids],
  );

/** Of none of these records does a job know, and no others wait. */
async function loseQueue(...ids: string[]): Promise<void> {
  await queue.drain(true);
  await service.deps.db.system.execute(`update records set status = 'ready' where id <> all($1::uuid[])`, [ids]);
}

const inQueue = async (): Promise<string[]> => {
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
  return jobs.flatMap((job) => (job.data as { payload: { recordIds: string[] } }).payload.recordIds).sort();
};

test('the sweep enqueues records that wait for more than 30 s, of all tenants, and each once in 30 s', async () => {
  const { name } = await dataset();
  const other = await newTenant();
  const late = [await post(name, {}), (await ingestRecord(other, { dataset: 'x', body: {} })).id];
  const fresh = await post(name, {});
  await age(31, ...late);
  // The queue loses everything.
  await queue.drain();
  expect(await sweepReceivedRecords(service.deps)).toBe(2);
  const enqueued = await inQueue();
  expect(enqueued).toEqual([...late].sort());
  expect(enqueued).not.toContain(fresh);
  expect(await sweepReceivedRecords(service.deps)).toBe(0);
});

test('what the sweep enqueues is attempted once, leaves nothing in the queue when it fails, and is enqueued again by a later sweep', async () => {
  const { name } = await dataset();
  const id = await post(name, {});
  await queue.drain();
  await age(31, id);
  expect(await sweepReceivedRecords(service.deps)).toBe(1);
  const {
    queueSettings: settings,
    deps: { logger },
  } = service;
  const attempted: string[] = [];
  const fail = ({ recordIds }: { recordIds: string[] }) => {
    attempted.push(...recordIds);
    return Promise.reject(new Error('a fault of ours'));
  };
  const handlers = { 'records.process': fail } as unknown as JobHandlers<typeof jobCatalog, 'ingest'>;
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'ingest',
    settings,
    logger,
    concurrency: 1,
    handlers,
  });
  await queueDrained(settings, 'ingest');
  await consumer.close();
  expect(attempted).toEqual([id]);
  expect(await queue.getJobCountByTypes('failed', 'delayed')).toBe(0);
  await age(31, id);
  expect(await sweepReceivedRecords(service.deps)).toBe(1);
});

test('the sweep leaves records alone that a chunk of their tenant may hold, and finds those that are older than all its chunks', async () => {
  const { name } = await dataset();
  const waiting = await post(name, {});
  const lost = await post(name, {});
  await loseQueue(waiting, lost);
  await Promise.all([age(45, waiting), age(90, lost)]);
  await enqueueChunks(scope.queue, scope.tenantId, [waiting], { sinceMs: Date.now() - 44_000 });
  expect(await sweepReceivedRecords(service.deps)).toBe(1);
  expect(await inQueue()).toEqual([waiting, lost].sort());
});

test('the sweep finds the lost record of a tenant however many older chunks of another wait, or are sent away for a moment', async () => {
  const busy = scope;
  const { name } = await dataset();
  const waiting = [await post(name, {}), await post(name, {})] as const;
  const other = await newTenant();
  const { id: lost } = await ingestRecord(other, { dataset: 'x', body: {} });
  await loseQueue(...waiting, lost);
  await Promise.all([age(600, ...waiting), age(31, lost)]);
  const sinceMs = Date.now() - 600_000;
  await enqueueChunks(busy.queue, busy.tenantId, [waiting[0]], { sinceMs });
  const [sent] = await queue.getJobs(['prioritized', 'waiting']);
  await sent?.remove();
  await queue.add('records.process', sent?.data, { jobId: sent?.id ?? '', delay: 60_000 });
  for (let i = 0; i < 300; i++) await enqueueChunks(busy.queue, busy.tenantId, [waiting[1]], { sinceMs: Date.now() });
  expect(await sweepReceivedRecords(service.deps)).toBe(1);
  expect(await inQueue()).toContain(lost);
});

test('what a turn has not come to is no lost record, however long it has waited', async () => {
  const { name } = await dataset(amount);
  const ids = [await post(name, { amount: 1 }), await post(name, { amount: 2 })];
  await loseQueue(...ids);
  await age(600, ...ids);
  await processRecords(scope, ids, () => Promise.resolve([]));
  expect(await inQueue()).toEqual([...ids].sort());
  expect(await sweepReceivedRecords(service.deps)).toBe(0);
});
