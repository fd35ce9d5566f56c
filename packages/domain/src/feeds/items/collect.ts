import { AppError, findUnstorable } from '@tieout/infra';
import type { Account, OpenFinanceProvider, Transaction } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import type { HeldItem } from './lease';
import { dropPending, dropUnlisted, storeTransactions } from './transactions';

/** Transactions that one transaction of the database stores, and one event names at most. */
const chunkSize = 500;

/**
 * Reads all that the provider has of an item and stores what is new or other than before, with the events that say so. Account by
 * account and chunk by chunk: what a run that breaks off has stored is not told of again by the next one.
 * @throws LeaseLostError, AppError provider_*
 */
export async function collect(
  scope: TenantScope,
  item: HeldItem,
  providerItemId: string,
  provider: OpenFinanceProvider,
  signal: AbortSignal,
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
  // What the institution shows in part may lack accounts that are there.
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
