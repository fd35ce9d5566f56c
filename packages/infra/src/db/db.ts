import { PrismaPg } from '@prisma/adapter-pg';
import { throttleLog } from '../concurrency/throttle-log';
import { PrismaClient } from '../generated/prisma/client';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { ShortReadHandle, systemHandle, TenantHandle } from './handles';
import { LostConnections } from './lost-connections';
import { forgetStatements } from './orm';
import { idleTimeoutMs, sessionSettings, shortReadSettings } from './session-settings';
import { SharedConnections } from './shared-connections';
import { pooledQueries, statementNames } from './statements';
import { TenantPool } from './tenant-pool';
import { noteRowSecurity } from './tenant-role';
import type { DatabaseUsage, Queries, SystemDb, TenantDb } from './types';

export interface Db {
  readonly system: SystemDb;
  /** Runs frequent statements across tenants, each of which is planned once per connection. */
  readonly prepared: Queries;
  forTenant(tenantId: string): TenantDb;
  /** Gives a handle that takes no connection: all but short reads is refused with NotShortReadError. */
  forShortReads(tenantId: string): TenantDb;
  /** Counts connections, and the statements that wait for one of the pool. */
  usage(): DatabaseUsage;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface DbOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  logger: Logger;
  /** Settings of our own that triggers read, by name: values of every session. */
  sessionValues?: Readonly<Record<string, string>>;
  /**
   * A shared connection is discarded when a statement on it has no answer after this time; a connection of the pool is
   * discarded when, besides, the server is not working on the statement. Default: 10 s.
   */
  answerTimeoutMs?: number;
}

/** One suffices for a process; the second serves other work during a long statement. */
const sharedConnections = 2;
const defaultAnswerTimeoutMs = 10_000;
const forgetStatementsEveryMs = 1_000;
/** While the store of the queues is away, the work after every commit fails. */
const logHookFailureEveryMs = 10_000;

export function createDb(options: DbOptions): Db {
  const { logger, sessionValues, answerTimeoutMs = defaultAnswerTimeoutMs } = options;
  const config = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const lostConnections = new LostConnections({ config, silentMs: answerTimeoutMs });
  const onConnect = lostConnections.onConnect(async (client) => {
    await client.query(sessionSettings(sessionValues));
    await noteRowSecurity(client);
  });
  const pool = new TenantPool({ ...config, max: options.poolSize, idleTimeoutMillis: idleTimeoutMs, onConnect });
  const onLost = (error: Error): void => logger.debug({ err: error }, 'database connection lost');
  // Without a listener a lost connection would end the process. The pool replaces an idle one; one in use fails the
  // next statement.
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) => client.on('error', onLost));
  const shared = new SharedConnections({
    config,
    count: sharedConnections,
    answerTimeoutMs,
    setUp: (client) => client.query(shortReadSettings),
    onLost,
  });
  const prisma = new PrismaClient({ errorFormat: 'minimal', adapter: new PrismaPg(pool) });
  const onHookFailed = throttleLog(logHookFailureEveryMs, (error: unknown, failures) =>
    logger.warn({ reason: messageOf(error), failures }, 'work after commit failed; a sweep repeats it'),
  );
  const parts = { prisma, pool, shared, names: statementNames('tieout_tenant_'), onHookFailed };
  const forgetting = setInterval(forgetStatements, forgetStatementsEveryMs).unref();

  return {
    system: systemHandle(parts),
    prepared: pooledQueries('all', pool, statementNames('tieout_')),
    forTenant: (tenantId) => new TenantHandle(parts, tenantId),
    forShortReads: (tenantId) => new ShortReadHandle(parts, tenantId),
    usage: () => {
      const { busy, idle } = shared.usage();
      return { busy: pool.totalCount - pool.idleCount + busy, idle: pool.idleCount + idle, waiting: pool.waitingCount };
    },
    ping: async () => {
      await Promise.all([pool.withVisible('all', () => pool.query('select 1')), shared.ping()]);
    },
    close: async () => {
      clearInterval(forgetting);
      await Promise.all([prisma.$disconnect(), shared.close()]);
      await pool.close();
      lostConnections.stop();
    },
  };
}
