import { noDay } from '../pairs/types';
import { maxComposedUnits } from './limits';
import type { CompositionSettings } from './settings';
import type { CompositionSide } from './types';

/** A record that looks for members, with its amounts signed so that its own is > 0. */
export interface Target {
  row: number;
  sign: 1 | -1;
  units: number;
  /** noDay: none. */
  day: number;
  tolerance: number;
  /** Inclusive bounds of a complete sum. */
  minSum: number;
  maxSum: number;
  /** 0: none. */
  totalCount: number;
  /** NaN: none. */
  unitValue: number;
}

/** Null for a record that has no composites. */
export function readTarget(settings: CompositionSettings, side: CompositionSide, row: number): Target | null {
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
