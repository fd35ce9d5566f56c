import { limits } from '../limits';
import { daysInMonth } from '../text/calendar';

/** Names of months in English, Portuguese, Spanish, German, French, Italian, Dutch and Polish, without accents. */
const monthNames = [
  'jan january janeiro januar janner janvier janv enero ene gennaio gen januari sty stycznia',
  'feb february fev fevereiro febrero februar feber fevrier fevr febbraio februari lut lutego',
  'mar march marco marzo marz mrz maerz mars maart mrt marca',
  'apr april abr abril avr avril aprile kwi kwietnia',
  'may mai maio mayo mag maggio mei maj maja',
  'jun june junho junio juni juin giu giugno cze czerwca',
  'jul july julho julio juli juil juillet lug luglio lip lipca',
  'aug august ago agosto aout augustus sie sierpnia',
  'sep sept september set setembro septiembre setiembre septembre settembre wrz wrzesnia',
  'oct october out outubro octubre okt oktober octobre ott ottobre paz pazdziernika',
  'nov november novembro noviembre novembre lis listopada',
  'dec december dez dezembro dic diciembre dezember decembre dicembre gru grudnia des desember',
];
const monthOfName: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);

/** Returns the number of a month, 1 to 12, by its name or abbreviation. */
export function monthNamed(name: string): number | undefined {
  return monthOfName.get(
    name
      .normalize('NFD')
      .replace(/[\u0300-\u036f.]/g, '')
      .toLowerCase(),
  );
}

/** Days of the week before a date, which add nothing. */
const weekday = new RegExp(
  '^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|' +
    'mi[eé]|jue|vie|s[aá]b|dom|seg|ter|qua|qui|sex)[a-zà-ÿ-]{0,8}\\.?,?\\s+(?=\\d|[a-z]{3,10}\\.? \\d)',
  'i',
);

/** Matches words that are a month and a day of the week. */
const beginsWithMonth = /^mar/i;

const month = '([a-zà-ÿ]{3,10})\\.?';
const year = "'?(\\d{4}|\\d{2})";
const day = '(\\d{1,2})(?:st|nd|rd|th|er|º|ª)?\\.?';
const gap = "(?:\\s*[-/.]\\s*|\\s+(?:de|of|d')?\\s*|)";
/** Matches the time after a date: six groups. */
export const timePattern =
  '(?:(?:\\s*[T,]\\s*|\\s+(?:at |um ' +
  ')?|:(?=\\d{1,2}:\\d{2}:\\d{2}))' +
  '(\\d{1,2})[:.h](\\d{2})(?:[:.](\\d{2})(?:[.,](\\d{1,9}))?)?' +
  '(?:\\s*([ap])\\.?\\s?m\\.?)?(?:\\s*(?:uhr|h|hrs))?(?:\\s*(z|utc|gmt|[+-]\\d{2}(?::?\\d{2})?))?)?';

const numeric = new RegExp(`^(\\d{1,4})\\s*([/.-])\\s*(\\d{1,2})\\s*\\2\\s*(\\d{1,4})\\.?${timePattern}$`, 'i');
const dayFirst = new RegExp(`^${day}${gap}${month}${gap}${year}\\.?${timePattern}$`, 'i');
const monthFirst = new RegExp(`^${month}${gap}${day}(?:,\\s*|\\s+|-|/)${year}\\.?${timePattern}$`, 'i');
const yearFirst = new RegExp(`^(\\d{4})${gap}${month}${gap}${day}${timePattern}$`, 'i');
const ideographic = new RegExp(`^(\\d{4})年\\s*(\\d{1,2})月\\s*(\\d{1,2})日${timePattern}$`, 'i');
const compact = /^((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d))?$/;

const hasDigit = /\d/;
const firstWord = /^[a-zà-ÿ]{3,10}/i;

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
  const trimmed = text.trim();
  if (trimmed.length > limits.valueChars || trimmed.length < 6) return null;
  if (!hasDigit.test(trimmed)) return null;
  if (/^\d/.test(trimmed)) return numericParts(trimmed) ?? namedParts(trimmed);
  // `Mar 3, 2026` begins with a month, which is also a Tuesday in Spanish: a date that is whole without is taken first.
  const whole = beginsWithMonth.test(trimmed) ? namedParts(trimmed) : null;
  if (whole !== null) return whole;
  const plain = trimmed.replace(weekday, '');
  if (!/^\d/.test(plain) && monthNamed(firstWord.exec(plain)?.[0] ?? '') === undefined) return null;
  return numericParts(plain) ?? namedParts(plain);
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
    const [, y = '', m = '', d = '', hour, minute, second] = digits;
    const clock = hour === undefined ? null : timeOf([hour, minute, second]);
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
