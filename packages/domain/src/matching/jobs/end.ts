import { AppError, type Queries } from '@tieout/infra';
import { emitEvent, enqueueDeliveries, subscribedTypes, type EventType } from '../../events';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { decisions, jobViews, type MatchingJobView } from './read';
import { enqueuePlan } from './start';

const runCompleted = 'RECONCILIATION_RUN_COMPLETED' as const;

/** The events to emit at the end of a job; a completed run of a reconciliation has one of its own besides. */
const eventTypes = {
  completed: ['MATCHING_JOB_COMPLETED'],
  'run completed': ['MATCHING_JOB_COMPLETED', runCompleted],
  failed: ['MATCHING_JOB_FAILED'],
  cancelled: ['MATCHING_JOB_CANCELLED'],
} as const satisfies Record<string, readonly EventType[]>;

type JobEnd = keyof typeof eventTypes;
type EndStatus = Exclude<JobEnd, 'run completed'>;

/**
 * Emits the events of an ended job where webhooks subscribe to them. Runs inside the transaction that ends the job.
 */
export async function emitJobEvent(db: Queries, tenantId: string, jobId: string, end: JobEnd): Promise<boolean> {
  const wanted = await subscribedTypes<EventType>(db, tenantId, eventTypes[end]);
  if (wanted.length === 0) return false;
  const [job] = await jobViews({ tenantId, db }, [jobId]);
  if (!job) return false;
  const occurredAt = job.finishedAt ?? new Date();
  const outcomes: boolean[] = [];
  for (const type of wanted) {
    const ofRun = type === runCompleted ? await runData(db, tenantId, job) : {};
    if (ofRun) outcomes.push(await emitEvent(db, tenantId, { type, data: { ...ofRun, ...jobData(job) }, occurredAt }));
  }
  return outcomes.some((isDelivered) => isDelivered);
}

/** Returns the additional data of the event of a run; undefined for a job that is not a run. */
async function runData(
  db: Queries,
  tenantId: string,
  { id, run }: Pick<MatchingJobView, 'id' | 'run'>,
): Promise<object | undefined> {
  if (!run) return undefined;
  const [held] = await db.query<{ groups: number }>(
    `select count(*)::float8 as groups from match_groups
      where tenant_id = $1::uuid and matching_job_id = $2::uuid and origin = 'auto'`,
    [tenantId, id],
  );
  return {
    reconciliationId: run.reconciliationId,
    mode: run.mode,
    trigger: run.trigger,
    groupsHeld: held?.groups ?? 0,
  };
}

function jobData(job: MatchingJobView): object {
  const { entries } = job;
  return {
    matchingJobId: job.id,
    jobGroupId: job.jobGroupId,
    datasetName: job.datasetName,
    status: job.status,
    recordsTotal: job.recordsTotal,
    pairsTotal: entries.reduce((total, entry) => total + entry.pairsTotal, 0),
    pairsProcessed: entries.reduce((total, entry) => total + entry.pairsProcessed, 0),
    decisionCounts: Object.fromEntries(
      decisions.map((d) => [d, entries.reduce((total, entry) => total + entry.decisionCounts[d], 0)]),
    ),
    averageScore: job.averageScore,
    ruleSetIds: entries.map(({ ruleSetId }) => ruleSetId),
    ...(job.error ? { error: job.error } : {}),
  };
}

/** Logs and counts an ended job for on-call, without the message of a failure: it may quote data of the tenant. */
export async function reportJobEnd(scope: TenantScope, jobId: string, status: EndStatus, code = ''): Promise<void> {
  domainMetrics.add('tieout_matching_jobs_ended_total', { status, code });
  scope.logger.info(
    { tenantId: scope.tenantId, jobId, status, ...(code === '' ? {} : { code }) },
    'matching job ended',
  );
  const [run] = await scope.db.query<{ mode: string; trigger: string; seconds: number }>(
    `select mode, trigger, extract(epoch from finished_at - created_at)::float8 as seconds from matching_jobs
      where tenant_id = $1::uuid and id = $2::uuid and reconciliation_id is not null`,
    [scope.tenantId, jobId],
  );
  if (!run) return;
  domainMetrics.add('tieout_reconciliation_runs_ended_total', { status, trigger: run.trigger });
  if (status === 'completed')
    domainMetrics.observe('tieout_reconciliation_run_duration_seconds', { mode: run.mode }, run.seconds);
}

/**
 * Ends a job before it completes, in one transaction with its event.
 * @param end writes the end and returns whether the job was still open
 * @returns whether the job was still open
 */
export async function endJob(
  scope: TenantScope,
  jobId: string,
  status: Exclude<EndStatus, 'completed'>,
  end: (tx: Queries) => Promise<boolean>,
): Promise<boolean> {
  const { queue, tenantId } = scope;
  return scope.transaction(async ({ db: tx }) => {
    if (!(await end(tx))) return false;
    if (await emitJobEvent(tx, tenantId, jobId, status))
      await tx.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
    return true;
  });
}

/** Enqueues the clean-up of an ended job, and the plan of a run that waits for it. */
export const enqueueCleanUp = (scope: TenantScope, jobId: string): Promise<void> =>
  scope.db.afterCommit(async () => {
    await scope.queue.enqueue('matching.cleanup', { tenantId: scope.tenantId, jobId });
    await enqueueNextRun(scope, jobId);
  });

async function enqueueNextRun(scope: TenantScope, jobId: string): Promise<void> {
  const [next] = await scope.db.query<{ id: string }>(
    `select next.id::text as id from matching_jobs ended
       join matching_jobs next on next.reconciliation_id = ended.reconciliation_id and next.status = 'queued'
      where ended.tenant_id = $1::uuid and ended.id = $2::uuid and next.tenant_id = $1::uuid
      order by next.id limit 1`,
    [scope.tenantId, jobId],
  );
  if (next) await enqueuePlan(scope, next.id);
}

/**
 * Cancels a running job, or a run that waits for another one. Batches that have not been processed are skipped; a
 * running one stops within a second. Only the row of the job is written: planning and finishing lock the rule sets
 * first and the row of the job last.
 * @throws AppError matching_job_not_found, job_not_running
 */
export async function cancelMatchingJob(scope: TenantScope, jobId: string): Promise<void> {
  const { db, tenantId } = scope;
  const isCancelled = await endJob(scope, jobId, 'cancelled', async (tx) => {
    const count = await tx.execute(
      `update matching_jobs set status = 'cancelled', finished_at = now()
        where tenant_id = $1::uuid and id = $2::uuid
          and (status = 'running' or status = 'queued' and reconciliation_id is not null)`,
      [tenantId, jobId],
    );
    return count > 0;
  });
  if (!isCancelled) {
    const job = await db.orm.matchingJob.findFirst({ where: { id: jobId }, select: { status: true } });
    if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
    throw new AppError('job_not_running', `Only a running job can be cancelled; this one is ${job.status}`);
  }
  await enqueueCleanUp(scope, jobId);
  await reportJobEnd(scope, jobId, 'cancelled');
}
