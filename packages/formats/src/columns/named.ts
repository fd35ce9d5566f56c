import { limits } from '../limits';
import type { Detected, ReadOptions } from '../types';
import { columnFormats } from './analyse';

/** Describes a file whose rows name their own values. */
export function detectedRows(
  file: Pick<Detected, 'format' | 'mimeType' | 'encoding' | 'encodingIsExact'> & Partial<Detected>,
  rows: readonly Record<string, unknown>[],
  options: ReadOptions,
): Detected {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) if (names.size < limits.columns) names.add(name);
  const headers = [...names];
  return {
    delimiter: null,
    quote: null,
    newline: null,
    ...columnFormats(
      headers,
      rows.map((row) => headers.map((name) => row[name])),
      options,
    ),
    headers,
    headerLine: null,
    sheetNames: null,
    sheet: null,
    ...file,
  };
}
