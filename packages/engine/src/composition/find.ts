import type { FoundSet } from './hunt';
import { compareRows } from './search/rows-by-day';
import type { CompositeKind } from './types';

/** A set of members that a target could take. */
export interface Find extends FoundSet {
  kind: CompositeKind;
  status: 'COMPLETE' | 'PARTIAL';
  /** Ordinal of the group. */
  group: number;
  /** Rows or installments that make it whole; null: as many as it has. */
  expected: number | null;
  installments?: { count: number; unitUnits: number; positions?: number[] };
}

/** Less is better, in this order; of what is as good the first stands for the others. */
export interface FindRank {
  delta: number;
  size: number;
  /** Members whose position in their plan is not known. */
  unplaced: number;
  /** Members outside of the date rule. */
  outside: number;
  spread: number;
  /** The smallest row of the members, by which sets of different groups are in order. */
  firstRow: number;
  /** The members by (day, row), ascending, by which sets of one group are in order. */
  order: number[];
}

/** Keeps the best of the sets it is shown, and counts those that are just as good. */
export class BestFind {
  found: Find | null = null;
  rank: FindRank | null = null;

  /** Whether nothing of this size can be as good. */
  excludes(size: number): boolean {
    return this.rank !== null && this.rank.delta === 0 && size > this.rank.size;
  }

  offer(find: Find, rank: FindRank): void {
    const order = this.rank === null ? -1 : compareRanks(rank, this.rank);
    if (order > 0) return;
    if (order < 0 || this.found === null || this.rank === null) {
      [this.found, this.rank] = [find, rank];
      return;
    }
    // Sets of different groups differ; of one group it may be the same ones that two plans give.
    const isOneGroup = find.group === this.found.group;
    const counted = isOneGroup
      ? countUnion(this.found, find)
      : { otherSets: this.found.otherSets + 1 + find.otherSets, keys: null };
    const isFirst = isOneGroup ? compareRows(rank.order, this.rank.order) < 0 : rank.firstRow < this.rank.firstRow;
    if (isFirst) [this.found, this.rank] = [find, rank];
    this.found = { ...this.found, ...counted };
  }
}

function compareRanks(one: FindRank, other: FindRank): number {
  return (
    one.delta - other.delta ||
    one.size - other.size ||
    one.unplaced - other.unplaced ||
    one.outside - other.outside ||
    one.spread - other.spread
  );
}

/** At least so many where the sets of one are not known one by one. */
function countUnion(one: FoundSet, other: FoundSet): Pick<FoundSet, 'otherSets' | 'keys'> {
  if (one.keys === null || other.keys === null)
    return { otherSets: Math.max(one.otherSets, other.otherSets), keys: null };
  const keys = new Set([...one.keys, ...other.keys]);
  return { otherSets: keys.size - 1, keys };
}
