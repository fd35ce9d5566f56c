import { withoutFooter } from '../columns/footer';
import { readRows } from '../read';
import type { ColumnType, Detected, FileSource } from '../types';
import { typeOfColumn } from './column-type';
import { slug, uniqueKeyFor } from './slug';

/** Number of rows from which types are inferred. */
const sampleSize = 1_000;

/** Returns the columns of a file, with types inferred from its first rows. */
export async function columnsOfFile(
  source: FileSource,
  detected: Detected,
): Promise<{ name: string; type: ColumnType }[]> {
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

async function readSample(source: FileSource, detected: Detected): Promise<Record<string, unknown>[]> {
  const sample: Record<string, unknown>[] = [];
  for await (const { rows } of readRows(source, detected)) {
    for (const { data } of rows) if (sample.length < sampleSize) sample.push(data);
    if (sample.length >= sampleSize) break;
  }
  return sample;
}

/** A field that a column declares. */
export interface NewField {
  name: string;
  type: ColumnType;
  key: string;
  sourcePath: string | null;
}

/** Names the fields of the columns that no field reads yet. */
export function fieldsForColumns(
  fields: readonly { key: string; sourcePath: string | null }[],
  columns: readonly { name: string; type: ColumnType }[],
): NewField[] {
  const readColumns = new Set(fields.map((field) => field.sourcePath ?? field.key));
  const keys = new Set(fields.map((field) => field.key));
  return columns
    .filter(({ name }) => !readColumns.has(name))
    .map(({ name, type }) => {
      const key = uniqueKeyFor(slug(name), keys);
      keys.add(key);
      return { name, type, key, sourcePath: name === key ? null : name };
    });
}
