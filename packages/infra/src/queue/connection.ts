import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { Queue, Worker, createPostgresBackend, withBackend } from 'bullmq';
import type { PgPool, WorkerOptions } from 'bullmq';
import { Cluster } from 'ioredis';
import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import { throttleLog } from '../concurrency/throttle-log';
import { destroyConnection, idleTimeoutMs, LostConnections } from '../db';
import { isClusterUrl, readClusterUrl } from '../kernel/cluster-url';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { reopenWhenLost } from './lost-connections';

/** The PostgreSQL schema that holds BullMQ's tables, which is BullMQ's own default. */
export const queueSchema = 'bullmq';

export interface QueueSettings {
  /** A redis://, redis+cluster:// or postgres:// url. */
  url: string;
  /** Separates deployments that share one Redis. */
  prefix: string;
}

type QueueBackend = 'redis' | 'postgres';

export function queueBackend(url: string): QueueBackend {
  return /^rediss?(\+cluster)?:/.test(url) ? 'redis' : 'postgres';
}

/** The longest delay between two attempts to reconnect, however long the store was away. */
const maxReconnectDelayMs = 1_000;
const minReconnectDelayMs = 50;

/** Gives the delay before an attempt to reconnect, counted from 1. */
export const reconnectDelayMs = (attempt: number): number =>
  Math.min(attempt * minReconnectDelayMs, maxReconnectDelayMs);

interface OpenOptions {
  /** A producer fails at once while the store is away; a consumer waits for it. */
  role: 'producer' | 'consumer';
  /** Time after which a connection with an overdue answer is replaced. Default: 12 s. */
  silentMs?: number;
}

/** BullMQ lets a command wait for work for at most 10 s, and allows another second for the answer. */
const defaultSilentMs = 12_000;

/** Longer than the detection of lost PostgreSQL connections, which other callers may wait for. */
const connectTimeoutMs = 30_000;

/** BullMQ uses at most this many PostgreSQL connections. */
const poolSize = { producer: 4, consumer: 7 };

/**
 * The options of PostgreSQL sessions: the schema, and commits that do not wait for the disk. A crash of the server then
 * loses at most half a second of queue jobs, which the sweeps restore; a Redis that writes its file once a second loses
 * as much. Otherwise every request and every step of work would wait for the disk twice, for its rows and for its queue
 * jobs.
 */
const sessionOptions = `-c search_path=${queueSchema} -c synchronous_commit=off`;

/** The delay after which a worker asks again when its store failed to answer. */
const retrying = { runRetryDelay: maxReconnectDelayMs };

type Processor = ConstructorParameters<typeof Worker>[1];
type WorkerSettings = Omit<WorkerOptions, 'connection' | 'prefix'>;

interface QueueClasses {
  openQueue(name: string): Queue;
  openWorker(name: string, processor: Processor, options: WorkerSettings): Worker;
}

/** Opens BullMQ's queues and workers on the backend that the url names. */
export function queueClasses(settings: QueueSettings, options: OpenOptions): QueueClasses {
  if (isClusterUrl(settings.url)) return clusterClasses(settings, options);
  return queueBackend(settings.url) === 'redis' ? redisClasses(settings, options) : postgresClasses(settings, options);
}

/** Gives the address of a Redis. `sslrootcert` names the authorities of its certificate, as in a url of PostgreSQL. */
function redisAddress(text: string): { url: string; tls?: { ca: string } } {
  const url = new URL(text);
  const file = url.searchParams.get('sslrootcert');
  if (file === null) return { url: text };
  url.searchParams.delete('sslrootcert');
  // The driver accepts TLS options only with a url that has none.
  url.protocol = 'redis:';
  return { url: url.href, tls: { ca: readFileSync(file, 'utf8') } };
}

function redisClasses({ url, prefix }: QueueSettings, { role, silentMs = defaultSilentMs }: OpenOptions): QueueClasses {
  const connection = {
    ...redisAddress(url),
    retryStrategy: reconnectDelayMs,
    maxRetriesPerRequest: role === 'consumer' ? null : 1,
    enableOfflineQueue: role === 'consumer',
  };
  const watched = <T extends Queue | Worker>(opened: T): T => {
    const { connection: main, blockingConnection } = opened.getBackend();
    for (const each of [main, blockingConnection]) if (each) reopenWhenLost(each, silentMs);
    return opened;
  };
  return {
    openQueue: (name) => watched(new Queue(name, { connection, prefix })),
    openWorker: (name, processor, own) =>
      watched(new Worker(name, processor, { ...own, ...retrying, connection, prefix })),
  };
}

