import type { SubsetProblem } from './types';

/** Amounts below it have sums of two, and differences of such sums, within 32 bits. */
const maxSmallAmount = 2 ** 29;

/** Leaves 16 bits of a hash, whose table of 8 KiB stays in the cache of a processor. */
export const unusedHashBits = 16;

/** Hashes an integer. The difference of two hashes is the hash of the difference, modulo 2^32. */
export const hashOf = (amount: number): number => Math.imul(amount, 0x9e3779b1);

/** Finds amounts by hash. */
interface AmountLookup {
  /** Hash of each amount. */
  readonly hashes: Int32Array;
  /** The bit of each hash that an amount has. */
  readonly bits: Int32Array;
}

/**
 * Holds the distinct amounts of a problem, descending, each with the number of times that it can be taken. The
 * expanded list repeats each amount that often; bounds are sums of consecutive entries of it.
 */
export class AmountClasses {
  count = 0;
  value = new Float64Array(0);
  /** The same amounts as integers of 32 bits; null where one is too large. */
  small: Int32Array | null = null;
  /** Copies of each amount that can be taken: at most as many as a set has members. */
  multiplicity = new Int32Array(0);
  /** Start of each amount in the expanded list, with one final entry for the end. */
  start = new Int32Array(1);
  /** Sums of the first entries of the expanded list. */
  prefix = new Float64Array(1);
  /** Rounding error of a difference of two prefixes; 0 while every prefix is a safe integer. */
  slack = 0;
  /** All amounts are equal modulo this; 0 when there is one amount only. */
  modulus = 0;
  hashes = new Int32Array(0);
  readonly bits = new Int32Array(2 ** (32 - unusedHashBits - 5));
  private isHashed = false;
  private sorted = new Float64Array(0);
  private integers = new Int32Array(0);

  load(problem: Pick<SubsetProblem, 'amounts' | 'length' | 'byAmount' | 'maxMembers'>): void {
    const { length, maxMembers } = problem;
    this.reserve(length);
    this.sort(problem);
    const { sorted, value, multiplicity } = this;
    let count = 0;
    for (let at = 0; at < length; at++) {
      const amount = sorted[at]!;
      if (count === 0 || amount !== value[count - 1]) {
        value[count] = amount;
        multiplicity[count] = 1;
        count++;
      } else if (multiplicity[count - 1]! < maxMembers) {
        multiplicity[count - 1]!++;
      }
    }
    this.count = count;
    this.isHashed = false;
    this.narrow();
    this.expand();
    this.modulus = this.commonModulus();
  }

  /** Sorts the amounts, descending. */
  private sort({ amounts, length, byAmount }: Pick<SubsetProblem, 'amounts' | 'length' | 'byAmount'>): void {
    const { sorted } = this;
    if (byAmount !== undefined) {
      for (let at = 0; at < length; at++) sorted[at] = amounts[byAmount[at]!]!;
      return;
    }
    sorted.set(length === amounts.length ? amounts : amounts.subarray(0, length));
    sorted.subarray(0, length).sort().reverse();
  }

  private narrow(): void {
    const { value, integers, count } = this;
    const isSmall = count > 0 && value[0]! < maxSmallAmount && value[count - 1]! > -maxSmallAmount;
    this.small = isSmall ? integers : null;
    if (isSmall) for (let at = 0; at < count; at++) integers[at] = value[at]!;
  }

  /** Hashes of the amounts, which are made on first use. */
  get lookup(): AmountLookup {
    if (!this.isHashed) this.hash();
    return this;
  }

  private hash(): void {
    const { hashes, bits, value, count } = this;
    bits.fill(0);
    for (let at = 0; at < count; at++) {
      const hash = hashOf(value[at]!);
      hashes[at] = hash;
      const place = hash >>> unusedHashBits;
      bits[place >>> 5]! |= 1 << place;
    }
    this.isHashed = true;
  }

  /** Entries of the expanded list. */
  get entries(): number {
    return this.start[this.count]!;
  }

  /** The first class in [from, count) whose amount is at most `bound`; `count` when there is none. */
  firstAtMost(bound: number, from: number): number {
    const { value } = this;
    let low = from;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (value[middle]! > bound) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns whether a sum of `size` amounts can lie in [minSum, maxSum], by the extremes and the common modulus. */
  canReach(minSum: number, maxSum: number, size: number): boolean {
    const { prefix, entries, slack, modulus } = this;
    if (size > entries || prefix[size]! + slack < minSum || prefix[entries]! - prefix[entries - size]! - slack > maxSum)
      return false;
    if (modulus <= 1) return true;
    const past = (maxSum - size * this.value[0]!) % modulus;
    return maxSum - (past < 0 ? past + modulus : past) >= minSum;
  }

  private expand(): void {
    const { value, multiplicity, start, prefix } = this;
    let position = 0;
    let size = 0;
    for (let at = 0; at < this.count; at++) {
      start[at] = position;
      for (let copy = 0; copy < multiplicity[at]!; copy++) {
        prefix[position + 1] = prefix[position]! + value[at]!;
        size += Math.abs(value[at]!);
        position++;
      }
    }
    start[this.count] = position;
    // Each addition is off by at most half a unit in the last place of the total.
    this.slack = size <= Number.MAX_SAFE_INTEGER ? 0 : size * (position + 2) * Number.EPSILON;
  }

  private commonModulus(): number {
    let modulus = 0;
    for (let at = 1; at < this.count && modulus !== 1; at++)
      modulus = greatestDivisor(this.value[0]! - this.value[at]!, modulus);
    return modulus;
  }

  private reserve(length: number): void {
    if (this.sorted.length >= length) return;
    const capacity = Math.max(length, 2 * this.sorted.length, 64);
    this.sorted = new Float64Array(capacity);
    this.value = new Float64Array(capacity);
    this.integers = new Int32Array(capacity);
    this.hashes = new Int32Array(capacity);
    this.multiplicity = new Int32Array(capacity);
    this.start = new Int32Array(capacity + 1);
    this.prefix = new Float64Array(capacity + 1);
  }
}

function greatestDivisor(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/** Holds the amounts that a branch has picked, as classes and copies of each. */
export class AmountPick {
  readonly classes: Int32Array;
  readonly counts: Int32Array;
  length = 0;

  constructor(capacity: number) {
    this.classes = new Int32Array(capacity);
    this.counts = new Int32Array(capacity);
  }

  push(amountClass: number, count: number): void {
    this.classes[this.length] = amountClass;
    this.counts[this.length] = count;
    this.length++;
  }
}

/** Chooses rows with the picked amounts. */
export interface Choice {
  /** Ascending; the first `size` count. */
  readonly rows: Int32Array;
  readonly size: number;
  /** Days from the first to the last dated row. */
  readonly spread: number;
  /** Rank of the rows' days, after sum and size; less is better. */
  readonly cost: number;
  /** Finds the lowest cost of rows for these amounts, whose sum is given; false when no such rows are admitted. */
  narrow(pick: AmountPick, sum: number): boolean;
  /** Takes the earliest rows of the lowest cost. */
  fill(): void;
  isBefore(others: Int32Array): boolean;
  /** Counts the multisets of (amount, day) with that cost, up to `limit`. */
  ways(limit: number): number;
}
