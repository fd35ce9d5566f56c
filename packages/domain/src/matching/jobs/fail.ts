import { enqueueDeliveries } from '../../events';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import type { SlowFiltersError } from '../plan/filter-budget';
import { emitJobEvent } from './job-events';
import { enqueueBatches } from './protocol';

export interface JobError {
  code: string;
  message: string;
}

/** Of one record, of a pair, or of neither. */
export interface RecordError {
  left_record_id: string | null;
  right_record_id: string | null;
  code: string;
  message: string;
  /** `jsonataExpr`, a matcher id, or `filters/0`…; missing where no expression has failed. */
  expression?: string;
}

/** The code of a failure that on-call can undo by retrying the failed queue job. */
export const retryable = 'worker_failed';

/** Ends a job that cannot complete, and adds errors to one of its rule sets. Nothing happens to a job that has ended already. */
export async function failJob(
  scope: TenantScope,
  jobId: string,
  error: JobError,
  found?: { entryId: string; errors: readonly RecordError[] },
): Promise<void> {
  const { db, queue, tenantId } = scope;
  const failed = await scope.transaction(async ({ db: tx }) => {
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
    if (count > 0 && (await emitJobEvent(tx, tenantId, jobId, 'failed')))
      await tx.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
    return count > 0;
  });
  if (failed) tellEnd(scope, jobId, 'failed', error.code);
  if (!failed || error.code === retryable) return;
  await db.afterCommit(() => queue.enqueue('matching.cleanup', { tenantId, jobId }));
}

/** For on-call. The message of a failure is for the tenant: it may tell of its data. */
export function tellEnd(
  scope: TenantScope,
  jobId: string,
  status: 'completed' | 'failed' | 'cancelled',
  code = '',
): void {
  domainMetrics.add('tieout_matching_jobs_ended_total', { status, code });
  scope.logger.info(
    { tenantId: scope.tenantId, jobId, status, ...(code === '' ? {} : { code }) },
    'matching job ended',
  );
}

/** An expression has kept a worker busy beyond any reason. */
export async function failJobOverdue(scope: TenantScope, jobId: string, limitMs: number): Promise<void> {
  const message = `An expression took longer than ${limitMs / 1000} s on one record or pair: let it do less for each`;
  await failJob(scope, jobId, { code: timeoutCode, message });
}

/** One of its queue jobs has failed before, and now filled the memory of its process. */
export async function failJobOutOfMemory(scope: TenantScope, jobId: string, heapMb: number): Promise<void> {
  const message = `The job needs more memory than the ${heapMb} MB that a process has: look for an expression that builds large texts, arrays or objects, or for records with very many values`;
  await failJob(scope, jobId, { code: 'expression_memory', message });
}

const timeoutCode = 'expression_timeout';

/** An evaluation that took most of what it may and failed: of a record, of a pair, or of neither where it is made once for all pairs. */
export interface HeavyFailure extends RecordError {
  expression: string;
}

/** Too many evaluations of a rule set have run into their limits. */
export class ExpressionTimeoutError extends Error {
  /** @param failures those that have been found here, of a record or pair each; the last one ends the job */
  constructor(
    readonly entryId: string,
    readonly failures: readonly HeavyFailure[],
  ) {
    super(`Expressions ran into their limits ${allowedFailures} times`);
  }
}

const allowedFailures = 3;

/**
 * Heavy failures of the filters of a rule set that read one record, or of what its batches evaluate: a few are errors of their own, more
 * end the job. Steps are counted, not time, and each is known by the record or pair that it is of: neither the load of the machine
 * decides, nor how the job is cut into batches.
 */
export class HeavyFailures {
  private readonly of: Set<string>;
  private readonly own = new Map<string, HeavyFailure>();

  /** @param known what those were of that have been found before */
  constructor(
    private readonly entryId: string,
    known: readonly string[] = [],
  ) {
    this.of = new Set(known);
  }

  /** What those were of that were not known before. */
  get added(): readonly string[] {
    return [...this.own.keys()];
  }

  /** @throws ExpressionTimeoutError when the job ends */
  add(failure: HeavyFailure): void {
    const of = nameOf(failure);
    if (this.of.has(of)) return;
    this.own.set(of, failure);
    this.join([of]);
  }

  /** Adds what others have found. @throws ExpressionTimeoutError when the job ends */
  join(found: readonly string[]): void {
    for (const of of found) this.of.add(of);
    if (this.of.size >= allowedFailures) throw new ExpressionTimeoutError(this.entryId, [...this.own.values()]);
  }
}

/** As `job_rule_sets.heavy_failures` has it. */
function nameOf({ left_record_id: left, right_record_id: right }: RecordError): string {
  if (left === null) return right === null ? 'constant' : `right ${right}`;
  return right === null ? `left ${left}` : `pair ${left} ${right}`;
}

/** The failures are among the errors of the rule set: what its batch or its plan would have stored is rolled back. */
export async function failJobOfExpressions(
  scope: TenantScope,
  jobId: string,
  { entryId, failures }: ExpressionTimeoutError,
): Promise<void> {
  const last = failures.at(-1);
  const [names] = await scope.db.query<Record<'ruleSet' | 'expression' | 'left' | 'right', string | null>>(
    `select left(rule_set_name, $6) as "ruleSet", left($3, $6) as expression, ${recordName('$4')} as left, ${recordName('$5')} as right
       from job_rule_sets e where tenant_id = $1::uuid and id = $2::uuid`,
    [
      scope.tenantId,
      entryId,
      last?.expression ?? null,
      last?.left_record_id ?? null,
      last?.right_record_id ?? null,
      namedCharacters,
    ],
  );
  const records = sides
    .flatMap((side) => (names?.[side] == null ? [] : [`${side} record "${names[side]}"`]))
    .join(' and ');
  const lastTime = `the last time "${names?.expression ?? ''}"${records === '' ? '' : ` of ${records}`} with ${last?.code ?? ''}`;
  const message = `Expressions of rule set "${names?.ruleSet ?? ''}" ran into their limits ${allowedFailures} times, ${lastTime}: simplify them`;
  await failJob(scope, jobId, { code: timeoutCode, message }, { entryId, errors: failures });
}

/** What its plan would have stored is rolled back. */
export async function failJobOfSlowFilters(
  scope: TenantScope,
  jobId: string,
  { entryId, records, tookMs, mostMs }: SlowFiltersError,
): Promise<void> {
  const [entry] = await scope.db.query<{ ruleSet: string }>(
    `select left(rule_set_name, $3) as "ruleSet" from job_rule_sets where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, entryId, namedCharacters],
  );
  const message =
    `Filters that read one record, the last of rule set "${entry?.ruleSet ?? ''}", took ${(tookMs / 1000).toFixed(1)} s for ${records} records, more than the ${(mostMs / 1000).toFixed(1)} s that they may take. ` +
    'Let them do less, or compute what they ask for once, in a field with transform_expr';
  await failJob(scope, jobId, { code: timeoutCode, message });
}

const sides = ['left', 'right'] as const;

/** Of a name in a message. */
const namedCharacters = 100;

const recordName = (id: string): string =>
  `coalesce((select left(external_id, $6) from records where tenant_id = e.tenant_id and id = ${id}::uuid), ${id}::text)`;

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
