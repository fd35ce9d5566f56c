import type { JobType, Queue } from 'bullmq';
import { withDeadline } from '../concurrency/deadline';
import { currentContext, type Logger } from '../kernel/logger';
import { processMetrics } from '../metrics';
import type { Envelope, JobCatalog, JobName, JobPayload } from './catalog';
import { queueClasses, type QueueSettings } from './connection';
import { connectionLog } from './connection-log';
import { readQueueDepth, type QueueDepth } from './depth';
import { lowestPriority } from './priority';

export interface EnqueueOptions {
  /** A job with the same id that is still in the queue makes this call a no-op. No colons, not all digits. */
  jobId?: string;
  delayMs?: number;
  /** 1 is served first, larger ones later; a job without comes before all that have one. */
  priority?: number;
  /** One attempt, and nothing stays of it when that fails: for whoever asks again as long as it is needed. */
  once?: boolean;
}

export interface BulkItem<Payload> extends EnqueueOptions {
  payload: Payload;
}

export type QueueJobState = 'waiting' | 'active' | 'delayed' | 'failed' | 'absent';

export interface Producer<C extends JobCatalog> {
  enqueue<N extends JobName<C>>(name: N, payload: JobPayload<C, N>, options?: EnqueueOptions): Promise<void>;
  enqueueMany<N extends JobName<C>>(name: N, items: readonly BulkItem<JobPayload<C, N>>[]): Promise<void>;
  /** Makes a job run every `everyMs`; repeating the call changes nothing. */
  schedule<N extends JobName<C>>(name: N, payload: JobPayload<C, N>, everyMs: number): Promise<void>;
  /** Where the job with this id stands. */
  stateOf(name: JobName<C>, jobId: string): Promise<QueueJobState>;
  /** The priority that is served next in the queue of this job, if one waits that has a priority. */
  headPriority(name: JobName<C>): Promise<number | undefined>;
  /** Ids of all jobs in the queue of this one that are to be run or are under way. Of many thousands, one that gets another priority meanwhile may be missing. */
  pendingIds(name: JobName<C>): Promise<ReadonlySet<string>>;
  /** Removes jobs that have failed for good longer ago than this, some at a time; whether there may be more. */
  removeFailed(olderThanMs: number): Promise<boolean>;
  /** How much is in each queue, and since when. */
  depths(): Promise<QueueDepth[]>;
  /** Resolves when the store of the queues answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const bulkSize = 500;
/**
 * In the order in which a job goes through them, once around: they are asked for one after the other while jobs move on. What
 * waits in a paused queue has a state of its own in PostgreSQL.
 */
const pendingStates = ['active', 'delayed', 'waiting', 'paused', 'prioritized', 'active', 'delayed'] as JobType[];
const addTimeoutMs = 2_000;
const addBulkTimeoutMs = 10_000;
const removedAtOnce = 500;
/** Redis does nothing else meanwhile, for some 20 ms. */
const idsAtOnce = 10_000;

/** BullMQ waits without end for a store that it has never reached: whoever enqueues must get on. */
async function answered(queue: string, work: Promise<unknown>, timeoutMs: number): Promise<void> {
  try {
    await withDeadline(work, timeoutMs, `the queue did not answer in ${timeoutMs} ms`);
  } catch (error) {
    processMetrics.add('tieout_queue_enqueue_failures_total', { queue });
    throw error;
  }
}

export function createProducer<C extends JobCatalog>(catalog: C, settings: QueueSettings, logger: Logger): Producer<C> {
  const { openQueue } = queueClasses(settings, { role: 'producer' });
  const queues = new Map<string, Queue>();
  const tellFailure = connectionLog(logger, 'queue connection');
  const queueNames = [...new Set(Object.values(catalog).map(({ queue }) => queue))];
  for (const queue of queueNames) processMetrics.add('tieout_queue_enqueue_failures_total', { queue }, 0);
  const queueFor = (name: JobName<C>): Queue => queueNamed(definition(name).queue);
  const queueNamed = (queueName: string): Queue => queues.get(queueName) ?? open(queueName);
  const open = (queueName: string): Queue => {
    const queue = openQueue(queueName);
    queue.on('error', (error) => tellFailure(queueName, error));
    queues.set(queueName, queue);
    // On PostgreSQL a queue that was opened while the database was away stays of no use: the next call opens another one.
    queue.waitUntilReady().catch(() => {
      if (queues.get(queueName) === queue) queues.delete(queueName);
      queue.close().catch((error: unknown) => tellFailure(queueName, error));
    });
    return queue;
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
    ...(priority === undefined ? {} : { priority: Math.min(priority, lowestPriority) }),
  });

  return {
    enqueue: async (name, payload, options = {}) => {
      await answered(
        definition(name).queue,
        queueFor(name).add(name, envelope(payload), jobOptions(name, options)),
        addTimeoutMs,
      );
    },
    enqueueMany: async (name, items) => {
      for (let i = 0; i < items.length; i += bulkSize) {
        const jobs = items
          .slice(i, i + bulkSize)
          .map((item) => ({ name, data: envelope(item.payload), opts: jobOptions(name, item) }));
        await answered(definition(name).queue, queueFor(name).addBulk(jobs), addBulkTimeoutMs);
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
        tellFailure(queue, error);
        throw error;
      }
    },
    pendingIds: async (name) => {
      const ids = new Set<string>();
      for (const state of pendingStates) {
        // From the one that comes last: what is taken from the front meanwhile moves none of the others.
        for (let from = 0; ; from += idsAtOnce) {
          const page = await queueFor(name).getRanges([state], from, from + idsAtOnce - 1);
          for (const id of page) ids.add(id);
          if (page.length < idsAtOnce) break;
        }
      }
      return ids;
    },
    removeFailed: async (olderThanMs) => {
      let more = false;
      for (const queue of queueNames)
        more = (await queueNamed(queue).clean(olderThanMs, removedAtOnce, 'failed')).length === removedAtOnce || more;
      return more;
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
