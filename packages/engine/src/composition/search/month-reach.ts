import { maxSetMembers } from './types';
import type { AmountClasses, Pick } from './amount-classes';
import type { RowsByAmount } from './rows-by-amount';
import type { SubsetProblem } from './types';

/** Bits of a mask. */
const slotsPerMask = 31;

/**
 * How many rows of some amounts could lie in their months at most, and how many have to. A row that lies in none is outside of them,
 * and the members inside lie in as many months.
 */
export class MonthReach {
  /** By amount, its rows that lie in some month, and the months that they lie in. */
  private near = new Int32Array(0);
  private months: Int32Array[] = [];
  /** By size, the least number of members inside with which a set may count; more than the size where none does. */
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

  /** Whether sets of this size may count. */
  allowsSize(size: number): boolean {
    return this.needed[size]! <= Math.min(size, this.maxInside);
  }

  /** Whether a set of this size may begin with these amounts. */
  allowsStart({ classes, counts, length }: Pick, size: number): boolean {
    let outside = 0;
    for (let at = 0; at < length; at++) outside += Math.max(0, counts[at]! - this.near[classes[at]!]!);
    return outside <= size - this.needed[size]!;
  }

  /** Whether rows of these amounts may count as a set. */
  allows(pick: Pick): boolean {
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

  /** The target is the sum that needs the fewest inside, and larger sets need no fewer than smaller ones. */
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
