import type { AmountClasses, AmountPick, Choice } from './amount-classes';
import type { NodeBudget, SubsetProblem } from './types';
import { MonthChoice } from './month-choice';
import { MonthReach } from './month-reach';
import { RowChoice } from './row-choice';
import { maxSetMembers, maxOtherSets } from './types';

/** Keeps the best set so far, counts equally good ones and bounds the sums that could still be as good. */
export class BestSets {
  target = 0;
  /** Inclusive bounds of the sums worth an offer. */
  lowest = 0;
  highest = 0;
  /** |target - sum| of the best; Infinity without one. */
  delta = Infinity;
  sum = 0;
  spread = 0;
  size = 0;
  private cost = 0;
  /** True if more sets than are counted hit the target at no cost, so that nothing can change the result. */
  isSettled = false;
  /** Sets with this delta, size and cost. */
  private sets = 0;
  private readonly rows = new Int32Array(maxSetMembers);
  private choice: Choice;
  private readonly byDays: RowChoice;
  private readonly byMonths: MonthChoice;
  private readonly reach: MonthReach;
  private minSum = 0;
  private maxSum = 0;

  constructor(classes: AmountClasses, budget: NodeBudget) {
    this.choice = this.byDays = new RowChoice(classes, budget);
    this.reach = new MonthReach(classes, this.byDays.grouped);
    this.byMonths = new MonthChoice(budget, this.byDays, this.reach);
  }

  load(problem: SubsetProblem): void {
    this.byDays.load(problem);
    if (problem.months !== undefined) this.byMonths.load(problem);
    this.choice = problem.months === undefined ? this.byDays : this.byMonths;
    this.target = problem.target;
    this.minSum = problem.minSum;
    this.maxSum = problem.maxSum;
    this.delta = Infinity;
    this.sum = this.spread = this.cost = this.size = this.sets = 0;
    this.isSettled = false;
    this.admit(Infinity);
  }

  get members(): number[] | null {
    return this.size === 0 ? null : Array.from(this.rows.subarray(0, this.size));
  }

  get otherSets(): number {
    return Math.max(0, this.sets - 1);
  }

  /** Returns whether the best rows of all amounts were chosen within the budget. */
  get isExact(): boolean {
    return this.choice === this.byDays || this.byMonths.isExact;
  }

  /** Returns whether sets of this size can be admitted. */
  allowsSize(size: number): boolean {
    return this.choice === this.byDays || this.reach.allowsSize(size);
  }

  /** Returns whether an admitted set of this size can begin with these amounts. */
  allowsStart(pick: AmountPick, size: number): boolean {
    return this.choice === this.byDays || this.reach.allowsStart(pick, size);
  }

  /** Accepts only closer sums from now on, because later sets have more members. */
  demandCloser(): void {
    this.admit(this.delta - 1);
  }

  /** Restarts the count, because all sets of this size will be offered again. */
  recount(size: number): void {
    if (size === this.size) this.sets = 0;
  }

  /** Takes a multiset of amounts whose sum is between `lowest` and `highest`. Each is offered once. */
  offer(sum: number, pick: AmountPick): void {
    const { choice } = this;
    const delta = Math.abs(this.target - sum);
    const isCloser = delta < this.delta;
    if (!choice.narrow(pick, sum)) return;
    if (!isCloser && choice.cost > this.cost) return;
    choice.fill();
    const isBetter = isCloser || choice.cost < this.cost;
    if (isBetter) this.sets = 0;
    if (isBetter || choice.isBefore(this.rows)) {
      this.rows.set(choice.rows);
      this.sum = sum;
    }
    if (isCloser) this.admit(delta);
    this.delta = delta;
    this.spread = choice.spread;
    this.cost = choice.cost;
    this.size = choice.size;
    this.sets = Math.min(maxOtherSets + 1, this.sets + choice.ways(maxOtherSets + 1));
    this.isSettled = delta === 0 && this.cost === 0 && this.sets > maxOtherSets;
  }

  private admit(delta: number): void {
    this.lowest = Math.max(this.minSum, this.target - delta);
    this.highest = Math.min(this.maxSum, this.target + delta);
  }
}
