import { decimalEvidence, plainAmount } from './amounts';

/** The values of a row, in the order of the columns. */
export type Cells = readonly unknown[];

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Returns a value as text; an empty one for an empty cell, and for values that are neither text nor number. */
export const cellText = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

export const filledCells = (row: Cells): unknown[] => row.filter((cell) => !isEmpty(cell));

/** Returns whether odd values of a column may be ignored beside those that agree: one, or one in fifty. */
export function areFew(odd: number, agreeing: number): boolean {
  return odd === 0 || (odd * 3 <= agreeing && (odd === 1 || odd * 50 <= agreeing));
}

/** Returns whether each of these columns, at least one, has in this row the sum of the numbers above it. */
export const isSum = (row: Cells, columns: readonly number[], above: readonly Cells[]): boolean =>
  columns.length > 0 && columns.every((column) => isSumOf(row, column, above));

/** Returns whether one of these columns has in this row such a sum, and the others too, or their last number. */
export const isSumBesideBalance = (row: Cells, columns: readonly number[], above: readonly Cells[]): boolean =>
  columns.some((column) => isSumOf(row, column, above)) &&
  columns.every((column) => isSumOf(row, column, above) || isLast(row, column, above));

function isSumOf(row: Cells, column: number, above: readonly Cells[]): boolean {
  const total = numberOf(row[column]);
  if (total === undefined) return false;
  let sum = 0;
  for (const cells of above) sum += numberOf(cells[column]) ?? 0;
  return Math.abs(sum - total) < 0.005;
}

function isLast(row: Cells, column: number, above: readonly Cells[]): boolean {
  const value = numberOf(row[column]);
  return value !== undefined && value === numberOf(above.at(-1)?.[column]);
}

/** Reads a number for the comparison of sums alone; undefined where it is none. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = cellText(value);
  const separator = decimalEvidence(text);
  if (separator === 'no number') return undefined;
  const number = Number(plainAmount(text, separator === 'none' ? undefined : separator));
  return Number.isNaN(number) ? undefined : number;
}
