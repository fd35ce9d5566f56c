import { createHash } from 'node:crypto';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../scope';
import { batchesAhead } from './fairness';

/** Planning and finishing a job are done by one process at a time; the lock ends with the transaction. */
export async function jobLock(client: PoolClient, jobId: string, mode: 'try' | 'wait'): Promise<boolean> {
  const key = createHash('sha256').update(`matching-job ${jobId}`).digest().readBigInt64BE(0).toString();
  if (mode === 'wait') {
    await client.query('select pg_advisory_xact_lock($1)', [key]);
    return true;
  }
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [key]);
  return rows[0]?.locked === true;
}

/** Ids of queue jobs: a second job with the id of one that is still queued is dropped. */
export const queueJobId = {
  batch: (entryId: string, batchNo: number): string => `batch-${entryId}-${batchNo}`,
  plan: (jobId: string): string => `plan-${jobId}`,
  finish: (jobId: string): string => `finish-${jobId}`,
};

/**
 * Enqueues every batch that is not done; those already in the queue stay as they are. A tenant's batches are numbered
 * through and the number is the priority, so that the queue serves tenants in turn whatever the size of their jobs.
 */
export async function enqueueBatches(scope: TenantScope, jobId: string): Promise<void> {
  const batches = await scope.db.query<{ entryId: string; batchNo: number }>(
    `select entry_id as "entryId", batch_no as "batchNo" from job_batches
      where tenant_id = $1::uuid and job_id = $2::uuid and not done order by entry_id, batch_no`,
    [scope.tenantId, jobId],
  );
  if (batches.length === 0) return;
  const ahead = await batchesAhead(scope, jobId);
  await scope.queue.enqueueMany(
    'matching.batch',
    batches.map(({ entryId, batchNo }, index) => ({
      priority: ahead + index + 1,
      payload: { tenantId: scope.tenantId, jobId, entryId, batchNo },
      jobId: queueJobId.batch(entryId, batchNo),
    })),
  );
}

/** Holds for a row `j` of matching_jobs that runs, is planned and has no batch left to do. */
export const finishIsDue = `j.status = 'running' and j.planned_at is not null
  and not exists (select 1 from job_batches b where b.job_id = j.id and not b.done)`;

/** Enqueues the finish of a planned, running job whose batches are all done. */
export async function enqueueFinishWhenDone(scope: TenantScope, jobId: string): Promise<void> {
  const due = await scope.db.query(
    `select 1 from matching_jobs j where j.tenant_id = $1::uuid and j.id = $2::uuid and ${finishIsDue}`,
    [scope.tenantId, jobId],
  );
  if (due.length > 0) {
    await scope.queue.enqueue('matching.finish', { tenantId: scope.tenantId, jobId }, { jobId: queueJobId.finish(jobId) });
  }
}
