const statements = /`[^`]*`/g;
const casts = /(?<![.\w])\w+::text\s+as\s+"?(\w+)"?/g;

/**
 * Returns the orders of SQL statements in a source that name an output column in place of the column it is cast from,
 * as in `select id::text as id … order by id`: the server sorts all rows by text, although an index has their order.
 */
export function sortedCasts(source: string): string[] {
  return (source.match(statements) ?? []).flatMap((statement) => {
    const cast = new Set([...statement.matchAll(casts)].map(([, name]) => name));
    return [...statement.matchAll(/\border by ([^`)]*)/g)].flatMap(([order, columns = '']) =>
      columns.split(',').some((column) => cast.has(column.trim().split(/\s/)[0])) ? [order.trim()] : [],
    );
  });
}
