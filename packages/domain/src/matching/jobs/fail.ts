import { counted } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';
import { endJob, enqueueCleanUp, reportJobEnd } from './end';
import {
  maxHeavyFailures,
  type EntryError,
  type ExpressionTimeoutError,
  type JobError,
  type SlowFiltersError,
} from './errors';
import { enqueueBatches } from './protocol';

/** The code of a failure that on-call can undo by retrying the failed queue job. */
export const retryableCode = 'worker_failed';

const timeoutCode = 'expression_timeout';

/** Fails an open job and adds errors to one of its entries. A job that has ended already stays as it is. */
export async function failJob(
  scope: TenantScope,
  jobId: string,
  error: JobError,
  found?: { entryId: string; errors: readonly EntryError[] },
): Promise<void> {
  const { tenantId } = scope;
  const isFailed = await endJob(scope, jobId, 'failed', async (tx) => {
    const count = await tx.execute(
      `update matching_jobs set status = 'failed', error = $3::jsonb, finished_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
      [tenantId, jobId, JSON.stringify(error)],
    );
    if (count > 0 && found) {
      await tx.execute(
        `update job_rule_sets set errors = $3::jsonb || errors where tenant_id = $1::uuid and id = $2::uuid`,
        [tenantId, found.entryId, JSON.stringify(found.errors)],
      );
    }
    return count > 0;
  });
  if (!isFailed) return;
  if (error.code !== retryableCode) await enqueueCleanUp(scope, jobId);
  await reportJobEnd(scope, jobId, 'failed', error.code);
}

/** Fails a job after an expression has occupied a worker for too long. */
export async function failJobOverdue(scope: TenantScope, jobId: string, limitMs: number): Promise<void> {
  const message = `An expression took longer than ${limitMs / 1000} s on one record or pair: let it do less for each`;
  await failJob(scope, jobId, { code: timeoutCode, message });
}

/** Fails a job after a queue job of it that had failed before has filled the memory of its process. */
export async function failJobOutOfMemory(scope: TenantScope, jobId: string, heapMb: number): Promise<void> {
  const message =
    `The job needs more memory than the ${heapMb} MB that a process has: look for an expression that builds ` +
    'large texts, arrays or objects, or for records with very many values';
  await failJob(scope, jobId, { code: 'expression_memory', message });
}

/** Fails a job and stores the failures with its entry: the batch or the plan that found them is rolled back. */
export async function failJobOfExpressions(
  scope: TenantScope,
  jobId: string,
  { entryId, failures }: ExpressionTimeoutError,
): Promise<void> {
  const last = failures.at(-1);
  const [entry] = await scope.db.query<{ ruleSet: string; expression: string | null }>(
    `select left(rule_set_name, $4) as "ruleSet", left($3, $4) as expression
       from job_rule_sets where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, entryId, last?.expression ?? null, maxNameCharacters],
  );
  // Ids, never external ids: webhooks and keys without access to records see the message.
  const records = (['left', 'right'] as const)
    .flatMap((side) => {
      const id = last?.[`${side}_record_id`];
      return id ? [`${side} record ${id}`] : [];
    })
    .join(' and ');
  const message =
    `Expressions of rule set "${entry?.ruleSet ?? ''}" ran into their limits ${maxHeavyFailures} times, ` +
    `the last time "${entry?.expression ?? ''}"${records === '' ? '' : ` of ${records}`} ` +
    `with ${last?.code ?? ''}: simplify them`;
  await failJob(scope, jobId, { code: timeoutCode, message }, { entryId, errors: failures });
}

/** Fails a job whose plan, rolled back by now, took too long over filters. */
export async function failJobOfSlowFilters(
  scope: TenantScope,
  jobId: string,
  { entryId, records, tookMs, maxMs }: SlowFiltersError,
): Promise<void> {
  const [entry] = await scope.db.query<{ ruleSet: string }>(
    `select left(rule_set_name, $3) as "ruleSet" from job_rule_sets where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, entryId, maxNameCharacters],
  );
  const message =
    `Filters that read one record, the last of rule set "${entry?.ruleSet ?? ''}", took ` +
    `${(tookMs / 1000).toFixed(1)} s for ${counted(records, 'record')}, more than the ${(maxMs / 1000).toFixed(1)} s ` +
    'that they may take. Let them do less, or compute what they ask for once, in a field with transform_expr';
  await failJob(scope, jobId, { code: timeoutCode, message });
}

/** Max characters of a name in a message. */
const maxNameCharacters = 100;

/**
 * Fails a job after one of its queue jobs has used up its attempts. The log has its error, which may quote statements
 * of the database.
 * @param what the part of the job, in words that its tenant may see
 */
export async function failJobOfWorker(scope: TenantScope, jobId: string, what: string): Promise<void> {
  const message = `A worker failed repeatedly: ${what}. The operator finds the cause in the log, by the id of the job`;
  await failJob(scope, jobId, { code: retryableCode, message });
}

/**
 * Sets a failed job back to running, with all its open batches, when a failed queue job of it is retried by hand.
 * @returns whether it was
 */
export async function reviveFailedJob(scope: TenantScope, jobId: string): Promise<boolean> {
  const revived = await scope.db.execute(
    `update matching_jobs set status = 'running', error = null, finished_at = null
      where tenant_id = $1::uuid and id = $2::uuid and status = 'failed' and error ->> 'code' = $3`,
    [scope.tenantId, jobId, retryableCode],
  );
  if (revived > 0) await scope.db.afterCommit(() => enqueueBatches(scope, jobId));
  return revived > 0;
}
