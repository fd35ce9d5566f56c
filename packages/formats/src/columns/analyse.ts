import type { DecimalSeparator, ReadOptions } from '../types';
import { DateColumn } from './dates';
import { DecimalColumn } from './decimals';

export interface ColumnFormats {
  decimalSeparator: DecimalSeparator | null;
  decimalSeparators: Record<string, DecimalSeparator>;
  dateFormats: Record<string, string>;
}

/**
 * The formats of numbers and dates that the texts of a sample prove, column by column. A column whose dates could have
 * either order takes the one that other columns of the same file prove, if they agree. What the sender says goes first.
 */
export function columnFormats(headers: readonly string[], rows: Iterable<readonly unknown[]>, options: ReadOptions): ColumnFormats {
  const columns = headers.map((name) => ({ name, decimals: new DecimalColumn(), dates: new DateColumn() }));
  for (const row of rows) {
    for (const [index, column] of columns.entries()) {
      const value = row[index];
      if (typeof value !== 'string') continue;
      column.decimals.add(value);
      column.dates.add(value);
    }
  }
  const order = onlyOne(columns.map(({ dates }) => dates.provenOrder));
  const dateFormats: Record<string, string> = {};
  const decimalSeparators: Record<string, DecimalSeparator> = {};
  for (const { name, dates, decimals } of columns) {
    const date = options.dateFormat ?? (order === null ? dates.verdict : dates.withOrder(order));
    if (date !== null) dateFormats[name] = date;
    const decimal = options.decimalSeparator ?? decimals.verdict;
    if (decimal !== null && (date === null || options.decimalSeparator !== undefined)) decimalSeparators[name] = decimal;
  }
  return { decimalSeparator: options.decimalSeparator ?? onlyOne(Object.values(decimalSeparators)), decimalSeparators, dateFormats };
}

/** The value that all agree on who have one. */
function onlyOne<T>(values: readonly (T | null)[]): T | null {
  const distinct = new Set(values.filter((value) => value !== null));
  return distinct.size === 1 ? ([...distinct][0] as T) : null;
}
