import { readPath } from '@tieout/engine';
import { areFew, statementColumns } from '@tieout/formats';
import { inferType, valueTypes, type FieldType } from './field-types';
import { notationOf, plainText, type FileNotation, type Notation } from './notation';

/** Data of a record, with the notation of the file that it came in. */
export interface SampleRow {
  data: Record<string, unknown>;
  file: FileNotation | null;
}

/** The type that the values of a column show, read as their files write them. */
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
    values.push(file !== null && typeof value === 'string' ? plainest(value, notationOf(path, file)) : value);
  }
  if (isText) return 'string';
  return inferType(values) === 'string' && rows.some(({ file }) => file !== null)
    ? typeOfMost(values)
    : inferType(values);
}

const isStatement = ({ format }: FileNotation): boolean => format === 'ofx' || format === 'camt.053';

/** The text as JSON would have it, if it is a date or an amount in this notation. */
function plainest(text: string, notation: Notation): string {
  const day = plainText(notation.dateFormat?.includes('HH') ? 'datetime' : 'date', text, notation);
  return day !== undefined && day !== text ? day : (plainText('amount', text, notation) ?? text);
}

/**
 * A type that all but a few values have, where it is one that no other text looks like. Whole numbers are not: among them
 * an id with a letter is as good as the others.
 */
function typeOfMost(values: readonly unknown[]): FieldType {
  const counts = valueTypes(values);
  const of = (...types: FieldType[]): number => types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  if (of('date', 'datetime') > 0 && areFew(values.length - of('date', 'datetime'), of('date', 'datetime')))
    return of('datetime') > 0 ? 'datetime' : 'date';
  return of('amount') > 0 && areFew(values.length - of('amount', 'number'), of('amount', 'number'))
    ? 'amount'
    : 'string';
}
