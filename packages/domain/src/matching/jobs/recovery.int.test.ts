import { newId, queueClasses } from '@tieout/infra';
import { lockWaiters, queueDrained } from '@tieout/testing';
import {
  createMaintenanceHandlers,
  createMatchingHandlers,
  createRuleSet,
  deleteRecord,
  failJobOfWorker,
  getMatchingJob,
  listMatches,
  startMatchingJobs,
  sweepMatchingJobs,
  sweepStages,
  tenantScope,
  type TenantScope,
} from '../..';
import { defaultRetention } from '../../kernel/retention';
import { holdLock, type LockHolder } from '../../../testing/lock-holder';
import { useMatchingBench } from '../../../testing/matching-bench';
import { jobLockKey } from './protocol';
import { cleanUpJob } from '../stage/clean-up';

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
     select r.id, $1::uuid, $2::uuid, jsonb_build_object('a', r.a), '{}', 'ready' from unnest($3::uuid[], $4::int[]) as r(id, a)`,
    [scope.tenantId, id, values.map(() => newId()), values],
  );
  return id;
}

/** A job of two left and two right records with one match. */
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

test('a job whose plan was lost from the queue is taken up by the sweep', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  await makeQuiet(jobId);
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

test('a plan that cannot make its stage ends with the error of the server, and is planned when it can', async () => {
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

test('a job whose batches were lost from the queue is taken up by the sweep', async () => {
  const jobId = await startedJob();
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  await bench.emptyQueue();
  await makeQuiet(jobId);
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect(await getMatchingJob(scope, jobId)).toMatchObject(completed);
});

test('a job whose finish was lost from the queue is taken up by the sweep', async () => {
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

/** A job of three left and three right records that are all equal, one to one, whose batch is done. */
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

test('pairs of a record that was deleted before they were assigned one to one are not counted as matches', async () => {
  const { jobId, finish } = await tiedJob();
  const [record] = await scope.db.query<{ id: string }>(
    `select left_record_id::text as id from matches where job_id = $1::uuid limit 1`,
    [jobId],
  );
  await deleteRecord(scope, record?.id as string);
  await finish();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'completed',
    entries: [{ decisionCounts: { MATCH: 0 } }],
  });
});

/** A transaction that plans the job or finishes it, and comes no further. */
const holdJob = (jobId: string): Promise<LockHolder> =>
  holdLock(bench.service.deps.db, `select pg_advisory_xact_lock(${jobLockKey(jobId)})::text`);
const waiters = (count: number): Promise<void> => lockWaiters(bench.service.deps.db.system, count);

test('a finish that meets another process at its job waits, and completes the job', async () => {
  const { jobId, finish } = await tiedJob();
  const holder = await holdJob(jobId);
  const finishing = finish();
  await waiters(1);
  holder.end();
  await finishing;
  expect(await getMatchingJob(scope, jobId)).toMatchObject({ status: 'completed' });
});

test.each(['plan', 'finish'] as const)('a %s that hangs is done by another process', async (step) => {
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

test('a plan that finds its job planned meanwhile plans nothing, and enqueues what the other one has not', async () => {
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

/** Does something at the first call alone. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

test('a job that is planned again does not wait for the batches of its first plan that are still in hand', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  const handlers = createMatchingHandlers(bench.service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId });
  const entryId = (await getMatchingJob(scope, jobId)).entries[0]?.id as string;
  await bench.service.deps.db.system.execute(`truncate staging.s_${entryId.replaceAll('-', '')}`);
  await handlers['matching.batch']({ tenantId, jobId, entryId, batchNo: 0 });
  const batchInHand = signal();
  const plannedAgain = signal();
  let batches = 0;
  await bench.runQueue({
    ...handlers,
    'matching.plan': async (payload) => {
      await batchInHand.given;
      await handlers['matching.plan'](payload);
      plannedAgain.give();
    },
    'matching.batch': async (payload) => {
      await handlers['matching.batch'](payload);
      batches += 1;
      if (batches > 1) return;
      batchInHand.give();
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

test('a job that cannot be taken up again is told by the sweep, and keeps it from no other', async () => {
  const quietJob = async (): Promise<string> => {
    const jobId = await startedJob();
    await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
    await makeQuiet(jobId);
    return jobId;
  };
  const heldUp = await quietJob();
  scope = await bench.newTenant();
  const other = await quietJob();
  await bench.emptyQueue();
  const { system } = bench.service.deps.db;
  await system.execute(
    `create function held_up(job uuid) returns boolean language plpgsql as $$ begin if job = '${heldUp}' then raise exception 'held up'; end if; return true; end $$`,
  );
  await system.execute('create policy held_up on job_batches as restrictive for select using (held_up(job_id))');
  try {
    await expect(sweepMatchingJobs(bench.service.deps)).rejects.toThrow('1 matching job could not be taken up again');
  } finally {
    await system.execute('drop policy held_up on job_batches');
  }
  await runQueue();
  expect(await getMatchingJob(scope, other)).toMatchObject(completed);
});

test('a batch that the sweep brings back stands in the line of its tenant where it stood', async () => {
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
  const places = async () => (await batches()).map(({ id, opts }) => `${id} ${opts.priority}`).sort();
  try {
    const before = await places();
    const [lost] = await batches();
    await lost?.remove();
    await sweepMatchingJobs(bench.service.deps);
    expect([before.length, await places()]).toEqual([2, before]);
  } finally {
    await queue.close();
  }
});

test('a job that works is left alone by the sweep', async () => {
  const jobId = await startedJob();
  await bench.emptyQueue();
  await sweepMatchingJobs(bench.service.deps);
  await runQueue();
  expect((await getMatchingJob(scope, jobId)).status).toBe('queued');
});

test('a job that failed with its worker completes when one of its queue jobs is retried', async () => {
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

/** The tables of the snapshots of the tenant: two for each rule set of a job. */
async function stageTables(): Promise<number> {
  const [stages] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'staging' and c.relkind = 'r'
      join job_rule_sets e on e.tenant_id = $1::uuid and replace(e.id::text, '-', '') = substr(c.relname, 3)`,
    [scope.tenantId],
  );
  return stages?.count ?? 0;
}

