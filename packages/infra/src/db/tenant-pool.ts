import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { TenantQuery, type QueryCallback } from './tenant-query';
import { beginAsTenant, enterTenant, leaveTenant } from './tenant-role';

/** The rows that a statement sees: those of one tenant, or all. */
export type Visible = { tenantId: string } | 'all';

type Acquired = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
type RunQuery = (config: unknown, values?: unknown, callback?: QueryCallback) => unknown;

/** Runs a statement in a transaction that Prisma has begun, on its connection, without the detour through Prisma. */
export type RunInTransaction = (query: QueryConfig) => Promise<QueryResult<object>>;

/** The context in which a connection is taken. */
interface Taking {
  visible: Visible;
  /** Gets the statements of the transaction that begins on the connection. */
  onTransaction?: (run: RunInTransaction) => void;
}

/**
 * A pool whose idle connections see all rows. Each connection taken from it is set to the visibility of the
 * asynchronous context: Prisma, which takes connections itself, has no parameter for it. Outside of such a context the
 * pool refuses to give a connection.
 */
export class TenantPool extends Pool {
  private readonly taking = new AsyncLocalStorage<Taking | undefined>();

  /**
   * Runs work whose statements on this pool see the given rows. On one connection this applies to its first statement,
   * and to the whole transaction when that statement begins one.
   */
  async withVisible<T>(
    visible: Visible,
    work: () => Promise<T>,
    onTransaction?: (run: RunInTransaction) => void,
  ): Promise<T> {
    const taking: Taking = { visible, ...(onTransaction && { onTransaction }) };
    try {
      // Awaited inside the context: Prisma starts a query when its promise is awaited.
      return await this.taking.run(taking, async () => await work());
    } finally {
      // Prisma keeps a promise of each of the last hundred transactions, and a promise keeps its context.
      delete taking.onTransaction;
    }
  }

  /** Runs work outside of any visibility. */
  withoutVisible<T>(work: () => T): T {
    return this.taking.run(undefined, work);
  }

  /**
   * Runs work on a connection whose session is the tenant's. The connection is discarded when the work throws.
   * @param nameOf names the statements with values, which are then prepared
   */
  async session<T>(
    tenantId: string,
    work: (client: PoolClient) => Promise<T>,
    nameOf?: (sql: string) => string,
  ): Promise<T> {
    const client = await this.withVisible('all', () => this.connect());
    let isBroken = true;
    try {
      await enterTenant(client, tenantId, nameOf ? planOnce.begin : '');
      if (nameOf) nameStatements(client, nameOf);
      const result = await work(client);
      delete (client as { query?: RunQuery }).query;
      await leaveTenant(client, nameOf ? planOnce.end : '');
      isBroken = client.getTransactionStatus() !== 'I';
      return result;
    } finally {
      client.release(isBroken);
    }
  }

  /** Ends the pool for good. An enabled AsyncLocalStorage would keep costing every promise of the process something. */
  async close(): Promise<void> {
    await this.end();
    this.taking.disable();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | void {
    const taking = this.taking.getStore();
    if (callback) {
      if (!taking) return callback(visibilityMissing(), undefined, () => undefined);
      return super.connect((error, client, release) => callback(error, client && prepare(client, taking), release));
    }
    return taking ? super.connect().then((client) => prepare(client, taking)) : Promise.reject(visibilityMissing());
  }
}

/**
 * A prepared statement is planned once, maybe while its tables were all but empty: only an index finds its rows then as
 * later.
 */
const planOnce = {
  begin: 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off',
  end: 'reset plan_cache_mode; reset enable_seqscan;',
};

/** Names every statement that is sent as a text with values; one sent as an object stays as it is. */
function nameStatements(client: PoolClient, nameOf: (sql: string) => string): void {
  const own = client as { query?: RunQuery };
  const query = client.query.bind(client) as RunQuery;
  own.query = (config, values, callback) =>
    typeof config === 'string' && Array.isArray(values)
      ? query({ name: nameOf(config), text: config, values }, undefined, callback)
      : query(config, values, callback);
}

const visibilityMissing = (): Error => new Error('a statement that does not say whose rows it may see');

/** Makes the next statement on the connection the tenant's, with the transaction that it may begin. */
function prepare(client: PoolClient, { visible, onTransaction }: Taking): PoolClient {
  const own = client as { query?: RunQuery };
  delete own.query;
  if (visible === 'all' && !onTransaction) return client;
  const query = client.query.bind(client) as RunQuery;
  own.query = (config, values, callback) => {
    delete own.query;
    const { text } = config as { text: string };
    const begins = /^begin\b/i.test(text);
    if (begins) onTransaction?.(followTransaction(client));
    if (visible === 'all') return query(config, values, callback);
    const { tenantId } = visible;
    return begins ? query(beginAsTenant(text, tenantId)) : query(new TenantQuery(tenantId, config, values, callback));
  };
  return client;
}

/** The transaction has ended, or has taken longer than Prisma allows. */
class TransactionOverError extends Error {
  /** The code of Prisma for it. */
  readonly code = 'P2028';
}

/** Gives access to a transaction until Prisma ends it: a later statement would be one of its own. */
function followTransaction(client: PoolClient): RunInTransaction {
  const own = client as { query?: RunQuery };
  const query = client.query.bind(client) as RunQuery;
  let isOver = false;
  own.query = (config, values, callback) => {
    isOver ||= /^(commit|rollback)$/i.test((config as { text: string }).text);
    return query(config, values, callback);
  };
  return async (statement) => {
    if (isOver) throw new TransactionOverError('the transaction is over');
    return (await query(statement)) as QueryResult<object>;
  };
}
