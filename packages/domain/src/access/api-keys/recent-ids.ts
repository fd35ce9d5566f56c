export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

/**
 * Remembers the ids that were added last, `most` of them, each for `forMs` at most.
 * @param nowMs milliseconds of a clock that only goes forward
 */
export function createRecentIds(most: number, forMs = Infinity, nowMs = () => performance.now()): RecentIds {
  const addedMs = new Map<string, number>();
  return {
    has: (id) => {
      const atMs = addedMs.get(id);
      return atMs !== undefined && nowMs() - atMs < forMs;
    },
    add: (id) => {
      addedMs.delete(id);
      if (addedMs.size >= most) addedMs.delete(addedMs.keys().next().value as string);
      addedMs.set(id, nowMs());
    },
  };
}
