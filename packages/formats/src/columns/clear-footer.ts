import { areFew, cellText, isEmpty, isSum, isSumBesideBalance, type Cells } from './cells';
import { isNoteLabel, isTotalLabel } from './footer-labels';
import { isValueKind, kindOf, type CellKind } from './kinds';

/** The maximum number of rows at the end that may be a footer, and of rows above them that show what rows have. */
const maxFooterRows = 20;
const maxCompared = 50;
/** Fewer rows of a wide table are compared. */
const minCompared = 5;
const maxCells = 40_000;
/** Number of rows at the end of a table that are needed to decide which of them are a footer. */
export const footerWindow = maxFooterRows + maxCompared;

interface Row {
  cells: Cells;
  texts: readonly string[];
  kinds: readonly CellKind[];
  /** The columns that are filled. */
  filled: readonly number[];
}

/** The columns of the rows above: those that all but a few fill, and among them those that hold values. */
interface Columns {
  filled: readonly number[];
  values: readonly number[];
  numbers: readonly number[];
}

/**
 * Counts the rows at the end of a table that are clearly none of its rows: totals, balances and notes that leave out
 * what the rows above have. A row that has all of it is none, whatever its words.
 */
export function clearFooter(rows: readonly Cells[]): number {
  const width = Math.max(1, ...rows.slice(-maxFooterRows).map(({ length }) => length));
  const compared = Math.max(minCompared, Math.min(maxCompared, Math.floor(maxCells / width)));
  const near = rows.slice(-maxFooterRows - compared).map(rowOf);
  const before = rows.length - near.length;
  for (let at = Math.max(1, near.length - maxFooterRows); at < near.length; at++) {
    const columns = columnsOf(near.slice(Math.max(0, at - compared), at));
    const above = rows.slice(0, before + at);
    const isFooter = near
      .slice(at)
      .every((row, index) => isClear(row, columns, above) || (index > 0 && hasNoValue(row, columns)));
    if (isFooter) return near.length - at;
  }
  return 0;
}

function rowOf(cells: Cells): Row {
  const texts = cells.map(cellText);
  return {
    cells,
    texts,
    kinds: texts.map((text) => kindOf(text)),
    filled: cells.map((_, column) => column).filter((column) => !isEmpty(cells[column])),
  };
}

function columnsOf(above: readonly Row[]): Columns {
  const width = Math.max(0, ...above.map(({ cells }) => cells.length));
  const all = Array.from({ length: width }, (_, column) => column);
  const isMost = (count: number): boolean => count > 0 && areFew(above.length - count, count);
  const countOf = (column: number, test: (kind: CellKind) => boolean): number =>
    above.filter(({ kinds }) => test(kinds[column] ?? 'empty')).length;
  return {
    filled: all.filter((column) => isMost(countOf(column, (kind) => kind !== 'empty'))),
    values: all.filter((column) => isMost(countOf(column, isValueKind))),
    numbers: all.filter((column) => isMost(countOf(column, (kind) => kind === 'decimal' || kind === 'integer'))),
  };
}

const hasValue = ({ kinds }: Row, column: number): boolean => isValueKind(kinds[column] ?? 'empty');
const leaves = ({ cells }: Row, column: number): boolean => isEmpty(cells[column]);

/** Returns whether a row has none of the values that the rows above have. */
const hasNoValue = (row: Row, { values }: Columns): boolean =>
  values.length > 0 && values.every((column) => !hasValue(row, column));

const isClear = (row: Row, columns: Columns, above: readonly Cells[]): boolean =>
  isTotal(row, columns, above) || isNote(row, columns);

function isTotal(row: Row, { filled, values, numbers }: Columns, above: readonly Cells[]): boolean {
  const label = row.filled.find((column) => isTotalLabel(row.texts[column] ?? ''));
  const isAddedUp = (): boolean =>
    isSum(
      row.cells,
      row.filled.filter((column) => column !== label),
      above,
    );
  if (label === undefined) {
    const gaps = filled.filter((column) => leaves(row, column));
    // A row without a text that others have may be one without a category.
    const lacksValue = gaps.some((column) => values.includes(column)) || row.kinds.every((kind) => kind !== 'text');
    return lacksValue && gaps.length > 0 && addsUp(row, gaps, above);
  }
  if (label === row.filled[0]) return values.some((column) => !hasValue(row, column)) || isAddedUp();
  // A balance beside a date: transactions have an amount, if only in a column that few rows fill.
  const isNumber = (column: number): boolean => ['decimal', 'integer'].includes(row.kinds[column] ?? 'empty');
  const isUsual = row.filled.filter(isNumber).every((column) => numbers.includes(column));
  if (isUsual && numbers.some((column) => leaves(row, column))) return true;
  return values.some((column) => leaves(row, column)) && isAddedUp();
}

/**
 * Returns whether a row without some of the columns has the sum of the rows above it that have them, or of those since
 * the last one without: totals in any language. One text may stand beside the numbers.
 */
function addsUp(row: Row, gaps: readonly number[], above: readonly Cells[]): boolean {
  const numbers = row.filled.filter((column) => isValueKind(row.kinds[column] ?? 'empty'));
  if (numbers.length === 0 || row.filled.length > numbers.length + 1) return false;
  // The third of numbers that count on may be the sum of the first two.
  const minRows = numbers.some((column) => row.kinds[column] === 'decimal') ? 2 : 3;
  const hasGap = (cells: Cells): boolean => gaps.some((column) => isEmpty(cells[column]));
  return [above.filter((cells) => !hasGap(cells)), above.slice(above.findLastIndex(hasGap) + 1)].some(
    (rows) => rows.length >= minRows && isSumBesideBalance(row.cells, numbers, rows),
  );
}

function isNote(row: Row, columns: Columns): boolean {
  const [first] = row.filled;
  if (first === undefined || !columns.filled.some((column) => leaves(row, column))) return false;
  const text = row.texts[first] ?? '';
  if (!hasNoValue(row, columns)) return false;
  if (isNoteLabel(text)) return true;
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  return row.filled.length === 1 && words > 1 && columns.values.includes(first);
}
