import { AppError, findUnstorable } from '@tieout/infra';
import type { Account, OpenFinanceProvider, Transaction } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import type { HeldItem } from './lease';
import { dropPending, dropUnlisted, storeTransactions } from './transactions';

/** Max transactions that one database transaction stores and one event lists. */
const chunkSize = 500;

/**
 * Reads all transactions that the provider has of an item and stores those that are new or changed, with their events.
 * It commits account by account and chunk by chunk: the next run does not report again what an interrupted one has
 * stored.
 * @throws LeaseLostError, AppError provider_*
 */
export async function collect(
  scope: TenantScope,
  item: HeldItem,
  { provider, providerItemId, signal }: { provider: OpenFinanceProvider; providerItemId: string; signal: AbortSignal },
): Promise<Pick<Account, 'id' | 'type'>[]> {
  const accounts = await provider.listAccounts(providerItemId, { signal });
  for (const account of accounts) {
    const transactions = await listTransactions(provider, providerItemId, account, signal);
    if (findUnstorable(transactions) !== undefined)
      throw new AppError('provider_bad_response', 'The provider gave text that cannot be stored');
    for (let at = 0; at < transactions.length; at += chunkSize) {
      signal.throwIfAborted();
      await storeTransactions(scope, item, account.id, transactions.slice(at, at + chunkSize));
    }
    await dropPending(scope, item, account.id, new Set(transactions.map(({ id }) => id)));
  }
  // A partial answer may lack accounts that still exist.
  if (item.executionStatus !== 'PARTIAL_SUCCESS')
    await dropUnlisted(
      scope,
      item,
      accounts.map(({ id }) => id),
    );
  return accounts.map(({ id, type }) => ({ id, type }));
}

function listTransactions(
  provider: OpenFinanceProvider,
  itemId: string,
  { id, type }: Account,
  signal: AbortSignal,
): Promise<Transaction[]> {
  return type === 'CREDIT_CARD'
    ? provider.listCardTransactions(itemId, id, { signal })
    : provider.listAccountTransactions(itemId, id, { signal });
}
