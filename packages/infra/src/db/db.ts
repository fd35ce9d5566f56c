import { TypeOverrides, types as pgTypes, type ClientBase, type PoolClient } from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Prisma } from '../generated/prisma/client';
import { PrismaClient } from '../generated/prisma/client';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { throttleLog } from '../concurrency/throttle-log';
import { forgetStatements } from './wire/forget-statements';
import { LostConnections } from './lost-connections';
import { SharedConnections } from './shared-connections';
import { TenantPool, type Visible } from './tenant-pool';
import { TenantQuery } from './tenant-query';
import { prepareBecomeTenant } from './tenant-role';

type Models = Omit<Prisma.TransactionClient, '$executeRaw' | '$executeRawUnsafe' | '$queryRaw' | '$queryRawUnsafe'>;

/**
 * The Prisma client as use cases see it, inside a transaction or outside of one. Without findUnique: Prisma waits for others of it and
 * answers them with one query, on one connection, whoever they are for.
 */
export type Orm = { [M in keyof Models]: Omit<Models[M], 'findUnique' | 'findUniqueOrThrow'> };

/** What a query can be run with: values of PostgreSQL's own types; JSON goes in as text with a ::jsonb cast. */
export type SqlParameter =
  string | number | boolean | bigint | Date | null | Uint8Array | readonly (string | number | null)[];

/** SQL on some connection. */
export interface Queries {
  /** Rows of a statement. jsonb arrives parsed, timestamptz as Date, bigint as BigInt: cast counts to int. */
  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]>;
  /** Number of rows that a statement changed. */
  execute(sql: string, parameters?: readonly SqlParameter[]): Promise<number>;
}

export interface DbHandle extends Queries {
  readonly orm: Orm;
  /** Work that runs once the outermost transaction is durable; at once outside of one. Its failure is logged, never thrown: the row owns the truth and a sweep repeats what was lost. */
  afterCommit(work: () => Promise<unknown>): Promise<void>;
}

