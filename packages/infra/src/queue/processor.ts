import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { isDatabaseUnavailable } from '../db/unavailable';
import { AppError, messageOf } from '../kernel/errors';
import { withContext, type Logger, type WorkContext } from '../kernel/logger';
import { processMetrics } from '../metrics';
import { createSchemaCompiler } from '../json/schema';
import { deferralMs, PreemptedError } from '../fairness/fair-slots';
import type { Envelope, JobCatalog, JobPayload, JobsOf } from './catalog';
import { lowestPriority } from './priority';

/** A handler for every job of a queue: a job without one does not compile. Once the signal is aborted its work may be ended, and is repeated. */
export type JobHandlers<C extends JobCatalog, Q extends string> = {
  [N in JobsOf<C, Q>]: (payload: JobPayload<C, N>, signal?: AbortSignal) => Promise<void>;
};

/** What a processor needs of a BullMQ job. */
interface QueueJob {
  id?: string | undefined;
  name: string;
  data: unknown;
  /** When it was made. */
  timestamp: number;
  /** 0 without one. */
  priority: number;
  /** As it was enqueued. */
  opts: { priority?: number | undefined };
  /** How often it was taken up, whatever came of it. */
  attemptsStarted: number;
  moveToDelayed(timestampMs: number, token?: string): Promise<void>;
  moveToWait(token?: string): Promise<number>;
  changePriority(to: { priority: number }): Promise<void>;
}

export interface ProcessorOptions<C extends JobCatalog, Q extends string> {
  catalog: C;
  queue: string;
  handlers: JobHandlers<C, Q>;
  logger: Logger;
  deferMs?: ((payload: unknown, name: string) => Promise<number>) | undefined;
  priorityOf?: ((payload: unknown, name: string, priority: number) => Promise<number>) | undefined;
  stopping: Stopping;
}

/** The end of a consumer, as those who run jobs see it. */
export interface Stopping {
  /** No job may begin any more. */
  begun(): boolean;
  /** What a job in hand throws from now on comes of the end: it has not failed. */
  interrupting(): boolean;
  /** Aborted when jobs in hand are given up, whether or not they have ended. */
  givenUp: AbortSignal;
}

/** Why a worker puts back a job that it has not begun. */
export const sentBackReasons = ['turn', 'place', 'version'] as const;
type SentBack = (typeof sentBackReasons)[number];

const firstLeaveMs = 250;
const longestLeaveMs = 15_000;

/** So often a job is delayed before it is also passed on, and so long a slot that has passed one on takes no other. */
const leavesBeforePassing = 3;
const passMs = 20;
/** It is passed on so often in a row, but once: each time one slot less of this process is there to take it again. */
const passesInARow = 4;

const isPassedOn = (attemptsStarted: number): boolean =>
  attemptsStarted > leavesBeforePassing && attemptsStarted % passesInARow !== 0;

/**
 * How long a job is left alone that this version cannot read, when it was taken up so often. It grows slowly, by the times that it was left alone and
 * not by those that it was passed on: while ten processes of the old version share a queue with one of the new, that one gets the job within about
 * fifteen seconds.
 */
export function leaveMs(attemptsStarted: number): number {
  const leaves =
    attemptsStarted <= leavesBeforePassing
      ? Math.max(attemptsStarted, 1)
      : leavesBeforePassing + Math.floor(attemptsStarted / passesInARow);
  return Math.min(firstLeaveMs * leaves, longestLeaveMs);
}

const longestOutageWaitMs = 5_000;

/** How long a job waits that found the database away: so long after it is back, work goes on. */
const outageWaitMs = (attemptsStarted: number): number =>
  Math.min(firstLeaveMs * Math.max(attemptsStarted, 1), longestOutageWaitMs);

/** What a job found, itself or in a child process, that is no fault of its own. */
const foundDatabaseAway = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof AppError && error.code === 'service_unavailable');

/** Longer than a roll-out takes: a payload that still nobody can read by then is a fault that on-call has to see. */
const unreadableForMs = 60 * 60_000;

/**
 * Parses the payload, sets the log context, runs the handler. Five things are no failures and use up no attempt: a job that
 * another version of this service has written goes back for a while, one that finds the database away does so too, however
 * long that lasts, as does one whose slot another tenant waits for, one that is given another place goes back to that, and one that the end of this process interrupts goes back at once,
 * in front of those that wait.
 */
