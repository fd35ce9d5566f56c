import type { FoundSet } from './hunt';
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

/** Less is better, in this order. */
export interface FindRank {
  delta: number;
  size: number;
  /** Members whose position in their plan is not known. */
  unplaced: number;
  /** Members outside of the date rule. */
  outside: number;
  spread: number;
  /** The smallest row of the members. */
  firstRow: number;
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
    // Rows that fit two plans are one set.
    const isSame = sameMembers(find, this.found);
    const otherSets = isSame ? Math.max(this.found.otherSets, find.otherSets) : this.found.otherSets + 1 + find.otherSets;
    if (rank.firstRow < this.rank.firstRow) [this.found, this.rank] = [find, rank];
    this.found = { ...this.found, otherSets };
  }
}

function compareRanks(one: FindRank, other: FindRank): number {
  return one.delta - other.delta || one.size - other.size || one.unplaced - other.unplaced || one.outside - other.outside || one.spread - other.spread;
}

function sameMembers({ places: one }: Find, { places: other }: Find): boolean {
  return one.length === other.length && one.every((place) => other.includes(place));
}
