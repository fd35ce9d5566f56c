import type { JsonObject, MaybePromise, Side } from '../values/types';

/** Default number of errors that a batch keeps in detail. */
export const defaultKeptErrors = 20;

/** Share of an evaluation's allowance from which a failure counts like one at the limit: a few of them end a job. */
export const heavyEffort = 0.5;

/** Says what a failed evaluation belongs to: all pairs of a record, every pair, or one pair. */
export type FailureOf = Side | 'constant' | 'pair';

export interface PairBatchOptions {
  /** Called for each pair that is an ERROR. */
  onError?: ((failure: PairFailure) => void) | undefined;
  /** Called for each evaluation for all pairs of a record that may have taken long. */
  onLong?: (() => void) | undefined;
  /** Number of errors that are kept in detail; the rest is only counted. */
  keptErrors?: number | undefined;
}

export interface PairFailure {
  left: number;
  right: number;
  code: string;
  /** Message of a failure that is kept or took `heavyEffort`; others may have the code. */
  message: string;
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  expression: string;
  /** Subject of the failed evaluation: all pairs of a record, every pair, or this pair. */
  of: FailureOf;
  /**
   * Share of an evaluation's allowance, 0..1. An evaluation for several pairs costs the first pair that needs it,
   * and no effort to the others.
   */
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
  /** Returns the stored form of the pair's explanation as JSON text: see `explanationExpander`. */
  stored(index: number): string;
}

export interface PairCounts {
  MATCH: number;
  POSSIBLE: number;
  NO_MATCH: number;
  ERROR: number;
}

/**
 * Compares one slice of the left side with chunks of the right side, and decides as `PairComparer.compare` does.
 * Left rows are added before right ones, both in block key order; an index is the order of adding. `amountUnits` is
 * at the batch's amount scale, NaN without an amount; `day` is noDay without a date.
 */
export interface PairBatch {
  addLeft(value: JsonObject, amountUnits: number, day: number): void;
  addRight(value: JsonObject, amountUnits: number, day: number): void;
  /**
   * Approximate bytes that the batch holds of values that expressions make of the rows of a side. The last rows may
   * be missing until later ones arrive.
   */
  heldBytes(side: Side): number;
  /** Forgets the right rows, the kept pairs and the errors before the next chunk; left rows and counts stay. */
  clearRight(): void;
  /**
   * Compares one left row with the right rows [from, to), up to a pair that may have taken long. Returns the next
   * right row, which is after `from`. A promise only while an evaluation is pending; the next call waits for it.
   */
  compare(left: number, from: number, to: number): MaybePromise<number>;
  /** True if a pair of the last range may have taken long. */
  readonly tookLong: boolean;
  readonly counts: Readonly<PairCounts>;
  /** Sum of the scores of all kept pairs. */
  readonly scoreSum: number;
  /** The first errors of the chunk. */
  readonly errors: readonly PairError[];
  readonly kept: KeptPairs;
  /** Forgets the kept pairs; rows and counts stay. */
  clearKept(): void;
  /** Begins to look for the best pair of each row among the right rows at hand, whatever its score. */
  openNearest(): NearestSearch;
}

/** Looks for the best pairs of rows. Nothing that it does counts, and a pair whose evaluation fails is passed over. */
export interface NearestSearch {
  readonly left: NearestOfRows;
  readonly right: NearestOfRows;
  /**
   * Scores one left row with the right rows [from, to), up to a pair that may have taken long. Returns the next right
   * row; null where an evaluation ran into its limits, and the search had better end.
   */
  score(left: number, from: number, to: number): number | null;
  /** Returns whether no other pair below Tpossible can be better than the one that a row has. */
  hasBest(side: Side, row: number): boolean;
}

export interface NearestOfRows {
  /** Returns the row of the other side in the best pair of a row; -1 without one. */
  partnerOf(row: number): number;
  /** Returns the score that decides on that pair: 0 where a condition drops it. */
  scoreOf(row: number): number;
  /** Returns the values of the matchers in `valueSteps`, or `abstains`; null where they are not known. */
  valuesOf(row: number): Uint16Array | null;
}
