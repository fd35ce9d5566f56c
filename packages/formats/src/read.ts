import { readCsv } from './csv/read';
import { readXlsx } from './xlsx/read';
import type { Detected, FileSource, Position, RowBatch } from './types';

/** Rows of a file, from a position on that an earlier batch gave as its `next`; from the beginning when absent. */
export function readRows(source: FileSource, detected: Detected, from: Position | null = null): AsyncIterable<RowBatch> {
  return detected.format === 'xlsx' ? readXlsx(source, detected, from) : readCsv(source, detected, from);
}
