import type { JsonObject, Side } from '../../values/types';
import type { PairColumn } from '../plan/nodes';
import type { Dictionary } from './codes';
import { ColumnFiller, maxBlockRows } from './column-filler';
import type { LongEvaluationListener, RecordBlock } from './column-filler';
import { LargeValueCache } from './deferred';
import { CodeColumn, grown, ValueColumn } from './stored-columns';
import type { StoredColumn } from './stored-columns';

const initialCapacity = 1_024;

/** True if the records stay in memory, and a listener. */
export interface RowStoreOptions extends LongEvaluationListener {
  keepsRecords?: boolean;
}

/**
 * Holds the rows of one side of a batch column by column: amounts, days and the planned columns. Records are taken
 * in by blocks, which the column fillers turn into values.
 */
export class RowStore {
  /** Amounts at the batch's scale; NaN without one. */
  units = new Float64Array(initialCapacity);
  days = new Int32Array(initialCapacity);
  readonly records: JsonObject[] = [];
  length = 0;
  private readonly stored: readonly StoredColumn[];
  private readonly fillers: readonly ColumnFiller[];
  /** Records of the last rows, which no column holds yet. */
  private readonly pending: (JsonObject | undefined)[] = new Array<undefined>(maxBlockRows).fill(undefined);
  private pendingCount = 0;
  /** Rows per block: few until no evaluation is known to take long, and one after one that did. */
  private blockRows = 1;
  private someTookLong = false;
  /** Constants have their own cache, since each pair needs the same ones. */
  private readonly lastLarge = { constant: new LargeValueCache(), record: new LargeValueCache() };
  /** Buffer for the fields that a column depends on, by pending record. */
  private readonly fields: unknown[] = new Array<undefined>(maxBlockRows).fill(undefined);

  private readonly keepsRecords: boolean;

  constructor(
    side: Side,
    planned: readonly PairColumn[],
    dictionaries: readonly Dictionary[],
    { keepsRecords = false, onLong }: RowStoreOptions = {},
  ) {
    this.keepsRecords = keepsRecords;
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
    this.fillers = this.stored.map((stored, index) => {
      const column = planned[index] as PairColumn;
      return new ColumnFiller(
        column,
        stored,
        watch,
        column.isConstant ? this.lastLarge.constant : this.lastLarge.record,
      );
    });
  }

  /**
   * Approximate bytes that the columns hold of values made by expressions; the last few rows may be in no column
   * yet.
   */
  get heldBytes(): number {
    let bytes = 0;
    for (const filler of this.fillers) bytes += filler.heldBytes;
    return bytes;
  }

  /** Columns with all rows. */
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
    for (const filler of this.fillers) filler.clear();
    this.lastLarge.record.forget();
    this.lastLarge.constant.forget();
  }

  /** Moves the pending rows into the columns. */
  takePending(): void {
    const count = this.pendingCount;
    if (count === 0) return;
    this.someTookLong = false;
    const block: RecordBlock = {
      records: this.pending as readonly JsonObject[],
      count,
      firstRow: this.length - count,
      fields: this.fields,
    };
    for (const filler of this.fillers) filler.take(block);
    this.blockRows = this.someTookLong ? 1 : Math.min(2 * this.blockRows, maxBlockRows);
    this.forgetPending();
  }

  /** Releases the records and fields of the block. */
  private forgetPending(): void {
    this.pendingCount = 0;
    this.pending.fill(undefined);
    this.fields.fill(undefined);
  }
}
