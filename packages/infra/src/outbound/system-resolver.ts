import { spawn, type ChildProcess } from 'node:child_process';
import { currentContext } from '../kernel/logger';
import type { ResolveHost } from './types';

export interface SystemResolver {
  /** Looks up a host. The lookups of one tenant (or, without one, of one host) have a small limit. */
  resolve: ResolveHost;
  close(): void;
}

interface SystemResolverOptions {
  /**
   * The program of the child process. Default: lookups as the system does them. Tests use one whose names never answer.
   */
  program?: string;
}

/** The program of the child. A thread cannot be stopped in a lookup, so the child ends by SIGKILL. */
const lookupProgram = `
  const { lookup } = require('node:dns');
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  process.on('message', ({ id, host }) =>
    lookup(host, { all: true }, (error, found) =>
      process.send({ id, code: error?.code, addresses: found?.map(({ address }) => address) })));
`;

const threads = 256;

/** The runtime uses at most half of its threads for lookups. */
const maxLookups = threads / 2;

/** Limits lookups per group: a zone that never answers occupies a thread for longer than any deadline. */
const maxLookupsPerGroup = 4;

/** From this number of running lookups on, groups that have one wait: the rest is for groups that have none. */
const scarceFrom = maxLookups / 2;

/** A result is reused for this time, so that a busy receiver is not looked up for each delivery. */
const freshMs = 1_000;
const maxFresh = 10_000;

interface Answer {
  id: number;
  code?: string;
  addresses?: string[];
}

interface Lookup {
  host: string;
  group: string;
  signal: AbortSignal;
  resolve(addresses: readonly string[] | Promise<readonly string[]>): void;
}

/**
 * Creates a resolver that looks up names as the system does, with its hosts file and search order. The system call
 * (getaddrinfo) blocks a thread and cannot be stopped, and a process shares four such threads with its worker threads.
 * A child process with its own threads therefore runs the lookups. A lookup that hangs affects neither the database
 * connections of this process nor another tenant.
 */
export function createSystemResolver({ program = lookupProgram }: SystemResolverOptions = {}): SystemResolver {
  const fresh = new Map<string, { addresses: readonly string[]; untilMs: number }>();
  const running = new Map<string, Promise<readonly string[]>>();
  const runningOf = new Map<string, number>();
  const child = lookupChild(program);
  let waiting: Lookup[] = [];

  const start = ({ host, group }: Lookup): Promise<readonly string[]> => {
    runningOf.set(group, (runningOf.get(group) ?? 0) + 1);
    const lookup = child.ask(host).finally(() => {
      running.delete(host);
      const left = (runningOf.get(group) ?? 1) - 1;
      if (left === 0) runningOf.delete(group);
      else runningOf.set(group, left);
      startWaiting();
    });
    running.set(host, lookup);
    return lookup.then((addresses) => {
      if (fresh.size >= maxFresh) fresh.clear();
      fresh.set(host, { addresses, untilMs: performance.now() + freshMs });
      return addresses;
    });
  };

  const hasRoom = (group: string): boolean =>
    running.size < maxLookups && (runningOf.get(group) ?? 0) < (running.size < scarceFrom ? maxLookupsPerGroup : 1);

  const startWaiting = (): void => {
    const stillWaiting: Lookup[] = [];
    for (const lookup of waiting) {
      // The caller has given up.
      if (lookup.signal.aborted) continue;
      const same = running.get(lookup.host);
      if (same) lookup.resolve(same);
      else if (hasRoom(lookup.group)) lookup.resolve(start(lookup));
      else stillWaiting.push(lookup);
    }
    waiting = stillWaiting;
  };

  return {
    resolve: (host, signal) => {
      const known = fresh.get(host);
      if (known && known.untilMs > performance.now()) return Promise.resolve(known.addresses);
      return new Promise((resolve) => {
        waiting.push({ host, group: currentContext().tenantId ?? host, signal, resolve });
        startWaiting();
      });
    },
    close: () => child.close(),
  };
}

interface LookupChild {
  /** @throws Error with the code of the lookup, or when the process ended */
  ask(host: string): Promise<readonly string[]>;
  close(): void;
}

/** Starts the process with the first lookup, and again after it ended. */
function lookupChild(program: string): LookupChild {
  const asked = new Map<number, (answer: Omit<Answer, 'id'>) => void>();
  let current: ChildProcess | undefined;
  let lastId = 0;

  const started = (): ChildProcess => {
    // The environment of this process is not passed on: it holds secrets, and options that are not meant for the child.
    const child = spawn(process.execPath, ['--max-old-space-size=32', '-e', program], {
      env: { UV_THREADPOOL_SIZE: String(threads) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const gone = (): void => {
      if (current !== child) return;
      current = undefined;
      for (const settle of asked.values()) settle({ code: 'the process for lookups ended' });
      asked.clear();
    };
    child.on('exit', gone).on('error', gone);
    child.on('message', ({ id, ...answer }: Answer) => {
      asked.get(id)?.(answer);
      asked.delete(id);
    });
    // Neither keeps this process alive: callers have a deadline.
    child.unref();
    child.channel?.unref();
    return child;
  };

  return {
    ask: (host) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        asked.set(id, ({ code, addresses }) =>
          addresses ? resolve(addresses) : reject(Object.assign(new Error(`lookup of ${host} failed`), { code })),
        );
        current ??= started();
        current.send({ id, host });
      }),
    close: () => void current?.kill('SIGKILL'),
  };
}
