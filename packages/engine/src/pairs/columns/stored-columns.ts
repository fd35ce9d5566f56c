import type { JsonObject, Side } from '../../values/types';
import { valueCode } from './codes';
import type { Dictionary } from './codes';
import type { PairColumn } from '../plan/nodes';
import { Deferred, LargeValueCache } from './deferred';
import { maxBlockRows, ColumnFiller } from './column-filler';
import type { ColumnTarget, LongEvaluationListener } from './column-filler';

const initialCapacity = 1_024;

/** Larger numbers are kept as ordinary values: a few products of those below are finite whatever they are. */
export const maxColumnNumber = 1e60;

/**
 * What the values of a column have in common, which is what a loop is generated for. Of values: `n` numbers, `o` numbers
 * and nothing (kept as NaN), `t` texts, `v` any, `d` any, some of them deferred. Of codes: `c` codes alone, `x` also values that have
 * none.
 */
export type ColumnKind = 'n' | 'o' | 't' | 'v' | 'd' | 'c' | 'x';

/** The column at hand, as the loops read it. */
export interface StoredColumn extends ColumnTarget {
  readonly kind: ColumnKind;
  /** Numbers, codes or values, by kind. */
  readonly data: Float64Array | Int32Array | readonly unknown[];
  clear(): void;
  /** The value as jsonata has it, or Deferred. Of codes only what has none is known. */
  valueAt(row: number): unknown;
  /** The code that a value has beside those of the column, if these are codes. */
  codeFor(value: unknown): number;
  /** By row, what parts a text has: see `partsOf`. Of what is no text, or not yet, anything. */
  trigrams(): Int32Array;
}

/** Begins as numbers and becomes what its values are. */
export class ValueColumn implements StoredColumn {
  private currentKind: 'n' | 'o' | 't' | 'v' | 'd' = 'n';
  private numbers = new Float64Array(initialCapacity);
  private values: unknown[] = [];
  /** Of the first rows. */
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
    return valueCode.NONE;
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
    if (code === valueCode.NONE) this.uncoded.set(row, value);
    return code === valueCode.NONE || dictionary.size > size;
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
      if (code === valueCode.NONE) uncoded.set(row + index - from, uncoded.get(other));
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
    throw new Error('Codes have no parts.');
  }

  private putCode(row: number, code: number): void {
    this.reserve(row + 1);
    this.codes[row] = code;
  }

  private reserve(rows: number): void {
    if (rows > this.codes.length) this.codes = grown(this.codes, new Int32Array(2 * this.codes.length));
  }
}

/** The rows of one side. */
export class RowStore {
  /** NaN where a row has no amount. */
  units = new Float64Array(initialCapacity);
  days = new Int32Array(initialCapacity);
  readonly records: JsonObject[] = [];
  length = 0;
  private readonly stored: readonly StoredColumn[];
  private readonly intakes: readonly ColumnFiller[];
  /** Records of the last rows, which are in no column yet. */
  private readonly pending: (JsonObject | undefined)[] = new Array<undefined>(maxBlockRows).fill(undefined);
  private pendingCount = 0;
  /** So many are taken in together: few until it is known that none takes long, and one where one did. */
  private blockRows = 1;
  private someTookLong = false;
  /** Apart, since each pair needs the same constants. */
  private readonly lastLarge = { constant: new LargeValueCache(), record: new LargeValueCache() };
  /** The fields that a column is made of, for each pending record. */
  private readonly fields: unknown[] = new Array<undefined>(maxBlockRows).fill(undefined);

  constructor(
    side: Side,
    planned: readonly PairColumn[],
    dictionaries: readonly Dictionary[],
    private readonly keepsRecords: boolean,
    { onLong }: LongEvaluationListener = {},
  ) {
    const watch: LongEvaluationListener = {
      onLong: () => {
        this.someTookLong = true;
        onLong?.();
      },
    };
    this.stored = planned.map((column) => {
      const dictionary = column.dictionary === null ? undefined : dictionaries[column.dictionary];
      return dictionary === undefined ? new ValueColumn() : new CodeColumn(side, dictionary);
    });
    this.intakes = this.stored.map((stored, index) => {
      const column = planned[index] as PairColumn;
      return new ColumnFiller(
        column,
        stored,
        watch,
        column.isConstant ? this.lastLarge.constant : this.lastLarge.record,
      );
    });
  }

  /** What the columns hold of values that expressions made, about; the last few rows may be in no column yet. */
  get heldBytes(): number {
    let bytes = 0;
    for (const intake of this.intakes) bytes += intake.heldBytes;
    return bytes;
  }

  /** Of all rows. */
  get columns(): readonly StoredColumn[] {
    this.takePending();
    return this.stored;
  }

  add(value: JsonObject, amountUnits: number, day: number): void {
    const row = this.length;
    if (row >= this.days.length) {
      this.units = grown(this.units, new Float64Array(2 * row));
      this.days = grown(this.days, new Int32Array(2 * row));
    }
    this.units[row] = amountUnits;
    this.days[row] = day;
    if (this.keepsRecords) this.records.push(value);
    this.length++;
    this.pending[this.pendingCount++] = value;
    if (this.pendingCount >= this.blockRows) this.takePending();
  }

  clear(): void {
    this.length = 0;
    this.records.length = 0;
    this.forgetPending();
    for (const column of this.stored) column.clear();
    for (const intake of this.intakes) intake.clear();
    this.lastLarge.record.forget();
    this.lastLarge.constant.forget();
  }

  /** Brings the rows into the columns. */
  takePending(): void {
    const count = this.pendingCount;
    if (count === 0) return;
    this.someTookLong = false;
    for (const intake of this.intakes)
      intake.take(this.pending as readonly JsonObject[], count, this.length - count, this.fields);
    this.blockRows = this.someTookLong ? 1 : Math.min(2 * this.blockRows, maxBlockRows);
    this.forgetPending();
  }

  /** Nothing of a record outlives its block. */
  private forgetPending(): void {
    this.pendingCount = 0;
    this.pending.fill(undefined);
    this.fields.fill(undefined);
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Longer texts have everything that a shorter one has. */
const maxFilteredLength = 256;
const allTrigrams = -1;

/**
 * A bit for each three characters in a row, some of which share one. A text has all bits of what it contains: where one is missing it need
 * not be searched, nor looked up in memory.
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
