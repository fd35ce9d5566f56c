import { noDay } from '../../values/calendar';
import { lowerBound } from '../../values/binary-search';
import { chooseByMonth, countInside } from './months';
import type { PlacedDay } from './months';
import { chooseByDay, compareRows, emptySpan } from './rows-by-day';
import type { DaySpan, RowSets, RowSlots } from './rows-by-day';
import { boundSlots, groupFree, setKey } from './slot-problem';
import type { FreeAmount, Slot, SlotProblem, SlotRun, SlotSets } from './slot-problem';
import { maxDaySpan, maxOtherSets, NodeBudget } from './types';

/** Facts about the members so far. */
interface Path extends DaySpan {
  sum: number;
  smallest: number;
  largest: number;
}

/** Slots of rows that need not lie anywhere. */
const noSlots: RowSlots = { days: [], toleranceDays: 0 };

/** Radix of member counts in a cost: sets have fewer members. */
const memberRadix = 2 ** 9;

/**
 * Searches sets of at most one candidate of each slot and any number of free candidates. Ranking: the sum closest
 * to the target, then the fewest members, the most from slots, the most inside their months, the smallest spread,
 * the earliest candidates. The search goes depth first over the slots, those with few candidates first, and tries
 * each candidate before it leaves a slot empty; then over the distinct amounts of the free candidates, largest
 * first, for which `chooseByDay` takes the rows. Branches are bounded by what can still be added, and by the rest
 * of the ranking where that brings no sum closer. Once more than ten sets are equally good the search looks only
 * for better ones and returns the first of those it saw. The result is exact unless the nodes run out; the work is
 * at worst the product of the candidates of the slots. A candidate may be in several slots and is taken once; then
 * candidates with its amount and day are in the same slots.
 */
export class SlotSearch {
  best: SlotSets | null = null;
  /** True if all runs were exact before maxNodes ended them. */
  complete = true;
  private readonly budget = new NodeBudget();
  private delta = Infinity;
  private cost = Infinity;
  /** Inclusive bounds of the sums that count. */
  lowest: number;
  private highest: number;
  private keys = new Set<string>();
  private current: SlotRun = { size: 0, slots: [] };
  private slots: Slot[] = [];
  private free: FreeAmount[] = [];
  private freeCount = 0;
  /** Candidate at each place; -1 where it is empty. */
  private chosen: number[] = [];
  /** Marks, by candidate, those that are chosen. */
  private readonly taken: Uint8Array;
  private filled = 0;
  /** Amounts picked of the free candidates: an index of `free` and a number of rows. */
  private picked: { of: number; count: number }[] = [];

  constructor(private readonly problem: SlotProblem) {
    this.lowest = problem.minSum;
    this.highest = problem.maxSum;
    this.budget.limit = this.budget.maxNodes = problem.maxNodes;
    this.taken = new Uint8Array(problem.amounts.length);
  }

  get nodes(): number {
    return this.budget.nodes;
  }

  /** Demands closer sums from further runs; returns whether any can be closer. */
  demandCloser(): boolean {
    this.admit(this.delta - 1);
    return this.lowest <= this.highest && this.complete;
  }

  run(run: SlotRun): void {
    this.current = run;
    this.free = groupFree(this.problem, run.free ?? []);
    this.freeCount = run.free?.length ?? 0;
    this.slots = boundSlots(this.problem, run.slots, this.free);
    this.chosen = run.slots.map(() => -1);
    this.filled = 0;
    this.picked = [];
    this.choose(0, { sum: 0, smallest: Infinity, largest: -Infinity, ...emptySpan });
  }