/** The only way to a tenant's data: every ORM operation carries the tenant's id, raw SQL takes it as a parameter. */
export interface TenantDb extends DbHandle {
  readonly tenantId: string;
  /** For the statements of requests that come all the time: each is planned once a connection. Inside a transaction, statements of that one. */
  readonly prepared: Queries;
  /**
   * For reads of requests that an index answers at once: they share connections, so that many together cost little, and one that takes
   * long, or waits for a lock, would hold up those of others. Inside a transaction, statements of that one.
   */
  readonly shortReads: Pick<Queries, 'query'>;
  /** Inside a transaction it joins that one. */
  transaction<T>(work: (tx: TenantDb) => Promise<T>): Promise<T>;
  /** A connection of its own for COPY and long reads; transactions on it are the caller's. Released broken if `work` throws. */
  session<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** Work across tenants: authentication, provisioning, sweeps. */
export interface SystemDb extends DbHandle {
  transaction<T>(work: (tx: SystemDb) => Promise<T>): Promise<T>;
}

export interface DatabaseUsage {
  busy: number;
  idle: number;
  waiting: number;
}

export interface Db {
  readonly system: SystemDb;
  /** For statements that run all the time, across tenants: each is planned once a connection. */
  readonly prepared: Queries;
  forTenant(tenantId: string): TenantDb;
  /** The same for a tenant that holds no connection: all but what is brief is refused with NotBrief, before anything is sent. */
  forShortReads(tenantId: string): TenantDb;
  /** Connections, and statements that wait for one of the pool. */
  usage(): DatabaseUsage;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  logger: Logger;
  /**
   * A shared connection on which a statement has no answer for so long is given up; one of the pool if the server is not at work on
   * the statement. Default: 10 s.
   */
  answerTimeoutMs?: number;
}

const transactionOptions = { maxWait: 10_000, timeout: 120_000 };

/** A statement whose client is gone ends within a second, even one that waits for a lock. Servers on Windows cannot tell, and refuse the setting. */
const endWithoutClient = `do $$ begin set client_connection_check_interval = '1s'; exception when invalid_parameter_value then null; end $$`;

/**
 * What a process held that cannot be reached any more is free after half a minute: the server asks whether it is there. One
 * that is there and does nothing is given longer than any step of the work computes between two statements.
 */
const sessionSettings = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4; set tcp_user_timeout = '30s';
   set idle_in_transaction_session_timeout = '30min'; ${endWithoutClient}; ${prepareBecomeTenant}`;

/**
 * What an index answers at once goes along it, also in a table that has just filled up: to the planner that is as good as empty, and all
 * its rows are as soon sorted.
 */
const briefSettings = `${sessionSettings}; set enable_bitmapscan = off; set enable_sort = off`;

const setUpSession = (client: ClientBase): Promise<unknown> => client.query(sessionSettings);

/** One is enough for what a process asks; while a statement of it takes long the other one goes on. */
const sharedConnections = 2;
const answerTimeoutMs = 10_000;
const forgetMs = 1_000;
/** While the store of the queues is away the work of every write fails. */
const toldEveryMs = 10_000;

export function createDb(options: DbOptions): Db {
  const config = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const silentMs = options.answerTimeoutMs ?? answerTimeoutMs;
  const lostConnections = new LostConnections({ config, silentMs });
  const pool = new TenantPool({ ...config, max: options.poolSize, onConnect: lostConnections.onConnect(setUpSession) });
  const lost = (error: Error): void => options.logger.debug({ err: error }, 'database connection lost');
  // Without a listener a lost connection would end the process. The pool replaces one that was idle; one in use fails the next statement.
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) => client.on('error', lost));
  const shared = new SharedConnections({
    config,
    count: sharedConnections,
    answerTimeoutMs: silentMs,
    setUp: (client) => client.query(briefSettings),
    onLost: lost,
  });
  const prisma = new PrismaClient({ errorFormat: 'minimal', adapter: new PrismaPg(pool) });
  const names = statementNames('tieout_tenant_');
  const onHookFailed = throttleLog(toldEveryMs, (error: unknown, failures) =>
    options.logger.warn({ reason: messageOf(error), failures }, 'work after commit failed; a sweep repeats it'),
  );
  const parts = { prisma, pool, shared, names, onHookFailed };
  const forgetting = setInterval(forgetStatements, forgetMs).unref();

  return {
    system: systemHandle(prisma, pool, onHookFailed),
    prepared: rawSeeing('all', pool, statementNames('tieout_')),
    forTenant: (tenantId) => new TenantHandle(parts, tenantId),
    forShortReads: (tenantId) => new BriefHandle(parts, tenantId),
    usage: () => {
      const { busy, idle } = shared.usage();
      return { busy: pool.totalCount - pool.idleCount + busy, idle: pool.idleCount + idle, waiting: pool.waitingCount };
    },
    ping: async () => {
      await Promise.all([pool.seeing('all', () => pool.query('select 1')), shared.ping()]);
    },
    close: async () => {
      clearInterval(forgetting);
      await Promise.all([prisma.$disconnect(), shared.close()]);
      await pool.close();
      lostConnections.stop();
    },
  };
}

/** The same on a connection of one's own, inside of whatever transaction it is in. */
export function queriesOn(client: PoolClient): Queries {
  return {
    query: async <T>(sql: string, parameters: readonly SqlParameter[] = []) =>
      (await client.query(sql, [...parameters])).rows as T[],
    execute: async (sql, parameters = []) => (await client.query(sql, [...parameters])).rowCount ?? 0,
  };
}

type RawClient = Pick<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;
type CommitHooks = (() => Promise<unknown>)[];
type HookFailed = (error: unknown) => void;

function rawOperations(client: RawClient): Queries {
  return {
    query: <T>(sql: string, parameters: readonly SqlParameter[] = []) =>
      client.$queryRawUnsafe<T[]>(sql, ...parameters),
    execute: (sql, parameters = []) => client.$executeRawUnsafe(sql, ...parameters),
  };
}

/** As Prisma gives values: a bigint is no string. */
const types = new TypeOverrides();
types.setTypeParser(pgTypes.builtins.INT8, BigInt);

/** The same outside of transactions, without the detour through Prisma. */
function rawSeeing(visible: Visible, pool: TenantPool, nameOf?: StatementNames): Queries {
  const run = (text: string, values: readonly SqlParameter[]) =>
    pool.seeing(visible, () =>
      pool.query<object>({ ...(nameOf && { name: nameOf(text) }), text, values: [...values], types }),
    );
  return {
    query: async <T>(sql: string, parameters: readonly SqlParameter[] = []) => (await run(sql, parameters)).rows as T[],
    execute: async (sql, parameters = []) => (await run(sql, parameters)).rowCount ?? 0,
  };
}

/** The name of a prepared statement by its text. */
type StatementNames = (sql: string) => string;

/** Names for statements of tenants, or for those of the system: what is planned for one sees other rows than the other's. */
function statementNames(prefix: string): StatementNames {
  const names = new Map<string, string>();
  return (sql) => {
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `${prefix}${names.size + 1}`));
    return name;
  };
}

const transactionAttempts = 3;

/** Runs a transaction, then its hooks. One that the database ended to break a deadlock has changed nothing and is run again. */
async function committed<T>(onHookFailed: HookFailed, run: (hooks: CommitHooks) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const hooks: CommitHooks = [];
    try {
      const result = await run(hooks);
      await runHooks(hooks, onHookFailed);
      return result;
    } catch (error) {
      if (attempt === transactionAttempts || !isDeadlock(error)) throw error;
    }
  }
}

async function runHooks(hooks: CommitHooks, onHookFailed: HookFailed): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook();
    } catch (error) {
      onHookFailed(error);
    }
  }
}

/** Runs `work` in a transaction of the client, which sees what is said from its beginning. */
function transactionSeeing<T>(
  visible: Visible,
  pool: TenantPool,
  client: PrismaClient,
  work: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  return pool.seeing(visible, () => client.$transaction((tx) => pool.anew(() => work(tx)), transactionOptions));
}

function systemHandle(prisma: PrismaClient, pool: TenantPool, onHookFailed: HookFailed): SystemDb {
  const orm = ormSeeing('all', pool, prisma, ({ args }) => args);
  return {
    orm,
    ...rawSeeing('all', pool),
    afterCommit: (work) => runHooks([work], onHookFailed),
    transaction: <T>(work: (tx: SystemDb) => Promise<T>): Promise<T> =>
      committed(onHookFailed, (hooks) =>
        transactionSeeing('all', pool, orm, (client) => {
          const tx: SystemDb = {
            orm: client,
            ...rawOperations(client),
            afterCommit: (hook) => Promise.resolve(void hooks.push(hook)),
            transaction: (inner) => inner(tx),
          };
          return work(tx);
        }),
      ),
  };
}

interface TenantHandleParts {
  prisma: PrismaClient;
  pool: TenantPool;
  shared: SharedConnections;
  names: StatementNames;
  onHookFailed: HookFailed;
}

/** A class: with closures and an accessor of its own for each request, each would have a shape of its own. */
class TenantHandle implements TenantDb {
  readonly shortReads: TenantDb['shortReads'];
  private client: PrismaClient | undefined;

  constructor(
    private readonly parts: TenantHandleParts,
    readonly tenantId: string,
  ) {
    this.shortReads = new BriefQueries(parts, tenantId);
  }

  get orm(): PrismaClient {
    // Extending costs some microseconds, which what speaks SQL only need not pay.
    return (this.client ??= ormSeeing(this, this.parts.pool, this.parts.prisma, (operation) =>
      scopeToTenant(this.tenantId, operation),
    ));
  }

  get prepared(): Queries {
    return rawSeeing(this, this.parts.pool, this.parts.names);
  }

  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]> {
    return rawSeeing(this, this.parts.pool).query<T>(sql, parameters);
  }

  execute(sql: string, parameters?: readonly SqlParameter[]): Promise<number> {
    return rawSeeing(this, this.parts.pool).execute(sql, parameters);
  }

  session<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.parts.pool.session(this.tenantId, work);
  }

  afterCommit(work: () => Promise<unknown>): Promise<void> {
    return runHooks([work], this.parts.onHookFailed);
  }

  transaction<T>(work: (tx: TenantDb) => Promise<T>): Promise<T> {
    const { tenantId, orm, parts } = this;
    return committed(parts.onHookFailed, (hooks) =>
      transactionSeeing(this, parts.pool, orm, (client) => {
        const operations = rawOperations(client);
        const tx: TenantDb = {
          tenantId,
          orm: client,
          ...operations,
          prepared: operations,
          shortReads: operations,
          session: (inner) => this.session(inner),
          afterCommit: (hook) => Promise.resolve(void hooks.push(hook)),
          transaction: (inner) => inner(tx),
        };
        return work(tx);
      }),
    );
  }
}

/** Statements of one tenant on the connections that all share. */
class BriefQueries {
  constructor(
    private readonly parts: TenantHandleParts,
    private readonly tenantId: string,
  ) {}

  async query<T>(text: string, values: readonly SqlParameter[] = []): Promise<T[]> {
    const query = { name: this.parts.names(text), text, types };
    const run = () =>
      this.parts.shared.run<{ rows: T[] }>((callback) => new TenantQuery(this.tenantId, query, [...values], callback));
    try {
      return (await run()).rows;
    } catch (error) {
      // The one before it was to prepare the statement for both, and was cancelled before that.
      if (!hasDatabaseCode(error, undefined, '26000')) throw error;
      return (await run()).rows;
    }
  }
}

/** What was to be done takes a connection of its own. */
export class NotShortReadError extends Error {
  constructor() {
    super('takes a connection to the database');
  }
}

const notBrief = (): Promise<never> => Promise.reject(new NotShortReadError());
const notPrepared: Queries = { query: notBrief, execute: notBrief };

/** A tenant's view for brief reads alone. */
class BriefHandle implements TenantDb {
  readonly shortReads: TenantDb['shortReads'];
  readonly query = notBrief;
  readonly execute = notBrief;
  readonly session = notBrief;
  readonly transaction = notBrief;
  readonly afterCommit = notBrief;
  readonly prepared = notPrepared;

  constructor(
    parts: TenantHandleParts,
    readonly tenantId: string,
  ) {
    this.shortReads = new BriefQueries(parts, tenantId);
  }

  get orm(): Orm {
    throw new NotShortReadError();
  }
}

interface Operation {
  model: string;
  operation: string;
  args: object;
}

/** The client with every operation seeing what is said, its arguments passed through `scope`. */
function ormSeeing(
  visible: Visible,
  pool: TenantPool,
  prisma: PrismaClient,
  scope: (operation: Operation) => object,
): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          // Prisma answers several of these with one query, whoever they are for.
          if (operation.startsWith('findUnique')) throw new Error(`${operation} is not for use here: take findFirst`);
          return pool.seeing(visible, () => query(scope({ model, operation, args }) as never));
        },
      },
    },
  });
  return extended as unknown as PrismaClient;
}

interface ScopedArgs {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
  create?: Record<string, unknown>;
}

const creates = new Set(['create', 'createMany', 'createManyAndReturn']);

/** Adds the tenant to the condition and to new rows, so that a forgotten `where` cannot cross tenants. */
function scopeToTenant(tenantId: string, { model, operation, args }: Operation): ScopedArgs {
  const column = model === 'Tenant' ? 'id' : 'tenantId';
  const scopedArgs = { ...(args as ScopedArgs) };
  const own = <T extends object>(row: T): T => ({ ...row, [column]: tenantId });
  if (creates.has(operation)) {
    const data = scopedArgs.data ?? {};
    scopedArgs.data = Array.isArray(data) ? data.map(own) : own(data);
  } else {
    scopedArgs.where = own(scopedArgs.where ?? {});
    if (scopedArgs.create) scopedArgs.create = own(scopedArgs.create);
  }
  return scopedArgs;
}

/** True when a statement was refused because a row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2002', '23505');
}

/** True when a statement was refused because another row refers to this one, or the row referred to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2003', '23503');
}

/** True when a statement waited longer for a lock than `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  return hasDatabaseCode(error, undefined, '55P03');
}

function isDeadlock(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2034', '40P01');
}

function hasDatabaseCode(error: unknown, prismaCode: string | undefined, sqlState: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  if (code === sqlState || (code !== undefined && code === prismaCode)) return true;
  return code === 'P2010' && JSON.stringify(meta ?? {}).includes(`"${sqlState}"`);
}
