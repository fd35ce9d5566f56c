import { rescale, type RulePlace } from '@tieout/engine';
import { grown } from './order';

const initialCapacity = 1_024;

/** The records of one side in one rule: an entry for each code of a record, in the order of their seqs. */
export class RuleEntries {
  length = 0;
  seq = new Uint32Array(initialCapacity);
  code = new Float64Array(initialCapacity);
  bucket = new Float64Array(initialCapacity);
  day = new Int32Array(initialCapacity);
  /** NaN without an amount. */
  units = new Float64Array(initialCapacity);
  scale = new Uint8Array(initialCapacity);

  add(seq: number, { codes, bucket, day, amount }: RulePlace): void {
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

  /** Returns the units of an entry at a scale; NaN without an amount that fits it. */
  unitsAt(at: number, scale: number): number {
    return rescale(this.units[at] as number, this.scale[at] as number, scale) ?? NaN;
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