  private choose(depth: number, path: Path): void {
    const slot = this.slots[depth] as Slot;
    const open = this.current.size - this.filled;
    if (slot.place === -1 || open === 0) {
      if (this.isWorthIt(path, slot, 0, this.reach(slot, open, 0))) this.chooseFree(0, open, path);
      return;
    }
    const next = this.slots[depth + 1] as Slot;
    const slotsBehind = this.slots.length - depth - 2;
    if (open <= slotsBehind + 1 + this.freeCount) this.take(slot, depth, path, this.reach(next, open - 1, slotsBehind));
    if (open > slotsBehind + this.freeCount || !this.goesOn()) return;
    const rest = this.reach(next, open, slotsBehind);
    if (
      path.sum + rest[0] <= this.highest &&
      path.sum + rest[1] >= this.lowest &&
      this.isWorthIt(path, next, slotsBehind, rest)
    )
      this.choose(depth + 1, path);
  }

  /** Tries the candidates of a slot. */
  private take(slot: Slot, depth: number, path: Path, rest: readonly [number, number]): void {
    const { sum } = path;
    const [minRest, maxRest] = rest;
    const next = this.slots[depth + 1] as Slot;
    const { choices, amounts } = slot;
    let tried = -1;
    const start = lowerBound(0, choices.length, (at) => sum + (amounts[at] as number) + maxRest < this.lowest);
    for (let at = start; at < choices.length && this.goesOn(); at++) {
      const amount = amounts[at] as number;
      if (sum + amount + minRest > this.highest) return;
      if (sum + amount + maxRest < this.lowest) continue;
      const candidate = choices[at] as number;
      this.budget.nodes++;
      if (this.taken[candidate] === 1 || (tried !== -1 && this.isAlike(candidate, tried))) continue;
      tried = candidate;
      const longer = this.extended(path, amount, 1, this.problem.days[candidate] as number);
      this.filled++;
      this.chosen[slot.place] = candidate;
      this.taken[candidate] = 1;
      if (this.isUniform(longer) && this.isWorthIt(longer, next, this.slots.length - depth - 2, rest))
        this.choose(depth + 1, longer);
      this.chosen[slot.place] = -1;
      this.taken[candidate] = 0;
      this.filled--;
    }
  }

  private chooseFree(from: number, open: number, path: Path): void {
    if (open === 0) {
      this.offer(path);
      return;
    }
    const smallest = this.free.at(-1)?.amount ?? 0;
    for (let of = from; of < this.free.length && this.goesOn(); of++) {
      const { amount, rows } = this.free[of] as FreeAmount;
      if (path.sum + open * amount < this.lowest || path.sum + open * smallest > this.highest) return;
      if (path.sum + amount + (open - 1) * smallest > this.highest) continue;
      for (let count = Math.min(open, rows.length); count > 0; count--) {
        const longer = this.extended(path, amount, count, noDay);
        if (!this.isUniform(longer)) break;
        this.budget.nodes++;
        this.picked.push({ of, count });
        this.chooseFree(of + 1, open - count, longer);
        this.picked.pop();
      }
    }
  }

  /** Bounds the sum of `open` more members from the following slots and the free candidates. */
  private reach(next: Slot, open: number, slotsBehind: number): readonly [number, number] {
    if (open === 0) return [0, 0];
    if (this.freeCount === 0 && slotsBehind === open) return [next.minRest, next.maxRest];
    return [open * next.smallest, open * next.largest];
  }

  private extended({ sum, first, last, smallest, largest }: Path, amount: number, count: number, day: number): Path {
    return {
      sum: sum + count * amount,
      smallest: Math.min(smallest, amount),
      largest: Math.max(largest, amount),
      first: day === noDay ? first : Math.min(first, day),
      last: day === noDay ? last : Math.max(last, day),
    };
  }

  /** Returns whether the members can be part of a uniform set: further members never make them more uniform. */
  private isUniform({ smallest, largest }: Path): boolean {
    const { uniformity } = this.problem;
    return uniformity === 0 || largest <= 0 || smallest / largest >= uniformity;
  }

