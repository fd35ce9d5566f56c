import { fork, type ChildProcess } from 'node:child_process';
import { AppError, type ErrorCode, type FieldError, messageOf, stackOf } from '../kernel/errors';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DatabaseUsage } from '../db/db';
import { isDatabaseUnavailable } from '../db/unavailable';
import { currentContext, withContext, withoutContext, type Logger, type WorkContext } from '../kernel/logger';
import { collectMeasures, processMetrics, replayMeasures } from '../metrics';
import type { Measure } from '../metrics/definitions';
import { processorTime } from './processor-time';
import { runningTimeout, type RunningTimeout } from './running-timeout';
import { overdueSignal } from './watchdog';

export interface ChildPoolOptions {
  /** JavaScript file that calls `serveChild`. */
  file: string;
  size: number;
  heapMb: number;
  /** Room for young objects, twice over, beside the heap: work on many rows at a time that fits is not copied again and again. Default: the runtime's. */
  semiSpaceMb?: number;
  /**
   * Of what the heap held after it was collected as a whole, what may be added before it is again. Default: the runtime's, 35 % where
   * `heapMb` is 384: work on many rows then takes a quarter of its time for it.
   */
  heapGrowthPercent?: number;
  /**
   * A call that takes longer, counted from when its process is up, ends with `evaluation_timeout`, or with `service_unavailable` if its
   * process has hardly run; the process is replaced. Default: no limit.
   */
  timeoutMs?: number;
  /**
   * Keeps a child free of a tenant that holds all the others (of two or more), and serves tenants in turn, those first that
   * have used the least time lately; a tenant's calls beyond `mostWaiting` are refused. Without it, calls are served in the order in which they came.
   */
  fair?: { maxWaiting: number };
  /** How often children are looked at: one that has said nothing in twelve looks hangs. Default: as often as one that is well says so. */
  checkEveryMs?: number;
  /** Starts all children at once instead of each with its first call. */
  prestart?: boolean;
  logger: Logger;
}

export interface ChildPool {
  /**
   * Runs one call in a child process, which ends when the signal is aborted meanwhile.
   * @throws ChildDiedError; AppError what the child threw, `evaluation_timeout` or `service_unavailable`; the reason of the signal
   */
  call<T>(method: string, argument: unknown, signal?: AbortSignal): Promise<T>;
  usage(): ChildUsage;
  /** Ends all children at once; calls in hand fail. */
  close(): Promise<void>;
}

/** What a child last said of itself. */
interface ChildReport {
  residentBytes: number;
  /** The longest that its event loop has not turned since the report before, and now. */
  lagSeconds: number;
  database?: DatabaseUsage;
}

export interface ChildUsage {
  busy: number;
  idle: number;
  callsWaiting: number;
  reports: readonly ChildReport[];
}

/** The signal by which V8 ends a process whose heap is full. */
export const outOfMemorySignal = 'SIGABRT';

