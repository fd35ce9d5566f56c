import { grown } from '@tieout/engine';
import type { StagePlan } from './stage-plan';
import { stageSides } from './staging';

/** A block ends after this many pairs or left rows. */
const blockPairs = 65_536;
const blockRows = 8_192;

/** Lists of the right candidates of some left rows, column by column, in the byte order of the machine. */
export interface CandidateLists {
  readonly rows: number;
  readonly lefts: Uint32Array;
  /** The list of row i is [ends[i − 1], ends[i]), from 0 for the first one. */
  readonly ends: Uint32Array;
  /** Seqs, ascending in each list. */
  readonly rights: Uint32Array;
  /** The rules that let a pair through, as bits. */
  readonly rules: Uint8Array;
}

/** Collects lists and stages them in blocks. */
export class ListBlock {
  private length = 0;
  private pairs = 0;
  private readonly lefts = new Uint32Array(blockRows);
  private readonly ends = new Uint32Array(blockRows);
  private rights = new Uint32Array(blockPairs);
  private rules = new Uint8Array(blockPairs);
  private fromPlace = 0;
  private toPlace = 0;
  private blocks = 0;

  get isFull(): boolean {
    return this.length === blockRows || this.pairs >= blockPairs;
  }

  add(found: { place: number; seq: number; rights: Uint32Array; rules: Uint8Array }): void {
    if (this.length === 0) this.fromPlace = found.place;
    this.toPlace = found.place;
    const past = this.pairs + found.rights.length;
    if (past > this.rights.length) {
      const capacity = Math.max(past, this.rights.length * 2);
      this.rights = grown(this.rights, new Uint32Array(capacity));
      this.rules = grown(this.rules, new Uint8Array(capacity));
    }
    this.rights.set(found.rights, this.pairs);
    this.rules.set(found.rules, this.pairs);
    this.pairs = past;
    this.lefts[this.length] = found.seq;
    this.ends[this.length++] = past;
  }

  async flush(stage: StagePlan): Promise<void> {
    const { length: rows, pairs } = this;
    if (rows === 0) return;
    const words = new Uint32Array(2 * rows + pairs + Math.ceil(pairs / 4));
    words.set(this.lefts.subarray(0, rows));
    words.set(this.ends.subarray(0, rows), rows);
    words.set(this.rights.subarray(0, pairs), 2 * rows);
    const bytes = new Uint8Array(words.buffer);
    bytes.set(this.rules.subarray(0, pairs), 4 * (2 * rows + pairs));
    this.length = 0;
    this.pairs = 0;
    // Batches find lists by the places of their left rows.
    const [from, to] = [[this.fromPlace, 0] as const, [this.toPlace, 0] as const];
    await stage.add({ side: stageSides.lists, run: 0, block: this.blocks++, rows, from, to, bytes });
  }
}

/** Reads a block from a copy of the bytes, which belong to the connection. */
export function readLists(bytes: Uint8Array, rows: number): CandidateLists {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  const { buffer } = own;
  const ends = new Uint32Array(buffer, 4 * rows, rows);
  const pairs = rows === 0 ? 0 : (ends[rows - 1] as number);
  return {
    rows,
    lefts: new Uint32Array(buffer, 0, rows),
    ends,
    rights: new Uint32Array(buffer, 8 * rows, pairs),
    rules: new Uint8Array(buffer, 8 * rows + 4 * pairs, pairs),
  };
}
