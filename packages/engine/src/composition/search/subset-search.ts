import { AmountClasses } from './amount-classes';
import { BestSets } from './best-sets';
import { BranchAndBound } from './branch-and-bound';
import { Effort } from './effort';
import { TwoLists } from './two-lists';
import type { SubsetProblem, SubsetResult } from './types';

/** With fewer members branching costs less than listing sums. */
const minListedMembers = 4;

/** Searches one problem after the other with the same work arrays. */
export class SubsetSearch {
  private readonly effort = new Effort();
  private readonly classes = new AmountClasses();
  private readonly best = new BestSets(this.classes, this.effort);
  private readonly branches = new BranchAndBound(this.classes, this.best, this.effort);
  private readonly lists = new TwoLists(this.classes, this.best, this.effort);

  find(problem: SubsetProblem): SubsetResult {
    const { best, effort } = this;
    effort.nodes = 0;
    effort.maxNodes = problem.maxNodes;
    this.classes.load(problem.amounts, problem.length, problem.maxMembers);
    best.load(problem);
    this.lists.load(problem.maxMembers);
    const complete = this.deepen(problem) && best.isExact;
    const { members, sum, spread, otherSets } = best;
    return { members, sum, spread, otherSets, nodes: effort.nodes, complete };
  }

  /** Sets of more members count only where they are closer, and nothing is closer than the target itself. */
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

  /** Branches while that costs no more than to list sums, and starts again with the lists where it does. */
  private searchSize(members: number, { uniformity, maxNodes }: SubsetProblem): boolean {
    const { best, branches, effort, lists } = this;
    const cost = members < minListedMembers || uniformity > 0 ? Infinity : lists.cost(members);
    const mayList = effort.nodes + 2 * cost <= maxNodes;
    effort.limit = mayList ? effort.nodes + cost : maxNodes;
    if (branches.run(members, uniformity)) return true;
    if (!mayList) return false;
    best.recount(members);
    effort.limit = maxNodes;
    return lists.run(members);
  }
}
