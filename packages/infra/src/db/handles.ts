import type { PoolClient } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';
import { hasDatabaseCode } from './errors';
import { ormWithVisible, runHooks, runTransaction, scopeToTenant, type HookFailed } from './orm';
import type { SharedConnections } from './shared-connections';
import { pooledQueries, queriesBy, valueTypes, type StatementNames } from './statements';
import type { TenantPool } from './tenant-pool';
import { TenantQuery } from './tenant-query';
import { NotShortReadError, type Orm, type Queries, type SqlParameter, type SystemDb, type TenantDb } from './types';

/** The parts of a database client that its handles use. */
export interface HandleParts {
  prisma: PrismaClient;
  pool: TenantPool;
  shared: SharedConnections;
  names: StatementNames;
  /** Resolves once all that has committed is on disk. */
  flushLog: () => Promise<unknown>;
  onHookFailed: HookFailed;
}

/** Gives access to the database across tenants. */
export function systemHandle({ prisma, pool, flushLog, onHookFailed }: HandleParts): SystemDb {
  const orm = ormWithVisible('all', pool, prisma, ({ args }) => args);
  return {
    orm,
    ...pooledQueries('all', pool),
    afterCommit: (work) => runHooks([work], onHookFailed),
    transaction: <T>(work: (tx: SystemDb) => Promise<T>): Promise<T> =>
      runTransaction({ visible: 'all', pool, orm, flushLog, onHookFailed }, ({ client, run, hooks }) => {
        const tx: SystemDb = {
          orm: client,
          ...queriesBy(run),
          afterCommit: (hook) => Promise.resolve(void hooks.push(hook)),
          transaction: (inner) => inner(tx),
        };
        return work(tx);
      }),
  };
}

/** A tenant's access to the database. A class: an object literal with closures would get a hidden class per request. */
export class TenantHandle implements TenantDb {
  readonly shortReads: TenantDb['shortReads'];
  private client: PrismaClient | undefined;

  constructor(
    private readonly parts: HandleParts,
    readonly tenantId: string,
  ) {
    this.shortReads = new ShortReads(parts, tenantId);
  }

  get orm(): PrismaClient {
    // Extending the client costs some microseconds, which a request that only runs SQL need not pay.
    return (this.client ??= ormWithVisible(this, this.parts.pool, this.parts.prisma, (operation) =>
      scopeToTenant(this.tenantId, operation),
    ));
  }

  get prepared(): Queries {
    return pooledQueries(this, this.parts.pool, this.parts.names);
  }

  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]> {
    return pooledQueries(this, this.parts.pool).query<T>(sql, parameters);
  }

  execute(sql: string, parameters?: readonly SqlParameter[]): Promise<number> {
    return pooledQueries(this, this.parts.pool).execute(sql, parameters);
  }

  session<T>(work: (client: PoolClient) => Promise<T>, isPrepared = false): Promise<T> {
    return this.parts.pool.session(this.tenantId, work, isPrepared ? this.parts.names : undefined);
  }

  afterCommit(work: () => Promise<unknown>): Promise<void> {
    return runHooks([work], this.parts.onHookFailed);
  }

  transaction<T>(work: (tx: TenantDb) => Promise<T>): Promise<T> {
    const { tenantId, orm, parts } = this;
    return runTransaction({ ...parts, visible: this, orm }, ({ client, run, hooks, durability }) => {
      const queries = queriesBy(run);
      const prepared = queriesBy(run, parts.names);
      const tx: TenantDb = {
        tenantId,
        orm: client,
        ...queries,
        prepared,
        shortReads: queries,
        flushAfterCommit: () => void (durability.isFlushedLater = true),
        session: (inner, isPrepared) => this.session(inner, isPrepared),
        afterCommit: (hook) => Promise.resolve(void hooks.push(hook)),
        transaction: (inner) => inner(tx),
      };
      return work(tx);
    });
  }
}

const statementUnknown = '26000';

/** Runs statements of one tenant on the shared connections. */
class ShortReads {
  constructor(
    private readonly parts: HandleParts,
    private readonly tenantId: string,
  ) {}

  async query<T>(text: string, values: readonly SqlParameter[] = []): Promise<T[]> {
    const query = { name: this.parts.names(text), text, types: valueTypes };
    const run = () =>
      this.parts.shared.run<{ rows: T[] }>((callback) => new TenantQuery(this.tenantId, query, [...values], callback));
    try {
      return (await run()).rows;
    } catch (error) {
      // The previous query was to prepare the statement for both, and was cancelled before it did.
      if (!hasDatabaseCode(error, undefined, statementUnknown)) throw error;
      return (await run()).rows;
    }
  }
}

const refuse = (): Promise<never> => Promise.reject(new NotShortReadError());

/** A tenant's access to the database for short reads only. */
class ShortReadHandle implements TenantDb {
  readonly tenantId: string;
  readonly shortReads: TenantDb['shortReads'];
  readonly query = refuse;
  readonly execute = refuse;
  readonly session = refuse;
  readonly transaction = refuse;
  readonly afterCommit = refuse;
  readonly prepared: Queries = { query: refuse, execute: refuse };

  constructor({ tenantId, shortReads }: TenantDb) {
    this.tenantId = tenantId;
    this.shortReads = shortReads;
  }

  get orm(): Orm {
    throw new NotShortReadError();
  }
}

/** Gives a handle that takes no connection: all but short reads is refused with NotShortReadError. */
export const onlyShortReads = (db: TenantDb): TenantDb => new ShortReadHandle(db);
