import type { JsonObject, MaybePromise } from '../values/types';

/** A record of a pair: `amountUnits` at the comparer's scale, `day` since 1970-01-01. */
export interface ComparedRecord {
  value: JsonObject;
  amountUnits: number | null;
  day: number | null;
}

export type DropReason = 'window_days' | 'amount_tolerance' | 'missing_date' | 'missing_amount' | 'filter';

export type PairResult =
  | { decision: 'MATCH' | 'POSSIBLE'; score: number; explanation: JsonObject }
  | { decision: 'NO_MATCH'; score: number; dropped?: DropReason; explanation?: JsonObject }
  | { decision: 'ERROR'; error: { code: string; message: string; expression: string } };

export interface PairComparer {
  /** Stops as soon as the decision is known; the explanation of MATCH and POSSIBLE is complete. */
  compare(left: ComparedRecord, right: ComparedRecord): MaybePromise<PairResult>;
  /** Takes the same decision without stopping early: NO_MATCH has score and explanation too. */
  explain(left: ComparedRecord, right: ComparedRecord): MaybePromise<PairResult>;
}
