import { limits } from '../limits';
import { latinDigits } from '../text/characters';
import type { DecimalSeparator } from '../types';

const noValueText = /^(?:[-\u2010-\u2015\u2212]{1,3}|#?n\/a|n\.a\.|na|null|\(null\)|nil|nan|none|\?)$/i;

/** Returns whether a cell of a column of numbers or dates stands for no value: `-`, `n/a`, `NULL`. */
export function isNoValue(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === '' || (trimmed.length <= 6 && noValueText.test(trimmed));
}

/** The codes of all currencies, as a pattern. */
export const isoCurrency = Intl.supportedValuesOf('currency').join('|');
const symbols =
  '[A-Z]{0,2}\\$|[€£¥₹₽₺₩₪₫₴₦฿₱₡₲₵]|Rs\\.?|kr\\.?|zł|Kč|Ft|лв\\.?|руб\\.?|lei|S?Fr\\.?|din\\.?|TL|RM|Rp\\.?|Bs\\.?';
const currency = `(?:${isoCurrency}|${symbols})?`;
const sign = '([-+\\u2212\\u2013]?)';
const side = '(?:(dr|cr|db)\\.?|([dcsh]))?';
const marks = "[.,'’ \\u00a0\\u2009\\u202f]";

/** Matches a number as people write it: sign or parentheses, currency, digits with separators, debit or credit. */
const amountText = new RegExp(
  `^(?:(dr|cr)\\.?\\s*)?(\\(?)\\s*${sign}\\s*${currency}\\s*(\\(?)\\s*${sign}\\s*` +
    `((?:\\d|[.,]\\d)(?:${marks}?\\d)*)([.,]?)(?:(?<=[.,])[-\\u2013\\u2014]{1,2})?\\s*` +
    `${currency}\\s*${sign}\\s*(\\)?)\\s*${currency}\\s*${side}$`,
  'i',
);
/** Matches `(DR)` behind an amount. */
const sideInParentheses = /(?<=\d\s*)\(([dc]r|db|[dcsh])\.?\)$/i;
const groupMarks = /['’ \u00a0\u2009\u202f]/;
const groupedByMark = /^\d{1,3}(?:(['’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*(?=$|[.,])/;

const hasDigit = /\d/;
/** No currency or side is this long, which rules out most texts cheaply. */
const longWord = /[^\s\d.,'’+()-]{5}/;

interface AmountText {
  isNegative: boolean;
  /** Digits with `.` and `,` as written. */
  digits: string;
}

/** Takes an amount apart; null for a text that is none. */
export function amountParts(written: string): AmountText | null {
  if (written.length > limits.valueChars) return null;
  const text = latinDigits(written);
  if (!hasDigit.test(text) || longWord.test(text)) return null;
  const trimmed = text.trim();
  if (withExponent.test(trimmed)) return writtenOut(trimmed);
  const parts = amountText.exec(trimmed.replace(sideInParentheses, '$1'));
  if (parts === null) return null;
  const [, before, open1, sign1 = '', open2, sign2 = '', number = '', end, sign3 = '', close, sides, letter] = parts;
  // `13.01.` is a day of a month.
  if (end === '.' && number.includes('.') && trimmed.endsWith('.')) return null;
  const digits = ungrouped(number);
  const opened = (open1 ?? '') + (open2 ?? '');
  const signs = (sign1 + sign2 + sign3).replace(/[\u2212\u2013]/g, '-');
  const wordOfSide = (before ?? sides ?? letter)?.toLowerCase();
  if (digits === null || signs.length > 1 || opened.length !== (close ?? '').length) return null;
  // One letter for debit or credit is believed only after decimals: `12,50 S`.
  if (letter !== undefined && !/[.,]\d{2}$/.test(digits)) return null;
  if (before !== undefined && (sides !== undefined || letter !== undefined)) return null;
  const isMinus = signs === '-' || opened !== '';
  if (wordOfSide === undefined) return signs !== '' && opened !== '' ? null : { isNegative: isMinus, digits };
  const isDebit = debits.has(wordOfSide);
  return isMinus && !isDebit ? null : { isNegative: isDebit, digits };
}

/** Matches a number with an exponent: one with a sign, or behind decimals. `12E3` is rather an identifier. */
const withExponent = /^[-+]?\d+(?:[.,]\d+E[-+]?|E[-+])\d{1,2}$/i;

/** Writes a number out: `1,5E+3` as `1500`, `1.5E-3` as `0.0015`. */
function writtenOut(text: string): AmountText {
  const [mantissa = '', exponent = '0'] = text.replace(/^[-+]/, '').toUpperCase().split('E');
  const mark = /[.,]/.exec(mantissa)?.[0] ?? '.';
  const [whole = '', fraction = ''] = mantissa.split(mark);
  const at = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length + Math.max(0, 1 - at), '0');
  const point = Math.max(at, 1);
  const integer = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  const decimals = digits.slice(point);
  return { isNegative: text.startsWith('-'), digits: decimals === '' ? integer : integer + mark + decimals };
}

/** Returns whether a number is one of ten digits or more that a spreadsheet shortened: `1.23457E+11`. */
export const isShortened = (text: string): boolean => {
  const trimmed = text.trim();
  return trimmed.length < 40 && withExponent.test(trimmed) && Number(/E\+?(-?\d+)$/i.exec(trimmed)?.[1]) >= 9;
};

/** Debit in English, `S` (Soll) in German. Money that goes out is negative. */
const debits: ReadonlySet<string> = new Set(['dr', 'db', 'd', 's']);

/** Removes blanks and apostrophes between groups of three digits; null where they stand elsewhere. */
function ungrouped(digits: string): string | null {
  if (!groupMarks.test(digits)) return digits;
  const whole = groupedByMark.exec(digits)?.[0];
  if (whole === undefined || digits.startsWith('0')) return null;
  const rest = digits.slice(whole.length);
  return groupMarks.test(rest) ? null : whole.replace(/\D/g, '') + rest;
}

const groupedByPoint = '\\d{1,3}(?:\\.\\d{3})+';
/** Thousands, or the lakhs of India: `1,25,000`. */
const groupedByComma = '\\d{1,3}(?:,\\d{3})+|\\d{1,2}(?:,\\d{2})+,\\d{3}';
const onlyGroups = { '.': new RegExp(`^(?:${groupedByPoint})$`), ',': new RegExp(`^(?:${groupedByComma})$`) };
const plainDigits = {
  ',': new RegExp(`^(${groupedByPoint}|\\d*)(?:,(\\d*))?$`),
  '.': new RegExp(`^(${groupedByComma}|\\d*)(?:\\.(\\d*))?$`),
  none: /^(\d*)(?:\.(\d*))?$/,
};

/**
 * Converts an amount to plain decimal text: `1.234,56-`, `(R$ 1.234,56)` and `1.234,56 S` to `-1234.56`. Returns a text
 * that is no amount as it is, and undefined for a number in another notation.
 */
export function plainAmount(text: string, separator: DecimalSeparator | undefined): string | undefined {
  const parts = amountParts(text);
  if (parts === null) return separator !== undefined && /^[-+\d.,\s']*[.,][-+\d.,\s']*$/.test(text) ? undefined : text;
  const digits = plainDigits[separator ?? 'none'].exec(parts.digits);
  if (digits === null) return separator === undefined ? text : undefined;
  const [, whole = '', fraction = ''] = digits;
  if (whole === '' && fraction === '') return text;
  return `${parts.isNegative ? '-' : ''}${whole.replace(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Returns what one value proves: a separator, nothing (`12`, `1,234`), or that it is no number. */
export function decimalEvidence(value: string): DecimalSeparator | 'none' | 'no number' {
  const digits = amountParts(value)?.digits;
  if (digits === undefined) return 'no number';
  const ofExponent = withExponent.test(value.trim()) ? /[.,]/.exec(value)?.[0] : undefined;
  if (ofExponent !== undefined) return ofExponent as DecimalSeparator;
  const point = digits.lastIndexOf('.');
  const comma = digits.lastIndexOf(',');
  if (point < 0 && comma < 0) return 'none';
  if (point >= 0 && comma >= 0) return bothMarks(digits, point > comma ? '.' : ',');
  return oneMark(digits, point >= 0 ? '.' : ',');
}

const other = (mark: DecimalSeparator): DecimalSeparator => (mark === '.' ? ',' : '.');

function bothMarks(digits: string, last: DecimalSeparator): DecimalSeparator | 'no number' {
  return onlyGroups[other(last)].test(digits.slice(0, digits.lastIndexOf(last))) ? last : 'no number';
}

function oneMark(digits: string, mark: DecimalSeparator): DecimalSeparator | 'none' | 'no number' {
  const isGrouped = onlyGroups[mark].test(digits);
  const isSingle = digits.indexOf(mark) === digits.lastIndexOf(mark);
  if (!isSingle) return isGrouped ? other(mark) : 'no number';
  // `0,123` has no thousands: no number has a leading zero before them.
  return isGrouped && !digits.startsWith('0') ? 'none' : mark;
}

/** Returns whether a number may have thousands or decimals: `1,234`. */
export const isDoubtfulAmount = (text: string): boolean => decimalEvidence(text) === 'none' && /\d[.,]\d/.test(text);
