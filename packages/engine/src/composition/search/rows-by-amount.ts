import { noDay } from '../../pairs/types';
import type { AmountClasses } from './amount-classes';
import type { Effort } from './effort';
import type { SubsetProblem } from './types';

/** The rows of each amount: those with a day in their order, then those without. Grouped when first asked for. */
export class RowsByAmount {
  /** All rows, amount after amount. */
  rows = new Int32Array(0);
  /** By row. */
  classOf = new Int32Array(0);
  private start = new Int32Array(1);
  private undated = new Int32Array(0);
  /** By amount, where its next row goes. */
  private next = new Int32Array(0);
  private problem: SubsetProblem | null = null;
  private isGrouped = false;

  constructor(
    private readonly classes: AmountClasses,
    private readonly effort: Effort,
  ) {}

  load(problem: SubsetProblem): void {
    this.problem = problem;
    this.isGrouped = false;
  }

  from(amount: number): number {
    return this.start[amount]!;
  }

  /** Where the rows without a day begin. */
  undatedFrom(amount: number): number {
    return this.undated[amount]!;
  }

  to(amount: number): number {
    return this.start[amount + 1]!;
  }

  /** Where the rows of an amount begin whose day is not before `day`. */
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
    const { amounts, days, length } = this.problem!;
    const { classes } = this;
    this.reserve(length);
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
    this.effort.nodes += length;
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
