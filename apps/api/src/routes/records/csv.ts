import type { ExportedRecord, JsonObject } from '@tieout/domain';

const lineEnd = '\r\n';
/** Matches what some spreadsheet or another takes for the end of a cell or row: their separator may be `;` or a tab. */
const needsQuotes = /[",;\t\r\n]/;
const afterSeparator = /(?<=[;\t])[^;\t]+/g;
/**
 * Matches the beginning of text that a spreadsheet may run: a sign of a formula, in full width too, also behind white
 * space and characters without width that an import may drop; and the white space that separates cells and rows.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;
/** Matches an amount as people write it: `-5.00`, `+1.234,56`, `-1 234`, `-2e5`, `-3%`. */
const numberText = /^ *[+-]?[.,]?\d[\d.,'’ \u00a0\u202f]*(?:e[+-]?\d+)?%?$/i;

/**
 * Writes records as RFC 4180 text, one chunk for each group that is read. The first chunk holds the header and the
 * first group, so that a failure of the first query comes before any output.
 */
export async function* csvOf(
  fields: readonly string[],
  read: (rowsOf: (records: readonly ExportedRecord[]) => Buffer) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, void> {
  let pending = row(['record.id', 'dataset', 'external_id', ...fields.map(guarded)].map(quoted));
  yield* read((records) => {
    const bytes = Buffer.from(pending + records.map((record) => recordRow(fields, record)).join(''));
    pending = '';
    return bytes;
  });
  if (pending !== '') yield Buffer.from(pending);
}

function recordRow(fields: readonly string[], record: ExportedRecord): string {
  return row([
    record.id,
    quoted(guarded(record.datasetName)),
    quoted(guarded(record.externalId ?? '')),
    ...fields.map((path) => cell(valueAt(record.data, path))),
  ]);
}

const row = (cells: readonly string[]): string => cells.join(',') + lineEnd;

const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns whether a spreadsheet would run a text. A number it would not, also one that is kept as text. */
const isFormula = (text: string): boolean => formulaStart.test(text) && !numberText.test(text);

/** Puts an apostrophe before text that a spreadsheet would run, and before parts that are cells with its separator. */
function guarded(text: string): string {
  const parts = text.replace(afterSeparator, (part) => (isFormula(part) ? `'${part}` : part));
  return isFormula(text) ? `'${parts}` : parts;
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
