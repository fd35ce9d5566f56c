import { anyDay } from './day-ranges';
import type { DayRange } from './day-ranges';
import { undatedLast } from './member-index';
import type { MemberIndex } from './member-index';
import { lowerBound } from '../values/binary-search';

/** All free rows of a group on the allowed days. */
export interface WholeGroup {
  /** Ordinal of the group in the index of the members. */
  group: number;
  sum: number;
  size: number;
  spread: number;
  /** The smallest row. */
  firstRow: number;
}

/** Asks for the groups whose sum is nearest to a target. */
export interface SumQuery {
  target: number;
  /** Inclusive bounds of the sum. */
  minSum: number;
  maxSum: number;
  days: DayRange;
  /** Number of groups to return at most. */
  limit: number;
}

/** Holds the groups that have 2 to maxGroupSize rows on some days, by (sum, size, spread, first row). */
interface SumTable {
  sums: Float64Array;
  sizes: Int32Array;
  spreads: Int32Array;
  firstRows: Int32Array;
  groups: Int32Array;
}

/** Bounds the entries of all tables, about 50 MB; the oldest table goes first. */
const maxEntries = 2_000_000;
/** Bound on changed groups, which are checked one by one; beyond it the tables are rebuilt. */
const maxChangedGroups = 1_024;
const maxEmptiedGroups = 8_192;

/**
 * Finds whole groups by their sums. A table holds the groups as they were when it was built; groups that lost rows
 * since then are skipped in it and checked one by one.
 */
export class GroupSums {
  private readonly tables = new Map<string, SumTable>();
  private entries = 0;
  /** Ordinals of groups that lost some rows, and of groups that lost all. */
  private readonly changed = new Set<number>();
  private readonly emptied = new Set<number>();

  constructor(
    private readonly index: MemberIndex,
    private readonly taken: Uint8Array,
    private readonly maxGroupSize: number,
  ) {}

  /** Notes that a row of the group has been taken. */
  markTaken(group: number): void {
    if (this.tables.size === 0) return;
    const isEmpty = this.isEmpty(group);
    (isEmpty ? this.emptied : this.changed).add(group);
    if (isEmpty) this.changed.delete(group);
    if (this.changed.size <= maxChangedGroups && this.emptied.size <= maxEmptiedGroups) return;
    for (const set of [this.tables, this.changed, this.emptied]) set.clear();
    this.entries = 0;
  }

  /**
   * Returns the groups with a sum in [minSum, maxSum] nearest to the target, of these the smallest with the
   * smallest spread: up to `limit`, by first row.
   */
  best({ target, minSum, maxSum, days, limit }: SumQuery): WholeGroup[] {
    const table = this.table(days);
    const middle = lowerBound(0, table.sums.length, (at) => (table.sums[at] as number) < target);
    const found = [
      ...this.upwards(table, middle, maxSum, limit),
      ...this.downwards(table, middle, minSum, limit),
      ...this.changedGroups(minSum, maxSum, days),
    ];
    found.sort((one, other) => compareWholes(target, one, other) || one.firstRow - other.firstRow);
    const end = found.findIndex((one) => compareWholes(target, found[0] as WholeGroup, one) !== 0);
    return found.slice(0, Math.min(limit, end === -1 ? found.length : end));
  }

  /** Returns all groups with a sum in [minSum, maxSum]. */
  within(minSum: number, maxSum: number, days: DayRange): WholeGroup[] {
    const table = this.table(days);
    const found = this.changedGroups(minSum, maxSum, days);
    const start = lowerBound(0, table.sums.length, (at) => (table.sums[at] as number) < minSum);
    for (let at = start; at < table.sums.length && (table.sums[at] as number) <= maxSum; at++) {
      if (this.isCurrent(table, at)) found.push(entryOf(table, at));
    }
    return found;
  }

  /** Returns the best groups of the smallest sum from `middle` on that has any. */
  private upwards(table: SumTable, middle: number, maxSum: number, limit: number): WholeGroup[] {
    for (let at = middle; at < table.sums.length && (table.sums[at] as number) <= maxSum; at++) {
      if (this.isCurrent(table, at)) return this.equals(table, at, limit);
    }
    return [];
  }

  /** Returns the best groups of the largest sum before `middle` that has any. */
  private downwards(table: SumTable, middle: number, minSum: number, limit: number): WholeGroup[] {
    let end = middle;
    while (end > 0 && (table.sums[end - 1] as number) >= minSum) {
      const sum = table.sums[end - 1] as number;
      const start = lowerBound(0, end, (at) => (table.sums[at] as number) < sum);
      for (let at = start; at < end; at++) if (this.isCurrent(table, at)) return this.equals(table, at, limit);
      end = start;
    }
    return [];
  }

