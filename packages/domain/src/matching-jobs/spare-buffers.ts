import type { Side } from '@tieout/engine';
import type { JobLimits } from './limits';
import { RunBuffer } from './stage/run';

export type Runs = Record<Side, RunBuffer>;

/** The buffers of the last plan, for the next one: memory of that size that comes and goes makes the collector go through all that the process has loaded. */
export class SpareRuns {
  private spare: Runs | null = null;

  constructor(private readonly limits: JobLimits) {}

  /** Those of a plan alone until they are given back. */
  take(): Runs {
    const runs = this.spare ?? { left: new RunBuffer(this.limits), right: new RunBuffer(this.limits) };
    this.spare = null;
    return runs;
  }

  /** They hold no rows: a plan that fails does not give its own back. */
  giveBack(runs: Runs): void {
    if (!runs.left.hasGrown && !runs.right.hasGrown) this.spare = runs;
  }
}
