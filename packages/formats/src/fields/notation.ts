import { plainAmount } from '../columns/amounts';
import { plainDate } from '../columns/date-format';
import type { ColumnType, FileFormat } from '../types';

/** The way in which a file writes numbers and dates as text. */
export interface Notation {
  decimalSeparator?: '.' | ',';
  /** `DD/MM/YYYY` and the like; ISO 8601 is always accepted. */
  dateFormat?: string;
}

/** The known notation of a file's texts, by column or for all columns. */
export interface FileNotation {
  format: FileFormat;
  decimalSeparator: '.' | ',' | null;
  decimalSeparators: Record<string, '.' | ','>;
  dateFormats: Record<string, string>;
}

/** Returns the notation of a column; without a column, that of the whole file. */
export function notationOf(column: string | undefined, file: FileNotation): Notation {
  const decimalSeparator = own(file.decimalSeparators, column) ?? file.decimalSeparator;
  const dateFormat = own(file.dateFormats, column);
  return { ...(decimalSeparator ? { decimalSeparator } : {}), ...(dateFormat === undefined ? {} : { dateFormat }) };
}

const own = <T>(byColumn: Record<string, T>, column: string | undefined): T | undefined =>
  column !== undefined && Object.hasOwn(byColumn, column) ? byColumn[column] : undefined;

/** Converts a text to its JSON form; undefined for a number in another notation. */
export function plainText(
  type: ColumnType,
  text: string,
  { decimalSeparator, dateFormat }: Notation,
): string | undefined {
  if (type === 'amount' || type === 'number') return plainAmount(text, decimalSeparator);
  if (type !== 'date' && type !== 'datetime') return text;
  return plainDate(text, dateFormat) ?? text;
}