test('the clean-up of a completed job drops its snapshot and deletes superseded matches', async () => {
  const first = await startedJob();
  await runQueue();
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  await queueDrained(bench.service.queueSettings, 'matching');
  const maintenance = createMaintenanceHandlers(bench.service.deps, { keyIds: [] });
  for (const jobId of [first, ...jobIds]) await maintenance['matching.cleanup']({ tenantId: scope.tenantId, jobId });
  expect(await stageTables()).toBe(0);
  const matchesOf = async (matchingJobId: string) =>
    (await listMatches(scope, { matchingJobId }, { page: 1, limit: 10 })).total;
  expect([await matchesOf(first), await matchesOf(jobIds[0] as string)]).toEqual([0, 1]);
});

test('a clean-up goes through no earlier jobs of its rule sets that have left nothing', async () => {
  const started = async () =>
    (await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined)).jobIds[0] as string;
  const jobs = [await startedJob(), await started(), await started()];
  await scope.db.execute(
    `update matching_jobs set status = 'cancelled', finished_at = now() where tenant_id = $1::uuid`,
    [scope.tenantId],
  );
  jobs.push(await started());
  await runQueue();
  let transactions = 0;
  const counting: TenantScope = { ...scope, transaction: (work) => ((transactions += 1), scope.transaction(work)) };
  for (const jobId of jobs) await cleanUpJob(counting, jobId, 0);
  expect(transactions).toBe(0);
});

