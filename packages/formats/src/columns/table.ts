import { FileUnreadableError, type ReadingWarning } from '../types';
import { holdsNames, holdsValues } from './headers';

/** Counts the columns up to the last non-empty one. */
export function usedColumns(cells: readonly string[]): number {
  let used = cells.length;
  while (used > 0 && (cells[used - 1] as string).trim() === '') used--;
  return used;
}

export function isBlank(cells: readonly string[]): boolean {
  return usedColumns(cells) === 0;
}

export interface TableReading {
  /** Index of the row that names the columns, if the rows before it are not part of the table. */
  header: number;
  columns: number;
  /** Share of the rows from the header on that have the most common number of columns. */
  share: number;
}

/** The minimum share of the header's columns that a row must have to fit it. Values at its end may be missing. */
const fittingShare = 0.8;
/** The maximum number of title rows. */
const maxTitles = 50;

/**
 * Finds where the table begins among the first rows of a file, none of them blank. Banks put titles and notes above it:
 * rows at most half as wide as the header, or separated by a blank line. The header holds names, and rows as wide as it
 * follow. `isApart` tells whether a blank line precedes a row.
 */
export function findTable(
  rows: readonly (readonly string[])[],
  isApart: (row: number) => boolean = () => false,
): TableReading {
  const widths = rows.map(usedColumns);
  let header = 0;
  for (let row = 1; row < Math.min(rows.length, maxTitles); row++) {
    if (beginsTable({ rows, widths, row, former: header, isApart })) header = row;
  }
  const below = widths.slice(header);
  const columns = commonWidth(below);
  const fitting = below.filter((width) => width === columns).length;
  return { header, columns, share: rows.length === 0 ? 0 : fitting / below.length };
}

interface HeaderCandidate {
  rows: readonly (readonly string[])[];
  widths: readonly number[];
  row: number;
  /** The row that was taken for the header so far. */
  former: number;
  isApart: (row: number) => boolean;
}

function beginsTable({ rows, widths, row, former, isApart }: HeaderCandidate): boolean {
  const width = widths[row] as number;
  const cells = rows[row] as string[];
  const above = Math.max(...widths.slice(0, row));
  if (width < 2 || above >= width) return false;
  const isSetOff = (widths[former] as number) * 2 <= width && width > 2;
  if (isSetOff ? holdsValues(cells) : !isApart(row) || !holdsNames(cells)) return false;
  const below = widths.slice(row + 1);
  const fitting = below.filter((other) => other <= width && other > above && other >= width * fittingShare).length;
  return fitting > 0 && fitting * 2 >= below.length;
}

function commonWidth(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce(
    (best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] > best[0]) ? entry : best),
    [0, 0] as [number, number],
  )[0];
}

/**
 * Returns the header's index, or null where the sender says that there is none. Throws where the table begins with
 * values.
 */
export function findHeader(
  rows: readonly (readonly string[])[],
  given: boolean | undefined,
  isApart?: (row: number) => boolean,
): number | null {
  if (given === false) return null;
  const { header } = findTable(rows, isApart);
  const cells = rows[header] ?? [];
  if (given === undefined && holdsValues(cells)) {
    throw new FileUnreadableError(
      'header_missing',
      `The first row holds values, not names of columns: ${cells.join(' | ').slice(0, 80)}. Put names into the ` +
        'first row, or upload with header=false.',
    );
  }
  return header;
}

/** Warns about rows that were read as titles. */
export function titlesWarning(headerLine: number | null, firstLine: number | undefined): ReadingWarning[] {
  if (headerLine === null || firstLine === undefined || firstLine >= headerLine) return [];
  const message =
    `The rows above line ${headerLine} are read as titles, and line ${headerLine} as the names of the columns. ` +
    'If they are part of the table, put the names of its columns into the first line and upload the file again';
  return [{ code: 'lines_skipped', column: null, message }];
}
