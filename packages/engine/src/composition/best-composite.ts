import type { FoundSet } from './target-search';
import { compareRows } from './search/rows-by-day';
import type { CompositeKind } from './types';

/** A set of members that a target could take. */
export interface CompositeFind extends FoundSet {
  kind: CompositeKind;
  status: 'COMPLETE' | 'PARTIAL';
  /** Ordinal of the group in the index of the members. */
  group: number;
  /** Number of rows or installments that make it whole; null for the number of members. */
  expected: number | null;
  installments?: { count: number; unitUnits: number; positions?: number[] };
}

/** Ranks composites; less is better, in this order. */
export interface CompositeRank {
  /** True if evidence keeps its score below Tmatch: the nearest set is not the one with the best score then. */
  isWeak: boolean;
  delta: number;
  /** Mean evidence of the members; more is better. */
  evidence: number;
  /** True if another set may have more evidence. */
  mayRise: boolean;
  size: number;
  /** Members whose position in their plan is unknown. */
  unplaced: number;
  /** Members outside of the date rule. */
  outside: number;
  spread: number;
  /** Smallest row of the members, which orders sets of different groups. */
  firstRow: number;
  /** Members by (day, row), ascending, which orders sets of one group. */
  order: number[];
}

/** Keeps the best of the offered sets and counts equally good ones. */
export class BestComposite {
  found: CompositeFind | null = null;
  rank: CompositeRank | null = null;

  /** Returns whether no set of this size can be as good. */
  excludes(size: number): boolean {
    return this.rank !== null && !mayImprove(this.rank) && size > this.rank.size;
  }

  offer(find: CompositeFind, rank: CompositeRank): void {
    const order = this.rank === null ? -1 : compareRanks(rank, this.rank);
    if (order > 0) return;
    if (order < 0 || this.found === null || this.rank === null) {
      [this.found, this.rank] = [find, rank];
      return;
    }
    // Sets of different groups differ; within one group two plans may give the same set.
    const isOneGroup = find.group === this.found.group;
    const counted = isOneGroup
      ? countUnion(this.found, find)
      : { otherSets: this.found.otherSets + 1 + find.otherSets, keys: null };
    const isFirst = isOneGroup ? compareRows(rank.order, this.rank.order) < 0 : rank.firstRow < this.rank.firstRow;
    if (isFirst) [this.found, this.rank] = [find, rank];
    this.found = { ...this.found, ...counted };
  }
}

/** Returns whether a set of more members may be better. */
export const mayImprove = ({ delta, mayRise, isWeak }: CompositeRank): boolean => delta > 0 || mayRise || isWeak;

function compareRanks(one: CompositeRank, other: CompositeRank): number {
  return (
    Number(one.isWeak) - Number(other.isWeak) ||
    one.delta - other.delta ||
    other.evidence - one.evidence ||
    one.size - other.size ||
    one.unplaced - other.unplaced ||
    one.outside - other.outside ||
    one.spread - other.spread
  );
}

/** Counts the sets of both; a lower bound where the sets of one are not known one by one. */
function countUnion(one: FoundSet, other: FoundSet): Pick<FoundSet, 'otherSets' | 'keys'> {
  if (one.keys === null || other.keys === null)
    return { otherSets: Math.max(one.otherSets, other.otherSets), keys: null };
  const keys = new Set([...one.keys, ...other.keys]);
  return { otherSets: keys.size - 1, keys };
}
