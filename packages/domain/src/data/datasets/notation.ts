import { formatDay, parseDateWithFormat } from '@tieout/engine';
import type { FileFormat } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import type { FieldType, Notation } from '../../kernel/ports';

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

/** Reads the notation of files by id; unknown ids are absent. */
export async function loadNotations(
  scope: Pick<TenantScope, 'tenantId' | 'db'>,
  fileIds: readonly string[],
): Promise<Map<string, FileNotation>> {
  if (fileIds.length === 0) return new Map();
  const rows = await scope.db.query<FileNotation & { id: string }>(
    `select id, detected ->> 'format' as format, detected -> 'decimalSeparator' as "decimalSeparator",
            detected -> 'decimalSeparators' as "decimalSeparators", detected -> 'dateFormats' as "dateFormats"
     from data_source_files where tenant_id = $1::uuid and id = any($2::uuid[]) and detected is not null`,
    [scope.tenantId, fileIds],
  );
  return new Map(rows.map(({ id, ...notation }) => [id, notation]));
}

/** Converts a text to its JSON form; undefined for a number in another notation. */
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
  const time = type === 'datetime' && dateFormat.includes('HH') ? timeOfDay.exec(text) : null;
  return time === null ? formatDay(reading.day) : `${formatDay(reading.day)}T${time[1]}:${time[2]}:${time[3] ?? '00'}`;
}

const timeOfDay = /(\d{2}):(\d{2})(?::(\d{2}))?/;

const currency = `(?:${Intl.supportedValuesOf('currency').join('|')}|[A-Z]{0,2}\\$|[€£¥])?`;
const sign = '([-+\u2212]?)';
const number = (integer: string, separator: string): RegExp =>
  new RegExp(
    `^(\\(?)\\s*${sign}\\s*${currency}\\s*${sign}\\s*(${integer})(?:\\${separator}(\\d*))?` +
      `\\s*${currency}\\s*${sign}(\\)?)$`,
  );
/** Plain digits, or groups of three digits separated by one of the usual marks. */
const grouped = (mark: string): string => `\\d{1,3}(?:\\${mark}\\d{3})+|\\d{1,3}(?:[ \\u00a0\\u202f']\\d{3})+|\\d*`;
const decimalPatterns = { ',': number(grouped('.'), ','), '.': number(grouped(','), '.') } as const;

/** Converts `1.234,56-` and `(R$ 1.234,56)` to `-1234.56`. */
function plainDecimal(text: string, separator: '.' | ','): string | undefined {
  const parts = decimalPatterns[separator].exec(text.trim());
  // A text that is no number in any notation stays as it is: the message of its field says so.
  if (parts === null) return /[.,]/.test(text) && /^[-+\d.,\s']+$/.test(text) ? undefined : text;
  const [, open, sign1 = '', sign2 = '', integer = '', fraction, sign3 = '', close] = parts;
  const signs = sign1 + sign2 + sign3 + (open === '(' ? '-' : '');
  if ((integer === '' && !fraction) || signs.length > 1 || (open === '(') !== (close === ')')) return text;
  return `${signs.replace('\u2212', '-')}${integer.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}
