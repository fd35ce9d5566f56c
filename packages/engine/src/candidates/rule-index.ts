import type { BlockingRule } from '../blocking/blocking';
import { lowerBound } from '../values/binary-search';
import { gather, sortedOrder } from './order';
import type { RuleEntries } from './rule-entries';
import { recordState, unitsAt } from './side';
import type { CandidateSide } from './side';

/** Finds the right records that agree with a left entry in one rule. Entries are sorted by code, bucket and day. */
export class RuleIndex {
  private readonly seq: Uint32Array;
  private readonly code: Float64Array;
  private readonly bucket: Float64Array;
  private readonly day: Int32Array;
  private readonly units: Float64Array;

  constructor(
    private readonly rule: BlockingRule,
    entries: RuleEntries,
    side: CandidateSide,
    private readonly scale: number,
  ) {
    const isCandidate = (at: number): boolean => side.state[entries.seq[at] as number] === recordState.candidate;
    const length = entries.length;
    const sorted = sortedOrder(length, [
      entries.code.subarray(0, length),
      entries.bucket.subarray(0, length),
      entries.day.subarray(0, length),
    ]).filter(isCandidate);
    this.seq = sorted.map((at) => entries.seq[at] as number);
    this.code = gather(entries.code, sorted, new Float64Array(sorted.length));
    this.bucket = gather(entries.bucket, sorted, new Float64Array(sorted.length));
    this.day = gather(entries.day, sorted, new Int32Array(sorted.length));
    this.units = Float64Array.from(sorted, (at) => unitsAt(entries, at, scale));
  }

  /** Visits the seqs of the right records that agree with the left entry. */
  visit(entries: RuleEntries, at: number, visit: (seq: number) => void): void {
    const { rule, code, bucket, day } = this;
    const from = firstAt(code, entries.code[at] as number, 0, code.length);
    const end = firstPast(code, from, code.length, entries.code[at] as number);
    if (from === end) return;
    const lowest = (entries.bucket[at] as number) - rule.bucketWindow;
    const highest = (entries.bucket[at] as number) + rule.bucketWindow;
    const units = rule.exact ? unitsAt(entries, at, this.scale) : NaN;
    let first = firstAt(bucket, lowest, from, end);
    if (!rule.blocksOnDay) {
      while (first < end && (bucket[first] as number) <= highest) this.visitOne(first++, units, visit);
      return;
    }
    const ownDay = entries.day[at] as number;
    while (first < end && (bucket[first] as number) <= highest) {
      const past = firstPast(bucket, first, end, bucket[first] as number);
      const last = ownDay + rule.dayWindow.to;
      for (
        let row = firstAt(day, ownDay + rule.dayWindow.from, first, past);
        row < past && (day[row] as number) <= last;
        row++
      )
        this.visitOne(row, units, visit);
      first = past;
    }
  }

  private visitOne(row: number, units: number, visit: (seq: number) => void): void {
    if (this.rule.exact && !this.rule.admits(units, this.units[row] as number, this.scale)) return;
    visit(this.seq[row] as number);
  }
}

/** Returns the first index in [from, to) of an ascending range whose value is at least `bound`. */
const firstAt = (sorted: Float64Array | Int32Array, bound: number, from: number, to: number): number =>
  lowerBound(from, to, (at) => (sorted[at] as number) < bound);

/** Returns the first index in [from, to) of an ascending range whose value is larger; short runs are found fastest. */
function firstPast(sorted: Float64Array, from: number, to: number, value: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (sorted[low + step] as number) <= value) {
    low += step;
    step *= 2;
  }
  return lowerBound(low, Math.min(to, low + step), (at) => (sorted[at] as number) <= value);
}
