import type { RulePlace } from '../blocking/rules';
import { grown } from './order';

const initialCapacity = 1_024;

/** The records of one side in one rule: an entry for each code of a record, in the order of their seqs. */
export class RuleEntries {
  /** The words that a rule of similar texts compares. */
  readonly words = new WordEntries();
  length = 0;
  seq = new Uint32Array(initialCapacity);
  code = new Float64Array(initialCapacity);
  bucket = new Float64Array(initialCapacity);
  day = new Int32Array(initialCapacity);
  /** NaN without an amount. */
  units = new Float64Array(initialCapacity);
  scale = new Uint8Array(initialCapacity);

  add(seq: number, { codes, bucket, day, amount, words }: RulePlace): void {
    this.words.add(seq, words);
    for (const code of codes) {
      if (this.length === this.seq.length) this.grow();
      const at = this.length++;
      this.seq[at] = seq;
      this.code[at] = code;
      this.bucket[at] = bucket;
      this.day[at] = day;
      this.units[at] = amount.ok ? amount.units : NaN;
      this.scale[at] = amount.ok ? amount.scale : 0;
    }
  }

  /** Returns where the entries of each seq begin; `starts[rows]` is their end. */
  starts(rows: number): Uint32Array {
    const starts = new Uint32Array(rows + 1);
    for (let at = 0; at < this.length; at++) starts[(this.seq[at] as number) + 1]!++;
    for (let seq = 0; seq < rows; seq++) starts[seq + 1]! += starts[seq] as number;
    return starts;
  }

  private grow(): void {
    const capacity = this.seq.length * 2;
    this.seq = grown(this.seq, new Uint32Array(capacity));
    this.code = grown(this.code, new Float64Array(capacity));
    this.bucket = grown(this.bucket, new Float64Array(capacity));
    this.day = grown(this.day, new Int32Array(capacity));
    this.units = grown(this.units, new Float64Array(capacity));
    this.scale = grown(this.scale, new Uint8Array(capacity));
  }
}

/** The words of one side's records in one rule, by word code; the records of a word are in the order of their seqs. */
export class WordEntries {
  private codes = new Float64Array(initialCapacity);
  private ends = new Uint32Array(initialCapacity);
  private records = 0;

  /** Adds the words of a record after those of all records with smaller seqs. */
  add(seq: number, words: readonly number[]): void {
    while (seq >= this.ends.length) this.ends = grown(this.ends, new Uint32Array(this.ends.length * 2));
    let length = this.endOf(this.records - 1);
    while (this.records < seq) this.ends[this.records++] = length;
    while (length + words.length > this.codes.length)
      this.codes = grown(this.codes, new Float64Array(this.codes.length * 2));
    for (const code of words) this.codes[length++] = code;
    this.ends[this.records++] = length;
  }

  count(seq: number): number {
    return this.endOf(seq) - this.endOf(seq - 1);
  }

  each(seq: number, visit: (code: number) => void): void {
    for (let at = this.endOf(seq - 1); at < this.endOf(seq); at++) visit(this.codes[at] as number);
  }

  private endOf(seq: number): number {
    return seq < 0 || this.records === 0 ? 0 : (this.ends[Math.min(seq, this.records - 1)] as number);
  }
}
