import type { AmountClasses, AmountPick } from './amount-classes';
import type { NodeBudget } from './types';

/** A code is a sum of counts times products of radixes, and has to stay a safe integer. */
const maxCode = Number.MAX_SAFE_INTEGER;

/** Bounds, by number of members, of the sums that a set of the search can still complete. */
export interface Reach {
  lowest: Float64Array;
  highest: Float64Array;
}

/**
 * Holds sums and codes, one list after the other by number of members; `start` has one entry more than there are
 * lists.
 */
interface Lists {
  sums: Float64Array;
  codes: Float64Array;
  start: Int32Array;
}

const noLists = (): Lists => ({ sums: new Float64Array(0), codes: new Float64Array(0), start: new Int32Array(2) });

/**
 * Lists the sums of all multisets of amounts from every second class, ascending for each number of members. Adding
 * a class merges two sorted lists: the multisets without it, and those with one copy fewer, moved up by its amount.
 */
export class HalfSums {
  lists = noLists();
  private spare = noLists();
  /** Amount by which one copy of a class raises a code. */
  private readonly radix: number[] = [];

  /** @param parity 0: the first class, the third …; 1: the second, the fourth … */
  constructor(
    private readonly classes: AmountClasses,
    private readonly budget: NodeBudget,
    private readonly parity: number,
  ) {}

  /** Counts, by number of members, the multisets of at most that many amounts. */
  countUpTo(members: number): Float64Array {
    const counts = new Float64Array(members + 1);
    counts[0] = 1;
    for (let at = this.parity; at < this.classes.count; at += 2) {
      const max = this.classes.multiplicity[at]!;
      for (let total = members; total > 0; total--) {
        for (let taken = Math.min(max, total); taken > 0; taken--) counts[total]! += counts[total - taken]!;
      }
    }
    for (let total = 1; total <= members; total++) counts[total]! += counts[total - 1]!;
    return counts;
  }

  /** Returns whether multisets of up to `members` amounts have safe codes. */
  fits(members: number): boolean {
    let codes = 1;
    for (let at = this.parity; at < this.classes.count; at += 2)
      codes *= Math.min(this.classes.multiplicity[at]!, members) + 1;
    return codes <= maxCode;
  }

  /** Lists the multisets of up to `members` amounts; `capacity` is their number. */
  build(members: number, capacity: number, reach: Reach): void {
    this.reserve(members, capacity);
    this.lists.sums[0] = this.lists.codes[0] = 0;
    this.lists.start.fill(1);
    this.lists.start[0] = 0;
    this.radix.length = 0;
    let radix = 1;
    for (let at = this.parity; at < this.classes.count; at += 2) {
      this.radix.push(radix);
      const max = Math.min(this.classes.multiplicity[at]!, members);
      this.add({ amount: this.classes.value[at]!, max, radix }, members, reach);
      radix *= max + 1;
    }
  }

  /** Adds the amounts of an entry to a pick. */
  decode(entry: number, pick: AmountPick): void {
    let code = this.lists.codes[entry]!;
    for (let digit = this.radix.length - 1; digit >= 0 && code > 0; digit--) {
      const count = Math.floor(code / this.radix[digit]!);
      if (count === 0) continue;
      pick.push(this.parity + 2 * digit, count);
      code -= count * this.radix[digit]!;
    }
  }

  private add(added: { amount: number; max: number; radix: number }, members: number, reach: Reach): void {
    const { lists: old, spare: merged } = this;
    let length = 0;
    for (let size = 0; size <= members; size++) {
      const previous = size === 0 ? 0 : merged.start[size - 1]!;
      merged.start[size] = length;
      length = mergeList({
        old,
        merged,
        size,
        previous,
        length,
        ...added,
        lowest: reach.lowest[size]!,
        highest: reach.highest[size]!,
      });
    }
    merged.start[members + 1] = length;
    this.budget.nodes += length;
    this.lists = merged;
    this.spare = old;
  }

  private reserve(members: number, capacity: number): void {
    for (const lists of [this.lists, this.spare]) {
      if (lists.start.length !== members + 2) lists.start = new Int32Array(members + 2);
      if (lists.sums.length >= capacity) continue;
      lists.sums = new Float64Array(capacity);
      lists.codes = new Float64Array(capacity);
    }
  }
}

interface Merge {
  old: Lists;
  merged: Lists;
  /** Number of members in the list that is written. */
  size: number;
  /** Start in `merged` of the list with one member fewer, which ends at `length`. */
  previous: number;
  length: number;
  amount: number;
  max: number;
  radix: number;
  lowest: number;
  highest: number;
}

/** Appends one list to the others and returns its end. */
function mergeList({ old, merged, size, previous, length, amount, max, radix, lowest, highest }: Merge): number {
  const { sums, codes } = merged;
  const { sums: oldSums, codes: oldCodes } = old;
  const past = old.start[size + 1]!;
  const full = max * radix;
  let kept = old.start[size]!;
  let moved = previous;
  let end = length;
  while (true) {
    // The class added last has the largest radix, so the size of a code shows whether another copy may be taken.
    while (moved < length && codes[moved]! >= full) moved++;
    if (kept >= past && moved >= length) return end;
    const isKept = moved >= length || (kept < past && oldSums[kept]! <= sums[moved]! + amount);
    const sum = isKept ? oldSums[kept]! : sums[moved]! + amount;
    const code = isKept ? oldCodes[kept]! : codes[moved]! + radix;
    if (isKept) kept++;
    else moved++;
    if (sum > highest) return end;
    if (sum < lowest) continue;
    sums[end] = sum;
    codes[end] = code;
    end++;
  }
}
