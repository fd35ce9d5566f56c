export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

/** Remembers the ids that were added last, `most` of them, each for `forMs` at most. */
export function createRecentIds(most: number, forMs = Infinity): RecentIds {
  const addedMs = new Map<string, number>();
  return {
    has: (id) => {
      const atMs = addedMs.get(id);
      return atMs !== undefined && performance.now() - atMs < forMs;
    },
    add: (id) => {
      addedMs.delete(id);
      if (addedMs.size >= most) addedMs.delete(addedMs.keys().next().value as string);
      addedMs.set(id, performance.now());
    },
  };
}
