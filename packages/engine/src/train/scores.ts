import type { TrainingPairs } from './types';

/** Returns the score of each pair, 0..1: the weighted mean of the values that are there. */
export function scoresOf({ values, lefts }: TrainingPairs, weights: readonly number[]): Float64Array {
  const sums = new Float64Array(lefts.length);
  const totals = new Float64Array(lefts.length);
  values.forEach((own, at) => {
    const weight = weights[at] as number;
    for (let pair = 0; pair < own.length; pair++) {
      const value = own[pair] as number;
      if (Number.isNaN(value)) continue;
      sums[pair]! += weight * value;
      totals[pair]! += weight;
    }
  });
  return sums.map((sum, pair) => (totals[pair] === 0 ? 0 : sum / (totals[pair] as number)));
}

/** Pairs by descending score, and those of them whose records a better pair takes. */
export interface Ranking {
  scores: Float64Array;
  order: Uint32Array;
  isRival: Uint8Array;
}

/** Ranks pairs as an assignment does. A rejected pair takes no record: a job proposes it no more. */
export function rank(pairs: TrainingPairs, weights: readonly number[], isOneToOne: boolean): Ranking {
  const scores = scoresOf(pairs, weights);
  const order = Uint32Array.from(scores.keys()).sort(
    (one, other) => (scores[other] as number) - (scores[one] as number) || one - other,
  );
  const isRival = new Uint8Array(scores.length);
  if (!isOneToOne) return { scores, order, isRival };
  const taken = { left: new Set<number>(), right: new Set<number>() };
  for (const pair of order) {
    const [left, right] = [pairs.lefts[pair] as number, pairs.rights[pair] as number];
    if (taken.left.has(left) || taken.right.has(right)) isRival[pair] = 1;
    else if (pairs.labels[pair] !== 0) {
      taken.left.add(left);
      taken.right.add(right);
    }
  }
  return { scores, order, isRival };
}
