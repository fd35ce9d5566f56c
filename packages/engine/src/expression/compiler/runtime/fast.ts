import { callNative } from './natives';

const SPACE = 32;

/** `$trim` of a text. Most have nothing to trim, which is seen without making a new text. */
export function trimText(text: string): string {
  let previous = SPACE;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === SPACE ? previous === SPACE : code === 9 || code === 10 || code === 13) return trimmed(text);
    previous = code;
  }
  return text.length > 0 && previous === SPACE ? trimmed(text) : text;
}

function trimmed(text: string): string {
  const single = text.replace(/[ \t\n\r]+/g, ' ');
  const start = single.startsWith(' ') ? 1 : 0;
  const end = single.endsWith(' ') && single.length > start ? single.length - 1 : single.length;
  return single.slice(start, end);
}

const ZERO = 48;
const MILLIS_A_DAY = 86_400_000;

/** `$toMillis` of a text: `YYYY-MM-DD` is computed here, all else is jsonata's. */
export function isoMillis(text: string): number {
  const millis = text.length === 10 ? dayMillis(text) : null;
  return millis ?? (callNative('toMillis', [text]) as number);
}

/** Null unless the text is a day that every month has. */
function dayMillis(text: string): number | null {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return null;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // Anything that is no digit has made one of these NaN.
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return null;
  return daysSinceEpoch(year, month, day) * MILLIS_A_DAY;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/** Of the Gregorian calendar; years begin in March, so that a leap day is the last one. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
