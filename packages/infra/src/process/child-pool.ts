import { FairQueue } from '../fairness/fair-queue';
import { AppError } from '../kernel/errors';
import { currentContext, withoutContext } from '../kernel/logger';
import { processMetrics, replayMeasures } from '../metrics';
import { callChild, startChild, type Child, type ChildProcessOptions, type PendingCall } from './child-process';
import { reportEveryMs, type ChildAnswer, type ChildMessage, type ChildReport } from './child-protocol';
import { overdueSignal } from './watchdog';

export interface ChildPoolOptions extends ChildProcessOptions {
  size: number;
  /**
   * Limits a call, counted from when its process is ready: the call fails with `evaluation_timeout`, or with
   * `service_unavailable` when its process has hardly run, and the process is replaced. Default: no limit.
   */
  timeoutMs?: number;
  /**
   * Schedules calls fairly between tenants: a tenant runs in all children but one (of two or more), the tenant that has
   * used the least time lately is served first, and a tenant's calls beyond `maxWaiting` are refused. Default: first
   * come, first served.
   */
  fair?: { maxWaiting: number };
  /** The interval at which children are checked: one that has not reported for twelve checks is ended. */
  checkEveryMs?: number;
  /** Starts all children at once instead of each with its first call. */
  prestart?: boolean;
}

export interface ChildPool {
  /**
   * Runs one call in a child process, which is ended when the signal is aborted.
   * @throws ChildDiedError; AppError from the child, `evaluation_timeout` or `service_unavailable`; the reason of the
   * signal
   */
  call<T>(method: string, argument: unknown, signal?: AbortSignal): Promise<T>;
  usage(): ChildUsage;
  /** Ends all children at once; running calls fail. */
  close(): Promise<void>;
}

export interface ChildUsage {
  busy: number;
  idle: number;
  callsWaiting: number;
  reports: readonly ChildReport[];
}

/** The signal by which V8 ends a process whose heap is full. */
export const outOfMemorySignal = 'SIGABRT';

/** Amounts to a minute: longer than a step of the work blocks the event loop or a start takes. */
const maxSilentChecks = 12;

