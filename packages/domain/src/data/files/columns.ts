import { readRows, withoutFooter, type Detected, type FileSource } from '@tieout/formats';
import { addFieldsForColumns, typeOfColumn } from '../datasets';
import type { JsonObject } from '../records';
import type { TenantScope } from '../../kernel/scope';

/** Rows that show what the values of a column are. */
const sampleSize = 1_000;

/** Declares fields for the columns of a file that no field reads yet, with the types that its first rows show. */
export async function deriveFields(
  scope: TenantScope,
  datasetId: string,
  source: FileSource,
  detected: Detected,
): Promise<void> {
  const sample = await readSample(source, detected);
  const names = detected.headers ?? [...new Set(sample.flatMap((data) => Object.keys(data)))];
  const rows = sample.map((data) => names.map((name) => data[name]));
  const table = rows.length < sampleSize && detected.headerLine !== null ? withoutFooter(rows) : rows;
  const all = sample.map((data) => ({ data, file: detected }));
  const shown = all.slice(0, table.length);
  const rowsOf = (name: string): typeof all => (shown.some(({ data }) => isFilled(data[name])) ? shown : all);
  await addFieldsForColumns(
    scope,
    datasetId,
    names.map((name) => ({ name, type: typeOfColumn(name, rowsOf(name)) })),
  );
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
