export interface RecentCache<V> {
  get(key: string): Promise<V | undefined>;
}

interface Entry<V> {
  loadedAtMs: number;
  value: Promise<V | undefined>;
}

const maxEntries = 10_000;

/**
 * Remembers what `load` found for `reuseMs`, counted from the moment the loading began. Requests at the
 * same time share one load. What was not found is not remembered.
 */
export function createRecentCache<V>(reuseMs: number, load: (key: string) => Promise<V | undefined>): RecentCache<V> {
  const entries = new Map<string, Entry<V>>();
  const forget = (key: string, entry: Entry<V>): void => {
    if (entries.get(key) === entry) entries.delete(key);
  };
  const makeRoom = (nowMs: number): void => {
    for (const [key, entry] of entries) if (nowMs - entry.loadedAtMs >= reuseMs) entries.delete(key);
    if (entries.size >= maxEntries) entries.clear();
  };
  return {
    get: (key) => {
      const nowMs = performance.now();
      const known = entries.get(key);
      if (known && nowMs - known.loadedAtMs < reuseMs) return known.value;
      if (entries.size >= maxEntries) makeRoom(nowMs);
      const entry: Entry<V> = { loadedAtMs: nowMs, value: load(key) };
      entries.set(key, entry);
      entry.value.then(
        (value) => {
          if (value === undefined) forget(key, entry);
        },
        () => forget(key, entry),
      );
      return entry.value;
    },
  };
}
