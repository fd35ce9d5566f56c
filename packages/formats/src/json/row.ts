import { findInexactNumber } from './inexact';
import type { RowCollector } from '../rows/collector';
import type { Detected } from '../types';

/** Adds the row of a JSON text, or rejects it with a reason. */
export function addJsonRow(collector: RowCollector, detected: Detected, line: number, text: string): void {
  const value = parseRow(collector, detected, line, text);
  if (value === undefined) return;
  if (!isObject(value))
    collector.reject({
      line,
      column: null,
      code: 'not_an_object',
      message: 'The row is not an object. Give each row as {"name": value, …}.',
      raw: text,
    });
  else if (!rejectInexact(collector, line, text)) collector.row({ line, data: value }, text.length, () => text);
}

/** Adds a row whose values are a list, by the names of the columns. */
export function addJsonList(collector: RowCollector, detected: Detected, line: number, text: string): void {
  const headers = detected.headers ?? [];
  const value = parseRow(collector, detected, line, text);
  if (value === undefined) return;
  const reject = (code: 'not_an_object' | 'too_many_columns', message: string): void =>
    collector.reject({ line, column: null, code, message, raw: text });
  if (!Array.isArray(value))
    reject('not_an_object', 'The row is not a list, as the others are. Give it as [value, …].');
  else if (value.length > headers.length)
    reject(
      'too_many_columns',
      `The row has ${value.length} values, the header has ${headers.length}. Name the others.`,
    );
  else if (!rejectInexact(collector, line, text)) {
    collector.fill(headers.length - value.length);
    const data = Object.fromEntries(headers.map((name, index) => [name, (value[index] as unknown) ?? null]));
    collector.row({ line, data }, text.length + headers.length, () => text);
  }
}

/** Parses the text of a row; undefined where it is rejected. */
function parseRow(collector: RowCollector, detected: Detected, line: number, text: string): unknown {
  const reject = (code: 'malformed_json' | 'invalid_encoding', message: string): void =>
    collector.reject({ line, column: null, code, message, raw: text });
  if (!detected.encodingIsExact && text.includes('\ufffd')) {
    reject(
      'invalid_encoding',
      `The row holds bytes that are not ${detected.encoding ?? 'text'}. Save the file as UTF-8.`,
    );
    return undefined;
  }
  const value = parse(text);
  if (!(value instanceof SyntaxError)) return value;
  reject('malformed_json', `The row is not JSON: ${value.message}. Correct it.`);
  return undefined;
}

/** Rejects a row that holds a number which would be stored as another number. */
function rejectInexact(collector: RowCollector, line: number, text: string): boolean {
  const found = findInexactNumber(text);
  if (found === null) return false;
  const where = found.column === null ? 'The row' : `"${found.column}"`;
  collector.reject({
    line,
    column: found.column,
    code: 'number_not_exact',
    message: `${where} holds the number ${found.text.slice(0, 40)}, which cannot be kept exactly. Send it as a text.`,
    raw: text,
  });
  return true;
}

/** Parses a value; returns the error instead of throwing it. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/** Returns whether a value, as `parse` returns it, is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SyntaxError);
}
