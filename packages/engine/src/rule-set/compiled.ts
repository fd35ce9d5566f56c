import type { BlockingRule } from '../blocking/blocking';
import type { DayReading } from '../values/calendar';
import type { CompiledComposition } from '../composition/types';
import type { AmountReading } from '../values/decimal';
import type { References } from '../expression/types';
import type { PairBatch, PairBatchOptions } from '../pairs/types';
import type { JsonObject, MaybePromise, Side } from '../values/types';
import type { RuleSetDefinition } from '../definition/types';

/** One record as the pair stages see it: `amountUnits` at the comparer's scale, `day` since 1970-01-01. */
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
  /** The same decision, but never stops early: score and explanation are there for NO_MATCH too. */
  explain(left: ComparedRecord, right: ComparedRecord): MaybePromise<PairResult>;
}

/** `effort` of a filter that failed: the share of the steps that an evaluation may take, 0..1. */
export type Admission =
  | { admitted: true }
  | { admitted: false; error?: { code: string; message: string; expression: string }; effort?: number };

export interface CompiledRuleSet {
  readonly definition: RuleSetDefinition;
  /** 1 when Tmatch <= 1, else 100. */
  readonly scale: 1 | 100;
  /** Everything a job reads: expressions, the amount and date keys, and what composition reads. */
  readonly references: References;
  /** By expression id: `jsonataExpr`, matcher ids, `filters/0`… */
  readonly expressions: Readonly<Record<string, 'compiled' | 'reference'>>;
  readonly blocking: BlockingRule;
  /** Null unless composition is enabled. */
  readonly composition: CompiledComposition | null;
  readKeys(side: Side, record: JsonObject): { amount: AmountReading; day: DayReading };
  /** Runs the filters that name only this side (a filter naming neither counts as left). */
  admitRecord(side: Side, record: JsonObject): MaybePromise<Admission>;
  /** `amountScale` (2..4) is the scale of `amountUnits` in the records it compares. */
  comparer(amountScale: number): PairComparer;
  /** A batch of pairs, decided as `comparer(amountScale).compare` does. */
  openBatch(amountScale: number, options?: PairBatchOptions): PairBatch;
}
