import { AppError, isUuid } from '@tieout/infra';
import { itemConnection, itemNotFound, type ItemConnection } from '../items';
import type {
  Account,
  CardTransaction,
  CreditCard,
  Investment,
  InvestmentTransaction,
  OpenFinance,
  OpenFinanceProvider,
  Transaction,
} from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import { createSnapshots, type SnapshotOptions } from './snapshots';

export interface BrowseQuery {
  itemId: string;
  /** From 1. */
  page: number;
  limit: number;
  baseUrl?: string;
}

/** An answer of a provider, with the item id of the tenant. */
export type OfItem<T> = T & { itemId: string };

export interface BrowsePage<T> {
  rows: OfItem<T>[];
  pagination: { page: number; limit: number; totalPages: number; totalRecords: number };
}

/**
 * Reads the data that providers hold of a tenant's items. All methods throw item_not_found, item_not_ready (the login
 * has failed and no data were ever collected), base_url_not_allowed and provider_*; for an account or investment that
 * the item does not have, account_not_found or investment_not_found. Before the login is accepted, lists are empty.
 */
export interface Browse {
  accounts(scope: TenantScope, query: BrowseQuery): Promise<BrowsePage<Account>>;
  creditCards(scope: TenantScope, query: BrowseQuery): Promise<BrowsePage<CreditCard>>;
  investments(scope: TenantScope, query: BrowseQuery): Promise<BrowsePage<Investment>>;
  accountTransactions(scope: TenantScope, query: BrowseQuery & { accountId: string }): Promise<BrowsePage<Transaction>>;
  cardTransactions(scope: TenantScope, query: BrowseQuery & { cardId: string }): Promise<BrowsePage<CardTransaction>>;
  /** Returns all transactions, without pages. */
  investmentTransactions(
    scope: TenantScope,
    query: Pick<BrowseQuery, 'itemId' | 'baseUrl'> & { investmentId: string },
  ): Promise<OfItem<InvestmentTransaction>[]>;
}

/** An item and the access to its lists. */
interface Connection {
  item: ItemConnection;
  /** Returns a snapshot of the named list; [] while the provider does not know the item. */
  list<T>(
    name: string,
    read: (provider: OpenFinanceProvider, providerItemId: string) => Promise<T[]>,
  ): Promise<readonly T[]>;
}

const accountNotFound = (): AppError => new AppError('account_not_found', 'Account not found');
const investmentNotFound = (): AppError => new AppError('investment_not_found', 'Investment not found');

export function createBrowse(openFinance: Pick<OpenFinance, 'provider' | 'at'>, options: SnapshotOptions = {}): Browse {
  const snapshots = createSnapshots(options);

  const connect = async (scope: TenantScope, itemId: string, baseUrl: string | undefined): Promise<Connection> => {
    const provider = baseUrl === undefined ? openFinance.provider : openFinance.at(baseUrl);
    if (!isUuid(itemId)) throw itemNotFound();
    const item = await itemConnection(scope, itemId);
    if (item.status === 'LOGIN_ERROR' && item.lastUpdatedAt === null) {
      throw new AppError(
        'item_not_ready',
        'The login of this item has failed: correct its parameters with PATCH /v1/items/{id}',
      );
    }
    if (baseUrl === undefined && item.origin !== provider.origin) {
      throw new AppError('item_not_ready', 'The item was made with another provider: delete it and create it again');
    }
    const { providerItemId, changeNo } = item;
    return {
      item,
      list: async (name, read) =>
        providerItemId === null
          ? []
          : snapshots.read(
              JSON.stringify([scope.tenantId, provider.origin, item.id, providerItemId, changeNo, name]),
              () => read(provider, providerItemId),
            ),
    };
  };

  const accountsOf = ({ list }: Connection) => list('accounts', (provider, id) => provider.listAccounts(id));
  const cardsOf = ({ list }: Connection) => list('cards', (provider, id) => provider.listCreditCards(id));
  const investmentsOf = ({ list }: Connection) => list('investments', (provider, id) => provider.listInvestments(id));

  /**
   * Returns the rows of one of the item's accounts, cards or investments. A provider may answer for any id that it
   * knows, so it is asked only for ids that belong to the item.
   */
  const rowsOf = async <T>(
    connection: Connection,
    { parents, parentId, notFound }: { parents: readonly { id: string }[]; parentId: string; notFound: () => AppError },
    read: (provider: OpenFinanceProvider, providerItemId: string) => Promise<T[]>,
  ): Promise<readonly T[]> => {
    if (parents.some(({ id }) => id === parentId)) return connection.list(`rows of ${parentId}`, read);
    if (parents.length === 0 && connection.item.lastUpdatedAt === null) return [];
    throw notFound();
  };

  return {
    accounts: async (scope, query) => {
      const connection = await connect(scope, query.itemId, query.baseUrl);
      return pageOf(connection, await accountsOf(connection), query);
    },
    creditCards: async (scope, query) => {
      const connection = await connect(scope, query.itemId, query.baseUrl);
      return pageOf(connection, await cardsOf(connection), query);
    },
    investments: async (scope, query) => {
      const connection = await connect(scope, query.itemId, query.baseUrl);
      return pageOf(connection, await investmentsOf(connection), query);
    },
    accountTransactions: async (scope, query) => {
      const connection = await connect(scope, query.itemId, query.baseUrl);
      const { accountId } = query;
      const parents = (await accountsOf(connection)).filter(({ type }) => type !== 'CREDIT_CARD');
      const rows = await rowsOf(
        connection,
        { parents, parentId: accountId, notFound: accountNotFound },
        (provider, id) => provider.listAccountTransactions(id, accountId),
      );
      return pageOf(connection, rows, query);
    },
    cardTransactions: async (scope, query) => {
      const connection = await connect(scope, query.itemId, query.baseUrl);
      const { cardId } = query;
      const rows = await rowsOf(
        connection,
        { parents: await cardsOf(connection), parentId: cardId, notFound: accountNotFound },
        (provider, id) => provider.listCardTransactions(id, cardId),
      );
      return pageOf(connection, rows, query);
    },
    investmentTransactions: async (scope, { itemId, baseUrl, investmentId }) => {
      const connection = await connect(scope, itemId, baseUrl);
      const rows = await rowsOf(
        connection,
        { parents: await investmentsOf(connection), parentId: investmentId, notFound: investmentNotFound },
        (provider, id) => provider.listInvestmentTransactions(id, investmentId),
      );
      return rows.map((row) => ofItem(connection, row));
    },
  };
}

const ofItem = <T>({ item }: Connection, row: T): OfItem<T> => ({ ...row, itemId: item.id });

function pageOf<T>(connection: Connection, rows: readonly T[], { page, limit }: BrowseQuery): BrowsePage<T> {
  const from = (page - 1) * limit;
  return {
    rows: rows.slice(from, from + limit).map((row) => ofItem(connection, row)),
    pagination: { page, limit, totalPages: Math.ceil(rows.length / limit), totalRecords: rows.length },
  };
}
