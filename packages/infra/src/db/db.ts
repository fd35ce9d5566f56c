import type { Logger } from '../kernel/logger';
import { systemHandle, TenantHandle } from './handles';
import { forgetStatements } from './orm';
import { ReadHandle } from './read-handle';
import { Replica, Replicas, type ReplicaLag } from './replicas';
import { openServer } from './server';
import { pooledQueries, statementNames } from './statements';
import type { DatabaseUsage, Queries, SystemDb, TenantDb } from './types';

export interface Db {
  readonly system: SystemDb;
  /** Runs frequent statements across tenants, each of which is planned once per connection. */
  readonly prepared: Queries;
  forTenant(tenantId: string): TenantDb;
  /**
   * Gives a handle for reads that a replica answers where one has all that was committed when the first of them began.
   * Changes are refused. A read that fails on the replica runs again on the primary, as do the later ones. Without
   * replicas it is the handle of `forTenant`.
   */
  forReads(tenantId: string): TenantDb;
  /** Tells how far each replica is behind. */
  replicaLag(): Promise<ReplicaLag[]>;
  /** Counts connections, and the statements that wait for one of the pool. */
  usage(): DatabaseUsage;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface DbOptions {
  url: string;
  /** Standbys of that server, with the same database and user. Default: none. */
  replicaUrls?: readonly string[];
  /** A read waits for a replica for as long, then the primary answers. Default: 100 ms. */
  maxReplicaWaitMs?: number;
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

const defaultAnswerTimeoutMs = 10_000;
const connectTimeoutMs = 10_000;
/** A replica gets less time, because the primary can answer instead. */
const replicaTimeouts = { answerTimeoutMs: 5_000, connectTimeoutMs: 2_000 };
const defaultReplicaWaitMs = 100;
const forgetStatementsEveryMs = 1_000;

export function createDb(options: DbOptions): Db {
  const { url, answerTimeoutMs = defaultAnswerTimeoutMs, logger } = options;
  const { replicaUrls = [], maxReplicaWaitMs = defaultReplicaWaitMs } = options;
  const primary = openServer({ ...options, url, answerTimeoutMs, connectTimeoutMs, hasAlternative: false });
  const openReplica = (replicaUrl: string): Replica => {
    const server = openServer({ ...options, ...replicaTimeouts, url: replicaUrl, hasAlternative: true });
    return new Replica(server, new URL(replicaUrl).host, logger);
  };
  const replicas =
    replicaUrls.length > 0 ? new Replicas(primary, replicaUrls.map(openReplica), maxReplicaWaitMs) : undefined;
  const { pool, shared } = primary;
  const forgetting = setInterval(forgetStatements, forgetStatementsEveryMs).unref();

  return {
    system: systemHandle(primary),
    prepared: pooledQueries('all', pool, statementNames('tieout_')),
    forTenant: (tenantId) => new TenantHandle(primary, tenantId),
    forReads: (tenantId) => {
      const onPrimary = new TenantHandle(primary, tenantId);
      return replicas ? new ReadHandle(onPrimary, replicas) : onPrimary;
    },
    replicaLag: async () => (await replicas?.lag()) ?? [],
    usage: () => totalOf([primary.usage(), ...(replicas?.usage() ?? [])]),
    ping: async () => {
      await Promise.all([pool.withVisible('all', () => pool.query('select 1')), shared.ping()]);
    },
    close: async () => {
      clearInterval(forgetting);
      await Promise.all([primary.close(), replicas?.close()]);
    },
  };
}

const totalOf = (usages: readonly DatabaseUsage[]): DatabaseUsage =>
  usages.reduce((sum, { busy, idle, waiting }) => ({
    busy: sum.busy + busy,
    idle: sum.idle + idle,
    waiting: sum.waiting + waiting,
  }));
