import { noDay } from '../values/calendar';
import type { AmountOrder } from './amount-orders';
import type { DayRange } from './day-ranges';
import { maxCandidates, maxInstallments, maxSetMembers, maxPlainWalk } from './limits';
import { undatedLast } from './member-index';
import type { MemberIndex } from './member-index';
import { notRelated } from './relation';
import { lowerBound } from '../values/binary-search';
import type { CompositeTarget } from './target';

/**
 * Collects the free rows that one search may choose from, in the order (group, day, row). It keeps no more rows of
 * a class than a set has members, and of all rows the maxCandidates nearest to the target in days, then by that
 * order.
 */
export class Candidates {
  count = 0;
  /** True if rows were left out that a search could have needed. */
  truncated = false;
  readonly amounts = new Float64Array(maxCandidates);
  /** Day of each candidate; noDay without one. */
  readonly days = new Int32Array(maxCandidates);
  readonly places = new Int32Array(maxCandidates);
  /** Candidates by amount, descending, then ascending; undefined where that order is not known. */
  byAmount: Int32Array | undefined;
  private readonly sorted = new Int32Array(maxCandidates);
  /** Candidate at each offset of a range of ranks; -1 where its row is none. */
  private readonly candidateAt = new Int32Array(maxPlainWalk);
  private ranks = new Int32Array(2 * maxCandidates);
  /** First place of each class that may still be free, by the first place of the class. */
  private readonly firstFree: Int32Array;

  /** `taken` marks rows of the side; a mark is never removed. */
  constructor(
    private readonly index: MemberIndex,
    private readonly taken: Uint8Array,
    private readonly allowNegativeAmounts: boolean,
  ) {
    this.firstFree = Int32Array.from(index.row.keys());
  }

  /** Collects rows of a group (by ordinal) on the given days, which are ascending and without overlap. */
  gather(target: CompositeTarget, group: number, days: readonly DayRange[]): void {
    this.clear();
    const { index } = this;
    const ranges = days.map(({ from, to }) => ({
      start: index.placeAt(group, from),
      end: to === undatedLast ? (index.groupStart[group + 1] as number) : index.placeAt(group, to + 1),
    }));
    const rows = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (rows <= maxPlainWalk && target.evidenceOf === null && !ranges.some((range) => this.hasLargeClass(range))) {
      this.reserve(rows + 1);
      const [range, ...others] = ranges;
      const isSimple = range !== undefined && others.length === 0 && !this.allowNegativeAmounts;
      const order = isSimple ? index.amountOrders.of(range.start, range.end) : undefined;
      if (range !== undefined && order !== undefined) this.addOrdered(target, range, order);
      else for (const each of ranges) this.addRanks(target, each);
      this.describe(target);
      return;
    }
    if (rows <= maxPlainWalk) {
      for (const { start, end } of ranges) this.addRange(target, start, end);
    } else if (!this.addSmallAmounts(target, days)) {
      this.addNearest(target, ranges);
    }
    this.finish(target);
  }

  /**
   * Collects rows of all groups on the given days whose amount is in one of the ranges (inclusive, without overlap)
   * and whose class `accepts` admits, given its first place.
   */
  gatherAmounts(
    target: CompositeTarget,
    amounts: readonly { from: number; to: number }[],
    days: readonly DayRange[],
    accepts: (place: number) => boolean,
  ): void {
    this.clear();
    const { classesByAmount, classesByDay, units, day, groups } = this.index;
    const own = this.index.groupsOf(target.matchKey);
    if (own.to - own.from < groups) return this.gatherOfKey(target, own, { amounts, days, accepts });
    const byAmount = amounts.map(({ from, to }) => classesBetween(classesByAmount, units, from, to));
    const byDay = days.map(({ from, to }) => classesBetween(classesByDay, day, from, to));
    const alongAmounts = sizeOf(byAmount) <= sizeOf(byDay);
    const [order, spans] = alongAmounts ? [classesByAmount, byAmount] : [classesByDay, byDay];
    const [filter, values] = alongAmounts ? [days, day] : [amounts, units];
    for (const { start, end } of spans) {
      for (let at = start; at < end; at++) {
        const place = order[at] as number;
        if (isWithin(filter, values[place] as number) && accepts(place)) this.addClass(target, place, maxInstallments);
      }
    }
    this.finish(target);
  }

