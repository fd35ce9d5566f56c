import { readCsv } from './csv/read';
import { readJson } from './json/json';
import { readNdjson } from './json/ndjson';
import { readStatementFile } from './statements';
import type { Detected, FileFormat, FileSource, Position, RowBatch } from './types';
import { readXlsx } from './xlsx/read';

type Reader = (source: FileSource, detected: Detected, from: Position | null) => AsyncIterable<RowBatch>;

const readers: Record<FileFormat, Reader> = {
  csv: readCsv,
  tsv: readCsv,
  xlsx: readXlsx,
  json: readJson,
  ndjson: readNdjson,
  ofx: readStatementFile,
  qif: readStatementFile,
  mt940: readStatementFile,
  mt942: readStatementFile,
  'camt.052': readStatementFile,
  'camt.053': readStatementFile,
  'camt.054': readStatementFile,
};

/**
 * Reads the rows of a file from a position that an earlier batch returned as `next`, or all of them. Throws
 * `FileUnreadableError`, possibly after some batches, where the file cannot be read any further.
 */
export function readRows(
  source: FileSource,
  detected: Detected,
  from: Position | null = null,
): AsyncIterable<RowBatch> {
  return readers[detected.format](source, detected, from);
}
