import type { ColumnType, DecimalSeparator } from '../types';
import { isNoValue, isShortened, plainAmount } from './amounts';
import { plainDate } from './date-format';
import { areFew } from './cells';
import { isFooterLabel } from './footer-labels';
import { arePhones, isCode, isIdentifierName, looksLikeIdentifiers } from './identifiers';
import { meaningOf } from './names';
import { YearlessColumn } from './yearless';

/** The notation in which the texts of a column are written, as far as it is known. */
export interface ColumnNotation {
  decimalSeparator?: DecimalSeparator | undefined;
  dateFormat?: string | undefined;
}

/** A value of a column; `notation` is null where it is read as JSON. */
export interface ColumnValue {
  value: unknown;
  notation: ColumnNotation | null;
}

const integerText = /^[+-]?(0|[1-9]\d{0,14})$/;
const decimalText = /^[+-]?(0|[1-9]\d{0,15})?\.\d{1,4}$/;
/** More decimals than an amount keeps: rates, units of funds. */
const fineDecimal = /^[+-]?(0|[1-9]\d{0,15})?\.\d{5,}$/;
/** The digits that a number keeps exactly. */
const exactDigits = 15;
const longDecimal = /^[+-]?[1-9]\d{16,}\.\d{1,4}$/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Infers the type of a column from its name and values: the type of all but a few of them; string if there is none.
 * Numbers that identify, such as those of invoices, are strings: a
 * number would lose zeros, and texts are what references are compared with.
 */
export const columnType = (name: string, values: readonly ColumnValue[]): ColumnType => typeByLook(name, values).type;

