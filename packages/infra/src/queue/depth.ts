import type { Job, JobType, Queue } from 'bullmq';
import { postgresOf, queueSchema } from './connection';

export interface QueueDepth {
  queue: string;
  /** True while it keeps its jobs until somebody resumes it. */
  paused: boolean;
  /** The number of jobs by state. */
  jobs: Readonly<Record<string, number>>;
  /** The time since which the oldest of the checked jobs could have run; 0 when none waits. */
  oldestWaitingSeconds: number;
}

const states = ['waiting', 'prioritized', 'delayed', 'active', 'failed'] as const satisfies readonly JobType[];

type EndJob = Job | undefined;

/**
 * Reads the depth of a queue at a cost that does not depend on its length. Waiting jobs are served by priority, then by
 * age: of those with a priority, the first and the last are checked, since a tenant's jobs that others overtake are at
 * the end.
 */
export async function readQueueDepth(queue: Queue): Promise<QueueDepth> {
  const [{ paused: held = 0, ...counts }, paused, ends] = await Promise.all([
    // PostgreSQL counts the waiting jobs of a paused queue separately; Redis does not.
    queue.getJobCounts(...states, 'paused' as JobType),
    queue.isPaused(),
    readEnds(queue),
  ]);
  const now = Date.now();
  // A job that waits for its next attempt after a failure delays no other one.
  const ages = ends.map((job) =>
    job === undefined || (job.delay > 0 && job.attemptsMade > 0) ? 0 : now - job.timestamp - job.delay,
  );
  return {
    queue: queue.name,
    paused,
    jobs: { ...counts, waiting: (counts['waiting'] ?? 0) + held },
    oldestWaitingSeconds: Math.max(0, ...ages) / 1000,
  };
}

function readEnds(queue: Queue): Promise<EndJob[]> {
  const postgres = postgresOf(queue);
  return postgres ? endsOnPostgres(queue, postgres) : endsOnRedis(queue);
}

async function endsOnRedis(queue: Queue): Promise<EndJob[]> {
  const first = (state: JobType, fromOldest: boolean): Promise<EndJob[]> => queue.getJobs([state], 0, 0, fromOldest);
  return (
    await Promise.all([
      first('waiting', true),
      first('prioritized', true),
      first('prioritized', false),
      first('delayed', true),
    ])
  ).flat();
}

/**
 * Finds the ends along BullMQ's indexes. BullMQ's own lists of waiting jobs start with the newest, and those with a
 * priority cannot be read from the end.
 */
const endsQuery = [
  `state = 'waiting' and priority = 0 order by priority, seq`,
  `state = 'waiting' and priority > 0 order by priority, seq`,
  `state = 'waiting' and priority > 0 order by priority desc, seq desc`,
  `state = 'delayed' order by process_at_ms`,
]
  .map((end) => `(select id from ${queueSchema}.job where queue = $1 and ${end} limit 1)`)
  .join(' union ');

async function endsOnPostgres(queue: Queue, postgres: NonNullable<ReturnType<typeof postgresOf>>): Promise<EndJob[]> {
  const { rows } = await postgres.query<{ id: string }>(endsQuery, [queue.name]);
  return Promise.all(rows.map(({ id }) => queue.getJob(id)));
}
