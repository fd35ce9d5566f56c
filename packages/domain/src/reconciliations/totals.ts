import type { Queries } from '@tieout/infra';
import { Attempts } from '../kernel/attempts';
import type { DomainDeps, TenantScope } from '../kernel/scope';

/**
 * Folds the rows of totals that statements have added, so that reading the sums stays cheap.
 * @param maxUnfolded rows of a reconciliation that stay
 */
export async function foldTotals(deps: DomainDeps, maxUnfolded = 50): Promise<void> {
  const rows = await deps.db.system.query<{ tenantId: string; reconciliationId: string }>(
    `select tenant_id::text as "tenantId", reconciliation_id::text as "reconciliationId"
       from reconciliation_totals t where not folded group by 1, 2 having count(*) > $1::int`,
    [maxUnfolded],
  );
  const attempts = new Attempts(deps, { noun: 'sum', participle: 'folded' });
  for (const { tenantId, reconciliationId } of rows) {
    await attempts.try({ tenantId, reconciliationId }, (scope) => fold(scope, reconciliationId));
  }
  attempts.end();
}

/**
 * Replaces the rows of each sum by one. What is added meanwhile is left to the next time. The rows are joined by equal
 * values: `is not distinct from` would compare each sum with each row.
 */
async function fold({ db, tenantId }: TenantScope, reconciliationId: string): Promise<void> {
  await db.execute(
    `with sums as materialized (
       select distinct side, state, currency, day from reconciliation_totals
        where tenant_id = $1::uuid and reconciliation_id = $2::uuid and not folded
     ), gone as (
       delete from reconciliation_totals t using sums s
        where t.tenant_id = $1::uuid and t.reconciliation_id = $2::uuid and t.state = s.state
          and coalesce(t.side, -1) = coalesce(s.side, -1) and coalesce(t.currency, '') = coalesce(s.currency, '')
          and coalesce(t.day, 'infinity') = coalesce(s.day, 'infinity') and t.currency is not distinct from s.currency
       returning t.*
     )
     insert into reconciliation_totals
       (tenant_id, reconciliation_id, side, state, currency, day, count, amount, held, folded)
     select $1::uuid, $2::uuid, side, state, currency, day, sum(count), sum(amount), sum(held), true
       from gone group by side, state, currency, day having sum(count) <> 0 or sum(amount) <> 0 or sum(held) <> 0`,
    [tenantId, reconciliationId],
  );
}

/** Deletes the totals of a reconciliation that is gone. */
export async function forgetTotals(db: Queries, tenantId: string, reconciliationId: string): Promise<void> {
  await db.execute(`delete from reconciliation_totals where tenant_id = $1::uuid and reconciliation_id = $2::uuid`, [
    tenantId,
    reconciliationId,
  ]);
}
