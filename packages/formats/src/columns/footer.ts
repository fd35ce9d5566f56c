/** Rows below a table, such as totals, are at most so many. */
const MOST_FOOTERS = 3;

const isEmpty = (value: unknown): boolean => value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * The rows of a whole table without what stands below it: rows at the end that leave a column empty which all rows above
 * fill. What they hold says nothing of the columns.
 */
export function withoutFooter<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  for (let footers = Math.min(MOST_FOOTERS, Math.floor(rows.length / 2)); footers > 0; footers -= 1) {
    const above = rows.slice(0, -footers);
    if (rows.slice(-footers).every((row) => leavesOut(row, above))) return above;
  }
  return rows;
}

function leavesOut(row: readonly unknown[], above: readonly (readonly unknown[])[]): boolean {
  const columns = Math.max(row.length, ...above.map(({ length }) => length));
  for (let column = 0; column < columns; column += 1) {
    if (isEmpty(row[column]) && above.every((other) => !isEmpty(other[column]))) return true;
  }
  return false;
}

/** Whether so many values of a column may be left out of account beside those that agree: one, or one in fifty. */
export function areFew(odd: number, agreeing: number): boolean {
  return odd === 0 || (odd * 3 <= agreeing && (odd === 1 || odd * 50 <= agreeing));
}
