import { createConsumer, type JobHandlers } from '@tieout/infra';
import { queueDrained } from '@tieout/testing';
import { ingestRecord, jobCatalog, type CreateField } from '../..';
import { useRecordBench } from '../../../testing/record-bench';
import { enqueueChunks } from './enqueue';
import { processRecords } from './process';
import { reprocessDataset, sweepReprocessing } from './reprocess';
import { sweepReceivedRecords } from './sweep';

const bench = useRecordBench();
const { newDataset, post } = bench;
const amount: CreateField = { name: 'Amount', key: 'amount', type: 'amount' };

test('reprocessing that is lost with the queue is enqueued again, until it is done', async () => {
  const { id: datasetId } = await newDataset(amount);
  const jobs = async () =>
    (await bench.queue.getJobs(['waiting', 'prioritized'])).filter(
      (job) => (job.data as { payload: { datasetId?: string } }).payload.datasetId === datasetId,
    );
  await bench.queue.drain();
  await sweepReprocessing(bench.service.deps);
  await sweepReprocessing(bench.service.deps);
  expect(await jobs()).toHaveLength(1);
  await reprocessDataset(bench.scope, datasetId);
  await bench.queue.drain();
  await sweepReprocessing(bench.service.deps);
  expect(await jobs()).toHaveLength(0);
});

/** Makes records as old as if they were received `seconds` ago. */
const age = (seconds: number, ...ids: string[]): Promise<number> =>
  bench.service.deps.db.system.execute(
    'update records set updated_at = now() - make_interval(secs => $1::float8) where id = any($2::uuid[])',
    [seconds, ids],
  );

/** Empties the queue, and leaves only these records unprocessed. */
async function loseQueue(...ids: string[]): Promise<void> {
  await bench.queue.drain(true);
  await bench.service.deps.db.system.execute(`update records set status = 'ready' where id <> all($1::uuid[])`, [ids]);
}

const inQueue = async (): Promise<string[]> => {
  const jobs = await bench.queue.getJobs(['waiting', 'prioritized', 'delayed']);
  return jobs.flatMap((job) => (job.data as { payload: { recordIds: string[] } }).payload.recordIds).sort();
};

test('the sweep enqueues records of all tenants that wait for more than 30 s, each once in 30 s', async () => {
  const { name } = await newDataset();
  const other = await bench.newTenant();
  const late = [await post(name, {}), (await ingestRecord(other, { dataset: 'x', body: {} })).id];
  const fresh = await post(name, {});
  await age(31, ...late);
  // The queue loses everything.
  await bench.queue.drain();
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(2);
  const enqueued = await inQueue();
  expect(enqueued).toEqual([...late].sort());
  expect(enqueued).not.toContain(fresh);
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(0);
});

test('a job of the sweep is attempted once, leaves no failed job, and is repeated by a later sweep', async () => {
  const { name } = await newDataset();
  const id = await post(name, {});
  await bench.queue.drain();
  await age(31, id);
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(1);
  const {
    queueSettings: settings,
    deps: { logger },
  } = bench.service;
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
  expect(await bench.queue.getJobCountByTypes('failed', 'delayed')).toBe(0);
  await age(31, id);
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(1);
});

test('the sweep skips records that a chunk may hold, and finds those older than all chunks of the tenant', async () => {
  const { name } = await newDataset();
  const waiting = await post(name, {});
  const lost = await post(name, {});
  await loseQueue(waiting, lost);
  await Promise.all([age(45, waiting), age(90, lost)]);
  await enqueueChunks(bench.scope.queue, bench.scope.tenantId, [waiting], { sinceMs: Date.now() - 44_000 });
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(1);
  expect(await inQueue()).toEqual([waiting, lost].sort());
});

test('the sweep finds the lost record of a tenant beside older waiting and delayed chunks of another', async () => {
  const busy = bench.scope;
  const { name } = await newDataset();
  const waiting = [await post(name, {}), await post(name, {})] as const;
  const other = await bench.newTenant();
  const { id: lost } = await ingestRecord(other, { dataset: 'x', body: {} });
  await loseQueue(...waiting, lost);
  await Promise.all([age(600, ...waiting), age(31, lost)]);
  const sinceMs = Date.now() - 600_000;
  await enqueueChunks(busy.queue, busy.tenantId, [waiting[0]], { sinceMs });
  const [sent] = await bench.queue.getJobs(['prioritized', 'waiting']);
  await sent?.remove();
  await bench.queue.add('records.process', sent?.data, { jobId: sent?.id ?? '', delay: 60_000 });
  for (let i = 0; i < 300; i++) await enqueueChunks(busy.queue, busy.tenantId, [waiting[1]], { sinceMs: Date.now() });
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(1);
  expect(await inQueue()).toContain(lost);
});

test('a record left at the end of a slice is not lost, however long it has waited', async () => {
  const { name } = await newDataset(amount);
  const ids = [await post(name, { amount: 1 }), await post(name, { amount: 2 })];
  await loseQueue(...ids);
  await age(600, ...ids);
  await processRecords(bench.scope, ids, () => Promise.resolve([]));
  expect(await inQueue()).toEqual([...ids].sort());
  expect(await sweepReceivedRecords(bench.service.deps)).toBe(0);
});
