import {
  blockingReaches,
  noDay,
  recordKeys,
  type BlockingReach,
  type CompiledRuleSet,
  type Side,
} from '@tieout/engine';
import { readsWhole } from '../stage/side-query';
import type { FieldRange } from '../stage/side-query';
import type { HeldSide } from './held-side';

/** A part of both sides that holds left records together with the right ones that a rule lets them meet. */
export type TrialBlock = Record<Side, FieldRange>;

const minFill = 0.9;
const minDistinct = 0.2;

/**
 * Chooses a part of the left records around the middle one of a sample, and the right ones within reach of it. Amounts
 * part records best, then days. Null where no rule has a window of values that most records have, each in a field.
 * @param share the part of the left records
 */
export function blockOf(
  { definition: { params }, references }: CompiledRuleSet,
  sample: HeldSide,
  share: number,
): TrialBlock | null {
  const isColumn = (side: Side, path: string): boolean => !readsWhole(references[side]) && !path.includes('.');
  const keys = recordKeys(params);
  const reaches = blockingReaches(params).filter(({ kind, paths }) => {
    const key = kind === 'amount' ? 'amount' : 'date';
    return (['left', 'right'] as const).every((side) => paths[side] === keys[side][key] && isColumn(side, paths[side]));
  });
  const amount = reaches.find(({ kind }) => kind === 'amount');
  const day = reaches.find(({ kind }) => kind === 'day');
  return (
    (amount && around(amount, valuesOf(sample, 'amount'), { ...sample.plan, share, minDistinct })) ??
    (day && around(day, valuesOf(sample, 'day'), { ...sample.plan, share, minDistinct: 0 })) ??
    null
  );
}

function valuesOf({ blocks }: HeldSide, kind: BlockingReach['kind']): Float64Array {
  const found: number[] = [];
  for (const { rows, units, scale, ownDay } of blocks)
    for (let row = 0; row < rows; row++) {
      const day = ownDay[row] as number;
      const value = kind === 'amount' ? Math.abs(units[row] as number) / 10 ** (scale[row] as number) : day;
      if (!Number.isNaN(value) && value !== noDay) found.push(value);
    }
  return Float64Array.from(found).sort();
}

function around(
  { kind, paths, widen }: BlockingReach,
  values: Float64Array,
  { ready, share, minDistinct: minShare }: { ready: number; share: number; minDistinct: number },
): TrialBlock | null {
  if (values.length < minFill * ready || new Set(values).size < minShare * values.length) return null;
  const steps = Math.max(1, Math.round(values.length * share));
  const first = Math.max(0, Math.floor((values.length - steps) / 2));
  const [from, to] = [values[first], values[Math.min(values.length - 1, first + steps)]];
  if (from === undefined || to === undefined) return null;
  const [low, high] = widen(from, to);
  return { left: { kind, field: paths.left, from, to }, right: { kind, field: paths.right, from: low, to: high } };
}
