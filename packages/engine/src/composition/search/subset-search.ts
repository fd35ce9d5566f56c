import { AmountClasses } from './amount-classes';
import { BestSets } from './best-sets';
import { BranchAndBound } from './branch-and-bound';
import { NodeBudget } from './types';
import { TwoLists } from './two-lists';
import type { SubsetProblem, SubsetResult } from './types';

/** Smaller sets are found faster by branching than by listing sums. */
const minListedMembers = 4;

/** Searches one problem after another with the same work arrays. */
export class SubsetSearch {
  private readonly budget = new NodeBudget();
  private readonly classes = new AmountClasses();
  private readonly best = new BestSets(this.classes, this.budget);
  private readonly branches = new BranchAndBound(this.classes, this.best, this.budget);
  private readonly lists = new TwoLists(this.classes, this.best, this.budget);

  find(problem: SubsetProblem): SubsetResult {
    const { best, budget } = this;
    budget.nodes = 0;
    budget.maxNodes = problem.maxNodes;
    this.classes.load(problem);
    best.load(problem);
    this.lists.load(problem.maxMembers);
    const complete = this.deepen(problem) && best.isExact;
    const { members, sum, spread, otherSets } = best;
    return { members, sum, spread, otherSets, nodes: budget.nodes, complete };
  }

  /** Tries larger sets while they can come closer: nothing is closer than the target itself. */
  private deepen(problem: SubsetProblem): boolean {
    const { best, classes } = this;
    const last = Math.min(problem.maxMembers, classes.entries);
    for (let members = problem.minMembers; members <= last && best.delta > 0; members++) {
      best.demandCloser();
      const mayExist = best.allowsSize(members) && classes.canReach(best.lowest, best.highest, members);
      if (mayExist && !this.searchSize(members, problem)) return false;
    }
    return true;
  }

  /** Branches while that costs no more than listing sums, then starts again with the lists. */
  private searchSize(members: number, { uniformity, maxNodes }: SubsetProblem): boolean {
    const { best, branches, budget, lists } = this;
    const cost = members < minListedMembers || uniformity > 0 ? Infinity : lists.cost(members);
    const mayList = budget.nodes + 2 * cost <= maxNodes;
    budget.limit = mayList ? budget.nodes + cost : maxNodes;
    if (branches.run(members, uniformity)) return true;
    if (!mayList) return false;
    best.recount(members);
    budget.limit = maxNodes;
    return lists.run(members);
  }
}

/** Creates a `findSubset` with its own work arrays, which grow with the problems. */
export function createSubsetSearch(): (problem: SubsetProblem) => SubsetResult {
  const search = new SubsetSearch();
  return (problem) => search.find(problem);
}

/**
 * Finds the set of candidates whose sum is closest to the target; then the fewest members, the smallest spread of days,
 * and the set that is first when ascending rows are compared one by one. Once more than ten sets hit the target on one
 * day the search stops and returns the first of those it saw.
 *
 * The algorithm. Equal amounts are one choice with a multiplicity: 13 of 60 equal rows are one path. The number of
 * members grows step by step. For a fixed number, the search goes depth first over the distinct amounts, largest
 * first, with bounds from the sums of that many of the largest and of the smallest remaining amounts, which hold
 * for negative amounts as well. Two pointers find the last two amounts, a binary search finds the last one.
 * Residues modulo the common divisor of all differences rule out whole steps, such as an odd target among even
 * amounts. From four members on, where it costs less, the amounts are dealt to two halves whose sorted sums are met
 * from both ends, which takes 2^(n/2) instead of 2^n steps. For each multiset of amounts a window slides over the
 * days of its rows. Equally good sets are counted by combination, not one by one.
 *
 * Under `monthly`, the search takes the rows of a multiset that lie in their months most often, and skips sets that
 * `admits` rejects, so that it finds an admitted set with a worse sum. It skips sizes for which too few rows lie in
 * any month, and branches with more rows outside of all months than a set of that size may have.
 *
 * Sources: branch and bound for the subset-sum problem with a fixed number of items: S. Martello and P. Toth,
 * Knapsack Problems (1990), chapter 4; two sorted lists: E. Horowitz and S. Sahni, Computing Partitions with
 * Applications to the Knapsack Problem, JACM 21 (1974).
 *
 * Worst case: exponential in the number of distinct amounts, because the problem is NP-hard and every multiset that
 * is as good as the best is visited; `maxNodes` bounds it. About 32 distinct amounts are always searched to the
 * end, in a few million nodes. Reading n candidates takes O(n log n), which is not counted.
 */
export const findSubset = createSubsetSearch();
