import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { JobContext } from '../jobs/handlers';
import { TooManyPairsError, planEntry, type EntryPlan, type JobEntry } from './plan-entry';
import {
  ExpressionTimeoutError,
  failJob,
  failJobOfExpressions,
  failJobOfSlowFilters,
  reviveFailedJob,
} from '../jobs/fail';
import { FilterBudget, SlowFiltersError } from './filter-budget';
import { enqueueBatches, enqueueStepWhenDue, jobLock } from '../jobs/protocol';
import { JobStoppedError } from '../jobs/running';

/** How long a job waits for records that are still being normalised before it counts them as pending. */
const pendingRecordsWaitMs = 60_000;
const pendingRecordsPollMs = 500;

/**
 * Takes the snapshot of every rule set of a job and cuts it into batches, all in one transaction, then
 * enqueues the batches. Safe to repeat: a planned job only gets its missing queue jobs back.
 */
export async function planJob(scope: TenantScope, jobId: string, context: JobContext): Promise<void> {
  await reviveFailedJob(scope, jobId);
  const [job] = await scope.db.query<{ plannedAt: Date | null; ageMs: number }>(
    `update matching_jobs set status = 'running', started_at = coalesce(started_at, now())
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')
      returning planned_at as "plannedAt", (extract(epoch from now() - started_at) * 1000)::float8 as "ageMs"`,
    [scope.tenantId, jobId],
  );
  if (!job) return;
  if (job.plannedAt === null) {
    const pending = await pendingRecords(scope, jobId);
    if (pending > 0 && job.ageMs < pendingRecordsWaitMs) {
      await scope.queue.enqueue(
        'matching.plan',
        { tenantId: scope.tenantId, jobId },
        { delayMs: pendingRecordsPollMs },
      );
      return;
    }
    try {
      if (!(await writePlan(scope, jobId, pending, context))) return;
    } catch (error) {
      if (error instanceof JobStoppedError) return;
      if (error instanceof ExpressionTimeoutError) await failJobOfExpressions(scope, jobId, error);
      else if (error instanceof SlowFiltersError) await failJobOfSlowFilters(scope, jobId, error);
      else if (error instanceof TooManyPairsError)
        await failJob(scope, jobId, { code: 'too_many_pairs', message: error.message });
      else throw error;
      return;
    }
  }
  await enqueueBatches(scope, jobId);
  await enqueueStepWhenDue(scope, jobId);
}

/**
 * Sees to it that the job is planned, by whomever.
 * @returns false when it is no longer running
 */
async function writePlan(scope: TenantScope, jobId: string, pending: number, context: JobContext): Promise<boolean> {
  const { db } = scope;
  return db.session((left) =>
    db.session((right) =>
      db.session(async (writer) => {
        await writer.query('begin');
        await jobLock(writer, jobId);
        const state = await stateOf(writer, scope.tenantId, jobId);
        if (state !== 'unplanned') {
          await writer.query('rollback');
          return state === 'planned';
        }
        await shareSnapshot(left, right);
        const entries = await loadEntries(writer, scope.tenantId, jobId);
        const plans: EntryPlan[] = [];
        const buffers = context.buffers.take();
        context.pools.shrink();
        const filterBudgets = { left: new FilterBudget(context.limits), right: new FilterBudget(context.limits) };
        for (const entry of entries)
          plans.push(
            await planEntry(scope, { readers: { left, right }, writer }, buffers, entry, filterBudgets, context),
          );
        context.buffers.giveBack(buffers);
        await Promise.all([left.query('commit'), right.query('commit')]);
        const totals = datasetTotals(entries, plans);
        const { rowCount } = await writer.query(
          `update matching_jobs set planned_at = now(), records_total = $3, failed_records = $4, pending_records = $5
        where tenant_id = $1 and id = $2 and status = 'running' and planned_at is null`,
          [scope.tenantId, jobId, totals.ready, totals.failed, pending],
        );
        await writer.query(rowCount === 1 ? 'commit' : 'rollback');
        return rowCount === 1;
      }),
    ),
  );
}

async function stateOf(client: PoolClient, tenantId: string, jobId: string): Promise<'planned' | 'unplanned' | 'over'> {
  const {
    rows: [job],
  } = await client.query<{ planned: boolean }>(
    `select planned_at is not null as planned from matching_jobs where tenant_id = $1 and id = $2 and status = 'running'`,
    [tenantId, jobId],
  );
  if (!job) return 'over';
  return job.planned ? 'planned' : 'unplanned';
}

/** Both sides of every rule set of the job are read in the same state of the records. */
async function shareSnapshot(one: PoolClient, other: PoolClient): Promise<void> {
  // The records of a dataset are found by an index, whatever part of the table they are: beside them lie those of other datasets, and what was updated.
  const begin = 'begin isolation level repeatable read read only; set local enable_seqscan = off';
  await one.query(begin);
  const { rows } = await one.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  await other.query(begin);
  await other.query(`set transaction snapshot ${other.escapeLiteral(rows[0]?.snapshot ?? '')}`);
}

async function loadEntries(client: PoolClient, tenantId: string, jobId: string): Promise<JobEntry[]> {
  // The share lock keeps a deletion of the rule set waiting until the plan is written.
  const { rows } = await client.query<JobEntry>(
    `select id, job_id as "jobId", left_dataset_id as "leftDatasetId", right_dataset_id as "rightDatasetId", definition
       from job_rule_sets where tenant_id = $1 and job_id = $2 order by position for key share`,
    [tenantId, jobId],
  );
  return rows;
}

async function pendingRecords(scope: TenantScope, jobId: string): Promise<number> {
  const [row] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from records r
      where r.tenant_id = $1::uuid and r.status = 'received' and r.dataset_id in (
        select unnest(array[e.left_dataset_id, e.right_dataset_id]) from job_rule_sets e where e.tenant_id = $1::uuid and e.job_id = $2::uuid)`,
    [scope.tenantId, jobId],
  );
  return row?.count ?? 0;
}

/** A dataset that several rule sets read on the same side counts once; failed records count once a dataset. */
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
