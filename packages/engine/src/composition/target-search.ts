import { noDay } from '../values/calendar';
import { allowedDays, slotDays, slotRanges } from './day-ranges';
import type { DayRange } from './day-ranges';
import { maxSetMembers } from './limits';
import { findSubset } from './search/subset-search';
import { firstMonths, countInside } from './search/months';
import { SlotSearch } from './search/one-per-slot';
import { setKey } from './search/slot-problem';
import type { SlotRun } from './search/slot-problem';
import type { SetAdmission, Months } from './search/types';
import { scoreOf } from './target';
import type { CompositionSettings } from './settings';
import type { MemberSource } from './member-source';
import type { CompositeTarget } from './target';

/** Candidates of a search, sorted by preference. */
export interface CandidateSet {
  readonly count: number;
  readonly amounts: Float64Array;
  /** Day of each candidate; noDay without one. */
  readonly days: Int32Array;
  /** Place of each candidate in the index of the members. */
  readonly places: Int32Array;
  /** Candidates by amount, descending, then ascending; absent where that order is not known. */
  readonly byAmount?: Int32Array | undefined;
}

/** Inclusive bounds of the sum and the size of a set. */
export interface SetLimits {
  minSum: number;
  maxSum: number;
  minMembers: number;
  maxMembers: number;
  /** Smallest allowed share of the largest member; 0 allows any. */
  uniformity: number;
}

/** A set of candidates that a search has found. */
export interface FoundSet {
  /** Places of the members, in their order. */
  places: number[];
  sum: number;
  spread: number;
  otherSets: number;
  /**
   * Keys (amounts and days) of this set and of equally good ones, at most maxOtherSets; null where they were only
   * counted.
   */
  keys: ReadonlySet<string> | null;
  /** Members inside the date rule. */
  inside: number;
  /** Members whose position in their plan is known. */
  placed: number;
  /** Mean evidence of the members; 0 without evidence. */
  evidence: number;
}

type SetOfMembers = Pick<FoundSet, 'sum' | 'places' | 'inside' | 'evidence'>;

/** One pass of a search; a later pass is for targets that find nothing in the earlier ones. */
export interface Pass {
  readonly days: readonly DayRange[];
  /** Counts only sets whose members all lie in their months. */
  readonly allInside: boolean;
}

/** Runs the searches of one target, which share a budget. */
export class TargetSearch {
  nodes = 0;
  /** Number of candidates of the latest search. */
  candidates = 0;
  /** True if every search ran to its end and saw all candidates. */
  complete = true;
  /** Days on which members may lie; null when there are none. */
  readonly days: DayRange | null;
  /** Ordinals of the groups with the match key of the target. */
  readonly groups: { from: number; to: number };

  constructor(
    readonly settings: CompositionSettings,
    readonly members: MemberSource,
    readonly target: CompositeTarget,
  ) {
    this.days = allowedDays(settings, target.day);
    this.groups = members.index.groupsOf(target.matchKey);
  }

  /** Returns whether match keys leave only some of the groups. */
  get isOfKey(): boolean {
    return this.groups.to - this.groups.from < this.members.index.groups;
  }

  /** Returns the mean evidence of members. */
  evidenceOf(places: readonly number[]): number {
    const { evidenceOf } = this.target;
    if (evidenceOf === null || places.length === 0) return 0;
    return places.reduce((sum, place) => sum + evidenceOf(this.members.index.row[place] as number), 0) / places.length;
  }

  /** Returns whether all members have evidence. */
  isNamed(places: readonly number[]): boolean {
    const { evidenceOf } = this.target;
    return evidenceOf !== null && places.every((place) => evidenceOf(this.members.index.row[place] as number) > 0);
  }

  get isMonthly(): boolean {
    return this.settings.dateStrategy === 'monthly';
  }

  /**
   * Returns the passes of a search. Under `monthly` the first demands that all members lie in their months, the
   * second allows any day; a target without months has none.
   */
  passes(months: number): Pass[] {
    if (this.days === null) return [];
    const anywhere = { days: [this.days], allInside: false };
    if (!this.isMonthly) return [anywhere];
    return this.target.day === noDay ? [] : [{ days: this.slotRanges(months), allInside: true }, anywhere];
  }

