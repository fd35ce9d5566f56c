import { noDay } from '../../pairs/types';
import { lowerBound } from '../sorted';
import { Effort } from './effort';
import { chooseByMonth, countInside } from './months';
import type { PlacedDay } from './months';
import { emptySpan, chooseByDay, compareRows } from './rows-by-day';
import type { DaySpan, RowSets } from './rows-by-day';
import { maxDaySpan, maxOtherSets } from './types';
import type { Admission, Months } from './types';

export interface SlotProblem {
  /** In minor units. */
  target: number;
  /** Inclusive bounds of the sum. */
  minSum: number;
  maxSum: number;
  /** By candidate, in the order in which earlier ones are preferred. */
  amounts: Float64Array;
  /** noDay contributes nothing to the spread. */
  days: Int32Array;
  /** 0 = off; else the largest member is > 0 and the smallest at least this share of it. */
  uniformity: number;
  /** Steps that all runs may take together. */
  maxNodes: number;
}

/** Where the members of a run should lie: those of slots in the month of their slot, the others in the months that are left. */
export interface RunMonths extends Months {
  /** Which of FIRST_MONTHS may be the first one. */
  firsts: readonly number[];
  /** Sets with members outside do not count. */
  allInside: boolean;
  /** As that of a SubsetProblem. */
  admits?: Admission | undefined;
}

/** What sets are made of: at most one candidate of each slot and any of the free ones, `size` together. */
export interface SlotRun {
  size: number;
  /** Candidates, ascending; the place of a slot is its month. */
  slots: readonly (readonly number[])[];
  /** Candidates, ascending. */
  free?: readonly number[];
  months?: RunMonths | undefined;
}

/** The best set and how many are as good. */
export interface SlotSets {
  /** By slot, then the free ones ascending. */
  members: number[];
  sum: number;
  /** Days from the first to the last dated member. */
  spread: number;
  /** Members of slots. */
  placed: number;
  /** Other multisets of (amount, day) with the same |target - sum|, size and cost; at most maxOtherSets. */
  otherSets: number;
  /** The `setKey` of the best and of the others. */
  keys: ReadonlySet<string>;
}

/** Candidates of one slot, or all free ones, by (amount, day, candidate). */
interface Slot {
  place: number;
  choices: readonly number[];
  amounts: readonly number[];
  /** The least and the most that this slot and those behind it add up to, one of each. */
  minRest: number;
  maxRest: number;
  /** Of this slot, those behind it and the free ones. */
  smallest: number;
  largest: number;
  /** One of each slot from this one on spans these days at least. */
  span: DaySpan;
}

/** What is known of the members so far. */
interface Path extends DaySpan {
  sum: number;
  smallest: number;
  largest: number;
}

/** Free candidates of one amount, by (day, candidate). */
interface FreeAmount {
  amount: number;
  rows: number[];
}

/** Members from slots and free ones are fewer. */
const memberRadix = 2 ** 9;

/**
 * Sets of at most one candidate of each slot, with free candidates beside them: the sum closest to the target, then the fewest
 * members, then the most from slots, the most inside their months, the smallest spread, the earliest candidates. Depth first over
 * the slots, those with few candidates first, each taken before it is left empty; then over the distinct amounts of the free ones,
 * largest first, of which `chooseByDay` takes the rows. Bounded by what can still be added, and where that brings no sum closer by the
 * rest of the ranking. Once more than ten sets are as good only better ones are looked for, and the one returned is the first among
 * those that were seen. Exact unless the nodes run out; the work is the product of the candidates of the slots in the worst case. A
 * candidate may be in several slots and is taken once; then those with its amount and day are in the same slots.
 */
export class SlotSearch {
  best: SlotSets | null = null;
  /** False when maxNodes ended a run before it was exact. */
  complete = true;
  private readonly effort = new Effort();
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
  /** By place; -1: empty. */
  private chosen: number[] = [];
  /** By candidate: 1 while it is one of those. */
  private readonly taken: Uint8Array;
  private filled = 0;
  /** Index of `free` and how many of it. */
  private picked: { of: number; count: number }[] = [];

  constructor(private readonly problem: SlotProblem) {
    this.lowest = problem.minSum;
    this.highest = problem.maxSum;
    this.effort.limit = this.effort.maxNodes = problem.maxNodes;
    this.taken = new Uint8Array(problem.amounts.length);
  }

  get nodes(): number {
    return this.effort.nodes;
  }

  /** Sets of further runs must be closer to the target than the best so far. Returns whether any could be. */
  demandCloser(): boolean {
    this.admit(this.delta - 1);
    return this.lowest <= this.highest && this.complete;
  }

