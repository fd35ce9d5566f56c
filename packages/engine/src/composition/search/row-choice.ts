import { noDay } from '../../values/calendar';
import type { AmountClasses, Choice } from './amount-classes';
import { AmountPick } from './amount-classes';
import type { NodeBudget, SubsetProblem } from './types';
import { RowsByAmount } from './rows-by-amount';
import { maxSetMembers } from './types';
import { waysToTake } from './ways';

/** Sorting and sliding a row take a few times as long as a step of the search. */
const nodesPerDatedRow = 4;
/** Up to this many rows an insertion sort is faster than the typed array's sort. */
const maxInsertionSort = 32;

/**
 * Chooses rows with the picked amounts: those within the fewest days, then the earliest. A window slides over the dated
 * rows of the amounts, so the work is linear in their number, whatever the number of combinations. No shorter window
 * holds enough rows, so any choice from a window of that length has exactly that spread.
 */
export class RowChoice implements Choice {
  /** The rows, ascending; the first `size` count. */
  readonly rows = new Int32Array(maxSetMembers);
  size = 0;
  /** Days from the first to the last dated row. */
  spread = 0;
  private pick = new AmountPick(0);
  private firstDay = 0;
  /** True if every row of the amounts is taken. */
  private isForced = false;
  /** True if undated rows could supply all amounts. */
  private canBeUndated = false;
  /** The dated rows of all amounts, ascending. */
  private dated = new Int32Array(0);
  private datedCount = 0;
  /** Slot of each amount: its place in the pick. */
  private slotOf = new Int32Array(0);
  /** Number of dated rows that each slot must use, because it has too few undated ones. */
  private readonly needed = new Int32Array(maxSetMembers);
  /** Range of rows of each slot that lie in a window. */
  private readonly from = new Int32Array(maxSetMembers);
  private readonly to = new Int32Array(maxSetMembers);
  /** Number of rows of each slot in the sliding window. */
  private readonly held = new Int32Array(maxSetMembers);
  private days: Int32Array = new Int32Array(0);
  readonly grouped: RowsByAmount;

  constructor(
    classes: AmountClasses,
    private readonly budget: NodeBudget,
  ) {
    this.grouped = new RowsByAmount(classes, budget);
  }

  load(problem: SubsetProblem): void {
    this.grouped.load(problem);
    this.days = problem.days;
  }

  get cost(): number {
    return this.spread;
  }

  /** Finds the smallest spread of a choice, and the first window with it. */
  narrow(pick: AmountPick): boolean {
    this.grouped.group();
    this.reserve(this.grouped.rows.length);
    this.pick = pick;
    this.measure(pick);
    if (this.isForced) this.spanAll();
    else if (this.canBeUndated) this.narrowToFirstDay();
    else this.slide();
    return true;
  }

  /** Takes the first rows of the window, then undated ones. */
  fill(): void {
    const { pick, grouped, days } = this;
    const lastDay = this.firstDay + this.spread;
    this.size = 0;
    for (let slot = 0; slot < pick.length; slot++) {
      const amount = pick.classes[slot]!;
      let missing = pick.counts[slot]!;
      const undated = grouped.undatedFrom(amount);
      for (let at = grouped.firstFrom(amount, this.firstDay); missing > 0 && at < undated; at++) {
        if (days[grouped.rows[at]!]! > lastDay) break;
        this.insert(grouped.rows[at]!);
        missing--;
      }
      for (let at = undated; missing > 0; at++, missing--) this.insert(grouped.rows[at]!);
    }
  }

  /** Returns whether these rows precede an equally long list, compared row number by row number. */
  isBefore(others: Int32Array): boolean {
    for (let at = 0; at < this.size; at++) {
      if (this.rows[at] !== others[at]) return this.rows[at]! < others[at]!;
    }
    return false;
  }

  /** Counts the multisets of (amount, day) for the amounts within the smallest spread, at most `limit`. */
  ways(limit: number): number {
    if (this.isForced) return 1;
    let total = this.canBeUndated ? 1 : 0;
    const { pick, grouped, days, dated } = this;
    for (let slot = 0; slot < pick.length; slot++) this.from[slot] = this.to[slot] = grouped.from(pick.classes[slot]!);
    for (let at = 0; at < this.datedCount && total < limit; at++) {
      const day = days[dated[at]!]!;
      if (day < this.firstDay || (at > 0 && days[dated[at - 1]!] === day)) continue;
      // The choice without any dated row belongs to no window.
      total += this.waysFrom(day, limit + 1) - (this.canBeUndated ? 1 : 0);
    }
    return Math.min(limit, total);
  }

