import { grown, sortedOrder } from '@tieout/engine';
import type { JobLimits } from '../jobs/limits';
import { blockBytes, valueWeight, viewBlock, wordBytes } from './block';
import { bytesPerId } from './directory';

const comma = 44;
const space = 32;
/** Max bytes that a loop copies faster than a call. */
const maxLoopCopy = 160;

/**
 * Word offsets of the header of a row. The header precedes the value, so that writing rows in their sorted order reads
 * each row from one place in memory.
 */
const at = { bucket: 0, units: 2, id: 4, seq: 8, day: 9, ownDay: 10, scale: 11, value: 12 } as const;
const headerBytes = at.value * wordBytes;

/** Returns the 32-bit words of a word-aligned view. */
function asWords({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint32Array {
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / wordBytes));
}

interface RunRow {
  seq: number;
  bucket: number;
  /** Day of the block key. */
  day: number;
  ownDay: number;
  units: number;
  scale: number;
  /** The id is the 16 bytes at `idAt`. */
  ids: Uint8Array;
  idAt: number;
}

/** A block of a run. */
export interface RunBlock {
  /** Numbers from 0, of the run and of the block in it. */
  run: number;
  block: number;
  rows: number;
  /** Bucket and day of the first and the last row. */
  from: readonly [bucket: number, day: number];
  to: readonly [bucket: number, day: number];
  /** Valid until the next block is composed. */
  bytes: Uint8Array;
}

/**
 * Collects a run: rows of one side up to a limit of bytes, which are then sorted and staged. A large side has several
 * runs, each sorted separately, so the memory of planning is bounded.
 */
export class RunBuffer {
  /** Holds once a single large value made the buffer larger than the limit. */
  hasGrown = false;
  /** Consecutive rows: header, value, and the padding of the value as in a block. */
  private bytes!: Buffer;
  private words!: Uint32Array;
  /** End of the value being written. */
  private used = headerBytes;
  private length = 0;
  private bucket = new Float64Array(4096);
  private day = new Int32Array(4096);
  /** First word of each row, and the first word after the last row. */
  private starts = new Uint32Array(4096);
  private readonly number = new Float64Array(1);
  private readonly numberWords = asWords(this.number);
  private runs = 0;
  /** Memory in which blocks are composed, one after the other. */
  private scratch = new ArrayBuffer(0);

  constructor(private readonly limits: Pick<JobLimits, 'runBytes' | 'blockRows' | 'blockBytes'>) {
    this.allocate(limits.runBytes);
  }

  /** Makes room for a value. False: the run has to be staged first. */
  reserve(bytes: number): boolean {
    const needed = this.used + bytes + wordBytes;
    if (needed <= this.bytes.length) return true;
    if (this.length > 0) return false;
    // A single value larger than the limit forms its own run.
    this.allocate(needed);
    this.hasGrown = true;
    return true;
  }

  /** Appends bytes to the current value. */
  append(source: Buffer, from: number, to: number): void {
    const { bytes, used } = this;
    if (to - from > maxLoopCopy) source.copy(bytes, used, from, to);
    else for (let i = from, k = used; i < to; i++, k++) bytes[k] = source[i] as number;
    this.used += to - from;
  }

  appendByte(byte: number): void {
    this.bytes[this.used++] = byte;
  }

  /** The bytes of the current value so far. */
  get value(): Buffer {
    return this.bytes.subarray(this.valueStart, this.used);
  }

  get valueWeight(): number {
    return valueWeight(this.bytes, this.valueStart, this.used);
  }

  /** Discards the current value. */
  dropValue(): void {
    this.used = this.valueStart;
  }

  /** Ends the current value and adds it as this row. */
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

  /** Sorts the rows by (bucket, day) and passes on their blocks. */
  async flush(take: (block: RunBlock) => Promise<void> | void): Promise<void> {
    if (this.length > 0) {
      const order = sortedOrder(this.length, [this.bucket, this.day]);
      let block = 0;
      for (let from = 0; from < order.length;) {
        const { to, valueWords } = this.blockEnd(order, from);
        const size = this.composeBlock(order.subarray(from, to), valueWords * wordBytes);
        const taking = take(this.describeBlock(block++, to - from, size));
        if (taking) await taking;
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

  /** Composes the rows in `scratch`. Returns the bytes of the block. */
  private composeBlock(rows: Uint32Array, valueBytes: number): number {
    const { words, starts } = this;
    const size = blockBytes(rows.length, valueBytes);
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
    return size;
  }

  private describeBlock(block: number, rows: number, size: number): RunBlock {
    const { bucket, day } = viewBlock(this.scratch, rows);
    return {
      run: this.runs,
      block,
      rows,
      from: [bucket[0] as number, day[0] as number],
      to: [bucket[rows - 1] as number, day[rows - 1] as number],
      bytes: new Uint8Array(this.scratch, 0, size),
    };
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
