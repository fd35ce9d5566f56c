import type { ReadingWarning } from '@tieout/formats';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';

const maxShown = 5;
const listed = (names: readonly string[]): string =>
  names
    .slice(0, maxShown)
    .map((name) => `"${name.slice(0, 60)}"`)
    .join(', ') + (names.length > maxShown ? ', …' : '');

/** Warns of ready rows of which no field of the dataset has a value. `rows` are their data and their fields. */
export function warnOfUnreadColumns(
  fields: readonly FieldDefinition[],
  rows: readonly { data: JsonObject; fields: JsonObject }[],
): ReadingWarning[] {
  const [first] = rows;
  if (first === undefined || fields.length === 0) return [];
  if (rows.some((row) => Object.values(row.fields).some((value) => value !== null))) return [];
  return [
    {
      code: 'no_field_values',
      column: null,
      message:
        `No field of the dataset has a value from this file. The fields read ` +
        `${listed(fields.map(({ key, sourcePath }) => sourcePath ?? key))}, the file has ` +
        `${listed(Object.keys(first.data))}. Change "sourcePath" of the fields, add fields with fromColumns=true, or ` +
        'upload the file to another dataset',
    },
  ];
}

/** Warns that all rows of a file have failed. `why` is the error of one of them. */
export const warnOfFailedRows = (count: number, why: string): ReadingWarning => ({
  code: 'no_ready_rows',
  column: null,
  message:
    `The values of all ${count} rows do not fit the fields of the dataset, so no job sees the rows. One of them: ` +
    `${why}. Correct the types of the fields, or "decimalSeparator" and "dateFormat" of the upload`,
  count,
});
