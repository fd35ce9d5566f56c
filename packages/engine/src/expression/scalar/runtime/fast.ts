import { dayFromCivil } from '../../../values/calendar';
import { tickText } from '../../limits/meter';
import { callNative } from './natives';

const spaceBlank = 1;
const otherBlank = 3;

/** Indexed by character code; 0 for other characters than blanks. */
const blanks = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 32 ? spaceBlank : code === 9 || code === 10 || code === 13 ? otherBlank : 0,
);

function blankAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < blanks.length ? (blanks[code] as number) : 0;
}

/** `$trim` of a text. Most have blanks at their ends at most, which takes no pattern. */
export function trimText(text: string): string {
  tickText(text.length);
  let start = 0;
  let end = text.length;
  while (start < end && blankAt(text, start) !== 0) start++;
  while (end > start && blankAt(text, end - 1) !== 0) end--;
  const inner = start === 0 && end === text.length ? text : text.slice(start, end);
  return hasOnlySingleSpaces(text, start, end) ? inner : inner.replace(/[ \t\n\r]+/g, ' ');
}

/**
 * Runs to the end without a branch: word boundaries differ for each text, and a mispredicted branch costs as much as
 * ten characters.
 */
function hasOnlySingleSpaces(text: string, start: number, end: number): boolean {
  let previous = 0;
  let others = 0;
  for (let index = start; index < end; index++) {
    const blank = blankAt(text, index);
    // A set bit marks a space after a blank, or a blank other than a space.
    others |= blank & (previous | (blank >> 1));
    previous = blank;
  }
  return others === 0;
}

const zeroCode = 48;
const hyphenCode = 45;
const millisPerDay = 86_400_000;

/** `$toMillis` of a text: `YYYY-MM-DD` is computed here, all else is jsonata's. */
export function isoMillis(text: string): number {
  const millis = text.length === 10 ? dayMillis(text) : null;
  return millis ?? (callNative('toMillis', [text]) as number);
}

/** Null unless the text is a day that every month has. */
function dayMillis(text: string): number | null {
  if (text.charCodeAt(4) !== hyphenCode || text.charCodeAt(7) !== hyphenCode) return null;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > 28) return null;
  return dayFromCivil(year, month, day) * millisPerDay;
}

/**
 * Returns a number far below 0 where a character is not a digit. Whole numbers only, in place of NaN, take a fraction
 * of the time.
 */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zeroCode;
  const ones = text.charCodeAt(at + 1) - zeroCode;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : -10_000_000;
}
