import { amountBuckets } from './amount-buckets';
import type { AmountBuckets } from './amount-buckets';
import { formatDay } from './calendar';
import type { DayReading } from './calendar';
import { MIN_AMOUNT_SCALE, rescale } from './decimal';
import type { AmountReading } from './decimal';
import { blockingParts } from './rule-set/keys';
import type { RuleSetParams } from './rule-set/types';

/** Why a record cannot be blocked. */
export type UnblockedReason =
  | 'missing_amount' | 'unreadable_amount' | 'amount_out_of_range' | 'missing_date' | 'unreadable_date';

export interface BlockKey {
  bucket: number;
  day: number;
}

export interface BlockingRule {
  /** False: every pair is a candidate. */
  readonly active: boolean;
  readonly bucketWindow: number;
  readonly dayWindow: number;
  /** The key of a record; a part that is not active is 0. */
  keyOf(reading: { amount: AmountReading; day: DayReading }): BlockKey | { reason: UnblockedReason };
  /** The exact check that remains inside the windows; true when the keys say it all. */
  admits(leftUnits: number | null, rightUnits: number | null, amountScale: number): boolean;
  /** Text of a key for the explanation; undefined without an active part. */
  describe(key: BlockKey): string | undefined;
}

/** Block keys of one side, sorted by (bucket, day). */
export interface SortedKeys {
  readonly length: number;
  readonly bucket: Float64Array;
  readonly day: Int32Array;
  /** Amounts at the comparer's scale; NaN = none. */
  readonly units: Float64Array;
}

export type RangeVisitor = (from: number, to: number) => void;

/** Amounts of this key fit the coarsest scale a rule set computes with, or the record cannot take part. */
export function amountFits(amount: { units: number; scale: number }): boolean {
  return rescale(amount.units, amount.scale, Math.max(MIN_AMOUNT_SCALE, amount.scale)) !== null;
}

export function createBlockingRule(params: RuleSetParams): BlockingRule {
  const parts = blockingParts(params);
  const buckets = parts.amount === null ? null : amountBuckets(parts.amount);
  const dayWindow = parts.dayWindow;
  return {
    active: buckets !== null || dayWindow !== null,
    bucketWindow: buckets?.window ?? 0,
    dayWindow: dayWindow ?? 0,
    keyOf: ({ amount, day }) => {
      const bucket = buckets === null ? 0 : bucketOf(buckets, amount);
      if (typeof bucket === 'string') return { reason: bucket };
      if (dayWindow === null) return { bucket, day: 0 };
      if (!day.ok) return { reason: day.reason === 'missing' ? 'missing_date' : 'unreadable_date' };
      return { bucket, day: day.day };
    },
    admits: (leftUnits, rightUnits, amountScale) => {
      if (buckets === null || buckets.admits === null) return true;
      if (leftUnits === null || rightUnits === null) return false;
      if (Number.isNaN(leftUnits) || Number.isNaN(rightUnits)) return false;
      return buckets.admits(leftUnits, rightUnits, amountScale);
    },
    describe: (key) => {
      const texts: string[] = [];
      if (buckets !== null) texts.push(buckets.describe(key.bucket));
      if (dayWindow !== null) texts.push(`date:${formatDay(key.day)}`);
      return texts.length === 0 ? undefined : texts.join('|');
    },
  };
}

function bucketOf(buckets: AmountBuckets, amount: AmountReading): number | UnblockedReason {
  if (!amount.ok) return UNBLOCKED_AMOUNT[amount.reason];
  return amountFits(amount) ? buckets.of(amount.units, amount.scale) : 'amount_out_of_range';
}

const UNBLOCKED_AMOUNT = {
  missing: 'missing_amount', unreadable: 'unreadable_amount', out_of_range: 'amount_out_of_range',
} as const;

/**
 * Candidate ranges of the right side for one left key: the disjoint half-open index ranges whose
 * bucket and day lie inside the windows, in ascending order. Each call costs a binary search over
 * the distinct buckets and two per bucket inside the window.
 */
export function candidateRanges(
  rule: BlockingRule, right: SortedKeys,
): (bucket: number, day: number, visit: RangeVisitor) => void {
  const groups = groupByBucket(right);
  return (bucket, day, visit) => {
    const highest = bucket + rule.bucketWindow;
    let from = 0;
    let to = 0;
    for (let group = lowerBound(groups.bucket, bucket - rule.bucketWindow, 0, groups.count); group < groups.count; group += 1) {
      if ((groups.bucket[group] ?? Infinity) > highest) break;
      const start = groups.start[group] ?? 0;
      const end = groups.start[group + 1] ?? right.length;
      const first = lowerBound(right.day, day - rule.dayWindow, start, end);
      const past = lowerBound(right.day, day + rule.dayWindow + 1, first, end);
      if (first === past) continue;
      if (first !== to) {
        if (from < to) visit(from, to);
        from = first;
      }
      to = past;
    }
    if (from < to) visit(from, to);
  };
}

/** Distinct buckets in ascending order, each with the index where it starts; `start[count]` is the end. */
function groupByBucket(keys: SortedKeys): { count: number; bucket: Float64Array; start: Float64Array } {
  const bucket: number[] = [];
  const start: number[] = [];
  for (let index = 0; index < keys.length; index += 1) {
    const value = keys.bucket[index] ?? 0;
    if (index > 0 && value === bucket.at(-1)) continue;
    bucket.push(value);
    start.push(index);
  }
  start.push(keys.length);
  return { count: bucket.length, bucket: Float64Array.from(bucket), start: Float64Array.from(start) };
}

/** The first index in [from, to) whose value is >= `bound`; `to` when there is none. */
function lowerBound(sorted: Float64Array | Int32Array, bound: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
