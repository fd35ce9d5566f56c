import { Candidates } from './candidates';
import type { DayRange } from './day-ranges';
import { Exchanges } from './exchanges';
import { GroupSums } from './group-sums';
import { maxCandidates, maxPlainWalk } from './limits';
import { undatedLast } from './member-index';
import type { MemberIndex } from './member-index';
import { notRelated } from './relation';
import type { CompositeTarget } from './target';
import { lowerBound } from '../values/binary-search';
import type { CompositionSettings } from './settings';

/** Finds the candidates for the targets of one direction and one sign. */
export class MemberSource {
  readonly candidates: Candidates;
  readonly sums: GroupSums;
  /** Buffers for the candidates that a plan is searched with. */
  readonly chosen = {
    amounts: new Float64Array(maxCandidates),
    days: new Int32Array(maxCandidates),
    places: new Int32Array(maxCandidates),
  };
  private reaches: Float64Array | undefined;
  private knownExchanges: Exchanges | undefined;

  constructor(
    readonly index: MemberIndex,
    private readonly settings: CompositionSettings,
    private readonly taken: Uint8Array,
  ) {
    this.candidates = new Candidates(index, taken, settings.allowNegativeAmounts);
    this.sums = new GroupSums(index, taken, settings.maxGroupSize);
  }

  get exchanges(): Exchanges {
    this.knownExchanges ??= new Exchanges(this.index, this.taken);
    return this.knownExchanges;
  }

  /** Notes that a row of the side has been taken. */
  markTaken(row: number): void {
    const place = this.index.placeOfRow[row] as number;
    if (place !== -1) this.sums.markTaken(this.index.groupOf[place] as number);
  }

  /** Returns the places of the free rows of a group, by ordinal, on the days, that are related, by (day, row). */
  freePlaces(
    group: number,
    { from, to }: DayRange,
    { evidenceOf }: Pick<CompositeTarget, 'evidenceOf'> = { evidenceOf: null },
  ): number[] {
    const { index, taken } = this;
    const isRelated = (row: number): boolean => evidenceOf === null || evidenceOf(row) !== notRelated;
    const end = to === undatedLast ? (index.groupStart[group + 1] as number) : index.placeAt(group, to + 1);
    const places: number[] = [];
    for (let place = index.placeAt(group, from); place < end; place++) {
      const row = index.row[place] as number;
      if (taken[row] !== 1 && isRelated(row)) places.push(place);
    }
    return places.sort((one, other) => (index.rank[one] as number) - (index.rank[other] as number));
  }

  /** Yields the ordinals of the groups that have rows on the days and can reach the sum. */
  *groupsWithin(days: readonly DayRange[], minSum: number, matchKey: number): Iterable<number> {
    const { from, to } = this.index.groupsOf(matchKey);
    const isPart = to - from < this.index.groups;
    for (const group of isPart ? this.groupsBetween(from, to, days) : this.groupsOn(days))
      if (this.reach(group) >= minSum) yield group;
  }

  private groupsOn(days: readonly DayRange[]): Iterable<number> {
    const { classesByDay, day, groupOf, groups } = this.index;
    const dayAt = (at: number): number => day[classesByDay[at] as number] as number;
    const spans = days.map(({ from, to }) => ({
      start: lowerBound(0, classesByDay.length, (at) => dayAt(at) < from),
      end: lowerBound(0, classesByDay.length, (at) => dayAt(at) <= to),
    }));
    const classes = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    if (classes > Math.min(groups, maxPlainWalk)) return this.groupsBetween(0, groups, days);
    const found = spans.flatMap(({ start, end }) =>
      Array.from(classesByDay.subarray(start, end), (place) => groupOf[place] as number),
    );
    return [...new Set(found)].sort((one, other) => one - other);
  }

  private *groupsBetween(start: number, end: number, days: readonly DayRange[]): Iterable<number> {
    for (let group = start; group < end; group++)
      if (days.some((range) => this.index.touches(group, range))) yield group;
  }

  /** Returns the largest sum that a set of the group can have, whatever is taken. */
  private reach(group: number): number {
    this.reaches ??= this.measureReaches();
    return this.reaches[group] as number;
  }

  private measureReaches(): Float64Array {
    const {
      index: { units, groupStart, groups },
      settings: { maxGroupSize },
    } = this;
    return Float64Array.from({ length: groups }, (_, group) => {
      const largest = units
        .slice(groupStart[group], groupStart[group + 1])
        .sort()
        .subarray(-maxGroupSize);
      return largest.reduce((sum, amount) => sum + Math.max(0, amount), 0);
    });
  }
}
