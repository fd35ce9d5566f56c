import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient } from 'pg';
import { TenantQuery, type QueryCallback } from './tenant-query';
import { beginAsTenant, enterTenant, leaveTenant } from './tenant-role';

/** The share of a pool that one tenant may use at a time: a tenant that floods leaves connections to others. */
const maxPoolShare = 0.7;

/** Limits the connections of a pool that one tenant may use at a time. */
export const maxConnectionsPerTenant = (poolSize: number): number => Math.max(1, Math.floor(poolSize * maxPoolShare));

/** The rows that a statement sees: those of one tenant, or all. */
export type Visible = { tenantId: string } | 'all';

type Acquired = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
type RunQuery = (config: unknown, values?: unknown, callback?: QueryCallback) => unknown;

/**
 * A pool whose idle connections see all rows. Each connection taken from it is set to the visibility of the
 * asynchronous context: Prisma, which takes connections itself, has no parameter for it. Outside of such a context the
 * pool refuses to give a connection.
 */
export class TenantPool extends Pool {
  private readonly visible = new AsyncLocalStorage<Visible | undefined>();

  /**
   * Runs work whose statements on this pool see the given rows. On one connection this applies to its first statement,
   * and to the whole transaction when that statement begins one.
   */
  withVisible<T>(visible: Visible, work: () => Promise<T>): Promise<T> {
    // Awaited inside the context: Prisma starts a query when its promise is awaited.
    return this.visible.run(visible, async () => await work());
  }

  /** Runs work outside of any visibility. */
  withoutVisible<T>(work: () => T): T {
    return this.visible.run(undefined, work);
  }

  /** Runs work on a connection whose session is the tenant's. The connection is discarded when the work throws. */
  async session<T>(tenantId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.withVisible('all', () => this.connect());
    let isBroken = true;
    try {
      await enterTenant(client, tenantId);
      const result = await work(client);
      await leaveTenant(client);
      isBroken = client.getTransactionStatus() !== 'I';
      return result;
    } finally {
      client.release(isBroken);
    }
  }

  /** Ends the pool for good. An enabled AsyncLocalStorage would keep costing every promise of the process something. */
  async close(): Promise<void> {
    await this.end();
    this.visible.disable();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | void {
    const visible = this.visible.getStore();
    if (callback) {
      if (!visible) return callback(visibilityMissing(), undefined, () => undefined);
      return super.connect((error, client, release) => callback(error, client && prepare(client, visible), release));
    }
    return visible ? super.connect().then((client) => prepare(client, visible)) : Promise.reject(visibilityMissing());
  }
}

const visibilityMissing = (): Error => new Error('a statement that does not say whose rows it may see');

/** Makes the next statement on the connection the tenant's, with the transaction that it may begin. */
function prepare(client: PoolClient, visible: Visible): PoolClient {
  const own = client as { query?: RunQuery };
  delete own.query;
  if (visible === 'all') return client;
  const { tenantId } = visible;
  const query = client.query.bind(client) as RunQuery;
  own.query = (config, values, callback) => {
    delete own.query;
    const { text } = config as { text: string };
    return /^begin\b/i.test(text)
      ? query(beginAsTenant(text, tenantId))
      : query(new TenantQuery(tenantId, config, values, callback));
  };
  return client;
}
