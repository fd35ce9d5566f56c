import type { Side } from '@tieout/engine';
import { recordState } from '../stage/directory';
import { fate, type DecidedPairs } from './decide';
import type { HeldSide } from './held-side';
import type { ScoredPairs } from './pairs';

/** A record without a MATCH, and the other record of its best pair; null: no pair of it has a score. */
export interface TrialNearest {
  recordId: string;
  nearest: { recordId: string; score: number } | null;
}

/** Records of a side without a MATCH. */
export interface TrialUnmatched {
  count: number;
  /** Records that blocking gives no pair, or cannot place. */
  withoutCandidate: number;
  sample: TrialNearest[];
}

/** Max records of a sample. */
const sampledRecords = 10;

interface UnmatchedInput {
  side: Side;
  sides: Record<Side, HeldSide>;
  pairs: ScoredPairs;
  decided: DecidedPairs;
  /** Records of the side that groups or people's decisions have matched. */
  matched: readonly number[];
}

/** Counts the records of a side without a MATCH, and picks a sample spread over them, those with a pair first. */
export function unmatchedOf({ side, sides, pairs, decided, matched }: UnmatchedInput): TrialUnmatched {
  const { directory } = sides[side];
  const [own, others] = side === 'left' ? [pairs.left, pairs.right] : [pairs.right, pairs.left];
  const best = new Int32Array(directory.length).fill(-1);
  const isMatched = new Uint8Array(directory.length);
  for (const rank of matched) isMatched[rank] = 1;
  for (const at of decided.order) {
    const record = own[at] as number;
    if (decided.fates[at] === fate.match) isMatched[record] = 1;
    else if (decided.fates[at] !== fate.gone && best[record] === -1) best[record] = at;
  }
  const states = sides[side].statesByRank();
  const isOut = (rank: number): boolean =>
    isMatched[rank] === 1 || states[rank] === recordState.failed || states[rank] === recordState.filtered;
  const [near, far]: [number[], number[]] = [[], []];
  let withoutCandidate = 0;
  for (let rank = 0; rank < directory.length; rank++) {
    if (isOut(rank)) continue;
    (best[rank] === -1 ? far : near).push(rank);
    if (states[rank] !== recordState.candidate) withoutCandidate++;
  }
  const picked = [...spread(near, sampledRecords), ...spread(far, sampledRecords)].slice(0, sampledRecords);
  const otherSide = sides[side === 'left' ? 'right' : 'left'];
  return {
    count: near.length + far.length,
    withoutCandidate,
    sample: picked.map((rank) => {
      const at = best[rank] as number;
      const nearest =
        at === -1 ? null : { recordId: otherSide.idOf(others[at] as number), score: pairs.score[at] as number };
      return { recordId: sides[side].idOf(rank), nearest };
    }),
  };
}

/** Picks some of a list at equal distances. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor(at * step)] as T);
}
