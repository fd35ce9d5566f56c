import { AppError } from '@tieout/infra';
import { asService, type TenantScope } from '../../kernel/scope';
import { lockReconciliation } from '../definition';
import { settleChangedItems } from '../groups/changed';
import { assertMonth, statusOfMonth } from './month';
import { auditReopened, reopenFrom } from './reopen';

/**
 * Opens a month again, and those that were closed after it: their sums follow from it. Their certificates are kept,
 * with their end.
 * @returns the months
 * @throws AppError reconciliation_not_found; period_open; period_locked
 */
export async function reopenPeriod(
  scope: TenantScope,
  reconciliationId: string,
  { period, reason }: { period: string; reason: string },
): Promise<string[]> {
  assertMonth(period);
  return scope.transaction(async (s) => {
    const reconciliation = await lockReconciliation(s, reconciliationId);
    const status = statusOfMonth(period, reconciliation);
    if (status === 'open') throw new AppError('period_open', `The month ${period} is open`);
    if (status === 'locked') throw new AppError('period_locked', `The month ${period} is locked: it stays closed`);
    const reopened = await reopenFrom(s, reconciliation, { month: period, reason });
    await settleChangedItems(asService(s), reconciliationId);
    await auditReopened(s, reconciliation, { period, reopened, reason });
    return reopened;
  });
}
