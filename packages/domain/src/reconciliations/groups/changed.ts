import { Attempts } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { lockReconciliation } from '../definition';
import { isPeriodOpenSql } from '../periods/month';
import { readAgain } from './read-again';
import { releaseAs } from './release';

/** Items that one transaction settles. */
const itemsPerStep = 500;

/**
 * Settles records that have changed, or are gone, while groups hold them. What a run tied is released when amount, date
 * or currency differ, and when the record is gone; what people tied, and what a closed month holds, stays, as stale.
 */
export async function sweepChangedItems(deps: DomainDeps): Promise<void> {
  const rows = await deps.db.system.query<{ tenantId: string; reconciliationId: string }>(
    `select distinct i.tenant_id::text as "tenantId", i.reconciliation_id::text as "reconciliationId"
       from reconciliation_items i join tenants t on t.id = i.tenant_id and t.status = 'active' where i.changed`,
  );
  const attempts = new Attempts(deps, { noun: 'reconciliation', participle: 'settled' });
  for (const { tenantId, reconciliationId } of rows) {
    await attempts.try({ tenantId, reconciliationId }, (scope) => settleChangedItems(scope, reconciliationId));
  }
  attempts.end();
}

async function settleChangedItems(scope: TenantScope, reconciliationId: string): Promise<void> {
  while ((await scope.transaction((s) => settleStep(s, reconciliationId))) === itemsPerStep);
}

interface ChangedItem {
  recordId: string;
  isGone: boolean;
  /** Amount, date or currency differ from what is held. */
  differs: boolean;
}

async function settleStep(scope: TenantScope, reconciliationId: string): Promise<number> {
  const { db, tenantId } = scope;
  await lockReconciliation(scope, reconciliationId, 'shared');
  const items = await db.query<ChangedItem>(
    `select i.record_id::text as "recordId", r.id is null as "isGone",
            r.id is null or (v.amount, v.day, v.currency) is distinct from (i.amount, i.day, i.currency) as differs
       from reconciliation_items i
       join reconciliations n on n.tenant_id = i.tenant_id and n.id = i.reconciliation_id
       left join records r on r.tenant_id = i.tenant_id and r.id = i.record_id
       left join lateral item_values(r.data, r.fields, r.external_id, i.side, n) v on r.id is not null
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.changed
        and (r.id is null or r.status = 'ready')
      order by i.record_id limit ${itemsPerStep} for no key update of i`,
    [tenantId, reconciliationId],
  );
  await releaseAuto(
    scope,
    reconciliationId,
    'record_deleted',
    items.filter(({ isGone }) => isGone),
  );
  await releaseAuto(
    scope,
    reconciliationId,
    'record_changed',
    items.filter(({ isGone, differs }) => differs && !isGone),
  );
  const ids = items.map(({ recordId }) => recordId);
  const differing = items.filter(({ differs }) => differs).map(({ recordId }) => recordId);
  await db.execute(
    `update match_groups g set stale = true
      where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.status = 'held' and not g.stale
        and g.id in (select m.group_id from match_group_members m
                      where m.tenant_id = $1::uuid and m.record_id = any($3::uuid[]))`,
    [tenantId, reconciliationId, differing],
  );
  await readAgain(scope, reconciliationId, ids);
  await db.execute(
    `update reconciliation_items set changed = false
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])`,
    [tenantId, reconciliationId, ids],
  );
  return items.length;
}

async function releaseAuto(
  scope: TenantScope,
  reconciliationId: string,
  reasonCode: 'record_changed' | 'record_deleted',
  items: readonly ChangedItem[],
): Promise<void> {
  if (items.length === 0) return;
  const groups = await scope.db.query<{ id: string }>(
    `select distinct g.id::text as id from match_group_members m join match_groups g on g.id = m.group_id
       join reconciliations n on n.tenant_id = $1::uuid and n.id = g.reconciliation_id
      where m.tenant_id = $1::uuid and m.record_id = any($3::uuid[]) and g.reconciliation_id = $2::uuid
        and g.status = 'held' and g.origin = 'auto' and ${isPeriodOpenSql}`,
    [scope.tenantId, reconciliationId, items.map(({ recordId }) => recordId)],
  );
  await releaseAs(
    scope,
    reconciliationId,
    groups.map(({ id }) => id),
    reasonCode,
  );
}
