import { maxSetMembers } from './types';
import type { AmountClasses, AmountPick } from './amount-classes';
import type { RowsByAmount } from './rows-by-amount';
import type { SubsetProblem } from './types';

/** Bits of a mask. */
const slotsPerMask = 31;

/**
 * Bounds how many rows of some amounts can lie in their months, and how many have to. A row outside of all months
 * never counts as inside, and members inside lie in distinct months.
 */
export class MonthReach {
  /** Rows of each amount that lie in some month. */
  private near = new Int32Array(0);
  /** Bit masks, by amount, of the months that its rows lie in. */
  private months: Int32Array[] = [];
  /** Number of members, by size, that have to be inside for a set to count; more than the size where no set counts. */
  private readonly needed = new Int32Array(maxSetMembers + 1);
  private maxInside = 0;

  constructor(
    private readonly classes: AmountClasses,
    private readonly rows: RowsByAmount,
  ) {}

  load(problem: SubsetProblem): void {
    this.rows.group();
    this.months = Array.from(
      { length: Math.ceil(problem.months!.slots.length / slotsPerMask) },
      () => new Int32Array(this.classes.count),
    );
    this.near = new Int32Array(this.classes.count);
    for (let amount = 0; amount < this.classes.count; amount++) this.measure(amount, problem);
    const sum = (values: Int32Array): number => values.reduce((total, value) => total + value, 0);
    const all = this.months.map((masks) => masks.reduce((union, mask) => union | mask, 0));
    this.maxInside = Math.min(
      sum(this.near),
      all.reduce((total, mask) => total + bits(mask), 0),
    );
    this.require(problem);
  }

  /** Returns whether sets of this size can count. */
  allowsSize(size: number): boolean {
    return this.needed[size]! <= Math.min(size, this.maxInside);
  }

  /** Returns whether a set of this size can begin with these amounts. */
  allowsStart({ classes, counts, length }: AmountPick, size: number): boolean {
    let outside = 0;
    for (let at = 0; at < length; at++) outside += Math.max(0, counts[at]! - this.near[classes[at]!]!);
    return outside <= size - this.needed[size]!;
  }

  /** Returns whether rows of these amounts can count as a set. */
  allows(pick: AmountPick): boolean {
    const { classes, counts, length } = pick;
    let size = 0;
    for (let at = 0; at < length; at++) size += counts[at]!;
    if (!this.allowsStart(pick, size)) return false;
    let inside = 0;
    for (const masks of this.months) {
      let union = 0;
      for (let at = 0; at < length; at++) union |= masks[classes[at]!]!;
      inside += bits(union);
    }
    return inside >= this.needed[size]!;
  }

  private measure(amount: number, { days, months }: SubsetProblem): void {
    const { rows } = this;
    const { slots, toleranceDays } = months!;
    for (let at = rows.from(amount); at < rows.undatedFrom(amount); at++) {
      const day = days[rows.rows[at]!]!;
      let isNear = false;
      slots.forEach((slot, month) => {
        if (Math.abs(day - slot) > toleranceDays) return;
        isNear = true;
        this.months[Math.floor(month / slotsPerMask)]![amount]! |= 1 << (month % slotsPerMask);
      });
      if (isNear) this.near[amount]!++;
    }
  }

  /**
   * Measures the target's own sum, which needs the fewest members inside; larger sets never need fewer than smaller
   * ones.
   */
  private require({ admits, target, minMembers, maxMembers }: SubsetProblem): void {
    let inside = 0;
    for (let size = minMembers; size <= maxMembers; size++) {
      while (inside <= size && admits?.(target, size, inside) === false) inside++;
      this.needed[size] = inside;
    }
  }
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
