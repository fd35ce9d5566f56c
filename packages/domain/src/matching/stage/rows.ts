import {
  gather,
  grown,
  type JsonObject,
  magnitudes,
  type MaybePromise,
  rescale,
  type SortedKeys,
  sortedOrder,
} from '@tieout/engine';
import { parseValues, valueWeight, type Block } from './block';
import { bytesPerId } from './directory';

/** Values parsed at a time: parsing them one at a time takes longer, parsing all at once fills the heap. */
const windowRows = 256;

export interface RowsOptions {
  amountScale: number;
  /** Leaves out rows whose amount has no units at this scale; rows without an amount stay. */
  comparesAmounts: boolean;
  /** The order of rows of one bucket and day: as read, by |units|, or by seq. */
  ties: 'read' | 'magnitude' | 'seq';
}

/** Rows of several blocks, in the order of their block keys once `sort` was called. */
export class Rows implements SortedKeys {
  length = 0;
  bucket = new Float64Array(1024);
  day = new Int32Array(1024);
  /** At the scale of the job; NaN without an amount. */
  units = new Float64Array(1024);
  /** The block of each row, and its index inside that block. */
  private source = new Int32Array(1024);
  private place = new Int32Array(1024);
  private blocks: BlockValues[] = [];
  /** Sum of the weights of the values: see `valueWeight`. */
  weight = 0;

  constructor(private readonly options: RowsOptions) {}

  /** Takes the rows of the block that `includes` accepts. */
  take(block: Block, includes: (block: Block, row: number) => boolean): void {
    const source = this.blocks.length;
    const { amountScale, comparesAmounts } = this.options;
    this.blocks.push(new BlockValues(block, this.options.ties === 'magnitude' ? block.rows : windowRows));
    for (let row = 0; row < block.rows; row++) {
      if (!includes(block, row)) continue;
      const units = rescale(block.units[row] as number, block.scale[row] as number, amountScale);
      if (units === null && comparesAmounts && !Number.isNaN(block.units[row])) continue;
      if (this.length === this.bucket.length) this.grow();
      const at = this.length++;
      this.bucket[at] = block.bucket[row] as number;
      this.day[at] = block.day[row] as number;
      this.units[at] = units ?? NaN;
      this.source[at] = source;
      this.place[at] = row;
      this.weight += valueWeight(block.values, block.start[row] as number, block.start[row + 1] as number);
    }
  }

  /** Sorts the rows by their keys: blocks of different runs overlap. */
  sort(): void {
    const { length } = this;
    const order = sortedOrder(length, [this.bucket, this.day, ...this.tieColumn()]);
    this.bucket = gather(this.bucket, order, new Float64Array(length));
    this.day = gather(this.day, order, new Int32Array(length));
    this.units = gather(this.units, order, new Float64Array(length));
    this.source = gather(this.source, order, new Int32Array(length));
    this.place = gather(this.place, order, new Int32Array(length));
  }

  /**
   * Visits the rows in order, one after the other, until `isEnough` holds after a visit.
   * @returns the number of visited rows
   */
  async forEach(
    visit: (value: JsonObject, units: number, ownDay: number) => MaybePromise<void>,
    isEnough: () => boolean,
  ): Promise<number> {
    for (let i = 0; i < this.length; i++) {
      const from = this.blockOf(i);
      const row = this.place[i] as number;
      const pending = visit(from.valueOf(row), this.units[i] as number, from.block.ownDay[row] as number);
      if (pending) await pending;
      if (isEnough()) return i + 1;
    }
    return this.length;
  }

  /** Returns the sorted rows [from, to) without their own weight. */
  part(from: number, to: number): Rows {
    const part = new Rows(this.options);
    part.length = to - from;
    part.bucket = this.bucket.subarray(from, to);
    part.day = this.day.subarray(from, to);
    part.units = this.units.subarray(from, to);
    part.source = this.source.subarray(from, to);
    part.place = this.place.subarray(from, to);
    part.blocks = this.blocks;
    return part;
  }

  seqOf(row: number): number {
    return this.blockOf(row).block.seq[this.place[row] as number] as number;
  }

  /** Returns the bytes in which the id of the row begins at `idAt(row)`. */
  idsOf(row: number): Uint8Array {
    return this.blockOf(row).block.ids;
  }

  idAt(row: number): number {
    return (this.place[row] as number) * bytesPerId;
  }

  /** Returns the id of a row as a short text. */
  idTextOf(row: number): string {
    const at = this.idAt(row);
    return Buffer.from(this.idsOf(row).subarray(at, at + bytesPerId)).toString('latin1');
  }

  private tieColumn(): (Float64Array | Uint32Array)[] {
    const { length } = this;
    const { ties } = this.options;
    if (ties === 'magnitude') return [magnitudes(this.units, length)];
    return ties === 'seq' ? [Uint32Array.from({ length }, (_, row) => this.seqOf(row))] : [];
  }

  private blockOf(row: number): BlockValues {
    return this.blocks[this.source[row] as number] as BlockValues;
  }

  private grow(): void {
    const capacity = this.bucket.length * 2;
    this.bucket = grown(this.bucket, new Float64Array(capacity));
    this.day = grown(this.day, new Int32Array(capacity));
    this.units = grown(this.units, new Float64Array(capacity));
    this.source = grown(this.source, new Int32Array(capacity));
    this.place = grown(this.place, new Int32Array(capacity));
  }
}

/** Returns for each left row the right one that is the same record; -1 without one. */
export function sameRows(lefts: Rows, rights: Rows): Int32Array {
  const rightOf = new Map<string, number>();
  for (let row = 0; row < rights.length; row++) rightOf.set(rights.idTextOf(row), row);
  return Int32Array.from({ length: lefts.length }, (_, row) => rightOf.get(lefts.idTextOf(row)) ?? -1);
}

/** Caches the parsed values around the row read last: rows are read in about the order of their block. */
class BlockValues {
  private values: JsonObject[] = [];
  private from = 0;

  constructor(
    readonly block: Block,
    private readonly window: number,
  ) {}

  valueOf(row: number): JsonObject {
    if (row < this.from || row >= this.from + this.values.length) {
      this.from = row - (row % this.window);
      this.values = parseValues(this.block, this.from, Math.min(this.block.rows, this.from + this.window));
    }
    return this.values[row - this.from] as JsonObject;
  }
}
