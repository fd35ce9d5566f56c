import { noDay } from '../values/calendar';
import { maxSetMembers } from './limits';
import { undatedLast } from './member-index';
import { maxOtherSets } from './search/types';
import type { CandidateSet, FoundSet, Pass, SetLimits, TargetSearch } from './target-search';

/** A set that is nearest to the target, and the search that found it. */
interface NearestSet {
  found: FoundSet;
  limits: SetLimits;
  pass: Pass;
  /** Positions of the candidates in their plan. */
  positions?: readonly number[];
}

/**
 * Returns the set with the most evidence among those as near to the target as the one found. Sets of members with the
 * most evidence of all are searched first, by the same search; only where there is none are sets of mixed evidence
 * tried one by one, where neither months nor positions matter.
 */
export function withMoreEvidence(
  search: TargetSearch,
  set: CandidateSet,
  { found, limits, pass, positions = [] }: NearestSet,
): FoundSet {
  const { target, members, settings } = search;
  if (target.evidenceOf === null || settings.relation?.usesEvidence !== true) return found;
  const evidence = Float64Array.from({ length: set.count }, (_, at) =>
    (target.evidenceOf as (row: number) => number)(members.index.row[set.places[at] as number] as number),
  );
  const highest = evidence.reduce((one, other) => Math.max(one, other), 0);
  if (evidence.every((one) => one === highest)) return found;
  const delta = Math.abs(found.sum - target.units);
  const near: SetLimits = {
    ...limits,
    minSum: Math.max(limits.minSum, target.units - delta),
    maxSum: Math.min(limits.maxSum, target.units + delta),
  };
  const kept = [...evidence.keys()].filter((at) => evidence[at] === highest);
  const whole = search.findSet(
    partOf(set, kept),
    near,
    pass,
    kept.map((at) => positions[at] ?? 0),
  );
  if (whole !== null && Math.abs(whole.sum - target.units) <= delta) return whole;
  const isPlan = positions.some((position) => position > 0) || limits.maxMembers > maxSetMembers;
  if (search.isMonthly || isPlan) return found;
  return new MixedSets(search, set, { evidence, limits: near, delta }).run() ?? found;
}

function partOf({ amounts, days, places }: CandidateSet, kept: readonly number[]): CandidateSet {
  return {
    count: kept.length,
    amounts: Float64Array.from(kept, (at) => amounts[at] as number),
    days: Int32Array.from(kept, (at) => days[at] as number),
    places: Int32Array.from(kept, (at) => places[at] as number),
  };
}

interface MixedOptions {
  evidence: Float64Array;
  limits: SetLimits;
  /** Distance of the sums from the target. */
  delta: number;
}

/** Rank of a set: more evidence, fewer members, fewer days; then the first candidates. */
interface MixedRank {
  evidence: number;
  size: number;
  spread: number;
}

/**
 * Searches sets of a given distance from the target depth first, the candidates with the most evidence first, and gives
 * up branches that can no longer reach the best mean or the sum. Equal candidates count as one choice.
 */
class MixedSets {
  private best: (MixedRank & { members: number[]; sum: number }) | null = null;
  private otherSets = 0;
  /** Candidates by evidence, descending, then in their order. */
  private readonly order: number[];
  /** Sums of the evidence of the first candidates of the order. */
  private readonly prefix: number[] = [0];
  /** Extreme amounts from each place of the order on. */
  private readonly maxFrom: number[];
  private readonly minFrom: number[];
  private readonly picked: number[] = [];
  private nodes = 0;

  constructor(
    private readonly search: TargetSearch,
    private readonly set: CandidateSet,
    private readonly options: MixedOptions,
  ) {
    const { evidence } = options;
    this.order = [...Array(set.count).keys()].sort(
      (one, other) => (evidence[other] as number) - (evidence[one] as number) || this.compareEqual(one, other),
    );
    for (const at of this.order) this.prefix.push((this.prefix.at(-1) as number) + (evidence[at] as number));
    this.maxFrom = this.extremes(Math.max, -Infinity);
    this.minFrom = this.extremes(Math.min, Infinity);
  }

