import type { TenantScope, DomainDeps } from '../../kernel/scope';
import { firstId } from '../../kernel/sql';

/** Records that one transaction makes items. */
const recordsPerStep = 5_000;

/**
 * Makes items of the records that a dataset had before it took part. Safe to repeat and to run twice at once: each step
 * goes on where the last committed one ended.
 */
export async function fillItems(scope: TenantScope, reconciliationId: string, onStep?: () => void): Promise<void> {
  for (;;) {
    const isDone = await scope.transaction((s) => fillStep(s, reconciliationId));
    onStep?.();
    if (isDone) return;
  }
}

/** Returns whether nothing is left to fill, or another process is at it. */
async function fillStep({ db, tenantId }: TenantScope, reconciliationId: string): Promise<boolean> {
  const [dataset] = await db.query<{ datasetId: string; side: number; after: string }>(
    `select dataset_id::text as "datasetId", side::int as side, coalesce(filled_to, '${firstId}')::text as after
       from reconciliation_datasets where tenant_id = $1::uuid and reconciliation_id = $2::uuid and not filled
      order by dataset_id limit 1 for update skip locked`,
    [tenantId, reconciliationId],
  );
  if (!dataset) return true;
  // The lock waits for a transaction that changes a record of the step, and reads what that has written.
  const [step] = await db.query<{ count: number; last: string | null }>(
    `with step as materialized (
       select r.* from records r
        where r.tenant_id = $1::uuid and r.dataset_id = $3::uuid and r.id > $5::uuid
        order by r.dataset_id, r.id limit ${recordsPerStep} for share of r
     ), made as (
       insert into reconciliation_items
         (tenant_id, reconciliation_id, record_id, dataset_id, side, external_id, revision, amount, day, currency,
          search)
       select s.tenant_id, n.id, s.id, s.dataset_id, $4::smallint, s.external_id, s.revision,
              v.amount, v.day, v.currency, v.search
         from step s join reconciliations n on n.tenant_id = $1::uuid and n.id = $2::uuid
        cross join lateral item_values(s.data, s.fields, s.external_id, $4::smallint, n) v
        where s.status = 'ready'
       on conflict do nothing
     ) select count(*)::int as count, max(id::text) as last from step`,
    [tenantId, reconciliationId, dataset.datasetId, dataset.side, dataset.after],
  );
  const isLast = (step?.count ?? 0) < recordsPerStep;
  await db.execute(
    `update reconciliation_datasets set filled_to = coalesce($4::uuid, filled_to), filled = $5
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and dataset_id = $3::uuid`,
    [tenantId, reconciliationId, dataset.datasetId, step?.last ?? null, isLast],
  );
  return false;
}

/** Enqueues the filling of reconciliations whose queue job is lost. */
export async function sweepUnfilled({ db, queue }: DomainDeps): Promise<void> {
  const rows = await db.system.query<{ tenantId: string; reconciliationId: string }>(
    `select distinct d.tenant_id::text as "tenantId", d.reconciliation_id::text as "reconciliationId"
       from reconciliation_datasets d join tenants t on t.id = d.tenant_id and t.status = 'active' where not d.filled`,
  );
  for (const row of rows) {
    await queue.enqueue('reconciliation.fill', row, { jobId: `fill-${row.reconciliationId}` });
  }
}
