import { isValueKind, kindOf } from '../columns/kinds';
import type { ReadingWarning } from '../types';
import type { SampleRecord } from './dialect';

/** The sign with which programs mark remarks. */
export const remarkSign = '#';

/** The records of a sample without those that are remarks. */
export interface RemarksSplit {
  records: readonly SampleRecord[];
  remarks: readonly SampleRecord[];
  /** A line with the sign and this number of cells is a row. */
  rowCells: number;
}

const isMarked = ({ cells }: SampleRecord): boolean => (cells[0] as string).startsWith(remarkSign);

/**
 * Splits remarks from a table: lines that begin with the sign and lack columns. Those above the table stay, as they may
 * name its columns, and so do line `headerRow` and names below a preamble.
 */
export function splitRemarks(records: readonly SampleRecord[], headerRow?: number): RemarksSplit {
  const others = records.filter((record) => !isMarked(record));
  const rowCells = usualWidth(others.length === 0 ? records : others);
  const first = others[0]?.line ?? Infinity;
  const isRemark = (record: SampleRecord): boolean =>
    isMarked(record) &&
    record.line > first &&
    record.line !== headerRow &&
    !isMarkedNames(record) &&
    !isMarkedRow(record.cells, rowCells);
  const remarks = others.length === records.length ? [] : records.filter(isRemark);
  return {
    records: remarks.length === 0 ? records : records.filter((one) => !remarks.includes(one)),
    remarks,
    rowCells,
  };
}

/** The number of cells that most records have. */
function usualWidth(records: readonly SampleRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1;
}

/** Returns whether a line with the sign is a row: with all columns, or a value; in a list, with the sign at a word. */
export const isMarkedRow = (cells: readonly string[], rowCells: number): boolean =>
  rowCells > 1
    ? cells.length >= rowCells || cells.slice(1).some((cell) => isValueKind(kindOf(cell)))
    : !/^#+(?:\s|$)/.test(cells[0] ?? '');

/** Returns whether a line holds several names that each begin with the sign: `#Date;#Amount`. */
function isMarkedNames({ cells }: SampleRecord): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && filled.every((cell) => cell.trim().startsWith(remarkSign));
}

const maxLines = 20;
const lines = (records: readonly SampleRecord[]): string =>
  `${records.length === 1 ? 'line' : 'lines'} ${records
    .slice(0, maxLines)
    .map(({ line }) => line)
    .join(', ')}${records.length > maxLines ? ' …' : ''}`;

/** Warns about remarks that are left out, and about rows that look like remarks. */
export function remarkWarnings(remarks: readonly SampleRecord[], data: readonly SampleRecord[]): ReadingWarning[] {
  const rows = data.filter(isMarked);
  const begin = `Lines that begin with ${remarkSign} and`;
  const skipped = `${begin} lack columns of the table are left out as remarks: ${lines(remarks)}`;
  const kept = `${begin} have all columns of the table, or a value, are read as rows: ${lines(rows)}`;
  return [
    ...(remarks.length === 0 ? [] : [warning('remarks_skipped', skipped, { count: remarks.length, value: '' })]),
    // The sign is part of the values where most rows begin with it.
    ...(rows.length === 0 || rows.length * 2 > data.length
      ? []
      : [warning('remarks_kept', kept, { count: rows.length, value: remarkSign })]),
  ];
}

const warning = (
  code: 'remarks_skipped' | 'remarks_kept',
  message: string,
  { count, value }: { count: number; value: string },
): ReadingWarning => ({ code, column: null, message, count, remedies: [{ option: 'comment', value }] });
