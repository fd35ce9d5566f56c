import { noDay } from '../values/calendar';
import { maxSetMembers } from './limits';
import { undatedLast } from './member-index';
import { maxOtherSets } from './search/types';
import type { CandidateSet, FoundSet, Pass, SetLimits, TargetSearch } from './target-search';

/** Asks for the best set among candidates. */
interface BestSetQuery {
  limits: SetLimits;
  pass: Pass;
  /** Positions of the candidates in their plan. */
  positions?: readonly number[];
}

/** Bound on the levels of evidence whose candidates are searched apart. */
const maxLevels = 16;

/**
 * Finds the nearest set, and among equally near sets the one with the most evidence. Where evidence counts in the
 * score, a nearer set does not hide a set that is the only one to reach Tmatch, or else Tpossible.
 */
export function findBestSet(search: TargetSearch, set: CandidateSet, query: BestSetQuery): FoundSet | null {
  const { target, settings, members } = search;
  const { limits, pass, positions } = query;
  const nearest = search.findSet(set, limits, pass, positions);
  const { evidenceOf } = target;
  if (nearest === null || evidenceOf === null || settings.relation?.usesEvidence !== true) return nearest;
  const evidence = Float64Array.from({ length: set.count }, (_, at) =>
    evidenceOf(members.index.row[set.places[at] as number] as number),
  );
  const sets = new SetsOfEvidence(search, set, { ...query, evidence });
  const found = sets.isEven ? nearest : sets.withMoreEvidence(nearest);
  if (settings.evidenceWeight === 0) return found;
  const { match, possible } = settings.thresholds;
  // A part is not a MATCH, whatever its score.
  for (const threshold of limits.maxSum < target.minSum ? [possible] : [match, possible]) {
    if (search.reaches(threshold, found)) return found;
    const other = sets.isEven ? null : sets.reaching(threshold);
    if (other !== null) return other;
  }
  return null;
}

/** Searches for sets when some candidates have more evidence than others. */
class SetsOfEvidence {
  /** Evidence of the candidates, descending, each value once. */
  private readonly levels: readonly number[];
  /** True where months or positions matter, so that sets of mixed evidence are not tried one by one. */
  private readonly isPlanned: boolean;

  constructor(
    private readonly search: TargetSearch,
    private readonly set: CandidateSet,
    private readonly query: BestSetQuery & { evidence: Float64Array },
  ) {
    this.levels = [...new Set(query.evidence)].sort((one, other) => other - one);
    const { positions = [], limits } = query;
    this.isPlanned =
      search.isMonthly || positions.some((position) => position > 0) || limits.maxMembers > maxSetMembers;
  }

  get isEven(): boolean {
    return this.levels.length < 2;
  }

  /**
   * Returns the set with the most evidence among those as near to the target as the one found. Sets of members with
   * the most evidence of all are searched first, by the same search; only where there is none are sets of mixed
   * evidence tried one by one.
   */
  withMoreEvidence(found: FoundSet): FoundSet {
    const { target } = this.search;
    const delta = Math.abs(found.sum - target.units);
    const near = within(this.query.limits, target.units - delta, target.units + delta);
    const whole = this.ofLevel(this.levels[0] as number, near);
    if (whole !== null && Math.abs(whole.sum - target.units) <= delta) return whole;
    if (this.isPlanned) return found;
    return this.mixed({ limits: near, minDelta: delta, counts: () => true }).run() ?? found;
  }

  /** Returns the nearest set that reaches a score with its evidence. */
  reaching(threshold: number): FoundSet | null {
    const {
      search,
      query: { limits },
    } = this;
    const { scale, evidenceWeight } = search.settings;
    const { units } = search.target;
    const share = (threshold - scoreRounding) / scale;
    // With evidence for all members so much of the target has to be reached, and with all of it so much evidence.
    const reached = evidenceWeight < 1 ? (share - evidenceWeight) / (1 - evidenceWeight) : 0;
    const delta = Math.ceil(units * Math.min(1, 1 - reached));
    const near = within(limits, units - delta, units + delta);
    const counts = (found: FoundSet): boolean => search.reaches(threshold, found);
    if (this.isPlanned) return this.nearestOfLevels(near, counts);
    return this.mixed({ limits: near, minDelta: 0, minEvidence: 1 - (1 - share) / evidenceWeight, counts }).run();
  }

  private nearestOfLevels(near: SetLimits, counts: (found: FoundSet) => boolean): FoundSet | null {
    const { units } = this.search.target;
    let best: FoundSet | null = null;
    for (const level of this.levels.slice(0, maxLevels)) {
      const found = this.ofLevel(level, near);
      if (found === null || !counts(found)) continue;
      if (best === null || Math.abs(found.sum - units) < Math.abs(best.sum - units)) best = found;
    }
    return best;
  }