  /** Returns an entry and the following ones that are as good. */
  private equals(table: SumTable, first: number, limit: number): WholeGroup[] {
    const found: WholeGroup[] = [];
    for (let at = first; at < table.sums.length && found.length < limit; at++) {
      const isEqual =
        table.sums[at] === table.sums[first] &&
        table.sizes[at] === table.sizes[first] &&
        table.spreads[at] === table.spreads[first];
      if (!isEqual) break;
      if (this.isCurrent(table, at)) found.push(entryOf(table, at));
    }
    return found;
  }

  private isCurrent(table: SumTable, at: number): boolean {
    const group = table.groups[at] as number;
    return !this.changed.has(group) && !this.emptied.has(group);
  }

  private changedGroups(minSum: number, maxSum: number, days: DayRange): WholeGroup[] {
    return [...this.changed]
      .map((group) => this.whole(group, days))
      .filter((whole) => whole !== null)
      .filter(({ sum }) => sum >= minSum && sum <= maxSum);
  }

  private isEmpty(group: number): boolean {
    const {
      index: { row, groupStart },
      taken,
    } = this;
    const end = groupStart[group + 1] as number;
    for (let place = groupStart[group] as number; place < end; place++) {
      if (taken[row[place] as number] !== 1) return false;
    }
    return true;
  }

  /** Sums the free rows of a group on the days; null with fewer than 2 or more than maxGroupSize. */
  private whole(group: number, days: DayRange): WholeGroup | null {
    const { index, taken, maxGroupSize } = this;
    const groupEnd = index.groupStart[group + 1] as number;
    const start = days.from === anyDay.from ? (index.groupStart[group] as number) : index.placeAt(group, days.from);
    const end = days.to === undatedLast ? groupEnd : index.placeAt(group, days.to + 1);
    let [sum, size, firstDay, lastDay, firstRow] = [0, 0, undatedLast, undatedLast, undatedLast];
    for (let place = start; place < end; place++) {
      const row = index.row[place] as number;
      if (taken[row] === 1) continue;
      if (size === maxGroupSize) return null;
      const day = index.day[place] as number;
      if (size === 0) firstDay = day;
      if (day !== undatedLast) lastDay = day;
      sum += index.units[place] as number;
      firstRow = Math.min(firstRow, row);
      size++;
    }
    return size < 2 ? null : { group, sum, size, spread: firstDay === undatedLast ? 0 : lastDay - firstDay, firstRow };
  }

  private table(days: DayRange): SumTable {
    const key = `${days.from}:${days.to}`;
    const known = this.tables.get(key);
    if (known !== undefined) return known;
    const made = this.makeTable(days);
    this.tables.set(key, made);
    this.entries += made.groups.length;
    for (const [oldKey, old] of this.tables) {
      if (this.entries <= maxEntries || old === made) break;
      this.tables.delete(oldKey);
      this.entries -= old.groups.length;
    }
    return made;
  }

  private makeTable(days: DayRange): SumTable {
    const wholes: WholeGroup[] = [];
    for (let group = 0; group < this.index.groups; group++) {
      if (!this.index.touches(group, days)) continue;
      const whole = this.whole(group, days);
      if (whole !== null) wholes.push(whole);
    }
    wholes.sort(
      (one, other) =>
        one.sum - other.sum || one.size - other.size || one.spread - other.spread || one.firstRow - other.firstRow,
    );
    return {
      sums: Float64Array.from(wholes, ({ sum }) => sum),
      sizes: Int32Array.from(wholes, ({ size }) => size),
      spreads: Int32Array.from(wholes, ({ spread }) => spread),
      firstRows: Int32Array.from(wholes, ({ firstRow }) => firstRow),
      groups: Int32Array.from(wholes, ({ group }) => group),
    };
  }
}

function compareWholes(target: number, one: WholeGroup, other: WholeGroup): number {
  return (
    Math.abs(one.sum - target) - Math.abs(other.sum - target) || one.size - other.size || one.spread - other.spread
  );
}

function entryOf(table: SumTable, at: number): WholeGroup {
  return {
    group: table.groups[at] as number,
    sum: table.sums[at] as number,
    size: table.sizes[at] as number,
    spread: table.spreads[at] as number,
    firstRow: table.firstRows[at] as number,
  };
}
