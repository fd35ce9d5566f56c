import type { Side } from '@tieout/engine';
import type { BinaryCopyWriter } from '@tieout/infra';
import type { JobLimits } from '../jobs/limits';
import { blockBytes, viewBlock, wordBytes } from './block';
import { bytesPerId, sideNumber } from './directory';
import { grown } from './grown';
import { sortedOrder } from './order';
import { valueWeight } from './weight';

const comma = 44;
const space = 32;
/** A loop beats the call that copies up to here. */
const smallCopy = 160;

/**
 * Where, in words, a row keeps what its block says of it: in front of its value, so that whoever takes the rows in
 * another order than they came in meets all of it in one place of the memory.
 */
const at = { bucket: 0, units: 2, id: 4, seq: 8, day: 9, ownDay: 10, scale: 11, value: 12 } as const;
const headerBytes = at.value * wordBytes;

function copyBytes(from: Buffer, start: number, end: number, to: Buffer, place: number): void {
  if (end - start > smallCopy) from.copy(to, place, start, end);
  else for (let i = start, k = place; i < end; i++, k++) to[k] = from[i] as number;
}

/** The 32-bit words of a view that begins at one. */
function asWords({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint32Array {
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / wordBytes));
}

export interface RunRow {
  seq: number;
  bucket: number;
  /** Of the block key. */
  day: number;
  ownDay: number;
  units: number;
  scale: number;
  /** The 16 bytes at `idAt`. */
  ids: Uint8Array;
  idAt: number;
}

/**
 * The values of some rows of one side, until there are enough of them to be sorted and staged: a run. Its memory is
 * bounded, so that of planning is; a large side has several runs, each of them sorted for itself.
 */
export class RunBuffer {
  /** Whether it takes more memory than a run may. */
  hasGrown = false;
  /** Rows one behind the other: header, value, and what fills the value up as in a block. */
  private bytes!: Buffer;
  private words!: Uint32Array;
  /** Where the value that is being written ends. */
  private used = headerBytes;
  private length = 0;
  private bucket = new Float64Array(4096);
  private day = new Int32Array(4096);
  /** The word that each row begins at, and the one behind the last row. */
  private starts = new Uint32Array(4096);
  private readonly number = new Float64Array(1);
  private readonly numberWords = asWords(this.number);
  private runs = 0;
  /** Where blocks are put together, one after the other. */
  private scratch = new ArrayBuffer(0);

  constructor(private readonly limits: Pick<JobLimits, 'runBytes' | 'blockRows' | 'blockBytes'>) {
    this.allocate(limits.runBytes);
  }

  /** Room for a value of so many bytes. False: the run has to be staged first. */
  reserve(bytes: number): boolean {
    const needed = this.used + bytes + wordBytes;
    if (needed <= this.bytes.length) return true;
    if (this.length > 0) return false;
    // A single value that is larger than a run is a run of its own.
    this.allocate(needed);
    this.hasGrown = true;
    return true;
  }

  /** Bytes of the value that is being written. */
  append(source: Buffer, from: number, to: number): void {
    copyBytes(source, from, to, this.bytes, this.used);
    this.used += to - from;
  }

  appendByte(byte: number): void {
    this.bytes[this.used++] = byte;
  }

  /** What has been written of the current value. */
  get value(): Buffer {
    return this.bytes.subarray(this.valueStart, this.used);
  }

  get valueWeight(): number {
    return valueWeight(this.bytes, this.valueStart, this.used);
  }

  /** Forgets what was written of the current value. */
  dropValue(): void {
    this.used = this.valueStart;
  }

