import { Readable } from 'node:stream';
import {
  detectFile,
  readRows,
  type Detected,
  type FileSource,
  type GivenOptions,
  type Position,
  type ReadingWarning,
  type RejectedRow,
  type FileRow,
} from '../src';

/** Returns a file in memory that is read in pieces of `pieceBytes`. */
export function bytesSource(bytes: Buffer, pieceBytes = 65_536): FileSource {
  return {
    sizeBytes: bytes.length,
    open: async (start = 0, end = bytes.length) =>
      Readable.from(pieces(bytes.subarray(start, end), pieceBytes), { objectMode: false }),
  };
}

function* pieces(bytes: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export interface ReadFile {
  detected: Detected;
  rows: FileRow[];
  rejected: RejectedRow[];
  /** The position at which each batch said that the next one begins. */
  positions: Position[];
  /** Warnings of the detection, and of the rows. */
  warnings: ReadingWarning[];
}

/** Detects a file and reads all its rows. */
export async function readFile(
  content: string | Buffer,
  options: GivenOptions = {},
  pieceBytes?: number,
): Promise<ReadFile> {
  const source = bytesSource(Buffer.from(content), pieceBytes);
  const detected = await detectFile(source, options);
  const read = await readFrom(source, detected, null);
  return { detected, ...read, warnings: [...(detected.warnings ?? []), ...read.warnings] };
}

export async function readFrom(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): Promise<Omit<ReadFile, 'detected'>> {
  const read: Omit<ReadFile, 'detected'> = { rows: [], rejected: [], positions: [], warnings: [] };
  for await (const batch of readRows(source, detected, from)) {
    for (const row of batch.rows) read.rows.push(row);
    for (const row of batch.rejected) read.rejected.push(row);
    read.positions.push(batch.next);
    read.warnings.push(...(batch.warnings ?? []));
  }
  return read;
}
