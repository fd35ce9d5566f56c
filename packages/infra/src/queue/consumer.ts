import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { ChildDiedError, outOfMemorySignal, type ChildPool } from '../child-pool';
import { AppError, messageOf } from '../errors';
import { withContext, type Logger } from '../logger';
import { createSchemaCompiler } from '../schema';
import { overdueSignal } from '../watchdog';
import type { Envelope, JobCatalog, JobName, JobPayload, JobsOf } from './catalog';
import { queueClasses, type QueueSettings } from './connection';

/** A handler for every job of a queue: a job without one does not compile. */
export type JobHandlers<C extends JobCatalog, Q extends string> = {
  [N in JobsOf<C, Q>]: (payload: JobPayload<C, N>) => Promise<void>;
};

/** What a processor needs of a BullMQ job. */
interface QueueJob {
  id?: string | undefined;
  name: string;
  data: unknown;
  moveToDelayed(timestampMs: number, token?: string): Promise<void>;
}

/** Handlers that run in child processes: the files that the pool runs serve the same names. */
export function handlersInChildren<C extends JobCatalog, Q extends string>(catalog: C, queue: Q, pool: ChildPool): JobHandlers<C, Q> {
  const names = Object.keys(catalog).filter((name) => catalog[name]?.queue === queue);
  return Object.fromEntries(names.map((name) => [name, (payload: unknown) => pool.call(name, payload)])) as JobHandlers<C, Q>;
}

/** Parses the payload, sets the log context, runs the handler. */
function createProcessor<C extends JobCatalog, Q extends string>(
  { catalog, handlers, logger, deferMs }: Pick<ConsumerOptions<C, Q>, 'catalog' | 'handlers' | 'logger' | 'deferMs'>,
): (job: QueueJob, token?: string) => Promise<void> {
  const compile = createSchemaCompiler();
  const parsers = new Map(Object.entries(catalog).map(([name, definition]) => [name, compile(definition.payload)]));
  const byName = handlers as Partial<Record<string, (payload: unknown) => Promise<void>>>;
  return async (job, token) => {
    const parser = parsers.get(job.name);
    const handler = byName[job.name];
    // Another version of this service may have written the job: leave it to a worker that knows it.
    if (!parser || !handler) throw new Error(`no handler for job ${job.name} in this version`);
    const { payload, requestId } = job.data as Envelope;
    const parsed = parser(payload);
    if (!parsed.ok) throw new UnrecoverableError(`bad payload: ${JSON.stringify(parsed.errors)}`);
    const waitMs = (await deferMs?.(payload)) ?? 0;
    if (waitMs > 0) {
      await job.moveToDelayed(Date.now() + waitMs, token);
      throw new DelayedError();
    }
    const tenantId = (payload as { tenantId?: string }).tenantId;
    await withContext(
      {
        queueJob: `${job.name} ${job.id ?? ''}`,
        ...(requestId === undefined ? {} : { requestId }),
        ...(tenantId === undefined ? {} : { tenantId }),
      },
      async () => {
        const startedMs = Date.now();
        try {
          await handler(parsed.value);
          logger.debug({ durationMs: Date.now() - startedMs }, 'job done');
        } catch (error) {
          logger.warn({ err: error, durationMs: Date.now() - startedMs }, 'job attempt failed');
          throw error instanceof Error ? error : new AppError('internal_error', messageOf(error), { cause: error });
        }
      },
    );
  };
}

export interface ConsumerOptions<C extends JobCatalog, Q extends string> {
  catalog: C;
  queue: Q;
  settings: QueueSettings;
  logger: Logger;
  /** Jobs of this process that run at the same time. */
  concurrency: number;
  handlers: JobHandlers<C, Q>;
  /** Asked before each job: above 0, the job goes back to the queue for that long, without counting as an attempt. */
  deferMs?: (payload: unknown) => Promise<number>;
  /** Called when a job is done and out of the queue: what was enqueued under its id while it ran has been dropped. A crash can lose the call. */
  onDone?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when a job has used up its attempts. It may run more than once, and a crash can lose it. */
  onExhausted?: (name: JobName<C>, payload: unknown, error: Error) => Promise<void>;
  /** Called when a watchdog has ended the child process that ran a job. The job is tried again nevertheless. */
  onOverdue?: (name: JobName<C>, payload: unknown) => Promise<void>;
  /** Called when the child process that ran a job has filled its memory, unless it was the job's first attempt. The job is tried again nevertheless. */
  onOutOfMemory?: (name: JobName<C>, payload: unknown) => Promise<void>;
}

export interface Consumer {
  /** Stops taking jobs and waits for those in hand. */
  close(): Promise<void>;
}

/**
 * A lock is renewed every 5 s and given up after 10 s without renewal: a job of a process that was
 * killed runs again within 15 s. Handlers are safe to repeat, so the allowance for stalls is generous.
 */
const lockDurationMs = 10_000;
const stalledIntervalMs = 5_000;
const maxStalledCount = 50;

export async function createConsumer<C extends JobCatalog, Q extends string>(
  options: ConsumerOptions<C, Q>,
): Promise<Consumer> {
  const { openWorker } = queueClasses(options.settings, { role: 'consumer' });
  const worker = openWorker(options.queue, createProcessor(options), {
    concurrency: options.concurrency,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    maxStalledCount,
  });
  worker.on('error', (error) => options.logger.warn({ reason: error.message, queue: options.queue }, 'worker connection'));
  worker.on('failed', (job: Job | undefined, error) => {
    if (!job) return;
    const final = job.attemptsMade >= (job.opts.attempts ?? 1) || job.finishedOn !== undefined;
    options.logger.warn({ queueJob: `${job.name} ${job.id ?? ''}`, attempt: job.attemptsMade, final, reason: error.message }, 'job failed');
    const { payload } = job.data as Envelope;
    const name = job.name as JobName<C>;
    const record = (work: Promise<void> | undefined): void => {
      work?.catch((cause: unknown) => options.logger.error({ reason: messageOf(cause) }, 'could not record a failed job'));
    };
    const signal = error instanceof ChildDiedError ? error.signal : null;
    if (signal === overdueSignal) record(options.onOverdue?.(name, payload));
    else if (signal === outOfMemorySignal && job.attemptsMade >= 2 && options.onOutOfMemory) record(options.onOutOfMemory(name, payload));
    else if (final) record(options.onExhausted?.(name, payload, error));
  });
  worker.on('completed', (job: Job) => {
    options.onDone?.(job.name as JobName<C>, (job.data as Envelope).payload).catch((error: unknown) => {
      options.logger.warn({ reason: messageOf(error) }, 'work after a job failed; a sweep repeats it');
    });
  });
  worker.on('stalled', (jobId) => options.logger.warn({ queue: options.queue, queueJobId: jobId }, 'job of a lost worker runs again'));
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}
