import { archivedSource } from './archive/archive';
import { readCsv } from './csv/read';
import { readJson } from './json/json';
import { readNdjson } from './json/ndjson';
import { withoutFooterRows } from './rows/footer';
import { readStatementFile } from './statements';
import type { Detected, FileFormat, FileSource, Position, RowBatch } from './types';
import { readXlsx } from './xlsx/read';

type Reader = (source: FileSource, detected: Detected, from: Position | null) => AsyncIterable<RowBatch>;

const readers: Record<FileFormat, Reader> = {
  csv: readTable(readCsv),
  tsv: readTable(readCsv),
  xlsx: readTable(readXlsx),
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

function readTable(reader: Reader): Reader {
  return (source, detected, from) => withoutFooterRows(reader(source, detected, from), detected);
}

/**
 * Reads the rows of a file from a position that an earlier batch returned as `next`, or all of them. Throws
 * `FileUnreadableError`, possibly after some batches, where the file cannot be read any further.
 */
export function readRows(
  source: FileSource,
  detected: Detected,
  from: Position | null = null,
): AsyncIterable<RowBatch> {
  if (detected.archived !== undefined) return readArchived(source, detected.archived, { detected, from });
  return readers[detected.format](source, detected, from);
}

/** Reads a file of an archive, which cannot be entered in the middle. */
async function* readArchived(
  source: FileSource,
  name: string,
  { detected, from }: { detected: Detected; from: Position | null },
): AsyncGenerator<RowBatch> {
  const packed = await archivedSource(source, name);
  const start = from === null ? null : { ...from, offset: null };
  for await (const batch of readers[detected.format](packed, detected, start))
    yield { ...batch, next: { ...batch.next, offset: null } };
}