/**
 * Creates a pool of processes for work whose cost a tenant's text decides (expressions): it can neither block nor
 * exhaust the process that serves HTTP or renews the locks of queue jobs. Each child runs one call at a time and is
 * replaced when it dies or takes too long.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  return new Pool(options);
}

class Pool implements ChildPool {
  private readonly waiting: FairQueue<PendingCall>;
  private readonly idle: Child[] = [];
  private readonly children = new Set<Child>();
  private readonly checkEveryMs: number;
  private readonly checks: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly options: ChildPoolOptions) {
    const { size, fair, checkEveryMs = reportEveryMs, prestart } = options;
    this.waiting = fair
      ? new FairQueue(({ context }) => context.tenantId, Math.max(1, size - 1))
      : new FairQueue(() => undefined, Infinity);
    this.checkEveryMs = checkEveryMs;
    this.checks = setInterval(() => this.endHungChildren(), checkEveryMs).unref();
    process.once('exit', this.killAll);
    if (prestart) while (this.children.size < size) this.idle.push(this.spawn());
  }

  call<T>(method: string, argument: unknown, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) return reject(stopping());
      const call: PendingCall = { method, argument, context: currentContext(), signal, resolve, reject };
      const { fair } = this.options;
      if (fair && this.waiting.countWaiting(call) >= fair.maxWaiting) return reject(tooManyWaiting());
      this.waiting.push(call);
      this.runWaiting();
    });
  }

  usage(): ChildUsage {
    return {
      busy: this.children.size - this.idle.length,
      idle: this.idle.length,
      callsWaiting: this.waiting.size,
      reports: [...this.children].flatMap(({ report, silentChecks }) => {
        // A child whose event loop is blocked sends no report: its lag is at least the time since the last one.
        const silentSeconds = ((silentChecks - 1) * this.checkEveryMs) / 1_000;
        return report ? { ...report, lagSeconds: Math.max(report.lagSeconds, silentSeconds) } : [];
      }),
    };
  }

  close(): Promise<void> {
    this.closed = true;
    for (const call of this.waiting.drain()) call.reject(stopping());
    clearInterval(this.checks);
    process.off('exit', this.killAll);
    this.killAll();
    return Promise.resolve();
  }

  private spawn(): Child {
    const child = withoutContext(() => startChild(this.options));
    this.children.add(child);
    child.process.on('message', (message: ChildMessage) => {
      if (!('report' in message)) return;
      child.report = message.report;
      child.silentChecks = 0;
    });
    child.process.once('exit', (_code, signal) => this.recordEnd(child, signal));
    const onGone = (): void => this.forget(child);
    child.process.on('exit', onGone).on('error', onGone);
    return child;
  }

  private recordEnd({ call, endedFor }: Child, signal: NodeJS.Signals | null): void {
    if (this.closed) return;
    const reason = endedFor ?? reasonOf(signal);
    processMetrics.add('tieout_child_ends_total', { reason });
    if (!call || endedFor) return;
    const fields = { ...call.context, method: call.method, reason };
    this.options.logger.warn(fields, 'a child process ended before it had answered');
  }

  private forget(child: Child): void {
    if (!this.children.delete(child)) return;
    const position = this.idle.indexOf(child);
    if (position >= 0) this.idle.splice(position, 1);
    // A call may have waited for the free slot.
    this.runWaiting();
  }

  private runWaiting(): void {
    while (!this.closed && (this.idle.length > 0 || this.children.size < this.options.size)) {
      const call = this.waiting.take();
      if (!call) return;
      void this.run(this.idle.pop() ?? this.spawn(), call);
    }
  }

  private async run(child: Child, call: PendingCall): Promise<void> {
    child.call = call;
    const startedMs = performance.now();
    try {
      const answer = await callChild(child, call, this.options.timeoutMs);
      child.call = undefined;
      replayMeasures(answer.measures);
      if (this.closed) child.process.kill('SIGKILL');
      else this.idle.push(child);
      if (answer.error) call.reject(toAppError(answer.error));
      else call.resolve(answer.value);
    } catch (error) {
      this.children.delete(child);
      if (call.signal?.aborted) child.endedFor = 'handed_back';
      else if (error instanceof AppError) child.endedFor = 'timeout';
      child.process.kill('SIGKILL');
      call.reject(error as Error);
      // Starting a process takes about a second, which the next call need not wait for. Children that are ready are
      // used first.
      if (!this.closed && this.children.size < this.options.size) this.idle.unshift(this.spawn());
    }
    this.waiting.release(call, performance.now() - startedMs);
    this.runWaiting();
  }

  /** Counts checks, not time: while this process is stopped it receives no report either. */
  private endHungChildren(): void {
    for (const child of this.children) {
      if (++child.silentChecks < maxSilentChecks) continue;
      this.options.logger.warn({ childPid: child.process.pid }, 'a child process hangs and is ended');
      child.process.kill('SIGKILL');
    }
  }

  /** Runs at the exit of this process too: a child that computes does not notice that its parent is gone. */
  private readonly killAll = (): void => this.children.forEach((child) => child.process.kill('SIGKILL'));
}

const stopping = (): AppError => new AppError('service_unavailable', 'The service is stopping');

const tooManyWaiting = (): AppError =>
  new AppError('service_unavailable', 'Too many expressions of this tenant are being evaluated', {
    retryAfterSeconds: 5,
  });

function reasonOf(signal: NodeJS.Signals | null): string {
  if (signal === overdueSignal) return 'overdue';
  if (signal === outOfMemorySignal) return 'out_of_memory';
  return signal === null ? 'exit' : 'killed';
}

function toAppError({ code, message, errors, stack }: NonNullable<ChildAnswer['error']>): AppError {
  const error = new AppError(code, message, errors ? { errors } : {});
  if (stack !== undefined) error.stack = stack;
  return error;
}
