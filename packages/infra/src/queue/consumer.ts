import { setMaxListeners } from 'node:events';
import type { Job } from 'bullmq';
import { ChildDiedError, outOfMemorySignal, type ChildPool } from '../process/child-pool';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { processMetrics } from '../metrics';
import { overdueSignal } from '../process/watchdog';
import type { Envelope, JobCatalog, JobName } from './catalog';
import { queueClasses, type QueueSettings } from './connection';
import { connectionLog } from './connection-log';
import { createProcessor, idsOf, sentBackReasons, type JobHandlers, type Stopping } from './processor';

/** Handlers that run in child processes: the files that the pool runs serve the same names. */
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
  /** Jobs of this process that run at the same time. */
  concurrency: number;
  handlers: JobHandlers<C, Q>;
  /** Asked before each job: above 0, the job goes back to the queue for that long, without counting as an attempt; at 0 its handler is called. */
  deferMs?: (payload: unknown, name: string) => Promise<number>;
  /** Asked before each job that has a priority, until it has said otherwise of it: the job goes back to the queue with a priority that is behind the one it came with. */
  priorityOf?: (payload: unknown, name: string, priority: number) => Promise<number>;
  /** Called when a job is done and out of the queue: what was enqueued under its id while it ran has been dropped. A crash can lose the call. */
  onDone?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when a job has used up its attempts. It may run more than once, and a crash can lose it. */
  onExhausted?: (name: JobName<C>, payload: unknown, error: Error) => Promise<void>;
  /** Called when a watchdog has ended the child process that ran a job. The job is tried again nevertheless. */
  onOverdue?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when the child process that ran a job has filled its memory, unless it was the job's first attempt. The job is tried again nevertheless. */
  onOutOfMemory?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Ends the work of the jobs in hand, which are handed back then. Called when a consumer that closes has waited long enough for them. */
  interrupt?: () => Promise<void>;
}

export interface Consumer {
  /**
   * Stops taking jobs and waits for those in hand. What is not done after `graceMs` is interrupted and handed back: another
   * process takes it up at once, and no attempt of it is used up.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * A lock is renewed every 5 s and given up after 10 s without renewal: a job of a process that was
 * killed runs again within 15 s. Handlers are safe to repeat, so the allowance for stalls is generous.
 */
const lockDurationMs = 10_000;
const stalledIntervalMs = 5_000;
const maxStalledCount = 50;

/** A batch ends within it as a rule. With what follows it is over well before a shutdown is. */
const closeGraceMs = 4_000;
/** Work that was interrupted has this long to end; then its job is handed back as it is. */
const interruptionMs = 1_000;

export async function createConsumer<C extends JobCatalog, Q extends string>(
  options: ConsumerOptions<C, Q>,
): Promise<Consumer> {
  const { openWorker } = queueClasses(options.settings, { role: 'consumer' });
  const end = createEnd(options);
  const { catalog, handlers, logger, deferMs, priorityOf } = options;
  const worker = openWorker(
    options.queue,
    createProcessor({ catalog, queue: options.queue, handlers, logger, deferMs, priorityOf, stopping: end }),
    {
      concurrency: options.concurrency,
      lockDuration: lockDurationMs,
      stalledInterval: stalledIntervalMs,
      maxStalledCount,
    },
  );
  const tellFailure = connectionLog(logger, 'worker connection');
  worker.on('error', (error) => tellFailure(options.queue, error));
  worker.on('failed', (job: Job | undefined, error) => {
    if (!job) return;
    const isOver = job.attemptsMade >= (job.opts.attempts ?? 1) || job.finishedOn !== undefined;
    // Whoever has enqueued it for one attempt of several enqueues it again: it is not on-call that is asked for.
    const isOnce =
      job.opts.removeOnFail === true && (job.opts.attempts ?? 1) < (options.catalog[job.name]?.attempts ?? 1);
    const final = isOver && !isOnce;
    const { payload } = (job.data ?? {}) as Envelope;
    const ids = { queueJob: `${job.name} ${job.id ?? ''}`, ...idsOf(payload) };
    options.logger.warn({ ...ids, attempt: job.attemptsMade, final, reason: messageOf(error) }, 'job failed');
    const name = job.name as JobName<C>;
    if (final && name in options.catalog)
      processMetrics.add('tieout_queue_jobs_failed_total', { queue: options.queue, queue_job: name });
    const record = (work: Promise<void> | undefined): void => {
      work?.catch((cause: unknown) =>
        options.logger.error({ reason: messageOf(cause) }, 'could not record a failed job'),
      );
    };
    const signal = error instanceof ChildDiedError ? error.signal : null;
    if (signal === overdueSignal) record(options.onOverdue?.(name, payload));
    else if (signal === outOfMemorySignal && job.attemptsMade >= 2 && options.onOutOfMemory)
      record(options.onOutOfMemory(name, payload));
    else if (final) record(options.onExhausted?.(name, payload, error));
  });
  worker.on('completed', (job: Job) => {
    options.onDone?.(job.name as JobName<C>, (job.data as Envelope).payload).catch((error: unknown) => {
      options.logger.warn({ reason: messageOf(error) }, 'work after a job failed; a sweep repeats it');
    });
  });
  worker.on('stalled', (jobId) => {
    processMetrics.add('tieout_queue_jobs_stalled_total', { queue: options.queue });
    options.logger.warn({ queue: options.queue, queueJobId: jobId }, 'job of a lost worker runs again');
  });
  for (const [name, { queue }] of Object.entries(options.catalog))
    if (queue === options.queue) processMetrics.add('tieout_queue_jobs_failed_total', { queue, queue_job: name }, 0);
  processMetrics.add('tieout_queue_jobs_stalled_total', { queue: options.queue }, 0);
  for (const reason of sentBackReasons)
    processMetrics.add('tieout_queue_jobs_sent_back_total', { queue: options.queue, reason }, 0);
  await worker.waitUntilReady();
  return { close: (graceMs = closeGraceMs) => end.during(() => worker.close(), graceMs) };
}

interface End extends Stopping {
  /** Runs what closes the consumer, and interrupts the jobs in hand when it takes longer than the grace. */
  during(close: () => Promise<void>, graceMs: number): Promise<void>;
}

function createEnd({
  interrupt,
  logger,
  queue,
}: Pick<ConsumerOptions<JobCatalog, string>, 'interrupt' | 'logger' | 'queue'>): End {
  let begun = false;
  let interrupting = false;
  const giveUp = new AbortController();
  // Each job in hand listens.
  setMaxListeners(0, giveUp.signal);
  const interruptJobs = (): void => {
    interrupting = true;
    timer = setTimeout(() => giveUp.abort(), interruptionMs);
    interrupt?.().catch((error: unknown) =>
      logger.warn({ queue, reason: messageOf(error) }, 'jobs in hand could not be interrupted'),
    );
  };
  let timer: NodeJS.Timeout;
  return {
    begun: () => begun,
    interrupting: () => interrupting,
    givenUp: giveUp.signal,
    during: async (close, graceMs) => {
      begun = true;
      timer = setTimeout(interruptJobs, graceMs);
      try {
        await close();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
