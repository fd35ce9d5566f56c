import { readAmount, readDay, readPath } from '@tieout/engine';
import { areFew, isStatementFormat, statementColumns } from '@tieout/formats';
import type { FieldType, Notation } from '../../kernel/ports';
import { notationOf, plainText, type FileNotation } from './notation';

/** Data of a record, with the notation of its file. */
export interface SampleRow {
  data: Record<string, unknown>;
  file: FileNotation | null;
}

/** Infers the type of a column from its values, read in the notation of their files. */
export function typeOfColumn(path: string, rows: readonly SampleRow[]): FieldType {
  const values: unknown[] = [];
  let isText = false;
  for (const { data, file } of rows) {
    const value = readPath(data, path);
    if (value === undefined || value === null || value === '') continue;
    if (file !== null && isStatement(file)) {
      const known = statementColumns.get(path);
      if (known !== undefined) return known;
      isText ||= typeof value === 'string';
    }
    values.push(file !== null && typeof value === 'string' ? toJsonForm(value, notationOf(path, file)) : value);
  }
  if (isText) return 'string';
  return inferType(values) === 'string' && rows.some(({ file }) => file !== null)
    ? typeOfMajority(values)
    : inferType(values);
}

const isStatement = ({ format }: FileNotation): boolean => isStatementFormat(format);

/** Converts a date or an amount of this notation to its JSON form; returns other texts unchanged. */
function toJsonForm(text: string, notation: Notation): string {
  const day = plainText(notation.dateFormat?.includes('HH') ? 'datetime' : 'date', text, notation);
  return day !== undefined && day !== text ? day : (plainText('amount', text, notation) ?? text);
}

/**
 * Returns the type of all but a few values, if other texts cannot be mistaken for it. Whole numbers can: an id with a
 * letter may stand among them.
 */
function typeOfMajority(values: readonly unknown[]): FieldType {
  const counts = countTypes(values);
  const countOf = (...types: FieldType[]): number => types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  const isMajority = (count: number): boolean => areFew(values.length - count, count);
  const dates = countOf('date', 'datetime');
  if (dates > 0 && isMajority(dates)) return countOf('datetime') > 0 ? 'datetime' : 'date';
  return countOf('amount') > 0 && isMajority(countOf('amount', 'number')) ? 'amount' : 'string';
}

const integerText = /^[+-]?(0|[1-9]\d{0,14})$/;
const decimalText = /^[+-]?(0|[1-9]\d*)\.\d{1,4}$/;
const dayText = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the common type of values; string if there is none, or no value. */
export function inferType(values: readonly unknown[]): FieldType {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '');
  const [first] = present;
  if (first === undefined) return 'string';
  const types = new Set(present.map(typeOf));
  if (types.size === 1) return typeOf(first);
  // Whole numbers among decimals: "10" beside "9.50".
  if ([...types].every((type) => type === 'number' || type === 'amount'))
    return types.has('amount') ? 'amount' : 'number';
  if ([...types].every((type) => type === 'date' || type === 'datetime')) return 'datetime';
  return 'string';
}

/** Counts the values of each type. */
function countTypes(values: readonly unknown[]): Map<FieldType, number> {
  const counts = new Map<FieldType, number>();
  for (const value of values) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
  return counts;
}

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'object':
      return 'object';
    default:
      return typeOfText(String(value).trim());
  }
}

function typeOfText(text: string): FieldType {
  if (/^(true|false)$/i.test(text)) return 'boolean';
  // A number with a leading zero, or more digits than a double holds, is an identifier and stays a string.
  if (integerText.test(text)) return 'number';
  if (decimalText.test(text) && readAmount(text).ok) return 'amount';
  if (readDay(text).ok) return dayText.test(text) ? 'date' : 'datetime';
  return 'string';
}
