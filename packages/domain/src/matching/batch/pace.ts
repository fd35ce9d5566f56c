import type { Cut } from './batch-cuts';
import type { JobLimits } from '../jobs/limits';

/** A piece that is still too long is cut again when its turn comes. */
const mostPieces = 500;

/** What a batch compares would take too long for one, or too much memory. */
export class LongBatchError extends Error {
  readonly cut: Cut;

  constructor({ pieces, by }: Cut) {
    super('the batch is too long');
    this.cut = { pieces: Math.min(mostPieces, Math.ceil(pieces)), by };
  }
}

/** Of this process, so far. A batch is as long on a busy machine as on an idle one. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Learns from the pairs that a batch has compared how long it takes for those that are left: what a pair costs is not known before. All times are CPU time. */
export class Pace {
  private done = 0;
  private comparedMs = 0;
  private spared = false;
  private startedMs = cpuMs();

  /** @param pairs those of the batch */
  constructor(
    private readonly pairs: number,
    private readonly limits: Pick<JobLimits, 'batchMs' | 'paceMs' | 'longBatches'>,
  ) {}

  /** What was done so far, taking in the left rows, a piece does for its own alone; what comes now, each does again. */
  begin(): void {
    this.startedMs = cpuMs();
  }

  /** The pairs compared next say nothing of the others: evaluations that run into their limits end the job when there are more than a few. */
  spareNext(): void {
    this.spared = true;
  }

  /** So many pairs more have been compared, and written where they had to be. @throws LongBatchError */
  add(pairs: number, tookMs: number): void {
    if (this.spared) {
      this.spared = false;
      return;
    }
    this.done += pairs;
    this.comparedMs += tookMs;
    if (this.comparedMs < this.limits.paceMs) return;
    // Each piece reads its window and takes it in anew, so it compares at least as long as that takes.
    const pieceMs = Math.max(this.limits.batchMs, cpuMs() - this.startedMs - this.comparedMs);
    const pairMs = this.comparedMs / this.done;
    if ((this.pairs - this.done) * pairMs <= this.limits.longBatches * pieceMs) return;
    throw new LongBatchError({ pieces: (this.pairs * pairMs) / pieceMs, by: 'pairs' });
  }
}
