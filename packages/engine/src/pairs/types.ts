import type { JsonObject, MaybePromise, Side } from '../values/types';

/** Errors of which a batch keeps the details, unless told otherwise. */
export const defaultKeptErrors = 20;

/** A failure that took so much of what an evaluation may take counts like one at the limit: a few of them end a job. */
export const heavyEffort = 0.5;

/** Says what a failed evaluation belongs to: all pairs of a record, every pair, or one pair. */
export type FailureOf = Side | 'constant' | 'pair';

export interface PairBatchOptions {
  /** Called for each pair that is an ERROR. */
  onError?: ((failure: PairFailure) => void) | undefined;
  /** Called for each evaluation for all pairs of a record that may have taken long. */
  onLong?: (() => void) | undefined;
  /** How many errors are kept with their details; the rest is only counted. */
  keptErrors?: number | undefined;
}

export interface PairFailure {
  left: number;
  right: number;
  code: string;
  /** Of a failure that is kept or took `heavyEffort`; of others it may be the code. */
  message: string;
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  expression: string;
  /** What failed: what is evaluated once for all pairs of a record, or for all pairs, or the evaluation of this pair. */
  of: FailureOf;
  /** The share of what an evaluation may take, 0..1. What is evaluated for several pairs has cost the first of them that needs it, and is no effort to the others. */
  effort: number;
}

export interface PairError {
  left: number;
  right: number;
  code: string;
  message: string;
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  expression: string;
}

/** Pairs that are MATCH or POSSIBLE, in the order of the comparisons. */
export interface KeptPairs {
  readonly length: number;
  left(index: number): number;
  right(index: number): number;
  score(index: number): number;
  decision(index: number): 'MATCH' | 'POSSIBLE';
  /** What is stored of the pair's explanation, as JSON text: see `explanationExpander`. */
  stored(index: number): string;
}

export interface PairCounts {
  MATCH: number;
  POSSIBLE: number;
  NO_MATCH: number;
  ERROR: number;
}

/**
 * One slice of the left side against chunks of the right side, deciding as `PairComparer.compare`
 * does. Left rows are added before right ones, both in block key order; an index is the order of
 * adding. `amountUnits` is at the batch's amount scale, NaN without an amount; `day` is noDay without a date.
 */
export interface PairBatch {
  addLeft(value: JsonObject, amountUnits: number, day: number): void;
  addRight(value: JsonObject, amountUnits: number, day: number): void;
  /** Bytes that the batch holds of what expressions make of the rows of a side, about. Those of some of the last rows come with later ones. */
  heldBytes(side: Side): number;
  /** Forgets the right rows, the kept pairs and the errors, for the next chunk; left rows and counts stay. */
  clearRight(): void;
  /**
   * Compares one left row with the right rows [from, to), up to a pair that may have taken long. Gives the right row that comes
   * next, which is behind `from`. A promise only while an evaluation is pending; the next call waits for it.
   */
  compare(left: number, from: number, to: number): MaybePromise<number>;
  /** Whether a pair of the last range may have taken long. */
  readonly tookLong: boolean;
  readonly counts: Readonly<PairCounts>;
  /** Sum of the scores of all kept pairs. */
  readonly scoreSum: number;
  /** The first errors of the chunk. */
  readonly errors: readonly PairError[];
  readonly kept: KeptPairs;
  /** Forgets the kept pairs; rows and counts stay. */
  clearKept(): void;
}
