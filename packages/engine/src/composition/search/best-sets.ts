import type { AmountClasses, Pick } from './amount-classes';
import type { Effort } from './effort';
import { MonthChoice } from './month-choice';
import { MonthReach } from './month-reach';
import { RowChoice } from './row-choice';
import { maxSetMembers, maxOtherSets } from './types';
import type { SubsetProblem } from './types';

/** Which rows stand for chosen amounts. */
export interface Choice {
  /** Ascending; the first `size` count. */
  readonly rows: Int32Array;
  readonly size: number;
  /** Days from the first to the last dated row. */
  readonly spread: number;
  /** Less is better: what of the rows' days comes after their sum and number. */
  readonly cost: number;
  /** Finds the least cost; false when no rows of these amounts, which have this sum, are admitted. */
  narrow(pick: Pick, sum: number): boolean;
  /** Takes the earliest rows of that cost. */
  fill(): void;
  isBefore(others: Int32Array): boolean;
  /** How many multisets of (amount, day) have that cost, at most `limit`. */
  ways(limit: number): number;
}

/** The best set so far, how many are as good, and which sums could still be as good or better. */
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
  /** The target is hit, at no cost, by more sets than are counted: nothing that is still to come could change that. */
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

  constructor(classes: AmountClasses, effort: Effort) {
    this.choice = this.byDays = new RowChoice(classes, effort);
    this.reach = new MonthReach(classes, this.byDays.grouped);
    this.byMonths = new MonthChoice(effort, this.byDays, this.reach);
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

  /** False when the effort did not suffice to choose the best rows of some amounts. */
  get isExact(): boolean {
    return this.choice === this.byDays || this.byMonths.isExact;
  }

  /** Whether sets of this size may be admitted. */
  allowsSize(size: number): boolean {
    return this.choice === this.byDays || this.reach.allowsSize(size);
  }

  /** Whether a set of this size that is admitted may begin with these amounts. */
  allowsStart(pick: Pick, size: number): boolean {
    return this.choice === this.byDays || this.reach.allowsStart(pick, size);
  }

  /** From here on sets have more members and must be closer to the target. */
  demandCloser(): void {
    this.admit(this.delta - 1);
  }

  /** All sets of this size will be offered once more. */
  recount(size: number): void {
    if (size === this.size) this.sets = 0;
  }

  /** Takes a multiset of amounts whose sum is between `lowest` and `highest`; each is offered once. */
  offer(sum: number, pick: Pick): void {
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
