import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { apiClient } from '../tools/api-client.mjs';
import { inRoot } from '../tools/paths.mjs';
import { choosePort } from '../tools/ports.mjs';
import { ensureDatabase, startPostgres } from '../tools/postgres/server.mjs';
import { ServiceProcess } from '../tools/service-process.mjs';
import { migrate } from '../tools/migrations.mjs';
import { watchMemory } from './memory.mjs';

const platformKey = `platform-${'b'.repeat(40)}`;
const readyMs = 30_000;
const stopMs = 8_000;

/**
 * A whole service of its own, with durable PostgreSQL as in production, and one tenant. `matchingWorkers` says how many
 * matching workers run and with which settings; the service begins with one that has the default settings.
 *
 * @param {{ directory: string, say: (line: string) => void, cleanup: { add(step: () => unknown): void }, queueUrl?:
 *   string, settings?: Record<string, string> }} options `queueUrl`: a Redis for the queues, which are in the database
 *   otherwise
 */
export async function startService({ directory, say, cleanup, queueUrl, settings = {} }) {
  const server = await startPostgres({ directory });
  cleanup.add(() => server.stop());
  await ensureDatabase(server, 'tieout');
  const databaseUrl = server.url('tieout');
  await migrate(databaseUrl, queueUrl ?? databaseUrl);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  // The server is stopped before its clients when the run is interrupted.
  database.on('error', () => undefined);
  cleanup.add(() => database.end());

  const port = await choosePort({ name: 'PORT', preferred: 3900, host: '127.0.0.1' });
  const common = {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl ?? databaseUrl,
    STORAGE_URL: `file:${path.join(directory, 'files')}`,
    HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    PORT: String(port),
    PLATFORM_API_KEY: platformKey,
    SECRETS_KEY: 'be'.repeat(32),
    LOG_LEVEL: 'info',
    ...settings,
  };
  const processes = createProcesses({ common, directory, say });
  cleanup.add(() => processes.stopAll());
  const serverPid = await parentOf((await database.query('select pg_backend_pid() as pid')).rows[0].pid);
  const everyProcess = () => [...processes.running(), { name: 'postgres', pid: serverPid }];
  const memory = watchMemory(everyProcess);
  cleanup.add(() => memory.stop());

  await Promise.all(
    ['api', 'ingest-worker', 'matching-worker', 'webhook-worker', 'background-worker'].map((name) =>
      processes.start(name),
    ),
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  const tenant = await apiClient({ baseUrl, headers: { 'x-api-key': platformKey } }).post('/v1/tenants', {
    name: 'Bench',
  });
  return {
    database,
    databaseUrl,
    baseUrl,
    processes: everyProcess,
    tenantId: tenant.id,
    client: apiClient({ baseUrl, headers: { 'x-api-key': platformKey, 'x-tenant-id': tenant.id } }),
    memoryPeaks: memory.peaks,
    /** Another tenant, with its own client. */
    async newTenant(name) {
      const { id } = await apiClient({ baseUrl, headers: { 'x-api-key': platformKey } }).post('/v1/tenants', { name });
      return { id, client: apiClient({ baseUrl, headers: { 'x-api-key': platformKey, 'x-tenant-id': id } }) };
    },
    /** Restarts a process with these settings. */
    async restart(name, settings = {}) {
      await processes.stop(name);
      await processes.start(name, settings);
    },
    async matchingWorkers(count, settings = {}) {
      await processes.stop('matching-worker');
      await Promise.all(Array.from({ length: count }, () => processes.start('matching-worker', settings)));
    },
  };
}

/** The processes of the product, several of a name if need be. */
function createProcesses({ common, directory, say }) {
  const running = new Set();
  let started = 0;
  const end = async (entry) => {
    running.delete(entry);
    await entry.process.stop(stopMs);
  };
  return {
    async start(name, settings = {}) {
      started++;
      const entry = { name, pid: 0 };
      const register = { add: (pid) => (entry.pid = pid), remove: () => (entry.pid = 0) };
      const logFile = path.join(directory, `${name}-${started}.log`);
      entry.process = new ServiceProcess({
        name,
        env: { ...common, ...settings },
        register,
        say,
        file: inRoot('apps', name, 'dist', 'main.js'),
        logFile,
      });
      running.add(entry);
      await entry.process.start(readyMs);
    },
    stop: (name) => Promise.all([...running].filter((entry) => entry.name === name).map(end)),
    stopAll: () => Promise.all([...running].map(end)),
    running: () => [...running].filter(({ pid }) => pid !== 0).map(({ name, pid }) => ({ name, pid })),
  };
}

/** The process that a server's backend belongs to; 0 where the system does not tell. */
async function parentOf(pid) {
  const file = `/proc/${pid}/status`;
  return fs.existsSync(file) ? Number(/PPid:\s+(\d+)/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? 0) : 0;
}

/** A directory for one run, which every user can enter as the database's may be another one; gone afterwards. */
export function temporaryDirectory(cleanup) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  fs.chmodSync(directory, 0o755);
  cleanup.add(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}
