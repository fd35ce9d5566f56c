import type { Item, ItemIngest } from '@tieout/domain';

export const presentItem = (item: Item) => ({
  id: item.id,
  connector_id: item.connectorId,
  status: item.status,
  execution_status: item.executionStatus,
  client_user_id: item.clientUserId,
  products: item.products,
  error: item.error,
  user_action: item.userAction,
  parameter: item.parameter,
  consent_expires_at: item.consentExpiresAt?.toISOString() ?? null,
  next_sync_at: item.nextSyncAt?.toISOString() ?? null,
  created_at: item.createdAt.toISOString(),
  updated_at: item.updatedAt.toISOString(),
  last_updated_at: item.lastUpdatedAt?.toISOString() ?? null,
});

export const presentIngest = (ingest: ItemIngest) => ({
  id: ingest.id,
  item_id: ingest.itemId,
  dataset_id: ingest.datasetId,
  dataset: ingest.datasetName,
  account_ids: ingest.accountIds.length === 0 ? null : ingest.accountIds,
  status: ingest.status,
  error: ingest.error,
  transactions: ingest.transactions,
  pending: ingest.pending,
  created_at: ingest.createdAt.toISOString(),
  updated_at: ingest.updatedAt.toISOString(),
});
