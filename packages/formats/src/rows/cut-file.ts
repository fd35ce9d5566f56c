import { cellText } from '../columns/cells';
import type { FileRow, ReadingWarning } from '../types';

/** Warns about a file that ends in the middle of a row. */
export function fileCut(line: number, isLocal: boolean | undefined): ReadingWarning {
  const message =
    `The file ends in the middle of line ${line}, or of the row that begins there: it may have been cut. Export it ` +
    `again${isLocal ? '' : ' and upload it as the one that replaces this file'}`;
  return { code: 'file_cut', column: null, message };
}

/** Rows that show how the last cell of a row is written. */
export const comparedRows = 20;
const minCompared = 3;

/** Returns whether the last cell of the last row looks cut: shorter than that of all others, which are alike. */
export function isCutCell(rows: readonly FileRow[], column: string): boolean {
  const cells = rows.map(({ data }) => cellText(data[column]));
  const last = cells.pop() ?? '';
  const [first = ''] = cells;
  if (cells.length < minCompared || last.length >= Math.min(...cells.map(({ length }) => length))) return false;
  const hasCents = (cell: string): boolean => /[.,]\d{2}$/.test(cell);
  return cells.every(({ length }) => length === first.length) || (cells.every(hasCents) && !hasCents(last));
}
