import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { createTestDatabase, testServers, type TestDatabase } from '@tieout/testing';

const root = path.join(__dirname, '..', '..');
const readyTimeoutMs = 120_000;

export type AppName =
  'api' | 'ingest-worker' | 'matching-worker' | 'webhook-worker' | 'background-worker' | 'dashboard';
/** An app, or another process of the same one: api#2. */
export type ProcessName = AppName | `${AppName}#${number}`;

const usualProcesses: readonly ProcessName[] = [
  'api',
  'ingest-worker',
  'matching-worker',
  'webhook-worker',
  'background-worker',
];

const appOf = (name: ProcessName): string => name.replace(/#.*/, '');

interface RunningProcess {
  child: ChildProcess;
  port: number;
}

/** The built processes on a database and queues of their own, to be driven over HTTP and killed at will. */
export interface Stack {
  url: string;
  platformKey: string;
  database: TestDatabase;
  /** Starts a process that is not running; the dashboard is not until then. */
  start(name: ProcessName): Promise<void>;
  /** SIGKILL: nothing is finished, nothing is handed back. */
  kill(name: ProcessName): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(name: ProcessName): Promise<number | null>;
  /** The log of all processes so far. */
  log(): string;
  pid(name: ProcessName): number;
  /** The address of /healthz, /readyz and /metrics of a process. */
  urlOf(name: ProcessName): string;
  close(): Promise<void>;
}

/**
 * @param databaseServer Default: the one that all tests share.
 * @param names What is started: what the test has work for.
 */
export async function startStack(
  extraEnv: Record<string, string> = {},
  databaseServer?: string,
  names = usualProcesses,
): Promise<Stack> {
  const { redisUrl } = testServers();
  const database = await createTestDatabase(databaseServer);
  const files = await mkdtemp(path.join(tmpdir(), 'tieout-files-'));
  const platformKey = `platform-${'k'.repeat(40)}`;
  const running = new Map<ProcessName, RunningProcess>();
  const logged: Buffer[] = [];
  const ports = new Map<ProcessName, number>();

  const start = async (name: ProcessName): Promise<void> => {
    const child = spawn(process.execPath, [path.join(root, 'apps', appOf(name), 'dist', 'main.js')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: database.serviceUrl,
        QUEUE_URL: redisUrl ?? database.serviceUrl,
        QUEUE_PREFIX: database.name,
        STORAGE_URL: `file:${files}`,
        PLATFORM_API_KEY: platformKey,
        SECRETS_KEY: 'ab'.repeat(32),
        HOST: '127.0.0.1',
        // A process that comes back takes its old address.
        PORT: String(ports.get(name) ?? 0),
        HEALTH_PORT: '0',
        DASHBOARD_PORT: '0',
        DASHBOARD_PASSWORD: 'correct horse battery',
        LOG_LEVEL: 'info',
        SHUTDOWN_DRAIN_MS: '0',
        ...extraEnv,
      },
    });
    child.stdout?.on('data', (chunk: Buffer) => logged.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      logged.push(chunk);
      process.stderr.write(chunk);
    });
    const port = await ready(name, child);
    ports.set(name, port);
    running.set(name, { child, port });
  };

  const end = async (name: ProcessName, signal: NodeJS.Signals): Promise<number | null> => {
    const { child } = runningProcess(name);
    running.delete(name);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return exited;
  };

  const runningProcess = (name: ProcessName): RunningProcess => {
    const found = running.get(name);
    if (!found) throw new Error(`${name} is not running`);
    return found;
  };

  const stack: Stack = {
    get url() {
      return `http://127.0.0.1:${ports.get('api')}`;
    },
    platformKey,
    database,
    start,
    kill: async (name) => void (await end(name, 'SIGKILL')),
    stop: (name) => end(name, 'SIGTERM'),
    log: () => Buffer.concat(logged).toString('utf8'),
    pid: (name) => runningProcess(name).child.pid as number,
    urlOf: (name) => `http://127.0.0.1:${runningProcess(name).port}`,
    close: async () => {
      await Promise.all([...running.keys()].map((name) => end(name, 'SIGTERM')));
      await database.close();
      await rm(files, { recursive: true });
    },
  };
  await Promise.all(names.map(start));
  return stack;
}

/** Ends a process at once, and resolves when it is gone with what it held. */
export async function endHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Resolves with the port that the process' "ready" line names. A process that is not ready in time is ended: it would
 * keep its port from the next one.
 */
export function ready(name: string, child: ChildProcess, timeoutMs = readyTimeoutMs): Promise<number> {
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void endHard(child);
    }, timeoutMs);
    // `close` follows `exit`, when all output has arrived.
    child.once('close', (code) => {
      clearTimeout(timer);
      reject(new Error(`${name} ${isLate ? 'is not ready' : `ended with ${code}`}:\n${last.join('\n')}`));
    });
    readline.createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      if (!line.includes('"msg":"ready"')) return;
      clearTimeout(timer);
      resolve((JSON.parse(line) as { port: number }).port);
    });
  });
}

/** Polls less often the longer it takes: polling takes CPU from the work. */
const pollAfterMs = (waitedMs: number): number => Math.min(Math.max(waitedMs / 10, 20), 200);

/** Long enough for a machine that has much else to do: what is not there by then will not come. */
const patienceMs = 240_000;

/** Polls until `probe` gives something. */
export async function eventually<T>(what: string, probe: () => Promise<T | undefined>): Promise<T> {
  const startedMs = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() - startedMs > patienceMs) throw new Error(`${what}: not within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs(Date.now() - startedMs)));
  }
}
