/** Safe integers; NaN is not allowed. */
type Column = Float64Array | Int32Array | Uint32Array;

const digitBits = 11;
const digitValues = 1 << digitBits;
const wordValues = 2 ** 32;

/**
 * Returns the indexes 0 … length − 1 in the order of the columns, the first column first; equal rows keep their order.
 * A radix sort, least significant digit first (Knuth, The Art of Computer Programming 3, 5.2.5): each digit of 11 bits
 * is one stable counting pass of some nanoseconds a row, over only as many digits as the values of a column differ in.
 */
export function sortedOrder(length: number, columns: readonly Column[]): Uint32Array {
  const rows: Sorting = {
    keys: new Uint32Array(length),
    order: new Uint32Array(length),
    spareKeys: new Uint32Array(length),
    spareOrder: new Uint32Array(length),
  };
  for (let i = 0; i < length; i++) rows.order[i] = i;
  if (isSorted(length, columns)) return rows.order;
  for (let column = columns.length - 1; column >= 0; column--) sortBy(rows, columns[column] as Column, length);
  return rows.order;
}

/** The rows in their order so far, each with its sort word, and buffers for the next pass. */
interface Sorting {
  keys: Uint32Array;
  order: Uint32Array;
  spareKeys: Uint32Array;
  spareOrder: Uint32Array;
}

function sortBy(rows: Sorting, column: Column, length: number): void {
  const { min, range } = span(column, length);
  if (range <= wordValues) {
    for (let i = 0; i < length; i++) rows.keys[i] = (column[rows.order[i] as number] as number) - min;
    sortWord(rows, range);
    return;
  }
  // Splits the values themselves into words: a difference of two safe integers need not be one.
  const minHigh = Math.floor(min / wordValues);
  for (let i = 0; i < length; i++) {
    const value = column[rows.order[i] as number] as number;
    rows.keys[i] = value - Math.floor(value / wordValues) * wordValues;
  }
  sortWord(rows, wordValues);
  for (let i = 0; i < length; i++)
    rows.keys[i] = Math.floor((column[rows.order[i] as number] as number) / wordValues) - minHigh;
  sortWord(rows, Math.ceil(range / wordValues) + 1);
}

/** Sorts by `keys`, which are below `range`. */
function sortWord(rows: Sorting, range: number): void {
  for (let shift = 0; 2 ** shift < range; shift += digitBits) sortDigit(rows, shift);
}

function sortDigit(rows: Sorting, shift: number): void {
  const { keys, order, spareKeys, spareOrder } = rows;
  const { length } = keys;
  const places = new Uint32Array(digitValues);
  for (let i = 0; i < length; i++) places[((keys[i] as number) >>> shift) & (digitValues - 1)]!++;
  for (let digit = 0, place = 0; digit < digitValues; digit++) {
    const count = places[digit] as number;
    places[digit] = place;
    place += count;
  }
  for (let i = 0; i < length; i++) {
    const key = keys[i] as number;
    const place = places[(key >>> shift) & (digitValues - 1)]!++;
    spareKeys[place] = key;
    spareOrder[place] = order[i] as number;
  }
  rows.keys = spareKeys;
  rows.order = spareOrder;
  rows.spareKeys = keys;
  rows.spareOrder = order;
}

function isSorted(length: number, columns: readonly Column[]): boolean {
  for (let i = 1; i < length; i++) {
    for (const column of columns) {
      const step = (column[i] as number) - (column[i - 1] as number);
      if (step > 0) break;
      if (step < 0) return false;
    }
  }
  return true;
}

function span(column: Column, length: number): { min: number; range: number } {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < length; i++) {
    const value = column[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, range: max - min + 1 };
}

/** Copies the values at these indexes, in their order, to `to`. */
export function gather<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(
  from: T,
  indexes: Uint32Array,
  to: T,
): T {
  for (let i = 0; i < indexes.length; i++) to[i] = from[indexes[i] as number] as number;
  return to;
}

/** Returns |value| of each of the first `length` values; 0 for NaN. */
export function magnitudes(values: Float64Array, length: number): Float64Array {
  const found = new Float64Array(length);
  for (let i = 0; i < length; i++) found[i] = Math.abs(values[i] as number) || 0;
  return found;
}

/** Copies `from` to the beginning of the larger array `to`. */
export function grown<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
