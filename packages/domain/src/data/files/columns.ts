import { readRows, withoutFooter, type Detected, type FileSource } from '@tieout/formats';
import type { FieldType, JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { addFieldsForColumns, typeOfColumn } from '../datasets';

/** Number of rows from which types are inferred. */
const sampleSize = 1_000;

/** Declares fields for the columns of a file that no field reads yet, with types inferred from its first rows. */
export async function deriveFields(
  scope: TenantScope,
  datasetId: string,
  source: FileSource,
  detected: Detected,
): Promise<void> {
  await addFieldsForColumns(scope, datasetId, await columnsOfFile(source, detected));
}

/** Returns the columns of a file, with types inferred from its first rows. */
export async function columnsOfFile(
  source: FileSource,
  detected: Detected,
): Promise<{ name: string; type: FieldType }[]> {
  const sample = await readSample(source, detected);
  const names = detected.headers ?? [...new Set(sample.flatMap((data) => Object.keys(data)))];
  const rows = sample.map((data) => names.map((name) => data[name]));
  const table = rows.length < sampleSize && detected.headerLine !== null ? withoutFooter(rows) : rows;
  const all = sample.map((data) => ({ data, file: detected }));
  const withoutTotals = all.slice(0, table.length);
  const rowsOf = (name: string): typeof all =>
    withoutTotals.some(({ data }) => isFilled(data[name])) ? withoutTotals : all;
  return names.map((name) => ({ name, type: typeOfColumn(name, rowsOf(name)) }));
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

async function readSample(source: FileSource, detected: Detected): Promise<JsonObject[]> {
  const sample: JsonObject[] = [];
  for await (const { rows } of readRows(source, detected)) {
    for (const { data } of rows) if (sample.length < sampleSize) sample.push(data);
    if (sample.length >= sampleSize) break;
  }
  return sample;
}
