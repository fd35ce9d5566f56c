import { sortedOrder } from '../candidates/order';
import { isSamePair, ofCopies } from './copies';
import type { PairSample } from './types';

/** A pair that gets both of its records when the best pairs come first. */
export interface BestPair {
  pair: number;
  score: number;
  probability: number;
}

/** Returns the pairs that are not quite improbable, best first. */
export function rankedPairs(scores: Float64Array, probabilities: Float64Array): BestPair[] {
  const order = Array.from(scores.keys()).filter((pair) => (probabilities[pair] as number) > 1e-4);
  order.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
  return order.map((pair) => ({ pair, score: scores[pair] as number, probability: probabilities[pair] as number }));
}

/** Returns the pairs of an assignment that takes the best scores first, best first. Any copy of a record will do. */
export function bestPairs(sample: PairSample, scores: Float64Array, probabilities: Float64Array): BestPair[] {
  const { lefts, rights } = sample;
  const used = { left: new Set<number>(), right: new Set<number>() };
  return rankedPairs(scores, ofCopies(sample, probabilities)).filter(({ pair }) => {
    const [left, right] = [lefts[pair] as number, rights[pair] as number];
    if (used.left.has(left) || used.right.has(right)) return false;
    used.left.add(left);
    used.right.add(right);
    return true;
  });
}

/** The pairs of the records of one side; -1 for none. */
interface AssignedPairs {
  /** The pair that a record gets when the best pairs come first. */
  own: Int32Array;
  /** The pair that a record with an own one would get without it, and without the copies of its partner. */
  decoy: Int32Array;
}

const scoreSteps = 10_000;

/** Assigns all pairs, the best scores first, to the records of both sides. */
export function assignBest(sample: PairSample, scores: Float64Array): { left: AssignedPairs; right: AssignedPairs } {
  const { lefts, rights, rightCount } = sample;
  const none = (count: number): AssignedPairs => ({
    own: new Int32Array(count).fill(-1),
    decoy: new Int32Array(count).fill(-1),
  });
  const left = none(lefts.reduce((max, one) => Math.max(max, one), -1) + 1);
  const right = none(rightCount);
  const isDecoy = ({ own, decoy }: AssignedPairs, record: number, pair: number): boolean =>
    (decoy[record] as number) < 0 && !isSamePair(sample, own[record] as number, pair);
  const steps = Int32Array.from(scores, (score) => -Math.round(score * scoreSteps));
  for (const pair of sortedOrder(scores.length, [steps])) {
    const [one, other] = [lefts[pair] as number, rights[pair] as number];
    const [isFree, isOtherFree] = [(left.own[one] as number) < 0, (right.own[other] as number) < 0];
    if (isFree && isOtherFree) left.own[one] = right.own[other] = pair;
    else if (isOtherFree && isDecoy(left, one, pair)) left.decoy[one] = pair;
    else if (isFree && isDecoy(right, other, pair)) right.decoy[other] = pair;
  }
  return { left, right };
}

export interface Thresholds {
  match: number;
  expected: { precision: number; recall: number };
  /** The same with the score of each pair as threshold, best first. */
  points: { score: number; precision: number; recall: number }[];
}

/** Chooses the score of MATCH: the best expected F1. */
export function chooseThresholds(best: readonly BestPair[], total: number): Thresholds {
  let sum = 0;
  let top = { at: 0, f1: -1 };
  const points = best.map(({ score, probability }, at) => {
    sum += probability;
    const f1 = (2 * sum) / (at + 1 + total);
    if (f1 >= top.f1) top = { at, f1 };
    return { score, precision: sum / (at + 1), recall: Math.min(1, sum / Math.max(total, 1e-9)) };
  });
  const { score = 0, precision = 0, recall = 0 } = points[top.at] ?? {};
  return { match: score, expected: { precision, recall }, points };
}

/** Pairs below this probability are not worth a look. */
const minPossible = 0.05;
/** Min part of the kept pairs below MATCH that are expected to be matches. */
const minWorth = 0.02;
/** Pairs below MATCH that are kept where there are any, so that people can say what does not belong together. */
const minBelow = 20;
/** Most pairs that are kept for these, for each match: others of their records come along. */
const maxKept = 4;

/**
 * Returns the lowest score of a pair that shares what no other record has while neither record has a match: where
 * records are few, such a pair is worth a look whatever was learnt. Infinity for none, and where much would come along.
 */
export function minSharedScore(
  { lefts, rights, anchors }: Pick<PairSample, 'lefts' | 'rights' | 'anchors'>,
  matched: readonly BestPair[],
  scores: Float64Array,
): number {
  const taken = { left: new Set<number>(), right: new Set<number>() };
  for (const { pair } of matched) {
    taken.left.add(lefts[pair] as number);
    taken.right.add(rights[pair] as number);
  }
  const open = anchors.filter(
    (pair) => !taken.left.has(lefts[pair] as number) && !taken.right.has(rights[pair] as number),
  );
  const minScore = open.reduce((min, pair) => Math.min(min, scores[pair] as number), Infinity);
  return scores.filter((score) => score >= minScore).length > maxKept * matched.length ? Infinity : minScore;
}

/**
 * Chooses the score of POSSIBLE: where hardly a pair is a match, and before too few of the pairs that a job keeps are
 * any. It keeps those of records with a match, too.
 */
export function choosePossible(best: readonly BestPair[], match: number, scores: Float64Array): number {
  const matches = best.filter(({ score }) => score >= match).length;
  const ascending = scores.slice().sort();
  const keptFrom = (score: number): number => ascending.length - firstFrom(ascending, score);
  let last = matches - 1;
  let sum = 0;
  for (let at = matches; at < best.length; at++) {
    const { score, probability } = best[at] as BestPair;
    sum += probability;
    if (probability >= minPossible && sum >= minWorth * (keptFrom(score) - matches)) last = at;
  }
  for (let next = last + 1; next < Math.min(best.length, matches + minBelow); next++) {
    const { score } = best[next] as BestPair;
    if (keptFrom(score) > maxKept * matches) break;
    last = next;
  }
  return Math.min(match, best[last]?.score ?? match);
}

/** Returns the place of the first value that is not below a bound. */
function firstFrom(ascending: Float64Array, bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
