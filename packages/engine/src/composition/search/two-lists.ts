import type { AmountClasses } from './amount-classes';
import { AmountPick } from './amount-classes';
import type { BestSets } from './best-sets';
import type { NodeBudget } from './types';
import { HalfSums } from './half-sums';
import type { Reach } from './half-sums';
import { maxSetMembers } from './types';

/** Bounds the entries of a half: about 1 MiB of sums and codes. */
const maxEntries = 65_536;
/**
 * Bounds the classes: with more, half of them has too many multisets of four amounts, the fewest that lists are
 * made for.
 */
const maxClasses = 76;
/** Lists cover a few more members than asked for, so that the next steps find them ready. */
const membersAhead = 3;

/**
 * Deals the classes to two halves and lists the sums of each half in order. A pointer from the bottom of one list and
 * one from the top of the other meet every pair of sums that could be closest to the target. When a pair is too large,
 * only a smaller sum of the second list can help, and the reverse. Before a pointer leaves a sum, the search offers it
 * with all sums of the other side that are close enough, so that each multiset is offered once.
 */
export class TwoLists {
  private readonly halves: readonly [HalfSums, HalfSums];
  private counts: readonly [Float64Array, Float64Array] | null = null;
  private maxMembers = 0;
  /** Largest number of members in the lists; 0 when there are none. */
  private listedMembers = 0;
  private readonly pick = new AmountPick(2 * maxSetMembers);

  constructor(
    private readonly classes: AmountClasses,
    private readonly best: BestSets,
    private readonly budget: NodeBudget,
  ) {
    this.halves = [new HalfSums(classes, budget, 0), new HalfSums(classes, budget, 1)];
  }

  /** Forgets the lists of the previous problem. */
  load(maxMembers: number): void {
    this.maxMembers = Math.min(maxMembers, this.classes.entries);
    this.counts = null;
    this.listedMembers = 0;
  }

  /** Estimates the nodes for finding all sets of this size; Infinity when the lists would be too long. */
  cost(members: number): number {
    if (members <= this.listedMembers) return 0;
    if (this.classes.count > maxClasses) return Infinity;
    const [even, odd] = this.multisets();
    if (Math.max(even[members]!, odd[members]!) > maxEntries || !this.halves.every((half) => half.fits(members)))
      return Infinity;
    return 3 * (even[members]! + odd[members]!);
  }

  /** Offers all sets of this size whose sum counts; returns false when the budget ended the search. */
  run(members: number): boolean {
    if (members > this.listedMembers) this.build(members);
    const [even, odd] = this.halves;
    for (let ofEven = 0; ofEven <= members && !this.best.isSettled; ofEven++) {
      if (!this.scan(even.lists.start, odd.lists.start, ofEven, members - ofEven)) return false;
    }
    return true;
  }

  private multisets(): readonly [Float64Array, Float64Array] {
    const [even, odd] = this.halves;
    this.counts ??= [even.countUpTo(this.maxMembers), odd.countUpTo(this.maxMembers)];
    return this.counts;
  }

  private build(members: number): void {
    let listed = Math.min(this.maxMembers, members + membersAhead);
    while (listed > members && this.cost(listed) === Infinity) listed--;
    const reach = this.reach(listed);
    this.halves.forEach((half, index) => half.build(listed, this.multisets()[index]![listed]!, reach));
    this.listedMembers = listed;
  }

  private reach(members: number): Reach {
    const lowest = new Float64Array(members + 1);
    const highest = new Float64Array(members + 1);
    const { best } = this;
    for (let size = 0; size <= members; size++) {
      const [added, removed] = this.extremes(members - size);
      lowest[size] = best.lowest - added;
      highest[size] = best.highest - removed;
    }
    return { lowest, highest };
  }

  /** Returns the largest and the smallest change of a sum by up to `members` amounts. */
  private extremes(members: number): [number, number] {
    const { count } = this.classes;
    const sum = (from: number, step: number, sign: number): number => {
      let total = 0;
      let open = members;
      for (let at = from; at >= 0 && at < count && open > 0 && sign * this.classes.value[at]! > 0; at += step) {
        const taken = Math.min(open, this.classes.multiplicity[at]!);
        total += taken * this.classes.value[at]!;
        open -= taken;
      }
      return total;
    };
    return [sum(0, 1, 1), sum(count - 1, -1, -1)];
  }

  private scan(evenStart: Int32Array, oddStart: Int32Array, ofEven: number, ofOdd: number): boolean {
    const { best, budget } = this;
    const even = this.halves[0].lists.sums;
    const odd = this.halves[1].lists.sums;
    const evenEnd = evenStart[ofEven + 1]!;
    const oddEnd = oddStart[ofOdd]!;
    let low = evenStart[ofEven]!;
    let high = oddStart[ofOdd + 1]! - 1;
    const { target } = best;
    while (low < evenEnd && high >= oddEnd) {
      if (budget.isSpent) return false;
      budget.nodes++;
      const sum = even[low]! + odd[high]!;
      if (sum > target) {
        for (let at = low; at < evenEnd && even[at]! + odd[high]! <= best.highest && this.goesOn(); at++)
          this.offer(even[at]! + odd[high]!, at, high);
        high--;
      } else {
        for (let at = high; at >= oddEnd && even[low]! + odd[at]! >= best.lowest && this.goesOn(); at--)
          this.offer(even[low]! + odd[at]!, low, at);
        low++;
      }
    }
    return true;
  }

  private goesOn(): boolean {
    return !this.budget.isSpent && !this.best.isSettled;
  }

  private offer(sum: number, even: number, odd: number): void {
    this.pick.length = 0;
    this.halves[0].decode(even, this.pick);
    this.halves[1].decode(odd, this.pick);
    this.best.offer(sum, this.pick);
    this.budget.nodes++;
  }
}