export function createProcessor<C extends JobCatalog, Q extends string>(
  options: ProcessorOptions<C, Q>,
): (job: QueueJob, token?: string) => Promise<void> {
  const { catalog, queue, handlers, logger, deferMs, priorityOf, stopping } = options;
  const compile = createSchemaCompiler();
  const parsers = new Map(Object.entries(catalog).map(([name, definition]) => [name, compile(definition.payload)]));
  const byName = handlers as Partial<Record<string, (payload: unknown) => Promise<void>>>;

  const sentBack = (reason: SentBack): void =>
    processMetrics.add('tieout_queue_jobs_sent_back_total', { queue, reason });

  const delay = async (job: QueueJob, ms: number, token?: string): Promise<never> => {
    await job.moveToDelayed(Date.now() + ms, token);
    throw new DelayedError();
  };

  /** @param then what is done before its slot takes another job */
  const backToWait = async (job: QueueJob, token?: string, then?: () => unknown): Promise<never> => {
    await job.moveToWait(token);
    await then?.();
    throw new WaitingError();
  };

  /**
   * Not in step with others: processes that wake each other in turn would hand the same job to the same one for ever. Of those whom a job
   * that was delayed wakes at one moment, Redis also serves the same one each time, but a job that is passed on goes to who has waited longest.
   */
  const leave = (job: QueueJob, reason: string, token?: string): Promise<never> => {
    sentBack('version');
    if (isPassedOn(job.attemptsStarted)) return backToWait(job, token, () => sleep(passMs));
    const ms = Math.round(leaveMs(job.attemptsStarted) * (0.75 + Math.random() / 2));
    logger.warn(
      { queueJob: `${job.name} ${job.id ?? ''}`, reason, delayMs: ms },
      'job of another version: left to a process that can read it',
    );
    return delay(job, ms, token);
  };

  const handBack = (job: QueueJob, token?: string): Promise<never> =>
    backToWait(job, token, () => logger.info({ queueJob: `${job.name} ${job.id ?? ''}` }, 'job handed back'));

  /** Once: the number that a job has got here it keeps. */
  const newPlace = async (job: QueueJob, payload: unknown): Promise<number | undefined> => {
    const priority = Number(job.priority);
    if (!priorityOf || priority === 0 || priority !== job.opts.priority) return undefined;
    const place = Math.min(await priorityOf(payload, job.name, priority), lowestPriority);
    return place > priority ? place : undefined;
  };

  const moveBack = async (job: QueueJob, priority: number, token?: string): Promise<never> => {
    sentBack('place');
    await job.changePriority({ priority });
    return backToWait(job, token);
  };

  const isOutage = (job: QueueJob, error: unknown): boolean =>
    !stopping.interrupting() && (catalog[job.name]?.attempts ?? 1) > 1 && foundDatabaseAway(error);

  const waitForDatabase = (job: QueueJob, error: unknown, token?: string): Promise<never> => {
    logger.warn({ reason: messageOf(error) }, 'the database is away: the job waits for it');
    return delay(job, outageWaitMs(job.attemptsStarted), token);
  };

  /** Whose turn it is the rows tell: a job that has not begun may find the database away as well. */
  const putBackUnlessDue = async (job: QueueJob, payload: unknown, token?: string): Promise<void> => {
    let place: number | undefined;
    let waitMs = 0;
    try {
      place = await newPlace(job, payload);
      if (place === undefined) waitMs = (await deferMs?.(payload, job.name)) ?? 0;
    } catch (error) {
      if (stopping.interrupting()) return handBack(job, token);
      if (isOutage(job, error)) return waitForDatabase(job, error, token);
      throw error;
    }
    if (place !== undefined) return moveBack(job, place, token);
    if (waitMs === 0) return;
    sentBack('turn');
    return delay(job, waitMs, token);
  };

  return async (job, token) => {
    if (stopping.begun()) return handBack(job, token);
    const parser = parsers.get(job.name);
    const handler = byName[job.name];
    if (!parser || !handler) return leave(job, 'its name is unknown', token);
    const { payload, requestId } = (job.data ?? {}) as Envelope;
    const parsed = parser(payload);
    if (!parsed.ok) {
      const reason = `bad payload: ${JSON.stringify(parsed.errors)}`;
      if (Date.now() - job.timestamp < unreadableForMs) return leave(job, reason, token);
      throw new UnrecoverableError(reason);
    }
    await withContext(
      { queueJob: `${job.name} ${job.id ?? ''}`, ...idsOf(payload), ...(requestId === undefined ? {} : { requestId }) },
      async () => {
        await putBackUnlessDue(job, payload, token);
        const startedMs = performance.now();
        const ended = (outcome: 'done' | 'failed' | 'handed_back'): { durationMs: number } => {
          const durationMs = performance.now() - startedMs;
          processMetrics.observe(
            'tieout_queue_job_duration_seconds',
            { queue, queue_job: job.name, outcome },
            durationMs / 1000,
          );
          return { durationMs: Math.round(durationMs) };
        };
        let done = false;
        try {
          done = await doneUnless(stopping.givenUp, handler(parsed.value));
        } catch (error) {
          if (error instanceof PreemptedError && !stopping.interrupting()) {
            logger.info({ reason: error.message, ...ended('handed_back') }, 'job handed back');
            return delay(job, deferralMs, token);
          }
          if (isOutage(job, error)) {
            ended('failed');
            return waitForDatabase(job, error, token);
          }
          if (!stopping.interrupting()) {
            logger.warn({ err: error, ...ended('failed') }, 'job attempt failed');
            throw error instanceof Error ? error : new AppError('internal_error', messageOf(error), { cause: error });
          }
        }
        if (!done) {
          ended('handed_back');
          return handBack(job, token);
        }
        logger.debug(ended('done'), 'job done');
      },
    );
  };
}

/** The ids that a payload names, such as tenantId and jobId. */
export function idsOf(payload: unknown): WorkContext {
  return Object.fromEntries(
    Object.entries(payload ?? {}).filter(([key, value]) => key.endsWith('Id') && typeof value === 'string'),
  );
}

/** Resolves with true when the work is done, with false when the signal comes before. */
function doneUnless(signal: AbortSignal, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(() => resolve(true), reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