  spend(nodes: number): void {
    this.nodes += nodes;
  }

  /** Returns whether the budget is used up, which leaves the search unfinished. */
  isSpent(): boolean {
    if (this.nodes < this.settings.maxNodes) return false;
    this.complete = false;
    return true;
  }

  /** Returns the days in the slots of this number of months. */
  slotRanges(months: number): DayRange[] {
    const { slots, toleranceDays } = this.months(months);
    return slotRanges(slots, toleranceDays);
  }

  /** Counts the members that lie in their months; all of them without `monthly`. */
  countInside(places: readonly number[], positions: readonly number[]): number {
    if (!this.isMonthly) return places.length;
    const days = places.map((place) => this.members.index.dayAt(place));
    const placed = days.flatMap((day, at) =>
      (positions[at] ?? 0) > 0 ? [{ place: (positions[at] as number) - 1, day }] : [],
    );
    return countInside(
      placed,
      days.filter((_, at) => (positions[at] ?? 0) === 0),
      this.months(Math.max(places.length, ...positions)),
    );
  }

  /**
   * Finds the nearest set among the candidates that may reach Tpossible, whatever its evidence; `positions` are by
   * candidate, 0 where there is none.
   */
  findSet(set: CandidateSet, limits: SetLimits, pass: Pass, positions: readonly number[] = []): FoundSet | null {
    if (set.count < limits.minMembers || this.isSpent()) return null;
    const found = this.searchFor(set, limits, pass, positions);
    return found === null || !this.admission(found.sum, found.places.length, found.inside) ? null : found;
  }

  /** Returns whether a set with the evidence of its members reaches a score; none without a member inside does. */
  reaches(threshold: number, { sum, places, inside, evidence }: SetOfMembers): boolean {
    const size = places.length;
    return inside > 0 && scoreOf(this.settings, this.target, { sum, size, inside, evidence }) >= threshold;
  }

  private readonly admission: SetAdmission = (sum, size, inside) =>
    inside > 0 &&
    scoreOf(this.settings, this.target, { sum, size, inside, evidence: 1 }) >= this.settings.thresholds.possible;

  private searchFor(
    set: CandidateSet,
    limits: SetLimits,
    { allInside }: Pass,
    positions: readonly number[],
  ): FoundSet | null {
    const isPlan = positions.some((position) => position > 0) || limits.maxMembers > maxSetMembers;
    if (isPlan) return this.searchPlan(set, limits, allInside, positions);
    return allInside ? this.searchMonths(set, limits) : this.searchSubset(set, limits);
  }

  /** Searches sets with one member for each month from the first or the second slot on. */
  private searchMonths(set: CandidateSet, limits: SetLimits): FoundSet | null {
    const { slots, toleranceDays } = this.months(limits.maxMembers);
    const inSlot = slots.map((slot) =>
      candidatesOf(set).filter((one) => Math.abs((set.days[one] as number) - slot) <= toleranceDays),
    );
    const search = this.slotSearch(set, limits);
    for (let size = limits.minMembers; size <= limits.maxMembers; size++) {
      if (search.best !== null && !search.demandCloser()) break;
      for (const first of firstMonths) {
        const months = inSlot.slice(first, first + size);
        if (months.every((candidates) => candidates.length > 0)) search.run({ size, slots: months });
      }
    }
    const found = this.foundBy(search, set);
    return found === null ? null : { ...found, placed: 0 };
  }

