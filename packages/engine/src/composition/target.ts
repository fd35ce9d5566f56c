import { roundScore } from '../scoring/scoring';
import type { CompositionSettings } from './settings';
import { noDay } from '../values/calendar';
import { maxComposedUnits } from './limits';
import { memberSide, targetSide } from './types';
import type { RelationFailures } from './relation-failures';
import type { CompositeDirection, CompositionPool } from './types';

/** A record for which members are searched. Amounts are signed so that its own is > 0. */
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
  /** The part that confirmed composites hold: a rest may be completed by one member. */
  heldUnits: number;
  /** Minimum number of members in a set that completes the target. */
  minMembers: number;
  /** Number of installments, as the target states it; 0 where it states none. */
  totalCount: number;
  /** Amount of one installment, as the target states it; NaN where it states none. */
  unitValue: number;
  /** Match key of its members; 0 without match keys. */
  matchKey: number;
  /** Returns the evidence of a row of the other side, or `notRelated`; null where every row is related. */
  evidenceOf: ((row: number) => number) | null;
}

/** Reads a target; null for a record that has no composites. */
export function readTarget(
  settings: CompositionSettings,
  pool: CompositionPool,
  { direction, row, failures }: { direction: CompositeDirection; row: number; failures: RelationFailures },
): CompositeTarget | null {
  const side = pool[targetSide[direction]];
  const signed = side.units[row] ?? NaN;
  const units = Math.abs(signed);
  if (!(units > 0 && units <= maxComposedUnits)) return null;
  const tolerance = settings.toleranceOf(units, pool.amountScale);
  const heldUnits = Math.abs(side.heldUnits?.[row] ?? 0);
  const { relation } = settings;
  const hasMembers = pool[memberSide[direction]].related !== undefined;
  return {
    row,
    sign: signed > 0 ? 1 : -1,
    units,
    day: side.day[row] ?? noDay,
    tolerance,
    // A sum of nothing completes no target.
    minSum: Math.max(units - tolerance, Math.min(units, 1)),
    maxSum: units + tolerance,
    heldUnits,
    minMembers: heldUnits === 0 ? 2 : 1,
    totalCount: Math.max(0, side.totalCount[row] ?? 0),
    unitValue: Math.abs(side.unitValue[row] ?? NaN),
    matchKey: side.matchKey?.[row] ?? 0,
    evidenceOf: relation === null || !hasMembers ? null : relation.of(pool, { direction, row }, failures),
  };
}

/**
 * Scores a set from integers below 2^53, which are exact. COMPLETE: one less the share of the target that it
 * misses. PARTIAL: the share that it reaches. Both times the share of its members inside the date rule. The mean
 * evidence of its members counts with its own weight.
 */
export function scoreOf(
  { scale, evidenceWeight }: Pick<CompositionSettings, 'scale' | 'evidenceWeight'>,
  { units, minSum }: Pick<CompositeTarget, 'units' | 'minSum'>,
  { sum, size, inside, evidence }: { sum: number; size: number; inside: number; evidence: number },
): number {
  const reached = sum < minSum ? sum : Math.max(0, units - Math.abs(sum - units));
  const score = (scale * (reached * inside)) / (units * size);
  if (evidenceWeight === 0) return roundScore(score, scale);
  return roundScore((1 - evidenceWeight) * score + evidenceWeight * scale * evidence, scale);
}
