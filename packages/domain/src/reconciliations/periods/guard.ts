import { AppError, type Queries } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { SharedReconciliation } from '../definition';
import { statusOfMonth } from './month';
import { reopenFrom } from './reopen';

/** The reason for which a group cannot be released. */
export interface ClosedFault {
  code: 'period_closed' | 'period_locked';
  message: string;
}

/**
 * Opens the months of held groups that are to be released, if that is forced, or says for each group of a closed month
 * why it stays. The caller holds the reconciliation, alone where it forces.
 * @returns the faults by group, and the months that are open again
 */
export async function openForRelease(
  scope: TenantScope,
  reconciliation: SharedReconciliation,
  ids: readonly string[],
  { force = false, reason }: { force?: boolean | undefined; reason: string },
): Promise<{ faults: Map<string, ClosedFault>; reopened: string[] }> {
  const faults = new Map<string, ClosedFault>();
  if (reconciliation.closedTo === null) return { faults, reopened: [] };
  const groups = await scope.db.query<{ id: string; period: string | null }>(
    `select id::text as id, period from match_groups
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and id = any($3::uuid[]) and status = 'held'`,
    [scope.tenantId, reconciliation.id, ids],
  );
  let first: string | undefined;
  for (const { id, period } of groups) {
    const status = statusOfMonth(period, reconciliation);
    if (status === 'locked') faults.set(id, lockedFault(period));
    else if (status === 'closed' && !force) faults.set(id, closedFault(period));
    else if (status === 'closed' && (first === undefined || (period ?? '') < first)) first = period ?? '';
  }
  const reopened = first === undefined ? [] : await reopenFrom(scope, reconciliation, { month: first, reason });
  return { faults, reopened };
}

const named = (period: string | null): string => (period === null ? 'The month' : `The month ${period}`);

const lockedFault = (period: string | null): ClosedFault => ({
  code: 'period_locked',
  message: `${named(period)} of the match group is locked`,
});

const closedFault = (period: string | null): ClosedFault => ({
  code: 'period_closed',
  message: `${named(period)} of the match group is closed: send "force": true with a reason, which opens it again`,
});

/**
 * Refuses to delete a record that a group of a closed month holds. Holds the reconciliations until the transaction
 * ends, so that none closes meanwhile.
 * @throws AppError period_closed, period_locked
 */
export async function assertDeletable(db: Queries, tenantId: string, recordId: string): Promise<void> {
  await db.query(
    `select 1 from reconciliations n
      where n.tenant_id = $1::uuid and n.id in (
        select i.reconciliation_id from reconciliation_items i
         where i.tenant_id = $1::uuid and i.record_id = $2::uuid and i.holds > 0)
      order by n.id for key share`,
    [tenantId, recordId],
  );
  const groups = await db.query<{
    id: string;
    period: string | null;
    closedTo: string | null;
    lockedTo: string | null;
  }>(
    `select g.id::text as id, g.period, n.closed_to::text as "closedTo", n.locked_to::text as "lockedTo"
       from match_group_members m
       join match_groups g on g.tenant_id = m.tenant_id and g.id = m.group_id and g.status = 'held'
       join reconciliations n on n.tenant_id = g.tenant_id and n.id = g.reconciliation_id
      where m.tenant_id = $1::uuid and m.record_id = $2::uuid`,
    [tenantId, recordId],
  );
  for (const { id, period, ...months } of groups) {
    const status = statusOfMonth(period, months);
    if (status === 'open') continue;
    throw new AppError(
      status === 'locked' ? 'period_locked' : 'period_closed',
      `Match group ${id} of the ${status} month ${period ?? ''} holds the record` +
        (status === 'locked' ? '' : ': release the group with "force": true first'),
      { errors: [{ path: '', code: `period_${status}`, message: `match group ${id} holds the record`, groupId: id }] },
    );
  }
}
