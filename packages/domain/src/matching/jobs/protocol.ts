import { createHash } from 'node:crypto';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { fairPriorities } from '../../kernel/priorities';
import { batchesAhead } from './fairness';

/**
 * Locks a job until the end of the transaction: one process at a time plans or finishes it. A second process waits,
 * which is how a process that hangs with the lock is found.
 */
export async function lockJob(client: PoolClient, jobId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [jobLockKey(jobId)]);
}

export const jobLockKey = (jobId: string): string =>
  createHash('sha256').update(`matching-job ${jobId}`).digest().readBigInt64BE(0).toString();

/**
 * Ids of queue jobs: a second job with the id of a queued one is dropped. The ids of steps after a plan contain its
 * time: queue jobs of an earlier plan of the same job may still run, and do nothing for the new one.
 */
export const queueJobId = {
  batch: (entryId: string, batchNo: number, plannedAtMs: number): string =>
    `batch-${entryId}-${batchNo}-${plannedAtMs}`,
  plan: (jobId: string): string => `plan-${jobId}`,
  /** Differs from the id of the finish: the batches that an assignment enqueues may end before the assignment does. */
  assign: (jobId: string, plannedAtMs: number, assigned: number): string =>
    `assign-${jobId}-${plannedAtMs}-${assigned}`,
  finish: (jobId: string, plannedAtMs: number): string => `finish-${jobId}-${plannedAtMs}`,
};

/** Names a batch of a job. */
export interface BatchRef {
  jobId: string;
  entryId: string;
  batchNo: number;
}

/** SQL for the plan time of a row `j` of matching_jobs, for the ids of queue jobs. */
const planTimeMs = `floor(extract(epoch from j.planned_at) * 1000)::float8`;

/** SQL that holds for a batch `b` of an entry `e` that can run: groups are composed of the records left unassigned. */
export const batchIsOpen = `not b.done and (b.kind = 'pairs' or e.assigned_at is not null)`;

/** SQL that holds for a row of matching_jobs created after another one, which has therefore read newer records. */
export const isNewerJob = (job: string, other: string): string =>
  `(${job}.created_at, ${job}.id) > (${other}.created_at, ${other}.id)`;

/** Lists the batches of the job that can run and are not done. @param max null: all */
export function openBatches(
  scope: TenantScope,
  jobId: string,
  max: number | null = null,
): Promise<{ entryId: string; batchNo: number; plannedAtMs: number }[]> {
  return scope.db.query(
    `select b.entry_id as "entryId", b.batch_no as "batchNo", ${planTimeMs} as "plannedAtMs"
       from job_batches b join job_rule_sets e on e.id = b.entry_id join matching_jobs j on j.id = b.job_id
      where b.tenant_id = $1::uuid and b.job_id = $2::uuid and ${batchIsOpen}
      order by b.entry_id, b.batch_no limit $3::int`,
    [scope.tenantId, jobId, max],
  );
}

/**
 * Enqueues every open batch; those in the queue already stay as they are. The batches of a tenant are numbered from the
 * queue head on, and the number is the priority: the queue serves tenants round robin whatever the size of their jobs.
 * The plans of later jobs advance the head (see start.ts), so that every batch reaches it.
 * @param from restricts it to this entry, from this batch number on
 */
export async function enqueueBatches(
  scope: TenantScope,
  jobId: string,
  from?: { entryId: string; batchNo: number },
): Promise<void> {
  const batches = await openBatches(scope, jobId);
  if (batches.length === 0) return;
  const priorities = fairPriorities(scope.queue, 'matching.batch');
  await priorities.ready();
  const first = Math.floor(priorities.head) + (await batchesAhead(scope, jobId));
  await scope.queue.enqueueMany(
    'matching.batch',
    batches.flatMap(({ entryId, batchNo, plannedAtMs }, index) => {
      if (from && (entryId !== from.entryId || batchNo < from.batchNo)) return [];
      const payload = { tenantId: scope.tenantId, jobId, entryId, batchNo };
      return [{ priority: first + index, payload, jobId: queueJobId.batch(entryId, batchNo, plannedAtMs) }];
    }),
  );
}

/**
 * The step of a job once none of its batches can run: `assign` its pairs one to one, after which the batches that
 * compose groups can run, or `complete`.
 */
export type DueStep = 'assign' | 'complete';

/**
 * SQL for the due step of a row `j` of matching_jobs; null while a batch can run, and unless the job is planned and
 * runs.
 */
export const dueStep = `case when j.status <> 'running' or j.planned_at is null then null
  when not exists (select 1 from job_batches b where b.job_id = j.id and not b.done) then 'complete'
  when not exists (select 1 from job_batches b join job_rule_sets e on e.id = b.entry_id
                    where b.job_id = j.id and ${batchIsOpen}) then 'assign' end`;

/** Returns the id of the queue job for the due step; undefined when none is due. */
export async function queueJobOfDueStep(scope: TenantScope, jobId: string): Promise<string | undefined> {
  const [job] = await scope.db.query<{ step: DueStep | null; plannedAtMs: number; assigned: number }>(
    `select ${dueStep} as step, ${planTimeMs} as "plannedAtMs",
            (select count(*)::int from job_rule_sets e where e.job_id = j.id and e.assigned_at is not null) as assigned
       from matching_jobs j where j.tenant_id = $1::uuid and j.id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (!job?.step) return undefined;
  const { step, plannedAtMs, assigned } = job;
  return step === 'assign' ? queueJobId.assign(jobId, plannedAtMs, assigned) : queueJobId.finish(jobId, plannedAtMs);
}

/** Enqueues the due step, if there is one. */
export async function enqueueDueStep(scope: TenantScope, jobId: string): Promise<void> {
  const id = await queueJobOfDueStep(scope, jobId);
  if (id) await scope.queue.enqueue('matching.finish', { tenantId: scope.tenantId, jobId }, { jobId: id });
}
