import {
  grown,
  noDay,
  recordState,
  type CandidateSide,
  type JsonObject,
  type RuleEntries,
  type UnblockedReason,
} from '@tieout/engine';
import type { NewField } from '@tieout/formats';
import { growth, PackedRecords, type SharedRecords } from './packed-records';

const initialCapacity = 4_096;

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

const sharedFields = [
  ...(['name', 'fields', 'length', 'state', 'bucket', 'day', 'ownDay', 'units', 'scale', 'line'] as const),
  ...(['reasonOf', 'failed', 'failedRows', 'rejected', 'rejectedRows'] as const),
] as const;

/** A row that was not read, or whose values do not fit their columns. */
export interface RowProblem {
  line: number;
  message: string;
}

/** The place of a record among the candidates. */
export interface RecordPlace {
  bucket: number;
  /** The day of the blocking key, and the day of the record or `noDay`. */
  day: number;
  ownDay: number;
  /** NaN without an amount. */
  units: number;
  scale: number;
}

/** A table for another thread. Both threads use the same memory for its columns. */
export type SharedTable = Pick<SideTable, (typeof sharedFields)[number]> & { records: SharedRecords };

/** The records of one file, numbered by their order: some 60 bytes each, and their packed values. */
export class SideTable implements CandidateSide {
  length = 0;
  state: Uint8Array = new Uint8Array(shared(initialCapacity));
  bucket: Float64Array = new Float64Array(shared(initialCapacity * 8));
  day: Int32Array = new Int32Array(shared(initialCapacity * 4));
  ownDay: Int32Array = new Int32Array(shared(initialCapacity * 4));
  units: Float64Array = new Float64Array(shared(initialCapacity * 8));
  scale: Uint8Array = new Uint8Array(shared(initialCapacity));
  line: Int32Array = new Int32Array(shared(initialCapacity * 4));
  /** The places of the records in each rule whose pairs are listed. */
  entries: RuleEntries[] = [];
  /** The reason of each record that blocking cannot place. */
  readonly reasonOf = new Map<number, UnblockedReason>();
  readonly failed: RowProblem[] = [];
  failedRows = 0;
  readonly rejected: RowProblem[] = [];
  rejectedRows = 0;

  constructor(
    /** The path as it was given. */
    readonly name: string,
    /** The fields of the columns. */
    readonly fields: readonly NewField[],
    readonly records: PackedRecords,
  ) {}

  /** Returns the table for another thread, without the `entries` that only blocking needs. */
  share(): SharedTable {
    const own = Object.fromEntries(sharedFields.map((name) => [name, this[name]]));
    return { ...(own as Omit<SharedTable, 'records'>), records: this.records.share() };
  }

  static of({ records, ...columns }: SharedTable): SideTable {
    return Object.assign(new SideTable(columns.name, columns.fields, PackedRecords.of(records)), columns);
  }

  add(value: JsonObject, line: number, state: number): number {
    if (this.length === this.state.length) this.grow();
    const seq = this.length++;
    this.state[seq] = state;
    this.line[seq] = line;
    this.ownDay[seq] = noDay;
    this.units[seq] = NaN;
    if (state === recordState.failed) this.records.addWhole(value);
    else this.records.add(value);
    return seq;
  }

  place(seq: number, { bucket, day, ownDay, units, scale }: RecordPlace): void {
    this.bucket[seq] = bucket;
    this.day[seq] = day;
    this.ownDay[seq] = ownDay;
    this.units[seq] = units;
    this.scale[seq] = scale;
  }

  /** Leaves out a record that blocking cannot place. */
  leaveOut(seq: number, reason: UnblockedReason): void {
    this.state[seq] = recordState.unblocked;
    this.reasonOf.set(seq, reason);
  }

  /** Orders records by their place in the file. */
  compare(one: number, other: number): number {
    return one - other;
  }

  private grow(): void {
    const capacity = this.state.length * growth;
    this.state = grown(this.state, new Uint8Array(shared(capacity)));
    this.bucket = grown(this.bucket, new Float64Array(shared(capacity * 8)));
    this.day = grown(this.day, new Int32Array(shared(capacity * 4)));
    this.ownDay = grown(this.ownDay, new Int32Array(shared(capacity * 4)));
    this.units = grown(this.units, new Float64Array(shared(capacity * 8)));
    this.scale = grown(this.scale, new Uint8Array(shared(capacity)));
    this.line = grown(this.line, new Int32Array(shared(capacity * 4)));
  }
}