  /** Ends the current value: it is the one of this row. */
  endRow({ seq, bucket, day, ownDay, units, scale, ids, idAt }: RunRow): void {
    if (this.length + 1 === this.starts.length) this.grow();
    const { words, length } = this;
    const start = this.starts[length] as number;
    this.bucket[length] = bucket;
    this.day[length] = day;
    this.putNumber(start + at.bucket, bucket);
    this.putNumber(start + at.units, units);
    const idStart = (start + at.id) * wordBytes;
    for (let i = 0; i < bytesPerId; i++) this.bytes[idStart + i] = ids[idAt + i] as number;
    words[start + at.seq] = seq;
    words[start + at.day] = day;
    words[start + at.ownDay] = ownDay;
    words[start + at.scale] = scale;
    do this.bytes[this.used++] = space;
    while (this.used % wordBytes !== 0);
    this.bytes[this.used - 1] = comma;
    this.starts[++this.length] = this.used / wordBytes;
    this.used += headerBytes;
  }

  /** Sorts the rows by (bucket, day) and writes their blocks. */
  async flush(writer: BinaryCopyWriter, side: Side): Promise<void> {
    if (this.length > 0) {
      const order = sortedOrder(this.length, [this.bucket, this.day]);
      let block = 0;
      for (let from = 0; from < order.length;) {
        const { to, valueWords } = this.blockEnd(order, from);
        await this.writeBlock(writer, side, block++, order.subarray(from, to), valueWords);
        from = to;
      }
      this.runs++;
    }
    this.used = headerBytes;
    this.length = 0;
    this.starts[0] = 0;
  }

  private get valueStart(): number {
    return (this.starts[this.length] as number) * wordBytes + headerBytes;
  }

  private blockEnd(order: Uint32Array, from: number): { to: number; valueWords: number } {
    const { blockRows, blockBytes: bytes } = this.limits;
    let to = from;
    let valueWords = 0;
    while (to < order.length && to - from < blockRows && valueWords * wordBytes < bytes) {
      const row = order[to++] as number;
      valueWords += (this.starts[row + 1] as number) - (this.starts[row] as number) - at.value;
    }
    return { to, valueWords };
  }

  private writeBlock(
    writer: BinaryCopyWriter,
    side: Side,
    number: number,
    rows: Uint32Array,
    valueWords: number,
  ): Promise<void> | void {
    const { words, starts } = this;
    const size = blockBytes(rows.length, valueWords * wordBytes);
    if (this.scratch.byteLength < size) this.scratch = new ArrayBuffer(size);
    const block = viewBlock(this.scratch, rows.length);
    const buckets = asWords(block.bucket);
    const units = asWords(block.units);
    const ids = asWords(block.ids);
    const values = asWords(block.values);
    let place = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const start = starts[row] as number;
      const end = starts[row + 1] as number;
      for (let k = 0; k < 2; k++) {
        buckets[2 * i + k] = words[start + at.bucket + k] as number;
        units[2 * i + k] = words[start + at.units + k] as number;
      }
      for (let k = 0; k < 4; k++) ids[4 * i + k] = words[start + at.id + k] as number;
      block.seq[i] = words[start + at.seq] as number;
      block.day[i] = words[start + at.day] as number;
      block.ownDay[i] = words[start + at.ownDay] as number;
      block.scale[i] = words[start + at.scale] as number;
      block.start[i] = place * wordBytes;
      for (let word = start + at.value; word < end; word++) values[place++] = words[word] as number;
    }
    block.start[rows.length] = place * wordBytes;
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
    writer.bytes(new Uint8Array(this.scratch, 0, size));
    return writer.endRow();
  }

  private putNumber(word: number, value: number): void {
    this.number[0] = value;
    this.words[word] = this.numberWords[0] as number;
    this.words[word + 1] = this.numberWords[1] as number;
  }

  private allocate(bytes: number): void {
    this.bytes = Buffer.from(new ArrayBuffer(Math.ceil(bytes / wordBytes) * wordBytes));
    this.words = asWords(this.bytes);
  }

  private grow(): void {
    const capacity = this.starts.length * 2;
    this.bucket = grown(this.bucket, new Float64Array(capacity));
    this.day = grown(this.day, new Int32Array(capacity));
    this.starts = grown(this.starts, new Uint32Array(capacity));
  }
}
