import { effort, isOutOfSteps, tookLong, withinSteps } from '../../expression/limits/meter';
import { isRangeError } from '../../expression/error';
import type { JsonObject, Side } from '../../values/types';
import { AwaitedValue, bytesOf, FailedValue, detachTexts, LargeValue } from './deferred';
import type { Deferred, LargeValueCache } from './deferred';
import type { FailureOf, PairBatchOptions } from '../types';
import type { PairColumn } from '../plan/nodes';
import { RepeatedTexts } from './repeated-texts';
import { heavyEffort } from '../types';

/** Bound on the rows of a block. Blocks are filled column by column: a short loop waits less for the memory. */
export const maxBlockRows = 128;

/** Storage of a column, which receives values row by row. */
export interface ColumnTarget {
  /** Adds a value; returns whether it keeps the value itself, and not only its code. */
  add(row: number, value: unknown): boolean;
  /**
   * Adds values from `values[from]` on, with `values[0]` belonging to `row`, as long as each is a number or a text
   * like the previous ones.
   *
   * @returns the index of the first value that was not added; `count` when all were
   */
  addAlike(row: number, values: readonly unknown[], from: number, count: number): number;
  /** Adds `to - from` rows from `row` on, as copies of the rows `others[from]` to `others[to - 1]`. */
  repeat(row: number, others: Int32Array, from: number, to: number): void;
}

/**
 * Bound on the eager steps of a record after another one was a heavy failure, about half a millisecond. Nearly all
 * records take less, and a value takes less memory than its record.
 */
const maxEagerSteps = 10_000;

/**
 * Share of the allowed steps, about 200 steps, above which an evaluation may have built a text many times as long
 * as its result.
 */
const slightEffort = 1e-5;

/**
 * Bound on the bytes of an error: it holds values that are small enough to keep, and a message of at most a
 * thousand characters.
 */
const maxErrorBytes = 8_192;

/** Bytes that a column of codes needs for a value that it keeps, besides the value. */
const bytesPerEntry = 48;

/** Listens for evaluations that take long. */
export type LongEvaluationListener = Pick<PairBatchOptions, 'onLong'>;

/** Neighbouring records of one side that a column takes in together. */
export interface RecordBlock {
  /** The first `count` records belong to the block. */
  records: readonly JsonObject[];
  count: number;
  /** Row of the first record. */
  firstRow: number;
  /** Buffer for the fields that a column depends on. */
  fields: unknown[];
}

/**
 * Fills one column of a side: evaluates the column's expression for block after block of records, copies the value of a
 * text that occurred before, and defers values that are large, failed or slow.
 */
export class ColumnFiller {
  private readonly input: { left?: JsonObject; right?: JsonObject } = {};
  private readonly repeated: RepeatedTexts | null;
  /** Rows that had the texts of the block before. */
  private readonly found = new Int32Array(maxBlockRows);
  /**
   * True once an evaluation failed after using most of its limit: from then on, slow values wait until a pair needs
   * them.
   */
  private awaitsPairs = false;
  /** Approximate bytes of values that expressions made, and of entries kept next to codes. */
  heldBytes = 0;
  /** Bytes of a value that was read and not yet stored. */
  private bytes = 0;

  constructor(
    private readonly column: PairColumn,
    private readonly target: ColumnTarget,
    private readonly watch: LongEvaluationListener,
    private readonly lastLarge: LargeValueCache,
  ) {
    const { field } = column;
    this.repeated = field === null || field.isValue ? null : new RepeatedTexts(maxBlockRows);
  }

  /** Adds the values of a block of records. */
  take(block: RecordBlock): void {
    const {
      column: { field, isConstant },
      repeated,
    } = this;
    if (isConstant && block.firstRow > 0) this.takeConstant(block);
    else if (this.awaitsPairs) this.takeEach(block);
    else if (field !== null && (field.isValue || repeated?.isWorthwhile() === true)) {
      field.reader(block.records, block.count, block.fields);
      if (repeated === null) this.takeFields(block);
      else this.takeRepeated(repeated, block);
    } else this.takeEach(block);
  }

  /** Forgets the rows; the next ones are numbered from 0 again. */
  clear(): void {
    this.repeated?.clear();
    this.heldBytes = 0;
  }

  private takeEach({ records, count, firstRow }: RecordBlock): void {
    for (let index = 0; index < count; index++) this.put(firstRow + index, this.read(records[index] as JsonObject));
  }

  private takeConstant({ count, firstRow }: RecordBlock): void {
    this.target.repeat(firstRow, this.found.fill(0), 0, count);
  }

  private takeFields({ records, count, firstRow, fields }: RecordBlock): void {
    let index = this.target.addAlike(firstRow, fields, 0, count);
    while (index < count) {
      const field = fields[index];
      const isScalar = typeof field === 'string' || typeof field === 'number';
      this.put(firstRow + index, isScalar ? field : this.read(records[index] as JsonObject));
      index = this.target.addAlike(firstRow, fields, index + 1, count);
    }
  }

  private takeRepeated(repeated: RepeatedTexts, { records, count, firstRow, fields }: RecordBlock): void {
    const { found } = this;
    repeated.find(fields, count, firstRow, found);
    let from = 0;
    for (let index = 0; index < count; index++) {
      // Each record has its own failure, which counts for itself.
      if (found[index] !== firstRow + index && !this.awaitsPairs) continue;
      this.target.repeat(firstRow + from, found, from, index);
      this.put(firstRow + index, this.read(records[index] as JsonObject));
      from = index + 1;
    }
    this.target.repeat(firstRow + from, found, from, count);
  }

  private put(row: number, value: unknown): void {
    if (this.target.add(row, value))
      this.heldBytes += this.bytes + (this.column.dictionary === null ? 0 : bytesPerEntry);
    this.bytes = 0;
  }

  private read(record: JsonObject): unknown {
    const value = this.evaluate(record);
    if (tookLong()) this.watch.onLong?.();
    return value;
  }

  private evaluate(record: JsonObject): unknown {
    const { side, read, isField } = this.column;
    this.input[side] = record;
    try {
      const value = this.awaitsPairs ? withinSteps(maxEagerSteps, () => read(this.input)) : read(this.input);
      if (isField) return value;
      const bytes = bytesOf(value);
      if (bytes === Infinity) return new LargeValue(read, inputOf(side, record), this.lastLarge);
      this.bytes = bytes;
      return effort() > slightEffort ? detachTexts(value) : value;
    } catch (thrown) {
      return this.failed(thrown, record);
    }
  }

  private failed(thrown: unknown, record: JsonObject): Deferred {
    const { side, read, isConstant } = this.column;
    if (this.awaitsPairs && isOutOfSteps(thrown)) return new AwaitedValue(read, inputOf(side, record), side);
    const of: FailureOf = isConstant ? 'constant' : side;
    // After a range error the reference decides each pair.
    const isRange = isRangeError(thrown);
    if (!isRange) this.awaitsPairs ||= effort() >= heavyEffort;
    const failed = new FailedValue(thrown, of, isRange ? 0 : effort());
    this.bytes = Math.min(bytesOf(failed.thrown), maxErrorBytes);
    return failed;
  }
}

function inputOf(side: Side, record: JsonObject): { left?: JsonObject; right?: JsonObject } {
  return side === 'left' ? { left: record } : { right: record };
}
