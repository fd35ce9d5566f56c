import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { isDatabaseUnavailable } from '../db';
import { deferralMs, PreemptedError } from '../fairness/fair-slots';
import { createSchemaCompiler, type Parser } from '../json/schema';
import { AppError, messageOf } from '../kernel/errors';
import { withContext, type Logger, type WorkContext } from '../kernel/logger';
import { processMetrics } from '../metrics';
import { maxPriority, type Envelope, type JobCatalog, type JobPayload, type JobsOf } from './catalog';

/**
 * A handler for every job of a queue: a job without one does not compile. Once the signal is aborted, the work may be
 * ended at any point and is repeated.
 */
export type JobHandlers<C extends JobCatalog, Q extends string> = {
  [N in JobsOf<C, Q>]: (payload: JobPayload<C, N>, signal?: AbortSignal) => Promise<void>;
};

/** The parts of a BullMQ job that a processor uses. */
interface QueueJob {
  id?: string | undefined;
  name: string;
  data: unknown;
  /** The time at which it was created. */
  timestamp: number;
  /** 0 without one. */
  priority: number;
  /** The options with which it was enqueued. */
  opts: { priority?: number | undefined };
  /** The number of times it was started, whatever the result. */
  attemptsStarted: number;
  moveToDelayed(timestampMs: number, token?: string): Promise<void>;
  moveToWait(token?: string): Promise<number>;
  changePriority(to: { priority: number }): Promise<void>;
}

interface ProcessorOptions<C extends JobCatalog, Q extends string> {
  catalog: C;
  queue: string;
  handlers: JobHandlers<C, Q>;
  logger: Logger;
  deferMs?: ((payload: unknown, name: string) => Promise<number>) | undefined;
  priorityOf?: ((payload: unknown, name: string, priority: number) => Promise<number>) | undefined;
  stopping: Stopping;
}

/** The state of a consumer that is closing. */
export interface Stopping {
  /** True when no job may start any more. */
  begun(): boolean;
  /** True when the running jobs are being interrupted: an error that one throws is then no failure. */
  interrupting(): boolean;
  /** Aborted when the running jobs are handed back, whether or not they have ended. */
  abandoned: AbortSignal;
}

/** The reasons for which a worker puts back a job that it has not started. */
export const sentBackReasons = ['turn', 'place', 'version'] as const;
type SentBackReason = (typeof sentBackReasons)[number];

const minDelayMs = 250;
const maxDelayMs = 15_000;

/** An unreadable job is delayed this often before it is also passed on. */
const delaysBeforePassing = 3;
/** A slot that has passed on a job takes no other one for this time. */
const passMs = 20;
/** A job is passed on in all but one of this number of attempts: each time one slot less can take it again. */
const passesInARow = 4;

const isPassedOn = (attemptsStarted: number): boolean =>
  attemptsStarted > delaysBeforePassing && attemptsStarted % passesInARow !== 0;

/**
 * Returns the delay of a job that this version cannot read, by the number of times it was started. Only delays make it
 * grow, not passing on: while ten processes of the old version share a queue with one of the new version, the new one
 * gets the job within about 15 s.
 */
export function unreadableDelayMs(attemptsStarted: number): number {
  const delays =
    attemptsStarted <= delaysBeforePassing
      ? Math.max(attemptsStarted, 1)
      : delaysBeforePassing + Math.floor(attemptsStarted / passesInARow);
  return Math.min(minDelayMs * delays, maxDelayMs);
}

const maxOutageWaitMs = 5_000;

/** Gives the delay of a job that found the database unavailable: the work resumes within this time after its return. */
const outageWaitMs = (attemptsStarted: number): number =>
  Math.min(minDelayMs * Math.max(attemptsStarted, 1), maxOutageWaitMs);

/** True for an outage that the job met itself or in a child process. */
const isOutageError = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof AppError && error.code === 'service_unavailable');

/** Longer than a roll-out takes: a job that no process can read then is a fault that on-call must see. */
const maxUnreadableMs = 60 * 60_000;

const labelOf = (job: QueueJob): string => `${job.name} ${job.id ?? ''}`;

/**
 * Creates the function that runs a queue's jobs: it parses the payload, sets the log context and calls the handler.
 * Five outcomes are not failures and use up no attempt. A job of another version is delayed. So is a job that finds the
 * database unavailable, however long that lasts, and one that is preempted for another tenant. A job that gets another
 * priority returns to the queue with it. A job that the end of this process interrupts returns at once, before the
 * waiting jobs.
 */
export function createProcessor<C extends JobCatalog, Q extends string>(
  options: ProcessorOptions<C, Q>,
): (job: QueueJob, token?: string) => Promise<void> {
  const compile = createSchemaCompiler();
  const parsers = new Map(
    Object.entries(options.catalog).map(([name, definition]) => [name, compile(definition.payload)]),
  );
  return (job, token) => new JobRun(options, job, token).run(parsers.get(job.name));
}

type Outcome = 'done' | 'failed' | 'handed_back';
type Handler = (payload: unknown) => Promise<void>;

/** One taking of a job by a worker. */
class JobRun {
  constructor(
    private readonly options: ProcessorOptions<JobCatalog, string>,
    private readonly job: QueueJob,
    private readonly token: string | undefined,
  ) {}

  async run(parser: Parser<unknown> | undefined): Promise<void> {
    const { job } = this;
    if (this.options.stopping.begun()) return this.handBack();
    const handlers = this.options.handlers as Partial<Record<string, Handler>>;
    const handler = Object.hasOwn(handlers, job.name) ? handlers[job.name] : undefined;
    if (!parser || !handler) return this.refuse(`no process knows jobs of the name ${job.name}`);
    const { payload, requestId } = (job.data ?? {}) as Envelope;
    const parsed = parser(payload);
    if (!parsed.ok) return this.refuse(`bad payload: ${JSON.stringify(parsed.errors)}`);
    const context = { queueJob: labelOf(job), ...idsOf(payload), ...(requestId === undefined ? {} : { requestId }) };
    await withContext(context, async () => {
      await this.putBackUnlessDue(payload);
      await this.work(() => handler(parsed.value));
    });
  }

