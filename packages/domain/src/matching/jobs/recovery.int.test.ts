import { newId, queueClasses } from '@tieout/infra';
import { lockWaiters } from '@tieout/testing';
import {
  createMaintenanceHandlers,
  createMatchingHandlers,
  createRuleSet,
  deleteRecord,
  failJobOfWorker,
  getMatchingJob,
  startMatchingJobs,
  sweepMatchingJobs,
  type TenantScope,
} from '../..';
import { defaultRetention } from '../../kernel/retention';
import { holdLock, type LockHolder } from '../../../testing/lock-holder';
import { useMatchingBench } from '../../../testing/matching-bench';
import { jobLockKey } from './protocol';

const bench = useMatchingBench();
let scope: TenantScope;

beforeEach(async () => {
  scope = await bench.newTenant();
});

const runQueue = (): Promise<void> => bench.runQueue(createMatchingHandlers(bench.service.deps));

async function dataset(name: string, values: readonly number[]): Promise<string> {
  const id = newId();
  await scope.db.execute(
    `insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, 'records')`,
    [id, scope.tenantId, name],
  );
  await scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, data, fields, status)
     select r.id, $1::uuid, $2::uuid, jsonb_build_object('a', r.a), '{}', 'ready'
       from unnest($3::uuid[], $4::int[]) as r(id, a)`,
    [scope.tenantId, id, values.map(() => newId()), values],
  );
  return id;
}

/** Starts a job of two left and two right records with one match. */
async function startedJob(left = 'left'): Promise<string> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await dataset(left, [1, 2]),
    rightDatasetId: await dataset(`right of ${left}`, [2, 3]),
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a',
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: left, path: '/dataset' }], undefined);
  return jobIds[0] as string;
}

const makeQuiet = (jobId: string): Promise<number> =>
  scope.db.execute(
    `update matching_jobs set created_at = now() - interval '1 hour', started_at = started_at - interval '1 hour',
            planned_at = planned_at - interval '1 hour' where id = $1::uuid`,
    [jobId],
  );

const completed = {
  status: 'completed',
  entries: [{ status: 'completed', decisionCounts: { MATCH: 1, NO_MATCH: 3 } }],
};

test('the sweep recovers a job whose plan was lost from the queue', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  await makeQuiet(jobId);
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

test('a plan that cannot create its stage fails with the error of the server, and succeeds on retry', async () => {
  const jobId = await startedJob();
  const { entries } = await getMatchingJob(scope, jobId);
  const stage = `staging.s_${entries[0]?.id.replaceAll('-', '')}`;
  await bench.service.deps.db.system.execute(`create view ${stage} as select 1 as side`);
  const planned = createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  await expect(planned).rejects.toMatchObject({ code: '42809' });
  await bench.service.deps.db.system.execute(`drop view ${stage}`);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

test('the sweep recovers a job whose batches were lost from the queue', async () => {
  const jobId = await startedJob();
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  await bench.emptyQueue();
  await makeQuiet(jobId);
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

test('the sweep recovers a job whose finish was lost from the queue', async () => {
  const jobId = await startedJob();
  const handlers = createMatchingHandlers(bench.service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId });
  const { entries } = await getMatchingJob(scope, jobId);
  await handlers['matching.batch']({ tenantId, jobId, entryId: entries[0]?.id as string, batchNo: 0 });
  await bench.emptyQueue();
  await makeQuiet(jobId);
  await scope.db.execute(`update job_batches set done_at = done_at - interval '1 hour' where job_id = $1::uuid`, [
    jobId,
  ]);
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

/** Creates a one-to-one job of three left and three right records, all equal, whose batch is done. */
async function tiedJob(): Promise<{ jobId: string; finish: () => Promise<void> }> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await dataset('left', [1, 1, 1]),
    rightDatasetId: await dataset('right', [1, 1, 1]),
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a',
    params: { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one' },
    logicJson: null,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  await bench.emptyQueue();
  const handlers = createMatchingHandlers(bench.service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId });
  await handlers['matching.batch']({
    tenantId,
    jobId,
    entryId: (await getMatchingJob(scope, jobId)).entries[0]?.id as string,
    batchNo: 0,
  });
  return { jobId, finish: () => handlers['matching.finish']({ tenantId, jobId }) };
}

test('pairs of a record deleted before their assignment are not counted as matches', async () => {
  const { jobId, finish } = await tiedJob();
  const [record] = await scope.db.query<{ id: string }>(
    `select left_record_id::text as id from matches where job_id = $1::uuid limit 1`,
    [jobId],
  );
  await deleteRecord(scope, record?.id as string);
  await finish();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'completed',
    entries: [{ decisionCounts: { MATCH: 2 } }],
  });
});

/** Opens a transaction that holds the lock of the job, like a plan or a finish that hangs. */
const holdJob = (jobId: string): Promise<LockHolder> =>
  holdLock(bench.service.deps.db, `select pg_advisory_xact_lock(${jobLockKey(jobId)})::text`);
const waiters = (count: number): Promise<void> => lockWaiters(bench.service.deps.db.system, count);

test('a finish waits while another process holds the job, and completes it then', async () => {
  const { jobId, finish } = await tiedJob();
  const holder = await holdJob(jobId);
  const finishing = finish();
  await waiters(1);
  holder.end();
  await finishing;
  expect(await getMatchingJob(scope, jobId)).toMatchObject({ status: 'completed' });
});

test.each(['plan', 'finish'] as const)('a hung %s is done by another process', async (step) => {
  const jobId = step === 'plan' ? await startedJob() : (await tiedJob()).jobId;
  await bench.emptyQueue();
  const hung = await holdJob(jobId);
  const taken = createMatchingHandlers(bench.service.deps)[`matching.${step}`]({ tenantId: scope.tenantId, jobId });
  await waiters(1);
  await createMaintenanceHandlers(bench.service.deps, { keyIds: [] }, defaultRetention, 0)['maintenance.sweep']();
  await taken;
  hung.end();
  expect(await hung.over).toBe('ended');
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({ status: 'completed' });
});

test('a plan whose job was planned meanwhile plans nothing, and enqueues the missing batches', async () => {
  const jobId = await startedJob();
  const { deps } = bench.service;
  const payload = { tenantId: scope.tenantId, jobId };
  let planned: Date | null | undefined;
  const planFirst = async (): Promise<void> => {
    await createMatchingHandlers(deps)['matching.plan'](payload);
    await bench.emptyQueue();
    planned = await plannedAt(jobId);
  };
  const first = once(planFirst);
  const forTenant: typeof deps.db.forTenant = (tenantId) => {
    const handle = deps.db.forTenant(tenantId);
    const session = handle.session.bind(handle);
    return Object.assign(handle, {
      session: async <T>(work: Parameters<typeof session<T>>[0]) =>
        session<T>(async (client) => (await first(), work(client))),
    });
  };
  await createMatchingHandlers({ ...deps, db: { ...deps.db, forTenant } })['matching.plan'](payload);
  await runQueue();
  expect(await plannedAt(jobId)).toEqual(planned);
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

async function plannedAt(jobId: string): Promise<Date | null | undefined> {
  const [job] = await scope.db.query<{ plannedAt: Date | null }>(
    `select planned_at as "plannedAt" from matching_jobs where id = $1::uuid`,
    [jobId],
  );
  return job?.plannedAt;
}

/** Runs the work at the first call only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

test('a job that is planned again does not wait for running batches of its first plan', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  const handlers = createMatchingHandlers(bench.service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId });
  const entryId = (await getMatchingJob(scope, jobId)).entries[0]?.id as string;
  await bench.service.deps.db.system.execute(`truncate staging.s_${entryId.replaceAll('-', '')}`);
  await handlers['matching.batch']({ tenantId, jobId, entryId, batchNo: 0 });
  const batchRunning = signal();
  const plannedAgain = signal();
  let batches = 0;
  await bench.runQueue({
    ...handlers,
    'matching.plan': async (payload) => {
      await batchRunning.given;
      await handlers['matching.plan'](payload);
      plannedAgain.give();
    },
    'matching.batch': async (payload) => {
      await handlers['matching.batch'](payload);
      batches++;
      if (batches > 1) return;
      batchRunning.give();
      await plannedAgain.given;
    },
  });
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

function signal(): { give: () => void; given: Promise<void> } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

test('the sweep reports a job that it cannot recover, and recovers the others', async () => {
  const quietJob = async (): Promise<string> => {
    const jobId = await startedJob();
    await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
    await makeQuiet(jobId);
    return jobId;
  };
  const blocked = await quietJob();
  scope = await bench.newTenant();
  const other = await quietJob();
  await bench.emptyQueue();
  const { system } = bench.service.deps.db;
  await system.execute(
    `create function blocked(job uuid) returns boolean language plpgsql as $$
       begin if job = '${blocked}' then raise exception 'blocked'; end if; return true; end $$`,
  );
  await system.execute('create policy blocked on job_batches as restrictive for select using (blocked(job_id))');
  try {
    await expect(sweepMatchingJobs(bench.service.deps)).rejects.toThrow('1 matching job could not be taken up again');
  } finally {
    await system.execute('drop policy blocked on job_batches');
  }
  await runQueue();
  expect(await getMatchingJob(scope, other)).toMatchObject(completed);
});

test('a recovered batch gets the priority of a batch that is planned now', async () => {
  const jobIds = [await startedJob(), await startedJob('other')];
  const plan = createMatchingHandlers(bench.service.deps)['matching.plan'];
  const { tenantId } = scope;
  for (const jobId of jobIds) await plan({ tenantId, jobId });
  for (const jobId of jobIds) await makeQuiet(jobId);
  await bench.emptyQueue();
  for (const jobId of jobIds) await plan({ tenantId, jobId });
  const queue = queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue('matching');
  const batches = async () =>
    (await queue.getJobs(['prioritized'])).filter(
      ({ data }) => (data as { payload: { tenantId: string } }).payload.tenantId === tenantId,
    );
  const priorities = async () =>
    new Map((await batches()).map(({ id, opts }) => [id as string, opts.priority as number]));
  try {
    const before = await priorities();
    const [lost] = await batches();
    await lost?.remove();
    await sweepMatchingJobs(bench.service.deps);
    const after = await priorities();
    expect([before.size, [...after.keys()].sort()]).toEqual([2, [...before.keys()].sort()]);
    // The queue head may have moved on to the other batch.
    const [own = 0, other = 0] = [lost?.id, [...before.keys()].find((id) => id !== lost?.id)].map((id) =>
      after.get(id as string),
    );
    expect([other, other + 1]).toContain(own);
  } finally {
    await queue.close();
  }
});

test('the sweep leaves a job with recent progress alone', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect((await getMatchingJob(scope, jobId)).status).toBe('queued');
});

test('a job failed by its worker completes when one of its queue jobs is retried', async () => {
  const jobId = await startedJob();
  const handlers = createMatchingHandlers(bench.service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId });
  await failJobOfWorker(scope, jobId, 'out of memory');
  const failed = await getMatchingJob(scope, jobId);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'worker_failed' }, entries: [{ status: 'failed' }] });
  await handlers['matching.batch']({ tenantId, jobId, entryId: failed.entries[0]?.id as string, batchNo: 0 });
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({ ...completed, error: null });
});

test('a job whose plan failed for good completes when the plan is retried', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  await failJobOfWorker(scope, jobId, 'database away');
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({ ...completed, error: null });
});

test.each([
  ['batch', 0],
  ['finish', 1],
])('a small job whose process dies before its %s is planned again, and completes once', async (_step, steps) => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  const { deps } = bench.service;
  let left = steps;
  const forTenant: typeof deps.db.forTenant = (tenantId) => {
    const handle = deps.db.forTenant(tenantId);
    const session = handle.session.bind(handle);
    return Object.assign(handle, {
      session: async <T>(work: Parameters<typeof session<T>>[0], isPrepared?: boolean) => {
        if (isPrepared === true && left-- === 0) throw new Error('the process dies');
        return session<T>(work, isPrepared);
      },
    });
  };
  const payload = { tenantId: scope.tenantId, jobId };
  const small = { smallJobPairs: 100 };
  const dying = createMatchingHandlers({ ...deps, db: { ...deps.db, forTenant } }, undefined, small);
  await expect(dying['matching.plan'](payload)).rejects.toThrow('the process dies');
  const planned = await plannedAt(jobId);
  expect(planned).toBeInstanceOf(Date);
  const survivors = createMatchingHandlers(deps, undefined, small);
  await survivors['matching.plan'](payload);
  await bench.runQueue(survivors);
  expect(await plannedAt(jobId)).not.toEqual(planned);
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
  expect(await scope.db.query('select 1 from matches where job_id = $1::uuid', [jobId])).toHaveLength(1);
});
