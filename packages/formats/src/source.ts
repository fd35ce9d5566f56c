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
export async function readStart(source: FileSource, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const bytes of (await source.open(0, Math.min(maxBytes, source.sizeBytes))) as AsyncIterable<Buffer>)
    pieces.push(bytes);
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
