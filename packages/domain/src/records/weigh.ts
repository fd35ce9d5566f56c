/**
 * Characters of a record's data as JSON text, in SQL over records `r`. Only data that is stored out of line,
 * hence perhaps compressed, is read for it.
 */
export const dataWeight = `case when pg_column_size(r.data) < 2000 then pg_column_size(r.data) else octet_length(r.data::text) end`;

/** What is held in memory of records that are read together. */
export const MAX_LOADED_BYTES = 4 << 20;

/** Consecutive groups of at most `MAX_LOADED_BYTES`; a heavier item is a group of its own. */
export function* groupsByWeight<T extends { weight: number }>(items: readonly T[], maxBytes = MAX_LOADED_BYTES): Generator<T[]> {
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