  run(): FoundSet | null {
    const { limits } = this.options;
    for (let size = limits.minMembers; size <= Math.min(limits.maxMembers, this.set.count); size++) {
      if (this.best !== null && (this.prefix[size] as number) / size <= this.best.evidence) continue;
      this.pick(0, size, { sum: 0, evidence: 0 });
    }
    this.search.spend(this.nodes);
    if (this.best === null) return null;
    const { members, sum, spread } = this.best;
    const keys = this.otherSets === 0 ? new Set([members.join()]) : null;
    return this.search.found(this.set, members, { sum, spread, otherSets: this.otherSets, keys });
  }

  private pick(from: number, size: number, so: { sum: number; evidence: number }): void {
    const left = size - this.picked.length;
    if (left === 0) return this.offer(size, so);
    const { limits } = this.options;
    for (let at = from; at + left <= this.order.length; at++) {
      if (++this.nodes + this.search.nodes > this.search.settings.maxNodes) {
        this.search.complete = false;
        return;
      }
      const maxEvidence = so.evidence + (this.prefix[at + left] as number) - (this.prefix[at] as number);
      if (this.best !== null && maxEvidence / size < this.best.evidence) return;
      if (so.sum + left * (this.maxFrom[at] as number) < limits.minSum) return;
      if (so.sum + left * (this.minFrom[at] as number) > limits.maxSum) return;
      const candidate = this.order[at] as number;
      if (at > from && this.isLike(candidate, this.order[at - 1] as number)) continue;
      this.picked.push(candidate);
      this.pick(at + 1, size, {
        sum: so.sum + (this.set.amounts[candidate] as number),
        evidence: so.evidence + (this.options.evidence[candidate] as number),
      });
      this.picked.pop();
    }
  }

  private offer(size: number, { sum, evidence }: { sum: number; evidence: number }): void {
    const { limits, delta } = this.options;
    if (sum < limits.minSum || sum > limits.maxSum || Math.abs(sum - this.search.target.units) !== delta) return;
    if (!this.isUniform()) return;
    const rank = { evidence: evidence / size, size, spread: this.spread() };
    const order = this.best === null ? -1 : compareRanks(rank, this.best);
    if (order > 0) return;
    if (order === 0) {
      this.otherSets = Math.min(this.otherSets + 1, maxOtherSets);
      return;
    }
    this.best = { ...rank, members: [...this.picked].sort((one, other) => one - other), sum };
    this.otherSets = 0;
  }

  private isUniform(): boolean {
    const amounts = this.picked.map((at) => this.set.amounts[at] as number);
    return Math.min(...amounts) >= this.options.limits.uniformity * Math.max(...amounts);
  }

  private spread(): number {
    const days = this.picked.map((at) => this.set.days[at] as number).filter((day) => day !== noDay);
    return days.length === 0 ? 0 : Math.max(...days) - Math.min(...days);
  }

  private compareEqual(one: number, other: number): number {
    const { amounts, days } = this.set;
    const dayOf = (at: number): number => (days[at] === noDay ? undatedLast : (days[at] as number));
    return dayOf(one) - dayOf(other) || (amounts[one] as number) - (amounts[other] as number) || one - other;
  }

  private isLike(one: number, other: number): boolean {
    const { amounts, days } = this.set;
    const { evidence } = this.options;
    return amounts[one] === amounts[other] && days[one] === days[other] && evidence[one] === evidence[other];
  }

  private extremes(pick: (one: number, other: number) => number, none: number): number[] {
    const found = new Array<number>(this.order.length + 1).fill(none);
    for (let at = this.order.length - 1; at >= 0; at--)
      found[at] = pick(found[at + 1] as number, this.set.amounts[this.order[at] as number] as number);
    return found;
  }
}

function compareRanks(one: MixedRank, other: MixedRank): number {
  return other.evidence - one.evidence || one.size - other.size || one.spread - other.spread;
}
