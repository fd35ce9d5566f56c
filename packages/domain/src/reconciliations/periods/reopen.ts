import { recordAudit } from '../../audit';
import { emitEvent, enqueueDeliveries } from '../../events';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { isPeriodOpenSql, lastDayOf } from './month';

/** Records that months are open again. @param reconciliation as it was before */
export const auditReopened = (
  scope: TenantScope,
  { id, closedTo }: Pick<Reconciliation, 'id' | 'closedTo'>,
  { period, reopened, reason }: { period: string; reopened: readonly string[]; reason: string },
): Promise<void> =>
  recordAudit(scope, {
    action: 'period.reopen',
    object: { type: 'period', id: `${id}/${period}` },
    before: { closed_to: closedTo },
    after: { reopened_periods: reopened },
    reason,
  });

/** Opens the closed months from one on. The caller holds the reconciliation alone, and calls `auditReopened`. */
export async function reopenFrom(
  scope: TenantScope,
  { id }: Pick<Reconciliation, 'id'>,
  { month, reason }: { month: string; reason: string },
): Promise<string[]> {
  const { db, tenantId, origin } = scope;
  const voided = await db.query<{ id: string; period: string }>(
    `update period_certificates set voided_at = clock_timestamp(), voided_by = $4::jsonb, void_reason = $5
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and period >= $3 and voided_at is null
      returning id::text as id, period`,
    [tenantId, id, month, JSON.stringify(origin.actor), reason],
  );
  const [last] = await db.query<{ period: string }>(
    `select max(period) as period from period_certificates
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and voided_at is null having max(period) is not null`,
    [tenantId, id],
  );
  await db.execute(
    `update reconciliations set closed_to = $3::date, updated_at = now() where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, last ? lastDayOf(last.period) : null],
  );
  await markReopened(scope, id);
  voided.sort((a, b) => (a.period < b.period ? -1 : 1));
  for (const { id: certificateId, period } of voided) {
    await emitPeriod(scope, 'PERIOD_REOPENED', { reconciliationId: id, period, certificateId, reason });
  }
  return voided.map(({ period }) => period);
}

/**
 * Has what groups of open months hold settled again: it was left as it is, as stale, while they were closed. The caller
 * holds the reconciliation alone.
 */
async function markReopened({ db, tenantId }: TenantScope, reconciliationId: string): Promise<void> {
  await db.execute(
    `update reconciliation_items i set changed = true
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.differs and not i.changed
        and i.record_id = any(array(
          select m.record_id from reconciliations n
            join match_groups g on g.tenant_id = $1::uuid and g.reconciliation_id = n.id
             and g.status = 'held' and g.stale and ${isPeriodOpenSql}
            join match_group_members m on m.tenant_id = $1::uuid and m.group_id = g.id
           where n.tenant_id = $1::uuid and n.id = $2::uuid))`,
    [tenantId, reconciliationId],
  );
}

export async function emitPeriod(
  { db, tenantId, queue }: TenantScope,
  type: 'PERIOD_CLOSED' | 'PERIOD_REOPENED',
  data: { reconciliationId: string; period: string; certificateId: string; digest?: string; reason?: string },
): Promise<void> {
  if (await emitEvent(db, tenantId, { type, data })) {
    await db.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
  }
}
