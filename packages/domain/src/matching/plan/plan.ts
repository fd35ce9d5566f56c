import { isUniqueViolation, queriesOn, type PoolClient } from '@tieout/infra';
import { receivedPollMs, receivedWaitMs } from '../../data/records';
import type { TenantScope } from '../../kernel/scope';
import { closedPeriods } from '../../reconciliations';
import { JobStoppedError } from '../jobs/context';
import { ExpressionTimeoutError, SlowFiltersError, TooManyPairsError } from '../jobs/errors';
import { failJob, failJobOfExpressions, failJobOfSlowFilters, reviveFailedJob } from '../jobs/fail';
import type { JobLimits } from '../jobs/limits';
import { enqueueBatches, enqueueDueStep, lockJob, type BatchRef } from '../jobs/protocol';
import { narrowingHint } from './narrowing';
import { FilterBudget, planEntry, type EntryPlan, type JobEntry, type PlanContext, type PlanRun } from './plan-entry';

/**
 * Takes the snapshot of every rule set of a job and cuts it into batches, in one transaction, then enqueues the
 * batches. Safe to repeat: a planned job only gets its missing queue jobs back.
 * @returns the batches of a small job, which are not enqueued: the caller does them
 */
export async function planJob(
  scope: TenantScope,
  jobId: string,
  context: PlanContext,
): Promise<readonly BatchRef[] | undefined> {
  let job = await begin(scope, jobId);
  if (job === undefined && (await reviveFailedJob(scope, jobId))) job = await begin(scope, jobId);
  if (!job) return undefined;
  let small: readonly BatchRef[] | undefined;
  if (job.plannedAt === null) {
    const pending = await pendingRecords(scope, jobId);
    if (job.isFilling || (pending > 0 && job.ageMs < receivedWaitMs)) {
      await scope.queue.enqueue('matching.plan', { tenantId: scope.tenantId, jobId }, { delayMs: receivedPollMs });
      return undefined;
    }
    try {
      const plan = await writePlan(scope, jobId, pending, context);
      if (plan === 'over') return undefined;
      small = plan.small;
    } catch (error) {
      await failPlan(scope, jobId, error);
      return undefined;
    }
  }
  if (small) return small;
  await enqueueBatches(scope, jobId);
  await enqueueDueStep(scope, jobId);
  return undefined;
}

/** Lists the batches of a job that is small; undefined for another one. */
function batchesOfSmallJob(
  jobId: string,
  entries: readonly JobEntry[],
  plans: readonly EntryPlan[],
  { smallJobPairs }: Pick<JobLimits, 'smallJobPairs'>,
): BatchRef[] | undefined {
  const sum = (count: (plan: EntryPlan) => number): number => plans.reduce((total, plan) => total + count(plan), 0);
  if (sum(({ pairs }) => pairs) > smallJobPairs || sum(({ batchRows }) => batchRows) > smallJobPairs) return undefined;
  return entries.flatMap(({ id: entryId }, i) =>
    Array.from({ length: plans[i]?.pairBatches ?? 0 }, (_, batchNo) => ({ jobId, entryId, batchNo })),
  );
}

interface BegunJob {
  plannedAt: Date | null;
  ageMs: number;
  /** True if records of the reconciliation are not items yet: a run before would not see them. */
  isFilling: boolean;
}

/**
 * Sets a job to running. A run of a reconciliation stays queued while another one runs, whose end enqueues its plan: an
 * index admits one running job of each reconciliation.
 */
