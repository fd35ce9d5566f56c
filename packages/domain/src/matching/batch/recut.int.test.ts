import { queueClasses } from '@tieout/infra';
import {
  cancelMatchingJob,
  createMatchingHandlers,
  createRuleSet,
  deleteRuleSet,
  getMatchingJob,
  startMatchingJobs,
  sweepMatchingJobs,
  type TenantScope,
} from '../..';
import { fairPriorities } from '../../kernel/priorities';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';
import type { JobLimits } from '../jobs/limits';

const bench = useMatchingBench();
let scope: TenantScope;

beforeEach(async () => {
  scope = await bench.newTenant();
});

/** Creates handlers that cut each batch with more than some pairs and one left row in two. */
const handlersThatCut = (limits: Partial<JobLimits> = {}) =>
  createMatchingHandlers(bench.service.deps, undefined, { paceMs: 0, batchMs: 1e9, longBatches: 0, ...limits });
const count = 20;

interface PlannedJob {
  tenantId: string;
  jobId: string;
  entryId: string;
}

/** Plans a job of one batch, which compares every record of one dataset with every record of the other. */
async function plannedJob(jsonataExpr = 'left.a = right.a'): Promise<PlannedJob> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await numberedDataset(scope, 'left', count),
    rightDatasetId: await numberedDataset(scope, 'right', count),
    engine: 'jsonata',
    jsonataExpr,
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  return planned();
}

async function planned(): Promise<PlannedJob> {
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  const { tenantId } = scope;
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId, jobId });
  const { entries } = await getMatchingJob(scope, jobId);
  return { tenantId, jobId, entryId: entries[0]?.id as string };
}

const runQueue = (): Promise<void> => bench.runQueue(handlersThatCut());

const batchesOf = ({
  jobId,
}: PlannedJob): Promise<{ batchNo: number; leftRows: number; pairs: number; done: boolean }[]> =>
  scope.db.query(
    `select batch_no as "batchNo", left_rows as "leftRows", pairs::float8 as pairs, done
       from job_batches where job_id = $1::uuid order by batch_no`,
    [jobId],
  );

const completed = {
  status: 'completed',
  entries: [
    {
      status: 'completed',
      pairsTotal: count ** 2,
      pairsProcessed: count ** 2,
      decisionCounts: { MATCH: count, NO_MATCH: count ** 2 - count },
    },
  ],
};

test('the pieces of a batch are enqueued at once, and cut again as they run', async () => {
  const job = await plannedJob();
  await runQueue();
  const batches = await batchesOf(job);
  expect(batches.length).toBeGreaterThan(3);
  expect(batches.every(({ done }) => done)).toBe(true);
  expect(await getMatchingJob(scope, job.jobId)).toMatchObject(completed);
});

test('pieces have the rows and the pairs of the batch, new numbers, and none of its results', async () => {
  const job = await plannedJob();
  await handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  expect(await batchesOf(job)).toEqual(
    [1, 2].map((batchNo) => ({ batchNo, leftRows: count / 2, pairs: count ** 2 / 2, done: false })),
  );
  expect(await scope.db.query('select 1 from matches where job_id = $1::uuid', [job.jobId])).toEqual([]);
  expect(await getMatchingJob(scope, job.jobId)).toMatchObject({
    status: 'running',
    entries: [{ pairsProcessed: 0, batchesExpected: 2, batchesCompleted: 0 }],
  });
});

test('the errors of a job do not depend on which batches were cut, nor on the chunks of the right side', async () => {
  const cut = await plannedJob('left.a = 1 ? true : $error(left.a & "-" & right.a)');
  const handlers = handlersThatCut({ chunkRows: 3 });
  // The first half of the left side gets the last numbers.
  for (const batchNo of [0, 1]) await handlers['matching.batch']({ ...cut, batchNo });
  const whole = await planned();
  await createMatchingHandlers(bench.service.deps)['matching.batch']({ ...whole, batchNo: 0 });
  await runQueue();
  const [seen, expected] = await Promise.all(
    [cut, whole].map(async ({ jobId }) => (await getMatchingJob(scope, jobId)).entries[0]?.errors),
  );
  expect(expected).toHaveLength(20);
  expect(seen).toEqual(expected);
});

