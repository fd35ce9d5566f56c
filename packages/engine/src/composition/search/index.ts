import { SubsetSearch } from './subset-search';
import type { SubsetProblem, SubsetResult } from './types';

export { maxSetMembers } from './types';
export type { SubsetProblem, SubsetResult } from './types';

/** A `findSubset` with work arrays of its own, which grow with the problems it is given. */
export function createSubsetSearch(): (problem: SubsetProblem) => SubsetResult {
  const search = new SubsetSearch();
  return (problem) => search.find(problem);
}

/**
 * The set of candidates whose sum is closest to the target; of these one with the fewest members, then with the smallest
 * spread of days, then the one that comes first when the rows, ascending, are compared one by one. Once more than ten sets
 * hit the target on one day no more are looked for, and the one returned is the first among those that were seen.
 *
 * The algorithm. Equal amounts are one choice with a multiplicity: 13 of 60 equal rows are one path. The number of members is
 * deepened step by step. For a fixed number, depth first over the distinct amounts, largest first, with bounds from the sums of
 * that many of the largest and of the smallest amounts left, which hold for negative amounts as well; the last two are found by
 * two pointers, the last one by binary search. Residues modulo the common divisor of all differences rule out whole
 * steps, such as an odd target among even amounts. From four members on, where it costs less, the amounts are dealt to two
 * halves whose sorted sums are met from both ends; that takes 2^(n/2) instead of 2^n steps. For each multiset of
 * amounts a window slides over the days of its rows. Other sets are counted by combination, not one by one.
 *
 * With months, of the rows of a multiset those are taken that lie in their months most often, and what `admits` denies then is passed
 * over, so that a worse sum that it admits is found. What is left out needs no search: sizes of which too few rows lie in any
 * month, and branches with more rows outside of all months than a set of that size may have.
 *
 * Sources: branch and bound for the subset-sum problem, with the number of items fixed: S. Martello and P. Toth, Knapsack
 * Problems (1990), chapter 4; two sorted lists: E. Horowitz and S. Sahni, Computing Partitions with Applications to the
 * Knapsack Problem, JACM 21 (1974).
 *
 * Worst case: exponential in the number of distinct amounts, as the problem is NP-hard, and as every multiset that is as good
 * as the best is looked at; `maxNodes` bounds it. About 32 distinct amounts are searched to the end, whatever they are, in
 * a few million nodes. Reading n candidates takes O(n log n), which is not counted.
 */
export const findSubset = createSubsetSearch();
