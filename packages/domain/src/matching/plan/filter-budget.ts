import type { JobLimits } from '../jobs/limits';
import { cpuMs } from '../batch/pace';

/** Filters that read one record take far more time than such filters do. */
export class SlowFiltersError extends Error {
  /** @param entryId whose filters were the last */
  constructor(
    readonly entryId: string,
    readonly records: number,
    readonly tookMs: number,
    readonly mostMs: number,
  ) {
    super(`Filters took ${tookMs} ms for ${records} records`);
  }
}

/**
 * The time that the filters of a job's rule sets may take over the records of one side while its plan is made: some seconds, and a little more with
 * each record. A plan cannot be cut as batches are, and jobs of others wait for its slot. A side has its own, lest many records that no filter
 * reads make room for slow ones.
 */
export class FilterBudget {
  private records = 0;
  private tookMs = 0;
  private readonly startedMs = cpuMs();

  constructor(private readonly limits: Pick<JobLimits, 'filtersMs' | 'filterRecordMs'>) {}

  /** The filters of a rule set have decided on a record. @throws SlowFiltersError */
  spend(entryId: string, tookMs: number): void {
    this.records += 1;
    this.tookMs += tookMs;
    const most = this.limits.filtersMs + this.limits.filterRecordMs * this.records;
    // On a busy machine time passes without work: what the process has not worked for does not count.
    if (this.tookMs <= most || cpuMs() - this.startedMs <= most) return;
    throw new SlowFiltersError(entryId, this.records, this.tookMs, most);
  }
}
