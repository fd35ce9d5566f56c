import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDb, createLogger, isDatabaseUnavailable, type Queries, type QueueSettings } from '@tieout/infra';
import { behaviours, createTestDatabase, startHttpsReceiver, type HttpsReceiver } from '@tieout/testing';
import { startPostgres, type OwnPostgres } from '../support/postgres';
import { startRedis, type OwnRedis } from '../support/redis';
import { pause } from './client';
import { startFleet, type Fleet, type Member } from './fleet';
import { startProxy, type Proxy } from './proxy';

export type Backend = 'redis' | 'postgres';

/** Everything that a round disturbs: servers, processes, and the network between them. */
export interface World {
  backend: Backend;
  directory: string;
  url: string;
  platformKey: string;
  postgres: OwnPostgres;
  /** Null where the queues live in PostgreSQL. */
  redis: OwnRedis | null;
  fleet: Fleet;
  /** The proxies of each process: to PostgreSQL, and to Redis if it has the queues. */
  network: ReadonlyMap<string, { postgres: Proxy; redis: Proxy | null }>;
  receiver: HttpsReceiver;
  /** The folder of uploads; its own small disk, where the user may mount one. */
  files: { directory: string; isDisk: boolean };
  /** Number of crashes of the database: a job whose snapshot is lost starts over. */
  crashes: number;
  /** Reads the database without a proxy. Rounds overlap, so it retries while another round has the server stopped. */
  query: Queries['query'];
  queue: QueueSettings;
  close(): Promise<void>;
}

const members: readonly Member[] = [
  { name: 'api', app: 'api' },
  { name: 'ingest-worker', app: 'ingest-worker' },
  { name: 'matching-worker-1', app: 'matching-worker' },
  { name: 'matching-worker-2', app: 'matching-worker' },
  { name: 'webhook-worker', app: 'webhook-worker' },
  { name: 'background-worker', app: 'background-worker' },
  { name: 'dashboard', app: 'dashboard' },
];

/** Longer than any fault lasts. */
const maxOutageMs = 180_000;

function patient(query: Queries['query']): Queries['query'] {
  return async (sql, parameters) => {
    const deadlineMs = Date.now() + maxOutageMs;
    for (;;) {
      try {
        return await query(sql, parameters);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadlineMs) throw error;
        await pause(200);
      }
    }
  };
}

const diskMb = 24;
const dashboardPassword = 'a password of the fault suite';

/** Steps that undo what was begun, last first; all are taken, also when one fails. */
function undoing(): { add(step: () => Promise<unknown>): void; all(): Promise<void> } {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    add: (step) => void steps.push(step),
    all: async () => {
      const failures: unknown[] = [];
      for (const step of steps.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** @param keep Leaves the logs when it is closed. */
export async function startWorld(backend: Backend, keep: () => boolean): Promise<World> {
  const undo = undoing();
  try {
    return { ...(await build(backend, keep, undo)), close: undo.all };
  } catch (error) {
    await undo.all();
    throw error;
  }
}

async function build(
  backend: Backend,
  keep: () => boolean,
  undo: ReturnType<typeof undoing>,
): Promise<Omit<World, 'close'>> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tieout-faults-'));
  undo.add(async () => void (keep() || (await rm(directory, { recursive: true, force: true }))));
  const [postgres, redis, receiver] = await Promise.all([
    startPostgres({ durable: true }),
    backend === 'redis' ? startRedis({ keep: true }) : null,
    startHttpsReceiver(),
  ]);
  undo.add(() => postgres.close());
  if (redis) undo.add(() => redis.close());
  undo.add(() => receiver.stop());
  receiver.on('*', unsteady());
  const database = await createTestDatabase(postgres.url);
  const db = createDb({
    url: database.url,
    poolSize: 4,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  undo.add(() => db.close());
  const files = await smallDisk(path.join(directory, 'files'), undo);
  const network = new Map<string, { postgres: Proxy; redis: Proxy | null }>();
  for (const { name } of members) {
    const way = {
      postgres: await startProxy(portOf(postgres.url)),
      redis: redis && (await startProxy(portOf(redis.url))),
    };
    undo.add(() => Promise.all([way.postgres.close(), way.redis?.close()]));
    network.set(name, way);
  }
  const apiPort = await freePort();
  const platformKey = `platform-${'k'.repeat(40)}`;
  const ca = path.join(directory, 'ca.pem');
  await writeFile(ca, receiver.ca);
  const environmentOf = ({ name }: Member): Record<string, string> => {
    const way = network.get(name);
    const databaseUrl = withPort(database.serviceUrl, way?.postgres.port);
    return {
      DATABASE_URL: databaseUrl,
      QUEUE_URL: way?.redis ? `redis://127.0.0.1:${way.redis.port}` : databaseUrl,
      STORAGE_URL: `file:${files.directory}`,
      PLATFORM_API_KEY: platformKey,
      SECRETS_KEY: 'ab'.repeat(32),
      HOST: '127.0.0.1',
      PORT: String(apiPort),
      HEALTH_PORT: '0',
      DASHBOARD_PORT: '0',
      DASHBOARD_PASSWORD: dashboardPassword,
      MATCHING_CONCURRENCY: '1',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_ALLOWED_PORTS: String(receiver.port),
      WEBHOOK_EXTRA_CA_FILE: ca,
      WEBHOOK_RETRY_DELAYS: '1s',
      WEBHOOK_MAX_ATTEMPTS: '50',
    };
  };
  const fleet = await startFleet(members, environmentOf, directory);
  undo.add(() => fleet.close());
  return {
    backend,
    directory,
    url: `http://127.0.0.1:${apiPort}`,
    platformKey,
    postgres,
    redis,
    fleet,
    network,
    receiver,
    files,
    crashes: 0,
    query: patient(db.system.query),
    queue: { url: redis?.url ?? database.url, prefix: 'tieout' },
  };
}

/** Most answers are what they should be; some come late, and some are failures, so that there are retries. */
function unsteady() {
  const { after, answer } = behaviours;
  let count = 0;
  const [good, bad, late] = [answer(), answer(503), after(150, answer())];
  return (exchange: Parameters<typeof good>[0]): void => {
    count++;
    (count % 11 === 0 ? bad : count % 3 === 0 ? late : good)(exchange);
  };
}

async function smallDisk(directory: string, undo: ReturnType<typeof undoing>): Promise<World['files']> {
  await mkdir(directory);
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', directory], { stdio: 'ignore' }).status === 0;
  if (mounted) undo.add(() => Promise.resolve(void spawnSync('umount', ['--lazy', directory], { stdio: 'ignore' })));
  return { directory, isDisk: mounted };
}

const portOf = (url: string): number => Number(new URL(url).port);

function withPort(url: string, port: number | undefined): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}

/** A port that a process finds free whenever it comes back: below those that outgoing connections are given. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const free = await startProxy(0, port)
      .then((proxy) => proxy.close())
      .then(
        () => true,
        () => false,
      );
    if (free) return port;
  }
}
