export { fuzzExpression, newTally } from './differential';
export type { Difference, Tally } from './differential';
export { fuzzPairs, newPairTally } from './pair-differential';
export type { PairDifference, PairTally } from './pair-differential';
