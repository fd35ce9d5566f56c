import { memberSide, targetSide, type Side } from '@tieout/engine';
import type { ReviewedComposite } from './store';

/** Decimals of composite amounts: they are added up as integers of this scale. */
export const heldScale = 4;

const unitsOf = (amount: number): bigint => BigInt(amount.toFixed(heldScale).replace('.', ''));

/** Parts of targets that confirmed composites hold, and records that they hold whole. */
export interface HeldRecords {
  /** Signed units held of each target with an open rest, by the target's id. */
  parts: Record<Side, ReadonlyMap<string, bigint>>;
  whole: Record<Side, string[]>;
}

/**
 * Computes what confirmed composites hold. Members are held whole. A PARTIAL composite holds a part of its target, the
 * sum of its members; so does a COMPLETE one once others no longer hold the part that they held before it.
 */
export function heldRecords(confirmed: readonly ReviewedComposite[]): HeldRecords {
  const parts = { left: new Map<string, bigint>(), right: new Map<string, bigint>() };
  const whole: HeldRecords['whole'] = { left: [], right: [] };
  for (const { direction, targetRecordId, memberRecordIds, composedAmount } of confirmed) {
    const held = parts[targetSide[direction]];
    held.set(targetRecordId, (held.get(targetRecordId) ?? 0n) + unitsOf(composedAmount));
    for (const id of memberRecordIds) whole[memberSide[direction]].push(id);
  }
  for (const { direction, status, targetRecordId, composedAmount, heldBefore } of confirmed) {
    const held = parts[targetSide[direction]];
    const all = held.get(targetRecordId);
    if (status !== 'COMPLETE' || all === undefined) continue;
    if (magnitude(all - unitsOf(composedAmount)) < magnitude(unitsOf(heldBefore))) continue;
    held.delete(targetRecordId);
    whole[targetSide[direction]].push(targetRecordId);
  }
  return { parts, whole };
}

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

/** Lists all records of a side that are held, whole or in part. */
export const heldOn = ({ parts, whole }: HeldRecords, side: Side): string[] => [...whole[side], ...parts[side].keys()];