  /** Searches the candidates with at least this evidence. */
  private ofLevel(level: number, limits: SetLimits): FoundSet | null {
    const { evidence, pass, positions = [] } = this.query;
    const kept = [...evidence.keys()].filter((at) => (evidence[at] as number) >= level);
    return this.search.findSet(
      partOf(this.set, kept),
      limits,
      pass,
      kept.map((at) => positions[at] ?? 0),
    );
  }

  private mixed(options: Omit<MixedOptions, 'evidence'>): MixedSets {
    return new MixedSets(this.search, this.set, { ...options, evidence: this.query.evidence });
  }
}

/** Scores are rounded to less than this. */
const scoreRounding = 1e-4;

const within = (limits: SetLimits, minSum: number, maxSum: number): SetLimits => ({
  ...limits,
  minSum: Math.max(limits.minSum, minSum),
  maxSum: Math.min(limits.maxSum, maxSum),
});

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
  /** No sum is nearer to the target. */
  minDelta: number;
  /** No set with a lower mean counts. */
  minEvidence?: number;
  /** Returns whether a set counts. */
  counts: (found: FoundSet) => boolean;
}

/** Rank of a set: nearer to the target, more evidence, fewer members, fewer days; then the first candidates. */
interface MixedRank {
  delta: number;
  evidence: number;
  size: number;
  spread: number;
}

/**
 * Searches sets near the target depth first, the candidates with the most evidence first, and gives up branches that
 * can no longer reach the best mean or the sum. Equal candidates count as one choice.
 */
class MixedSets {
  private best: (MixedRank & { members: number[]; sum: number }) | null = null;
  private otherSets = 0;
  /** Bounds of the sums that are as close to the target as the best one. */
  private limits: SetLimits;
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
    const { evidence, limits } = options;
    this.limits = limits;
    this.order = [...Array(set.count).keys()].sort(
      (one, other) => (evidence[other] as number) - (evidence[one] as number) || this.compareEqual(one, other),
    );
    for (const at of this.order) this.prefix.push((this.prefix.at(-1) as number) + (evidence[at] as number));
    this.maxFrom = this.extremes(Math.max, -Infinity);
    this.minFrom = this.extremes(Math.min, Infinity);
  }

  run(): FoundSet | null {
    const { minMembers, maxMembers } = this.options.limits;
    for (let size = minMembers; size <= Math.min(maxMembers, this.set.count); size++) {
      // The smaller of two sets with one mean goes first.
      if (this.best !== null && this.isNearest && (this.prefix[size] as number) / size <= this.best.evidence) continue;
      this.pick(0, size, { sum: 0, evidence: 0 });
    }
    this.search.spend(this.nodes);
    if (this.best === null) return null;
    return this.describe(this.best);
  }

  /** True if no set can be nearer than the best. */
  private get isNearest(): boolean {
    return this.best !== null && this.best.delta <= this.options.minDelta;
  }

  private pick(from: number, size: number, so: { sum: number; evidence: number }): void {
    const left = size - this.picked.length;
    if (left === 0) return this.offer(size, so);
    const { limits } = this;
    const { minEvidence = 0 } = this.options;
    for (let at = from; at + left <= this.order.length; at++) {
      if (++this.nodes + this.search.nodes > this.search.settings.maxNodes) {
        this.search.complete = false;
        return;
      }
      const maxEvidence = so.evidence + (this.prefix[at + left] as number) - (this.prefix[at] as number);
      if (maxEvidence / size < minEvidence) return;
      if (this.best !== null && this.isNearest && maxEvidence / size < this.best.evidence) return;
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
    if (sum < this.limits.minSum || sum > this.limits.maxSum || !this.isUniform()) return;
    const delta = Math.abs(sum - this.search.target.units);
    const rank = { delta, evidence: evidence / size, size, spread: this.spread() };
    const order = this.best === null ? -1 : compareRanks(rank, this.best);
    if (order > 0) return;
    const members = [...this.picked].sort((one, other) => one - other);
    if (!this.options.counts(this.describe({ members, sum, spread: rank.spread }))) return;
    if (order === 0) {
      this.otherSets = Math.min(this.otherSets + 1, maxOtherSets);
      return;
    }
    this.best = { ...rank, members, sum };
    this.otherSets = 0;
    const { units } = this.search.target;
    this.limits = within(this.limits, units - delta, units + delta);
  }

  private describe({ members, sum, spread }: { members: number[]; sum: number; spread: number }): FoundSet {
    const keys = this.otherSets === 0 ? new Set([members.join()]) : null;
    return this.search.found(this.set, members, { sum, spread, otherSets: this.otherSets, keys });
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
  return one.delta - other.delta || other.evidence - one.evidence || one.size - other.size || one.spread - other.spread;
}
