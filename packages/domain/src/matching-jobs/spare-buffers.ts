import { SideColumns } from './columns';
import type { JobLimits } from './limits';
import { RunBuffer } from './stage/run';

/** What a plan reads into. */
export interface PlanBuffers {
  run: RunBuffer;
  left: SideColumns;
  right: SideColumns;
}

/** The buffers of the last plan, for the next one: memory of that size that comes and goes makes the collector go through all that the process has loaded. */
export class SpareBuffers {
  private spare: PlanBuffers | null = null;

  constructor(private readonly limits: JobLimits) {}

  /** Those of a plan alone until they are given back. */
  take(): PlanBuffers {
    const buffers = this.spare ?? { run: new RunBuffer(this.limits), left: new SideColumns(), right: new SideColumns() };
    this.spare = null;
    return buffers;
  }

  /** The run holds no rows: a plan that fails does not give its own back. */
  giveBack({ run, left, right }: PlanBuffers): void {
    if (!run.hasGrown) this.spare = { run, left: this.kept(left), right: this.kept(right) };
  }

  private kept(columns: SideColumns): SideColumns {
    return columns.capacity <= this.limits.spareRows ? columns : new SideColumns();
  }
}
