import type { RowCollector } from '../rows/collector';
import type { Detected } from '../types';

/** Adds the row that a JSON text is, or says why it is none. */
export function addJsonRow(collector: RowCollector, detected: Detected, line: number, text: string): void {
  const reject = (code: 'malformed_json' | 'not_an_object' | 'invalid_encoding', message: string): void => collector.reject(line, null, code, message, text);
  if (!detected.encodingIsExact && text.includes('\ufffd')) {
    reject('invalid_encoding', `The row holds bytes that are not ${detected.encoding ?? 'text'}. Save the file as UTF-8.`);
    return;
  }
  const value = parse(text);
  if (value instanceof SyntaxError) reject('malformed_json', `The row is not JSON: ${value.message}. Correct it.`);
  else if (!isObject(value)) reject('not_an_object', 'The row is not an object. Give each row as {"name": value, …}.');
  else collector.row(line, value, text.length, () => text);
}

/** The value, or the error that says why there is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/** Whether a value, as `parse` gives it, is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SyntaxError);
}
