import {
  settle,
  type CompiledComposition,
  type CompositionPool,
  type Proposal,
  type Side,
  type Taken,
} from '@tieout/engine';
import type { PairList } from './pair-list';

/** Composites, whose rows are numbers of records. */
export interface ComposedGroups {
  composites: Proposal[];
  /** Targets whose search ended at its limit. */
  unfinished: number;
}

interface ComposeInput {
  composition: CompiledComposition;
  pool: CompositionPool;
  /** The number of the record of each row of the pool. */
  pooled: Record<Side, readonly number[]>;
  pairs: PairList;
  onProgress: (share: number) => void;
}

const targetsPerStep = 512;

/** Finds the groups of records that add up to one, and lets them compete for members. */
export function composeGroups({ composition, pool, pooled, pairs, onProgress }: ComposeInput): ComposedGroups {
  const taken: Taken = { left: new Uint8Array(pool.left.length), right: new Uint8Array(pool.right.length) };
  if (composition.skipAlreadyMatched) takeMatched(pairs, pooled, taken);
  const composer = composition.open(pool);
  const proposals: Proposal[] = [];
  let unfinished = 0;
  for (const direction of composition.directions) {
    const targets = pool[direction === 'one_to_many' ? 'left' : 'right'].length;
    for (let target = 0; target < targets; target++) {
      if (target % targetsPerStep === 0) onProgress(target / targets);
      const proposal = composer.propose(direction, target, taken);
      if (proposal) proposals.push(proposal);
      else if (composer.unfinished) unfinished++;
    }
  }
  const settled = settle(composer, proposals, taken, { onGivenUp: () => unfinished++ });
  const composites = settled.map((proposal): Proposal => {
    const [own, other] =
      proposal.direction === 'one_to_many' ? (['left', 'right'] as const) : (['right', 'left'] as const);
    return {
      ...proposal,
      target: pooled[own][proposal.target] as number,
      members: proposal.members.map((row) => pooled[other][row] as number),
    };
  });
  return { composites, unfinished };
}

function takeMatched(pairs: PairList, pooled: Record<Side, readonly number[]>, taken: Taken): void {
  for (const side of ['left', 'right'] as const) {
    const rowOf = new Map(pooled[side].map((seq, row) => [seq, row]));
    for (const pair of pairs.present()) {
      const row = pairs.isMatch(pair) ? rowOf.get(pairs[side][pair] as number) : undefined;
      if (row !== undefined) taken[side][row] = 1;
    }
  }
}
