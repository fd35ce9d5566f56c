import { roundScore } from '../scoring/scoring';
import type { CompositionSettings } from './settings';
import { noDay } from '../values/calendar';
import { maxComposedUnits } from './limits';
import type { CompositionSide } from './types';

/** A record that needs members, with its amounts signed so that its own is > 0. */
export interface CompositeTarget {
  row: number;
  sign: 1 | -1;
  units: number;
  /** Day of the record; noDay without one. */
  day: number;
  tolerance: number;
  /** Inclusive bounds of a complete sum. */
  minSum: number;
  maxSum: number;
  /** Number of installments that it states; 0 without one. */
  totalCount: number;
  /** Value of one installment that it states; NaN without one. */
  unitValue: number;
}

/** Reads a target; null for a record that has no composites. */
export function readTarget(settings: CompositionSettings, side: CompositionSide, row: number): CompositeTarget | null {
  const signed = side.units[row] ?? NaN;
  const units = Math.abs(signed);
  if (!(units > 0 && units <= maxComposedUnits)) return null;
  const tolerance = settings.toleranceOf(units);
  return {
    row,
    sign: signed > 0 ? 1 : -1,
    units,
    day: side.day[row] ?? noDay,
    tolerance,
    minSum: units - tolerance,
    maxSum: units + tolerance,
    totalCount: Math.max(0, side.totalCount[row] ?? 0),
    unitValue: Math.abs(side.unitValue[row] ?? NaN),
  };
}

/**
 * Scores a set from integers below 2^53, which are exact. COMPLETE: one less the share of the target that it
 * misses. PARTIAL: the share that it reaches. Both times the share of its members inside the date rule.
 */
export function scoreOf(
  { scale }: Pick<CompositionSettings, 'scale'>,
  { units, minSum }: Pick<CompositeTarget, 'units' | 'minSum'>,
  { sum, size, inside }: { sum: number; size: number; inside: number },
): number {
  const reached = sum < minSum ? sum : Math.max(0, units - Math.abs(sum - units));
  return roundScore((scale * (reached * inside)) / (units * size), scale);
}
