import type { Side } from '../../values/types';
import type { ColumnTarget } from './column-filler';
import { valueCode } from './codes';
import type { Dictionary } from './codes';
import { Deferred } from './deferred';

const initialCapacity = 1_024;

/**
 * Bound on numbers in a column of numbers: a few products of such numbers are finite. Larger ones are kept as
 * ordinary values.
 */
export const maxColumnNumber = 1e60;

/**
 * Kind of the values of a column; the loop is generated for the kinds of its columns.
 *
 * Columns of values: `n` numbers; `o` numbers and nothing (kept as NaN); `t` texts; `v` any values; `d` any values,
 * some deferred. Columns of codes: `c` codes only; `x` codes and values without a code.
 */
export type ColumnKind = 'n' | 'o' | 't' | 'v' | 'd' | 'c' | 'x';

/** A column of one side, in the form that the pair loops read. */
export interface StoredColumn extends ColumnTarget {
  readonly kind: ColumnKind;
  /** Numbers, codes or values, depending on the kind. */
  readonly data: Float64Array | Int32Array | readonly unknown[];
  clear(): void;
  /** Returns the value as jsonata has it, or a Deferred; columns of codes know only values without a code. */
  valueAt(row: number): unknown;
  /** Returns the code of a value among those of the column. */
  codeFor(value: unknown): number;
  /** Returns the trigram bits of each row's text (`trigramBits`); rows without a text have arbitrary bits. */
  trigrams(): Int32Array;
}

/** Stores values: starts as a typed array of numbers and widens when a value demands it. */
export class ValueColumn implements StoredColumn {
  private currentKind: 'n' | 'o' | 't' | 'v' | 'd' = 'n';
  private numbers = new Float64Array(initialCapacity);
  private values: unknown[] = [];
  /** Trigram bits of the first rows, which are computed on first use. */
  private readonly parts = { rows: 0, data: new Int32Array(0) };

  get kind(): ColumnKind {
    return this.currentKind;
  }

  get data(): Float64Array | readonly unknown[] {
    return this.holdsNumbers() ? this.numbers : this.values;
  }

  add(row: number, value: unknown): boolean {
    if (this.holdsNumbers()) {
      if (this.addNumber(row, value)) return true;
      this.leaveNumbers(row, value);
    }
    if (this.currentKind === 't' && typeof value !== 'string') this.currentKind = 'v';
    if (value instanceof Deferred) this.currentKind = 'd';
    this.values.push(value);
    return true;
  }

  addAlike(row: number, values: readonly unknown[], from: number, count: number): number {
    if (this.currentKind === 't') return this.addTexts(values, from, count);
    return this.holdsNumbers() ? this.addNumbers(row, values, from, count) : from;
  }

  repeat(row: number, others: Int32Array, from: number, to: number): void {
    const { values } = this;
    if (!this.holdsNumbers()) {
      for (let index = from; index < to; index++) values.push(values[others[index] as number]);
      return;
    }
    this.reserve(row + to - from);
    const { numbers } = this;
    for (let index = from; index < to; index++)
      numbers[row + index - from] = numbers[others[index] as number] as number;
  }

  clear(): void {
    this.currentKind = 'n';
    this.values = [];
    this.parts.rows = 0;
  }

  valueAt(row: number): unknown {
    if (!this.holdsNumbers()) return this.values[row];
    const value = this.numbers[row];
    return Number.isNaN(value) ? undefined : value;
  }

  codeFor(): number {
    return valueCode.uncoded;
  }

  trigrams(): Int32Array {
    const { parts, values } = this;
    if (parts.rows < values.length) {
      if (parts.data.length < values.length) parts.data = grown(parts.data, new Int32Array(2 * values.length));
      for (let row = parts.rows; row < values.length; row++) {
        const value = values[row];
        parts.data[row] = typeof value === 'string' ? trigramBits(value) : 0;
      }
      parts.rows = values.length;
    }
    return parts.data;
  }

  private holdsNumbers(): boolean {
    return this.currentKind === 'n' || this.currentKind === 'o';
  }

