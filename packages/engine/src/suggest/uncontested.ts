import type { PairSample } from './types';

const rounds = 40;
const maxExponent = 40;

/**
 * Returns the probabilities of pairs where a record has any number of partners, as in one dataset with its duplicates:
 * those of a mixture of matches and others, of which they add up to the matches. Pairs of one cluster do not compete.
 */
export function uncontested(
  { lefts, leftCount, rightCount, background }: PairSample,
  scores: Float64Array,
): Float64Array {
  const pairs = Math.max(1, background === null ? lefts.length : leftCount * rightCount);
  let probabilities = new Float64Array(scores.length);
  let expected = Math.min(leftCount, pairs / 2);
  for (let round = 0; round < rounds; round++) {
    const prior = Math.log(Math.max(expected, 0.5) / Math.max(pairs - expected, 0.5));
    probabilities = scores.map((score) => 1 / (1 + Math.exp(-Math.min(maxExponent, score + prior))));
    expected = probabilities.reduce((sum, one) => sum + one, 0);
  }
  return probabilities;
}
