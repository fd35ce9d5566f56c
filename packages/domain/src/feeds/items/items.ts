import { AppError, invalid, isUuid, newId, pointerTo, type Cipher, type Queries } from '@tieout/infra';
import type { Connector, OpenFinanceProvider, Parameters, RequestedParameter } from '../open-finance';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { enqueueStep } from './enqueue';
import { getItem, itemColumns, itemNotFound, type Item, type ItemStatus } from './item';
import { emitItemEvents, type ItemEvent } from './item-events';
import { checkParameters, encryptParameters } from './parameters';
import type { ItemStep } from './transition';

export interface NewItemInput {
  connectorId: string;
  parameters: Parameters;
  clientUserId?: string;
  products?: readonly string[];
}

export interface ItemMeans {
  cipher: Cipher;
  provider: OpenFinanceProvider;
  /** Connectors of the provider, read before: no transaction may wait for a provider. */
  connectors: readonly Connector[];
}

/**
 * Creates an item; a worker logs in and collects its data.
 * @throws AppError validation_error: an unknown connector, or a parameter that its login needs is missing
 */
export async function createItem(
  scope: TenantScope,
  input: NewItemInput,
  { cipher, provider, connectors }: ItemMeans,
): Promise<Item> {
  checkParameters(connectors, input.connectorId, input.parameters);
  const id = newId();
  return scope.transaction(async (tx) => {
    await tx.db.execute(
      `insert into items (id, tenant_id, connector_id, client_user_id, products, origin, execution_status, parameters,
                          step, due_at, sequence)
       values ($1::uuid, $2::uuid, $3, $4, $5::text[], $6, 'LOGIN_IN_PROGRESS', $7, 'create', now(), 1)`,
      [
        id,
        tx.tenantId,
        input.connectorId,
        input.clientUserId ?? null,
        [...(input.products ?? [])],
        provider.origin,
        encryptParameters(cipher, tx.tenantId, id, input.parameters),
      ],
    );
    await emitItemEvents(tx, id, 1, [{ type: 'ITEM_CREATED', data: { status: 'UPDATING' } }]);
    await tx.db.afterCommit(() => enqueueStep(tx, { id, revision: 0 }));
    return getItem(tx, id);
  });
}

export interface ItemFilter {
  status?: ItemStatus;
  clientUserId?: string;
}

/** Lists items, newest first. */
export function listItems(
  scope: TenantScope,
  { status, clientUserId }: ItemFilter,
  request: PageRequest,
): Promise<Page<Item>> {
  const condition = `i.tenant_id = $1::uuid and i.deleted_at is null and ($2::text is null or i.status = $2)
    and ($3::text is null or i.client_user_id = $3)`;
  const parameters = [scope.tenantId, status ?? null, clientUserId ?? null];
  return readPage(request, {
    count: async () =>
      (
        await scope.db.query<{ total: number }>(
          `select count(*)::int as total from items i where ${condition}`,
          parameters,
        )
      )[0]?.total ?? 0,
    rows: ({ skip, take }) =>
      scope.db.query<Item>(
        `select ${itemColumns} from items i where ${condition} order by i.id desc offset $4 limit $5`,
        [...parameters, skip, take],
      ),
  });
}

interface LockedItem {
  status: ItemStatus;
  providerItemId: string | null;
  parameter: RequestedParameter | null;
  keepsParameters: boolean;
  step: ItemStep;
  /** Key under which the provider may have created it. */
  creationKey: string | null;
}

/** @throws AppError item_not_found */
async function lockItem(tx: TenantScope, id: string): Promise<LockedItem> {
  const [item] = await tx.db.query<LockedItem>(
    `select status, provider_item_id as "providerItemId", parameter, parameters is not null as "keepsParameters", step,
            creation_key::text as "creationKey"
       from items where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null for update`,
    [tx.tenantId, id],
  );
  if (!item) throw itemNotFound();
  return item;
}

/**
 * Starts a run that collects new data; with parameters it logs in again.
 * @throws AppError item_not_found, item_busy during a run, validation_error without parameters to log in with
 */
export function updateItem(
  scope: TenantScope,
  id: string,
  parameters: Parameters | undefined,
  { cipher }: Pick<ItemMeans, 'cipher'>,
): Promise<Item> {
  return scope.transaction(async (tx) => {
    const item = await lockItem(tx, id);
    refuseBusy(item.status);
    if (!parameters && item.providerItemId === null && !item.keepsParameters) throw nothingToLogInWith();
    return begin(
      tx,
      id,
      firstStep(item, parameters !== undefined),
      parameters && encryptParameters(cipher, tx.tenantId, id, parameters),
    );
  });
}

