import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runningTimeout, type RunningTimeout } from '../concurrency/timeouts';
import { AppError } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import type { ChildAnswer, ChildCall, ChildMessage, ChildReport } from './child-protocol';

export interface ChildProcessOptions {
  /** JavaScript file that calls `serveChild`. */
  file: string;
  heapMb: number;
  /** Size of the young generation: work that fits is not copied repeatedly. Default: that of the runtime. */
  semiSpaceMb?: number;
  /**
   * Limits the growth of the heap between two full collections, relative to what the first one left. Default: that of
   * the runtime, 35 % at a `heapMb` of 384, where work on many rows spends a quarter of its time in collections.
   */
  heapGrowthPercent?: number;
  logger: Logger;
}

/** The process that ran a call ended before it answered. */
export class ChildDiedError extends Error {
  constructor(
    readonly code: number | null,
    readonly signal: NodeJS.Signals | null,
  ) {
    super(`The process that ran this ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
  }
}

/** A call that waits for a child or runs in one. */
export interface PendingCall extends ChildCall {
  signal: AbortSignal | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A child process, as its pool uses it. */
export interface Child {
  process: ChildProcess;
  /** Resolves when the child can take calls; rejects when it ends before. */
  ready: Promise<void>;
  report?: ChildReport;
  /** The running call; after the process has ended, the call that it was running. */
  call?: PendingCall | undefined;
  /** Checks of the pool since the child's last report. */
  silentChecks: number;
  /** The reason for which the pool ended the child. */
  endedFor?: 'timeout' | 'handed_back';
}

/**
 * Collects garbage in the main thread of the child. There is usually one child per core and all are busy: threads that
 * collect for one child would take the time of another.
 */
const ownThreadGc = '--single-threaded-gc';

export function startChild({ file, heapMb, semiSpaceMb, heapGrowthPercent, logger }: ChildProcessOptions): Child {
  const forked = fork(file, [], {
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      ...(semiSpaceMb === undefined ? [] : [`--max-semi-space-size=${semiSpaceMb}`]),
      ...(heapGrowthPercent === undefined ? [] : [`--heap-growing-percent=${heapGrowthPercent}`]),
      ownThreadGc,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const ready = firstMessage(forked, (message): message is { ready: true } => 'ready' in message).then(() => undefined);
  // The end of a child does not fail a call when no call waits for it.
  ready.catch(() => undefined);
  const child: Child = { process: forked, ready, silentChecks: 0 };
  // The output of a dying process, such as the state of an exhausted heap, belongs in the log.
  forked.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => logger.warn({ ...child.call?.context, stderr: text }, 'child process'));
  forked.on('error', (error) => logger.warn({ ...child.call?.context, reason: error.message }, 'child process'));
  return child;
}

/**
 * Runs one call in a child.
 * @throws ChildDiedError; AppError evaluation_timeout or service_unavailable; the reason of the call's signal
 */
export async function callChild(child: Child, call: PendingCall, timeoutMs: number | undefined): Promise<ChildAnswer> {
  await child.ready;
  const answer = firstMessage(child.process, (message): message is ChildAnswer => 'measures' in message);
  const { method, argument, context, signal } = call;
  child.process.send({ method, argument, context } satisfies ChildCall, (error) => {
    // The exit event reports the same; a process that cannot be written to and does not end is ended here.
    if (error) child.process.kill('SIGKILL');
  });
  let timer: RunningTimeout | undefined;
  let onAbort = (): void => undefined;
  const givenUp = new Promise<never>((_, reject) => {
    if (timeoutMs !== undefined) {
      const usedMs = measureCpuTime(child.process.pid);
      timer = runningTimeout(timeoutMs, () => reject(timeoutError(timeoutMs, usedMs())));
    }
    onAbort = () => reject(signal?.reason as Error);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
  });
  // The pool kills the process of a call that is given up, which rejects the answer too.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    timer?.clear();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The least share of a call's time on a processor at which the call counts as computing. */
const minCpuShare = 0.1;

/** Distinguishes a call that computes for too long from one whose process was stopped or starved. */
function timeoutError(timeoutMs: number, usedMs: number): AppError {
  return usedMs < timeoutMs * minCpuShare
    ? new AppError('service_unavailable', 'The process that evaluates expressions does not get to it', {
        retryAfterSeconds: 5,
      })
    : new AppError('evaluation_timeout', `The expressions took longer than ${timeoutMs} ms`);
}

type MessageGuard<M extends ChildMessage> = (message: ChildMessage) => message is M;

/** @throws ChildDiedError when the process ends, or could not be started, before such a message arrives */
function firstMessage<M extends ChildMessage>(child: ChildProcess, isWanted: MessageGuard<M>): Promise<M> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      finish();
    };
    const onMessage = (message: ChildMessage): void => {
      if (isWanted(message)) settle(() => resolve(message));
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      settle(() => reject(new ChildDiedError(code, signal)));
    const onError = (error: Error): void => settle(() => reject(error));
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    // A process that ended before this call emits no further event.
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  });
}

/** Linux reports CPU time to programs in ticks of this length. */
const msPerTick = 10;

/** Measures the CPU time in ms that a process uses from now on. NaN where the system does not report it (not Linux). */
function measureCpuTime(pid: number | undefined): () => number {
  const before = cpuTicks(pid);
  return () => (cpuTicks(pid) - before) * msPerTick;
}

function cpuTicks(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return Number(user) + Number(system);
  } catch {
    return NaN;
  }
}
