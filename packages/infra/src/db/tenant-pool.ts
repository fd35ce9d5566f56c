import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient } from 'pg';
import { TenantQuery, type QueryCallback } from './tenant-query';
import { beginAsTenant, enterTenant, leaveTenant } from './tenant-role';

/** Whose rows a statement sees. */
export type Visible = { tenantId: string } | 'all';

type Acquired = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
type Query = (config: unknown, values?: unknown, callback?: QueryCallback) => unknown;

/**
 * A pool whose connections see all rows while nobody uses them. Who takes one says what is to be seen: Prisma, which has no place to
 * say it, by what it is called within. Asked for a connection outside of anything, the pool refuses.
 */
export class TenantPool extends Pool {
  private readonly visible = new AsyncLocalStorage<Visible | undefined>();

  /** What `work` runs on this pool, it runs seeing that. What comes behind its first statement on a connection is seen so if that begins a transaction. */
  seeing<T>(visible: Visible, work: () => Promise<T>): Promise<T> {
    // Awaited inside: Prisma begins when somebody waits.
    return this.visible.run(visible, async () => await work());
  }

  /** Runs `work` as if nothing was said before. */
  anew<T>(work: () => T): T {
    return this.visible.run(undefined, work);
  }

  /** A connection whose session is the tenant's until the work is done; released broken if `work` throws. */
  async session<T>(tenantId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.seeing('all', () => this.connect());
    let broken = true;
    try {
      await enterTenant(client, tenantId);
      const result = await work(client);
      await leaveTenant(client);
      broken = client.getTransactionStatus() !== 'I';
      return result;
    } finally {
      client.release(broken);
    }
  }

  /** Ends it for good. What is said on a pool costs each promise of the process something as long as somebody may ask. */
  async close(): Promise<void> {
    await this.end();
    this.visible.disable();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | void {
    const visible = this.visible.getStore();
    if (callback) {
      if (!visible) return callback(nothingSaid(), undefined, () => undefined);
      return super.connect((error, client, release) => callback(error, client && prepare(client, visible), release));
    }
    return visible ? super.connect().then((client) => prepare(client, visible)) : Promise.reject(nothingSaid());
  }
}

const nothingSaid = (): Error => new Error('a statement that does not say whose rows it may see');

/** The next statement on the connection is the tenant's, with the transaction that it may begin. */
function prepare(client: PoolClient, visible: Visible): PoolClient {
  const own = client as { query?: Query };
  delete own.query;
  if (visible === 'all') return client;
  const { tenantId } = visible;
  const query = client.query.bind(client) as Query;
  own.query = (config, values, callback) => {
    delete own.query;
    const { text } = config as { text: string };
    return /^begin\b/i.test(text)
      ? query(beginAsTenant(text, tenantId))
      : query(new TenantQuery(tenantId, config, values, callback));
  };
  return client;
}