  run(run: SlotRun): void {
    this.current = run;
    const { amounts } = this.problem;
    const free = this.sorted(run.free ?? []);
    this.freeCount = free.length;
    this.free = [];
    for (const candidate of [...free].reverse()) {
      const amount = amounts[candidate] as number;
      if (this.free.at(-1)?.amount !== amount) this.free.push({ amount, rows: [] });
      (this.free.at(-1) as FreeAmount).rows.unshift(candidate);
    }
    this.slots = this.boundSlots(run.slots);
    this.chosen = run.slots.map(() => -1);
    this.filled = 0;
    this.picked = [];
    this.choose(0, { sum: 0, smallest: Infinity, largest: -Infinity, ...emptySpan });
  }

  private sorted(candidates: readonly number[]): number[] {
    const { amounts, days } = this.problem;
    const dayOf = (candidate: number): number => (days[candidate] === noDay ? Infinity : (days[candidate] as number));
    return [...candidates].sort(
      (one, other) =>
        (amounts[one] as number) - (amounts[other] as number) ||
        Number(dayOf(one) > dayOf(other)) - Number(dayOf(one) < dayOf(other)) ||
        one - other,
    );
  }

  private boundSlots(slots: readonly (readonly number[])[]): Slot[] {
    const { amounts } = this.problem;
    let [minRest, maxRest] = [0, 0];
    let [smallest, largest] = [this.free.at(-1)?.amount ?? Infinity, this.free[0]?.amount ?? -Infinity];
    const last: Slot = { place: -1, choices: [], amounts: [], minRest, maxRest, smallest, largest, span: emptySpan };
    let { span } = last;
    return slots
      .map((candidates, place) => ({ place, choices: this.sorted(candidates) }))
      .filter(({ choices }) => choices.length > 0)
      .sort((one, other) => other.choices.length - one.choices.length || other.place - one.place)
      .map(({ place, choices }): Slot => {
        const values = choices.map((candidate) => amounts[candidate] as number);
        minRest += values[0] as number;
        maxRest += values.at(-1) as number;
        smallest = Math.min(smallest, values[0] as number);
        largest = Math.max(largest, values.at(-1) as number);
        span = this.widened(span, choices);
        return { place, choices, amounts: values, minRest, maxRest, smallest, largest, span };
      })
      .reverse()
      .concat(last);
  }

  /** Whatever is chosen of the candidates; one without a day widens nothing. */
  private widened({ first, last }: DaySpan, candidates: readonly number[]): DaySpan {
    const days = candidates.map((candidate) => this.problem.days[candidate] as number);
    return days.includes(noDay)
      ? { first, last }
      : { first: Math.min(first, Math.max(...days)), last: Math.max(last, Math.min(...days)) };
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
      this.effort.nodes++;
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
        this.effort.nodes++;
        this.picked.push({ of, count });
        this.chooseFree(of + 1, open - count, longer);
        this.picked.pop();
      }
    }
  }

  /** The least and the most that so many members add from the slots behind and the free ones. */
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

  /** Whether the members may be part of a set that is uniform: further ones never make them more so. */
  private isUniform({ smallest, largest }: Path): boolean {
    const { uniformity } = this.problem;
    return uniformity === 0 || largest <= 0 || smallest / largest >= uniformity;
  }

  /** Whether a set that begins so may be as good as the best; once enough of these are known, whether it may be better. */
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
    const least = costOf({ size, placed, outside: 0, spread: Math.max(0, spread) });
    return this.keys.size > maxOtherSets ? least < this.cost : least <= this.cost;
  }

  private goesOn(): boolean {
    if (this.effort.isSpent) this.complete = false;
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
    this.effort.nodes += size;
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

  /** Rows for the amounts that are picked of the free ones. */
  private chooseRows({ first, last }: Path): RowSets | null {
    const {
      problem: { days },
      current: { months },
      effort,
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
    if (months === undefined) return chooseByDay(wanted, days, { days: [], toleranceDays: 0 }, { first, last }, effort);
    return chooseByMonth(wanted, placed, days, months, months.firsts, { first, last }, effort);
  }

  private admit(delta: number): void {
    this.lowest = Math.max(this.problem.minSum, this.problem.target - delta);
    this.highest = Math.min(this.problem.maxSum, this.problem.target + delta);
  }
}

/** Less is better: the ranking after the difference, as one number. */
function costOf({
  size,
  placed,
  outside,
  spread,
}: {
  size: number;
  placed: number;
  outside: number;
  spread: number;
}): number {
  return ((size * memberRadix + size - placed) * memberRadix + outside) * maxDaySpan + spread;
}

/** Equal for sets of the same amounts and days. */
export function setKey({ amounts, days }: Pick<SlotProblem, 'amounts' | 'days'>, members: readonly number[]): string {
  return members
    .map((candidate) => `${amounts[candidate]}/${days[candidate]}`)
    .sort()
    .join(' ');
}

function ascending(members: readonly number[]): number[] {
  return [...members].sort((one, other) => one - other);
}