test.each([
  [
    'texts made of a side exceed the limit of a batch',
    { madeBytes: 4_000 },
    '$string(left.a) & "x"',
    '$string(right.a) & "x"',
  ],
  [
    'slowly made texts exceed the limit of a batch',
    { madeBytes: 4_000 },
    '$substring($pad($string(left.a), 6000, "x"), 0, 200)',
    '$substring($pad($string(right.a), -6000, "x"), 5800)',
  ],
])('%s: it is cut, and the result is the same', async (_name, small, left, right) => {
  const rows = 300;
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await numberedDataset(scope, 'left', rows),
    rightDatasetId: await numberedDataset(scope, 'right', rows),
    engine: 'jsonata',
    jsonataExpr: `left.a = 7 and right.a = 299 ? $error("x") : $contains(${left}, ${right})`,
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  const results = [];
  for (const limits of [{}, small]) {
    const { tenantId, jobId, entryId } = await planned();
    const handlers = createMatchingHandlers(bench.service.deps, undefined, limits);
    for (;;) {
      const open = (await batchesOf({ tenantId, jobId, entryId })).find(({ done }) => !done);
      if (!open) break;
      await handlers['matching.batch']({ tenantId, jobId, entryId, batchNo: open.batchNo });
    }
    await handlers['matching.finish']({ tenantId, jobId });
    const { entries, ...job } = await getMatchingJob(scope, jobId);
    const matches = await scope.db.query(
      `select left_record_id, right_record_id, score, decision from matches
        where job_id = $1::uuid order by left_record_id, right_record_id`,
      [job.id],
    );
    const { decisionCounts, errors, batchesExpected } = entries[0] as (typeof entries)[0];
    results.push({ status: job.status, decisionCounts, errors, matches, batchesExpected });
  }
  const [whole, cut] = results as [(typeof results)[0], (typeof results)[0]];
  expect(cut.batchesExpected).toBeGreaterThan(whole.batchesExpected);
  expect(whole).toMatchObject({ status: 'completed', decisionCounts: { ERROR: 1 } });
  expect({ ...cut, batchesExpected: 0 }).toEqual({ ...whole, batchesExpected: 0 });
});

test('a batch run by two workers at the same time is cut once', async () => {
  const job = await plannedJob();
  const run = () => handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  await Promise.all([run(), run()]);
  expect((await batchesOf(job)).map(({ batchNo }) => batchNo)).toEqual([1, 2]);
});

test('pieces of batches cut at the same time get different numbers', async () => {
  const job = await plannedJob();
  const handlers = handlersThatCut();
  await handlers['matching.batch']({ ...job, batchNo: 0 });
  await Promise.all([1, 2].map((batchNo) => handlers['matching.batch']({ ...job, batchNo })));
  expect((await batchesOf(job)).map(({ batchNo }) => batchNo)).toEqual([3, 4, 5, 6]);
});

test('the sweep recovers a job whose pieces were lost from the queue', async () => {
  const job = await plannedJob();
  await handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  await bench.emptyQueue();
  await scope.db.execute(
    `update matching_jobs set created_at = now() - interval '1 hour', started_at = now() - interval '1 hour',
            planned_at = planned_at - interval '1 hour'
      where id = $1::uuid`,
    [job.jobId],
  );
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, job.jobId)).toMatchObject(completed);
});

test('the pieces of a cancelled job do not run', async () => {
  const job = await plannedJob();
  await handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  await cancelMatchingJob(scope, job.jobId);
  await runQueue();
  expect((await batchesOf(job)).map(({ done }) => done)).toEqual([false, false]);
});

test('a job that has lost its snapshot is planned again, without its pieces', async () => {
  const job = await plannedJob();
  await handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  await bench.service.deps.db.system.execute(`truncate staging.s_${job.entryId.replaceAll('-', '')}`);
  await runQueue();
  expect(await getMatchingJob(scope, job.jobId)).toMatchObject(completed);
});

test('the pieces have lower priorities than the queued batches of other jobs of the tenant', async () => {
  // Batches are numbered from the queue head that was last read. It is read again now, while the queue is empty.
  await fairPriorities(bench.service.deps.queue, 'matching.batch').ready(performance.now() + 1_000);
  const job = await plannedJob();
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  await createMatchingHandlers(bench.service.deps)['matching.plan']({
    tenantId: scope.tenantId,
    jobId: jobIds[0] as string,
  });
  await handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  const queue = queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue('matching');
  await queue.waitUntilReady();
  const waiting = await queue.getJobs(['prioritized']);
  await queue.close();
  const priorityOf = (isWanted: (id: string) => boolean): number =>
    waiting.find(({ id, name }) => name === 'matching.batch' && isWanted(id as string))?.opts.priority ?? NaN;
  const ofPiece = (no: number): number => priorityOf((id) => id.startsWith(`batch-${job.entryId}-${no}-`));
  const ofOther = priorityOf((id) => !id.startsWith(`batch-${job.entryId}-`));
  // The queue serves jobs of one priority in the order in which they came.
  expect([1, 2].map((no) => ofPiece(no) - ofOther)).toEqual([0, 1]);
});

test('a deletion of the rule set during a cut leaves nothing of the job, whichever comes first', async () => {
  const job = await plannedJob();
  const [ruleSet] = await scope.db.query<{ id: string }>('select id from rule_sets where tenant_id = $1::uuid', [
    scope.tenantId,
  ]);
  const cutting = handlersThatCut()['matching.batch']({ ...job, batchNo: 0 });
  const cut = cutting.catch((error: { code?: unknown }) => error.code);
  await deleteRuleSet(scope, ruleSet?.id as string);
  expect([undefined, '40P01']).toContain(await cut);
  expect(await batchesOf(job)).toEqual([]);
});
