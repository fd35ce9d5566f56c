import type { ReadingWarning } from '../types';
import { cellText, filledCells, isEmpty, isSumBesideBalance, type Cells } from './cells';
import { clearFooter, footerWindow } from './clear-footer';
import { kindOf } from './kinds';
import { beginsAsTotal, isNoteLabel, isTotalLabel } from './footer-labels';

/** The maximum number of rows below a table, such as totals. */
const maxFooters = 3;
/** The maximum where each row is a footer by its own words. */
const maxClearFooters = 8;

/**
 * Removes the rows below a table: totals and notes, and rows at the end that leave a column empty which all rows above
 * fill. They prove nothing about the columns.
 */
export function withoutFooter<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  const table = withoutTotals(rows.slice(0, rows.length - clearFooter(rows)));
  for (let footers = Math.min(maxFooters, Math.floor((table.length - 1) / 2)); footers > 0; footers--) {
    const above = table.slice(0, -footers);
    if (table.slice(-footers).every((row) => leavesOut(row, above))) return above;
  }
  return table;
}

function withoutTotals<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  let first = rows.length;
  for (let at = rows.length - 1; at > 0 && rows.length - at <= maxClearFooters; at--) {
    const [row, above] = [rows[at] as R, rows.slice(Math.max(0, at - maxCompared), at)];
    if (isTotal(row, above) || isNote(row, above)) first = at;
    else if (!leavesOut(row, above)) break;
  }
  return rows.slice(0, first);
}

/** Rows above a footer that it is compared with. */
const maxCompared = 50;

/** Returns whether a row is named as a total: by its first cell, or by any where it leaves out what others fill. */
function isTotal(row: readonly unknown[], others: readonly (readonly unknown[])[]): boolean {
  return isLabelled(row) || (hasLabel(row) && leavesOut(row, others));
}

const hasLabel = (row: Cells): boolean => row.some((cell) => typeof cell === 'string' && beginsAsTotal(cell.trim()));
const isLabelled = (row: Cells): boolean => isTotalLabel(cellText(filledCells(row)[0]));

/** Returns whether a row is a sentence in a table: one cell with several words, or with the label of a note. */
function isNote(row: readonly unknown[], others: readonly (readonly unknown[])[]): boolean {
  const [only, ...rest] = filledCells(row);
  const width = Math.max(0, ...others.map(({ length }) => length));
  const text = cellText(only);
  if (rest.length > 0 || width < 2 || (width === 2 && row.length > 1 && !isNoteLabel(text))) return false;
  const isLonely = others.map((other) => filledCells(other).length < 2);
  // Only other notes, right above it, may have one cell too.
  return (
    !isLonely.slice(0, isLonely.lastIndexOf(false) + 1).some(Boolean) &&
    isLonely.includes(false) &&
    (isNoteLabel(text) || /\p{L}.*\s.*\p{L}/su.test(text))
  );
}

/** Lines that may be totals or notes. */
export interface FooterRow {
  line: number;
  cells: Cells;
}

const cellsOf = (rows: readonly FooterRow[]): Cells[] => rows.map(({ cells }) => cells);

/** Finds totals and balances among the rows of a table, which leave out what the others have. */
export function totalsAmong(rows: readonly FooterRow[]): FooterRow[] {
  const above = withoutFooter(rows.map(({ cells }) => cells));
  const others = above.filter((row) => !isNamed(row)).slice(0, maxCompared);
  if (others.length === 0) return [];
  const table = rows.slice(0, above.length);
  const undated = new Set(undatedAmong(table));
  return table.filter((row) => undated.has(row) || (isNamed(row.cells) && leavesOut(row.cells, others)));
}

/** Rows that show whether a column holds dates. */
const maxDated = 5;
const minDated = 2;

/**
 * Finds rows with a number that lack the date which the others have: a few of them, or sums of the rows above. Totals
 * and balances carried forward are such rows in any language.
 */
