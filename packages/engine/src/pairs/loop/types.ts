import type { ScoreScale } from '../../definition/defaults';
import type { ToleranceCheck } from '../../values/tolerance';
import type { RowStore } from '../columns/row-store';
import type { CostClass, PairPlan, PlannedExpression } from '../plan/pair-plan';

/** Rules that a loop over pairs decides by. */
export interface LoopRules {
  plan: PairPlan;
  windowDays: number | undefined;
  withinTolerance: ToleranceCheck | null;
  scale: ScoreScale;
  possibleThreshold: number;
  /** Weights of the matchers in definition order; `required` has the same order. */
  weights: readonly number[];
  required: readonly boolean[];
  /** Matchers in the order of evaluation; a loop may change it where no decision depends on it. */
  order: readonly number[];
  /** Cost classes of the matchers, in definition order. */
  costs: readonly CostClass[];
}

/** Takes the pairs whose score reaches the threshold of a loop. */
export interface KeptSink {
  /** Reasons of the current pair. */
  reasons: unknown;
  /** Matcher values of the current pair, in definition order; NaN abstains. */
  readonly values: Float64Array;
  /** Takes a pair with the current `values` and `reasons`. */
  keep(left: number, right: number, score: number): void;
  /** Takes a pair whose matchers returned true (their bits) or false. */
  keepBits(left: number, right: number, score: number, bits: number): void;
}

/** The data that the loop over one batch reads, and the sinks that receive its pairs. */
export interface PairFrame {
  left: RowStore;
  right: RowStore;
  keeper: KeptSink;
  /** Counts pairs that are NO_MATCH. */
  drop(pairs: number): void;
  /**
   * Counts an ERROR; `expression` is an index of `expressionsInOrder`. False when the pair has to be compared in
   * another way.
   */
  fail(left: number, right: number, expression: number, thrown: unknown): boolean;
}

/**
 * Compares a left row with right rows [from, to) and returns the next right row. That is less than `to` after a
 * pair whose evaluation may have taken long, and for a pair that has to be compared in another way, which is not
 * counted yet.
 */
export type PairLoop = (left: number, from: number, to: number) => number;

/** Creates a loop over the current data of a frame; rows that are added later need another loop. */
export type LoopFactory = (frame: PairFrame) => PairLoop;

/** Returns the expressions in the order of their numbers: filters, gate or main expression, matchers as defined. */
export function expressionsInOrder({ filters, main, matchers }: PairPlan): PlannedExpression[] {
  return [...filters, ...(main === null ? [] : [main]), ...(matchers ?? [])];
}
