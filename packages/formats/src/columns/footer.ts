import type { ReadingWarning } from '../types';

/** The maximum number of rows below a table, such as totals. */
const maxFooters = 3;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Removes the rows below a table: rows at the end that leave a column empty which all rows above fill. They prove
 * nothing about the columns.
 */
export function withoutFooter<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  for (let footers = Math.min(maxFooters, Math.floor((rows.length - 1) / 2)); footers > 0; footers--) {
    const above = rows.slice(0, -footers);
    if (rows.slice(-footers).every((row) => leavesOut(row, above))) return above;
  }
  return rows;
}

const totalLabel =
  /^(?:sub-?)?(?:total|totais|totale|soma|somme|suma|sum|summe|gesamt|gesamtsumme|saldo|balance|endsaldo)\b/i;

/** Warns about a last row that is read as a record and may be a total. */
export function totalsWarning(rows: readonly { line: number; cells: readonly unknown[] }[]): ReadingWarning[] {
  const above = withoutFooter(rows.map(({ cells }) => cells)).length;
  const total = rows
    .slice(above)
    .find(({ cells }) => cells.some((cell) => typeof cell === 'string' && totalLabel.test(cell.trim())));
  if (total === undefined) return [];
  const message =
    `Line ${total.line} looks like a total below the table. It is read like any other row: if it is none, take ` +
    'it out and upload the file again, with the id of this one as "replaces"';
  return [{ code: 'totals', column: null, message }];
}

function leavesOut(row: readonly unknown[], above: readonly (readonly unknown[])[]): boolean {
  const columns = Math.max(row.length, ...above.map(({ length }) => length));
  for (let column = 0; column < columns; column++) {
    if (isEmpty(row[column]) && above.every((other) => !isEmpty(other[column]))) return true;
  }
  return false;
}

/** Returns whether odd values of a column may be ignored beside those that agree: one, or one in fifty. */
export function areFew(odd: number, agreeing: number): boolean {
  return odd === 0 || (odd * 3 <= agreeing && (odd === 1 || odd * 50 <= agreeing));
}
