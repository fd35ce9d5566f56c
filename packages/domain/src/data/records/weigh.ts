/** Whether a jsonb says by its size alone that it is small: what is compressed may be hundreds of times as large. */
const isSmall = (column: string): string =>
  `(pg_column_size(${column}) < 2000 and pg_column_compression(${column}) is null)`;

/** Bytes of a jsonb as text, in SQL; null for none. Only what may be large is read for it. */
const weightOf = (column: string): string =>
  `case when ${isSmall(column)} then pg_column_size(${column}) else octet_length(${column}::text) end`;

/** Whether a record is small, without reading it, in SQL over records `r`. */
export const isLight = `(${isSmall('r.data')} and (r.fields is null or ${isSmall('r.fields')}))`;

/** Bytes of a record's data as JSON text, in SQL over records `r`. */
export const dataWeight = weightOf('r.data');

/** Those of its normalised values too. */
export const recordWeight = `(${dataWeight}) + coalesce(${weightOf('r.fields')}, 0)`;
