import { PrismaPg } from '@prisma/adapter-pg';
import { nextFlight } from '../concurrency/next-flight';
import { throttleLog } from '../concurrency/throttle-log';
import { PrismaClient } from '../generated/prisma/client';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import type { HandleParts } from './handles';
import { LostConnections } from './lost-connections';
import { flushLogSql } from './orm';
import { idleTimeoutMs, questionSettings, sessionSettings, shortReadSettings } from './session-settings';
import { SharedConnections } from './shared-connections';
import { statementNames } from './statements';
import { TenantPool } from './tenant-pool';
import { noteRowSecurity } from './tenant-role';
import type { DatabaseUsage } from './types';

interface ServerOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  logger: Logger;
  /** Settings of our own that triggers read, by name: values of every session. */
  sessionValues?: Readonly<Record<string, string>>;
  /**
   * A shared connection is discarded when a statement on it has no answer after this time; a connection of the pool is
   * discarded when, besides, the server is not working on the statement.
   */
  answerTimeoutMs: number;
  connectTimeoutMs: number;
  /** Another server can answer: a silent connection is discarded too when this one cannot be asked about it. */
  hasAlternative: boolean;
}

/** The connections to one server. */
export interface Server extends HandleParts {
  /** Carries questions for places in the log. They may wait for the disk, which reads need not. */
  questions: SharedConnections;
  /** Counts connections, and the statements that wait for one of the pool. */
  usage(): DatabaseUsage;
  close(): Promise<void>;
}

/** One suffices for a process; the second serves other work during a long statement. */
const sharedConnections = 2;
/** While the store of the queues is away, the work after every commit fails. */
const logHookFailureEveryMs = 10_000;

/** Opens no connection before it is needed. */
export function openServer(options: ServerOptions): Server {
  const { logger, answerTimeoutMs, hasAlternative } = options;
  const config = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const lostConnections = new LostConnections({ config, silentMs: answerTimeoutMs, hasAlternative });
  const onConnect = lostConnections.onConnect(async (client) => {
    await client.query(sessionSettings(options.sessionValues));
    await noteRowSecurity(client);
  });
  const pool = new TenantPool({ ...config, max: options.poolSize, idleTimeoutMillis: idleTimeoutMs, onConnect });
  const onLost = (error: Error): void => logger.debug({ err: error }, 'database connection lost');
  // Without a listener a lost connection would end the process. The pool replaces an idle one; one in use fails the
  // next statement.
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) => client.on('error', onLost));
  const openShared = (count: number, settings: string): SharedConnections =>
    new SharedConnections({ config, count, answerTimeoutMs, setUp: (client) => client.query(settings), onLost });
  const shared = openShared(sharedConnections, shortReadSettings);
  const questions = openShared(1, questionSettings);
  const prisma = new PrismaClient({ errorFormat: 'minimal', adapter: new PrismaPg(pool) });
  const onHookFailed = throttleLog(logHookFailureEveryMs, (error: unknown, failures) =>
    logger.warn({ reason: messageOf(error), failures }, 'work after commit failed; a sweep repeats it'),
  );
  return {
    prisma,
    pool,
    shared,
    questions,
    names: statementNames('tieout_tenant_'),
    // Commits that come at a time wait for one flush.
    flushLog: nextFlight(() => pool.withVisible('all', () => pool.query(flushLogSql))),
    onHookFailed,
    usage: () => ({
      busy: pool.totalCount - pool.idleCount + shared.usage().busy + questions.usage().busy,
      idle: pool.idleCount + shared.usage().idle + questions.usage().idle,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([prisma.$disconnect(), shared.close(), questions.close()]);
      await pool.close();
      lostConnections.stop();
    },
  };
}
