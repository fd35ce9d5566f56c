import type { Side } from '@tieout/engine';
import type { FieldError } from '@tieout/infra';
import { decimalOf, exactUnitsOf } from '../amounts';
import type { ItemKeys } from './types';

/** Reads the amount above which groups need approval, as a decimal text; adds a fault to a text that is none. */
export function readApprovalAbove(
  sent: number | string | null,
  keys: Record<Side, ItemKeys>,
  faults: FieldError[],
): string | null {
  if (sent === null) return null;
  const path = '/approvalAbove';
  const units = exactUnitsOf(sent);
  if (units === null || units < 0n) {
    const message = 'must be an amount of 0 or more, of at most 4 decimals, or null for no approval';
    faults.push({ path, code: 'amount', message });
    return null;
  }
  if (keys.left.amount === null)
    faults.push({ path, code: 'no_amounts', message: 'must be left out: the reconciliation has no amounts' });
  return decimalOf(units);
}
