import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { testServers } from '@tieout/testing';
import { Client } from 'pg';
import { ownEnvironment } from './support/own-environment';

const root = path.join(__dirname, '..');
const stopDeadlineMs = 10_000;

interface Launcher {
  child: ChildProcess;
  output(): string;
  exited: Promise<{ code: number | null; afterMs: number }>;
}

/** A directory with a space in its name, which every user can enter: the database does not run as root. */
const dataDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout start '));
fs.chmodSync(dataDirectory, 0o755);

function environment(changes: Record<string, string>): NodeJS.ProcessEnv {
  const { redisUrl } = testServers();
  const queue = redisUrl === undefined ? {} : { QUEUE_URL: redisUrl, QUEUE_PREFIX: `start_${process.pid}` };
  return { ...ownEnvironment(dataDirectory), ...queue, ...changes };
}

function launch(changes: Record<string, string> = {}): Launcher {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--no-demo'], {
    cwd: root,
    env: environment(changes),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const startedAt = Date.now();
  const exited = new Promise<{ code: number | null; afterMs: number }>((resolve) => {
    child.once('exit', (code) => resolve({ code, afterMs: Date.now() - startedAt }));
  });
  return { child, output: () => output, exited };
}

/** Resolves when the launcher has printed such text; fails with its output when it ends before. */
function printed({ child, output, exited }: Launcher, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (text.test(output())) resolve();
    };
    child.stdout?.on('data', look);
    look();
    void exited.then(() => reject(new Error(output())));
  });
}

const ready = (launcher: Launcher): Promise<void> => printed(launcher, /Ctrl-C stops everything/);

/** Listens on a port of this machine as soon as it is free; 0 takes any. */
async function listenOn(port: number): Promise<net.Server> {
  for (;;) {
    const server = net.createServer();
    const listening = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listening) return server;
  }
}

const readJson = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(dataDirectory, name), 'utf8')) as T;
const apiUrl = (): string => readJson<{ apiUrl: string }>('runtime.json').apiUrl;
const secret = (name: string): string => fs.readFileSync(path.join(dataDirectory, name), 'utf8').trim();
const platformKey = (): string => secret('platform-key');
const serviceProcesses = (): number[] => readJson<{ pid: number }[]>('children.json').map(({ pid }) => pid);
const databaseProcess = (): number =>
  Number(fs.readFileSync(path.join(dataDirectory, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Counts running processes, without zombies. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !(fs.existsSync(stat) && /\) Z /.test(fs.readFileSync(stat, 'utf8')));
}

/** Resolves when none of the processes runs any more, with the time that took. */
async function gone(pids: number[]): Promise<number> {
  const since = Date.now();
  while (pids.some(isAlive)) {
    if (Date.now() - since > stopDeadlineMs) throw new Error(`still running: ${pids.filter(isAlive).join(', ')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Date.now() - since;
}

async function call(method: string, route: string, body?: object): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${apiUrl()}${route}`, {
    method,
    headers: { 'x-api-key': platformKey(), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, json: await response.json() };
}

const tenantNames = async (): Promise<string[]> =>
  ((await call('GET', '/v1/tenants')).json as { items: { name: string }[] }).items.map(({ name }) => name);

describe('npm start', () => {
  let current: Launcher;

  afterAll(async () => {
    current.child.kill('SIGTERM');
    await current.exited;
    fs.rmSync(dataDirectory, { recursive: true, force: true });
  });

  test('refuses a PORT that another program uses, with a reason', async () => {
    const other = await listenOn(0);
    const { port } = other.address() as net.AddressInfo;
    current = launch({ PORT: String(port) });
    expect((await current.exited).code).toBe(1);
    expect(current.output()).toContain(`Port ${port} is taken by another program`);
    await new Promise((resolve) => other.close(resolve));
  });

  test.each([
    ['PLATFORM_API_KEY', 'k'.repeat(31), 'PLATFORM_API_KEY is shorter than 32 characters\n'],
    ['DASHBOARD_PASSWORD', 'p'.repeat(11), 'DASHBOARD_PASSWORD is shorter than 12 characters\n'],
    ['SECRETS_KEY', 'ab'.repeat(31), 'SECRETS_KEY is not 32 bytes in base64 or hex\n'],
  ])('refuses a short %s in one line, before it starts anything', async (name, value, message) => {
    current = launch({ [name]: value });
    expect((await current.exited).code).toBe(1);
    expect(current.output()).toBe(message);
  });

  test('starts on an empty directory, serves, and keeps secrets, logs and lock private to their owner', async () => {
    current = launch();
    await ready(current);
    expect((await call('POST', '/v1/tenants', { name: 'Kept' })).status).toBe(201);
    const logs = fs.readdirSync(path.join(dataDirectory, 'logs')).map((name) => path.join('logs', name));
    const files = ['platform-key', 'dashboard-password', 'secrets-key', 'database-password', 'lock.json', ...logs];
    expect(files.filter((name) => (fs.statSync(path.join(dataDirectory, name)).mode & 0o777) !== 0o600)).toEqual([]);
  });

  test('the database requires the password, which is not shown', async () => {
    const shown = /postgresql:\/\/\S+/.exec(current.output())?.[0] ?? '';
    const password = secret('database-password');
    const connect = async (changes: { password: string }): Promise<string> => {
      const client = new Client({ connectionString: Object.assign(new URL(shown), changes).href });
      try {
        await client.connect();
        return 'let in';
      } catch (error) {
        return (error as Error).message;
      } finally {
        await client.end();
      }
    };
    expect(current.output()).not.toContain(password);
    expect(await connect({ password })).toBe('let in');
    expect(await connect({ password: 'guessed' })).toMatch('password authentication failed');
  });

  test('a second start over the same data is refused and does not disturb the first one', async () => {
    const second = launch();
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain('already runs over');
    expect(await tenantNames()).toEqual(['Kept']);
  });

  test('a killed launcher leaves no service running, and the next start adopts its database', async () => {
    const services = serviceProcesses();
    expect(services).toHaveLength(6);
    current.child.kill('SIGKILL');
    expect(await gone(services)).toBeLessThan(stopDeadlineMs);
    current = launch();
    await ready(current);
    expect(await tenantNames()).toEqual(['Kept']);
  });

  test('reports why a dead service cannot be restarted, and restarts it once it can', async () => {
    const port = Number(new URL(apiUrl()).port);
    // The API is the first that is started.
    const [api] = serviceProcesses();
    if (api !== undefined) process.kill(api, 'SIGKILL');
    const thief = await listenOn(port);
    await printed(current, /api ended unexpectedly with code 1 \(.*EADDRINUSE.*\); starting it again/);
    await new Promise((resolve) => thief.close(resolve));
    await printed(current, /api is running again/);
    expect(await tenantNames()).toEqual(['Kept']);
  });

  test('recovers without help after everything was killed at once', async () => {
    const all = [current.child.pid ?? 0, ...serviceProcesses(), databaseProcess()];
    for (const pid of all) process.kill(pid, 'SIGKILL');
    await current.exited;
    current = launch();
    await ready(current);
    expect(await tenantNames()).toEqual(['Kept']);
  });

  test('SIGTERM, even twice, ends everything within 10 s', async () => {
    const all = [...serviceProcesses(), databaseProcess()];
    const since = Date.now();
    current.child.kill('SIGTERM');
    current.child.kill('SIGTERM');
    expect((await current.exited).code).toBe(0);
    expect(Date.now() - since).toBeLessThan(stopDeadlineMs);
    expect(all.filter(isAlive)).toEqual([]);
  });
});