test('a snapshot is open to the tenant of its job and to no other', async () => {
  const jobId = await startedJob();
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  const tables = await scope.db.query<{ name: string }>(
    `select 'staging.' || t.kind || replace(e.id::text, '-', '') as name from job_rule_sets e, unnest(array['s_', 'd_']) as t (kind) where e.job_id = $1::uuid`,
    [jobId],
  );
  const rows = async ({ db }: TenantScope) =>
    Promise.all(tables.map(async ({ name }) => (await db.query(`select 1 from ${name}`)).length > 0));
  expect([await rows(scope), await rows(tenantScope(bench.service.deps, newId()))]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('a snapshot without a job is dropped by the sweep', async () => {
  const table = `staging.s_${newId().replace(/-/g, '')}`;
  await bench.service.deps.db.system.execute(`create unlogged table ${table} (side int)`);
  await sweepStages(bench.service.deps);
  const [found] = await scope.db.query<{ name: string | null }>(`select to_regclass($1)::text as name`, [table]);
  expect(found?.name).toBeNull();
});

test('the snapshot of a completed job whose clean-up was lost, or waits behind others, is dropped by the sweep a while after its end', async () => {
  const jobId = await startedJob();
  await runQueue();
  await sweepStages(bench.service.deps);
  expect(await stageTables()).toBe(2);
  await scope.db.execute(`update matching_jobs set finished_at = now() - interval '2 minutes' where id = $1::uuid`, [
    jobId,
  ]);
  await sweepStages(bench.service.deps);
  expect(await stageTables()).toBe(0);
});

describe('a snapshot that somebody reads', () => {
  /** Reads tables of the schema `staging` until the end of `work`, as a dump does. */
  const whileRead = async <T>(tables: readonly string[], work: () => Promise<T>): Promise<T> =>
    scope.db.session(async (reader) => {
      await reader.query(
        `reset role; begin; lock table ${tables.map((table) => `staging.${table}`).join()} in access share mode`,
      );
      try {
        return await work();
      } finally {
        await reader.query('rollback');
      }
    });
  const isThere = async (table: string): Promise<boolean> =>
    (await scope.db.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [`staging.${table}`]))[0]
      ?.found === true;

  test('keeps no sweep from dropping others, and is dropped by a later one', async () => {
    const [read, other] = [newId(), newId()].map((id) => `s_${id.replace(/-/g, '')}`) as [string, string];
    for (const table of [read, other])
      await bench.service.deps.db.system.execute(`create unlogged table staging.${table} (side int)`);
    await whileRead([read], () => sweepStages(bench.service.deps));
    expect([await isThere(read), await isThere(other)]).toEqual([true, false]);
    await sweepStages(bench.service.deps);
    expect(await isThere(read)).toBe(false);
  });

  test.each([
    ['completed', null],
    ['failed', { code: 'expression_timeout' }],
  ])('keeps no clean-up waiting: the sweep drops that of a %s job when it is no longer read', async (status, error) => {
    const jobId = await startedJob();
    await runQueue();
    await bench.emptyQueue('maintenance');
    await scope.db.execute(`update matching_jobs set status = $2, error = $3::jsonb where id = $1::uuid`, [
      jobId,
      status,
      JSON.stringify(error),
    ]);
    const [entry] = await scope.db.query<{ id: string }>(
      `select replace(id::text, '-', '') as id from job_rule_sets where job_id = $1::uuid`,
      [jobId],
    );
    const tables = [`s_${entry?.id}`, `d_${entry?.id}`];
    const areThere = () => Promise.all(tables.map(isThere));
    const cleanUp = () =>
      createMaintenanceHandlers(bench.service.deps, { keyIds: [] })['matching.cleanup']({
        tenantId: scope.tenantId,
        jobId,
      });
    await scope.db.execute(`update matching_jobs set finished_at = now() - interval '2 minutes' where id = $1::uuid`, [
      jobId,
    ]);
    await whileRead(tables, async () => {
      await cleanUp();
      await sweepStages(bench.service.deps);
    });
    expect(await areThere()).toEqual([true, true]);
    await sweepStages(bench.service.deps);
    expect(await areThere()).toEqual([false, false]);
  });
});
