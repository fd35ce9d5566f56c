/** Bytes of a jsonb as text, in SQL; null for none. Only what is stored out of line, hence perhaps compressed, is read for it. */
const weightOf = (column: string): string => `case when pg_column_size(${column}) < 2000 then pg_column_size(${column}) else octet_length(${column}::text) end`;

/** Whether a record is small, without reading what of it is stored out of line, in SQL over records `r`. */
export const isLight = 'pg_column_size(r.data) + coalesce(pg_column_size(r.fields), 0) < 2000';

/** Bytes of a record's data as JSON text, in SQL over records `r`. */
export const dataWeight = weightOf('r.data');

/** Those of its normalised values too. */
export const recordWeight = `(${dataWeight}) + coalesce(${weightOf('r.fields')}, 0)`;

/** What is held in memory of records that are read together. */
export const MAX_LOADED_BYTES = 4 << 20;

/** The same of records that are sent by the group: each of many slow readers has one. */
export const MAX_SENT_BYTES = 1 << 20;

/** Consecutive groups of at most so many bytes; a heavier item is a group of its own. */
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
