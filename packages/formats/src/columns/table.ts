import { FileUnreadableError } from '../types';
import { holdsValues } from './headers';

/** Columns up to the last one that holds something. */
export function usedColumns(cells: readonly string[]): number {
  let used = cells.length;
  while (used > 0 && (cells[used - 1] as string).trim() === '') used -= 1;
  return used;
}

export function isBlank(cells: readonly string[]): boolean {
  return usedColumns(cells) === 0;
}

export interface TableReading {
  /** Index of the row that names the columns, if what goes before it is no part of the table. */
  header: number;
  columns: number;
  /** Share of the rows from the header on that have as many columns as most do. */
  share: number;
}

/** A header of a wide table has at least this share of its columns. */
const HEADER_SHARE = 0.8;

/**
 * Finds where the table begins among the first rows of a file, none of them blank: titles and notes that banks put
 * above it have less than half of the columns that most rows have.
 */
export function findTable(rows: readonly (readonly string[])[]): TableReading {
  const widths = rows.map(usedColumns);
  const columns = mostFrequent(widths);
  const isTitle = (widths[0] ?? 0) * 2 < columns;
  const found = isTitle ? widths.findIndex((width) => width >= columns * HEADER_SHARE) : 0;
  const header = found < 0 || holdsValues(rows[found] ?? []) ? 0 : found;
  const fitting = widths.slice(header).filter((width) => width === columns).length;
  return { header, columns, share: rows.length === 0 ? 0 : fitting / (rows.length - header) };
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] > best[0]) ? entry : best), [0, 0] as [number, number])[0];
}

/** Index of the header; null where the sender says that there is none. Throws where the table begins with values. */
export function findHeader(rows: readonly (readonly string[])[], given: boolean | undefined): number | null {
  if (given === false) return null;
  const { header } = findTable(rows);
  const cells = rows[header] ?? [];
  if (given === undefined && holdsValues(cells)) {
    throw new FileUnreadableError('header_missing', `The first row holds values, not names of columns: ${cells.join(' | ').slice(0, 80)}. Put names into the first row, or upload with header=false.`);
  }
  return header;
}
