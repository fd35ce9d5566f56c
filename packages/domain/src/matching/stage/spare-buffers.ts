import type { Side } from '@tieout/engine';
import { SideColumns } from './columns';
import type { JobLimits } from '../jobs/limits';
import { RunBuffer } from './run';

/** What one side is read into. */
export interface SideBuffers {
  run: RunBuffer;
  columns: SideColumns;
}

export type PlanBuffers = Record<Side, SideBuffers>;

/** The buffers of the last plan, for the next one: memory of that size that comes and goes makes the collector go through all that the process has loaded. */
export class SpareBuffers {
  private spare: PlanBuffers | null = null;

  constructor(private readonly limits: JobLimits) {}

  /** Those of a plan alone until they are given back. */
  take(): PlanBuffers {
    const buffers = this.spare ?? { left: this.create(), right: this.create() };
    this.spare = null;
    return buffers;
  }

  /** Their runs hold no rows: a plan that fails does not give its own back. */
  giveBack({ left, right }: PlanBuffers): void {
    if (!left.run.hasGrown && !right.run.hasGrown) this.spare = { left: this.kept(left), right: this.kept(right) };
  }

  private kept({ run, columns }: SideBuffers): SideBuffers {
    return { run, columns: columns.capacity <= this.limits.spareRows ? columns : new SideColumns() };
  }

  private create(): SideBuffers {
    return { run: new RunBuffer(this.limits), columns: new SideColumns() };
  }
}
