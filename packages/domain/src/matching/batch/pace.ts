import { cpuMs } from '../jobs/context';
import type { JobLimits } from '../jobs/limits';
import type { Cut } from '../plan/batch-cuts';

/** Max pieces of one cut. A piece that is still too long is cut again when it runs. */
const maxPieces = 500;

/** The batch would take too long or too much memory: `recutBatch` replaces it by shorter ones. */
export class LongBatchError extends Error {
  readonly cut: Cut;

  constructor({ pieces, by }: Cut) {
    super('the batch is too long');
    this.cut = { pieces: Math.min(maxPieces, Math.ceil(pieces)), by };
  }
}

/**
 * Estimates the duration of a batch from the pairs compared so far: the cost of a pair is not known before. All times
 * are CPU time.
 */
export class Pace {
  private done = 0;
  private comparedMs = 0;
  private ignoresNext = false;
  private startedMs = cpuMs();

  /** @param pairs number of pairs of the batch */
  constructor(
    private readonly pairs: number,
    private readonly limits: Pick<JobLimits, 'batchMs' | 'paceMs' | 'longBatches'>,
  ) {}

  /** Starts the clock of the work that each piece repeats. Reading the left rows before it does not count. */
  begin(): void {
    this.startedMs = cpuMs();
  }

  /**
   * Leaves the next pairs out of the estimate. Evaluations that reach their limits do not predict others: more than a
   * few of them end the job.
   */
  ignoreNext(): void {
    this.ignoresNext = true;
  }

  /** Adds pairs that were compared and, if kept, written. @throws LongBatchError */
  add(pairs: number, tookMs: number): void {
    if (this.ignoresNext) {
      this.ignoresNext = false;
      return;
    }
    this.done += pairs;
    this.comparedMs += tookMs;
    if (this.comparedMs < this.limits.paceMs) return;
    // Each piece reads its window again, so comparing a piece should take at least as long as that reading.
    const pieceMs = Math.max(this.limits.batchMs, cpuMs() - this.startedMs - this.comparedMs);
    const pairMs = this.comparedMs / this.done;
    if ((this.pairs - this.done) * pairMs <= this.limits.longBatches * pieceMs) return;
    throw new LongBatchError({ pieces: (this.pairs * pairMs) / pieceMs, by: 'pairs' });
  }
}
