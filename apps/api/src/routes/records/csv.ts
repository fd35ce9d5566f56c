import { csvRow, guarded, numberText, quoted } from '@tieout/domain';
import type { ExportedRecord, JsonObject } from '@tieout/domain';

/**
 * Writes records as RFC 4180 text, one chunk for each group that is read. The first chunk holds the header and the
 * first group, so that a failure of the first query comes before any output.
 */
export async function* csvOf(
  fields: readonly string[],
  read: (rowsOf: (records: readonly ExportedRecord[]) => Buffer) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, void> {
  let pending = csvRow(['record.id', 'dataset', 'external_id', ...fields.map(guarded)].map(quoted));
  yield* read((records) => {
    const bytes = Buffer.from(pending + records.map((record) => recordRow(fields, record)).join(''));
    pending = '';
    return bytes;
  });
  if (pending !== '') yield Buffer.from(pending);
}

function recordRow(fields: readonly string[], record: ExportedRecord): string {
  return csvRow([
    record.id,
    quoted(guarded(record.datasetName)),
    quoted(guarded(record.externalId ?? '')),
    ...fields.map((path) => cell(valueAt(record.data, path))),
  ]);
}

function cell(value: unknown): string {
  return quoted(isNumeric(value) ? textOf(value) : guarded(textOf(value)));
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && numberText.test(value));
const isNumeric = (value: unknown): boolean => (Array.isArray(value) ? value.every(isNumber) : isNumber(value));

function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? JSON.stringify(item) : textOf(item))).join(';');
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? '' : JSON.stringify(value);
    default:
      return '';
  }
}

/**
 * Finds the value at a path: the whole path as a key first, else step by step. A step into an array is an index, or
 * applies to every element and gives an array of their values.
 */
function valueAt(data: JsonObject, path: string): unknown {
  return Object.hasOwn(data, path) ? data[path] : walk(data, path.split('.'));
}

function walk(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(step)) {
    const found = value.map((item: unknown) => walk(item, steps)).filter((item) => item !== undefined);
    return found.length === 0 ? undefined : found.flat();
  }
  return Object.hasOwn(value, step) ? walk((value as Record<string, unknown>)[step], rest) : undefined;
}
