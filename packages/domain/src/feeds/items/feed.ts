import { recordQuotaError } from '../../access/quotas';
import type { TenantScope } from '../../kernel/scope';
import { dropMirrored, holdMirrored, mirrorRecords, type MirroredRecord } from './mirror';

/** Changes that one database transaction copies. */
const maxChanges = 500;

/**
 * Copies changed transactions of an item into the datasets that it is ingested into: each creates, replaces or removes
 * the record under its id. Records and the position after the last change are stored in one database transaction, so
 * that each change is copied once, however often this runs and whenever it is killed. Stops when the signal aborts; a
 * sweep continues.
 */
export async function feedDatasets(scope: TenantScope, itemId: string, signal?: AbortSignal): Promise<void> {
  const ingests = await scope.db.query<{ id: string }>(
    `select id::text as id from item_ingests
      where tenant_id = $1::uuid and item_id = $2::uuid and status = 'active' order by item_ingests.id`,
    [scope.tenantId, itemId],
  );
  for (const { id } of ingests) while (signal?.aborted !== true && (await feedUnlessFull(scope, itemId, id)));
}

/** Feeds some changes. Beyond the quota of records the ingest stays where it is and says why; each sync tries again. */
async function feedUnlessFull(scope: TenantScope, itemId: string, ingestId: string): Promise<boolean> {
  try {
    return await scope.transaction((tx) => feedSome(tx, itemId, ingestId));
  } catch (error) {
    const refusal = recordQuotaError(error);
    if (!refusal) throw error;
    const { code, message } = refusal;
    await scope.db.execute(
      `update item_ingests set error = $3::jsonb, updated_at = now() where tenant_id = $1::uuid and id = $2::uuid`,
      [scope.tenantId, ingestId, JSON.stringify({ code, message })],
    );
    return false;
  }
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

/** Copies the next changes into one dataset. Returns whether there may be more. */
async function feedSome(tx: TenantScope, itemId: string, ingestId: string): Promise<boolean> {
  const [ingest] = await tx.db.query<Ingest>(
    `select dataset_id::text as "datasetId", dataset_name as "datasetName", account_ids as "accountIds",
            position::float8 as position
       from item_ingests where tenant_id = $1::uuid and id = $2::uuid and status = 'active' for update`,
    [tx.tenantId, ingestId],
  );
  if (!ingest) return false;
  const held = await tx.db.query('select 1 from datasets where tenant_id = $1::uuid and id = $2::uuid for share', [
    tx.tenantId,
    ingest.datasetId,
  ]);
  if (held.length === 0) return endWithoutDataset(tx, ingestId, ingest);
  // Read before the changes: every change with a number up to this one is committed by now.
  const [item] = await tx.db.query<{ changeNo: number }>(
    'select change_no::float8 as "changeNo" from items where tenant_id = $1::uuid and id = $2::uuid',
    [tx.tenantId, itemId],
  );
  const changes = await tx.db.query<Change>(
    `select id, removed, data::text as data, change_no::float8 as "changeNo" from item_transactions
      where tenant_id = $1::uuid and item_id = $2::uuid and change_no > $3::bigint
        and ($4::text[] = '{}' or account_id = any($4::text[]))
      order by change_no limit ${maxChanges}`,
    [tx.tenantId, itemId, ingest.position, ingest.accountIds],
  );
  const hasMore = changes.length === maxChanges;
  const last = changes.at(-1)?.changeNo ?? 0;
  await tx.db.execute(
    `update item_ingests set position = $3::bigint, error = null, updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and (position <> $3::bigint or error is not null)`,
    [tx.tenantId, ingestId, hasMore ? last : Math.max(last, item?.changeNo ?? 0)],
  );
  const removed = changes.flatMap((change) => (change.removed ? [change.id] : []));
  const kept = await fedByOtherItems(tx, ingest.datasetId, removed);
  await mirrorRecords(tx, ingest.datasetId, [
    ...changes.flatMap(({ id, removed: isRemoved, data }) => (isRemoved ? [] : [{ externalId: id, data }])),
    ...kept,
  ]);
  await dropMirrored(
    tx,
    ingest.datasetId,
    removed.filter((id) => !kept.some(({ externalId }) => externalId === id)),
  );
  return hasMore;
}

/**
 * Returns those of the transactions that another item also feeds into the dataset, with its version of their data.
 * Locks the records first: an item that feeds one at the same time has stored its transaction before, or writes the
 * record afterwards.
 */
async function fedByOtherItems(tx: TenantScope, datasetId: string, ids: readonly string[]): Promise<MirroredRecord[]> {
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
    `update item_ingests set status = 'failed', error = $3::jsonb, updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, ingestId, JSON.stringify(error)],
  );
  return false;
}
