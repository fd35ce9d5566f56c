import { lowerBound, type Side } from '@tieout/engine';
import { fate, type DecidedPairs } from './decide';
import type { ScoredPairs } from './pairs';

/** A compared pair that is worth a look. */
export interface ExamplePair {
  leftRecordId: string;
  rightRecordId: string;
  score: number;
}

/** Pairs with the best scores, with those nearest to each threshold, and some of all. */
export type TrialExamples = Record<'best' | 'match' | 'possible' | 'random', ExamplePair[]>;

/** Pairs of each list. */
const listedPairs = 12;

interface ExamplesInput {
  pairs: ScoredPairs;
  decided: DecidedPairs;
  thresholds: { Tmatch: number; Tpossible: number };
  idsOf: Record<Side, (rank: number) => string>;
}

/** Chooses the pairs that show most about a rule set. Those that people decided on are not among them. */
export function examplesOf({ pairs, decided, thresholds, idsOf }: ExamplesInput): TrialExamples {
  const order = decided.order.filter((at) => decided.fates[at] !== fate.gone);
  const scoreOf = (at: number): number => pairs.score[at] as number;
  const present = (chosen: Iterable<number>): ExamplePair[] =>
    Array.from(chosen, (at) => ({
      leftRecordId: idsOf.left(pairs.left[at] as number),
      rightRecordId: idsOf.right(pairs.right[at] as number),
      score: scoreOf(at),
    }));
  const near = (threshold: number): Iterable<number> => {
    const place = lowerBound(0, order.length, (at) => scoreOf(order[at] as number) >= threshold);
    // The nearest ones are among as many on each side of the threshold.
    return [...order.subarray(Math.max(0, place - listedPairs), place + listedPairs)]
      .sort((one, other) => Math.abs(scoreOf(one) - threshold) - Math.abs(scoreOf(other) - threshold))
      .slice(0, listedPairs);
  };
  // Pairs are in the order of comparison, which is unrelated to their scores, so equal steps give a fair sample.
  const step = Math.max(1, pairs.length / listedPairs);
  const some = Array.from({ length: Math.min(listedPairs, pairs.length) }, (_, place) => Math.floor(place * step));
  return {
    best: present(order.subarray(0, listedPairs)),
    match: present(near(thresholds.Tmatch)),
    possible: present(near(thresholds.Tpossible)),
    random: present(some.filter((at) => decided.fates[at] !== fate.gone)),
  };
}
