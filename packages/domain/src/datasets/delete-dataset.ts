import { AppError, isForeignKeyViolation, type DbHandle } from '@tieout/infra';
import type { DomainDeps, TenantScope } from '../scope';
import { tenantScope } from '../scope';
import { datasetNotFound } from './datasets';

/** Records removed by one statement: it takes well under a second and holds few locks. */
const stepSize = 5_000;

/**
 * Removes a dataset with its fields, its records and what hangs on them. The dataset is gone at once, because no record
 * can be reached without it; the records follow in steps, outside of any transaction. A crash in between leaves records
 * that `purgeDeletedDatasets` finds.
 * @throws AppError dataset_not_found, conflict while a rule set uses it
 */
export async function deleteDataset(scope: TenantScope, id: string): Promise<void> {
  try {
    const { count } = await scope.db.orm.dataset.deleteMany({ where: { id } });
    if (count === 0) throw datasetNotFound();
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('conflict', 'The dataset is used by a rule set');
    throw error;
  }
  await purgeRecords(scope, id);
}

/** Removes the records of a dataset that is gone, with their matches and their places in lists of the unmatched. */
async function purgeRecords(scope: TenantScope, datasetId: string): Promise<number> {
  let removed = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    // Ids first: starting each step behind the last one spares it the dead rows of the steps before.
    const rows = await scope.db.query<{ id: string }>(
      `select id::text as id from records
       where tenant_id = $1::uuid and dataset_id = $2::uuid and id > $3::uuid order by id limit ${stepSize}`,
      [scope.tenantId, datasetId, after],
    );
    const last = rows.at(-1);
    if (!last) return removed;
    const ids = rows.map((row) => row.id);
    await scope.db.execute(
      // Rows that another deletion has in hand are left to it: waiting for each other would be a deadlock.
      `with doomed as (select id from records where tenant_id = $1::uuid and id = any($2::uuid[]) for update skip locked),
       lefts as (delete from matches m using doomed d where m.tenant_id = $1::uuid and m.left_record_id = d.id),
       rights as (delete from matches m using doomed d where m.tenant_id = $1::uuid and m.right_record_id = d.id),
       unmatched as (delete from job_unmatched u using doomed d where u.tenant_id = $1::uuid and u.record_id = d.id)
       delete from records r using doomed d where r.tenant_id = $1::uuid and r.id = d.id`,
      [scope.tenantId, ids],
    );
    removed += ids.length;
    after = last.id;
  }
}

/**
 * Finishes deletions of datasets that a crash cut short; returns the number of records removed. For a periodic sweep.
 * Hops from dataset to dataset along the index, so that it costs a few pages for each, whatever the number of records.
 */
export async function purgeDeletedDatasets(deps: DomainDeps): Promise<number> {
  let removed = 0;
  for (const { tenantId, datasetId } of await orphanedDatasets(deps.db.system)) {
    removed += await purgeRecords(tenantScope(deps, tenantId), datasetId);
  }
  return removed;
}

function orphanedDatasets(db: DbHandle): Promise<{ tenantId: string; datasetId: string }[]> {
  return db.query(
    `with recursive hop as (
       (select dataset_id, tenant_id from records order by dataset_id limit 1)
       union all
       select next.dataset_id, next.tenant_id from hop
       cross join lateral (
         select r.dataset_id, r.tenant_id from records r where r.dataset_id > hop.dataset_id order by r.dataset_id limit 1
       ) next
     )
     select tenant_id::text as "tenantId", dataset_id::text as "datasetId" from hop
     where not exists (select 1 from datasets d where d.id = hop.dataset_id)`,
  );
}
