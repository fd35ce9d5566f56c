import { formatDay, parseDateWithFormat } from '@tieout/engine';
import type { FileFormat } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import type { FieldType } from './field-types';

/** How a file writes what is text in it. */
export interface Notation {
  decimalSeparator?: '.' | ',';
  /** `DD/MM/YYYY` and the like; ISO 8601 is read in any case. */
  dateFormat?: string;
}

/** How the texts of a file are written, as far as that is known: by column, else for all of them. */
export interface FileNotation {
  format: FileFormat;
  decimalSeparator: '.' | ',' | null;
  decimalSeparators: Record<string, '.' | ','>;
  dateFormats: Record<string, string>;
}

/** How the texts of a column are written; without a column, what holds for the whole file. */
export function notationOf(column: string | undefined, file: FileNotation): Notation {
  const decimalSeparator = own(file.decimalSeparators, column) ?? file.decimalSeparator;
  const dateFormat = own(file.dateFormats, column);
  return { ...(decimalSeparator ? { decimalSeparator } : {}), ...(dateFormat === undefined ? {} : { dateFormat }) };
}

const own = <T>(byColumn: Record<string, T>, column: string | undefined): T | undefined =>
  column !== undefined && Object.hasOwn(byColumn, column) ? byColumn[column] : undefined;

/** The notation of files by id; unknown ids are left out. */
export async function loadNotations(
  scope: Pick<TenantScope, 'tenantId' | 'db'>,
  fileIds: readonly string[],
): Promise<Map<string, FileNotation>> {
  if (fileIds.length === 0) return new Map();
  const rows = await scope.db.query<FileNotation & { id: string }>(
    `select id, detected ->> 'format' as format, detected -> 'decimalSeparator' as "decimalSeparator", detected -> 'decimalSeparators' as "decimalSeparators",
            detected -> 'dateFormats' as "dateFormats"
     from data_source_files where tenant_id = $1::uuid and id = any($2::uuid[]) and detected is not null`,
    [scope.tenantId, fileIds],
  );
  return new Map(rows.map(({ id, ...notation }) => [id, notation]));
}

/** A text in the form in which JSON would bring it; undefined for a number that is written otherwise. */
export function plainText(
  type: FieldType,
  text: string,
  { decimalSeparator, dateFormat }: Notation,
): string | undefined {
  if (type === 'amount' || type === 'number')
    return decimalSeparator === undefined ? text : plainDecimal(text, decimalSeparator);
  if ((type !== 'date' && type !== 'datetime') || dateFormat === undefined) return text;
  const reading = parseDateWithFormat(text.trim(), dateFormat);
  if (!reading.ok) return text;
  const time = type === 'datetime' && dateFormat.includes('HH') ? TIME_OF_DAY.exec(text) : null;
  return time === null ? formatDay(reading.day) : `${formatDay(reading.day)}T${time[1]}:${time[2]}:${time[3] ?? '00'}`;
}

const TIME_OF_DAY = /(\d{2}):(\d{2})(?::(\d{2}))?/;

const CURRENCY = `(?:${Intl.supportedValuesOf('currency').join('|')}|[A-Z]{0,2}\\$|[€£¥])?`;
const SIGN = '([-+\u2212]?)';
const number = (integer: string, separator: string): RegExp =>
  new RegExp(
    `^(\\(?)\\s*${SIGN}\\s*${CURRENCY}\\s*${SIGN}\\s*(${integer})(?:\\${separator}(\\d*))?\\s*${CURRENCY}\\s*${SIGN}(\\)?)$`,
  );
/** Digits alone, or in groups of three with one of the usual marks between them; a currency, a sign and parentheses around. */
const grouped = (mark: string): string => `\\d{1,3}(?:\\${mark}\\d{3})+|\\d{1,3}(?:[ \\u00a0\\u202f']\\d{3})+|\\d*`;
const DECIMALS = { ',': number(grouped('.'), ','), '.': number(grouped(','), '.') } as const;

/** `1.234,56-` and `(R$ 1.234,56)` as `-1234.56`. */
function plainDecimal(text: string, separator: '.' | ','): string | undefined {
  const parts = DECIMALS[separator].exec(text.trim());
  // What is no number in any notation gets the message that says so.
  if (parts === null) return /[.,]/.test(text) && /^[-+\d.,\s']+$/.test(text) ? undefined : text;
  const [, open, sign1 = '', sign2 = '', integer = '', fraction, sign3 = '', close] = parts;
  const signs = sign1 + sign2 + sign3 + (open === '(' ? '-' : '');
  if ((integer === '' && !fraction) || signs.length > 1 || (open === '(') !== (close === ')')) return text;
  return `${signs.replace('\u2212', '-')}${integer.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}