  /**
   * Searches sets with at most one member of each position and any without one. Larger sets go first, because
   * leaving out installments makes a sum miss more.
   */
  private searchPlan(
    set: CandidateSet,
    limits: SetLimits,
    allInside: boolean,
    positions: readonly number[],
  ): FoundSet | null {
    const slots: number[][] = Array.from({ length: Math.max(0, ...positions) }, () => []);
    const free: number[] = [];
    for (const candidate of candidatesOf(set)) (slots[(positions[candidate] ?? 0) - 1] ?? free).push(candidate);
    const months = this.isMonthly ? this.months(Math.max(slots.length, limits.maxMembers)) : undefined;
    const runs = (allInside ? firstMonths.map((first) => [first]) : [firstMonths]).map(
      (firsts): Omit<SlotRun, 'size'> => ({
        slots: allInside
          ? slots.map((candidates, place) =>
              candidates.filter((one) => isNear(set, one, months, place + (firsts[0] as number))),
            )
          : slots,
        free,
        months: months === undefined ? undefined : { ...months, firsts, allInside, admits: this.admission },
      }),
    );
    const search = this.slotSearch(set, limits);
    const maxSum = Math.min(
      limits.maxMembers,
      slots.filter((candidates) => candidates.length > 0).length + free.length,
    );
    const largest = Math.max(...set.amounts.subarray(0, set.count));
    for (let size = maxSum; size >= limits.minMembers && size * largest >= search.lowest; size--) {
      for (const run of runs) search.run({ ...run, size });
    }
    return this.foundBy(search, set, positions);
  }

  /** Creates a search with half of the remaining budget; the other half is for the following searches. */
  private slotSearch({ amounts, days }: CandidateSet, { minSum, maxSum, uniformity }: SetLimits): SlotSearch {
    return new SlotSearch({
      target: Math.min(this.target.units, maxSum),
      minSum,
      maxSum,
      uniformity,
      amounts,
      days,
      maxNodes: (this.settings.maxNodes - this.nodes) / 2,
    });
  }

  private foundBy(
    { best, nodes, complete }: SlotSearch,
    set: CandidateSet,
    positions: readonly number[] = [],
  ): FoundSet | null {
    this.nodes += nodes;
    if (!complete) this.complete = false;
    return best === null ? null : this.found(set, best.members, best, positions);
  }

  private searchSubset(
    set: CandidateSet,
    { minSum, maxSum, minMembers, maxMembers, uniformity }: SetLimits,
  ): FoundSet | null {
    const result = findSubset({
      // A set nearest to the largest allowed sum is nearest to a target above it.
      target: Math.min(this.target.units, maxSum),
      minSum,
      maxSum,
      minMembers,
      maxMembers,
      uniformity,
      days: set.days,
      amounts: set.amounts,
      length: set.count,
      byAmount: set.byAmount,
      maxNodes: this.settings.maxNodes - this.nodes,
      ...(this.isMonthly ? { months: this.months(maxMembers), admits: this.admission } : {}),
    });
    this.nodes += result.nodes;
    if (!result.complete) this.complete = false;
    if (result.members === null) return null;
    return this.found(set, result.members, {
      ...result,
      keys: result.otherSets === 0 ? new Set([setKey(set, result.members)]) : null,
    });
  }

  /** Describes a set: members by position where all have one, else in the order of the candidates. */
  found(
    set: CandidateSet,
    members: readonly number[],
    { sum, spread, otherSets, keys }: Pick<FoundSet, 'sum' | 'spread' | 'otherSets' | 'keys'>,
    positions: readonly number[] = [],
  ): FoundSet {
    const positionOf = (candidate: number): number => positions[candidate] ?? 0;
    const placed = members.filter((candidate) => positionOf(candidate) > 0).length;
    const ordered = [...members].sort(
      (one, other) => (placed === members.length ? positionOf(one) - positionOf(other) : 0) || one - other,
    );
    const places = ordered.map((candidate) => set.places[candidate] as number);
    const inside = this.countInside(places, ordered.map(positionOf));
    return { places, sum, spread, otherSets, keys, placed, inside, evidence: this.evidenceOf(places) };
  }

  /** Returns the slots for this number of members, the first of which may lie a month later. */
  private months(members: number): Months {
    return { slots: slotDays(this.target.day, members), toleranceDays: this.settings.toleranceDays };
  }
}

function candidatesOf({ count }: CandidateSet): number[] {
  return [...Array(count).keys()];
}

function isNear({ days }: CandidateSet, candidate: number, months: Months | undefined, month: number): boolean {
  const slot = months?.slots[month];
  return slot === undefined || Math.abs((days[candidate] as number) - slot) <= (months?.toleranceDays ?? 0);
}
