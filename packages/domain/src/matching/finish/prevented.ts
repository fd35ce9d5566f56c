import {
  memberSide,
  targetSide,
  type CompiledComposition,
  type CompositionPool,
  type Side,
  type Taken,
} from '@tieout/engine';

/** Bounds on the search for the reason of a target: it may take far less than the search for its group. */
const maxNodes = 10_000;
const maxTargets = 1_000;

interface HeldGroups {
  composition: CompiledComposition;
  pool: CompositionPool;
  /** Records without a group, and those that people’s decisions hold. */
  taken: Taken;
  held: Taken;
  /** Returns whether the reason of a record is not known better. */
  isOpen: (side: Side, row: number) => boolean;
}

/**
 * Finds targets that only lack records which people’s decisions hold: with these they would have a group. It looks at
 * the first `maxTargets` open ones, and pauses after each.
 */
export function* heldTargets(groups: HeldGroups): Generator<void, { side: Side; row: number }[], void> {
  const found: { side: Side; row: number }[] = [];
  let left = maxTargets;
  for (const direction of groups.composition.directions) {
    const [side, members] = [targetSide[direction], memberSide[direction]];
    const held = groups.held[members];
    if (!held.includes(1)) continue;
    const composer = groups.composition.open(groups.pool, maxNodes);
    const free = { ...groups.taken, [members]: groups.taken[members].map((mark, row) => (held[row] === 1 ? 0 : mark)) };
    for (let row = 0; row < groups.pool[side].length && left > 0; row++) {
      // The rest of a target would meet the members again that hold its other part.
      const isRest = (groups.pool[side].heldUnits?.[row] ?? 0) !== 0;
      if (groups.taken[side][row] === 1 || isRest || !groups.isOpen(side, row)) continue;
      left--;
      const proposal = composer.propose(direction, row, free);
      if (proposal?.members.some((member) => held[member] === 1)) found.push({ side, row });
      yield;
    }
  }
  return found;
}
