import { noDay } from '../values/calendar';
import { AmountOrders } from './amount-orders';
import { maxComposedUnits, maxSetMembers } from './limits';
import { lowerBound } from '../values/binary-search';
import type { CompositionSide } from './types';

/** Sorts rows without a day after all others. */
export const undatedLast = 2_147_483_647;

/**
 * Indexes the rows of one side that can be members of targets of one sign, sorted by (match key, group, day, class,
 * row). A place is an index into this order. Amounts are signed so that the targets are > 0. Rows of one class are
 * interchangeable: they agree in match key, group, day, amount, plan and related values.
 */
export class MemberIndex {
  readonly length: number;
  readonly row: Int32Array;
  readonly units: Float64Array;
  /** Day at each place; undatedLast without one. */
  readonly day: Int32Array;
  /** First place of the next class, by place. */
  readonly classEnd: Int32Array;
  /** First place of each class, ascending. */
  readonly classes: Int32Array;
  /** First place of each class with more rows than a set has members, ascending. */
  readonly largeClasses: Int32Array;
  /** Rank of each place in the order (group, day, row). */
  readonly rank: Int32Array;
  readonly placeOfRank: Int32Array;
  readonly rowOfRank: Int32Array;
  /** Code and first place of each group, by ordinal in the order of the codes; one more entry ends the last. */
  readonly groupCode: readonly number[];
  /** Match key of each group, ascending; 0 for all without match keys. */
  private readonly groupKey: readonly number[];
  readonly groupStart: readonly number[];
  /** Ordinal of the group at each place. */
  readonly groupOf: Int32Array;
  /** Place of each row of the side; -1 where it is not indexed. */
  readonly placeOfRow: Int32Array;
  private amountOrder: Int32Array | undefined;
  private dayOrder: Int32Array | undefined;
  private orders: AmountOrders | undefined;

  /** `sign` is the sign of the targets. Without `grouped` all rows are one group. */
  constructor(
    readonly side: CompositionSide,
    sign: 1 | -1,
    options: { grouped: boolean; allowNegativeAmounts: boolean },
  ) {
    const rows = memberRows(side, sign, options);
    const group = (row: number): number => (options.grouped ? (side.group[row] as number) : -1);
    const key = (row: number): number => side.matchKey?.[row] ?? 0;
    const dayOf = (row: number): number => (side.day[row] === noDay ? undatedLast : (side.day[row] as number));
    const byDay = (one: number, other: number): number =>
      key(one) - key(other) || group(one) - group(other) || dayOf(one) - dayOf(other);
    const byClass = (one: number, other: number): number => byDay(one, other) || compareClasses(side, one, other);

    const ranked = rows.slice().sort((one, other) => byDay(one, other) || one - other);
    this.row = rows.sort((one, other) => byClass(one, other) || one - other);
    this.length = rows.length;
    this.units = Float64Array.from(rows, (row) => sign * (side.units[row] as number) + 0);
    this.day = Int32Array.from(rows, dayOf);
    this.placeOfRow = new Int32Array(side.length).fill(-1);
    rows.forEach((row, place) => {
      this.placeOfRow[row] = place;
    });
    this.placeOfRank = ranked.map((row) => this.placeOfRow[row] as number);
    this.rowOfRank = ranked;
    this.rank = new Int32Array(this.length);
    this.placeOfRank.forEach((place, rank) => {
      this.rank[place] = rank;
    });
    this.classEnd = runEnds(rows, (one, other) => byClass(one, other) === 0);
    this.classes = runStarts(this.classEnd);
    this.largeClasses = this.classes.filter((start) => (this.classEnd[start] as number) - start > maxSetMembers);
    const ends = runEnds(rows, (one, other) => key(one) === key(other) && group(one) === group(other));
    const starts = runStarts(ends);
    this.groupCode = Array.from(starts, (place) => group(rows[place] as number));
    this.groupKey = Array.from(starts, (place) => key(rows[place] as number));
    this.groupStart = [...starts, this.length];
    this.groupOf = new Int32Array(this.length);
    starts.forEach((start, ordinal) => this.groupOf.fill(ordinal, start, this.groupStart[ordinal + 1]));
  }

  get groups(): number {
    return this.groupCode.length;
  }

