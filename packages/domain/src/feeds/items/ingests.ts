import { AppError, invalid, newId } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import { addFields, ensureDataset } from '../../data/datasets';
import type { FieldType } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { enqueueFeed } from './enqueue';
import { getItem, itemNotFound } from './item';

export const ingestStatuses = ['active', 'failed'] as const;

/** A subscription of a dataset to the transactions of an item, now and after each sync. */
export interface ItemIngest {
  id: string;
  itemId: string;
  datasetId: string;
  datasetName: string;
  /** []: all. */
  accountIds: string[];
  status: (typeof ingestStatuses)[number];
  error: { code: string; message: string } | null;
  /** Counts the transactions of these accounts. */
  transactions: number;
  /** Counts their changes that are not copied into records yet. */
  pending: number;
  createdAt: Date;
  updatedAt: Date;
}

const ingestColumns = `g.id::text as id, g.item_id::text as "itemId", g.dataset_id::text as "datasetId",
  g.dataset_name as "datasetName", g.account_ids as "accountIds", g.status, g.error, counts.transactions,
  counts.pending, g.created_at as "createdAt", g.updated_at as "updatedAt"`;

const ingestsWithCounts = `item_ingests g cross join lateral (
  select count(*) filter (where not t.removed)::int as transactions,
         count(*) filter (where t.change_no > g.position)::int as pending
    from item_transactions t
   where t.tenant_id = g.tenant_id and t.item_id = g.item_id
     and (g.account_ids = '{}' or t.account_id = any(g.account_ids))) counts`;

/**
 * Ingests the transactions of an item into a dataset, the present ones and those of each later sync. The dataset is
 * made on first use. Called again for the same dataset, it replaces the list of accounts.
 * @throws AppError item_not_found, validation_error when there is no such account
 */
export function createIngest(
  scope: TenantScope,
  itemId: string,
  input: { dataset: string; accountIds?: readonly string[] },
): Promise<ItemIngest> {
  const accountIds = [...new Set(input.accountIds)].sort();
  return scope.transaction(async (tx) => {
    const [item] = await tx.db.query<{ accounts: { id: string }[] | null }>(
      'select accounts from items where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null for key share',
      [tx.tenantId, itemId],
    );
    if (!item) throw itemNotFound();
    const unknown =
      item.accounts === null
        ? -1
        : (input.accountIds ?? []).findIndex((id) => !item.accounts?.some((account) => account.id === id));
    if (unknown >= 0)
      throw invalid([
        { path: `/accountIds/${unknown}`, code: 'unknown_account', message: 'is not an account of this item' },
      ]);
    const dataset = await lockDataset(tx, input.dataset);
    const [row] = await tx.db.query<{ id: string }>(
      `insert into item_ingests as g (id, tenant_id, item_id, dataset_id, dataset_name, account_ids)
       values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5, $6::text[])
       on conflict (item_id, dataset_id) do update
         set dataset_name = excluded.dataset_name, account_ids = excluded.account_ids, updated_at = now(),
             position = case when g.account_ids = excluded.account_ids then g.position else 0 end
       returning g.id::text as id`,
      [newId(), tx.tenantId, itemId, dataset.id, input.dataset, accountIds],
    );
    await tx.db.afterCommit(() => enqueueFeed(tx, itemId));
    return readIngest(tx, row?.id as string);
  });
}

/** Fields of a dataset that the first ingest makes. */
const defaultFields: readonly { name: string; key: string; type: FieldType; sourcePath: string }[] = [
  { name: 'Date', key: 'date', type: 'date', sourcePath: 'date' },
  { name: 'Amount', key: 'amount', type: 'amount', sourcePath: 'signedAmount' },
  { name: 'Currency', key: 'currency', type: 'string', sourcePath: 'currencyCode' },
  { name: 'Description', key: 'description', type: 'string', sourcePath: 'description' },
  { name: 'Reference', key: 'reference', type: 'string', sourcePath: 'paymentData.referenceNumber' },
  { name: 'Account', key: 'account_id', type: 'string', sourcePath: 'accountId' },
];

/** Keeps the dataset until the commit. One that does not exist is made, with fields for transactions. */
async function lockDataset(tx: TenantScope, name: string): Promise<{ id: string }> {
  const locked = (): Promise<{ id: string }[]> =>
    tx.db.query('select id::text as id from datasets where tenant_id = $1::uuid and name = $2 for key share', [
      tx.tenantId,
      name,
    ]);
  const [existing] = await locked();
  if (existing) return existing;
  const { id } = await ensureDataset(tx, name);
  await addFields(tx, id, defaultFields);
  return { id };
}

async function readIngest(scope: TenantScope, id: string): Promise<ItemIngest> {
  const [ingest] = await scope.db.query<ItemIngest>(
    `select ${ingestColumns} from ${ingestsWithCounts} where g.tenant_id = $1::uuid and g.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!ingest) throw ingestNotFound();
  return ingest;
}

const ingestNotFound = (): AppError => new AppError('item_ingest_not_found', 'Ingest not found');

/** Lists ingests, newest first. @throws AppError item_not_found */
export async function listIngests(scope: TenantScope, itemId: string, request: PageRequest): Promise<Page<ItemIngest>> {
  await getItem(scope, itemId);
  return readPage(request, {
    count: () => scope.db.orm.itemIngest.count({ where: { itemId } }),
    rows: ({ skip, take }) =>
      scope.db.query<ItemIngest>(
        `select ${ingestColumns} from ${ingestsWithCounts} where g.tenant_id = $1::uuid and g.item_id = $2::uuid
          order by g.id desc offset $3 limit $4`,
        [scope.tenantId, itemId, skip, take],
      ),
  });
}

/** Ends an ingest; its records stay. @throws AppError item_not_found, item_ingest_not_found */
export async function deleteIngest(scope: TenantScope, itemId: string, id: string): Promise<void> {
  await getItem(scope, itemId);
  const removed = await scope.db.execute(
    'delete from item_ingests where tenant_id = $1::uuid and item_id = $2::uuid and id = $3::uuid',
    [scope.tenantId, itemId, id],
  );
  if (removed === 0) throw ingestNotFound();
}
