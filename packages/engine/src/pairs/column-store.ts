import type { JsonObject, Side } from '../types';
import { Code } from './codes';
import type { Dictionary } from './codes';
import type { Column } from './nodes';
import { Deferred, FailedValue, isLarge, LargeValue } from './deferred';

const FIRST_CAPACITY = 1_024;

/** Larger numbers are kept as ordinary values: a few products of those below are finite whatever they are. */
export const LARGEST_NUMBER = 1e60;

/**
 * What the values of a column have in common, which is what a loop is generated for. Of values: `n` numbers, `o` numbers
 * and nothing (kept as NaN), `t` texts, `v` any, `d` any, some of them deferred. Of codes: `c` codes alone, `x` also values that have
 * none.
 */
export type ColumnKind = 'n' | 'o' | 't' | 'v' | 'd' | 'c' | 'x';

/** The column at hand, as the loops read it. */
export interface StoredColumn {
  readonly kind: ColumnKind;
  /** Numbers, codes or values, by kind. */
  readonly data: Float64Array | Int32Array | readonly unknown[];
  add(row: number, value: unknown): void;
  clear(): void;
  /** The value as jsonata has it, or Deferred. Of codes only what has none is known. */
  valueAt(row: number): unknown;
}

/** Begins as numbers and becomes what its values are. */
export class ValueColumn implements StoredColumn {
  private currentKind: 'n' | 'o' | 't' | 'v' | 'd' = 'n';
  private numbers = new Float64Array(FIRST_CAPACITY);
  private values: unknown[] = [];

  get kind(): ColumnKind {
    return this.currentKind;
  }

  get data(): Float64Array | readonly unknown[] {
    return this.holdsNumbers() ? this.numbers : this.values;
  }

  add(row: number, value: unknown): void {
    if (this.holdsNumbers()) {
      if (this.addNumber(row, value)) return;
      this.leaveNumbers(row, value);
    }
    if (this.currentKind === 't' && typeof value !== 'string') this.currentKind = 'v';
    if (value instanceof Deferred) this.currentKind = 'd';
    this.values.push(value);
  }

  clear(): void {
    this.currentKind = 'n';
    this.values = [];
  }

  valueAt(row: number): unknown {
    if (!this.holdsNumbers()) return this.values[row];
    const value = this.numbers[row];
    return Number.isNaN(value) ? undefined : value;
  }

  private holdsNumbers(): boolean {
    return this.currentKind === 'n' || this.currentKind === 'o';
  }

  private addNumber(row: number, value: unknown): boolean {
    if (value === undefined) this.currentKind = 'o';
    else if (typeof value !== 'number' || !(Math.abs(value) <= LARGEST_NUMBER)) return false;
    if (row >= this.numbers.length) this.numbers = grown(this.numbers, new Float64Array(2 * this.numbers.length));
    this.numbers[row] = value ?? NaN;
    return true;
  }

  private leaveNumbers(rows: number, next: unknown): void {
    const values: unknown[] = [];
    for (let row = 0; row < rows; row += 1) values.push(this.valueAt(row));
    this.values = values;
    this.currentKind = rows === 0 && typeof next === 'string' ? 't' : 'v';
    if (rows > 0) this.numbers = new Float64Array(FIRST_CAPACITY);
  }
}

export class CodeColumn implements StoredColumn {
  private codes = new Int32Array(FIRST_CAPACITY);
  private readonly uncoded = new Map<number, unknown>();

  constructor(private readonly side: Side, private readonly dictionary: Dictionary) {}

  get kind(): ColumnKind {
    return this.uncoded.size === 0 ? 'c' : 'x';
  }

  get data(): Int32Array {
    return this.codes;
  }

  add(row: number, value: unknown): void {
    if (row >= this.codes.length) this.codes = grown(this.codes, new Int32Array(2 * this.codes.length));
    const code = this.dictionary.codeOf(this.side, value);
    this.codes[row] = code;
    if (code === Code.NONE) this.uncoded.set(row, value);
  }

  clear(): void {
    this.uncoded.clear();
  }

  valueAt(row: number): unknown {
    return this.uncoded.get(row);
  }
}

/** The rows of one side. */
export class RowStore {
  readonly columns: readonly StoredColumn[];
  /** NaN where a row has no amount. */
  units = new Float64Array(FIRST_CAPACITY);
  days = new Int32Array(FIRST_CAPACITY);
  readonly records: JsonObject[] = [];
  length = 0;
  private readonly input: { left?: JsonObject; right?: JsonObject } = {};

  constructor(
    private readonly side: Side, private readonly planned: readonly Column[], dictionaries: readonly Dictionary[],
    private readonly keepsRecords: boolean,
  ) {
    this.columns = planned.map((column) => {
      const dictionary = column.dictionary === null ? undefined : dictionaries[column.dictionary];
      return dictionary === undefined ? new ValueColumn() : new CodeColumn(side, dictionary);
    });
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
    this.input[this.side] = value;
    for (let index = 0; index < this.planned.length; index += 1) this.columns[index]?.add(row, this.read(this.planned[index] as Column));
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
    this.records.length = 0;
    for (const column of this.columns) column.clear();
  }

  private read({ read, isField }: Column): unknown {
    try {
      const value = read(this.input);
      return !isField && isLarge(value) ? new LargeValue(read, { ...this.input }) : value;
    } catch (thrown) {
      return new FailedValue(withoutStack(thrown));
    }
  }
}

/** jsonata's errors carry a stack as text, which would be kept for each row that fails. */
function withoutStack(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown;
  return { ...thrown, stack: undefined };
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
