import type { Composer } from '@tieout/engine';
import type { ComposedRecords } from '../../results/composites';
import type { Outset } from './outset';

/** What the batches of an entry compose from. */
export interface OpenPool {
  records: ComposedRecords;
  composer: Composer;
  outset: Outset;
}

/** Records of the pools that are kept; the one in use may have more. */
const keptRecords = 1_000_000;

/**
 * The pools that the batches of this process used last: reading one takes longer than most batches, and batches of
 * several jobs take turns.
 */
export class PoolCache {
  private readonly pools = new Map<string, OpenPool>();

  /** `key` names one snapshot of one entry. */
  async get(key: string, open: () => Promise<OpenPool>): Promise<OpenPool> {
    const pool = this.pools.get(key) ?? (await open());
    // A map keeps the order of insertion: the first one is the one that was used longest ago.
    this.pools.delete(key);
    this.pools.set(key, pool);
    this.shrink(key);
    return pool;
  }

  /** Lets go of what is too large to be kept, except the pool `inUse`. */
  shrink(inUse?: string): void {
    let records = [...this.pools.values()].reduce((sum, kept) => sum + recordsOf(kept), 0);
    for (const [oldest, kept] of this.pools) {
      if (records <= keptRecords || oldest === inUse) break;
      this.pools.delete(oldest);
      records -= recordsOf(kept);
    }
  }

  recordsOf(key: string): ComposedRecords | undefined {
    return this.pools.get(key)?.records;
  }

  drop(key: string): void {
    this.pools.delete(key);
  }
}

function recordsOf({ records: { pool } }: OpenPool): number {
  return pool.left.length + pool.right.length;
}
