import { targetSide, type CompositeDirection, type Side } from '@tieout/engine';
import type { JobLimits } from '../jobs/limits';

/** A slice of the records that may be a target, and what the pool that they compose from has to hold. */
export interface GroupBounds {
  direction: CompositeDirection;
  /** Rows [from, to) of the target's side, in the order of the ids. */
  from: number;
  to: number;
  /** Records of each side: a pool of another size is not the one that was planned. */
  pool: Record<Side, number>;
}

/** Cuts the targets of every direction into slices. */
export function cutGroups(
  directions: readonly CompositeDirection[],
  pool: Record<Side, number>,
  limits: Pick<JobLimits, 'groupTargets' | 'groupBatches'>,
): GroupBounds[] {
  if (pool.left === 0 || pool.right === 0) return [];
  const targets = directions.reduce((sum, direction) => sum + pool[targetSide[direction]], 0);
  // The last slice of each direction may be a short one.
  const size = Math.max(limits.groupTargets, Math.ceil(targets / (limits.groupBatches - directions.length)));
  const slices: GroupBounds[] = [];
  for (const direction of directions) {
    const length = pool[targetSide[direction]];
    for (let from = 0; from < length; from += size)
      slices.push({ direction, from, to: Math.min(from + size, length), pool });
  }
  return slices;
}
