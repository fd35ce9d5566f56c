import { AppError, isForeignKeyViolation, type DbHandle } from '@tieout/infra';
import { deleteResultsOfRecords } from '../matches';
import type { DomainDeps, TenantScope } from '../scope';
import { tenantScope } from '../scope';
import { removeUnmatched } from '../unmatched';
import { isOf } from '../parent-condition';
import { datasetNotFound } from './datasets';

/** Records removed by one statement: it takes well under a second and holds few locks. */
const stepSize = 5_000;

/**
 * Removes a dataset with its fields, its files, its records and what hangs on them. The dataset is gone at once, because no record
 * can be reached without it; the records follow in steps, outside of any transaction. A crash in between leaves records
 * that `purgeDeletedDatasets` finds.
 * @throws AppError dataset_not_found, conflict while a rule set uses it
 */
export async function deleteDataset(scope: TenantScope, id: string): Promise<void> {
  try {
    await scope.transaction(async (tx) => {
      // Files before the dataset, as who reads one locks them. Long untouched: the next sweep takes their bytes out of the storage.
      await tx.db.execute(
        `update data_source_files set status = 'deleted', updated_at = to_timestamp(0) where tenant_id = $1::uuid and dataset_id = $2::uuid`,
        [tx.tenantId, id],
      );
      const { count } = await tx.db.orm.dataset.deleteMany({ where: { id } });
      if (count === 0) throw datasetNotFound();
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('conflict', 'The dataset is used by a rule set');
    throw error;
  }
  await purgeRecords(scope, id);
}

/**
 * Records with the data of a file that were made while one of these files was read: files of a dataset are read one after the
 * other. Those that others made, and the file has only written to, stay.
 */
export interface BroughtBy {
  fileId: string;
  madeBy: readonly string[];
}

/** Removes records of a dataset, with their matches, composites and places in lists of the unmatched: all of them, or those of a file. */
export async function purgeRecords(scope: TenantScope, datasetId: string, brought?: BroughtBy): Promise<number> {
  const { only, values } = filterOf(brought);
  let removed = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    // Ids first: starting each step behind the last one spares it the dead rows of the steps before.
    const rows = await scope.db.query<{ id: string }>(
      `select id::text as id from records
       where tenant_id = $1::uuid and ${isOf('dataset_id', '$2::uuid')} and id > $3::uuid ${only} order by dataset_id, id limit ${stepSize}`,
      [scope.tenantId, datasetId, after, ...values],
    );
    const last = rows.at(-1);
    if (!last) return removed;
    const ids = rows.map((row) => row.id);
    // Records last: as long as one is there, a sweep finds what is left. Lists of ids instead of joins: without fresh
    // statistics, which a table that has just been filled lacks, a join here becomes a quadratic one.
    await scope.db.transaction(async (tx) => {
      await removeUnmatched(tx, scope.tenantId, ids);
      await deleteResultsOfRecords(tx, scope.tenantId, ids);
    });
    await scope.db.execute(`delete from records where id = any($2::uuid[]) and tenant_id = $1::uuid`, [scope.tenantId, ids]);
    removed += ids.length;
    after = last.id;
  }
}

function filterOf(brought: BroughtBy | undefined): { only: string; values: (string | readonly string[])[] } {
  if (brought === undefined) return { only: '', values: [] };
  const whileRead = `exists (select 1 from data_source_files f where f.tenant_id = $1::uuid and f.id = any($5::uuid[])
    and records.created_at between f.started_at and coalesce(f.processed_at, 'infinity'))`;
  return { only: `and file_id = $4::uuid and ${whileRead}`, values: [brought.fileId, brought.madeBy] };
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
