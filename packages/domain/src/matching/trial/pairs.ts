import { type Side, grown, noDay, sortedOrder } from '@tieout/engine';

const initialCapacity = 4_096;

/** Day and amount of the records of a side, by rank. */
export type SideReadings = Record<Side, { days: Int32Array; units: Float64Array }>;

/** Compared pairs with a score, by the ranks of their records: 16 bytes a pair. */
export class ScoredPairs {
  length = 0;
  left = new Uint32Array(initialCapacity);
  right = new Uint32Array(initialCapacity);
  score = new Float64Array(initialCapacity);

  add(left: number, right: number, score: number): void {
    if (this.length === this.left.length) {
      const capacity = this.length * 2;
      this.left = grown(this.left, new Uint32Array(capacity));
      this.right = grown(this.right, new Uint32Array(capacity));
      this.score = grown(this.score, new Float64Array(capacity));
    }
    this.left[this.length] = left;
    this.right[this.length] = right;
    this.score[this.length++] = score;
  }

  /** Returns the pairs best first: by score, then fewer days, then the smaller gap, unknown ones last. */
  ranked(readings: SideReadings): Uint32Array {
    const { length } = this;
    // The bits of positive doubles are ordered as their values are.
    const words = new Uint32Array(this.score.buffer, 0, 2 * length);
    const [high, low] = [new Uint32Array(length), new Uint32Array(length)];
    const [days, gaps] = [new Uint32Array(length), new Float64Array(length)];
    for (let at = 0; at < length; at++) {
      low[at] = ~(words[2 * at] as number);
      high[at] = ~(words[2 * at + 1] as number);
      days[at] = this.daysOf(at, readings) ?? maxDays;
      gaps[at] = Math.min(this.gapOf(at, readings) ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    }
    return sortedOrder(length, [high, low, days, gaps]);
  }

  daysOf(at: number, { left, right }: SideReadings): number | null {
    const [from, to] = [left.days[this.left[at] as number] as number, right.days[this.right[at] as number] as number];
    return from === noDay || to === noDay ? null : Math.abs(to - from);
  }

  gapOf(at: number, { left, right }: SideReadings): number | null {
    const gap = (right.units[this.right[at] as number] as number) - (left.units[this.left[at] as number] as number);
    return Number.isNaN(gap) ? null : Math.abs(gap);
  }
}

/** More days than any two dates of the years 1 to 9999 are apart. */
const maxDays = 2 ** 32 - 1;
