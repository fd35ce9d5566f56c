import { meaningOf, wordsOf, type NameMeaning } from './names';
import { isDateName } from './serials';

/** Returns whether the name of a column says that its values identify something, or may do so. */
export function isIdentifierName(name: string): boolean {
  const meaning = meaningOf(name);
  return meaning === 'identifier' || meaning === 'open';
}

const dayName =
  /^(?:data|fecha|days?|tag|dt|dia|jour|time|zeit|posted|placed|due|period[eo]?|fallig|vencim[ei]+nto|valuta|am|on)$/;
const dayEnding = /(?<!man)dat(?:e|um)(?![a-z]*nr)|tag$/;
const isDayName = (name: string): boolean => wordsOf(name).some((word) => dayName.test(word) || dayEnding.test(word));
const codeText = /^(?:\d{2}([-./ ])\d{2}\1\d{2}|\d{6,14})$/;

/** Returns whether digits in a column are part of an identifier, as `20-11-12` in that of sort codes, and no day. */
export function isCode(name: string, text: string): boolean {
  return codeText.test(text) && isIdentifierName(name) && !isDayName(name);
}

/** Returns whether all values are numbers of phones: `+4917012345678`. Amounts of this size are not all positive. */
export function arePhones(name: string, all: readonly unknown[]): boolean {
  if (saysHowMuch(meaningOf(name))) return false;
  return all.every(
    (value) =>
      typeof value === 'string' && /^\+[\d -]{8,20}$/.test(value.trim()) && value.replace(/\D/g, '').length > 7,
  );
}

const saysHowMuch = (meaning: NameMeaning): boolean => meaning === 'money' || meaning === 'quantity';

const minIdentifiers = 3;
const minDigits = 6;
/** Amounts have fewer digits. */
const surelyLong = 12;
/** One number of this length in each row is that of an account. */
const accountDigits = 8;
/** Numbers from here on that lie close together are counted on. */
const minCounted = 1_000;
const closeTogether = 10;
/** Amounts are often round. */
const maxRoundShare = 0.5;

/**
 * Returns whether whole numbers are identifiers by their look: all different, and long or counted on; or all the same.
 * A name that may mean either needs numbers of one length alone; one that says how much goes before the look.
 */
export function looksLikeIdentifiers(name: string, all: readonly unknown[], minValues = minIdentifiers): boolean {
  const meaning = meaningOf(name);
  if (saysHowMuch(meaning)) return false;
  const texts = all.map((value) => String(value).trim());
  const [first = ''] = texts;
  if (!texts.every((text) => text.length === first.length && /^\d+$/.test(text))) return false;
  if (meaning === 'open') return true;
  const values = new Set(texts).size;
  const numbers = texts.map(Number);
  const areCounted = Math.min(...numbers) >= minCounted && range(numbers) < closeTogether * values;
  if (values > 1 && values === texts.length && areCounted && !isDateName(name)) return true;
  if (texts.length < minValues && first.length < surelyLong) return false;
  if (values === 1) return first.length >= accountDigits;
  if (values < texts.length || first.length < minDigits) return false;
  return numbers.filter((number) => number % 100 === 0).length <= values * maxRoundShare;
}

const range = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers);
