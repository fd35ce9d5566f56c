import type { Side } from '@tieout/engine';

/** A number of records, and the sum of their amounts by currency, as decimal texts. */
export interface CountedAmounts {
  count: number;
  amounts: { currency: string | null; amount: string }[];
}

/** The first day of each age, in days, and its name; the last one has no end. */
export const ageBuckets = ['0-7', '8-30', '31-60', '61-90', 'over 90', 'no date'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

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
