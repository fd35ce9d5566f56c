import { LRUCache } from 'lru-cache';

const maxEntries = 10_000;

/**
 * Returns a cached `load`: concurrent calls and calls within `reuseMs` of the start of a load share it. A load that
 * fails or finds nothing is not cached.
 */
export function createRecentCache<V>(
  reuseMs: number,
  load: (key: string) => Promise<V | undefined>,
): (key: string) => Promise<V | undefined> {
  // An entry expires when it is older than its ttl, in whole milliseconds.
  const entries = new LRUCache<string, Promise<V | undefined>>({ max: maxEntries, ttl: reuseMs - 1, ttlResolution: 0 });
  return (key) => {
    const known = entries.get(key);
    if (known) return known;
    const loading = load(key);
    entries.set(key, loading);
    const forget = (): void => {
      if (entries.peek(key) === loading) entries.delete(key);
    };
    loading.then((value) => {
      if (value === undefined) forget();
    }, forget);
    return loading;
  };
}
