import type { Side } from '@tieout/engine';
import type { BinaryCopyWriter } from '@tieout/infra';
import type { SideColumns } from '../columns';
import type { JobLimits } from '../limits';
import { blockBytes, viewBlock } from './block';
import { sideNumber } from './directory';
import { grown } from './grown';
import { gather, sortedOrder } from './order';

const comma = 44;
const idWords = 4;
/** A loop beats the call that copies up to here. */
const smallCopy = 160;

function copyBytes(from: Buffer, start: number, end: number, to: Buffer, at: number): void {
  if (end - start > smallCopy) from.copy(to, at, start, end);
  else for (let i = start, k = at; i < end; i++, k++) to[k] = from[i] as number;
}

function asWords(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/**
 * The values of some rows of one side, until there are enough of them to be sorted and staged: a run. Its memory is
 * bounded, so that of planning is; a large side has several runs, each of them sorted for itself.
 */
export class RunBuffer {
  private values: Buffer;
  private used = 0;
  private length = 0;
  private seqs = new Uint32Array(4096);
  private ownDays = new Int32Array(4096);
  private starts = new Uint32Array(4096);
  private runs = 0;

  constructor(private readonly limits: Pick<JobLimits, 'runBytes' | 'blockRows' | 'blockBytes'>) {
    this.values = Buffer.allocUnsafe(limits.runBytes);
  }

  /** Room for a value of so many bytes. False: the run has to be staged first. */
  reserve(bytes: number): boolean {
    if (this.used + bytes <= this.values.length) return true;
    if (this.used > 0) return false;
    // A single value that is larger than a run is a run of its own.
    this.values = Buffer.allocUnsafe(bytes);
    return true;
  }

  /** Bytes of the value that is being written. */
  append(source: Buffer, from: number, to: number): void {
    copyBytes(source, from, to, this.values, this.used);
    this.used += to - from;
  }

  appendByte(byte: number): void {
    this.values[this.used++] = byte;
  }

  /** Where the value that is being written begins, and where it ends so far. */
  get valueStart(): number {
    return this.length === 0 ? 0 : (this.starts[this.length] as number);
  }

  get valueEnd(): number {
    return this.used;
  }

  get bytes(): Buffer {
    return this.values;
  }

  /** Forgets what was written of the current value. */
  dropValue(): void {
    this.used = this.valueStart;
  }

  /** Ends the current value: it is the one of this row. */
  endRow(seq: number, ownDay: number): void {
    if (this.length + 1 === this.seqs.length) this.grow();
    this.seqs[this.length] = seq;
    this.ownDays[this.length] = ownDay;
    this.length++;
    this.starts[this.length] = this.used;
  }

  /** Sorts the rows by (bucket, day) and writes their blocks. */
  async flush(writer: BinaryCopyWriter, side: Side, columns: SideColumns): Promise<void> {
    if (this.length > 0) {
      const { length, seqs } = this;
      const rows = seqs.subarray(0, length);
      const order = sortedOrder(length, [
        gather(columns.bucket, rows, new Float64Array(length)),
        gather(columns.day, rows, new Int32Array(length)),
      ]);
      let block = 0;
      for (let from = 0; from < length; ) {
        const { to, valueBytes } = this.blockEnd(order, from);
        await this.writeBlock(writer, side, columns, block++, order.subarray(from, to), valueBytes);
        from = to;
      }
      this.runs++;
    }
    this.used = 0;
    this.length = 0;
    this.starts[0] = 0;
  }

  private blockEnd(order: Uint32Array, from: number): { to: number; valueBytes: number } {
    let to = from;
    let valueBytes = 0;
    while (to < order.length && to - from < this.limits.blockRows && valueBytes < this.limits.blockBytes) {
      valueBytes += this.valueBytes(order[to++] as number) + 1;
    }
    return { to, valueBytes };
  }

  private valueBytes(row: number): number {
    return (this.starts[row + 1] as number) - (this.starts[row] as number);
  }

  private writeBlock(
    writer: BinaryCopyWriter,
    side: Side,
    columns: SideColumns,
    number: number,
    rows: Uint32Array,
    valueBytes: number,
  ): Promise<void> | void {
    const bytes = new Uint8Array(blockBytes(rows.length, valueBytes));
    const block = viewBlock(bytes.buffer, rows.length);
    const ids = asWords(columns.ids);
    const blockIds = asWords(block.ids);
    let at = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const seq = this.seqs[row] as number;
      block.bucket[i] = columns.bucket[seq] as number;
      block.units[i] = columns.units[seq] as number;
      block.seq[i] = seq;
      block.day[i] = columns.day[seq] as number;
      block.ownDay[i] = this.ownDays[row] as number;
      block.scale[i] = columns.scale[seq] as number;
      for (let k = 0; k < idWords; k++) blockIds[i * idWords + k] = ids[seq * idWords + k] as number;
      block.start[i] = at;
      const from = this.starts[row] as number;
      const to = this.starts[row + 1] as number;
      copyBytes(this.values, from, to, block.values, at);
      at += to - from;
      block.values[at++] = comma;
    }
    block.start[rows.length] = at;
    const last = rows.length - 1;
    writer.beginRow(9);
    writer.int2(sideNumber[side]);
    writer.int4(this.runs);
    writer.int4(number);
    writer.int4(rows.length);
    writer.int8(block.bucket[0] as number);
    writer.int4(block.day[0] as number);
    writer.int8(block.bucket[last] as number);
    writer.int4(block.day[last] as number);
    writer.bytes(bytes);
    return writer.endRow();
  }

  private grow(): void {
    const capacity = this.seqs.length * 2;
    this.seqs = grown(this.seqs, new Uint32Array(capacity));
    this.ownDays = grown(this.ownDays, new Int32Array(capacity));
    this.starts = grown(this.starts, new Uint32Array(capacity));
  }
}