  private async work(run: () => Promise<void>): Promise<void> {
    const { stopping, logger } = this.options;
    const startedMs = performance.now();
    let isDone = false;
    try {
      isDone = await doneUnlessAborted(stopping.abandoned, run());
    } catch (error) {
      if (error instanceof PreemptedError && !stopping.interrupting()) {
        const fields = { reason: error.message, ...this.observe('handed_back', startedMs) };
        logger.info(fields, 'job handed back');
        return this.delay(deferralMs);
      }
      if (this.isOutage(error)) {
        this.observe('failed', startedMs);
        return this.waitForDatabase(error);
      }
      if (!stopping.interrupting()) {
        logger.warn({ err: error, ...this.observe('failed', startedMs) }, 'job attempt failed');
        throw error instanceof Error ? error : new AppError('internal_error', messageOf(error), { cause: error });
      }
    }
    if (!isDone) {
      this.observe('handed_back', startedMs);
      return this.handBack();
    }
    logger.debug(this.observe('done', startedMs), 'job done');
  }

  private observe(outcome: Outcome, startedMs: number): { durationMs: number } {
    const durationMs = performance.now() - startedMs;
    const labels = { queue: this.options.queue, queue_job: this.job.name, outcome };
    processMetrics.observe('tieout_queue_job_duration_seconds', labels, durationMs / 1000);
    return { durationMs: Math.round(durationMs) };
  }

  /** Sends the job back when it gets another priority or has to wait, or when the database is unavailable. */
  private async putBackUnlessDue(payload: unknown): Promise<void> {
    let priority: number | undefined;
    let waitMs = 0;
    try {
      priority = await this.newPriority(payload);
      if (priority === undefined) waitMs = (await this.options.deferMs?.(payload, this.job.name)) ?? 0;
    } catch (error) {
      if (this.options.stopping.interrupting()) return this.handBack();
      if (this.isOutage(error)) return this.waitForDatabase(error);
      throw error;
    }
    if (priority !== undefined) {
      this.countSentBack('place');
      await this.job.changePriority({ priority });
      return this.backToWait();
    }
    if (waitMs === 0) return;
    this.countSentBack('turn');
    return this.delay(waitMs);
  }

  /** Gives a larger priority for a job that still has its original one: a job is moved at most once. */
  private async newPriority(payload: unknown): Promise<number | undefined> {
    const { priorityOf } = this.options;
    const current = Number(this.job.priority);
    if (!priorityOf || current === 0 || current !== this.job.opts.priority) return undefined;
    const priority = Math.min(await priorityOf(payload, this.job.name, current), maxPriority);
    return priority > current ? priority : undefined;
  }

  /** Leaves an unreadable job to others, and lets it fail once it has found no reader for long. */
  private refuse(reason: string): Promise<never> {
    if (Date.now() - this.job.timestamp < maxUnreadableMs) return this.leave(reason);
    return Promise.reject(new UnrecoverableError(reason));
  }

  /**
   * Leaves a job to a process of another version. The delay is random: processes that wake each other in lockstep would
   * hand the job to the same one for ever. Among workers that a delayed job wakes, Redis also picks the same one each
   * time; a job that is passed on goes to the worker that has waited longest.
   */
  private leave(reason: string): Promise<never> {
    const { job } = this;
    this.countSentBack('version');
    if (isPassedOn(job.attemptsStarted)) return this.backToWait(() => sleep(passMs));
    const delayMs = Math.round(unreadableDelayMs(job.attemptsStarted) * (0.75 + Math.random() / 2));
    const fields = { queueJob: labelOf(job), reason, delayMs };
    this.options.logger.warn(fields, 'job of another version: left to a process that can read it');
    return this.delay(delayMs);
  }

  private handBack(): Promise<never> {
    const log = (): void => this.options.logger.info({ queueJob: labelOf(this.job) }, 'job handed back');
    return this.backToWait(log);
  }

  private isOutage(error: unknown): boolean {
    const { stopping, catalog } = this.options;
    return !stopping.interrupting() && (catalog[this.job.name]?.attempts ?? 1) > 1 && isOutageError(error);
  }

  private waitForDatabase(error: unknown): Promise<never> {
    this.options.logger.warn({ reason: messageOf(error) }, 'the database is away: the job waits for it');
    return this.delay(outageWaitMs(this.job.attemptsStarted));
  }

  private async delay(ms: number): Promise<never> {
    await this.job.moveToDelayed(Date.now() + ms, this.token);
    throw new DelayedError();
  }

  /** @param beforeNext runs before the slot takes another job */
  private async backToWait(beforeNext?: () => unknown): Promise<never> {
    await this.job.moveToWait(this.token);
    await beforeNext?.();
    throw new WaitingError();
  }

  private countSentBack(reason: SentBackReason): void {
    processMetrics.add('tieout_queue_jobs_sent_back_total', { queue: this.options.queue, reason });
  }
}

/** Extracts the ids in a payload, such as tenantId and jobId. */
export function idsOf(payload: unknown): WorkContext {
  return Object.fromEntries(
    Object.entries(payload ?? {}).filter(([key, value]) => key.endsWith('Id') && typeof value === 'string'),
  );
}

/** Resolves with true when the work is done, with false when the signal is aborted first. */
function doneUnlessAborted(signal: AbortSignal, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(() => resolve(true), reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
