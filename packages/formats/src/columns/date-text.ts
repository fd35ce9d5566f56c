import { limits } from '../limits';
import { latinDigits } from '../text/characters';
import { daysInMonth } from '../text/calendar';
import { isWeekday, monthNamed } from './calendar-names';

const month = '(\\p{L}{3,14})\\.?';
const year = "'?(\\d{4}|\\d{2})";
const day = '(\\d{1,2})(?:st|nd|rd|th|er|º|ª)?\\.?';
const gap = "(?:\\s*[-/.]\\s*|\\s+(?:(?:de|of)\\s+|d')?|)";
/** Matches the time after a date: six groups. */
export const timePattern =
  '(?:(?:\\s*[T,]\\s*|\\s+(?:at |um ' +
  ')?|:(?=\\d{1,2}:\\d{2}:\\d{2}))' +
  '(\\d{1,2})[:.h](\\d{2})(?:[:.](\\d{2})(?:[.,](\\d{1,9}))?)?' +
  '(?:\\s*([ap])\\.?\\s?m\\.?)?(?:\\s*(?:uhr|h|hrs))?(?:\\s*(z|utc|gmt|[+-]\\d{2}(?::?\\d{2})?))?)?';

const numeric = new RegExp(`^(\\d{1,4})\\s*([/.-])\\s*(\\d{1,2})\\s*\\2\\s*(\\d{1,4})\\.?${timePattern}$`, 'iu');
const dayFirst = new RegExp(`^${day}${gap}${month}${gap}${year}\\.?${timePattern}$`, 'iu');
const monthFirst = new RegExp(`^${month}${gap}${day}(?:,\\s*|\\s+|-|/)${year}\\.?${timePattern}$`, 'iu');
const yearFirst = new RegExp(`^(\\d{4})${gap}${month}${gap}${day}${timePattern}$`, 'iu');
const ideographic = new RegExp(`^(\\d{4})[年년]\\s*(\\d{1,2})[月월]\\s*(\\d{1,2})[日일]${timePattern}$`, 'iu');
/** Matches the time behind digits alone: six groups. */
export const compactTime =
  '(?:[T\\s]?([01]\\d|2[0-3]):?([0-5]\\d)(?::?([0-5]\\d)(?:[.,](\\d{1,9}))?)?' +
  '(?:\\s*([ap])\\.?m\\.?)?(?:\\s*(z|utc|gmt|[+-]\\d{2}(?::?\\d{2})?))?)?';
const compact = new RegExp(`^((?:19|20)\\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])${compactTime}$`, 'i');

const hasDigit = /\d/;
/** Matches a word before a date, and one behind. */
const wordBefore = /^(\p{L}{2,13}(?:-\p{L}{2,8})?)\.?,?\s+(?=\d|\p{L}{3,14}\.? \d)/u;
const wordBehind = /(?<=\d\.?)(?:,?\s+|\s*\()(\p{L}{1,13}(?:-\p{L}{2,8})?)\.?\)?$/u;

export type PartOrder = 'DMY' | 'MDY' | 'YMD' | 'YDM';

/** A date as written, taken apart. */
export interface DateText {
  /** The parts in the order of the text. */
  parts: readonly [string, string, string];
  /** The character between numbers; `name` where the month is a name. */
  mark: '/' | '.' | '-' | '年' | 'name' | 'compact';
  /** The order, where the text shows it; null where only the column can. */
  order: PartOrder | null;
  time: DateTime | null;
}

export interface DateTime {
  text: string;
  hasSeconds: boolean;
  isHalfDay: boolean;
}

/** Takes a date apart; null for a text that is none. */
export function dateParts(text: string): DateText | null {
  if (text.length > 2 * limits.valueChars) return null;
  const trimmed = latinDigits(text.trim());
  if (trimmed.length > limits.valueChars || trimmed.length < 6) return null;
  if (!hasDigit.test(trimmed)) return null;
  // `Mar 3, 2026` begins with a month, which is also a Tuesday in Spanish: a date that is whole without is taken first.
  return datedParts(trimmed) ?? datedParts(withoutWeekday(trimmed));
}

const datedParts = (text: string): DateText | null =>
  (/^\d/.test(text) ? numericParts(text) : null) ?? namedParts(text);

