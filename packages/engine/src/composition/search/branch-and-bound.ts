import type { AmountClasses } from './amount-classes';
import { AmountPick, hashOf, unusedHashBits } from './amount-classes';
import type { BestSets } from './best-sets';
import type { NodeBudget } from './types';
import { maxSetMembers } from './types';

/**
 * Visits the multisets of an exact number of amounts whose sum is between `best.lowest` and `best.highest`, and
 * offers each once. The search goes depth first over the amounts, largest first, and tries the most copies of each
 * first. The number of amounts still to take is known, so a branch is bounded by the sums of that many of the
 * largest and of the smallest remaining amounts, negative ones included. A binary search finds the last amount, two
 * pointers find the last two.
 */
export class BranchAndBound {
  private readonly pick = new AmountPick(maxSetMembers);
  private size = 0;
  private stopped = false;
  /** First class that is too small to complete the largest member. */
  private end = 0;
  private endEntry = 0;

  constructor(
    private readonly classes: AmountClasses,
    private readonly best: BestSets,
    private readonly budget: NodeBudget,
  ) {}

  /** Returns false when the budget ended the search. */
  run(size: number, uniformity: number): boolean {
    this.size = size;
    this.stopped = false;
    this.pick.length = 0;
    this.endAt(this.classes.count);
    if (uniformity === 0) this.choose(0, size, 0);
    else this.chooseLargest(size, uniformity);
    return !this.stopped;
  }

  private endAt(end: number): void {
    this.end = end;
    this.endEntry = this.classes.start[end]!;
  }

  private mustStop(): boolean {
    if (this.budget.isSpent) this.stopped = true;
    return this.stopped || this.best.isSettled;
  }

  /** Tries each amount as the largest, which bounds the smallest. */
  private chooseLargest(size: number, uniformity: number): void {
    const { value, count, start, prefix, slack } = this.classes;
    let end = 0;
    for (let at = 0; at < count && value[at]! > 0 && !this.mustStop(); at++) {
      this.budget.nodes++;
      while (end < count && value[end]! / value[at]! >= uniformity) end++;
      this.endAt(end);
      if (start[at]! + size > this.endEntry) continue;
      if (prefix[start[at]! + size]! - prefix[start[at]!]! + slack < this.best.lowest) return;
      this.take(at, size, 0);
    }
  }

  /** Takes `size` more amounts from class `from` on. */
  private choose(from: number, size: number, sum: number): void {
    if (size === 0) {
      this.offer(sum);
      return;
    }
    if (size === 1) {
      this.chooseLast(from, sum);
      return;
    }
    if (size === 2) {
      this.chooseLastTwo(from, sum);
      return;
    }
    if (size === 3 && this.best.lowest === this.best.highest) {
      this.chooseExactThree(from, sum);
      return;
    }
    const { start, prefix, slack } = this.classes;
    const { best, budget, endEntry } = this;
    const smallestRest = prefix[endEntry]! - prefix[endEntry - size + 1]!;
    for (let at = this.classes.firstAtMost(best.highest - sum - smallestRest + slack, from); ; at++) {
      const entry = start[at]!;
      if (entry + size > endEntry || sum + (prefix[entry + size]! - prefix[entry]!) + slack < best.lowest) return;
      budget.nodes++;
      if (this.mustStop()) return;
      this.take(at, size, sum);
    }
  }

  /** Takes the most copies of a class, then one fewer, down to one, and the rest from the following classes. */
  private take(at: number, size: number, sum: number): void {
    const { start, prefix, slack, value, multiplicity } = this.classes;
    const { best, budget, pick, endEntry } = this;
    const next = start[at + 1]!;
    for (let count = Math.min(multiplicity[at]!, size); count >= 1; count--) {
      const rest = size - count;
      const taken = sum + count * value[at]!;
      if (next + rest > endEntry || taken + (prefix[next + rest]! - prefix[next]!) + slack < best.lowest) return;
      if (taken + (prefix[endEntry]! - prefix[endEntry - rest]!) - slack > best.highest) continue;
      budget.nodes++;
      pick.push(at, count);
      if (best.allowsStart(pick, this.size)) this.choose(at + 1, rest, taken);
      pick.length--;
      if (this.stopped) return;
    }
  }

  /** Does what `choose` does for three amounts where a single sum counts: nearly all steps of a search are of these. */
  private chooseExactThree(from: number, sum: number): void {
    const { classes, best, budget, pick, end, endEntry } = this;
    const { start, prefix, slack, value, multiplicity } = classes;
    const { target } = best;
    const smallestTwo = prefix[endEntry]! - prefix[endEntry - 2]!;
    for (let at = classes.firstAtMost(target - sum - smallestTwo + slack, from); ; at++) {
      const entry = start[at]!;
      if (entry + 3 > endEntry || sum + (prefix[entry + 3]! - prefix[entry]!) + slack < target) return;
      budget.nodes++;
      if (this.mustStop()) return;
      if (multiplicity[at]! > 1) {
        this.take(at, 3, sum);
        continue;
      }
      const taken = sum + value[at]!;
      if (taken + (prefix[entry + 3]! - prefix[entry + 1]!) + slack < target) continue;
      if (taken + smallestTwo - slack > target) continue;
      budget.nodes++;
      pick.push(at, 1);
      if (best.allowsStart(pick, this.size)) {
        budget.nodes++;
        const bound = target - taken - value[end - 1]!;
        const first = value[at + 1]! <= bound ? at + 1 : classes.firstAtMost(bound, at + 2);
        if (first < end) this.chooseExactPair(first, taken);
      }
      pick.length--;
    }
  }

