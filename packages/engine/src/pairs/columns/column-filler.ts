import { effort, isOutOfSteps, tookLong, withinSteps } from '../../expression/limits/meter';
import { isRangeError } from '../../expression/error';
import type { JsonObject, Side } from '../../values/types';
import { AwaitedValue, bytesOf, FailedValue, detachTexts, LargeValue } from './deferred';
import type { Deferred, LargeValueCache } from './deferred';
import type { FailureOf, PairBatchOptions } from '../types';
import type { PairColumn } from '../plan/nodes';
import { RepeatedTexts } from './repeated-texts';
import { heavyEffort } from '../types';

/** Rows are taken in so many at a time at most, column by column: in a short loop, the memory is waited for less often. */
export const maxBlockRows = 128;

/** Where the values of a column go, row by row. */
export interface ColumnTarget {
  /** @returns whether it holds the value from now on, and not its code alone */
  add(row: number, value: unknown): boolean;
  /**
   * Adds `values[from]` and so on, `values[0]` being that of `row`, as long as each is a number or a text as those before.
   *
   * @returns the index of the first value that is not added, `count` when all are
   */
  addAlike(row: number, values: readonly unknown[], from: number, count: number): number;
  /** Adds `to - from` rows, the first of which is `row`: what the rows `others[from]` to `others[to - 1]` hold. */
  repeat(row: number, others: Int32Array, from: number, to: number): void;
}

/**
 * What a record may take beforehand once another one was a heavy failure, some half a millisecond. Nearly all take less, and a value takes
 * less memory than the record that it is made of.
 */
const maxEagerSteps = 10_000;

/** An evaluation that takes more of what it may, some 200 steps, may have made a text that is many times as long as those that it gives. */
const slightEffort = 1e-5;

/** An error holds values that may be kept, and a message of a thousand characters at most. */
const maxErrorBytes = 8_192;

/** What a column of codes takes for a value that it holds, beside the value. */
const bytesPerEntry = 48;

/** Hears of evaluations that take long. */
export type LongEvaluationListener = Pick<PairBatchOptions, 'onLong'>;

/** Brings the values of records into a column. */
export class ColumnFiller {
  private readonly input: { left?: JsonObject; right?: JsonObject } = {};
  private readonly repeated: RepeatedTexts | null;
  /** Of the texts of a block, the rows that had them before. */
  private readonly found = new Int32Array(maxBlockRows);
  /** An evaluation has failed that took most of what it may: others that take long are made for pairs that need them. */
  private awaitsPairs = false;
  /** Of the values that expressions made, about, and of the places of those that are held beside codes. */
  heldBytes = 0;
  /** Of a value that was read and is not yet put in its place. */
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

  /** The first of the records is that of `row`. */
  take(records: readonly JsonObject[], count: number, row: number, fields: unknown[]): void {
    const {
      column: { field, isConstant },
      repeated,
    } = this;
    if (isConstant && row > 0) this.takeConstant(count, row);
    else if (this.awaitsPairs) this.takeEach(records, count, row);
    else if (field !== null && (field.isValue || repeated?.isWorthwhile() === true)) {
      field.reader(records, count, fields);
      if (repeated === null) this.takeFields(records, count, row, fields);
      else this.takeRepeated(repeated, records, count, row, fields);
    } else this.takeEach(records, count, row);
  }

  /** Rows are numbered anew. */
  clear(): void {
    this.repeated?.clear();
    this.heldBytes = 0;
  }

  private takeEach(records: readonly JsonObject[], count: number, row: number): void {
    for (let index = 0; index < count; index++) this.put(row + index, this.read(records[index] as JsonObject));
  }

  private takeConstant(count: number, row: number): void {
    this.target.repeat(row, this.found.fill(0), 0, count);
  }

  private takeFields(records: readonly JsonObject[], count: number, row: number, fields: readonly unknown[]): void {
    let index = this.target.addAlike(row, fields, 0, count);
    while (index < count) {
      const field = fields[index];
      const isScalar = typeof field === 'string' || typeof field === 'number';
      this.put(row + index, isScalar ? field : this.read(records[index] as JsonObject));
      index = this.target.addAlike(row, fields, index + 1, count);
    }
  }

  private takeRepeated(
    repeated: RepeatedTexts,
    records: readonly JsonObject[],
    count: number,
    row: number,
    fields: readonly unknown[],
  ): void {
    const { found } = this;
    repeated.find(fields, count, row, found);
    let from = 0;
    for (let index = 0; index < count; index++) {
      // Each record has a failure of its own, which counts for itself.
      if (found[index] !== row + index && !this.awaitsPairs) continue;
      this.target.repeat(row + from, found, from, index);
      this.put(row + index, this.read(records[index] as JsonObject));
      from = index + 1;
    }
    this.target.repeat(row + from, found, from, count);
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
    // After a range error the reference decides, for each pair.
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
