import { AppError } from '@tieout/infra';
import type { Transaction } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import { emitItemEvents, type ItemEvent } from './item-events';
import { lockHeld, type HeldItem } from './lease';

/** Two accounts share a transaction id, so one transaction would be lost. The message is safe to show to the tenant. */
export class SharedIdError extends AppError {
  constructor({ id, accountId }: { id: string; accountId: string }, otherAccountId: string) {
    super(
      'provider_bad_response',
      `The provider gave the transaction id "${id}" in two accounts, "${accountId}" and "${otherAccountId}": ` +
        'ids must be unique within an item',
    );
  }
}

/**
 * Stores transactions of one account, with events for those that are new or have a changed field, in one database
 * transaction: so each change is reported once. A new `updatedAt` without another difference is not a change.
 * @throws LeaseLostError, SharedIdError when another account of the item has one of the ids; nothing is stored then
 */
export function storeTransactions(
  scope: TenantScope,
  item: HeldItem,
  accountId: string,
  transactions: readonly Transaction[],
): Promise<void> {
  return scope.transaction(async (tx) => {
    const { changeNo } = await lockHeld(tx, item, { events: 0, changes: transactions.length });
    const changed = await tx.db.query<{ id: string; created: boolean }>(
      `insert into item_transactions as t (item_id, id, tenant_id, account_id, change_no, data)
       select $2::uuid, n.data ->> 'id', $1::uuid, $3, $4::bigint + n.position, n.data
         from jsonb_array_elements($5::jsonb) with ordinality as n (data, position)
       on conflict (item_id, id) do update
         set data = excluded.data, change_no = excluded.change_no, removed = false
       where t.account_id = excluded.account_id
         and (t.removed or t.data - 'updatedAt' is distinct from excluded.data - 'updatedAt')
       returning id, xmax = 0 as created`,
      [
        tx.tenantId,
        item.id,
        accountId,
        changeNo - transactions.length,
        JSON.stringify(transactions.map((one) => ({ itemId: item.id, ...one }))),
      ],
    );
    await refuseShared(tx, item.id, accountId, transactions);
    const ids = (created: boolean): string[] => changed.filter((row) => row.created === created).map(({ id }) => id);
    const events = [
      ...eventsFor('TRANSACTIONS_CREATED', accountId, ids(true)),
      ...eventsFor('TRANSACTIONS_UPDATED', accountId, ids(false)),
    ];
    if (events.length === 0) return;
    const { sequence } = await lockHeld(tx, item, { events: events.length, changes: 0 });
    await emitItemEvents(tx, item.id, sequence, events);
  });
}

async function refuseShared(
  tx: TenantScope,
  itemId: string,
  accountId: string,
  transactions: readonly Transaction[],
): Promise<void> {
  const [shared] = await tx.db.query<{ id: string; accountId: string }>(
    `select id, account_id as "accountId" from item_transactions
      where tenant_id = $1::uuid and item_id = $2::uuid and id = any($3::text[]) and account_id <> $4
      order by id limit 1`,
    [tx.tenantId, itemId, transactions.map(({ id }) => id), accountId],
  );
  if (shared) throw new SharedIdError(shared, accountId);
}

const eventsFor = (type: ItemEvent['type'], accountId: string, transactionIds: string[]): ItemEvent[] =>
  transactionIds.length === 0 ? [] : [{ type, data: { accountId, transactionIds } }];

/**
 * Withdraws pending transactions that the provider no longer lists: they were never booked. Posted ones stay, since
 * providers list some months only.
 * @throws LeaseLostError
 */
export async function dropPending(
  scope: TenantScope,
  item: HeldItem,
  accountId: string,
  listed: ReadonlySet<string>,
): Promise<void> {
  const pending = await pendingOf(scope, item, 't.account_id = $3', accountId);
  await withdraw(
    scope,
    item,
    pending.filter((id) => !listed.has(id)),
  );
}

/** Withdraws pending transactions of accounts that the provider no longer lists. @throws LeaseLostError */
export async function dropUnlisted(scope: TenantScope, item: HeldItem, accountIds: readonly string[]): Promise<void> {
  await withdraw(scope, item, await pendingOf(scope, item, 't.account_id <> all($3::text[])', accountIds));
}

async function pendingOf(
  scope: TenantScope,
  item: HeldItem,
  condition: string,
  value: string | readonly string[],
): Promise<string[]> {
  const rows = await scope.db.query<{ id: string }>(
    `select t.id from item_transactions t
      where t.tenant_id = $1::uuid and t.item_id = $2::uuid and ${condition}
        and t.data ->> 'status' = 'PENDING' and not t.removed`,
    [scope.tenantId, item.id, value],
  );
  return rows.map(({ id }) => id);
}

async function withdraw(scope: TenantScope, item: HeldItem, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await scope.transaction(async (tx) => {
    const { changeNo } = await lockHeld(tx, item, { events: 0, changes: ids.length });
    await tx.db.execute(
      `update item_transactions t set removed = true, change_no = $3::bigint + g.position
         from unnest($4::text[]) with ordinality as g (id, position)
        where t.tenant_id = $1::uuid and t.item_id = $2::uuid and t.id = g.id`,
      [tx.tenantId, item.id, changeNo - ids.length, ids],
    );
  });
}
