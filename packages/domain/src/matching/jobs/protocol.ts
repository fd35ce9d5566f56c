import { createHash } from 'node:crypto';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { batchesAhead } from './fairness';

/**
 * Planning and finishing a job are done by one process at a time; the lock ends with the transaction. A second process waits for the first:
 * one that hangs is found by those that wait for it.
 */
export async function jobLock(client: PoolClient, jobId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [jobLockKey(jobId)]);
}

export const jobLockKey = (jobId: string): string =>
  createHash('sha256').update(`matching-job ${jobId}`).digest().readBigInt64BE(0).toString();

/**
 * Ids of queue jobs: a second job with the id of one that is still queued is dropped. What follows a plan has its time in its
 * id: queue jobs of an earlier plan of the same job may still be in hand, and do nothing for this one.
 */
export const queueJobId = {
  batch: (entryId: string, batchNo: number, plannedAtMs: number): string =>
    `batch-${entryId}-${batchNo}-${plannedAtMs}`,
  plan: (jobId: string): string => `plan-${jobId}`,
  /** Of the same kind as the finish, with an id of its own: the batches that it enqueues may end before it does. */
  assign: (jobId: string, plannedAtMs: number): string => `assign-${jobId}-${plannedAtMs}`,
  finish: (jobId: string, plannedAtMs: number): string => `finish-${jobId}-${plannedAtMs}`,
};

/** The time of the plan of a row `j` of matching_jobs, for the ids of queue jobs, as SQL. */
const planTimeMs = `floor(extract(epoch from j.planned_at) * 1000)::float8`;

/** Holds for a batch `b` of an entry `e` that can run: groups are composed of what the assignment has left. */
export const batchIsOpen = `not b.done and (b.kind = 'pairs' or e.assigned_at is not null)`;

/** Batches of the job that can run and are not done: the first so many, or all. */
export function openBatches(
  scope: TenantScope,
  jobId: string,
  most: number | null = null,
): Promise<{ entryId: string; batchNo: number; plannedAtMs: number }[]> {
  return scope.db.query(
    `select b.entry_id as "entryId", b.batch_no as "batchNo", ${planTimeMs} as "plannedAtMs"
       from job_batches b join job_rule_sets e on e.id = b.entry_id join matching_jobs j on j.id = b.job_id
      where b.tenant_id = $1::uuid and b.job_id = $2::uuid and ${batchIsOpen} order by b.entry_id, b.batch_no limit $3::int`,
    [scope.tenantId, jobId, most],
  );
}

/**
 * Enqueues every batch that can run and is not done; those already in the queue stay as they are. A tenant's batches are numbered
 * through and the number is the priority, so that the queue serves tenants in turn whatever the size of their jobs.
 * @param from only those of this entry, from this number on
 */
export async function enqueueBatches(
  scope: TenantScope,
  jobId: string,
  from?: { entryId: string; batchNo: number },
): Promise<void> {
  const batches = await openBatches(scope, jobId);
  if (batches.length === 0) return;
  const ahead = await batchesAhead(scope, jobId);
  await scope.queue.enqueueMany(
    'matching.batch',
    batches.flatMap(({ entryId, batchNo, plannedAtMs }, index) => {
      if (from && (entryId !== from.entryId || batchNo < from.batchNo)) return [];
      const payload = { tenantId: scope.tenantId, jobId, entryId, batchNo };
      return [{ priority: ahead + index + 1, payload, jobId: queueJobId.batch(entryId, batchNo, plannedAtMs) }];
    }),
  );
}

/**
 * What a job can do once none of its batches can run: `assign` its pairs one to one, so that the batches which compose
 * groups can, or `complete`.
 */
export type DueStep = 'assign' | 'complete';

/** The step that is due for a row `j` of matching_jobs, as SQL; null while a batch can run, and unless the job is planned and runs. */
export const dueStep = `case when j.status <> 'running' or j.planned_at is null then null
  when not exists (select 1 from job_batches b where b.job_id = j.id and not b.done) then 'complete'
  when not exists (select 1 from job_batches b join job_rule_sets e on e.id = b.entry_id where b.job_id = j.id and ${batchIsOpen}) then 'assign' end`;

/** The id of the queue job for the step that is due; undefined when none is. */
export async function queueJobOfDueStep(scope: TenantScope, jobId: string): Promise<string | undefined> {
  const [job] = await scope.db.query<{ step: DueStep | null; plannedAtMs: number }>(
    `select ${dueStep} as step, ${planTimeMs} as "plannedAtMs" from matching_jobs j where j.tenant_id = $1::uuid and j.id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (!job?.step) return undefined;
  return job.step === 'assign' ? queueJobId.assign(jobId, job.plannedAtMs) : queueJobId.finish(jobId, job.plannedAtMs);
}

/** Enqueues the step that is due, if one is. */
export async function enqueueStepWhenDue(scope: TenantScope, jobId: string): Promise<void> {
  const id = await queueJobOfDueStep(scope, jobId);
  if (id) await scope.queue.enqueue('matching.finish', { tenantId: scope.tenantId, jobId }, { jobId: id });
}
