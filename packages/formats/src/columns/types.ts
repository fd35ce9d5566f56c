import type { ColumnType, DecimalSeparator } from '../types';
import { isNoValue, plainAmount } from './amounts';
import { plainDate } from './date-format';
import { areFew } from './cells';
import { isFooterLabel } from './footer-labels';
import { isCode, isIdentifierName, looksLikeIdentifiers } from './identifiers';
import { YearlessColumn } from './yearless';

/** The notation of the texts of a column, as far as it is known. */
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
const longDecimal = /^[+-]?[1-9]\d{16,}\.\d{1,4}$/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Infers the type of a column from its name and values: the type of all but a few of them; string if there is none.
 * Numbers that identify, such as those of invoices, are strings: a
 * number would lose zeros, and texts are what references are compared with.
 */
export function columnType(name: string, values: readonly ColumnValue[]): ColumnType {
  const counts = new Map<ColumnType, number>();
  const present: unknown[] = [];
  const yearless = new YearlessColumn(name);
  for (const { value, notation } of values) {
    if (value === null || value === undefined || value === '') continue;
    const type = typeof value === 'string' ? typeOfCell(name, value.trim(), notation) : typeOfValue(value);
    if (type === null) continue;
    present.push(value);
    if (typeof value === 'string') yearless.add(value);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  if (present.every((value) => typeof value === 'string') && yearless.verdict !== null) return 'string';
  const type = commonType(counts, present.length);
  const isNumeric = type === 'number' || type === 'amount';
  if (!isNumeric) return type;
  const isIdentifier =
    type === 'number'
      ? (isIdentifierName(name) && !present.some(isFraction)) || looksLikeIdentifiers(name, present)
      : isIdentifierName(name) && !present.some(isMoney) && isSeries(present);
  return isIdentifier ? 'string' : type;
}

const isFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value);

/** Returns whether texts count on within a few long numbers, as the references 2026.10 and 2026.11 do. */
function isSeries(values: readonly unknown[]): boolean {
  const wholes = values.map((value) =>
    typeof value === 'string' ? /^(\d{4,})\.\d{1,4}$/.exec(value.trim())?.[1] : undefined,
  );
  return !wholes.includes(undefined) && new Set(wholes).size <= Math.max(1, values.length / 2);
}

/** Matches what no reference has: a sign, a currency, thousands and decimals, or a comma before cents. */
const money = /^[-+(]|[€$£]|\d[.,]\d{3}[.,]\d|,\d{2}$/;
const isMoney = (value: unknown): boolean => typeof value === 'string' && money.test(value.trim());

/** Whole numbers cannot stand for the few: an id with a letter may stand among them. */
function commonType(counts: ReadonlyMap<ColumnType, number>, all: number): ColumnType {
  if (all === 0) return 'string';
  const [only] = counts.keys();
  if (counts.size === 1 && only !== undefined) return only;
  const countOf = (...types: ColumnType[]): number => types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  const isMajority = (count: number): boolean => count > 0 && areFew(all - count, count);
  if (isMajority(countOf('date', 'datetime'))) return countOf('datetime') > 0 ? 'datetime' : 'date';
  if (countOf('amount') > 0 && isMajority(countOf('amount', 'number'))) return 'amount';
  return countOf('number') === all ? 'number' : 'string';
}

const typeOfCell = (name: string, text: string, notation: ColumnNotation | null): ColumnType | null => {
  const type = typeOfText(text, notation);
  return (type === 'date' || type === 'datetime') && isCode(name, text) ? 'string' : type;
};

/** Null for a text that stands for no value, or labels a row below the table. */
function typeOfText(text: string, notation: ColumnNotation | null): ColumnType | null {
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
  return decimalText.test(number) ? 'amount' : 'string';
}

const isRfc3339 = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?$/.test(text);

function typeOfValue(value: unknown): ColumnType {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'object';
}