  private chooseLast(from: number, sum: number): void {
    const { best, end } = this;
    const { value } = this.classes;
    this.budget.nodes++;
    const below = Math.min(this.classes.firstAtMost(best.target - sum, from), end);
    for (let at = below - 1; at >= from && sum + value[at]! <= best.highest && !this.mustStop(); at--)
      this.offerWith(at, sum);
    for (let at = below; at < end && sum + value[at]! >= best.lowest && !this.mustStop(); at++) this.offerWith(at, sum);
  }

  /**
   * Walks two pointers towards each other. When a pair is too large, only a smaller partner of its larger amount
   * can help, and the reverse; so each step rules out one class. Before that, the step offers the pairs of this
   * class that are further from the target, because they count as long as no set is taken. It counts the same steps
   * where a single sum counts, so that a result does not show how its pairs were found.
   */
  private chooseLastTwo(from: number, sum: number): void {
    const { best, end } = this;
    const { value } = this.classes;
    this.budget.nodes++;
    if (from >= end) return;
    const wanted = best.target - sum;
    const first = this.classes.firstAtMost(best.highest - sum - value[end - 1]!, from);
    if (first >= end) return;
    if (best.lowest === best.highest) {
      this.chooseExactPair(first, sum);
      return;
    }
    const { small } = this.classes;
    let low = first;
    let high = end - 1;
    while (low < high) {
      const lowest = best.lowest - sum;
      const highest = best.highest - sum;
      if (small === null) {
        for (let pair = value[low]! + value[high]!; low < high; pair = value[low]! + value[high]!) {
          if (pair >= lowest && pair <= highest) break;
          if (pair > wanted) low++;
          else high--;
        }
      } else {
        const [from, middle] = [within(lowest), within(wanted)];
        const span = (within(highest) - from) >>> 0;
        while (low < high) {
          const pair = small[low]! + small[high]!;
          if ((pair - from) >>> 0 <= span) break;
          // No processor predicts which pointer moves, so no branch decides: -1 where the pair is too large, else 0.
          const isAbove = (middle - pair) >> 31;
          low -= isAbove;
          high -= 1 + isAbove;
        }
      }
      if (low >= high) break;
      const pair = value[low]! + value[high]!;
      if (pair > wanted) {
        for (let at = high; at >= low && sum + value[low]! + value[at]! <= best.highest && !this.mustStop(); at--)
          this.offerPair(low, at, sum);
        low++;
      } else {
        for (let at = low; at <= high && sum + value[at]! + value[high]! >= best.lowest && !this.mustStop(); at++)
          this.offerPair(at, high, sum);
        high--;
      }
    }
    this.budget.nodes += end - first - 1;
    if (low === high) this.offerPair(low, low, sum);
  }

  /**
   * Looks up the smaller amount of each pair with the only sum that counts, the largest amounts first. Unlike steps of
   * pointers the lookups do not wait for each other, and they leave out the smaller half.
   */
  private chooseExactPair(first: number, sum: number): void {
    const { end, classes } = this;
    const { value } = classes;
    const { hashes, bits } = classes.lookup;
    const wanted = this.best.target - sum;
    const hash = hashOf(wanted);
    let at = first;
    for (; at < end && 2 * value[at]! > wanted; at++) {
      const place = (hash - hashes[at]!) >>> unusedHashBits;
      if (((bits[place >>> 5]! >>> place) & 1) === 0) continue;
      const other = classes.firstAtMost(wanted - value[at]!, at + 1);
      if (other >= end || value[at]! + value[other]! !== wanted) continue;
      if (!this.mustStop()) this.offerPair(at, other, sum);
    }
    this.budget.nodes += end - first - 1;
    if (at < end && 2 * value[at]! === wanted) this.offerPair(at, at, sum);
  }

  private offerPair(one: number, other: number, sum: number): void {
    const { pick, classes } = this;
    if (one === other && classes.multiplicity[one]! < 2) return;
    if (one === other) pick.push(one, 2);
    else {
      pick.push(one, 1);
      pick.push(other, 1);
    }
    this.offer(sum + classes.value[one]! + classes.value[other]!);
    pick.length -= one === other ? 1 : 2;
  }

  private offerWith(at: number, sum: number): void {
    this.pick.push(at, 1);
    this.offer(sum + this.classes.value[at]!);
    this.pick.length--;
  }

  private offer(sum: number): void {
    // Rounding slack lets some sums past a bound that they miss.
    if (sum < this.best.lowest || sum > this.best.highest || this.mustStop()) return;
    this.budget.nodes++;
    this.best.offer(sum, this.pick);
  }
}

/** Limits a sum to one that no two small amounts reach. */
const within = (sum: number): number => Math.max(-(2 ** 30), Math.min(2 ** 30, sum)) | 0;