async function begin({ db, tenantId }: TenantScope, jobId: string): Promise<BegunJob | undefined> {
  try {
    const [job] = await db.query<BegunJob>(
      `update matching_jobs set status = 'running', started_at = coalesce(started_at, now())
        where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')
        returning planned_at as "plannedAt", (extract(epoch from now() - started_at) * 1000)::float8 as "ageMs",
                  exists (select 1 from reconciliation_datasets d
                           where d.tenant_id = $1::uuid and d.reconciliation_id = matching_jobs.reconciliation_id
                             and not d.filled) as "isFilling"`,
      [tenantId, jobId],
    );
    return job;
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

async function failPlan(scope: TenantScope, jobId: string, error: unknown): Promise<void> {
  if (error instanceof JobStoppedError) return;
  if (error instanceof ExpressionTimeoutError) return failJobOfExpressions(scope, jobId, error);
  if (error instanceof SlowFiltersError) return failJobOfSlowFilters(scope, jobId, error);
  if (!(error instanceof TooManyPairsError)) throw error;
  await failJob(scope, jobId, { code: 'too_many_pairs', message: error.message });
}

interface WrittenPlan {
  /** The batches of a small job. */
  small?: BatchRef[];
}

/**
 * Plans the job, unless another process has done so.
 * @returns 'over' when the job no longer runs
 */
async function writePlan(
  scope: TenantScope,
  jobId: string,
  pending: number,
  context: PlanContext,
): Promise<WrittenPlan | 'over'> {
  const { db, tenantId } = scope;
  const write = async (left: PoolClient, right: PoolClient, writer: PoolClient): Promise<WrittenPlan | 'over'> => {
    await writer.query('begin');
    await lockJob(writer, jobId);
    const state = await stateOf(writer, tenantId, jobId);
    if (state !== 'unplanned') {
      await writer.query('rollback');
      return state === 'planned' ? {} : 'over';
    }
    const snapshot = await shareSnapshot(left, right);
    const entries = await loadEntries(writer, tenantId, jobId);
    const plans: EntryPlan[] = [];
    const buffers = context.buffers.take();
    context.pools.dropLarge();
    const filterBudgets = { left: new FilterBudget(context.limits), right: new FilterBudget(context.limits) };
    const closed = await closedPeriodsOf(scope, left, entries);
    const readers = { left, right };
    const run = { scope, context, readers, writer, buffers, filterBudgets, closedPeriods: closed };
    for (const entry of entries) plans.push(await planOrExplain(run, entry));
    context.buffers.giveBack(buffers);
    await Promise.all([left.query('commit'), right.query('commit')]);
    const totals = datasetTotals(entries, plans);
    const small = batchesOfSmallJob(jobId, entries, plans, context.limits);
    if (!small) for (const { stage } of plans) await stage.store();
    const { rows: planned } = await writer.query<{ plannedAt: Date }>(
      `update matching_jobs
          set planned_at = now(), records_total = $3, failed_records = $4, pending_records = $5, snapshot = $6,
                closed_periods = $7
        where tenant_id = $1 and id = $2 and status = 'running' and planned_at is null
        returning planned_at as "plannedAt"`,
      [tenantId, jobId, totals.ready, totals.failed, pending, snapshot, closed ?? []],
    );
    await writer.query(planned[0] ? 'commit' : 'rollback');
    if (!planned[0]) return 'over';
    if (!small) return {};
    context.stages.keep(
      plans.flatMap(({ stage }) => stage.kept ?? []),
      planned[0].plannedAt,
    );
    return { small };
  };
  return db.session((left) => db.session((right) => db.session((writer) => write(left, right, writer))));
}

/** Plans an entry, and says of too many pairs what would narrow them. */
async function planOrExplain(run: PlanRun, entry: JobEntry): Promise<EntryPlan> {
  try {
    return await planEntry(run, entry);
  } catch (error) {
    if (!(error instanceof TooManyPairsError)) throw error;
    const { tenantId } = run.scope;
    const { left: client } = run.readers;
    const hint = await narrowingHint(client, tenantId, entry);
    throw new TooManyPairsError((await nameAmongSeveral(client, tenantId, entry)) + error.message + hint);
  }
}

/** Names the rule set of an entry where its job has several. */
async function nameAmongSeveral(client: PoolClient, tenantId: string, { id, jobId }: JobEntry): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select r.name from job_rule_sets e join rule_sets r on r.tenant_id = $1 and r.id = e.rule_set_id
      where e.tenant_id = $1 and e.id = $2
        and exists (select 1 from job_rule_sets o where o.tenant_id = $1 and o.job_id = $3 and o.id <> e.id)`,
    [tenantId, id, jobId],
  );
  return rows[0] ? `Rule set ${JSON.stringify(rows[0].name)}: ` : '';
}

async function stateOf(client: PoolClient, tenantId: string, jobId: string): Promise<'planned' | 'unplanned' | 'over'> {
  const { rows } = await client.query<{ planned: boolean }>(
    `select planned_at is not null as planned from matching_jobs
      where tenant_id = $1 and id = $2 and status = 'running'`,
    [tenantId, jobId],
  );
  if (!rows[0]) return 'over';
  return rows[0].planned ? 'planned' : 'unplanned';
}

/**
 * Begins transactions that read both sides of every rule set in the same state of the records. Returns the
 * transactions that this state does not contain.
 */
async function shareSnapshot(one: PoolClient, other: PoolClient): Promise<string> {
  // An index finds the records of a dataset, whatever their share of the table, among other datasets and dead rows.
  const begin = 'begin isolation level repeatable read read only; set local enable_seqscan = off';
  await one.query(begin);
  const { rows } = await one.query<{ id: string; seen: string }>(
    'select pg_export_snapshot() as id, pg_current_snapshot()::text as seen',
  );
  await other.query(begin);
  await other.query(`set transaction snapshot ${other.escapeLiteral(rows[0]?.id ?? '')}`);
  return rows[0]?.seen ?? '';
}

async function loadEntries(client: PoolClient, tenantId: string, jobId: string): Promise<JobEntry[]> {
  // The share lock makes a deletion of the rule set wait until the plan is written.
  const { rows } = await client.query<JobEntry>(
    `select e.id, e.job_id as "jobId", e.left_dataset_id as "leftDatasetId", e.right_dataset_id as "rightDatasetId",
            e.definition, j.reconciliation_id as "reconciliationId", j.mode
       from job_rule_sets e join matching_jobs j on j.id = e.job_id
      where e.tenant_id = $1 and e.job_id = $2 order by e.position for key share of e`,
    [tenantId, jobId],
  );
  return rows;
}

/** Lists the closed periods for a full run, in the snapshot of the reader; null for another job. */
async function closedPeriodsOf(
  { tenantId }: TenantScope,
  reader: PoolClient,
  [entry]: readonly JobEntry[],
): Promise<string[] | null> {
  if (entry?.mode !== 'full' || entry.reconciliationId === null) return null;
  return closedPeriods(queriesOn(reader), tenantId, entry.reconciliationId);
}

async function pendingRecords(scope: TenantScope, jobId: string): Promise<number> {
  const [row] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from records
      where tenant_id = $1::uuid and status = 'received'
        and dataset_id = any(array(
              select unnest(array[left_dataset_id, right_dataset_id]) from job_rule_sets
               where tenant_id = $1::uuid and job_id = $2::uuid))`,
    [scope.tenantId, jobId],
  );
  return row?.count ?? 0;
}

