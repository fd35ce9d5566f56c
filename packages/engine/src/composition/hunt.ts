import { noDay } from '../pairs/types';
import { allowedDays, slotDays, slotRanges } from './day-ranges';
import type { DayRange } from './day-ranges';
import { maxSetMembers, nodeBudget } from './limits';
import { findSubset } from './search';
import { firstMonths, countInside } from './search/months';
import { SlotSearch, setKey } from './search/one-per-slot';
import type { SlotRun } from './search/one-per-slot';
import type { Admission, Months } from './search/types';
import { scoreOf } from './score';
import type { CompositionSettings } from './settings';
import type { MemberSource } from './member-source';
import type { Target } from './target';

/** Candidates as a search sees them, in the order in which earlier ones are preferred. */
export interface CandidateSet {
  readonly count: number;
  readonly amounts: Float64Array;
  /** noDay: none. */
  readonly days: Int32Array;
  /** In the index of the members. */
  readonly places: Int32Array;
}

/** What is asked of a set: inclusive bounds of its sum and of its size. */
export interface SetLimits {
  minSum: number;
  maxSum: number;
  minMembers: number;
  maxMembers: number;
  /** 0: off. */
  uniformity: number;
}

/** A set of candidates that a search has found. */
export interface FoundSet {
  /** Places of the members, in their order. */
  places: number[];
  sum: number;
  spread: number;
  otherSets: number;
  /** This one and the others as amounts and days, or the first of them where they are more than maxOtherSets; null: not known one by one. */
  keys: ReadonlySet<string> | null;
  /** Members inside the date rule. */
  inside: number;
  /** Members whose position in their plan is known. */
  placed: number;
}

/** One of the searches of a kind: those behind it are for targets that find nothing here. */
export interface Pass {
  readonly days: readonly DayRange[];
  /** Under `monthly`, only sets whose members all lie in their months count. */
  readonly allInside: boolean;
}

/** The searches of one target: what they share, and what they have cost. */
export class Hunt {
  nodes = 0;
  /** Of the latest search. */
  candidates = 0;
  /** False once a search was ended early or did not see all candidates. */
  complete = true;
  /** Where members may lie; null: nowhere. */
  readonly days: DayRange | null;

  constructor(
    readonly settings: CompositionSettings,
    readonly members: MemberSource,
    readonly target: Target,
  ) {
    this.days = allowedDays(settings, target.day);
  }

  get isMonthly(): boolean {
    return this.settings.dateStrategy === 'monthly';
  }

  /** Under `monthly`: first what lies in its months as a whole, then any day; nothing for a target that has no months. */
  passes(months: number): Pass[] {
    if (this.days === null) return [];
    const anywhere = { days: [this.days], allInside: false };
    if (!this.isMonthly) return [anywhere];
    return this.target.day === noDay ? [] : [{ days: this.slotRanges(months), allInside: true }, anywhere];
  }

  spend(nodes: number): void {
    this.nodes += nodes;
  }

  /** Whether the budget is used up, which leaves the search that asks unfinished. */
  isSpent(): boolean {
    if (this.nodes < nodeBudget) return false;
    this.complete = false;
    return true;
  }

  /** The days that lie in one of the slots of so many months. */
  slotRanges(months: number): DayRange[] {
    const { slots, toleranceDays } = this.months(months);
    return slotRanges(slots, toleranceDays);
  }

  /** Members of so many that lie in their months; all of them without `monthly`. */
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

  /** The best set among the candidates; `positions` are by candidate, 0 where there is none. */
  search(set: CandidateSet, limits: SetLimits, pass: Pass, positions: readonly number[] = []): FoundSet | null {
    if (set.count < limits.minMembers || this.isSpent()) return null;
    const found = this.searchFor(set, limits, pass, positions);
    return found === null || !this.admits(found) ? null : found;
  }

  /** Whether a set reaches Tpossible, which one without any member inside never does. */
  admits({ sum, places, inside }: Pick<FoundSet, 'sum' | 'places' | 'inside'>): boolean {
    return this.admission(sum, places.length, inside);
  }

  private readonly admission: Admission = (sum, size, inside) =>
    inside > 0 && scoreOf(this.settings, this.target, { sum, size, inside }) >= this.settings.thresholds.possible;

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

  /** One member for each month from the first or the second slot on. */
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

  /** At most one member of each position and any without one. The larger sets first: what is left out makes installments miss more. */
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

  /** Half of what is left of the budget is for whatever comes next. */
  private slotSearch({ amounts, days }: CandidateSet, { minSum, maxSum, uniformity }: SetLimits): SlotSearch {
    return new SlotSearch({
      target: Math.min(this.target.units, maxSum),
      minSum,
      maxSum,
      uniformity,
      amounts,
      days,
      maxNodes: (nodeBudget - this.nodes) / 2,
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
      // What is nearest to the largest sum allowed is nearest to a target above it.
      target: Math.min(this.target.units, maxSum),
      minSum,
      maxSum,
      minMembers,
      maxMembers,
      uniformity,
      days: set.days,
      amounts: set.amounts,
      length: set.count,
      maxNodes: nodeBudget - this.nodes,
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

  /** Members by position where all have one, else in the order of the candidates. */
  private found(
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
    return { places, sum, spread, otherSets, keys, placed, inside: this.countInside(places, ordered.map(positionOf)) };
  }

  /** The slots of so many members, the first of which may lie a month later. */
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
