import { newId } from '@tieout/infra';
import { beginRemoval, deleteResultsOfRecords } from '../../results/matches';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from '../../data/records';

/** What a record is to be. */
export interface MirroredRecord {
  externalId: string;
  /** JSON text of an object. */
  data: string;
}

/**
 * Makes records what they are to be and has them processed; those that are so already are left alone. Part of a transaction that
 * holds the dataset `for share`.
 */
export async function mirrorRecords(
  tx: TenantScope,
  datasetId: string,
  records: readonly MirroredRecord[],
): Promise<void> {
  if (records.length === 0) return;
  // In one order, so that two writers never wait for each other's rows in a circle.
  const sorted = [...records].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  const written = await tx.db.query<{ id: string }>(
    `insert into records (id, tenant_id, dataset_id, external_id, data)
     select id, $1::uuid, $2::uuid, external_id, data::jsonb from unnest($3::uuid[], $4::text[], $5::text[]) as row (id, external_id, data)
     on conflict (dataset_id, external_id) do update
       set data = excluded.data, file_id = null, fields = null, status = 'received', error = null, revision = records.revision + 1, updated_at = now()
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
 * Holds records until the transaction ends, those that are there: what others were writing into them is done by then. In one order,
 * as they are written.
 */
export async function holdMirrored(tx: TenantScope, datasetId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return;
  await tx.db.query(
    'select 1 from records where tenant_id = $1::uuid and dataset_id = $2::uuid and external_id = any($3::text[]) order by external_id collate "C" for update',
    [tx.tenantId, datasetId, externalIds],
  );
}

/** Removes records with what hangs on them. The last thing of a transaction that holds the dataset `for share`. */
export async function dropMirrored(tx: TenantScope, datasetId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return;
  await beginRemoval(tx.db, datasetId);
  const dropped = await tx.db.query<{ id: string }>(
    'delete from records where tenant_id = $1::uuid and dataset_id = $2::uuid and external_id = any($3::text[]) returning id::text as id',
    [tx.tenantId, datasetId, externalIds],
  );
  const ids = dropped.map(({ id }) => id);
  if (ids.length === 0) return;
  await deleteResultsOfRecords(tx.db, tx.tenantId, datasetId, ids);
}
