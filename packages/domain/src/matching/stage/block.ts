import type { JsonObject } from '@tieout/engine';

/**
 * A block of staged rows, sorted by (bucket, day), column by column. The numbers are in the byte order of the machine,
 * which is little-endian wherever Node runs; every column is aligned, so that a block that has been read is used in
 * place. `values` holds one JSON object a row, followed by spaces and a comma that fill it up to whole words: a run of
 * rows is parsed in one go, and rows are copied word by word.
 */
export interface Block {
  readonly rows: number;
  readonly bucket: Float64Array;
  /** NaN without an amount. */
  readonly units: Float64Array;
  readonly seq: Uint32Array;
  /** Of the block key; 0 where the date does not block. */
  readonly day: Int32Array;
  /** The record's own; `NO_DAY` without one. */
  readonly ownDay: Int32Array;
  /** Row i's value, without its comma, is [start[i], start[i + 1] − 1) of `values`. */
  readonly start: Uint32Array;
  /** 16 bytes a row. */
  readonly ids: Uint8Array;
  /** Decimals of `units`. */
  readonly scale: Uint8Array;
  readonly values: Buffer;
}

const rowBytes = 8 + 8 + 4 + 4 + 4 + 4 + 16 + 1;
export const wordBytes = 4;

/** Where the values begin: behind the columns, at a whole word. */
const valuesAt = (rows: number): number => Math.ceil((rows * rowBytes + 4) / wordBytes) * wordBytes;

/** Bytes of a block of so many rows whose values, filled up, take `valueBytes`. */
export function blockBytes(rows: number, valueBytes: number): number {
  return valuesAt(rows) + valueBytes;
}

/** The columns of a block inside `buffer`, which begins a memory of its own; whoever makes a block fills them. */
export function viewBlock(buffer: ArrayBuffer, rows: number): Block {
  let at = 0;
  const next = (bytes: number): number => {
    const from = at;
    at += bytes;
    return from;
  };
  return {
    rows,
    bucket: new Float64Array(buffer, next(8 * rows), rows),
    units: new Float64Array(buffer, next(8 * rows), rows),
    seq: new Uint32Array(buffer, next(4 * rows), rows),
    day: new Int32Array(buffer, next(4 * rows), rows),
    ownDay: new Int32Array(buffer, next(4 * rows), rows),
    start: new Uint32Array(buffer, next(4 * rows + 4), rows + 1),
    ids: new Uint8Array(buffer, next(16 * rows), 16 * rows),
    scale: new Uint8Array(buffer, next(rows), rows),
    values: Buffer.from(buffer, valuesAt(rows)),
  };
}

/** The block in these bytes, copied: they belong to the connection. */
export function readBlock(bytes: Uint8Array, rows: number): Block {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return viewBlock(own.buffer, rows);
}

/** The values of the rows [from, to), parsed in one go: calls of the parser cost more than the rows. */
export function parseValues(block: Block, from: number, to: number): JsonObject[] {
  if (from >= to) return [];
  const text = block.values.toString('utf8', block.start[from], (block.start[to] as number) - 1);
  return JSON.parse(`[${text}]`) as JsonObject[];
}
