import type { Side } from '@tieout/engine';

/** A number of records, and the sum of their amounts by currency, as decimal texts. */
export interface CountedAmounts {
  count: number;
  amounts: { currency: string | null; amount: string }[];
}

export const ageBuckets = ['0-7', '8-30', '31-60', '61-90', 'over 90', 'no date'] as const;
export type AgeBucket = (typeof ageBuckets)[number];
/** The last day of each age; the next one has no end. */
const bucketEnds = [7, 30, 60, 90];

/** @param days null: there is no date */
export function ageBucketOf(days: number | null): AgeBucket {
  if (days === null) return 'no date';
  return ageBuckets[bucketEnds.findIndex((end) => days <= end)] ?? 'over 90';
}

/** SQL that maps an age in days to its bucket. */
export const ageBucketSql = (days: string): string =>
  `case when ${days} is null then 'no date'
        ${bucketEnds.map((end, at) => `when ${days} <= ${end} then '${ageBuckets[at]}'`).join(' ')} else 'over 90' end`;

export interface SideSummary {
  records: CountedAmounts;
  /** The amounts that groups hold, parts of records included. */
  held: CountedAmounts;
  /** The rest of the records that are neither held wholly nor excluded. */
  open: CountedAmounts;
  excluded: CountedAmounts;
  ageing: Record<AgeBucket, CountedAmounts>;
}

export interface ReconciliationSummary {
  sides: Record<Side, SideSummary>;
  groups: { origin: string; count: number }[];
  adjustments: { reasonCode: string; count: number; amount: string }[];
  /** The sum of what held groups differ by, which their rules have tolerated. */
  difference: string;
}