/**
 * Keeps the keys of a queue in one slot of the cluster, as BullMQ's scripts need them, and those of several queues in
 * several slots, so that the nodes share the work.
 */
const slotPrefix = (prefix: string, queue: string): string =>
  prefix.startsWith('{') ? prefix : `{${prefix}-${queue}}`;

function clusterClasses(
  { url, prefix }: QueueSettings,
  { role, silentMs = defaultSilentMs }: OpenOptions,
): QueueClasses {
  const { nodes, ...login } = readClusterUrl(url);
  const open = <T extends Queue | Worker>(make: (connection: Cluster) => T): T => {
    const cluster = new Cluster(nodes, {
      lazyConnect: true,
      clusterRetryStrategy: reconnectDelayMs,
      enableOfflineQueue: role === 'consumer',
      // The check asks one node, which may be the one that is away: BullMQ would wait for ever for the answer.
      enableReadyCheck: false,
      // The certificate of a node names its host, not the address.
      dnsLookup: (host, found) => found(null, host),
      redisOptions: { ...login, maxRetriesPerRequest: null, socketTimeout: silentMs },
    });
    const opened = make(cluster);
    // BullMQ closes the connections that it made from this one, but not this one itself.
    const close = opened.close.bind(opened);
    opened.close = async (force?: boolean) => {
      await close(force).finally(() => cluster.disconnect());
    };
    return opened;
  };
  return {
    openQueue: (name) => open((connection) => new Queue(name, { connection, prefix: slotPrefix(prefix, name) })),
    openWorker: (name, processor, own) =>
      open(
        (connection) =>
          new Worker(name, processor, { ...own, ...retrying, connection, prefix: slotPrefix(prefix, name) }),
      ),
  };
}

function postgresClasses(
  { url, prefix }: QueueSettings,
  { role, silentMs = defaultSilentMs }: OpenOptions,
): QueueClasses {
  const postgres = withBackend(createPostgresBackend);
  const config = {
    connectionString: url,
    application_name: 'tieout queue',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const watched = <T extends Queue | Worker>(open: (connection: PgPool) => unknown): T => {
    const lost = new LostConnections({
      config,
      silentMs,
      // The connection that waits for notifications runs no statement that could stay unanswered: it is replaced with
      // any lost one.
      onLost: () => {
        if (connection.listenClient) destroyConnection(connection.listenClient);
      },
    });
    // The pool is made here: with a pool of its own, BullMQ would wait for notifications on a connection outside it,
    // which nothing would watch.
    const pool = new Pool({
      ...config,
      options: sessionOptions,
      max: poolSize[role],
      idleTimeoutMillis: idleTimeoutMs,
      onConnect: lost.onConnect(),
    });
    const opened = open(pool as unknown as PgPool) as T;
    const connection = opened.getBackend().connection as unknown as PostgresConnection;
    connection.once('close', () => {
      lost.stop();
      pool.end().catch((error: unknown) => connection.emit('error', error));
    });
    return opened;
  };
  return {
    openQueue: (name) => watched((connection) => new postgres.Queue(name, { connection, prefix })),
    openWorker: (name, processor, own) =>
      watched((connection) => new postgres.Worker(name, processor, { ...own, ...retrying, connection, prefix })),
  };
}

/** BullMQ's connection to PostgreSQL. */
interface PostgresConnection extends EventEmitter {
  pool: Pool;
  listenClient?: ClientBase;
}

/** Gives the PostgreSQL pool of a queue, or undefined when the queue is kept in Redis. */
export function postgresOf(queue: Queue): Pick<Pool, 'query'> | undefined {
  const connection: unknown = queue.getBackend().connection;
  return typeof connection === 'object' && connection !== null && 'pool' in connection
    ? (connection as PostgresConnection).pool
    : undefined;
}

const logEveryMs = 10_000;

/**
 * Logs connection failures of queues, which occur many times a second while a store is away: per queue the first one at
 * once, then one in ten seconds with the number of failures since the previous line.
 */
export function connectionLog(
  logger: Pick<Logger, 'warn'>,
  message: string,
  nowMs: () => number = () => performance.now(),
): (queue: string, error: unknown) => void {
  const logs = new Map<string, (error: unknown) => void>();
  return (queue, error) => {
    const log =
      logs.get(queue) ??
      throttleLog(
        logEveryMs,
        (last: unknown, failures) => logger.warn({ reason: messageOf(last), queue, failures }, message),
        nowMs,
      );
    logs.set(queue, log);
    log(error);
  };
}
