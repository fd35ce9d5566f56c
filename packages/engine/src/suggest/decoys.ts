import { ofCopies } from './copies';
import { isotone } from './isotone';
import { assignBest, bestPairs, chooseThresholds, type BestPair } from './thresholds';
import type { LearntModel, PairSample } from './types';

/** A model that expects a higher precision than decoys by more than this is wrong. */
const maxExcess = 0.05;
/** Decoys whose expected F1 is lower do not separate matches from others. */
const minClearF1 = 0.85;
/** A model that finds more than another must be about as precise, and precise at all. */
const minMore = 1.02;
const maxLessPrecise = 0.005;
const minSure = 0.95;
/** Decoys below this share of them are too few to say how many records have no partner. */
const minDecoys = 0.02;
/** Min share of decoys that a pair must beat to stand for more than one partner. */
const minBeaten = 0.1;

/**
 * Returns how probable the pair is that each record gets when the best pairs come first, by decoys: what a record would
 * get without its own pair, among records that no better pair takes. Where records are much alike, as products of one
 * family are, decoys tell from the data what a wrong pair scores; the product of levels that count as independent does
 * not. Records are those of the smaller side.
 *
 * Where partners score as decoys do, many lose against these: of the partners with a score, only the share shows up as
 * best pairs that beats a decoy. `partnersOf` says for how many partners the best pair of a record stands.
 */
function byDecoys(
  sample: PairSample,
  scores: Float64Array,
  probabilities: Float64Array,
): { keys: Int32Array; probabilityOf: Float64Array; partnersOf: Float64Array } {
  const isLeft = sample.leftCount <= sample.rightCount;
  const keys = isLeft ? sample.lefts : sample.rights;
  const count = isLeft ? sample.leftCount : sample.rightCount;
  const assigned = assignBest(sample, scores);
  const { own, decoy } = isLeft ? assigned.left : assigned.right;
  const shared = ofCopies(sample, probabilities);
  const bests: { record: number; score: number }[] = [];
  const decoys: { score: number; weight: number }[] = [];
  own.forEach((pair, record) => {
    if (pair < 0) return;
    const score = scores[pair] as number;
    const probability = shared[pair] as number;
    const other = decoy[record] as number;
    bests.push({ record, score });
    // The pair of a record without a partner is a decoy itself.
    decoys.push({ score: other < 0 ? -Infinity : (scores[other] as number), weight: probability });
    decoys.push({ score, weight: 1 - probability });
  });
  const without = count - bests.length;
  decoys.push({ score: -Infinity, weight: without });
  const ascending = (one: { score: number }, other: { score: number }): number => one.score - other.score;
  bests.sort((one, other) => ascending(one, other) || one.record - other.record);
  decoys.sort((one, other) => (one.score === other.score ? 0 : ascending(one, other)));
  // Wrong are n ∫ B/D dD of n records, with B and D the distributions of the best pairs and of decoys.
  let [at, below] = [0, 0];
  const shares: number[] = [];
  const wrong = bests.map(({ score }, rank) => {
    let own = 0;
    for (; at < decoys.length && (decoys[at] as { score: number }).score <= score; at++)
      own += (decoys[at] as { weight: number }).weight;
    below += own;
    const share = (below - own / 2) / count;
    shares.push(share);
    const ratio = share > minDecoys ? Math.min(1, (without + rank + 0.5) / count / share) : 1;
    return ratio * own;
  });
  const right = isotone(
    wrong.map((one) => 1 - one).reverse(),
    wrong.map(() => 1),
  ).reverse();
  const probabilityOf = new Float64Array(own.length);
  const partnersOf = new Float64Array(own.length);
  bests.forEach(({ record }, rank) => {
    const probability = Math.max(0, Math.min(1, right[rank] as number));
    probabilityOf[record] = probability;
    partnersOf[record] = probability / Math.max(minBeaten, shares[rank] as number);
  });
  return { keys, probabilityOf, partnersOf };
}

/**
 * Scales the probabilities of pairs, so that those of each record add up to what decoys say of its best pair. Returns
 * the share of left records with a partner.
 * @param before the probabilities of the round before, by which decoys count
 */