function firstStep({ providerItemId, creationKey, step }: LockedItem, logsIn: boolean): ItemStep {
  if (providerItemId !== null) return logsIn ? 'log-in' : 'refresh';
  return creationKey !== null && (logsIn || step === 'find') ? 'find' : 'create';
}

function refuseBusy(status: ItemStatus): void {
  if (status === 'UPDATING')
    throw new AppError('item_busy', 'The item is being updated; try again when its status is another one', {
      retryAfterSeconds: 5,
    });
  if (status === 'WAITING_USER_INPUT' || status === 'WAITING_USER_ACTION') {
    throw new AppError(
      'item_busy',
      'The item waits for its user: answer with POST /v1/items/{id}/mfa first, or delete it',
    );
  }
}

const nothingToLogInWith = (): AppError =>
  invalid([
    {
      path: '/parameters',
      code: 'required',
      message: 'are required: the login has failed, and its parameters are not stored',
    },
  ]);

/**
 * Submits the input that an item waits for, or reports that the user has done the action.
 * @throws AppError item_not_found, item_busy when it waits for nothing, validation_error when the input is missing
 */
export function answerItem(
  scope: TenantScope,
  id: string,
  parameters: Parameters,
  { cipher }: Pick<ItemMeans, 'cipher'>,
): Promise<Item> {
  return scope.transaction(async (tx) => {
    const { status, parameter } = await lockItem(tx, id);
    if (status !== 'WAITING_USER_INPUT' && status !== 'WAITING_USER_ACTION') {
      throw new AppError('item_busy', `The item waits for nothing: its status is ${status}`);
    }
    if (status === 'WAITING_USER_INPUT' && parameter && !parameters[parameter.name]) {
      throw invalid([
        {
          path: `/parameters${pointerTo(parameter.name)}`,
          code: 'required',
          message: `is required: the item waits for it (${parameter.label})`,
        },
      ]);
    }
    return begin(tx, id, 'submit', encryptParameters(cipher, tx.tenantId, id, parameters));
  });
}

/** Begins a run. A worker that held the item loses its lease, and its further writes are refused. */
async function begin(tx: TenantScope, id: string, step: ItemStep, parameters: string | undefined): Promise<Item> {
  const [row] = await tx.db.query<{ revision: number }>(
    `update items
        set status = 'UPDATING', execution_status = 'LOGIN_IN_PROGRESS', error = null, parameter = null,
            user_action = null, waits_until = null, step = $3, parameters = coalesce($4, parameters), due_at = now(),
            started_at = now(), logged_in = false, attempts = 0, revision = revision + 1,
            lease_token = null, lease_until = null, updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid returning revision`,
    [tx.tenantId, id, step, parameters ?? null],
  );
  await tx.db.afterCommit(() => enqueueStep(tx, { id, revision: row?.revision ?? 0 }));
  return getItem(tx, id);
}

const deleted: ItemEvent = { type: 'ITEM_DELETED', data: { status: 'DELETED' } };

const removalSql = `status = 'DELETED', deleted_at = now(),
  parameters = case when creation_key is not null then parameters end, parameter = null, user_action = null,
  error = null, step = 'remove', due_at = now(), attempts = 0, revision = revision + 1, sequence = sequence + 1,
  lease_token = null, lease_until = null, updated_at = now()`;

/** Deletes all items of a tenant as `deleteItem` does, without an event; the sweep enqueues their last steps. */
export async function markAllRemoved(db: Queries, tenantId: string): Promise<void> {
  await db.execute('delete from item_ingests where tenant_id = $1::uuid', [tenantId]);
  await db.execute(`update items set ${removalSql} where tenant_id = $1::uuid and deleted_at is null`, [tenantId]);
}

/**
 * Deletes an item and its login parameters at once; a worker deletes it at the provider. If the provider may have
 * created it under an id that is unknown here, the parameters stay until the worker has asked for that id. Records of
 * its transactions stay. An unknown id is not an error.
 */
export async function deleteItem(scope: TenantScope, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await scope.transaction(async (tx) => {
    const [row] = await tx.db.query<{ sequence: number; revision: number }>(
      `update items set ${removalSql}
        where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null returning sequence, revision`,
      [tx.tenantId, id],
    );
    if (!row) return;
    await tx.db.execute('delete from item_ingests where tenant_id = $1::uuid and item_id = $2::uuid', [
      tx.tenantId,
      id,
    ]);
    await emitItemEvents(tx, id, row.sequence, [deleted]);
    await tx.db.afterCommit(() => enqueueStep(tx, { id, revision: row.revision }));
  });
}
