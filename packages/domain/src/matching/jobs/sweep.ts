import { Attempts, mostRecoveryFailures } from '../../kernel/attempts';
import type { Days } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { failJobOfWorker, retryable } from './fail';
import { enqueueBatches, enqueueStepWhenDue, openBatches, queueJobId, queueJobOfDueStep } from './protocol';
import { expireResultsOfRuleSet } from './retention';
import { dropStageUnlessRead, patientForReaders, unlessRead } from '../stage/staging';

/** A job that has made no progress for this long is looked at: its queue jobs may be lost. */
const quietMs = 30_000;
/** Batches of a job that are looked for in the queue, one by one. */
const batchesAtOnce = 1_000;

/**
 * Brings jobs back to life whose queue jobs a crash, or an emptied queue, has lost; ends those whose queue job
 * has failed for good without anybody noticing. In no order, so that none hides others that come behind it.
 */
export async function sweepMatchingJobs(deps: DomainDeps): Promise<void> {
  const quiet = await deps.db.system.query<{ id: string; tenantId: string; planned: boolean }>(
    `select j.id, j.tenant_id as "tenantId", j.planned_at is not null as planned
       from matching_jobs j
      where j.status in ('queued', 'running')
        and greatest(j.created_at, j.started_at, j.planned_at,
                     (select max(done_at) from job_batches b where b.job_id = j.id),
                     (select max(assigned_at) from job_rule_sets e where e.job_id = j.id)) < now() - make_interval(secs => $1::float8 / 1000)
      order by random()`,
    [quietMs],
  );
  const recoveries = new Attempts(deps, { what: 'matching job', done: 'taken up again' }, mostRecoveryFailures);
  for (const { id, tenantId, planned } of quiet) {
    await recoveries.try({ tenantId, jobId: id }, (scope) =>
      planned ? recoverBatches(scope, id) : recoverPlan(scope, id),
    );
  }
  recoveries.end();
}

async function recoverPlan(scope: TenantScope, jobId: string): Promise<void> {
  const id = queueJobId.plan(jobId);
  const state = await scope.queue.stateOf('matching.plan', id);
  if (state === 'failed') await failJobOfWorker(scope, jobId, 'planning failed');
  // A second plan of a job that is being planned waits for the first, and finds it planned.
  else if (state === 'absent')
    await scope.queue.enqueue('matching.plan', { tenantId: scope.tenantId, jobId }, { jobId: id });
}

async function recoverBatches(scope: TenantScope, jobId: string): Promise<void> {
  const open = await openBatches(scope, jobId, batchesAtOnce);
  let anyLost = false;
  for (const { entryId, batchNo, plannedAtMs } of open) {
    const state = await scope.queue.stateOf('matching.batch', queueJobId.batch(entryId, batchNo, plannedAtMs));
    if (state === 'failed') return failJobOfWorker(scope, jobId, `batch ${batchNo} failed`);
    anyLost ||= state === 'absent';
  }
  if (anyLost) await enqueueBatches(scope, jobId);
  if (open.length > 0) return;
  const step = await queueJobOfDueStep(scope, jobId);
  if (step !== undefined && (await scope.queue.stateOf('matching.finish', step)) === 'failed') {
    return failJobOfWorker(scope, jobId, 'finishing failed');
  }
  await enqueueStepWhenDue(scope, jobId);
}

/**
 * Drops the snapshot of an ended job and deletes the matches and composites that its rule sets' live jobs have superseded.
 * @param keptDays how long these stay
 */
export async function cleanUpJob(scope: TenantScope, jobId: string, keptDays: Days): Promise<void> {
  const { tenantId, db } = scope;
  const entries = await db.query<{ id: string; ruleSetId: string }>(
    `select e.id, e.rule_set_id as "ruleSetId" from job_rule_sets e
       join matching_jobs j on j.id = e.job_id and j.status in ('completed', 'failed', 'cancelled')
      where e.tenant_id = $1::uuid and e.job_id = $2::uuid`,
    [tenantId, jobId],
  );
  for (const entry of entries) {
    await db.session((client) => dropStageUnlessRead(client, entry.id));
    if (keptDays !== null) await expireResultsOfRuleSet(scope, entry.ruleSetId, keptDays);
  }
}

/** A job that can be retried on the dashboard needs its snapshot so long. */
const keepFailed = `interval '1 day'`;
/** Any other ended job is cleaned up at its end. After this time that has been lost, waits behind others, or somebody has read the snapshot. */
const cleanUpWithin = `interval '1 minute'`;
/** Two of each rule set of a job. So many are dropped in a second or two, for which other sweeps wait. */
const tablesAtOnce = 200;
const jobIsOver = `(j.status in ('completed', 'cancelled') or (j.status = 'failed' and j.error ->> 'code' <> '${retryable}'))`;

/** Somebody uses the table, such as a dump, maybe for hours. */
const isRead =
  'exists (select 1 from pg_locks l where l.relation = c.oid and l.database = (select oid from pg_database where datname = current_database()))';

/**
 * Drops snapshots of jobs or rule sets that no longer exist, or that have ended a while ago. What somebody reads is left to a later sweep. Results
 * of jobs whose clean-up was lost are removed with the superseded ones.
 */
export async function sweepStages(deps: DomainDeps): Promise<void> {
  const left = await deps.db.system.query<{ table: string }>(
    `select c.relname as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'staging'
       left join (job_rule_sets e join matching_jobs j on j.id = e.job_id) on replace(e.id::text, '-', '') = substr(c.relname, 3)
      where c.relkind = 'r' and not ${isRead} and (j.id is null
         or (${jobIsOver} and j.finished_at < now() - ${cleanUpWithin})
         or (j.status = 'failed' and j.finished_at < now() - ${keepFailed})) limit ${tablesAtOnce}`,
  );
  for (const { table } of left) await unlessRead(() => dropTable(deps, table));
}

const dropTable = ({ db }: DomainDeps, table: string): Promise<unknown> =>
  db.system.transaction(async (tx) => {
    await tx.execute(patientForReaders);
    await tx.execute(`drop table if exists staging."${table.replace(/"/g, '""')}"`);
  });