export function correctByDecoys(
  sample: PairSample,
  { scores, probabilities, before }: Record<'scores' | 'probabilities' | 'before', Float64Array>,
): number {
  return Math.min(1, scaleByDecoys(probabilities, byDecoys(sample, scores, before)) / sample.leftCount);
}

/** Scales probabilities as `correctByDecoys` does. Returns their sum. */
function scaleByDecoys(
  probabilities: Float64Array,
  { keys, probabilityOf }: Pick<ReturnType<typeof byDecoys>, 'keys' | 'probabilityOf'>,
): number {
  const sums = new Float64Array(probabilityOf.length);
  keys.forEach((record, pair) => (sums[record]! += probabilities[pair] as number));
  let total = 0;
  keys.forEach((record, pair) => {
    const sum = sums[record] as number;
    const share = sum > 0 ? (probabilities[pair] as number) / sum : 0;
    const probability = share * (probabilityOf[record] as number);
    probabilities[pair] = probability;
    total += probability;
  });
  return total;
}

/**
 * Returns whether a model expects a clearly higher precision than decoys do, where decoys tell matches from others, and
 * fewer match by them.
 */
export function contradicted(sample: PairSample, plain: LearntModel, corrected: LearntModel): boolean {
  const claimed = matchesOf(sample, plain);
  const other = matchesOf(sample, corrected);
  const { keys, probabilityOf } = byDecoys(sample, plain.scores, plain.probabilities);
  const right = claimed.pairs.reduce((sum, pair) => sum + (probabilityOf[keys[pair] as number] as number), 0);
  const excess = claimed.precision - right / Math.max(1, claimed.pairs.length);
  const isClear = 2 * other.precision * other.recall >= minClearF1 * (other.precision + other.recall);
  return excess > maxExcess && isClear && other.pairs.length < claimed.pairs.length;
}

/**
 * Returns the best pairs of a model with the probabilities that decoys give them. Learning gives itself good marks:
 * whatever it takes for a match, it counts as one. Decoys, which it has not learnt from, are the other witness.
 */
export function judgedByDecoys(
  sample: PairSample,
  model: LearntModel,
  best: readonly BestPair[],
): { pairs: BestPair[]; partners: number } {
  const { scores, probabilities: before } = model;
  const probabilities = before.slice();
  const judgement = byDecoys(sample, scores, before);
  scaleByDecoys(probabilities, judgement);
  const shared = ofCopies(sample, probabilities);
  const pairs = best.map(({ pair, score }) => ({ pair, score, probability: shared[pair] as number }));
  const total = (values: Float64Array): number => values.reduce((sum, one) => sum + one, 0);
  const found = total(judgement.probabilityOf);
  const shown = found === 0 ? 1 : total(judgement.partnersOf) / found;
  return { pairs, partners: shown * pairs.reduce((sum, { probability }) => sum + probability, 0) };
}

/** Returns the F1 that a model expects of its matches. */
export function expectedF1(sample: PairSample, model: LearntModel): number {
  const { precision, recall } = matchesOf(sample, model);
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Returns whether one model finds clearly more matches than another, and expects them to be as right. */
export function findsMore(sample: PairSample, one: LearntModel, other: LearntModel): boolean {
  const [more, fewer] = [matchesOf(sample, one), matchesOf(sample, other)];
  return (
    more.pairs.length > minMore * fewer.pairs.length &&
    more.precision >= Math.max(minSure, fewer.precision - maxLessPrecise)
  );
}

interface ExpectedMatches {
  pairs: number[];
  precision: number;
  recall: number;
}

function matchesOf(sample: PairSample, { scores, probabilities }: LearntModel): ExpectedMatches {
  const best = bestPairs(sample, scores, probabilities);
  const { match, expected } = chooseThresholds(
    best,
    probabilities.reduce((sum, one) => sum + one, 0),
  );
  return { pairs: best.filter(({ score }) => score >= match).map(({ pair }) => pair), ...expected };
}