  private addTexts(texts: readonly unknown[], from: number, count: number): number {
    const { values } = this;
    let index = from;
    for (; index < count; index++) {
      const text = texts[index];
      if (typeof text !== 'string') break;
      values.push(text);
    }
    return index;
  }

  private addNumbers(row: number, values: readonly unknown[], from: number, count: number): number {
    this.reserve(row + count);
    const { numbers } = this;
    let index = from;
    for (; index < count; index++) {
      const value = values[index];
      if (typeof value !== 'number' || !(Math.abs(value) <= maxColumnNumber)) break;
      numbers[row + index] = value;
    }
    return index;
  }

  private addNumber(row: number, value: unknown): boolean {
    if (value === undefined) this.currentKind = 'o';
    else if (typeof value !== 'number' || !(Math.abs(value) <= maxColumnNumber)) return false;
    this.putNumber(row, value ?? NaN);
    return true;
  }

  private putNumber(row: number, value: number): void {
    this.reserve(row + 1);
    this.numbers[row] = value;
  }

  private reserve(rows: number): void {
    if (rows > this.numbers.length) this.numbers = grown(this.numbers, new Float64Array(2 * this.numbers.length));
  }

  private leaveNumbers(rows: number, next: unknown): void {
    const values: unknown[] = [];
    for (let row = 0; row < rows; row++) values.push(this.valueAt(row));
    this.values = values;
    this.currentKind = rows === 0 && typeof next === 'string' ? 't' : 'v';
    if (rows > 0) this.numbers = new Float64Array(initialCapacity);
  }
}

/** Stores dictionary codes, and the values that have none. */
export class CodeColumn implements StoredColumn {
  private codes = new Int32Array(initialCapacity);
  private readonly uncoded = new Map<number, unknown>();

  constructor(
    private readonly side: Side,
    private readonly dictionary: Dictionary,
  ) {}

  get kind(): ColumnKind {
    return this.uncoded.size === 0 ? 'c' : 'x';
  }

  get data(): Int32Array {
    return this.codes;
  }

  add(row: number, value: unknown): boolean {
    const { dictionary } = this;
    const { size } = dictionary;
    const code = dictionary.codeOf(this.side, value);
    this.putCode(row, code);
    if (code === valueCode.uncoded) this.uncoded.set(row, value);
    return code === valueCode.uncoded || dictionary.size > size;
  }

  addAlike(_row: number, _values: readonly unknown[], from: number): number {
    return from;
  }

  repeat(row: number, others: Int32Array, from: number, to: number): void {
    this.reserve(row + to - from);
    const { codes, uncoded } = this;
    for (let index = from; index < to; index++) {
      const other = others[index] as number;
      const code = codes[other] as number;
      codes[row + index - from] = code;
      if (code === valueCode.uncoded) uncoded.set(row + index - from, uncoded.get(other));
    }
  }

  clear(): void {
    this.uncoded.clear();
  }

  valueAt(row: number): unknown {
    return this.uncoded.get(row);
  }

  codeFor(value: unknown): number {
    return this.dictionary.find(this.side, value);
  }

  trigrams(): Int32Array {
    throw new Error('Codes have no trigrams.');
  }

  private putCode(row: number, code: number): void {
    this.reserve(row + 1);
    this.codes[row] = code;
  }

  private reserve(rows: number): void {
    if (rows > this.codes.length) this.codes = grown(this.codes, new Int32Array(2 * this.codes.length));
  }
}

/** Copies an array into a larger one. */
export function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Longer texts count as having every trigram. */
const maxFilteredLength = 256;
const allTrigrams = -1;

/**
 * Computes a 32-bit Bloom filter of the text's trigrams. A text has all bits of the texts that it contains: where a
 * bit is missing, it need not be searched, nor fetched from memory.
 */
export function trigramBits(text: string): number {
  if (text.length > maxFilteredLength) return allTrigrams;
  let bits = 0;
  let three = (text.charCodeAt(0) << 8) ^ text.charCodeAt(1);
  for (let index = 2; index < text.length; index++) {
    three = ((three << 8) ^ text.charCodeAt(index)) & 0xffffff;
    bits |= 1 << (Math.imul(three, 0x9e3779b1) >>> 27);
  }
  return bits;
}
