import type { EventEmitter } from 'node:events';
import { Queue, Worker, createPostgresBackend, withBackend } from 'bullmq';
import type { PgPool, WorkerOptions } from 'bullmq';
import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import { LostConnections } from '../db/lost-connections';
import { streamOf } from '../db/wire/stream-of';
import { reopenWhenLost } from './lost-connections';

/** PostgreSQL schema that holds BullMQ's tables: the one that it looks for by itself. */
export const queueSchema = 'bullmq';

export interface QueueSettings {
  /** redis:// or postgres:// */
  url: string;
  /** Separates deployments that share one Redis. */
  prefix: string;
}

export type QueueBackend = 'redis' | 'postgres';

export function queueBackend(url: string): QueueBackend {
  return /^rediss?:/.test(url) ? 'redis' : 'postgres';
}

/** A store that is back is found within this time, however long it was away. */
const reconnectEveryMs = 1_000;
const firstReconnectMs = 50;

/** Before the given attempt to reconnect, counted from 1. */
export const reconnectDelayMs = (attempt: number): number => Math.min(attempt * firstReconnectMs, reconnectEveryMs);

interface OpenOptions {
  /** A producer fails at once while the store is away; a consumer waits for it. */
  role: 'producer' | 'consumer';
  /** When nothing comes on a connection for so long though an answer is due, it is given up and another one opened, unless the store is busy. Default: 12 s. */
  silentMs?: number;
}

/** BullMQ lets a command wait for work for 10 s at most, and allows a second more for the answer. */
const defaultSilentMs = 12_000;

/** Of PostgreSQL. Longer than it takes to find lost connections, which others may wait for. */
const connectTimeoutMs = 30_000;

/**
 * Of PostgreSQL. Its schema, and commits that do not wait for the disk: a crash of the server costs half a second of queue jobs at most,
 * which the sweeps bring back, as it does of a Redis that writes its file once a second. Every request and every step of work would
 * otherwise wait for the disk once for its rows, and again for its queue jobs.
 */
const sessionOptions = `-c search_path=${queueSchema} -c synchronous_commit=off`;

/** A worker whose store failed to answer asks again after this time. */
const retrying = { runRetryDelay: reconnectEveryMs };

/** The two BullMQ classes on the backend that the url names, with the connection that both need. */
export function queueClasses(settings: QueueSettings, options: OpenOptions) {
  const silentMs = options.silentMs ?? defaultSilentMs;
  if (queueBackend(settings.url) === 'redis') {
    const connection = {
      url: settings.url,
      retryStrategy: reconnectDelayMs,
      maxRetriesPerRequest: options.role === 'consumer' ? null : 1,
      enableOfflineQueue: options.role === 'consumer',
    };
    const watched = <T extends Queue | Worker>(opened: T): T => {
      const { connection: one, blockingConnection } = opened.getBackend();
      for (const each of [one, blockingConnection]) if (each) reopenWhenLost(each, silentMs);
      return opened;
    };
    return {
      openQueue: (name: string): Queue => watched(new Queue(name, { connection, prefix: settings.prefix })),
      openWorker: (name: string, processor: Processor, opts: WorkerSettings): Worker =>
        watched(new Worker(name, processor, { ...opts, ...retrying, connection, prefix: settings.prefix })),
    };
  }
  const postgres = withBackend(createPostgresBackend);
  const config = {
    connectionString: settings.url,
    application_name: 'tieout queue',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const watched = <T extends Queue | Worker>(open: (connection: PgPool) => unknown): T => {
    const lost = new LostConnections({
      config,
      silentMs,
      // Nothing is asked on the connection that waits for notifications once it does: it is replaced with one that is found lost.
      onLost: () => {
        if (one.listenClient) streamOf(one.listenClient).destroy();
      },
    });
    // A pool that BullMQ makes would not have the connection that waits for notifications in it, unwatched while it is set up.
    const pool = new Pool({
      ...config,
      options: sessionOptions,
      max: options.role === 'consumer' ? 7 : 4,
      onConnect: lost.onConnect(),
    });
    const opened = open(pool as unknown as PgPool) as T;
    const one = opened.getBackend().connection as unknown as PostgresConnection;
    one.once('close', () => {
      lost.stop();
      pool.end().catch((error: unknown) => one.emit('error', error));
    });
    return opened;
  };
  return {
    openQueue: (name: string): Queue =>
      watched((connection) => new postgres.Queue(name, { connection, prefix: settings.prefix })),
    openWorker: (name: string, processor: Processor, opts: WorkerSettings): Worker =>
      watched(
        (connection) =>
          new postgres.Worker(name, processor, { ...opts, ...retrying, connection, prefix: settings.prefix }),
      ),
  };
}

/** What BullMQ holds of PostgreSQL. */
interface PostgresConnection extends EventEmitter {
  pool: Pool;
  listenClient?: ClientBase;
}

/** The connections to PostgreSQL of a queue that is kept there. */
export function postgresOf(queue: Queue): Pick<Pool, 'query'> | undefined {
  const connection: unknown = queue.getBackend().connection;
  return typeof connection === 'object' && connection !== null && 'pool' in connection
    ? (connection as PostgresConnection).pool
    : undefined;
}

type Processor = ConstructorParameters<typeof Worker>[1];
type WorkerSettings = Omit<WorkerOptions, 'connection' | 'prefix'>;
