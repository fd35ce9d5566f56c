import type { Queries } from '@tieout/infra';
import { emitEvent, webhooksWanting } from '../../events';
import { decisions, jobViews, type JobStatus } from './read';

const typeOf = {
  completed: 'MATCHING_JOB_COMPLETED',
  failed: 'MATCHING_JOB_FAILED',
  cancelled: 'MATCHING_JOB_CANCELLED',
} as const satisfies Partial<Record<JobStatus, string>>;

/** Tells that a job has ended, with what it found, if anybody wants to know. Runs inside the transaction that ends it. */
export async function emitJobEvent(
  db: Queries,
  tenantId: string,
  jobId: string,
  ended: keyof typeof typeOf,
): Promise<boolean> {
  const type = typeOf[ended];
  if ((await webhooksWanting(db, tenantId, type)).length === 0) return false;
  const [job] = await jobViews({ tenantId, db }, [jobId]);
  if (!job) return false;
  const { entries } = job;
  const data = {
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
  return emitEvent(db, tenantId, type, data, job.finishedAt ?? new Date());
}
