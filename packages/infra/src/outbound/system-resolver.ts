import { spawn, type ChildProcess } from 'node:child_process';
import { currentContext } from '../kernel/logger';
import type { ResolveHost } from './types';

export interface SystemResolver {
  /** Lookups of one tenant (of one host, outside of any tenant's work) share a small budget; others do not wait for them. */
  resolve: ResolveHost;
  close(): void;
}

export interface SystemResolverOptions {
  /** Program of the child process. Default: looks up as the system does. Tests give one whose names never answer. */
  program?: string;
}

/** What runs in the child. A thread cannot be taken out of a lookup, so the child ends by the one signal that does not ask. */
const lookupProgram = `
  const { lookup } = require('node:dns');
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  process.on('message', ({ id, host }) =>
    lookup(host, { all: true }, (error, found) =>
      process.send({ id, code: error?.code, addresses: found?.map(({ address }) => address) })));
`;

const threads = 256;

/** The runtime gives lookups half of its threads. */
const mostLookups = threads / 2;

/** A zone that never answers holds a thread for as long as the system's resolver tries, which is longer than any deadline. */
const mostLookupsOfGroup = 4;

/** Those that are left when so many are taken are for tenants that have none: whoever holds some waits. */
const scarceFrom = mostLookups / 2;

/** A busy receiver is looked up this often rather than for each delivery. */
const freshMs = 1_000;
const mostFresh = 10_000;

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
 * Looks names up as the system does: its hosts file and its search order count. The call behind that (getaddrinfo) blocks a
 * thread and cannot be stopped, and all of a process, worker threads included, share four of them. So a child process with
 * threads of its own does it, and what is stuck there hurts neither the database connections of this process nor another
 * tenant.
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
      pump();
    });
    running.set(host, lookup);
    return lookup.then((addresses) => {
      if (fresh.size >= mostFresh) fresh.clear();
      fresh.set(host, { addresses, untilMs: performance.now() + freshMs });
      return addresses;
    });
  };

  const hasRoom = (group: string): boolean =>
    running.size < mostLookups && (runningOf.get(group) ?? 0) < (running.size < scarceFrom ? mostLookupsOfGroup : 1);

  const pump = (): void => {
    const still: Lookup[] = [];
    for (const lookup of waiting) {
      // Nobody waits for it any more.
      if (lookup.signal.aborted) continue;
      const same = running.get(lookup.host);
      if (same) lookup.resolve(same);
      else if (hasRoom(lookup.group)) lookup.resolve(start(lookup));
      else still.push(lookup);
    }
    waiting = still;
  };

  return {
    resolve: (host, signal) => {
      const known = fresh.get(host);
      if (known && known.untilMs > performance.now()) return Promise.resolve(known.addresses);
      return new Promise((resolve) => {
        waiting.push({ host, group: currentContext().tenantId ?? host, signal, resolve });
        pump();
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

/** Starts the process when it is first asked, and again after it ended. */
function lookupChild(program: string): LookupChild {
  const asked = new Map<number, (answer: Omit<Answer, 'id'>) => void>();
  let current: ChildProcess | undefined;
  let lastId = 0;

  const started = (): ChildProcess => {
    // Nothing of this process' environment: it holds secrets, and options that are not meant for the child.
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
    // Neither keeps this process alive: who waits for an answer has a deadline.
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
