/** Whole numbers, safe integers, none of them NaN. */
type Column = Float64Array | Int32Array | Uint32Array;

/** The whole numbers below it are exact doubles. */
const exactLimit = 2 ** 53;

/**
 * The indexes 0 … length − 1 in the order of the columns, the first one first, equal rows in the order of their index.
 * A number is made of the values of a row and its place, so that the engine's own sort of doubles does the work, about
 * 0.1 µs a row, without a comparison in JavaScript. What does not fit one double is sorted in several passes, from the
 * last column to the first, each of them stable.
 */
export function sortedOrder(length: number, columns: readonly Column[]): Uint32Array {
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (isSorted(length, columns)) return order;
  const places = 2 ** Math.ceil(Math.log2(length));
  for (let last = columns.length - 1; last >= 0; ) {
    const pass = packedColumns(columns, last, length, exactLimit / places);
    order = sortPass(pass.values, order, places);
    last = pass.first - 1;
  }
  return order;
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

interface Pass {
  /** By index of the row. */
  values: Column;
  /** The first of the columns that it covers. */
  first: number;
}

/** As many columns as fit below the limit, ending with `last`, as one of values from 0 on. */
function packedColumns(columns: readonly Column[], last: number, length: number, limit: number): Pass {
  let column = columns[last] as Column;
  let { least, range } = span(column, length);
  if (range > limit) {
    column = ranks(column, length);
    ({ least, range } = span(column, length));
  }
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = (column[i] as number) - least;
  let size = range;
  let first = last;
  while (first > 0) {
    const next = columns[first - 1] as Column;
    const { least: nextLeast, range: nextRange } = span(next, length);
    if (size * nextRange > limit) break;
    for (let i = 0; i < length; i++) values[i] = ((next[i] as number) - nextLeast) * size + (values[i] as number);
    size *= nextRange;
    first--;
  }
  return { values, first };
}

function span(column: Column, length: number): { least: number; range: number } {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < length; i++) {
    const value = column[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, range: most - least + 1 };
}

/** Each value's place among the distinct values. */
function ranks(column: Column, length: number): Float64Array {
  const sorted = Float64Array.from(column.subarray(0, length)).sort();
  let distinct = 0;
  for (let i = 0; i < length; i++) if (i === 0 || sorted[i] !== sorted[distinct - 1]) sorted[distinct++] = sorted[i] as number;
  const rankOf = (value: number): number => {
    let low = 0;
    let high = distinct;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const found = new Float64Array(length);
  for (let i = 0; i < length; i++) found[i] = rankOf(column[i] as number);
  return found;
}

function sortPass(values: Column, order: Uint32Array, places: number): Uint32Array<ArrayBuffer> {
  const packed = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) packed[i] = (values[order[i] as number] as number) * places + i;
  packed.sort();
  const sorted = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const value = packed[i] as number;
    // Exact, because `places` is a power of two.
    sorted[i] = order[value - Math.floor(value / places) * places] as number;
  }
  return sorted;
}

/** The values at these indexes, in their order. */
export function gather<T extends Float64Array | Int32Array>(from: T, indexes: Uint32Array, to: T): T {
  for (let i = 0; i < indexes.length; i++) to[i] = from[indexes[i] as number] as number;
  return to;
}

/** |value| of each of the first `length` values; 0 for NaN. */
export function magnitudes(values: Float64Array, length: number): Float64Array {
  const found = new Float64Array(length);
  for (let i = 0; i < length; i++) found[i] = Math.abs(values[i] as number) || 0;
  return found;
}