  /** Collects the same rows of the groups with the match key of the target. */
  private gatherOfKey(
    target: CompositeTarget,
    groups: { from: number; to: number },
    {
      amounts,
      days,
      accepts,
    }: { amounts: readonly DayRange[]; days: readonly DayRange[]; accepts: (place: number) => boolean },
  ): void {
    const { groupStart, classEnd, units, day } = this.index;
    const end = groupStart[groups.to] as number;
    for (let place = groupStart[groups.from] as number; place < end; place = classEnd[place] as number) {
      const isIn = isWithin(amounts, units[place] as number) && isWithin(days, day[place] as number);
      if (isIn && accepts(place)) this.addClass(target, place, maxInstallments);
    }
    this.finish(target);
  }

  private clear(): void {
    this.count = 0;
    this.truncated = false;
    this.byAmount = undefined;
  }

  private hasLargeClass({ start, end }: Span): boolean {
    const { largeClasses } = this.index;
    const next = lowerBound(0, largeClasses.length, (at) => (largeClasses[at] as number) < start);
    return next < largeClasses.length && (largeClasses[next] as number) < end;
  }

  /** Adds the free rows of a range, in the order of their ranks. Days end at the same places and ranks. */
  private addRanks({ maxSum }: CompositeTarget, { start, end }: Span): void {
    const {
      index: { units, rowOfRank, placeOfRank },
      taken,
      ranks,
      allowNegativeAmounts,
    } = this;
    let { count } = this;
    for (let rank = start; rank < end; rank++) {
      const amount = units[placeOfRank[rank] as number] as number;
      if (amount === 0 || (!allowNegativeAmounts && amount > maxSum) || taken[rowOfRank[rank] as number] === 1)
        continue;
      ranks[count] = rank;
      count++;
    }
    this.count = count;
  }

  /**
   * Adds the free rows of a range whose order by amount is known, and sorts them by amount. Whether a row is free is
   * computed without a branch, because no processor predicts it.
   */
  private addOrdered({ maxSum }: CompositeTarget, { start, end }: Span, order: AmountOrder): void {
    const {
      index: { rowOfRank, amountOrders },
      taken,
      ranks,
      candidateAt,
    } = this;
    const { offsets, placeOf } = order;
    const first = amountOrders.firstAtMost(order, start, maxSum);
    const past = amountOrders.firstAtMost(order, start, 0);
    let count = 0;
    for (let offset = 0; offset < end - start; offset++) {
      const place = placeOf[offset] as number;
      const isIn = ((first - 1 - place) & (place - past)) >>> 31;
      const isAdded = isIn & (1 - (taken[rowOfRank[start + offset] as number] as number));
      ranks[count] = start + offset;
      candidateAt[offset] = count | (isAdded - 1);
      count += isAdded;
    }
    this.count = count;
    if (count >= maxCandidates) return;
    const byAmount = this.sorted;
    let sorted = 0;
    for (let at = first; at < past; at++) {
      const candidate = candidateAt[offsets[at] as number] as number;
      byAmount[sorted] = candidate;
      sorted += 1 + (candidate >> 31);
    }
    this.byAmount = byAmount;
  }

  private addRange(target: CompositeTarget, start: number, end: number): void {
    const { classEnd } = this.index;
    for (let place = start; place < end; place = classEnd[place] as number) this.addClass(target, place);
  }

  /** Walks the classes by amount when few rows are not too large. Only a single group has an order by amount. */
  private addSmallAmounts(target: CompositeTarget, days: readonly DayRange[]): boolean {
    const { classesByAmount, units, day, groups } = this.index;
    if (groups > 1 || this.allowNegativeAmounts) return false;
    const { start, end } = classesBetween(classesByAmount, units, 1, target.maxSum);
    if (end - start > maxPlainWalk) return false;
    for (let at = start; at < end; at++) {
      const place = classesByAmount[at] as number;
      if (isWithin(days, day[place] as number)) this.addClass(target, place);
    }
    return true;
  }

