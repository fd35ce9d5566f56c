import { grown } from '@tieout/engine';

/** Marks of a pair. */
export const pairMark = { match: 1, ambiguous: 2, conflict: 4, gone: 8 } as const;

/** The pairs that are MATCH or POSSIBLE, 17 bytes each. */
export class PairList {
  length = 0;
  left = new Int32Array(1_024);
  right = new Int32Array(1_024);
  score = new Float64Array(1_024);
  marks = new Uint8Array(1_024);

  add(left: number, right: number, score: number, isMatch: boolean): void {
    if (this.length === this.left.length) this.grow();
    const at = this.length++;
    this.left[at] = left;
    this.right[at] = right;
    this.score[at] = score;
    this.marks[at] = isMatch ? pairMark.match : 0;
  }

  /** The same pairs, of a list that comes from another thread. */
  static of(other: Pick<PairList, 'length' | 'left' | 'right' | 'score' | 'marks'>): PairList {
    return Object.assign(new PairList(), other);
  }

  append(other: PairList): void {
    while (this.left.length < this.length + other.length) this.grow();
    for (const column of ['left', 'right', 'score', 'marks'] as const)
      this[column].set(other[column].subarray(0, other.length), this.length);
    this.length += other.length;
  }

  has(pair: number, mark: number): boolean {
    return ((this.marks[pair] as number) & mark) !== 0;
  }

  mark(pair: number, mark: number): void {
    this.marks[pair] = (this.marks[pair] as number) | mark;
  }

  isMatch(pair: number): boolean {
    return this.has(pair, pairMark.match);
  }

  /** Turns a MATCH into a POSSIBLE pair. */
  demote(pair: number, mark: number): void {
    this.marks[pair] = ((this.marks[pair] as number) & ~pairMark.match) | mark;
  }

  /** Lists the pairs that are still there. */
  *present(): Generator<number, void, void> {
    for (let pair = 0; pair < this.length; pair++) if (!this.has(pair, pairMark.gone)) yield pair;
  }

  private grow(): void {
    const capacity = this.left.length * 2;
    this.left = grown(this.left, new Int32Array(capacity));
    this.right = grown(this.right, new Int32Array(capacity));
    this.score = grown(this.score, new Float64Array(capacity));
    this.marks = grown(this.marks, new Uint8Array(capacity));
  }
}