/** Removes the day of the week before or behind a date, which adds nothing. */
export function withoutWeekday(text: string): string {
  const before = wordBefore.exec(text);
  const behind = before === null ? wordBehind.exec(text) : null;
  const word = (before ?? behind)?.[1];
  if (word === undefined || /^[ap]m$/i.test(word)) return text;
  const rest = before === null ? text.slice(0, behind?.index) : text.slice(before[0].length);
  return datedParts(rest) !== null && isWeekday(word) ? rest : text;
}

function numericParts(text: string): DateText | null {
  const match = numeric.exec(text);
  if (match !== null) {
    const [, first = '', mark = '', second = '', third = '', ...rest] = match;
    const isYearFirst = first.length === 4;
    const clock = timeOf(rest);
    if (clock === undefined || first.length === 3) return null;
    if (isYearFirst ? third.length > 2 : third.length !== 2 && third.length !== 4) return null;
    const order = isYearFirst ? 'YMD' : mark === '.' ? 'DMY' : null;
    return { parts: [first, second, third], mark: mark as '/', order, time: clock };
  }
  const digits = compact.exec(text);
  if (digits !== null) {
    const [, y = '', m = '', d = '', ...rest] = digits;
    const clock = timeOf(rest);
    return clock === undefined ? null : { parts: [y, m, d], mark: 'compact', order: 'YMD', time: clock };
  }
  const signs = ideographic.exec(text);
  if (signs === null) return null;
  const [, y = '', m = '', d = '', ...rest] = signs;
  const clock = timeOf(rest);
  return clock === undefined ? null : { parts: [y, m, d], mark: '年', order: 'YMD', time: clock };
}

function namedParts(text: string): DateText | null {
  for (const [pattern, order, at] of namedPatterns) {
    const match = pattern.exec(text);
    if (match === null || monthNamed(match[at] ?? '') === undefined) continue;
    const [, first = '', second = '', third = '', ...rest] = match;
    const clock = timeOf(rest);
    return clock === undefined ? null : { parts: [first, second, third], mark: 'name', order, time: clock };
  }
  return null;
}

const namedPatterns: readonly (readonly [RegExp, PartOrder, number])[] = [
  [dayFirst, 'DMY', 2],
  [monthFirst, 'MDY', 1],
  [yearFirst, 'YMD', 2],
];

/** Returns the time of day as ISO text; null where there is none, undefined where it is no time. */
export function timeOf(groups: readonly (string | undefined)[]): DateTime | null | undefined {
  const [hourText, minute, second, fraction, half, zone] = groups;
  if (hourText === undefined || minute === undefined) return null;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const clock = `T${pad(hour)}:${minute}:${second ?? '00'}${fraction === undefined ? '' : `.${fraction}`}`;
  return { text: clock + zoneText(zone), hasSeconds: second !== undefined, isHalfDay: half !== undefined };
}

function zoneText(zone: string | undefined): string {
  if (zone === undefined) return '';
  if (/^[zug]/i.test(zone)) return 'Z';
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.length > 3 ? digits.slice(3) : '00'}`;
}

const pad = (value: number | string): string => String(value).padStart(2, '0');

/** Two-digit years up to this one belong to 20xx, later ones to 19xx (the POSIX rule). */
const lastShortYearOf2000s = 68;

/** Converts a date to ISO 8601 in the given order of its parts; undefined where no such day exists. */
export function isoText(
  { parts, time: clock }: Pick<DateText, 'parts' | 'time'>,
  order: PartOrder,
): string | undefined {
  const yearText = parts[order.indexOf('Y')] as string;
  const monthText = parts[order.indexOf('M')] as string;
  const dayText = parts[order.indexOf('D')] as string;
  const short = Number(yearText);
  const years = yearText.length > 2 ? short : short + (short <= lastShortYearOf2000s ? 2000 : 1900);
  const months = /^\d/.test(monthText) ? Number(monthText) : (monthNamed(monthText) ?? 0);
  const days = Number(dayText);
  if (years < 1 || days < 1 || days > daysInMonth(years, months)) return undefined;
  return `${String(years).padStart(4, '0')}-${pad(months)}-${pad(days)}${clock?.text ?? ''}`;
}
