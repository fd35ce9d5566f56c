import { setMaxListeners } from 'node:events';
import type { Job, Worker } from 'bullmq';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { processMetrics } from '../metrics';
import { outOfMemorySignal, type ChildPool } from '../process/child-pool';
import { ChildDiedError } from '../process/child-process';
import { overdueSignal } from '../process/watchdog';
import type { Envelope, JobCatalog, JobName } from './catalog';
import { connectionLog, queueClasses, type QueueSettings } from './connection';
import { createProcessor, idsOf, sentBackReasons, type JobHandlers, type Stopping } from './processor';

/** Creates handlers that pass jobs to child processes. The file that the pool runs has handlers of the same names. */
export function handlersInChildren<C extends JobCatalog, Q extends string>(
  catalog: C,
  queue: Q,
  pool: ChildPool,
): JobHandlers<C, Q> {
  const names = Object.keys(catalog).filter((name) => catalog[name]?.queue === queue);
  return Object.fromEntries(
    names.map((name) => [name, (payload: unknown, signal?: AbortSignal) => pool.call(name, payload, signal)]),
  ) as JobHandlers<C, Q>;
}

export interface ConsumerOptions<C extends JobCatalog, Q extends string> {
  catalog: C;
  queue: Q;
  settings: QueueSettings;
  logger: Logger;
  /** The number of jobs that this process runs at the same time. */
  concurrency: number;
  handlers: JobHandlers<C, Q>;
  /** Called before each job: above 0, it goes back to the queue for that long; at 0, it runs. */
  deferMs?: (payload: unknown, name: string) => Promise<number>;
  /** Called before each job with its original priority: a larger result sends the job back with it. */
  priorityOf?: (payload: unknown, name: string, priority: number) => Promise<number>;
  /** Called when a job is done: enqueues under its id while it ran were dropped. A crash can lose the call. */
  onDone?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when a job has used up its attempts. It may run more than once, and a crash can lose the call. */
  onExhausted?: (name: JobName<C>, payload: unknown, error: Error) => Promise<void>;
  /** Called when a watchdog has ended the child process that ran a job. The job is tried again nevertheless. */
  onOverdue?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when a child has exhausted its memory, but not in the first attempt. The job is tried again. */
  onOutOfMemory?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Ends the work of the running jobs, which are handed back, when a closing consumer has waited enough. */
  interrupt?: () => Promise<void>;
}

export interface Consumer {
  /**
   * Stops taking jobs and waits for the running ones. After `graceMs` the remaining ones are interrupted and handed
   * back: another process takes them up at once, and no attempt is used up.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Locks are renewed every 5 s and expire 10 s after the last renewal: a job of a killed process runs again within 15 s.
 * Handlers are safe to repeat, so the allowance for stalls is generous.
 */
const lockDurationMs = 10_000;
const stalledIntervalMs = 5_000;
const maxStalledCount = 50;

/** Batches usually end within this time, and what follows ends well before the deadline of the shutdown. */
const closeGraceMs = 4_000;
/** Interrupted work has this long to end before its job is handed back regardless. */
const interruptionMs = 1_000;

export async function createConsumer<C extends JobCatalog, Q extends string>(
  options: ConsumerOptions<C, Q>,
): Promise<Consumer> {
  const { catalog, queue, handlers, logger, deferMs, priorityOf, concurrency, interrupt } = options;
  const { openWorker } = queueClasses(options.settings, { role: 'consumer' });
  const closing = new Closing({ interrupt, logger, queue });
  const processor = createProcessor({ catalog, queue, handlers, logger, deferMs, priorityOf, stopping: closing });
  const worker = openWorker(queue, processor, {
    concurrency,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    maxStalledCount,
  });
  observe(worker, options);
  await worker.waitUntilReady();
  return { close: (graceMs = closeGraceMs) => closing.during(() => worker.close(), graceMs) };
}

function observe<C extends JobCatalog, Q extends string>(worker: Worker, options: ConsumerOptions<C, Q>): void {
  const { catalog, queue, logger } = options;
  const logConnection = connectionLog(logger, 'worker connection');
  worker.on('error', (error) => logConnection(queue, error));
  worker.on('failed', (job: Job | undefined, error) => {
    if (job) onFailed(job, error, options);
  });
  worker.on('completed', (job: Job) => {
    options.onDone?.(job.name as JobName<C>, (job.data as Envelope).payload).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'the follow-up of a completed job failed; a sweep repeats it');
    });
  });
  worker.on('stalled', (jobId) => {
    processMetrics.add('tieout_queue_jobs_stalled_total', { queue });
    logger.warn({ queue, queueJobId: jobId }, 'job of a lost worker runs again');
  });
  for (const [name, definition] of Object.entries(catalog))
    if (definition.queue === queue) processMetrics.add('tieout_queue_jobs_failed_total', { queue, queue_job: name }, 0);
  processMetrics.add('tieout_queue_jobs_stalled_total', { queue }, 0);
  for (const reason of sentBackReasons) processMetrics.add('tieout_queue_jobs_sent_back_total', { queue, reason }, 0);
}

