import { readRows, type Detected, type FileSource } from '@tieout/formats';
import { addFieldsForColumns, inferType, type FieldType } from '../datasets';
import { coerce, notationOf, plainText, type FileNotation, type JsonObject, type Notation } from '../records';
import type { TenantScope } from '../scope';

/** Rows that show what the values of a column are. */
const sampleSize = 1_000;

/** Declares fields for the columns of a file that no field reads yet, with the types that its first rows show. */
export async function deriveFields(scope: TenantScope, datasetId: string, source: FileSource, detected: Detected): Promise<void> {
  const sample = await readSample(source, detected);
  const names = detected.headers ?? [...new Set(sample.flatMap((data) => Object.keys(data)))];
  const columns = names.map((name) => ({ name, type: typeOf(sample.map((data) => data[name]), notationOf(name, detected)) }));
  await addFieldsForColumns(scope, datasetId, columns);
}

async function readSample(source: FileSource, detected: Detected): Promise<JsonObject[]> {
  const sample: JsonObject[] = [];
  for await (const { rows } of readRows(source, detected)) {
    for (const { data } of rows) sample.push(data);
    if (sample.length >= sampleSize) break;
  }
  return sample;
}

function typeOf(values: readonly unknown[], notation: Notation): FieldType {
  const { dateFormat } = notation;
  if (dateFormat !== undefined) {
    const type = dateFormat.includes('HH') ? 'datetime' : 'date';
    if (values.every((value) => coerce(type, value, notation).kind !== 'error')) return type;
  }
  return inferType(values.map((value) => (typeof value === 'string' && value !== '' ? (plainText('amount', value, notation) ?? value) : value)));
}

/** What of a detected file says how its texts are written. */
export const notationOfFile = ({ decimalSeparator, decimalSeparators, dateFormats }: Detected): FileNotation => ({
  decimalSeparator,
  decimalSeparators,
  dateFormats,
});
