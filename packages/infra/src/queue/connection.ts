import { Queue, Worker, createPostgresBackend, withBackend } from 'bullmq';
import type { PostgresConnectionOptions, WorkerOptions } from 'bullmq';

/** PostgreSQL schema that holds BullMQ's tables. */
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
}

/** A worker whose store failed to answer asks again after this time. */
const retrying = { runRetryDelay: reconnectEveryMs };

/** The two BullMQ classes on the backend that the url names, with the connection that both need. */
export function queueClasses(settings: QueueSettings, options: OpenOptions) {
  if (queueBackend(settings.url) === 'redis') {
    const connection = {
      url: settings.url,
      retryStrategy: reconnectDelayMs,
      maxRetriesPerRequest: options.role === 'consumer' ? null : 1,
      enableOfflineQueue: options.role === 'consumer',
    };
    return {
      openQueue: (name: string): Queue => new Queue(name, { connection, prefix: settings.prefix }),
      openWorker: (name: string, processor: Processor, opts: WorkerSettings): Worker =>
        new Worker(name, processor, { ...opts, ...retrying, connection, prefix: settings.prefix }),
    };
  }
  const postgres = withBackend(createPostgresBackend);
  const connection: PostgresConnectionOptions = {
    connectionString: settings.url,
    schema: queueSchema,
    application_name: 'tieout queue',
    max: options.role === 'consumer' ? 6 : 4,
  };
  return {
    openQueue: (name: string): Queue =>
      new postgres.Queue(name, { connection, prefix: settings.prefix }) as unknown as Queue,
    openWorker: (name: string, processor: Processor, opts: WorkerSettings): Worker =>
      new postgres.Worker(name, processor, { ...opts, ...retrying, connection, prefix: settings.prefix }) as unknown as Worker,
  };
}

type Processor = ConstructorParameters<typeof Worker>[1];
type WorkerSettings = Omit<WorkerOptions, 'connection' | 'prefix'>;
