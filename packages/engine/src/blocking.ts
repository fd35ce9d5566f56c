import type { DayReading } from './calendar';
import type { AmountReading } from './decimal';

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

export function candidateRanges(
  rule: BlockingRule, right: SortedKeys,
): (bucket: number, day: number, visit: RangeVisitor) => void {
  return (bucket, day, visit) => {
    if (rule.active && bucket === day) visit(0, right.length);
  };
}
