import { AppError } from '@tieout/infra';
import { providerStatuses, type ExecutionStatus, type RequestedParameter, type UserAction } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';

export const itemStatuses = providerStatuses;
export type ItemStatus = (typeof itemStatuses)[number];

export interface ItemError {
  code: ExecutionStatus;
  message: string;
}

/** An item without its secrets, as its tenant may read it. */
export interface Item {
  id: string;
  connectorId: string;
  clientUserId: string | null;
  products: string[];
  status: ItemStatus;
  executionStatus: ExecutionStatus;
  error: ItemError | null;
  /** The input that WAITING_USER_INPUT waits for. */
  parameter: RequestedParameter | null;
  /** The action that WAITING_USER_ACTION waits for. */
  userAction: UserAction | null;
  consentExpiresAt: Date | null;
  /** Time of the next scheduled sync; null during a run, and after a failed login. */
  nextSyncAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Time when its data were last collected. */
  lastUpdatedAt: Date | null;
}

export const itemColumns = `i.id::text as id, i.connector_id as "connectorId", i.client_user_id as "clientUserId",
  i.products, i.status, i.execution_status as "executionStatus", i.error, i.parameter, i.user_action as "userAction",
  i.consent_expires_at as "consentExpiresAt",
  case when i.status in ('UPDATED', 'OUTDATED') then i.due_at end as "nextSyncAt",
  i.created_at as "createdAt", i.updated_at as "updatedAt", i.last_updated_at as "lastUpdatedAt"`;

export const itemNotFound = (): AppError => new AppError('item_not_found', 'Item not found');

/** @throws AppError item_not_found */
export async function getItem(scope: TenantScope, id: string): Promise<Item> {
  const [item] = await scope.db.query<Item>(
    `select ${itemColumns} from items i where i.tenant_id = $1::uuid and i.id = $2::uuid and i.deleted_at is null`,
    [scope.tenantId, id],
  );
  if (!item) throw itemNotFound();
  return item;
}

/** The address of an item at its provider. */
export interface ItemConnection {
  id: string;
  status: ItemStatus;
  /** Origin of the provider at which the item was created. */
  origin: string;
  /** Null: the provider does not know it yet. */
  providerItemId: string | null;
  /** Null: no data were collected yet. */
  lastUpdatedAt: Date | null;
  /** Changes whenever its transactions change. */
  changeNo: string;
}

/** @throws AppError item_not_found */
export async function itemConnection(scope: TenantScope, id: string): Promise<ItemConnection> {
  const [item] = await scope.db.shortReads.query<ItemConnection>(
    `select id::text as id, status, origin, provider_item_id as "providerItemId", last_updated_at as "lastUpdatedAt",
            change_no::text as "changeNo"
       from items where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null`,
    [scope.tenantId, id],
  );
  if (!item) throw itemNotFound();
  return item;
}