/** The process that ran a call ended before it answered. */
export class ChildDiedError extends Error {
  constructor(
    readonly code: number | null,
    readonly signal: NodeJS.Signals | null,
  ) {
    super(`The process that ran this ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
  }
}

interface Call {
  method: string;
  argument: unknown;
  context: WorkContext;
  signal: AbortSignal | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Answer {
  measures: Measure[];
  value?: unknown;
  error?: { code: ErrorCode; message: string; errors?: FieldError[]; stack?: string };
}

type Message = { ready: true } | { report: ChildReport } | Answer;

interface Child {
  process: ChildProcess;
  /** Resolves when the child can take calls; rejects when it ends before. */
  ready: Promise<void>;
  report?: ChildReport;
  /** In hand; of one that is gone, what it had in hand. */
  call?: Call | undefined;
  /** Looks at it since it has last said something. */
  silentTurns: number;
  /** Why it is ended, if not by itself. */
  endedFor?: 'timeout' | 'handed_back';
}

/**
 * Processes for work that a tenant's text decides on (expressions): it can neither block nor exhaust the
 * process that serves HTTP or renews the locks of queue jobs. Each child runs one call at a time and is
 * replaced when it dies or takes too long.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const { checkEveryMs: lookEveryMs = reportEveryMs } = options;
  const waiting: Call[] = [];
  const idle: Child[] = [];
  const children = new Set<Child>();
  let closed = false;

  const spawn = (): Child => {
    const child = withoutContext(() => start(options));
    children.add(child);
    child.process.on('message', (message: Message) => {
      if (!('report' in message)) return;
      child.report = message.report;
      child.silentTurns = 0;
    });
    child.process.once('exit', (_code, signal) => {
      if (closed) return;
      const reason = child.endedFor ?? reasonOf(signal);
      processMetrics.add('tieout_child_ends_total', { reason });
      if (child.call && !child.endedFor)
        options.logger.warn(
          { ...child.call.context, method: child.call.method, reason },
          'a child process ended before it had answered',
        );
    });
    const gone = (): void => {
      if (!children.delete(child)) return;
      const position = idle.indexOf(child);
      if (position >= 0) idle.splice(position, 1);
      // Its place is free: a call may have waited for it.
      pump();
    };
    child.process.on('exit', gone).on('error', gone);
    return child;
  };

  const running = new Map<string | undefined, number>();
  const runningOf = ({ context }: Call): number => running.get(context.tenantId) ?? 0;
  const count = ({ context: { tenantId } }: Call, by: number): void => {
    const left = (running.get(tenantId) ?? 0) + by;
    if (left === 0) running.delete(tenantId);
    else running.set(tenantId, left);
  };
  const mostOfOneTenant = options.fair ? Math.max(1, options.size - 1) : options.size;

  const used = recentUse();
  const goesBefore = (call: Call, other: Call): boolean => {
    const fewer = runningOf(call) - runningOf(other);
    return fewer < 0 || (fewer === 0 && used.of(call.context.tenantId) < used.of(other.context.tenantId));
  };

  /** The first call of the tenant that has the fewest in hand; among such, that has used the least time lately. */
  const next = (): Call | undefined => {
    let chosen = -1;
    for (let i = 0; i < waiting.length; i++) {
      const call = waiting[i] as Call;
      if (runningOf(call) < mostOfOneTenant && (chosen === -1 || goesBefore(call, waiting[chosen] as Call))) chosen = i;
    }
    return chosen === -1 ? undefined : waiting.splice(chosen, 1)[0];
  };

  const pump = (): void => {
    while (!closed && waiting.length > 0 && (idle.length > 0 || children.size < options.size)) {
      const call = options.fair ? next() : waiting.shift();
      if (!call) return;
      void run(idle.pop() ?? spawn(), call);
    }
  };

  const run = async (child: Child, call: Call): Promise<void> => {
    count(call, 1);
    child.call = call;
    const startedMs = performance.now();
    try {
      const answer = await callChild(child, call, options.timeoutMs);
      child.call = undefined;
      replayMeasures(answer.measures);
      if (closed) child.process.kill('SIGKILL');
      else idle.push(child);
      if (answer.error) call.reject(toAppError(answer.error));
      else call.resolve(answer.value);
    } catch (error) {
      children.delete(child);
      if (call.signal?.aborted) child.endedFor = 'handed_back';
      else if (error instanceof AppError) child.endedFor = 'timeout';
      child.process.kill('SIGKILL');
      call.reject(error as Error);
      // Starting a process takes about a second: whoever comes next is not to wait for it. Behind those that are ready.
      if (!closed && children.size < options.size) idle.unshift(spawn());
    }
    count(call, -1);
    used.add(call.context.tenantId, performance.now() - startedMs);
    pump();
  };

  // Counted in looks, not by the clock: a process that was stopped itself has heard nothing either.
  const watch = setInterval(() => {
    for (const child of children) {
      if (++child.silentTurns < silentTurnsAllowed) continue;
      options.logger.warn({ childPid: child.process.pid }, 'a child process hangs and is ended');
      child.process.kill('SIGKILL');
    }
  }, lookEveryMs);
  watch.unref();

  // A process that does not wait for its end must not leave children behind: one that computes notices nothing.
  const killAll = (): void => children.forEach((child) => child.process.kill('SIGKILL'));
  process.once('exit', killAll);

  if (options.prestart) while (children.size < options.size) idle.push(spawn());

  const stopping = (): AppError => new AppError('service_unavailable', 'The service is stopping');
  const tooMany = (): AppError =>
    new AppError('service_unavailable', 'Too many expressions of this tenant are being evaluated', {
      retryAfterSeconds: 5,
    });
  return {
    call: <T>(method: string, argument: unknown, signal?: AbortSignal) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(stopping());
        const call: Call = { method, argument, context: currentContext(), signal, resolve, reject };
        if (
          options.fair &&
          waiting.filter((other) => other.context.tenantId === call.context.tenantId).length >= options.fair.maxWaiting
        )
          return reject(tooMany());
        waiting.push(call);
        pump();
      }),
    usage: () => ({
      busy: children.size - idle.length,
      idle: idle.length,
      callsWaiting: waiting.length,
      reports: [...children].flatMap(({ report, silentTurns }) =>
        report ? { ...report, lagSeconds: Math.max(report.lagSeconds, ((silentTurns - 1) * lookEveryMs) / 1_000) } : [],
      ),
    }),
    close: () => {
      closed = true;
      for (const call of waiting.splice(0)) call.reject(stopping());
      clearInterval(watch);
      process.off('exit', killAll);
      killAll();
      return Promise.resolve();
    },
  };
}

/** Time that tenants have used, of which half is forgotten within this. */
const halfLifeMs = 30_000;
/** Tenants that are remembered; when there are more, all begin anew. */
const mostTenants = 10_000;

function recentUse(): {
  of(tenantId: string | undefined): number;
  add(tenantId: string | undefined, ms: number): void;
} {
  const uses = new Map<string | undefined, { ms: number; atMs: number }>();
  const of = (tenantId: string | undefined): number => {
    const use = uses.get(tenantId);
    return use === undefined ? 0 : use.ms * 0.5 ** ((performance.now() - use.atMs) / halfLifeMs);
  };
  return {
    of,
    add: (tenantId, ms) => {
      if (uses.size >= mostTenants) uses.clear();
      uses.set(tenantId, { ms: of(tenantId) + ms, atMs: performance.now() });
    },
  };
}

/**
 * As a rule there is a child for each core, and all of them are busy: threads that collect garbage for one of them would
 * take the time of another, and the one would wait for them.
 */
const ownThreadGc = '--single-threaded-gc';

function start({ file, heapMb, semiSpaceMb, heapGrowthPercent, logger }: ChildPoolOptions): Child {
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
  const ready = firstMessage(forked, (message: Message): message is { ready: true } => 'ready' in message);
  const up = ready.then(() => undefined);
  // A child that ends while nobody waits for it is nobody's failure.
  up.catch(() => undefined);
  const child: Child = { process: forked, ready: up, silentTurns: 0 };
  // What a dying process prints, such as the state of an exhausted heap, belongs in the log like everything else.
  forked.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => logger.warn({ ...child.call?.context, stderr: text }, 'child process'));
  forked.on('error', (error) => logger.warn({ ...child.call?.context, reason: error.message }, 'child process'));
  return child;
}

/** A call that has had less of its time than this on a processor has not been computing. */
const leastShareOfTime = 0.1;

/** Why a call has not been answered: it computes for too long, or its process, stopped or starved, does not get to it. */
function tooLong(timeoutMs: number, usedMs: number): AppError {
  return usedMs < timeoutMs * leastShareOfTime
    ? new AppError('service_unavailable', 'The process that evaluates expressions does not get to it', {
        retryAfterSeconds: 5,
      })
    : new AppError('evaluation_timeout', `The expressions took longer than ${timeoutMs} ms`);
}

/** The child's answer to one call. @throws ChildDiedError, AppError evaluation_timeout or service_unavailable, the reason of the call's signal */
async function callChild(child: Child, call: Call, timeoutMs: number | undefined): Promise<Answer> {
  await child.ready;
  const answer = firstMessage(child.process, (message: Message): message is Answer => 'measures' in message);
  const { method, argument, context, signal } = call;
  child.process.send({ method, argument, context }, (error) => {
    // The exit event says the same; a process that cannot be written to and does not end is ended here.
    if (error) child.process.kill('SIGKILL');
  });
  let timer: RunningTimeout | undefined;
  let onAbort = (): void => undefined;
  const givenUp = new Promise<never>((_, reject) => {
    if (timeoutMs !== undefined) {
      const usedMs = processorTime(child.process.pid);
      timer = runningTimeout(timeoutMs, () => reject(tooLong(timeoutMs, usedMs())));
    }
    onAbort = () => reject(signal?.reason as Error);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
  });
  // Who gives up kills the process, which settles the other promise too.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    timer?.clear();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** @throws ChildDiedError when the process ends, or could not be started, before such a message comes */
function firstMessage<M extends Message>(child: ChildProcess, wanted: (message: Message) => message is M): Promise<M> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      finish();
    };
    const onMessage = (message: Message): void => {
      if (wanted(message)) settle(() => resolve(message));
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      settle(() => reject(new ChildDiedError(code, signal)));
    const onError = (error: Error): void => settle(() => reject(error));
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    // A process that ended before this call says so no more.
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  });
}

function toAppError(error: NonNullable<Answer['error']>): AppError {
  const appError = new AppError(error.code, error.message, error.errors ? { errors: error.errors } : {});
  if (error.stack !== undefined) appError.stack = error.stack;
  return appError;
}

type Methods = Record<string, (argument: never) => Promise<unknown>>;

const reportEveryMs = 5_000;
/** A minute: longer than any step of the work keeps the event loop, and than a start takes on a machine that is busy. */
const silentTurnsAllowed = 12;

export interface ServeChildOptions {
  /** Gets what ends the process. */
  logger?: Logger;
  /** The pool of connections of this process. */
  database?: () => DatabaseUsage;
}

/** The child's side: answers calls by method name until the parent goes away. */
export function serveChild(methods: Methods, { logger, database }: ServeChildOptions = {}): void {
  const takeMeasures = collectMeasures();
  reportUsage(database);
  if (logger) {
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught exception');
      process.exit(1);
    });
  }
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group, and a service manager may signal every process; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', (message: Pick<Call, 'method' | 'argument' | 'context'>) => {
    void withContext(message.context, async () => {
      const startedMs = performance.now();
      const reply = await answer(methods, message);
      logger?.debug({ method: message.method, durationMs: Math.round(performance.now() - startedMs) }, 'call answered');
      return reply;
    }).then((reply) => tell({ ...reply, measures: takeMeasures() }));
  });
  tell({ ready: true });
}

/** Says something to the parent; one that cannot be reached is gone, and this process ends. */
function tell(message: Message): void {
  process.send?.(message, undefined, undefined, (error: Error | null) => {
    if (error) process.exit(0);
  });
}

/** Tells the parent again and again how this process is: what computes without a pause is late, and the lag says so. */
function reportUsage(database: (() => DatabaseUsage) | undefined): void {
  const lag = monitorEventLoopDelay();
  lag.enable();
  const look = (): void => {
    const report: ChildReport = {
      residentBytes: process.memoryUsage.rss(),
      lagSeconds: lag.max / 1e9,
      ...(database ? { database: database() } : {}),
    };
    lag.reset();
    tell({ report });
  };
  look();
  setInterval(look, reportEveryMs).unref();
}

function reasonOf(signal: NodeJS.Signals | null): string {
  if (signal === overdueSignal) return 'overdue';
  if (signal === outOfMemorySignal) return 'out_of_memory';
  return signal === null ? 'exit' : 'killed';
}

async function answer(methods: Methods, message: Pick<Call, 'method' | 'argument'>): Promise<Omit<Answer, 'measures'>> {
  try {
    const method = methods[message.method];
    if (!method) throw new Error(`unknown method ${message.method}`);
    return { value: await method(message.argument as never) };
  } catch (error) {
    const stack = error instanceof Error ? { stack: stackOf(error) } : {};
    if (error instanceof AppError) {
      return {
        error: {
          code: error.code,
          message: error.message,
          ...(error.errors ? { errors: [...error.errors] } : {}),
          ...stack,
        },
      };
    }
    return {
      error: {
        code: isDatabaseUnavailable(error) ? 'service_unavailable' : 'internal_error',
        message: messageOf(error),
        ...stack,
      },
    };
  }
}
