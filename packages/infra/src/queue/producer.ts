import type { Job, JobType, Queue } from 'bullmq';
import { withDeadline } from '../concurrency/timeouts';
import { currentContext, type Logger } from '../kernel/logger';
import { processMetrics } from '../metrics';
import { maxPriority, type Envelope, type JobCatalog, type JobName, type JobPayload } from './catalog';
import { connectionLog, postgresOf, queueClasses, type QueueSettings } from './connection';
import { readQueueDepth, type QueueDepth } from './depth';

export interface EnqueueOptions {
  /** While a job with the same id is in the queue, the call does nothing. No colons, not all digits. */
  jobId?: string;
  delayMs?: number;
  /** From 1; a larger number is served later. A job without a priority is served before all that have one. */
  priority?: number;
  /**
   * Allows one attempt, and removes the job when it fails: for callers that enqueue the job again while it is needed.
   */
  once?: boolean;
}

export interface BulkItem<Payload> extends EnqueueOptions {
  payload: Payload;
}

type QueueJobState = 'waiting' | 'active' | 'delayed' | 'failed' | 'absent';

export interface Producer<C extends JobCatalog> {
  enqueue<N extends JobName<C>>(name: N, payload: JobPayload<C, N>, options?: EnqueueOptions): Promise<void>;
  enqueueMany<N extends JobName<C>>(name: N, items: readonly BulkItem<JobPayload<C, N>>[]): Promise<void>;
  /** Makes a job run every `everyMs`; repeating the call changes nothing. */
  schedule<N extends JobName<C>>(name: N, payload: JobPayload<C, N>, everyMs: number): Promise<void>;
  /** Reads the state of the job with this id. */
  stateOf(name: JobName<C>, jobId: string): Promise<QueueJobState>;
  /** Reads the priority at the queue head of this job, if a job with a priority waits there. */
  headPriority(name: JobName<C>): Promise<number | undefined>;
  /**
   * Reads the ids of all waiting and running jobs in the queue of this one. With many thousands of jobs, one whose
   * priority changes during the call may be missing.
   */
  pendingIds(name: JobName<C>): Promise<ReadonlySet<string>>;
  /**
   * Removes a batch of jobs that failed for good longer ago than this, and all events of the queues, which hold ids of
   * jobs and have no reader. @returns whether there may be more
   */
  removeFailed(olderThanMs: number): Promise<boolean>;
  /**
   * Removes all jobs with such a payload, but for those that run, and all events. It reads every job of every queue.
   * @returns the number of removed jobs
   */
  removeWhere(isMeant: (payload: unknown) => boolean): Promise<number>;
  /** Reads the depth of each queue. */
  depths(): Promise<QueueDepth[]>;
  /** Resolves when the store of the queues answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const bulkSize = 500;
/**
 * The states of a pending job, in the order in which it passes through them and once around: they are read one after
 * the other while jobs move on. PostgreSQL has its own state for the waiting jobs of a paused queue.
 */
const pendingStates = ['active', 'delayed', 'waiting', 'paused', 'prioritized', 'active', 'delayed'] as JobType[];
const addTimeoutMs = 2_000;
const addBulkTimeoutMs = 10_000;
const removeBatchSize = 500;
/** Redis is blocked for some 20 ms by a page of this size. */
const idPageSize = 10_000;

/** Limits the time of an enqueue: BullMQ waits for ever for a store that it has never reached. */
async function withinTimeout(queue: string, work: Promise<unknown>, timeoutMs: number): Promise<void> {
  try {
    await withDeadline(work, timeoutMs, `the queue did not answer in ${timeoutMs} ms`);
  } catch (error) {
    processMetrics.add('tieout_queue_enqueue_failures_total', { queue });
    throw error;
  }
}

/** A running job is locked and removes itself when it ends. */
const removeUnlessRunning = (job: Job): Promise<number> =>
  job.remove().then(
    () => 1,
    () => 0,
  );

async function removeJobs(queue: Queue, state: JobType, isMeant: (payload: unknown) => boolean): Promise<number> {
  let removed = 0;
  for (let kept = 0; ;) {
    const page = await queue.getJobs([state], kept, kept + removeBatchSize - 1, true);
    let removedNow = 0;
    for (const job of page)
      if (isMeant((job.data as Envelope | undefined)?.payload)) removedNow += await removeUnlessRunning(job);
    removed += removedNow;
    kept += page.length - removedNow;
    if (page.length < removeBatchSize) return removed;
  }
}

export function createProducer<C extends JobCatalog>(catalog: C, settings: QueueSettings, logger: Logger): Producer<C> {
  const { openQueue } = queueClasses(settings, { role: 'producer' });
  const queues = new Map<string, Queue>();
  const logFailure = connectionLog(logger, 'queue connection');
  const queueNames = [...new Set(Object.values(catalog).map(({ queue }) => queue))];
  for (const queue of queueNames) processMetrics.add('tieout_queue_enqueue_failures_total', { queue }, 0);
  const queueFor = (name: JobName<C>): Queue => queueNamed(definition(name).queue);
  const queueNamed = (queueName: string): Queue => queues.get(queueName) ?? open(queueName);
  const open = (queueName: string): Queue => {
    const queue = openQueue(queueName);
    queue.on('error', (error) => logFailure(queueName, error));
    queues.set(queueName, queue);
    // On PostgreSQL a queue that was opened while the database was away never works: the next call opens another one.
    queue.waitUntilReady().catch(() => {
      if (queues.get(queueName) === queue) queues.delete(queueName);
      queue.close().catch((error: unknown) => logFailure(queueName, error));
    });
    return queue;
  };
  const removeEvents = async (): Promise<void> => {
    for (const queue of queueNames.map(queueNamed)) {
      const postgres = postgresOf(queue);
      // BullMQ's trimEvents works on Redis only.
      await (postgres ? postgres.query('delete from event where queue = $1', [queue.name]) : queue.trimEvents(0));
    }
  };
  const definition = (name: JobName<C>): C[JobName<C>] => catalog[name];
  const envelope = (payload: unknown): Envelope => {
    const { requestId } = currentContext();
    return requestId === undefined ? { payload } : { payload, requestId };
  };
  const jobOptions = (name: JobName<C>, { priority = definition(name).priority, ...options }: EnqueueOptions) => ({
    attempts: options.once === true ? 1 : definition(name).attempts,
    backoff: { type: 'exponential', delay: definition(name).backoffMs },
    // Kept history by count or age deadlocks on PostgreSQL with several workers; failed jobs stay for on-call.
    removeOnComplete: true,
    removeOnFail: options.once === true || definition(name).removeOnFail === true,
    ...(options.jobId === undefined ? {} : { jobId: options.jobId }),
    ...(options.delayMs === undefined ? {} : { delay: options.delayMs }),
    ...(priority === undefined ? {} : { priority: Math.min(priority, maxPriority) }),
  });

  const enqueue: Producer<C>['enqueue'] = (name, payload, options = {}) =>
    withinTimeout(
      definition(name).queue,
      queueFor(name).add(name, envelope(payload), jobOptions(name, options)),
      addTimeoutMs,
    );

  return {
    enqueue,
    enqueueMany: async (name, items) => {
      const [first, ...others] = items;
      // On PostgreSQL BullMQ makes two temporary tables for a bulk: four times the work of adding a job.
      if (first && others.length === 0) return enqueue(name, first.payload, first);
      for (let i = 0; i < items.length; i += bulkSize) {
        const jobs = items
          .slice(i, i + bulkSize)
          .map((item) => ({ name, data: envelope(item.payload), opts: jobOptions(name, item) }));
        await withinTimeout(definition(name).queue, queueFor(name).addBulk(jobs), addBulkTimeoutMs);
      }
    },
    schedule: async (name, payload, everyMs) => {
      await queueFor(name).upsertJobScheduler(
        name,
        { every: everyMs },
        { name, data: { payload }, opts: { ...jobOptions(name, {}), removeOnFail: true } },
      );
    },
    stateOf: async (name, jobId) => {
      const state = await queueFor(name).getJobState(jobId);
      if (state === 'failed' || state === 'active' || state === 'delayed') return state;
      return state === 'unknown' || state === 'completed' ? 'absent' : 'waiting';
    },
    headPriority: async (name) => {
      const { queue } = definition(name);
      try {
        const [next] = await withDeadline(
          queueFor(name).getPrioritized(0, 0),
          addTimeoutMs,
          `the queue did not answer in ${addTimeoutMs} ms`,
        );
        return next && Number(next.priority);
      } catch (error) {
        logFailure(queue, error);
        throw error;
      }
    },
    pendingIds: async (name) => {
      const ids = new Set<string>();
      for (const state of pendingStates) {
        // Read from the end: jobs that are taken from the head during the call do not shift the others.
        for (let from = 0; ; from += idPageSize) {
          const page = await queueFor(name).getRanges([state], from, from + idPageSize - 1);
          for (const id of page) ids.add(id);
          if (page.length < idPageSize) break;
        }
      }
      return ids;
    },
    removeFailed: async (olderThanMs) => {
      let more = false;
      for (const queue of queueNames)
        more =
          (await queueNamed(queue).clean(olderThanMs, removeBatchSize, 'failed')).length === removeBatchSize || more;
      await removeEvents();
      return more;
    },
    removeWhere: async (isMeant) => {
      let removed = 0;
      for (const name of queueNames)
        for (const state of new Set<JobType>([...pendingStates, 'failed']))
          removed += await removeJobs(queueNamed(name), state, isMeant);
      await removeEvents();
      return removed;
    },
    depths: () => Promise.all(queueNames.map((queue) => readQueueDepth(queueNamed(queue)))),
    ping: async () => {
      const [first] = Object.keys(catalog) as JobName<C>[];
      if (first !== undefined) await queueFor(first).getJobCountByTypes('waiting');
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
