import type { Side } from '@tieout/engine';
import type { JobLimits } from '../jobs/limits';
import { SideColumns } from './columns';
import { RunBuffer } from './run';

/** The buffers that a plan uses for one side. */
export interface SideBuffers {
  run: RunBuffer;
  columns: SideColumns;
}

export type PlanBuffers = Record<Side, SideBuffers>;

/**
 * Keeps the buffers of the last plan for the next one: allocating and freeing memory of that size makes the garbage
 * collector scan the whole heap.
 */
export class SpareBuffers {
  private spare: PlanBuffers | null = null;

  constructor(private readonly limits: JobLimits) {}

  /** Returns buffers that no other plan uses until they are given back. */
  take(): PlanBuffers {
    const buffers = this.spare ?? { left: this.create(), right: this.create() };
    this.spare = null;
    return buffers;
  }

  /** Takes back buffers whose runs hold no rows; a plan that failed keeps its own. */
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
