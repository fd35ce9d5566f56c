import { AppError, messageOf, type Cipher, type Logger } from '@tieout/infra';
import type { OpenFinanceProvider } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import { enqueueStep } from './enqueue';
import { lockHeld, type HeldItem } from './lease';

import type { ItemPolicy } from './policy';
import { createAtProvider } from './provider-calls';

export interface RemovalMeans {
  cipher: Cipher;
  provider: OpenFinanceProvider;
  policy: ItemPolicy;
  logger: Logger;
}

/** Max rows that one statement deletes. */
const maxRows = 5_000;

/** Removes what is left of a deleted item: its transactions, the item at its provider, and last its row. */
export async function removeItem(
  scope: TenantScope,
  item: HeldItem,
  means: RemovalMeans,
  signal: AbortSignal,
): Promise<void> {
  const { provider, policy, logger } = means;
  while ((await removeSome(scope, item.id)) === maxRows) signal.throwIfAborted();
  if (item.origin === provider.origin) {
    try {
      const providerItemId = item.providerItemId ?? (await findAtProvider(scope, item, means, signal));
      if (providerItemId !== null) await provider.deleteItem(providerItemId, { signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      const delayMs = policy.removalDelaysMs[item.attempts - 1];
      logger.warn(
        { itemId: item.id, attempt: item.attempts, reason: messageOf(error) },
        'the provider did not delete an item',
      );
      if (delayMs !== undefined) return postpone(scope, item, delayMs);
      logger.error(
        { itemId: item.id, providerItemId: item.providerItemId, creationKey: item.creationKey },
        'a deleted item stays at its provider: delete it there by hand',
      );
    }
  }
  await scope.db.execute(`delete from items where tenant_id = $1::uuid and id = $2::uuid and status = 'DELETED'`, [
    scope.tenantId,
    item.id,
  ]);
}

/** Returns the provider's id of an item that an unanswered call may have created; null when none has. */
async function findAtProvider(
  scope: TenantScope,
  item: HeldItem,
  means: RemovalMeans,
  signal: AbortSignal,
): Promise<string | null> {
  if (item.creationKey === null) return null;
  try {
    return (await createAtProvider(scope, item, means, { signal })).id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_rejected') return null;
    throw error;
  }
}

const removeSome = (scope: TenantScope, itemId: string): Promise<number> =>
  scope.db.execute(
    `delete from item_transactions where ctid in (
       select ctid from item_transactions where tenant_id = $1::uuid and item_id = $2::uuid limit ${maxRows})`,
    [scope.tenantId, itemId],
  );

function postpone(scope: TenantScope, item: HeldItem, delayMs: number): Promise<void> {
  return scope.transaction(async (tx) => {
    await lockHeld(tx, item, { events: 0, changes: 0 });
    await tx.db.execute(
      `update items set due_at = now() + make_interval(secs => $3::float8 / 1000), revision = revision + 1,
                        lease_token = null, lease_until = null
        where tenant_id = $1::uuid and id = $2::uuid`,
      [tx.tenantId, item.id, delayMs],
    );
  });
}

/**
 * Deletes an item at the provider that its tenant deleted while the provider was creating it: only this process knows
 * its id there. If the row still exists, the step that removes it deletes it at the provider; otherwise this function
 * does.
 */
export async function forgetAtProvider(
  scope: TenantScope,
  itemId: string,
  providerItemId: string,
  provider: OpenFinanceProvider,
): Promise<void> {
  const [row] = await scope.db.query<{ revision: number }>(
    `update items set provider_item_id = $3, creation_key = null, parameters = null, due_at = now(),
                      revision = revision + 1, lease_token = null, lease_until = null
      where tenant_id = $1::uuid and id = $2::uuid and status = 'DELETED' returning revision`,
    [scope.tenantId, itemId, providerItemId],
  );
  if (row) return enqueueStep(scope, { id: itemId, revision: row.revision });
  const left = await scope.db.query('select 1 from items where tenant_id = $1::uuid and id = $2::uuid', [
    scope.tenantId,
    itemId,
  ]);
  if (left.length === 0) await provider.deleteItem(providerItemId);
}
