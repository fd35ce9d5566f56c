import { amountBuckets } from './amount-buckets';
import type { AmountBuckets } from './amount-buckets';
import { formatDay } from '../values/calendar';
import type { DayReading } from '../values/calendar';
import { minAmountScale, rescale } from '../values/decimal';
import type { AmountReading } from '../values/decimal';
import { blockingParts, toleranceOf } from '../definition/keys';
import type { DayWindow } from '../definition/keys';
import type { RuleSetParams } from '../definition/types';

/** Reasons why a record cannot be blocked. */
export type UnblockedReason =
  | 'missing_amount'
  | 'unreadable_amount'
  | 'amount_out_of_range'
  | 'missing_date'
  | 'unreadable_date'
  | 'missing_key'
  | 'unreadable_key'
  | 'failed_key'
  | 'too_many_keys'
  | 'missing_text'
  | 'unreadable_text'
  | 'failed_text';

export interface BlockKey {
  bucket: number;
  day: number;
}

export interface BlockingRule {
  /** True if any part blocks; otherwise every pair is a candidate. */
  readonly active: boolean;
  readonly bucketWindow: number;
  /** Days from the left to the right date, both inclusive. */
  readonly dayWindow: DayWindow;
  /** True if amounts block or have a tolerance; then a record whose amount is out of range takes no part. */
  readonly comparesAmounts: boolean;
  readonly blocksOnDay: boolean;
  /** True if `admits` decides what the windows leave open. */
  readonly exact: boolean;
  /** True if `admits` accepts a contiguous run of the rows of one bucket and day, sorted by |units|. */
  readonly contiguous: boolean;
  /** Returns the key of a record; a part that is not active is 0. */
  keyOf(reading: { amount: AmountReading; day: DayReading }): BlockKey | { reason: UnblockedReason };
  /** Checks exactly inside the windows; true when the keys decide everything. */
  admits(leftUnits: number | null, rightUnits: number | null, amountScale: number): boolean;
  /** Returns the text of a key for the explanation; undefined without an active part. */
  describe(key: BlockKey): string | undefined;
}

/** Block keys of one side, sorted by (bucket, day); see `BlockingRule.contiguous`. */
export interface SortedKeys {
  readonly length: number;
  readonly bucket: Float64Array;
  readonly day: Int32Array;
  /** Amounts at the comparer's scale; NaN without one. */
  readonly units: Float64Array;
}

/** Returns whether an amount fits the coarsest scale of a rule set; otherwise its record cannot take part. */
export function amountFits(amount: { units: number; scale: number }): boolean {
  return rescale(amount.units, amount.scale, Math.max(minAmountScale, amount.scale)) !== null;
}

export function createBlockingRule(params: RuleSetParams): BlockingRule {
  const parts = blockingParts(params);
  const buckets = parts.amount === null ? null : amountBuckets(parts.amount);
  const dayWindow = parts.dayWindow;
  const comparesAmounts =
    buckets !== null || toleranceOf(params.amountTolerancePercent, params.amountTolerance) !== null;
  return {
    active: buckets !== null || dayWindow !== null,
    bucketWindow: buckets?.window ?? 0,
    dayWindow: dayWindow ?? { from: 0, to: 0 },
    comparesAmounts,
    blocksOnDay: dayWindow !== null,
    exact: buckets !== null && buckets.admits !== null,
    contiguous: buckets?.contiguous ?? false,
    keyOf: ({ amount, day }) => {
      const bucket = buckets === null ? 0 : bucketOf(buckets, amount);
      if (typeof bucket === 'string') return { reason: bucket };
      if (comparesAmounts && isOutOfRange(amount)) return { reason: 'amount_out_of_range' };
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

function isOutOfRange(amount: AmountReading): boolean {
  return amount.ok ? !amountFits(amount) : amount.reason === 'out_of_range';
}

function bucketOf(buckets: AmountBuckets, amount: AmountReading): number | UnblockedReason {
  if (!amount.ok) return unblockedAmount[amount.reason];
  return amountFits(amount) ? buckets.of(amount.units, amount.scale) : 'amount_out_of_range';
}

const unblockedAmount = {
  missing: 'missing_amount',
  unreadable: 'unreadable_amount',
  out_of_range: 'amount_out_of_range',
} as const;