  /** Returns the ordinals [from, to) of the groups with a match key. */
  groupsOf(matchKey: number): { from: number; to: number } {
    const { groupKey, groups } = this;
    const from = lowerBound(0, groups, (group) => (groupKey[group] as number) < matchKey);
    return { from, to: lowerBound(from, groups, (group) => (groupKey[group] as number) <= matchKey) };
  }

  /** Classes by (amount, place). */
  get classesByAmount(): Int32Array {
    this.amountOrder ??= this.classes
      .slice()
      .sort((one, other) => (this.units[one] as number) - (this.units[other] as number) || one - other);
    return this.amountOrder;
  }

  /** Classes by (day, place). */
  get classesByDay(): Int32Array {
    this.dayOrder ??= this.classes
      .slice()
      .sort((one, other) => (this.day[one] as number) - (this.day[other] as number) || one - other);
    return this.dayOrder;
  }

  get amountOrders(): AmountOrders {
    this.orders ??= new AmountOrders(this);
    return this.orders;
  }

  /** Number of installments of the row at a place; 0 without a plan. */
  totalCount(place: number): number {
    return Math.max(0, this.side.totalCount[this.row[place] as number] as number);
  }

  position(place: number): number {
    return this.side.position[this.row[place] as number] as number;
  }

  /** Day at a place; noDay without one. */
  dayAt(place: number): number {
    const day = this.day[place] as number;
    return day === undatedLast ? noDay : day;
  }

  /** Absolute unit value of the row at a place; NaN without one. */
  unitValue(place: number): number {
    return Math.abs(this.side.unitValue[this.row[place] as number] as number);
  }

  /** Returns whether the days of a group reach into the range. */
  touches(group: number, { from, to }: { from: number; to: number }): boolean {
    const last = (this.groupStart[group + 1] as number) - 1;
    return (this.day[last] as number) >= from && (this.day[this.groupStart[group] as number] as number) <= to;
  }

  /** Returns the first place of a group whose day is at least `day`. */
  placeAt(group: number, day: number): number {
    const start = this.groupStart[group] as number;
    const end = this.groupStart[group + 1] as number;
    return lowerBound(start, end, (place) => (this.day[place] as number) < day);
  }
}

function memberRows(
  side: CompositionSide,
  sign: 1 | -1,
  options: { grouped: boolean; allowNegativeAmounts: boolean },
): Int32Array {
  const rows = new Int32Array(side.length);
  let count = 0;
  for (let row = 0; row < side.length; row++) {
    const units = sign * (side.units[row] as number);
    if (!(Math.abs(units) <= maxComposedUnits)) continue;
    if (units < 0 && !options.allowNegativeAmounts) continue;
    if (options.grouped && side.group[row] === -1) continue;
    if (side.matchKey?.[row] === -1) continue;
    // The rest of a target that confirmed members hold in part is completed as a target only.
    if (side.restsAreMembers !== true && (side.heldUnits?.[row] ?? 0) !== 0) continue;
    rows[count] = row;
    count++;
  }
  return rows.slice(0, count);
}

function compareClasses(side: CompositionSide, one: number, other: number): number {
  return comparePlans(side, one, other) || (side.related?.[one] ?? 0) - (side.related?.[other] ?? 0);
}

/** Compares two rows of one group and day by the values that a search reads. */
export function comparePlans(side: CompositionSide, one: number, other: number): number {
  return (
    (side.units[one] as number) - (side.units[other] as number) ||
    (side.totalCount[one] as number) - (side.totalCount[other] as number) ||
    (side.position[one] as number) - (side.position[other] as number) ||
    compareMissingFirst(side.unitValue[one] as number, side.unitValue[other] as number)
  );
}

function compareMissingFirst(one: number, other: number): number {
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : -1;
  return Number.isNaN(other) ? 1 : one - other;
}

/** Returns the end of the run of equal neighbours at each index. */
function runEnds(rows: Int32Array, equal: (one: number, other: number) => boolean): Int32Array {
  const ends = new Int32Array(rows.length);
  let end = rows.length;
  for (let index = rows.length - 1; index >= 0; index--) {
    ends[index] = end;
    if (index > 0 && !equal(rows[index - 1] as number, rows[index] as number)) end = index;
  }
  return ends;
}

function runStarts(ends: Int32Array): Int32Array {
  const starts: number[] = [];
  for (let index = 0; index < ends.length; index = ends[index] as number) starts.push(index);
  return Int32Array.from(starts);
}
