import { rawText, type Detected } from '@tieout/formats';
import type { JsonObject } from '../records';

/** A row as its file has it, for people: the cells of a table side by side, else JSON; a long one is cut. */
export function shownRow(
  data: JsonObject,
  { format, delimiter, headers }: Pick<Detected, 'format' | 'delimiter' | 'headers'>,
): string {
  const isTable = format === 'csv' || format === 'tsv' || format === 'xlsx';
  if (!isTable || headers === null) return rawText(JSON.stringify(data));
  return rawText(headers.map((name) => cellText(data[name])).join(delimiter ?? '\t'));
}

const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
