/** What is held in memory of items that are read together. */
export const MAX_LOADED_BYTES = 4 << 20;

/** The same of items that are sent by the group: each of many slow readers has one. */
export const MAX_SENT_BYTES = 1 << 20;

/** Consecutive groups of at most so many bytes; a heavier item is a group of its own. */
export function* groupsByWeight<T extends { weight: number }>(
  items: readonly T[],
  maxBytes = MAX_LOADED_BYTES,
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
