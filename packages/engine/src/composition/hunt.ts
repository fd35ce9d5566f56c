import { NO_DAY } from '../pairs/types';
import { ANY_DAY, allowedDays, slotDays, slotRanges } from './day-ranges';
import type { DayRange } from './day-ranges';
import { MAX_CANDIDATES, NODE_BUDGET } from './limits';
import { monthArrangement } from './month-slots';
import { findSubset } from './search';
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

/** No composite has more slots: 60 members, the first of them in the first or the second. */
const MOST_SLOTS = 60;
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
    this.slots = settings.dateStrategy === 'monthly' ? slotDays(target.day, MOST_SLOTS) : [];
  }

  get isMonthly(): boolean {
    return this.settings.dateStrategy === 'monthly';
  }

  /** The days to search, one list after the other until one gives a result. */
  passes(months: number): DayRange[][] {
    if (this.days === null) return [];
    const nearSlots = slotRanges(this.slots.slice(0, months + 1), this.settings.toleranceDays);
    return nearSlots.length === 0 ? [[this.days]] : [nearSlots, [ANY_DAY]];
  }

  spend(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes >= NODE_BUDGET) this.complete = false;
  }

  get isSpent(): boolean {
    return this.nodes >= NODE_BUDGET;
  }

  /** The best set among the candidates; `positions` are by candidate, where all have one. */
  search(set: CandidateSet, limits: SetLimits, positions?: readonly number[]): FoundSet | null {
    if (set.count < limits.leastMembers) return null;
    if (this.isSpent) {
      this.complete = false;
      return null;
    }
    const result = findSubset({
      target: this.target.units,
      least: limits.least,
      most: limits.most,
      amounts: set.amounts,
      days: this.isMonthly ? NO_DAYS : set.days,
      length: set.count,
      leastMembers: limits.leastMembers,
      mostMembers: limits.mostMembers,
      uniformity: limits.uniformity,
      maxNodes: NODE_BUDGET - this.nodes,
    });
    this.nodes += result.nodes;
    if (!result.complete) this.complete = false;
    if (result.members === null) return null;
    const { sum, spread, otherSets } = result;
    if (this.isMonthly) {
      const { members, others, ...dates } = monthArrangement(set, result.members, this.slots, this.settings.toleranceDays, positions);
      return { ...dates, places: placesOf(set, members), sum, otherSets: otherSets + others };
    }
    const members = positions === undefined ? result.members
      : result.members.sort((one, other) => (positions[one] as number) - (positions[other] as number) || one - other);
    return { places: placesOf(set, members), sum, spread, otherSets, inside: members.length };
  }
}

function placesOf(set: CandidateSet, members: readonly number[]): number[] {
  return members.map((candidate) => set.places[candidate] as number);
}