  /**
   * Returns whether a set with this beginning can be as good as the best; once enough of those are known, whether it
   * can be better.
   */
  private isWorthIt(
    { sum, first, last }: Path,
    next: Slot,
    slotsBehind: number,
    [minRest, maxRest]: readonly [number, number],
  ): boolean {
    const { target } = this.problem;
    if (Math.max(0, sum + minRest - target, target - sum - maxRest) < this.delta) return true;
    const { size } = this.current;
    const placed = Math.min(size, this.filled + slotsBehind);
    const hasToFill =
      slotsBehind > 0 &&
      size - this.filled >= slotsBehind &&
      (this.freeCount === 0 || costOf({ size, placed: placed - 1, outside: 0, spread: 0 }) > this.cost);
    const spread = hasToFill ? Math.max(last, next.span.last) - Math.min(first, next.span.first) : last - first;
    const minCost = costOf({ size, placed, outside: 0, spread: Math.max(0, spread) });
    return this.keys.size > maxOtherSets ? minCost < this.cost : minCost <= this.cost;
  }

  private goesOn(): boolean {
    if (this.budget.isSpent) this.complete = false;
    return this.complete;
  }

  private isAlike(one: number, other: number): boolean {
    const { amounts, days } = this.problem;
    return amounts[one] === amounts[other] && days[one] === days[other];
  }

  private offer(path: Path): void {
    const {
      problem,
      current: { size, months },
    } = this;
    this.budget.nodes += size;
    const delta = Math.abs(problem.target - path.sum);
    if (
      delta > this.delta ||
      path.sum < this.lowest ||
      path.sum > this.highest ||
      (problem.uniformity > 0 && path.largest <= 0)
    )
      return;
    const rows = this.chooseRows(path);
    if (rows === null) {
      this.complete = false;
      return;
    }
    const outside = months === undefined ? 0 : size - rows.inside;
    if (months?.allInside === true && outside > 0) return;
    if (months?.admits?.(path.sum, size, rows.inside) === false) return;
    const cost = costOf({ size, placed: this.filled, outside, spread: rows.spread });
    const order = delta - this.delta || cost - this.cost;
    if (order > 0) return;
    if (order < 0) this.keys.clear();
    const placed = this.chosen.filter((candidate) => candidate !== -1);
    for (const set of rows.sets)
      if (this.keys.size <= maxOtherSets) this.keys.add(setKey(problem, [...placed, ...set]));
    const members = [...placed, ...(rows.sets[0] as number[])];
    const isFirst =
      order < 0 || this.best === null || compareRows(ascending(members), ascending(this.best.members)) < 0;
    const kept = isFirst || this.best === null ? { members, sum: path.sum } : this.best;
    this.best = {
      members: kept.members,
      sum: kept.sum,
      spread: rows.spread,
      placed: this.filled,
      otherSets: this.keys.size - 1,
      keys: this.keys,
    };
    this.delta = delta;
    this.cost = cost;
    this.admit(delta);
  }

  /** Chooses rows for the amounts picked of the free candidates. */
  private chooseRows({ first, last }: Path): RowSets | null {
    const {
      problem: { days },
      current: { months },
      budget,
    } = this;
    const placed = this.chosen.flatMap((candidate, place): PlacedDay[] =>
      candidate === -1 ? [] : [{ place, day: days[candidate] as number }],
    );
    if (this.picked.length === 0) {
      return {
        inside: months === undefined ? 0 : countInside(placed, [], months, months.firsts),
        spread: Math.max(0, last - first),
        sets: [[]],
      };
    }
    const wanted = this.picked.map(({ of, count }) => ({ count, rows: (this.free[of] as FreeAmount).rows }));
    const span = { first, last };
    if (months === undefined) return chooseByDay({ wanted, days, slots: noSlots, span, budget });
    return chooseByMonth({ wanted, placed, days, months, firsts: months.firsts, span, budget });
  }

  private admit(delta: number): void {
    this.lowest = Math.max(this.problem.minSum, this.problem.target - delta);
    this.highest = Math.min(this.problem.maxSum, this.problem.target + delta);
  }
}

/** Encodes the ranking after the difference as one number; less is better. */
function costOf({ size, placed, outside, spread }: Record<'size' | 'placed' | 'outside' | 'spread', number>): number {
  return ((size * memberRadix + size - placed) * memberRadix + outside) * maxDaySpan + spread;
}

function ascending(members: readonly number[]): number[] {
  return [...members].sort((one, other) => one - other);
}