function onFailed<C extends JobCatalog, Q extends string>(
  job: Job,
  error: Error,
  options: ConsumerOptions<C, Q>,
): void {
  const { catalog, queue, logger } = options;
  const attempts = job.opts.attempts ?? 1;
  const isOver = job.attemptsMade >= attempts || job.finishedOn !== undefined;
  // A job that was enqueued for one attempt of several is enqueued again by its caller: it needs no attention from
  // on-call.
  const isOnce = job.opts.removeOnFail === true && attempts < (catalog[job.name]?.attempts ?? 1);
  const final = isOver && !isOnce;
  const { payload } = (job.data ?? {}) as Envelope;
  const ids = { queueJob: `${job.name} ${job.id ?? ''}`, ...idsOf(payload) };
  logger.warn({ ...ids, attempt: job.attemptsMade, final, reason: messageOf(error) }, 'job failed');
  // A job of an unknown name has no row that could record its end.
  if (!Object.hasOwn(catalog, job.name)) return;
  const name = job.name as JobName<C>;
  if (final) processMetrics.add('tieout_queue_jobs_failed_total', { queue, queue_job: name });
  const record = (work: Promise<void> | undefined): void => {
    work?.catch((cause: unknown) => logger.error({ reason: messageOf(cause) }, 'could not record a failed job'));
  };
  const signal = error instanceof ChildDiedError ? error.signal : null;
  if (signal === overdueSignal) record(options.onOverdue?.(name, payload));
  else if (signal === outOfMemorySignal && job.attemptsMade >= 2 && options.onOutOfMemory)
    record(options.onOutOfMemory(name, payload));
  else if (final) record(options.onExhausted?.(name, payload, error));
}

interface ClosingOptions {
  interrupt: (() => Promise<void>) | undefined;
  logger: Logger;
  queue: string;
}

/** The end of a consumer: a grace period, then the interruption of the running jobs. */
class Closing implements Stopping {
  private hasBegun = false;
  private isInterrupting = false;
  private readonly abandon = new AbortController();
  readonly abandoned = this.abandon.signal;

  constructor(private readonly options: ClosingOptions) {
    // Every running job listens.
    setMaxListeners(0, this.abandoned);
  }

  readonly begun = (): boolean => this.hasBegun;
  readonly interrupting = (): boolean => this.isInterrupting;

  /** Closes the consumer, and interrupts the running jobs when that takes longer than the grace period. */
  async during(close: () => Promise<void>, graceMs: number): Promise<void> {
    this.hasBegun = true;
    let timer = setTimeout(() => {
      this.interruptJobs();
      timer = setTimeout(() => this.abandon.abort(), interruptionMs);
    }, graceMs);
    try {
      await close();
    } finally {
      clearTimeout(timer);
    }
  }

  private interruptJobs(): void {
    const { interrupt, logger, queue } = this.options;
    this.isInterrupting = true;
    interrupt?.().catch((error: unknown) =>
      logger.warn({ queue, reason: messageOf(error) }, 'running jobs could not be interrupted'),
    );
  }
}