  /** Counts the ways to take all amounts from the window that begins on a day, at most `limit`. */
  private waysFrom(day: number, limit: number): number {
    const { pick, grouped, days, from, to } = this;
    const lastDay = day + this.spread;
    let product = 1;
    for (let slot = 0; slot < pick.length; slot++) {
      const amount = pick.classes[slot]!;
      const undated = grouped.undatedFrom(amount);
      while (from[slot]! < undated && days[grouped.rows[from[slot]!]!]! < day) from[slot]!++;
      to[slot] = Math.max(to[slot]!, from[slot]!);
      while (to[slot]! < undated && days[grouped.rows[to[slot]!]!]! <= lastDay) to[slot]!++;
      if (product === 0 || to[slot]! - from[slot]! < this.needed[slot]!) product = 0;
      else product = Math.min(limit, product * this.waysOf(slot, limit));
    }
    return product;
  }

  private waysOf(slot: number, limit: number): number {
    const { grouped, pick, from, to } = this;
    const amount = pick.classes[slot]!;
    const undated = grouped.to(amount) - grouped.undatedFrom(amount);
    this.budget.nodes += to[slot]! - from[slot]! + 1;
    return waysToTake({
      count: pick.counts[slot]!,
      rows: grouped.rows,
      from: from[slot]!,
      to: to[slot]!,
      days: this.days,
      undated,
      limit,
    });
  }

  private measure({ classes, counts, length }: AmountPick): void {
    const { grouped, needed } = this;
    this.isForced = true;
    this.canBeUndated = true;
    for (let slot = 0; slot < length; slot++) {
      const amount = classes[slot]!;
      needed[slot] = Math.max(0, counts[slot]! - (grouped.to(amount) - grouped.undatedFrom(amount)));
      if (counts[slot]! < grouped.to(amount) - grouped.from(amount)) this.isForced = false;
      if (needed[slot]! > 0) this.canBeUndated = false;
    }
  }

  private spanAll(): void {
    const { grouped, days, pick } = this;
    let first = Infinity;
    let last = -Infinity;
    for (let slot = 0; slot < pick.length; slot++) {
      const amount = pick.classes[slot]!;
      const undated = grouped.undatedFrom(amount);
      if (grouped.from(amount) === undated) continue;
      first = Math.min(first, days[grouped.rows[grouped.from(amount)]!]!);
      last = Math.max(last, days[grouped.rows[undated - 1]!]!);
    }
    this.setWindow(first, last);
    this.budget.nodes += pick.length;
  }

  private setWindow(first: number, last: number): void {
    this.firstDay = first === Infinity ? noDay : first;
    this.spread = first === Infinity ? 0 : last - first;
  }

  private narrowToFirstDay(): void {
    this.collectDated();
    const first = this.datedCount === 0 ? Infinity : this.days[this.dated[0]!]!;
    this.setWindow(first, first);
  }

  private slide(): void {
    this.collectDated();
    const { days, dated, needed, held, slotOf, grouped, datedCount } = this;
    const { classOf } = grouped;
    let missing = 0;
    for (let slot = 0; slot < this.pick.length; slot++) {
      held[slot] = 0;
      if (needed[slot]! > 0) missing++;
    }
    let first = 0;
    let spread = Infinity;
    for (let right = 0, left = 0; right < datedCount; right++) {
      const added = slotOf[classOf[dated[right]!]!]!;
      held[added]!++;
      if (held[added]! === needed[added]!) missing--;
      for (; missing === 0; left++) {
        const day = days[dated[left]!]!;
        const length = days[dated[right]!]! - day;
        if (length < spread) {
          first = day;
          spread = length;
        }
        const removed = slotOf[classOf[dated[left]!]!]!;
        if (held[removed]! === needed[removed]!) missing++;
        held[removed]!--;
      }
    }
    this.firstDay = first;
    this.spread = spread;
  }

  /** Collects the dated rows of all amounts, in order. */
  private collectDated(): void {
    const { grouped, pick, slotOf } = this;
    const { rows } = grouped;
    let count = 0;
    for (let slot = 0; slot < pick.length; slot++) {
      const amount = pick.classes[slot]!;
      slotOf[amount] = slot;
      const past = grouped.undatedFrom(amount);
      for (let at = grouped.from(amount); at < past; at++, count++) this.dated[count] = rows[at]!;
    }
    if (pick.length > 1) sortRows(this.dated, count);
    this.datedCount = count;
    this.budget.nodes += nodesPerDatedRow * count;
  }

  private reserve(length: number): void {
    if (this.dated.length >= length) return;
    this.dated = new Int32Array(length);
    this.slotOf = new Int32Array(length);
  }

  private insert(row: number): void {
    let at = this.size;
    for (; at > 0 && this.rows[at - 1]! > row; at--) this.rows[at] = this.rows[at - 1]!;
    this.rows[at] = row;
    this.size++;
  }
}

function sortRows(rows: Int32Array, count: number): void {
  if (count > maxInsertionSort) {
    rows.subarray(0, count).sort();
    return;
  }
  for (let sorted = 1; sorted < count; sorted++) {
    const row = rows[sorted]!;
    let at = sorted;
    for (; at > 0 && rows[at - 1]! > row; at--) rows[at] = rows[at - 1]!;
    rows[at] = row;
  }
}