/** Sums the records of the datasets: ready ones once for each dataset and side, failed ones once for each dataset. */
function datasetTotals(entries: readonly JobEntry[], plans: readonly EntryPlan[]): { ready: number; failed: number } {
  const ready = new Map<string, number>();
  const failed = new Map<string, number>();
  entries.forEach((entry, i) => {
    const plan = plans[i] as EntryPlan;
    ready.set(`left ${entry.leftDatasetId}`, plan.left.ready);
    ready.set(`right ${entry.rightDatasetId}`, plan.right.ready);
    failed.set(entry.leftDatasetId, plan.left.failed);
    failed.set(entry.rightDatasetId, plan.right.failed);
  });
  const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
  return { ready: sum(ready), failed: sum(failed) };
}

/** Discards the work on a job and plans it again, after its snapshot was lost in a crash of the database. */
export async function replanJob(scope: TenantScope, jobId: string): Promise<void> {
  const { tenantId } = scope;
  scope.logger.warn({ jobId }, 'snapshot lost, planning the job again');
  const isReset = await scope.db.session(async (client) => {
    await client.query('begin');
    await lockJob(client, jobId);
    const isDiscarded = await discardWork(client, tenantId, jobId);
    await client.query('commit');
    return isDiscarded;
  });
  if (isReset) await scope.queue.enqueue('matching.plan', { tenantId, jobId });
}

/** Makes a running job one that is not planned yet. Returns whether it was. */
export async function discardWork(
  client: Pick<PoolClient, 'query'>,
  tenantId: string,
  jobId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update matching_jobs set planned_at = null
      where tenant_id = $1 and id = $2 and status = 'running' and planned_at is not null`,
    [tenantId, jobId],
  );
  if (rowCount === 1) await deleteWork(client, tenantId, jobId);
  return rowCount === 1;
}

async function deleteWork(client: Pick<PoolClient, 'query'>, tenantId: string, jobId: string): Promise<void> {
  // The deletion of batches waits for running ones, which hold their rows locked. The counts of results go too: all
  // that was subtracted for deleted records concerns matches that no longer exist.
  for (const table of ['job_batches', 'matches', 'result_counts'])
    await client.query(`delete from ${table} where tenant_id = $1 and job_id = $2`, [tenantId, jobId]);
  await client.query(
    `update job_rule_sets set status = 'pending', assigned_at = null, demoted = 0, vanished = 0,
            withheld_match = 0, withheld_possible = 0, withheld_score = 0
      where tenant_id = $1 and job_id = $2`,
    [tenantId, jobId],
  );
}
