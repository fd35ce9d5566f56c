import { batchScore, ScoreReach } from '../../scoring/scoring';
import type { LoopRules } from './types';

/** Bound on matchers for tables; with more the tables would be larger than their gain. */
export const maxTableMatchers = 10;

/** Scores of matchers that only return true or false, by the bits of those that return true: matcher i is bit i. */
export interface ScoreTables {
  scores: Float64Array;
  /** Marks, by the number of evaluated matchers less one and by bits, where the threshold is out of reach. */
  outOfReach: readonly Uint8Array[];
}

/** Rules that decide the score of a rule set with matchers. */
export type ScoreRules = Pick<LoopRules, 'scale' | 'possibleThreshold' | 'weights' | 'order'>;

export function scoreReach({ scale, possibleThreshold, weights, order }: ScoreRules): ScoreReach {
  return new ScoreReach(scale, possibleThreshold, weights, order);
}

/** Decides every outcome once, by the functions that define scores. */
export function scoreTables(rules: ScoreRules): ScoreTables {
  const { scale, weights, order } = rules;
  const reach = scoreReach(rules);
  const outcomes = 2 ** weights.length;
  const scores = new Float64Array(outcomes);
  const outOfReach = order.map(() => new Uint8Array(outcomes));
  for (let bits = 0; bits < outcomes; bits++) {
    const known = (index: number): number => (bits >> index) & 1;
    scores[bits] = batchScore(
      scale,
      weights,
      weights.map((_, index) => known(index)),
    );
    let weight = 0;
    let weighted = 0;
    for (const [step, index] of order.entries()) {
      weight += weights[index] ?? 0;
      weighted += (weights[index] ?? 0) * known(index);
      (outOfReach[step] as Uint8Array)[bits] = reach.isLost(step, weight, weighted) ? 1 : 0;
    }
  }
  return { scores, outOfReach };
}
