import type { TenantScope } from '../scope';
import { enqueueBatches } from './protocol';

export interface JobError {
  code: string;
  message: string;
}

/** The code of a failure that on-call can undo by retrying the failed queue job. */
const retryable = 'worker_failed';

/** Ends a job that cannot complete. Nothing happens to a job that has ended already. */
export async function failJob(scope: TenantScope, jobId: string, error: JobError): Promise<void> {
  await scope.transaction(async ({ db, queue, tenantId }) => {
    const failed = await db.execute(
      `update matching_jobs set status = 'failed', error = $3::jsonb, finished_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
      [tenantId, jobId, JSON.stringify(error)],
    );
    if (failed === 0) return;
    if (error.code === retryable) return;
    await db.afterCommit(() => queue.enqueue('matching.cleanup', { tenantId, jobId }));
  });
}

/** A queue job has used up its attempts. */
export async function failJobOfWorker(scope: TenantScope, jobId: string, reason: string): Promise<void> {
  await failJob(scope, jobId, { code: retryable, message: `A worker failed repeatedly: ${reason.slice(0, 500)}` });
}

/** Puts a job back to running when one of its failed queue jobs is retried by hand, with all that is left to do. */
export async function reviveFailedJob(scope: TenantScope, jobId: string): Promise<void> {
  await scope.transaction(async (s) => {
    const revived = await s.db.execute(
      `update matching_jobs set status = 'running', error = null, finished_at = null
        where tenant_id = $1::uuid and id = $2::uuid and status = 'failed' and error ->> 'code' = $3`,
      [s.tenantId, jobId, retryable],
    );
    if (revived === 0) return;
    await s.db.afterCommit(() => enqueueBatches(scope, jobId));
  });
}
