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
  /** Whether members are outside of the date rule. */
  outside: boolean;
  delta: number;
  size: number;
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
    return this.rank !== null && !this.rank.outside && this.rank.delta === 0 && size > this.rank.size;
  }

  offer(find: Find, rank: FindRank): void {
    if (this.found === null || this.rank === null) {
      [this.found, this.rank] = [find, rank];
      return;
    }
    const order = Number(rank.outside) - Number(this.rank.outside) || rank.delta - this.rank.delta || rank.size - this.rank.size || rank.spread - this.rank.spread;
    if (order > 0) return;
    if (order < 0) {
      [this.found, this.rank] = [find, rank];
      return;
    }
    const otherSets = this.found.otherSets + 1 + find.otherSets;
    if (rank.firstRow < this.rank.firstRow) [this.found, this.rank] = [find, rank];
    this.found = { ...this.found, otherSets };
  }
}
