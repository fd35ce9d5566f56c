import { AppError } from '@tieout/infra';
import { newestFirst } from '../order';
import type { CallOptions, OpenFinanceProvider, Parameters, ProviderItem } from '../provider';
import { createProviderClient, type ProviderClientOptions } from './provider-client';
import { reader, type Reader } from './read';
import {
  accountOf,
  cardTransactionOf,
  connectorOf,
  creditCardOf,
  investmentOf,
  investmentTransactionOf,
  itemOf,
  transactionOf,
} from './shapes';
import { readCompleteList, type PagePosition } from './walk';

const pageSize = 500;

/** Deadline for all requests of a list, as a multiple of the timeout of one request. */
const listTimeoutFactor = 3;

/** Creates the client of a provider at one base url that serves the interface of docs/reference/open-finance.md. */
export function createHttpProvider(options: ProviderClientOptions): OpenFinanceProvider {
  const client = createProviderClient(options);
  const { origin, prefix } = options.base;

  /** Reads the complete list at a path. */
  const list = <T extends { id: string }>(
    path: readonly string[],
    shape: (from: Reader) => T,
    { signal }: CallOptions = {},
  ): Promise<T[]> => {
    const endsAt = performance.now() + listTimeoutFactor * options.timeoutMs;
    return readCompleteList(async (position) => {
      const page = reader(await client.send({ method: 'GET', path, query: queryOf(position), signal, endsAt }), '');
      const next = page.textOrNull('next');
      return { rows: page.list('results').map(shape), next: next ?? (page.has('next') ? null : undefined) };
    });
  };

  const change = async (
    path: readonly string[],
    body: object,
    call: CallOptions = {},
    headers: Record<string, string> = {},
  ): Promise<ProviderItem> =>
    itemOf(reader(await client.send({ method: 'POST', path, body, headers, signal: call.signal }), ''));

  const withParameters = (parameters: Parameters | undefined): object =>
    parameters === undefined ? {} : { parameters };

  return {
    name: 'http',
    origin: `${origin}${prefix}`,
    listConnectors: (call) => list(['connectors'], connectorOf, call),
    createItem: ({ idempotencyKey, ...item }, call) =>
      change(['items'], item, call, { 'Idempotency-Key': idempotencyKey }),
    getItem: async (itemId, call) =>
      itemOf(reader(await client.send({ method: 'GET', path: ['items', itemId], signal: call?.signal }), '')),
    submitInput: (itemId, parameters, call) => change(['items', itemId, 'mfa'], { parameters }, call),
    refresh: (itemId, parameters, call) => change(['items', itemId, 'refresh'], withParameters(parameters), call),
    deleteItem: async (itemId, call) => {
      try {
        await client.send({ method: 'DELETE', path: ['items', itemId], signal: call?.signal });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'provider_resource_not_found') throw error;
        // It is deleted already.
      }
    },
    listAccounts: (itemId, call) => list(['items', itemId, 'accounts'], accountOf, call),
    listCreditCards: (itemId, call) => list(['items', itemId, 'credit-cards'], creditCardOf, call),
    listInvestments: (itemId, call) => list(['items', itemId, 'investments'], investmentOf, call),
    listAccountTransactions: async (itemId, accountId, call) =>
      newestFirst(
        await list(
          ['items', itemId, 'accounts', accountId, 'transactions'],
          (from) => transactionOf(from, accountId),
          call,
        ),
      ),
    listCardTransactions: async (itemId, cardId, call) =>
      newestFirst(
        await list(
          ['items', itemId, 'credit-cards', cardId, 'transactions'],
          (from) => cardTransactionOf(from, cardId),
          call,
        ),
      ),
    listInvestmentTransactions: async (itemId, investmentId, call) =>
      newestFirst(
        await list(
          ['items', itemId, 'investments', investmentId, 'transactions'],
          (from) => investmentTransactionOf(from, investmentId),
          call,
        ),
      ),
  };
}

const queryOf = (position: PagePosition): Record<string, string> => ({
  limit: String(pageSize),
  ...('page' in position ? { page: String(position.page) } : { cursor: position.cursor }),
});
