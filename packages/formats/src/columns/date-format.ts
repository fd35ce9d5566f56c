import { readDay } from '@tieout/engine';
import { limits } from '../limits';
import { latinDigits } from '../text/characters';
import { compactTime, dateParts, isoText, timeOf, timePattern, withoutWeekday, type PartOrder } from './date-text';

const datePart = "(?:YYYY|YY|MMMM|MMM|MM|M|DD|D|[-/., '年月日]|de|of)+?";
const timePart = '(?:[ T,]*(?:HH|H|hh|h)[:.]?mm(?:[:.]?ss(?:[.,]S{1,9})?)?(?: ?[Aa])?(?: ?Z)?)?';
const dateFormat = new RegExp(`^(${datePart})${timePart}$`);

/** The remedy for an invalid date format. */
export const dateFormatRule =
  'use YYYY or YY, MM or M, DD or D, MMM for the name of a month, and what is between them; a time follows as ' +
  'HH:mm, HH:mm:ss or hh:mm A. Examples: YYYY-MM-DD, DD/MM/YYYY, MM/DD/YYYY, DD.MM.YYYY, DD.MM.YY, DD-MM-YYYY, ' +
  'YYYYMMDD, DDMMYYYY, DD-MMM-YYYY, "DD MMM YYYY", "MMM D, YYYY", "DD/MM/YYYY HH:mm:ss"';

interface DateReader {
  pattern: RegExp;
  order: PartOrder;
}

/** Makes the reader of a format; null where it does not name year, month and day once each. */
function readerOf(format: string): DateReader | null {
  const written = format.length <= maxFormatChars ? dateFormat.exec(format)?.[1] : undefined;
  const tokens = written?.match(/Y+|M+|D+|de|of|[^YMD]/g) ?? [];
  const order = tokens
    .map(([first]) => first)
    .filter((first) => /^[YMD]$/.test(first ?? ''))
    .join('');
  if (!orders.has(order) || !tokens.every(isToken)) return null;
  const source = tokens.map((token, index) =>
    sourceOf(token, isDigits(tokens[index - 1]) || isDigits(tokens[index + 1])),
  );
  const time = tokens.every(isDigits) ? compactTime : `\\.?${timePattern}`;
  return { pattern: new RegExp(`^${source.join('')}${time}$`, 'iu'), order: order as PartOrder };
}

/** Returns whether letters of a format are one of its parts: `DDD` is none. */
const isToken = (token: string): boolean =>
  !/^[YMD]/.test(token) || ['YYYY', 'YY', 'MMMM', 'MMM', 'MM', 'M', 'DD', 'D'].includes(token);

export const maxFormatChars = 40;
const orders: ReadonlySet<string> = new Set(['DMY', 'MDY', 'YMD', 'YDM']);

const isDigits = (token: string | undefined): boolean => token !== undefined && /^(?:Y+|MM?|D+)$/.test(token);

/** Blanks around separators do not count, nor does a leading zero beside one. */
function sourceOf(token: string, isCompact: boolean): string {
  if (/^Y+$/.test(token)) return `(\\d{${token.length}})`;
  if (/^M{3,4}$/.test(token)) return '(\\p{L}{3,14}\\.?)';
  if (isDigits(token)) return isCompact ? '(\\d{2})' : '(\\d{1,2})';
  return token === ' ' ? '\\s+' : `\\s*${token.replace(/[.]/, '\\.')}\\s*`;
}

/** Readers by format. Formats are few; a hostile sender cannot fill the memory with them. */
const readers = new Map<string, DateReader | null>();
const maxReaders = 1_000;

function cachedReader(format: string): DateReader | null {
  let reader = readers.get(format);
  if (reader === undefined) {
    if (readers.size >= maxReaders) readers.clear();
    readers.set(format, (reader = readerOf(format)));
  }
  return reader;
}

export const isDateFormat = (format: string): boolean => cachedReader(format) !== null;

const isoFormat = 'YYYY-MM-DD';

/** Most dates of most files need no conversion. */
const isIsoDay = (text: string): boolean => text.length === isoFormat.length && readDay(text).ok;

/**
 * Converts a date to ISO 8601, with its time if it has one: in the given format, or else as far as the text itself
 * shows the order of its parts. Undefined for any other text.
 */
export function plainDate(text: string, format: string | undefined): string | undefined {
  if (isIsoDay(text) && (format === undefined || format === isoFormat)) return text;
  if (text.length > 2 * limits.valueChars) return undefined;
  const trimmed = latinDigits(text.trim());
  if (trimmed.length > limits.valueChars) return undefined;
  const reader = format === undefined ? null : cachedReader(format);
  const match = reader?.pattern.exec(trimmed) ?? reader?.pattern.exec(withoutWeekday(trimmed));
  if (reader && match) {
    const [, first = '', second = '', third = '', ...rest] = match;
    const time = timeOf(rest);
    return time === undefined ? undefined : isoText({ parts: [first, second, third], time }, reader.order);
  }
  const date = dateParts(trimmed);
  if (date === null || date.order === null || date.mark === 'compact') return undefined;
  return isoText(date, date.order);
}
