import { noDay } from '../../values/calendar';
import type { AmountClasses } from './amount-classes';
import type { NodeBudget, SubsetProblem } from './types';

/** Groups the rows by amount, dated rows first. Grouping happens on first use. */
export class RowsByAmount {
  /** All rows, amount after amount. */
  rows = new Int32Array(0);
  /** Class of the amount of each row. */
  classOf = new Int32Array(0);
  private start = new Int32Array(1);
  private undated = new Int32Array(0);
  /** Position of the next row of each amount. */
  private next = new Int32Array(0);
  private problem: SubsetProblem | null = null;
  private isGrouped = false;

  constructor(
    private readonly classes: AmountClasses,
    private readonly budget: NodeBudget,
  ) {}

  load(problem: SubsetProblem): void {
    this.problem = problem;
    this.isGrouped = false;
  }

  from(amount: number): number {
    return this.start[amount]!;
  }

  /** Start of the rows without a day. */
  undatedFrom(amount: number): number {
    return this.undated[amount]!;
  }

  to(amount: number): number {
    return this.start[amount + 1]!;
  }

  /** Start of the rows of an amount whose day is not before `day`. */
  firstFrom(amount: number, day: number): number {
    const { days } = this.problem!;
    let low = this.from(amount);
    let high = this.undatedFrom(amount);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (days[this.rows[middle]!]! < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  group(): void {
    if (this.isGrouped) return;
    this.isGrouped = true;
    const { amounts, days, length, byAmount } = this.problem!;
    const { classes } = this;
    this.reserve(length);
    this.budget.nodes += length;
    if (byAmount !== undefined) return this.cut(byAmount);
    const { classOf, start, next } = this;
    start.fill(0, 0, classes.count + 1);
    for (let row = 0; row < length; row++) {
      const amount = classes.firstAtMost(amounts[row]!, 0);
      classOf[row] = amount;
      start[amount + 1]!++;
    }
    for (let amount = 0; amount < classes.count; amount++) start[amount + 1]! += start[amount]!;
    next.set(start.subarray(0, classes.count));
    for (let row = 0; row < length; row++) if (days[row] !== noDay) this.append(row);
    this.undated.set(next.subarray(0, classes.count));
    for (let row = 0; row < length; row++) if (days[row] === noDay) this.append(row);
  }

  /** Cuts the rows in the order of their amounts; of one amount, the last ones are those without a day. */
  private cut(byAmount: Int32Array): void {
    const { amounts, days, length } = this.problem!;
    const { rows, classOf, start, undated } = this;
    let amount = -1;
    let isUndated = false;
    for (let at = 0; at < length; at++) {
      const row = byAmount[at]!;
      if (at === 0 || amounts[row] !== amounts[rows[at - 1]!]) {
        if (amount >= 0 && !isUndated) undated[amount] = at;
        amount++;
        start[amount] = at;
        isUndated = false;
      }
      if (!isUndated && days[row] === noDay) {
        undated[amount] = at;
        isUndated = true;
      }
      rows[at] = row;
      classOf[row] = amount;
    }
    if (!isUndated) undated[amount] = length;
    start[amount + 1] = length;
  }

  private append(row: number): void {
    const amount = this.classOf[row]!;
    this.rows[this.next[amount]!] = row;
    this.next[amount]!++;
  }

  private reserve(length: number): void {
    if (this.rows.length >= length) return;
    const capacity = Math.max(length, 2 * this.rows.length, 64);
    this.rows = new Int32Array(capacity);
    this.classOf = new Int32Array(capacity);
    this.start = new Int32Array(capacity + 1);
    this.undated = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
  }
}