function undatedAmong(rows: readonly FooterRow[]): FooterRow[] {
  const width = Math.max(0, ...rows.slice(0, maxCompared).map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  const found = columns.map((column) => {
    const lacking = rows.filter(({ cells }) => isEmpty(cells[column]));
    const dated = rows.length - lacking.length;
    if (lacking.length === 0 || lacking.length >= dated || dated < minDated) return [];
    const first = rows.filter(({ cells }) => !isEmpty(cells[column])).slice(0, maxDated);
    if (!first.every(({ cells }) => kindOf(cellText(cells[column])) === 'date')) return [];
    const bare = lacking.filter(({ cells }) => isBareNumber(cells));
    return bare.length < 2 || bare.length * 3 <= dated ? bare : bare.filter((row) => isSumSince(row, column, rows));
  });
  return found.find((lines) => lines.length > 0) ?? [];
}

/** Returns whether a row has a number, and at most two texts beside. */
function isBareNumber(cells: Cells): boolean {
  const kinds = filledCells(cells).map((cell) => kindOf(cellText(cell)));
  const numbers = kinds.filter((kind) => kind === 'decimal' || kind === 'integer').length;
  return numbers > 0 && kinds.length - numbers <= 2;
}

function isSumSince(row: FooterRow, column: number, rows: readonly FooterRow[]): boolean {
  const before = rows.slice(0, rows.indexOf(row)).map(({ cells }) => cells);
  const above = before.slice(before.findLastIndex((cells) => isEmpty(cells[column])) + 1);
  return above.length > 1 && isSumBesideBalance(row.cells, numberColumns(row.cells), above);
}

const numberColumns = (cells: Cells): number[] =>
  cells.map((_, column) => column).filter((column) => ['decimal', 'integer'].includes(kindOf(cellText(cells[column]))));

/** Rows that a sum needs above it where nothing else distinguishes it from a row. */
const minAdded = 3;

/** Returns whether a row that lacks nothing has the sum of all amounts above it. */
function isWholeSum(row: Cells, above: readonly Cells[]): boolean {
  const amounts = numberColumns(row).filter((column) =>
    [row, ...above].some((cells) => kindOf(cellText(cells[column])) === 'decimal'),
  );
  return above.length >= minAdded && isSumBesideBalance(row, amounts, above);
}

const isNamed = (row: Cells): boolean => hasLabel(row) || filledCells(row).every((cell) => isNoteLabel(cellText(cell)));

/** Splits the rows at the end of a table: those that are clearly a footer, and others that may be one. */
export function footerOf(rows: readonly FooterRow[]): { clear: readonly FooterRow[]; doubtful: readonly FooterRow[] } {
  const end = rows.length - clearFooter(cellsOf(rows));
  const near = rows.slice(-footerWindow);
  const above = withoutFooter(cellsOf(near));
  const from = rows.length - near.length + above.length;
  const below = rows.slice(from, end);
  const undated = new Set(undatedAmong(near.slice(0, near.length - rows.length + end)));
  const doubtful = below.filter((row) => undated.has(row) || isTotal(row.cells, above) || isNote(row.cells, above));
  const last = rows.at(-1);
  const isSummed = from === rows.length && last !== undefined && isWholeSum(last.cells, cellsOf(rows.slice(0, -1)));
  return { clear: rows.slice(end), doubtful: isSummed ? [last] : doubtful };
}

/** Warns about rows that are read as records and may be totals or notes. */
export function totalsWarning(rows: readonly FooterRow[]): ReadingWarning[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ line }) => line);
  const message =
    `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.slice(0, maxLines).join(', ')} ` +
    `${lines.length === 1 ? 'looks' : 'look'} like a ` +
    'total or a note beside the table, and is read like any other row. If it is none and not at the end, take it out';
  return [{ code: 'totals', column: null, message, remedies: [{ option: 'footer', value: 'true' }] }];
}

/** The number of lines that a warning names. */
const maxLines = 20;

function leavesOut(row: readonly unknown[], above: readonly (readonly unknown[])[]): boolean {
  const columns = Math.max(row.length, ...above.map(({ length }) => length));
  for (let column = 0; column < columns; column++) {
    if (isEmpty(row[column]) && above.every((other) => !isEmpty(other[column]))) return true;
  }
  return false;
}
