import { newId } from '@tieout/infra';
import { waitToRemove, deleteResultsOfRecords } from '../../results/matches';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from '../../data/records';

/** The wanted state of a record. */
export interface MirroredRecord {
  externalId: string;
  /** JSON text of an object. */
  data: string;
}

/**
 * Brings records to their wanted state and has the changed ones processed. Part of a transaction that holds the dataset
 * `for share`.
 */
export async function mirrorRecords(
  tx: TenantScope,
  datasetId: string,
  records: readonly MirroredRecord[],
): Promise<void> {
  if (records.length === 0) return;
  // A fixed order keeps two writers from waiting for each other's rows.
  const sorted = [...records].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  const written = await tx.db.query<{ id: string }>(
    `insert into records (id, tenant_id, dataset_id, external_id, data)
     select id, $1::uuid, $2::uuid, external_id, data::jsonb from unnest($3::uuid[], $4::text[], $5::text[]) as row
       (id, external_id, data)
     on conflict (dataset_id, external_id) do update
       set data = excluded.data, file_id = null, fields = null, status = 'received', error = null, revision =
         records.revision + 1, updated_at = now()
     where records.data is distinct from excluded.data
     returning id::text as id`,
    [
      tx.tenantId,
      datasetId,
      sorted.map(() => newId()),
      sorted.map((one) => one.externalId),
      sorted.map((one) => one.data),
    ],
  );
  await enqueueProcessing(
    tx,
    written.map(({ id }) => id),
  );
}

/**
 * Locks existing records until the transaction ends, in the order in which they are written, after concurrent writers
 * have finished.
 */
export async function holdMirrored(tx: TenantScope, datasetId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return;
  await tx.db.query(
    'select 1 from records where tenant_id = $1::uuid and dataset_id = $2::uuid and external_id = ' +
      'any($3::text[]) order by external_id collate "C" for update',
    [tx.tenantId, datasetId, externalIds],
  );
}

/** Removes records with their results. The last step of a transaction that holds the dataset `for share`. */
export async function dropMirrored(tx: TenantScope, datasetId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return;
  await waitToRemove(tx.db, datasetId);
  const dropped = await tx.db.query<{ id: string }>(
    'delete from records where tenant_id = $1::uuid and dataset_id = $2::uuid and external_id = ' +
      'any($3::text[]) returning id::text as id',
    [tx.tenantId, datasetId, externalIds],
  );
  const ids = dropped.map(({ id }) => id);
  if (ids.length === 0) return;
  await deleteResultsOfRecords(tx.db, tx.tenantId, datasetId, ids);
}
