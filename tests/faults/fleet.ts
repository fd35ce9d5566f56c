import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { childrenOf } from '../support/processes';
import { endHard, eventually, ready, type AppName } from '../support/stack';

/** A process by its own name: an app may run several times. */
export interface Member {
  name: string;
  app: AppName;
}

/**
 * The supervised processes of the product: each is restarted until it is ready; one that ends by itself is a finding.
 */
export interface Fleet {
  members: readonly Member[];
  /** Starts a process that is not running. */
  start(name: string): Promise<void>;
  kill(name: string): Promise<void>;
  /** SIGTERM; resolves with the exit code and how long it took. */
  stop(name: string): Promise<{ code: number | null; tookMs: number }>;
  /** The processes that a process has started and that live. */
  children(name: string): number[];
  signal(name: string, signal: NodeJS.Signals, whom: 'all' | 'children'): void;
  /** Processes that ended by themselves since the last call, with what they said last. */
  endedByThemselves(): string[];
  close(): Promise<void>;
}

const root = path.join(__dirname, '..', '..');

export async function startFleet(
  members: readonly Member[],
  environmentOf: (member: Member) => Record<string, string>,
  logDirectory: string,
): Promise<Fleet> {
  const running = new Map<string, ChildProcess>();
  const expected = new WeakSet<ChildProcess>();
  const logs = new Map<string, WriteStream>();
  const ended: string[] = [];
  /** All processes that have started, ready or not. */
  const alive = new Set<ChildProcess>();
  let closing = false;

  const spawned = async (member: Member): Promise<ChildProcess> => {
    const log =
      logs.get(member.name) ?? createWriteStream(path.join(logDirectory, `${member.name}.log`), { flags: 'a' });
    logs.set(member.name, log);
    const child = spawn(process.execPath, [path.join(root, 'apps', member.app, 'dist', 'main.js')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environmentOf(member) },
    });
    alive.add(child);
    child.once('exit', () => alive.delete(child));
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    await ready(member.name, child);
    return child;
  };

  const memberOf = (name: string): Member => {
    const member = members.find((one) => one.name === name);
    if (!member) throw new Error(`there is no process ${name}`);
    return member;
  };

  const start = async (name: string): Promise<void> => {
    const member = memberOf(name);
    // A supervisor restarts a process that cannot reach its stores at start-up, too.
    const child = await eventually(`${name} starts`, async () => {
      if (closing) throw new Error(`${name} is not started: the round is over`);
      return spawned(member).catch(() => undefined);
    });
    running.set(name, child);
    child.once('exit', (code, signal) => {
      if (running.get(name) === child) running.delete(name);
      if (expected.has(child) || closing) return;
      ended.push(`${name} ended by itself with ${code ?? signal}`);
      start(name).catch((error: Error) => ended.push(error.message));
    });
  };

  const processOf = (name: string): ChildProcess => {
    const child = running.get(name);
    if (!child) throw new Error(`${name} is not running`);
    return child;
  };

  const end = async (name: string, signal: NodeJS.Signals): Promise<number | null> => {
    const child = processOf(name);
    expected.add(child);
    running.delete(name);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return exited;
  };

  const fleet: Fleet = {
    members,
    start,
    kill: async (name) => void (await end(name, 'SIGKILL')),
    stop: async (name) => {
      const startedMs = performance.now();
      return { code: await end(name, 'SIGTERM'), tookMs: performance.now() - startedMs };
    },
    children: (name) => childrenOf(processOf(name).pid as number),
    signal: (name, signal, whom) => {
      const child = running.get(name);
      if (child?.pid === undefined) return;
      const pids = [...(whom === 'all' ? [child.pid] : []), ...childrenOf(child.pid)];
      for (const pid of pids) send(pid, signal);
    },
    endedByThemselves: () => ended.splice(0),
    close: async () => {
      closing = true;
      await Promise.all([...alive].map(endHard));
      for (const log of logs.values()) log.end();
    },
  };
  await Promise.all(members.map(({ name }) => start(name))).catch(async (error: unknown) => {
    await fleet.close();
    throw error;
  });
  return fleet;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
