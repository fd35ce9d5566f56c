import { NO_DAY } from '../pairs/types';
import { ANY_DAY, allowedDays, slotDays, slotRanges } from './day-ranges';
import type { DayRange } from './day-ranges';
import { MAX_CANDIDATES, MAX_MEMBERS, NODE_BUDGET } from './limits';
import { monthArrangement } from './month-slots';
import { findSubset } from './search';
import { SlotSearch } from './search/one-per-slot';
import type { SubsetResult } from './search';
import type { CompositionSettings } from './settings';
import type { MemberSource } from './member-source';
import type { Target } from './target';

/** Candidates as a search sees them, in the order in which earlier ones are preferred. */
export interface CandidateSet {
  readonly count: number;
  readonly amounts: Float64Array;
  /** NO_DAY: none. */
  readonly days: Int32Array;
  /** In the index of the members. */
  readonly places: Int32Array;
}

/** What is asked of a set: inclusive bounds of its sum and of its size. */
export interface SetLimits {
  least: number;
  most: number;
  leastMembers: number;
  mostMembers: number;
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
  /** Members inside the date rule. */
  inside: number;
}

const NO_DAYS = new Int32Array(MAX_CANDIDATES).fill(NO_DAY);

/** The searches of one target: what they share, and what they have cost. */
export class Hunt {
  nodes = 0;
  /** Of the latest search. */
  candidates = 0;
  /** False once a search was ended early or did not see all candidates. */
  complete = true;
  /** Where members may lie; null: nowhere. */
  readonly days: DayRange | null;
  /** Under `monthly`, by months from the target's day on. */
  readonly slots: readonly number[];

  constructor(readonly settings: CompositionSettings, readonly members: MemberSource, readonly target: Target) {
    this.days = allowedDays(settings, target.day);
    this.slots = settings.dateStrategy === 'monthly' ? slotDays(target.day, MAX_MEMBERS) : [];
  }

  get isMonthly(): boolean {
    return this.settings.dateStrategy === 'monthly';
  }

  /** The days to search, one list after the other until one gives a result. */
  passes(months: number): DayRange[][] {
    if (this.days === null) return [];
    const nearSlots = this.slotRanges(months);
    return nearSlots.length === 0 ? [[this.days]] : [nearSlots, [ANY_DAY]];
  }

  spend(nodes: number): void {
    this.nodes += nodes;
  }

  /** Whether the budget is used up, which leaves the search that asks unfinished. */
  isSpent(): boolean {
    if (this.nodes < NODE_BUDGET) return false;
    this.complete = false;
    return true;
  }

  /** The days that lie in one of the slots of so many months. */
  slotRanges(months: number): DayRange[] {
    return slotRanges(this.slots.slice(0, months + 1), this.settings.toleranceDays);
  }

  /** The best set among the candidates; `positions` are by candidate, where all have one. */
  search(set: CandidateSet, limits: SetLimits, positions?: readonly number[]): FoundSet | null {
    if (set.count < limits.leastMembers || this.isSpent()) return null;
    if (this.isMonthly) return this.searchSlots(set, limits, positions) ?? this.searchMonths(set, limits, positions);
    if (positions !== undefined && isWhole(limits)) return this.searchPositions(set, limits, positions);
    const found = this.subset(set, limits, set.days);
    if (found === null) return null;
    const members = found.members ?? [];
    if (positions !== undefined) members.sort((one, other) => (positions[one] as number) - (positions[other] as number) || one - other);
    return { places: placesOf(set, members), sum: found.sum, spread: found.spread, otherSets: found.otherSets, inside: members.length };
  }

  /** One member for each month from the first or the second slot on: all of them are inside. */
  private searchSlots(set: CandidateSet, limits: SetLimits, positions: readonly number[] | undefined): FoundSet | null {
    if (limits.uniformity > 0) return null;
    const candidates = [...Array(set.count).keys()];
    const { slots, settings: { toleranceDays } } = this;
    const inSlot = slots.slice(0, limits.mostMembers + 1).map((slot) => candidates.filter((one) => Math.abs((set.days[one] as number) - slot) <= toleranceDays));
    const inPlace = (candidate: number, at: number): boolean => positions === undefined || positions[candidate] === at + 1;
    const search = this.slotSearch(set, limits);
    for (let size = limits.leastMembers; size <= limits.mostMembers; size += 1) {
      if (search.best !== null && !search.demandCloser()) break;
      for (const first of [0, 1]) {
        const month = inSlot.slice(first, first + size);
        if (month.length === size) search.run(month.map((ones, at) => ones.filter((one) => inPlace(one, at))));
      }
    }
    // Slots that overlap may hold their members in another order.
    if (positions === undefined) search.best?.members.sort((one, other) => one - other);
    return this.ofSlots(set, search);
  }

  /** One member for each position of a plan. */
  private searchPositions(set: CandidateSet, limits: SetLimits, positions: readonly number[]): FoundSet | null {
    const slots = Array.from({ length: limits.mostMembers }, (): number[] => []);
    positions.forEach((position, candidate) => slots[position - 1]?.push(candidate));
    const search = this.slotSearch(set, limits);
    search.run(slots);
    return this.ofSlots(set, search);
  }

  /** Half of what is left of the budget is for whatever comes next. */
  private slotSearch({ amounts, days }: CandidateSet, { least, most }: SetLimits): SlotSearch {
    return new SlotSearch({ target: Math.min(this.target.units, most), least, most, amounts, days, maxNodes: (NODE_BUDGET - this.nodes) / 2 });
  }

  private ofSlots(set: CandidateSet, { best, nodes, complete }: SlotSearch): FoundSet | null {
    this.nodes += nodes;
    if (!complete) this.complete = false;
    return best === null ? null : { ...best, places: placesOf(set, best.members), inside: best.members.length };
  }

  /** Amounts first: of those that are as good the ones with the smallest spread; then rows of these amounts for the slots. */
  private searchMonths(set: CandidateSet, limits: SetLimits, positions: readonly number[] | undefined): FoundSet | null {
    const only = this.subset(set, limits, NO_DAYS);
    const found = only === null || only.otherSets === 0 || this.isSpent() ? only : this.subset(set, limits, set.days) ?? only;
    if (found === null) return null;
    const { toleranceDays } = this.settings;
    const { members, others, inside, spread } = monthArrangement(set, found.members ?? [], this.slots, toleranceDays, positions);
    return { places: placesOf(set, members), sum: found.sum, spread, otherSets: found.otherSets + others, inside };
  }

  private subset(set: CandidateSet, limits: SetLimits, days: Int32Array): SubsetResult | null {
    const { least, most, leastMembers, mostMembers, uniformity } = limits;
    const result = findSubset({
      // What is nearest to the largest sum allowed is nearest to a target above it.
      target: Math.min(this.target.units, most),
      least, most, leastMembers, mostMembers, uniformity, days,
      amounts: set.amounts, length: set.count, maxNodes: NODE_BUDGET - this.nodes,
    });
    this.nodes += result.nodes;
    if (!result.complete) this.complete = false;
    return result.members === null ? null : result;
  }
}

/** Whether the number of members is fixed: installments of which none is missing. */
export function isWhole({ leastMembers, mostMembers }: SetLimits): boolean {
  return leastMembers === mostMembers;
}

function placesOf(set: CandidateSet, members: readonly number[]): number[] {
  return members.map((candidate) => set.places[candidate] as number);
}
