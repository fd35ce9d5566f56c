import { Attempts, maxRecoveryFailures } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import { failJobOfWorker } from './fail';
import { enqueueBatches, enqueueDueStep, openBatches, queueJobId, queueJobOfDueStep } from './protocol';

/** Time without progress after which the sweep checks a job: its queue jobs may be lost. */
const quietMs = 30_000;
/** Max batches of a job that the sweep looks up in the queue, one by one. */
const maxBatches = 1_000;

/**
 * Finds stuck jobs. A job without progress for half a minute gets back the queue jobs that a crash or an emptied queue
 * has lost; a job whose queue job has failed for good is failed. The order is random, so that no job hides the ones
 * after it.
 */
export async function sweepMatchingJobs(deps: DomainDeps): Promise<void> {
  const quiet = await deps.db.system.query<{ id: string; tenantId: string; planned: boolean }>(
    `select j.id, j.tenant_id as "tenantId", j.planned_at is not null as planned
       from matching_jobs j
      where j.status in ('queued', 'running') and ${isActiveSql('j.tenant_id')}
        and greatest(j.created_at, j.started_at, j.planned_at,
                     (select max(done_at) from job_batches b where b.job_id = j.id),
                     (select max(assigned_at) from job_rule_sets e where e.job_id = j.id))
            < now() - make_interval(secs => $1::float8 / 1000)
      order by random()`,
    [quietMs],
  );
  const recoveries = new Attempts(deps, { noun: 'matching job', participle: 'taken up again' }, maxRecoveryFailures);
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
  // A second plan of a job waits for the first one, and finds the job planned.
  else if (state === 'absent')
    await scope.queue.enqueue('matching.plan', { tenantId: scope.tenantId, jobId }, { jobId: id });
}

async function recoverBatches(scope: TenantScope, jobId: string): Promise<void> {
  const open = await openBatches(scope, jobId, maxBatches);
  let isAnyLost = false;
  for (const { entryId, batchNo, plannedAtMs } of open) {
    const state = await scope.queue.stateOf('matching.batch', queueJobId.batch(entryId, batchNo, plannedAtMs));
    if (state === 'failed') return failJobOfWorker(scope, jobId, `batch ${batchNo} failed`);
    isAnyLost ||= state === 'absent';
  }
  if (isAnyLost) await enqueueBatches(scope, jobId);
  if (open.length > 0) return;
  const step = await queueJobOfDueStep(scope, jobId);
  if (step !== undefined && (await scope.queue.stateOf('matching.finish', step)) === 'failed') {
    return failJobOfWorker(scope, jobId, 'finishing failed');
  }
  await enqueueDueStep(scope, jobId);
}
