import { batchScore, isOutOfReach, OUT_OF_REACH } from '../scoring';
import type { ScoreScale } from '../scoring';

/** What decides the score of a rule set with matchers; `order` is that of the evaluation. */
export interface ScoreRules {
  scale: ScoreScale;
  threshold: number;
  weights: readonly number[];
  order: readonly number[];
}

/** Beyond this many matchers the tables would be larger than what they save. */
export const MAX_TABLE_MATCHERS = 10;

/** Scores of matchers that only say true or false, by the bits of those that say true: matcher i is bit i. */
export interface ScoreTables {
  scores: Float64Array;
  /** By evaluated matchers less one, then bits: 1 where the threshold is out of reach. */
  outOfReach: readonly Uint8Array[];
}

/** Every outcome, decided once by the functions that define scores. */
export function scoreTables({ scale, threshold, weights, order }: ScoreRules): ScoreTables {
  const outcomes = 2 ** weights.length;
  const scores = new Float64Array(outcomes);
  const outOfReach = order.map(() => new Uint8Array(outcomes));
  for (let bits = 0; bits < outcomes; bits += 1) {
    const known = (index: number): number => (bits >> index) & 1;
    scores[bits] = batchScore(scale, weights, weights.map((_, index) => known(index)));
    for (const [step, table] of outOfReach.entries()) {
      const values = weights.map((_, index) => (order.indexOf(index) <= step ? known(index) : undefined));
      table[bits] = isOutOfReach(scale, threshold, weights, values) ? 1 : 0;
    }
  }
  return { scores, outOfReach };
}

/** The weight that is still open after each step, added up in definition order as `isOutOfReach` does. */
export function openWeights({ weights, order }: ScoreRules): number[] {
  return order.map((_, step) => {
    let open = 0;
    for (const [index, weight] of weights.entries()) if (order.indexOf(index) > step) open += weight;
    return open;
  });
}

/** Below this the best outcome does not reach the threshold. */
export function reachLimit({ scale, threshold }: ScoreRules): number {
  return threshold - OUT_OF_REACH * scale;
}
