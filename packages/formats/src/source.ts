import type { FileSource } from './types';

export interface Piece {
  bytes: Buffer;
  isLast: boolean;
}

/** Yields the bytes of a file from `start` on. There is always a last piece, which may be empty. */
export async function* open(source: FileSource, start: number): AsyncGenerator<Piece> {
  let held: Buffer | null = null;
  for await (const bytes of (await source.open(start)) as AsyncIterable<Buffer>) {
    if (held !== null) yield { bytes: held, isLast: false };
    held = bytes;
  }
  yield { bytes: held ?? Buffer.alloc(0), isLast: true };
}

/** Reads the first bytes of a file, at most `maxBytes`. */
export const readStart = (source: FileSource, maxBytes: number): Promise<Buffer> =>
  readRange(source, 0, Math.min(maxBytes, source.sizeBytes));

/** Reads the last bytes of a file, at most `maxBytes`. */
export const readEnd = (source: FileSource, maxBytes: number): Promise<Buffer> =>
  readRange(source, Math.max(0, source.sizeBytes - maxBytes), source.sizeBytes);

async function readRange(source: FileSource, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const bytes of (await source.open(start, end)) as AsyncIterable<Buffer>) pieces.push(bytes);
  return Buffer.concat(pieces).subarray(0, end - start);
}
