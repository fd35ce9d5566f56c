import type { TenantScope } from '../../kernel/scope';
import { dropMirrored, holdMirrored, mirrorRecords, type MirroredRecord } from './mirror';

/** Changes that one transaction carries over. */
const stepSize = 500;

/**
 * Carries what has changed among the transactions of an item into the datasets that it is ingested into: each becomes a record
 * under its id, or replaces it, or takes it away. The records and the position behind the last change are stored in one
 * transaction, so that every change is carried over once, however often this runs and whenever it is killed. Ends early when the signal
 * aborts: a sweep goes on.
 */
export async function feedDatasets(scope: TenantScope, itemId: string, signal?: AbortSignal): Promise<void> {
  const ingests = await scope.db.query<{ id: string }>(
    `select id::text as id from item_ingests where tenant_id = $1::uuid and item_id = $2::uuid and status = 'active' order by id`,
    [scope.tenantId, itemId],
  );
  for (const { id } of ingests)
    while (signal?.aborted !== true && (await scope.transaction((tx) => feedSome(tx, itemId, id))));
}

interface Ingest {
  datasetId: string;
  datasetName: string;
  accountIds: string[];
  position: number;
}

interface Change {
  id: string;
  removed: boolean;
  data: string;
  changeNo: number;
}

/** Whether there may be more. */
async function feedSome(tx: TenantScope, itemId: string, ingestId: string): Promise<boolean> {
  const [ingest] = await tx.db.query<Ingest>(
    `select dataset_id::text as "datasetId", dataset_name as "datasetName", account_ids as "accountIds", position::float8 as position
       from item_ingests where tenant_id = $1::uuid and id = $2::uuid and status = 'active' for update`,
    [tx.tenantId, ingestId],
  );
  if (!ingest) return false;
  const held = await tx.db.query('select 1 from datasets where tenant_id = $1::uuid and id = $2::uuid for share', [
    tx.tenantId,
    ingest.datasetId,
  ]);
  if (held.length === 0) return endWithoutDataset(tx, ingestId, ingest);
  // Before the changes are read: whatever has a number up to this one is there by now.
  const [item] = await tx.db.query<{ changeNo: number }>(
    'select change_no::float8 as "changeNo" from items where tenant_id = $1::uuid and id = $2::uuid',
    [tx.tenantId, itemId],
  );
  const changes = await tx.db.query<Change>(
    `select id, removed, data::text as data, change_no::float8 as "changeNo" from item_transactions
      where tenant_id = $1::uuid and item_id = $2::uuid and change_no > $3::bigint and ($4::text[] = '{}' or account_id = any($4::text[]))
      order by change_no limit ${stepSize}`,
    [tx.tenantId, itemId, ingest.position, ingest.accountIds],
  );
  const more = changes.length === stepSize;
  const last = changes.at(-1)?.changeNo ?? 0;
  await tx.db.execute(
    'update item_ingests set position = $3::bigint, updated_at = now() where tenant_id = $1::uuid and id = $2::uuid and position <> $3::bigint',
    [tx.tenantId, ingestId, more ? last : Math.max(last, item?.changeNo ?? 0)],
  );
  const gone = changes.flatMap(({ id, removed }) => (removed ? [id] : []));
  const kept = await shownElsewhere(tx, ingest.datasetId, gone);
  await mirrorRecords(tx, ingest.datasetId, [
    ...changes.flatMap(({ id, removed, data }) => (removed ? [] : [{ externalId: id, data }])),
    ...kept,
  ]);
  await dropMirrored(
    tx,
    ingest.datasetId,
    gone.filter((id) => !kept.some(({ externalId }) => externalId === id)),
  );
  return more;
}

/**
 * Those of the transactions that another item shows and feeds into the dataset, as they are there. The records are held before that is
 * looked up: an item that feeds one at the same time has stored its transaction before, or writes the record anew afterwards.
 */
async function shownElsewhere(tx: TenantScope, datasetId: string, ids: readonly string[]): Promise<MirroredRecord[]> {
  if (ids.length === 0) return [];
  await holdMirrored(tx, datasetId, ids);
  return tx.db.query<MirroredRecord>(
    `select distinct on (t.id) t.id as "externalId", t.data::text as data
       from item_ingests g join item_transactions t on t.tenant_id = g.tenant_id and t.item_id = g.item_id
      where g.tenant_id = $1::uuid and g.dataset_id = $2::uuid and g.status = 'active'
        and t.id = any($3::text[]) and not t.removed and (g.account_ids = '{}' or t.account_id = any(g.account_ids))
      order by t.id, t.data ->> 'status' desc, t.item_id desc`,
    [tx.tenantId, datasetId, ids],
  );
}

async function endWithoutDataset(tx: TenantScope, ingestId: string, { datasetName }: Ingest): Promise<false> {
  const error = {
    code: 'dataset_not_found',
    message: `The dataset "${datasetName}" was deleted: make another one and ingest into that`,
  };
  await tx.db.execute(
    `update item_ingests set status = 'failed', error = $3::jsonb, updated_at = now() where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, ingestId, JSON.stringify(error)],
  );
  return false;
}
