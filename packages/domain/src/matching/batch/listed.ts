import { lowerBound } from '@tieout/engine';
import type { BatchBounds } from '../plan/batch-cuts';
import { readLists, type CandidateLists } from '../stage/list-block';
import type { Rows } from '../stage/rows';
import { stageSides, StageLostError } from '../stage/staging';
import type { StageSource } from './read-slice';
import type { RowCandidates } from './score';

/** Marks in `rowOf` of right records: not a candidate, or not in the chunk. */
const unwanted = -2;
const absent = -1;

/** The listed candidates of the left rows of one batch. */
export class ListedPairs {
  /** Right row of a seq in the current chunk. */
  private rowOf = new Int32Array(0);
  private chunk: number[] = [];

  private constructor(
    private readonly blocks: readonly CandidateLists[],
    /** Block and row of the list of each left row; -1 without a list. */
    private readonly blockOf: Int32Array,
    private readonly placeOf: Int32Array,
    /** Number of pairs that the lists hold. */
    readonly pairs: number,
  ) {
    let max = -1;
    this.eachRight((seq) => (max = Math.max(max, seq)));
    this.rowOf = new Int32Array(max + 1).fill(unwanted);
    this.eachRight((seq) => (this.rowOf[seq] = absent));
  }

  /** Reads the lists of the left rows. @throws StageLostError */
  static async read(
    { client, stage }: StageSource,
    [from, to]: NonNullable<BatchBounds['lists']>,
    lefts: Rows,
    expectedPairs: number,
  ): Promise<ListedPairs> {
    const rowOfSeq = new Map(Array.from({ length: lefts.length }, (_, row) => [lefts.seqOf(row), row]));
    const blocks: CandidateLists[] = [];
    const blockOf = new Int32Array(lefts.length).fill(-1);
    const placeOf = new Int32Array(lefts.length);
    let pairs = 0;
    const narrowed = `from_bucket <= ${to} and to_bucket >= ${from}`;
    for await (const { rows, bytes } of stage.read(client, { side: stageSides.lists, order: 'run', narrowed })) {
      const block = readLists(bytes, rows);
      let isUsed = false;
      for (let at = 0; at < rows; at++) {
        const row = rowOfSeq.get(block.lefts[at] as number);
        if (row === undefined) continue;
        isUsed = true;
        blockOf[row] = blocks.length;
        placeOf[row] = at;
        pairs += lengthOf(block, at);
      }
      if (isUsed) blocks.push(block);
    }
    if (pairs !== expectedPairs) throw new StageLostError();
    return new ListedPairs(blocks, blockOf, placeOf, pairs);
  }

  /** Returns whether a right record is a candidate of a left row. */
  isWanted(seq: number): boolean {
    return (this.rowOf[seq] ?? unwanted) !== unwanted;
  }

  count(left: number): number {
    const block = this.blocks[this.blockOf[left] as number];
    return block === undefined ? 0 : lengthOf(block, this.placeOf[left] as number);
  }

  /** Returns the rules, as bits, that let a pair through. */
  rulesOf(left: number, seq: number): number {
    const { rights, rules, from, to } = this.listOf(left);
    const at = lowerBound(from, to, (place) => (rights[place] as number) < seq);
    return at < to && rights[at] === seq ? (rules[at] as number) : 0;
  }

  /** Returns the candidates of each left row among the right rows of a chunk. */
  among(rights: Rows): RowCandidates {
    for (const seq of this.chunk) this.rowOf[seq] = absent;
    this.chunk = Array.from({ length: rights.length }, (_, row) => rights.seqOf(row));
    this.chunk.forEach((seq, row) => (this.rowOf[seq] = row));
    const ranges = { count: 0, from: new Int32Array(16), to: new Int32Array(16) };
    let rows = new Int32Array(16);
    const seek = (left: number): void => {
      const list = this.listOf(left);
      if (list.to - list.from > rows.length) {
        const capacity = 2 * (list.to - list.from);
        rows = new Int32Array(capacity);
        ranges.from = new Int32Array(capacity);
        ranges.to = new Int32Array(capacity);
      }
      let found = 0;
      for (let at = list.from; at < list.to; at++) {
        const row = this.rowOf[list.rights[at] as number] as number;
        if (row >= 0) rows[found++] = row;
      }
      rows.subarray(0, found).sort();
      ranges.count = 0;
      for (let at = 0; at < found; at++) {
        const row = rows[at] as number;
        if (ranges.count > 0 && ranges.to[ranges.count - 1] === row) ranges.to[ranges.count - 1] = row + 1;
        else {
          ranges.from[ranges.count] = row;
          ranges.to[ranges.count++] = row + 1;
        }
      }
    };
    return Object.assign(ranges, { seek });
  }

  private listOf(left: number): CandidateLists & { from: number; to: number } {
    const block = this.blocks[this.blockOf[left] as number];
    if (block === undefined) return noList;
    const place = this.placeOf[left] as number;
    const to = block.ends[place] as number;
    return { ...block, from: to - lengthOf(block, place), to };
  }

  private eachRight(visit: (seq: number) => void): void {
    for (let left = 0; left < this.blockOf.length; left++) {
      const { rights, from, to } = this.listOf(left);
      for (let at = from; at < to; at++) visit(rights[at] as number);
    }
  }
}

const noList = {
  rows: 0,
  lefts: new Uint32Array(0),
  ends: new Uint32Array(0),
  rights: new Uint32Array(0),
  rules: new Uint8Array(0),
  from: 0,
  to: 0,
};

const lengthOf = ({ ends }: CandidateLists, place: number): number =>
  (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