/** Infers the type of a column; `looked` is a number that only its look keeps from being one. */
export function typeByLook(name: string, values: readonly ColumnValue[]): { type: ColumnType; looked?: string } {
  const counts = new Map<CellType, number>();
  let placeholders = 0;
  const present: unknown[] = [];
  const yearless = new YearlessColumn(name);
  for (const { value, notation } of values) {
    if (value === null || value === undefined || value === '') continue;
    const type = typeof value === 'string' ? typeOfCell(name, value.trim(), notation) : typeOfValue(value);
    if (type === null) continue;
    present.push(value);
    if (typeof value === 'string') yearless.add(value);
    if (type === 'string' && typeof value === 'string' && !/\d/.test(value)) placeholders++;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  if (present.every((value) => typeof value === 'string') && yearless.verdict !== null) return { type: 'string' };
  const isNative = present.some((value) => typeof value === 'number');
  const type = commonType(counts, { all: present.length, placeholders, isNative });
  if (type === 'amount') return amountByLook(name, present);
  if (type !== 'number') return { type };
  const meaning = meaningOf(name);
  if (arePhones(name, present) || (meaning === 'identifier' && !present.some(isFraction))) return { type: 'string' };
  const isFineNumber = counts.has('fine number') || present.some(isFine);
  if (meaning === 'money' && !isFineNumber) return { type: 'amount' };
  return looksLikeIdentifiers(name, present) ? { type: 'string', looked: String(present[0]).trim() } : { type };
}

/** Decides between amounts and references that are written like them. */
function amountByLook(name: string, present: readonly unknown[]): { type: ColumnType; looked?: string } {
  const isReference = !present.some(isMoney) && (isSeries(present) || present.every(areLost));
  const haveLetters = present.every((value) => typeof value === 'string' && codeWithLetters.test(value.trim()));
  if (arePhones(name, present) || (isIdentifierName(name) && (isReference || haveLetters))) return { type: 'string' };
  const digits = haveLetters ? present.map((value) => String(value).replace(/\D/g, '')) : [];
  return haveLetters && looksLikeIdentifiers(name, digits, 2)
    ? { type: 'string', looked: String(present[0]).trim() }
    : { type: 'amount' };
}

/** Matches letters right before digits, which may be a currency or part of a code: `FT26005001`. */
const codeWithLetters = /^[A-Z]{1,3}\d+$/i;

/** Returns whether a number has more decimals than an amount keeps. */
const isFine = (value: unknown): boolean => typeof value === 'number' && Number(value.toFixed(4)) !== value;

const isFraction = (value: unknown): boolean =>
  typeof value === 'number' ? !Number.isInteger(value) : typeof value === 'string' && /[.,]\d{5,}/.test(value);

/** Returns whether texts count on within a few long numbers, as the references 2026.10 and 2026.11 do. */
function isSeries(values: readonly unknown[]): boolean {
  const wholes = values.map((value) =>
    typeof value === 'string' ? /^(\d{4,})\.\d{1,4}$/.exec(value.trim())?.[1] : undefined,
  );
  return !wholes.includes(undefined) && new Set(wholes).size <= Math.max(1, values.length / 2);
}

const areLost = (value: unknown): boolean => typeof value === 'string' && isShortened(value);

/** Matches what no reference has: a sign, a currency, thousands and decimals, or a comma before cents. */
const money = /^[-+(]|[€$£]|\d[.,]\d{3}[.,]\d|,\d{2}$/;
const isMoney = (value: unknown): boolean => typeof value === 'string' && money.test(value.trim());

interface ColumnCounts {
  all: number;
  /** Texts without a digit. */
  placeholders: number;
  /** Numbers come as numbers. */
  isNative: boolean;
}

/** The fewest whole numbers, written as text, beside which a word is a placeholder. */
const minWholes = 10;

function commonType(counts: ReadonlyMap<CellType, number>, { all, placeholders, isNative }: ColumnCounts): ColumnType {
  if (all === 0) return 'string';
  const [only] = counts.keys();
  if (counts.size === 1 && only !== undefined) return only === 'fine number' ? 'number' : only;
  const countOf = (...types: CellType[]): number => types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  const isMajority = (count: number): boolean => count > 0 && areFew(all - count, count);
  if (isMajority(countOf('date', 'datetime'))) return countOf('datetime') > 0 ? 'datetime' : 'date';
  const isDecimal = countOf('amount', 'fine number') > 0;
  if (isDecimal && isMajority(countOf('amount', 'number', 'fine number')))
    return countOf('fine number') > 0 ? 'number' : 'amount';
  // Among whole numbers a text with a digit is an identifier, as `12a`; one without may be a placeholder, as `TBD`.
  const wholes = countOf('number');
  const arePlaceholders = wholes + placeholders === all && (isNative || wholes >= minWholes);
  return isMajority(wholes) && (wholes === all || arePlaceholders) ? 'number' : 'string';
}

/** The type that a cell alone shows; a `fine number` has more decimals than an amount. */
type CellType = ColumnType | 'fine number';

export const typeOfCell = (name: string, text: string, notation: ColumnNotation | null): CellType | null => {
  const type = typeOfText(text, notation);
  return (type === 'date' || type === 'datetime') && isCode(name, text) ? 'string' : type;
};

/** Null for a text that stands for no value, or labels a row below the table. */
function typeOfText(text: string, notation: ColumnNotation | null): CellType | null {
  if (isNoValue(text) || isFooterLabel(text)) return null;
  if (/^(true|false)$/i.test(text)) return 'boolean';
  const day = plainDate(text, notation?.dateFormat);
  if (day !== undefined && (notation !== null || day === text || isRfc3339(text)))
    return isoDay.test(day) ? 'date' : 'datetime';
  const number = notation === null ? text : plainAmount(text, notation.decimalSeparator);
  if (number === undefined) return 'string';
  // Digits with blanks, a currency or a side are an amount also without decimals.
  if (number !== text && integerText.test(number)) return 'amount';
  // An amount has fewer digits: this cell fails, and says nothing about the others.
  if (longDecimal.test(number)) return null;
  // A number with a leading zero, or more digits than a double holds, is an identifier and stays a string.
  if (integerText.test(number)) return 'number';
  if (fineDecimal.test(number) && digitsOf(number) <= exactDigits) return 'fine number';
  return decimalText.test(number) ? 'amount' : 'string';
}

const digitsOf = (number: string): number => number.replace(/\D/g, '').replace(/^0+/, '').length;

const isRfc3339 = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?$/.test(text);

export function typeOfValue(value: unknown): ColumnType {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'object';
}
