import { enqueueDeliveries } from '../events';
import { domainMetrics } from '../metrics';
import type { TenantScope } from '../scope';
import { emitJobEvent } from './job-events';
import { enqueueBatches } from './protocol';

export interface JobError {
  code: string;
  message: string;
}

/** The code of a failure that on-call can undo by retrying the failed queue job. */
const retryable = 'worker_failed';

/** Ends a job that cannot complete. Nothing happens to a job that has ended already. */
export async function failJob(scope: TenantScope, jobId: string, error: JobError): Promise<void> {
  const { db, queue, tenantId } = scope;
  const failed = await scope.transaction(async ({ db: tx }) => {
    const count = await tx.execute(
      `update matching_jobs set status = 'failed', error = $3::jsonb, finished_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
      [tenantId, jobId, JSON.stringify(error)],
    );
    if (count > 0 && (await emitJobEvent(tx, tenantId, jobId, 'failed'))) await tx.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
    return count > 0;
  });
  if (failed) tellEnd(scope, jobId, 'failed', error.code);
  if (!failed || error.code === retryable) return;
  await db.afterCommit(() => queue.enqueue('matching.cleanup', { tenantId, jobId }));
}

/** For on-call. The message of a failure is for the tenant: it may tell of its data. */
export function tellEnd(scope: TenantScope, jobId: string, status: 'completed' | 'failed' | 'cancelled', code = ''): void {
  domainMetrics.add('tieout_matching_jobs_ended_total', { status, code });
  scope.logger.info({ tenantId: scope.tenantId, jobId, status, ...(code === '' ? {} : { code }) }, 'matching job ended');
}

/** An expression has kept a worker busy beyond any reason. */
export async function failJobOverdue(scope: TenantScope, jobId: string, limitMs: number): Promise<void> {
  const message = `An expression took longer than ${limitMs / 1000} s on one record or pair: let it do less for each`;
  await failJob(scope, jobId, { code: timeoutCode, message });
}

/** One of its queue jobs has failed before, and now filled the memory of its process. */
export async function failJobOutOfMemory(scope: TenantScope, jobId: string, heapMb: number): Promise<void> {
  const message = `The job needs more memory than the ${heapMb} MB that a process has: look for an expression that builds large texts, arrays or objects`;
  await failJob(scope, jobId, { code: 'expression_memory', message });
}

const timeoutCode = 'expression_timeout';

/** Too many evaluations of a job have run into the time limit of an expression. */
export class ExpressionTimeoutError extends Error {
  readonly jobError: JobError = { code: timeoutCode, message: this.message };
}

const allowedFailures = 3;

/**
 * Evaluations of a rule set's run that took most of what they may and failed: a few are errors of their own, more end the job. Steps are
 * counted, not time, and each is known by the record or pair that it is of: neither the load of the machine decides, nor how the
 * job is cut into batches.
 */
export class HeavyFailures {
  private readonly of: Set<string>;
  private lastCode = '';

  /** @param known what those were of that have been found before */
  constructor(known: readonly string[] = []) {
    this.of = new Set(known);
  }

  /** What they were of. */
  get found(): readonly string[] {
    return [...this.of];
  }

  /** @throws ExpressionTimeoutError when the job ends */
  add(code: string, of: string): void {
    this.lastCode = code;
    this.join([of]);
  }

  /** Adds what others have found. @throws ExpressionTimeoutError when the job ends */
  join(found: readonly string[]): void {
    for (const of of found) this.of.add(of);
    if (this.of.size < allowedFailures) return;
    throw new ExpressionTimeoutError(`Expressions ran into their limits ${allowedFailures} times, the last time with ${this.lastCode}: simplify them`);
  }
}

/** A queue job has used up its attempts. */
export async function failJobOfWorker(scope: TenantScope, jobId: string, reason: string): Promise<void> {
  await failJob(scope, jobId, { code: retryable, message: `A worker failed repeatedly: ${reason.slice(0, 500)}` });
}

/** Puts a job back to running when one of its failed queue jobs is retried by hand, with all that is left to do. */
export async function reviveFailedJob(scope: TenantScope, jobId: string): Promise<void> {
  const revived = await scope.db.execute(
    `update matching_jobs set status = 'running', error = null, finished_at = null
      where tenant_id = $1::uuid and id = $2::uuid and status = 'failed' and error ->> 'code' = $3`,
    [scope.tenantId, jobId, retryable],
  );
  if (revived > 0) await scope.db.afterCommit(() => enqueueBatches(scope, jobId));
}
