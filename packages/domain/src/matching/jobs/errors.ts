/** The reason why a job failed, for its tenant. */
export interface JobError {
  code: string;
  message: string;
}

/** An error found while an entry was processed: of one record, of a pair, or of neither. */
export interface EntryError extends JobError {
  left_record_id: string | null;
  right_record_id: string | null;
  /** `jsonataExpr`, a matcher id, or `filters/0`…; missing where no expression has failed. */
  expression?: string;
}

/** Records that blocking could not place, by reason. */
export interface UnblockedCount {
  count: number;
  reasons: Record<string, number>;
}

/** The rule set has no blocking and too many records to compare every pair. */
export class TooManyPairsError extends Error {}

/** The filters of an entry took far more time than their number of records allows. */
export class SlowFiltersError extends Error {
  /** @param entryId the entry whose filters ran last */
  constructor(
    readonly entryId: string,
    readonly records: number,
    readonly tookMs: number,
    readonly maxMs: number,
  ) {
    super(`Filters took ${tookMs} ms for ${records} records`);
  }
}

/** A failed evaluation that used most of its limits. An evaluation made once for all pairs names no record. */
export interface HeavyFailure extends EntryError {
  expression: string;
}

/** Number of heavy failures that ends a job. */
export const maxHeavyFailures = 3;

/** Too many evaluations of a rule set ran into their limits. */
export class ExpressionTimeoutError extends Error {
  /** @param failures the failures found here; the last one ended the job */
  constructor(
    readonly entryId: string,
    readonly failures: readonly HeavyFailure[],
  ) {
    super(`Expressions ran into their limits ${maxHeavyFailures} times`);
  }
}

/**
 * Counts the heavy failures of an entry's filters or batches. A few are ordinary errors; more end the job. A failure
 * is identified by its record or pair and judged by evaluation steps, not by time, so neither the load of the machine
 * nor the cut into batches decides.
 */
export class HeavyFailures {
  private readonly names: Set<string>;
  private readonly own = new Map<string, HeavyFailure>();

  /** @param known names of failures found before */
  constructor(
    private readonly entryId: string,
    known: readonly string[] = [],
  ) {
    this.names = new Set(known);
  }

  /** Names of the failures that were not known before. */
  get added(): readonly string[] {
    return [...this.own.keys()];
  }

  /** @throws ExpressionTimeoutError when the job ends */
  add(failure: HeavyFailure): void {
    const name = nameOf(failure);
    if (this.names.has(name)) return;
    this.own.set(name, failure);
    this.join([name]);
  }

  /** Adds failures found by others. @throws ExpressionTimeoutError when the job ends */
  join(names: readonly string[]): void {
    for (const name of names) this.names.add(name);
    if (this.names.size >= maxHeavyFailures) throw new ExpressionTimeoutError(this.entryId, [...this.own.values()]);
  }
}

/** Names a failure as `job_rule_sets.heavy_failures` stores it. */
function nameOf({ left_record_id: left, right_record_id: right }: EntryError): string {
  if (left === null) return right === null ? 'constant' : `right ${right}`;
  return right === null ? `left ${left}` : `pair ${left} ${right}`;
}
