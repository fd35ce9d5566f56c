import type { ScoreScale } from '../../definition/defaults';
import type { ToleranceCheck } from '../../values/tolerance';
import type { RowStore } from '../columns/stored-columns';
import type { PairKeeper } from '../kept-pairs';
import type { CostClass, PairPlan, PlannedExpression } from '../plan/pair-plan';

/** Everything a loop over pairs decides by. */
export interface LoopRules {
  plan: PairPlan;
  windowDays: number | undefined;
  withinTolerance: ToleranceCheck | null;
  scale: ScoreScale;
  possibleThreshold: number;
  /** Of the matchers, in definition order; so is `required`. */
  weights: readonly number[];
  required: readonly boolean[];
  /** The matchers in the order of their evaluation; a loop may change it where no decision depends on it. */
  order: readonly number[];
  /** What the matchers cost, in definition order. */
  costs: readonly CostClass[];
}

/** The data of one batch and what becomes of its pairs. */
export interface PairFrame {
  left: RowStore;
  right: RowStore;
  keeper: PairKeeper;
  /** Counts pairs that are NO_MATCH. */
  drop(pairs: number): void;
  /** Counts an ERROR; `stage` is an index of `stagesOf`. False when the pair has to be compared in another way. */
  fail(left: number, right: number, stage: number, thrown: unknown): boolean;
}

/**
 * Compares a left row with right rows [from, to). Returns the right row that comes next: less than `to` behind a pair whose
 * evaluation may have taken long, and for a pair that has to be compared in another way, which is not counted yet.
 */
export type PairLoop = (left: number, from: number, to: number) => number;

/** Makes loops over the data of a frame as it is now: rows that are added later need another loop. */
export type LoopFactory = (frame: PairFrame) => PairLoop;

/** The expressions in the order of their numbers: filters, gate or main expression, matchers as defined. */
export function expressionsInOrder({ filters, main, matchers }: PairPlan): PlannedExpression[] {
  return [...filters, ...(main === null ? [] : [main]), ...(matchers ?? [])];
}
