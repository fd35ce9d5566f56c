import type { JsonObject } from '@tieout/engine';
import { jsonWeight } from '@tieout/infra';

/**
 * A block of staged rows, sorted by (bucket, day), column by column. Numbers are in the byte order of the machine,
 * which is little-endian wherever Node runs. Every column is aligned, so a block is used in place once it is read.
 * `values` holds one JSON object a row, padded by spaces and a comma to whole words: a range of rows is parsed by one
 * call, and rows are copied word by word.
 */
export interface Block {
  readonly rows: number;
  readonly bucket: Float64Array;
  /** NaN without an amount. */
  readonly units: Float64Array;
  readonly seq: Uint32Array;
  /** Day of the block key; 0 where the date does not block. */
  readonly day: Int32Array;
  /** Day of the record; `noDay` without one. */
  readonly ownDay: Int32Array;
  /** The value of row i, without its comma, is [start[i], start[i + 1] − 1) of `values`. */
  readonly start: Uint32Array;
  /** 16 bytes a row. */
  readonly ids: Uint8Array;
  /** Decimals of `units`. */
  readonly scale: Uint8Array;
  readonly values: Buffer;
}

const rowBytes = 8 + 8 + 4 + 4 + 4 + 4 + 16 + 1;
export const wordBytes = 4;

/** Offset of the values: after the columns, at a whole word. */
const valuesAt = (rows: number): number => Math.ceil((rows * rowBytes + 4) / wordBytes) * wordBytes;

/** Returns the bytes of a block whose padded values take `valueBytes`. */
export function blockBytes(rows: number, valueBytes: number): number {
  return valuesAt(rows) + valueBytes;
}

/** Returns the columns of a block inside `buffer`, for a writer to fill. */
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

/** Reads a block from a copy of the bytes, which belong to the connection. */
export function readBlock(bytes: Uint8Array, rows: number): Block {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return viewBlock(own.buffer, rows);
}

/** Parses the values of the rows [from, to) by one call, since calls of the parser cost more than rows. */
export function parseValues(block: Block, from: number, to: number): JsonObject[] {
  if (from >= to) return [];
  const text = block.values.toString('utf8', block.start[from], (block.start[to] as number) - 1);
  return JSON.parse(`[${text}]`) as JsonObject[];
}

/** Max bytes of a value that weighs its text. Small values are many: scanning each would add notably to reading it. */
const maxPlainBytes = 256;

/**
 * Estimates the memory that the value in [from, to) takes once it is parsed: as much as its text if it is small or
 * flat, up to 20 times as much if it consists of many objects or arrays.
 */
export function valueWeight(values: Buffer, from: number, to: number): number {
  return to - from <= maxPlainBytes ? to - from : jsonWeight(values.subarray(from, to));
}
