/** Caches complete lists of providers, so that the pages of a list agree with each other and with its totals. */
export interface Snapshots {
  /** Returns the list cached under the key, else the result of `load`. Concurrent calls share one load. */
  read<T>(key: string, load: () => Promise<T[]>): Promise<readonly T[]>;
}

export interface SnapshotOptions {
  keepMs?: number;
  /** Max rows of all lists together; the least recently used list is evicted first. */
  maxRows?: number;
  nowMs?: () => number;
}

interface CachedList {
  rows: Promise<readonly unknown[]>;
  /** Null while it loads. */
  loaded: { count: number; until: number } | null;
}

export function createSnapshots({
  keepMs = 60_000,
  maxRows = 50_000,
  nowMs = () => performance.now(),
}: SnapshotOptions = {}): Snapshots {
  /** In the order of use, the most recently used last. */
  const cached = new Map<string, CachedList>();

  const evict = (): void => {
    const now = nowMs();
    let total = 0;
    for (const [key, { loaded }] of [...cached].reverse()) {
      total += loaded?.count ?? 0;
      if (loaded && (loaded.until <= now || total > maxRows)) cached.delete(key);
    }
  };

  const begin = (key: string, load: () => Promise<readonly unknown[]>): CachedList => {
    const entry: CachedList = { rows: load(), loaded: null };
    entry.rows.then(
      ({ length }) => {
        // An empty list counts as one row.
        entry.loaded = { count: length + 1, until: nowMs() + keepMs };
        evict();
      },
      () => cached.delete(key),
    );
    return entry;
  };

  return {
    read: async <T>(key: string, load: () => Promise<T[]>) => {
      evict();
      const entry = cached.get(key) ?? begin(key, load);
      cached.delete(key);
      cached.set(key, entry);
      return (await entry.rows) as readonly T[];
    },
  };
}
