import { bytesPerId } from '../stage/directory';

/**
 * What composition has to know of some records of one side, column by column, in the byte order of the machine. Units and
 * scale of an amount are as they were read; a run of records is brought to one scale when all of it is there.
 */
export interface FactsBlock {
  readonly rows: number;
  /** NaN without an amount, infinite where it is out of range. */
  readonly units: Float64Array;
  /** NaN without one. */
  readonly unitValue: Float64Array;
  /** `noDay` without one. */
  readonly day: Int32Array;
  /** 0 without one; so is `position`. */
  readonly totalCount: Int32Array;
  readonly position: Int32Array;
  /** The place in `names`; -1 without a group. */
  readonly group: Int32Array;
  /** 16 bytes a row. */
  readonly ids: Uint8Array;
  readonly scale: Uint8Array;
  readonly unitScale: Uint8Array;
}

const columnBytes = 8 + 8 + 4 + 4 + 4 + 4 + bytesPerId + 1 + 1;

/** The columns inside `buffer`, which begins a memory of its own. */
export function viewFacts(buffer: ArrayBuffer, rows: number): FactsBlock {
  let at = 0;
  const next = (bytes: number): number => {
    const from = at;
    at += bytes * rows;
    return from;
  };
  return {
    rows,
    units: new Float64Array(buffer, next(8), rows),
    unitValue: new Float64Array(buffer, next(8), rows),
    day: new Int32Array(buffer, next(4), rows),
    totalCount: new Int32Array(buffer, next(4), rows),
    position: new Int32Array(buffer, next(4), rows),
    group: new Int32Array(buffer, next(4), rows),
    ids: new Uint8Array(buffer, next(bytesPerId), bytesPerId * rows),
    scale: new Uint8Array(buffer, next(1), rows),
    unitScale: new Uint8Array(buffer, next(1), rows),
  };
}

export function emptyFacts(rows: number): FactsBlock {
  return viewFacts(new ArrayBuffer(columnBytes * rows), rows);
}

/** The first `rows` rows and the names of their groups, as staged: the columns, then the names as JSON. */
export function factsBytes(block: FactsBlock, rows: number, names: readonly string[]): Uint8Array {
  const text = Buffer.from(JSON.stringify(names));
  const bytes = new Uint8Array(columnBytes * rows + text.length);
  const to = viewFacts(bytes.buffer, rows);
  to.units.set(block.units.subarray(0, rows));
  to.unitValue.set(block.unitValue.subarray(0, rows));
  to.day.set(block.day.subarray(0, rows));
  to.totalCount.set(block.totalCount.subarray(0, rows));
  to.position.set(block.position.subarray(0, rows));
  to.group.set(block.group.subarray(0, rows));
  to.ids.set(block.ids.subarray(0, rows * bytesPerId));
  to.scale.set(block.scale.subarray(0, rows));
  to.unitScale.set(block.unitScale.subarray(0, rows));
  bytes.set(text, columnBytes * rows);
  return bytes;
}

/** Copies the bytes, which belong to the connection. */
export function readFacts(bytes: Uint8Array, rows: number): { block: FactsBlock; names: string[] } {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  const names = JSON.parse(Buffer.from(own.buffer, columnBytes * rows).toString('utf8')) as string[];
  return { block: viewFacts(own.buffer, rows), names };
}
