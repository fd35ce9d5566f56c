import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  inPlaceEvaluator,
  openDomain,
  queueSettings,
  type DomainDeps,
  type DomainEnvironment,
  type DomainSettings,
} from '@tieout/domain';
import { createLogger, queueClasses, type QueueSettings } from '@tieout/infra';
import { createTestDatabase, testServers, type TestDatabase } from './database';

/** SECRETS_KEY of tests. */
export const testSecretsKey = 'ab'.repeat(32);

/** A password of the service's own cost takes 0.2 s of CPU. */
const cheapPasswordCost = 16;

export interface TestServiceOptions {
  settings?: Partial<DomainSettings>;
  /** Default 10. */
  poolSize?: number;
  /** A database that stays when the service closes. Default: one of its own on the server of all tests. */
  database?: TestDatabase;
  /** Urls of standbys of that database. Default: none. */
  replicaUrls?: readonly string[];
}

export interface TestService {
  deps: DomainDeps;
  env: DomainEnvironment;
  database: TestDatabase;
  /** Queues of this service only. */
  queueSettings: QueueSettings;
  close(): Promise<void>;
}

/** The domain on a database and queues of its own, as a process of the service would wire it. */
export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { redisUrl, logLevel } = testServers();
  const database = options.database ?? (await createTestDatabase());
  const files = await mkdtemp(path.join(tmpdir(), 'tieout-files-'));
  const env: DomainEnvironment = {
    STORAGE_URL: `file:${files}`,
    DATABASE_URL: database.url,
    ...(options.replicaUrls && { DATABASE_REPLICA_URLS: options.replicaUrls.join() }),
    DATABASE_POOL_SIZE: options.poolSize ?? 10,
    QUEUE_PREFIX: database.name,
    ...(redisUrl === undefined ? {} : { QUEUE_URL: redisUrl }),
  };
  const { deps, close } = openDomain({
    env,
    applicationName: 'tieout test',
    logger: createLogger('test', logLevel),
    evaluator: inPlaceEvaluator(),
    settings: { passwordCost: cheapPasswordCost, ...options.settings },
  });
  return {
    deps,
    env,
    database,
    queueSettings: queueSettings(env),
    close: async () => {
      await close();
      if (!options.database) await database.close();
      await rm(files, { recursive: true });
    },
  };
}

/** Polls less often the longer it takes: polling takes CPU from the work. */
const pollAfterMs = (waitedMs: number): number => Math.min(Math.max(waitedMs / 3, 20), 100);

/** A look into queues, over connections that it keeps. */
export interface QueueWatch {
  /** Resolves when a queue has neither waiting nor running jobs. Failed ones count as done. */
  drained(name: string, timeoutMs?: number): Promise<void>;
  /** Removes all jobs of a queue. */
  clear(name: string): Promise<void>;
  close(): Promise<void>;
}

export function watchQueues(settings: QueueSettings): QueueWatch {
  const { openQueue } = queueClasses(settings, { role: 'producer' });
  const opened = new Map<string, ReturnType<typeof openQueue>>();
  const queueNamed = (name: string) => {
    const queue = opened.get(name) ?? openQueue(name);
    opened.set(name, queue);
    return queue;
  };
  return {
    drained: async (name, timeoutMs = 120_000) => {
      const queue = queueNamed(name);
      const startedMs = Date.now();
      await queue.waitUntilReady();
      // A job that changes its state during the count may be missed: the queue must be empty twice.
      for (let timesEmpty = 0; ;) {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        timesEmpty = Object.values(counts).every((count) => count === 0) ? timesEmpty + 1 : 0;
        if (timesEmpty === 2) return;
        const waitedMs = Date.now() - startedMs;
        if (waitedMs > timeoutMs) throw new Error(`queue ${name} is not drained: ${JSON.stringify(counts)}`);
        await new Promise((resolve) => setTimeout(resolve, pollAfterMs(timesEmpty === 1 ? 0 : waitedMs)));
      }
    },
    clear: (name) => queueNamed(name).obliterate({ force: true }),
    close: async () => {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

/** `drained` of a look that is only for this. */
export async function queueDrained(settings: QueueSettings, name: string, timeoutMs?: number): Promise<void> {
  const watch = watchQueues(settings);
  try {
    await watch.drained(name, timeoutMs);
  } finally {
    await watch.close();
  }
}
