import {
  createDb,
  createProducer,
  createStorage,
  type Logger,
  type QueueSettings,
  type ReadinessChecks,
} from '@tieout/infra';
import { createGroupCommit } from './data/records';
import { jobCatalog } from './kernel/jobs';
import type { Evaluator } from './kernel/ports';
import { defaultSettings, type DomainDeps, type DomainSettings } from './kernel/scope';
import { removeRecordsOfFile } from './removal';

/** The settings of a process that the domain needs. */
export interface DomainEnvironment {
  DATABASE_URL: string;
  /** Urls with commas between them. */
  DATABASE_REPLICA_URLS?: string;
  DATABASE_POOL_SIZE: number;
  QUEUE_URL?: string;
  QUEUE_PREFIX: string;
  STORAGE_URL: string;
}

export function queueSettings(env: DomainEnvironment): QueueSettings {
  return { url: env.QUEUE_URL ?? env.DATABASE_URL, prefix: env.QUEUE_PREFIX };
}

/** Checks that every process needs for its work. */
export function readinessChecks({ db, queue }: Pick<DomainDeps, 'db' | 'queue'>): ReadinessChecks {
  return { database: () => db.ping(), queue: () => queue.ping() };
}

export interface OpenDomainOptions {
  env: DomainEnvironment;
  applicationName: string;
  logger: Logger;
  evaluator: Evaluator;
  settings?: Partial<DomainSettings>;
}

/** Opens the database, the queues and the storage for one process. `close` closes them, the queues first. */
export function openDomain(options: OpenDomainOptions): { deps: DomainDeps; close: () => Promise<void> } {
  const { env, logger } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const db = createDb({
    url: env.DATABASE_URL,
    replicaUrls: env.DATABASE_REPLICA_URLS?.split(',') ?? [],
    poolSize: env.DATABASE_POOL_SIZE,
    applicationName: options.applicationName,
    sessionValues: { 'tieout.max_records': String(settings.quotas.records) },
    logger,
  });
  const queue = createProducer(jobCatalog, queueSettings(env), logger);
  const storage = createStorage(env.STORAGE_URL);
  return {
    deps: {
      db,
      queue,
      storage,
      evaluator: options.evaluator,
      logger,
      settings,
      storeInGroup: createGroupCommit({ db, queue }),
      removeRecordsOfFile,
    },
    close: async () => {
      await queue.close();
      storage.close();
      await db.close();
    },
  };
}
