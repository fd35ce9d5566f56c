import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { testServers } from '@tieout/testing';
import { ownEnvironment } from './own-environment';

const root = path.join(__dirname, '..', '..');
export const stopDeadlineMs = 10_000;

/** `npm start` as a process. */
export interface Launcher {
  child: ChildProcess;
  output(): string;
  exited: Promise<{ code: number | null }>;
}

/** Resolves when the launcher has printed such text; fails with its output when it ends before. */
export function printed({ child, output, exited }: Launcher, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (text.test(output())) resolve();
    };
    child.stdout?.on('data', look);
    look();
    void exited.then(() => reject(new Error(output())));
  });
}

export const ready = (launcher: Launcher): Promise<void> => printed(launcher, /Ctrl-C stops everything/);

/** Listens on a port of this machine as soon as it is free, and answers nothing; 0 takes any. */
export async function listenOn(port: number): Promise<net.Server> {
  for (;;) {
    // A connection that is kept would keep the server from closing.
    const server = net.createServer((socket) => socket.destroy());
    const listening = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listening) return server;
    // Servers that could not listen are freed between turns.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A data directory and the `npm start` that runs over it. */
export interface Installation {
  directory: string;
  launch(changes?: Record<string, string>): Launcher;
  apiUrl(): string;
  /** The text of a file in the directory. */
  secret(name: string): string;
  serviceProcesses(): number[];
  databaseProcess(): number;
  call(method: string, route: string, body?: object): Promise<{ status: number; json: unknown }>;
  tenantNames(): Promise<string[]>;
}

/** Its directory has a space in its name and can be entered by every user: the database does not run as root. */
export function newInstallation(): Installation {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout start '));
  fs.chmodSync(directory, 0o755);
  const { redisUrl } = testServers();
  const queue = redisUrl === undefined ? {} : { QUEUE_URL: redisUrl, QUEUE_PREFIX: path.basename(directory) };
  const readJson = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(directory, name), 'utf8')) as T;
  const secret = (name: string): string => fs.readFileSync(path.join(directory, name), 'utf8').trim();
  const apiUrl = (): string => readJson<{ apiUrl: string }>('runtime.json').apiUrl;

  const call: Installation['call'] = async (method, route, body) => {
    const response = await fetch(`${apiUrl()}${route}`, {
      method,
      headers: { 'x-api-key': secret('platform-key'), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, json: await response.json() };
  };

  return {
    directory,
    launch: (changes = {}) => {
      const child = spawn(process.execPath, ['scripts/start.mjs', '--no-demo'], {
        cwd: root,
        env: { ...ownEnvironment(directory), ...queue, ...changes },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const exited = new Promise<{ code: number | null }>((resolve) => {
        child.once('exit', (code) => resolve({ code }));
      });
      return { child, output: () => output, exited };
    },
    apiUrl,
    secret,
    serviceProcesses: () => readJson<{ pid: number }[]>('children.json').map(({ pid }) => pid),
    databaseProcess: () =>
      Number(fs.readFileSync(path.join(directory, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0]),
    call,
    tenantNames: async () =>
      ((await call('GET', '/v1/tenants')).json as { items: { name: string }[] }).items.map(({ name }) => name),
  };
}
