import { Attempts } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { shareReconciliation } from '../definition';
import { isPeriodOpenSql } from '../periods/month';
import { atPlaces, itemSql, membersSql, recordSql } from '../lookups';
import { memberDiffersSql } from './members';
import { readAgain } from './read-again';
import { releaseAs } from './release';

/** Items that one transaction settles. */
const itemsPerStep = 500;

/**
 * Settles records that have changed, or are gone, while groups hold them. Groups of an open month that have lost a
 * record are released, and so is what a run tied of a record whose amount, date or currency differ. What people tied of
 * a record that has changed, and what a closed month holds, stays, as stale.
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

/** Held records whose change is not settled that are counted; an index lists them. */
const maxCounted = 1_000;

/** Warns that held records have changed while their groups have not. */
export interface UnsettledWarning {
  code: 'changes_not_settled';
  message: string;
}

/** Warns of changed records for which sums still use the values that groups hold. */
export async function warningsOfChanges({ db, tenantId }: TenantScope, id: string): Promise<UnsettledWarning[]> {
  const [found] = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from reconciliation_items i
        where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.changed limit ${maxCounted}) c`,
    [tenantId, id],
  );
  const count = found?.count ?? 0;
  if (count === 0) return [];
  const message =
    `Held records that were corrected or deleted a moment ago: ${count}${count === maxCounted ? ' or more' : ''}. ` +
    'Sums show them as their groups hold them, which are released or become stale within seconds';
  return [{ code: 'changes_not_settled', message }];
}

/** Settles the changed items of a reconciliation, in the transaction of the scope if it has one. */
export async function settleChangedItems(scope: TenantScope, reconciliationId: string): Promise<void> {
  while ((await scope.transaction((s) => settleStep(s, reconciliationId))) === itemsPerStep);
}

async function settleStep(scope: TenantScope, reconciliationId: string): Promise<number> {
  const { db, tenantId } = scope;
  await shareReconciliation(scope, reconciliationId);
  const items = await db.query<{ recordId: string }>(
    `select i.record_id::text as "recordId"
       from reconciliation_items i
       left join lateral (${recordSql('i.record_id')}) r on true
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.changed
        and (r.id is null or r.status = 'ready')
      order by i.record_id limit ${itemsPerStep} for no key update of i`,
    [tenantId, reconciliationId],
  );
  const ids = items.map(({ recordId }) => recordId);
  await releaseOutdated(scope, reconciliationId, ids);
  await readAgain(scope, reconciliationId, ids);
  await markStale(scope, reconciliationId, ids);
  await db.execute(
    `update reconciliation_items set changed = false
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])`,
    [tenantId, reconciliationId, ids],
  );
  return items.length;
}

/**
 * Releases groups of open periods: those that have lost a record, and what runs tied of a record that has another
 * amount, date or currency than then.
 */
async function releaseOutdated(
  scope: TenantScope,
  reconciliationId: string,
  recordIds: readonly string[],
): Promise<void> {
  const groups = await scope.db.query<{ id: string; isGone: boolean }>(
    `select g.id::text as id, bool_or(r.id is null) as "isGone"
       from match_group_members m
      cross join lateral (select * from match_groups where id = m.group_id offset 0) g
       join reconciliations n on n.tenant_id = $1::uuid and n.id = g.reconciliation_id
       left join lateral (${recordSql('m.record_id')}) r on true
       left join lateral item_values(r.data, r.fields, r.external_id, m.side, n) v on r.id is not null
      where m.tenant_id = $1::uuid and m.record_id = any($3::uuid[]) and g.reconciliation_id = $2::uuid
        and g.status = 'held' and ${isPeriodOpenSql}
        and (r.id is null
             or g.origin = 'auto'
                and (v.amount, v.day, v.currency) is distinct from (m.record_amount, m.day, m.currency))
      group by g.id`,
    [scope.tenantId, reconciliationId, recordIds],
  );
  for (const reasonCode of ['record_deleted', 'record_changed'] as const) {
    await releaseAs(
      scope,
      reconciliationId,
      groups.flatMap(({ id, isGone }) => (isGone === (reasonCode === 'record_deleted') ? [id] : [])),
      reasonCode,
    );
  }
}

/** SQL for the groups that the records `$3` are, or were, members of. */
const groupsOfRecordsSql = `select distinct group_id from match_group_members
  where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])`;

/** Marks the groups that still hold the records: a stale one has a member that is not what it was when it was tied. */
async function markStale(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  recordIds: readonly string[],
): Promise<void> {
  // A group that another transaction changes is marked after it.
  await db.query(
    `select 1
       from (${groupsOfRecordsSql} order by group_id) n
      cross join lateral (select 1 from match_groups where id = n.group_id offset 0 for no key update) g`,
    [tenantId, reconciliationId, recordIds],
  );
  await atPlaces(db, () =>
    db.execute(
      `with named as materialized (${groupsOfRecordsSql}), held as materialized (
         select g.id, g.place from named n
          cross join lateral (
            select id, ctid as place from match_groups where id = n.group_id and status = 'held' offset 0) g
       ), now as materialized (
         select g.place, bool_or(${memberDiffersSql}) as stale
           from held g
          cross join lateral (${membersSql('g.id')}) m
          cross join lateral (${itemSql('m.record_id')}) i
          group by 1
       )
       update match_groups g set stale = now.stale from now
        where g.tenant_id = $1::uuid and g.ctid = now.place and g.stale <> now.stale`,
      [tenantId, reconciliationId, recordIds],
    ),
  );
}
