/** Max bytes of items that one process loads together. */
export const maxLoadedBytes = 4 << 20;

/** Max bytes of items that are sent as one group: each of many slow readers holds a group in memory. */
export const maxSentBytes = 1 << 20;

/** Splits items into consecutive groups of at most `maxBytes`; a heavier item forms its own group. */
export function* groupsByWeight<T extends { weight: number }>(
  items: readonly T[],
  maxBytes = maxLoadedBytes,
): Generator<T[]> {
  let group: T[] = [];
  let bytes = 0;
  for (const item of items) {
    if (group.length > 0 && bytes + item.weight > maxBytes) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += item.weight;
  }
  if (group.length > 0) yield group;
}

/** Groups items by key; keys are in the order of their first item. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