  /** Walks from the day of the target outwards until there are enough candidates. */
  private addNearest(target: CompositeTarget, ranges: readonly { start: number; end: number }[]): void {
    const { classes, day } = this.index;
    const spans = ranges.map(({ start, end }) => ({
      start: lowerBound(0, classes.length, (at) => (classes[at] as number) < start),
      end: lowerBound(0, classes.length, (at) => (classes[at] as number) < end),
    }));
    const dayAt = (at: number): number => day[classes[at] as number] as number;
    // A target without a day begins at the first one, because noDay is before all others.
    const walks = spans.map(({ start, end }): DayWalk => {
      const middle = lowerBound(start, end, (at) => dayAt(at) < target.day);
      return { start, end, before: middle - 1, after: middle, isPastNext: false };
    });
    while (this.count <= maxCandidates) {
      let minDistance = Infinity;
      let nearest: DayWalk | undefined;
      for (const walk of walks) {
        const past = walk.before >= walk.start ? target.day - dayAt(walk.before) : Infinity;
        const future = walk.after < walk.end ? dayAt(walk.after) - target.day : Infinity;
        const distance = Math.min(past, future);
        if (distance >= minDistance) continue;
        minDistance = distance;
        nearest = walk;
        walk.isPastNext = past <= future;
      }
      if (nearest === undefined) return;
      this.addClass(target, classes[nearest.isPastNext ? nearest.before-- : nearest.after++] as number);
    }
  }

  /** Adds the free rows of a class; `start` is its first place. */
  private addClass(target: CompositeTarget, start: number, maxEqual = maxSetMembers): void {
    const {
      index: { units, row, rank, classEnd },
      taken,
      firstFree,
    } = this;
    if (target.evidenceOf !== null && target.evidenceOf(row[start] as number) === notRelated) return;
    const amount = units[start] as number;
    if (amount === 0 || (!this.allowNegativeAmounts && amount > target.maxSum)) return;
    const end = classEnd[start] as number;
    let place = firstFree[start] as number;
    while (place < end && taken[row[place] as number] === 1) place++;
    firstFree[start] = place;
    for (let left = maxEqual; place < end && left > 0; place++) {
      if (taken[row[place] as number] === 1) continue;
      this.addRank(rank[place] as number);
      left--;
    }
  }

  private addRank(rank: number): void {
    if (this.count === this.ranks.length) this.reserve(this.count + 1);
    this.ranks[this.count] = rank;
    this.count++;
  }

  private reserve(ranks: number): void {
    if (ranks <= this.ranks.length) return;
    const larger = new Int32Array(Math.max(ranks, 2 * this.ranks.length));
    larger.set(this.ranks);
    this.ranks = larger;
  }

  private finish(target: CompositeTarget): void {
    if (this.count <= maxCandidates) this.ranks.subarray(0, this.count).sort();
    this.describe(target);
  }

  /** Describes the candidates, whose ranks are ascending. */
  private describe(target: CompositeTarget): void {
    if (this.count > maxCandidates) this.keepNearest(target);
    const { index, amounts, days, places, ranks, count } = this;
    for (let candidate = 0; candidate < count; candidate++) {
      const place = index.placeOfRank[ranks[candidate] as number] as number;
      const day = index.day[place] as number;
      places[candidate] = place;
      amounts[candidate] = index.units[place] as number;
      days[candidate] = day === undatedLast ? noDay : day;
    }
  }

  private keepNearest(target: CompositeTarget): void {
    const {
      index: { day, placeOfRank, length },
      ranks,
    } = this;
    // Distance and rank form one number: days of a calendar differ by less than 2^23.
    const keys = Float64Array.from(ranks.subarray(0, this.count), (rank) => {
      const own = day[placeOfRank[rank] as number] as number;
      const distance = own === undatedLast || target.day === noDay ? 2 ** 23 : Math.abs(own - target.day);
      return distance * length + rank;
    }).sort();
    for (let kept = 0; kept < maxCandidates; kept++) ranks[kept] = (keys[kept] as number) % length;
    ranks.subarray(0, maxCandidates).sort();
    this.count = maxCandidates;
    this.truncated = true;
  }
}

/** A walk over a span from its middle outwards. */
interface DayWalk extends Span {
  before: number;
  after: number;
  isPastNext: boolean;
}

interface Span {
  start: number;
  end: number;
}

/** Returns the span of classes whose value is between the bounds, in an order by that value. */
function classesBetween(order: Int32Array, values: Float64Array | Int32Array, from: number, to: number): Span {
  const valueAt = (at: number): number => values[order[at] as number] as number;
  const start = lowerBound(0, order.length, (at) => valueAt(at) < from);
  return { start, end: lowerBound(start, order.length, (at) => valueAt(at) <= to) };
}

function sizeOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Returns whether one of the ranges, which are ascending and without overlap, holds the value. */
function isWithin(ranges: readonly DayRange[], value: number): boolean {
  const range = ranges[lowerBound(0, ranges.length, (at) => (ranges[at] as DayRange).to < value)];
  return range !== undefined && range.from <= value;
}
