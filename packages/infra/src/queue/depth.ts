import type { Job, JobType, Queue } from 'bullmq';
import { postgresOf, queueSchema } from './connection';

export interface QueueDepth {
  queue: string;
  /** Whether it keeps its jobs until somebody resumes it. */
  paused: boolean;
  /** Jobs by state. */
  jobs: Readonly<Record<string, number>>;
  /** Since the oldest of those that were looked at could have run; 0 when nothing waits. */
  oldestWaitingSeconds: number;
}

const states = ['waiting', 'prioritized', 'delayed', 'active', 'failed'] as const satisfies readonly JobType[];

type Found = Job | undefined;

/**
 * Cheap however long the queue is. What waits is served by priority and then by age: of what has a priority, the next and the last
 * are looked at, for a tenant's jobs that others overtake are at the end.
 */
export async function readQueueDepth(queue: Queue): Promise<QueueDepth> {
  const [{ paused: held = 0, ...counts }, paused, ends] = await Promise.all([
    // On PostgreSQL what waits in a paused queue is counted by itself; on Redis it is not.
    queue.getJobCounts(...states, 'paused' as JobType),
    queue.isPaused(),
    endsOf(queue),
  ]);
  const now = Date.now();
  // One that has failed waits for its next attempt, and holds up nobody.
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

function endsOf(queue: Queue): Promise<Found[]> {
  const postgres = postgresOf(queue);
  return postgres ? endsOnPostgres(queue, postgres) : endsOnRedis(queue);
}

async function endsOnRedis(queue: Queue): Promise<Found[]> {
  const first = (state: JobType, fromOldest: boolean): Promise<Found[]> => queue.getJobs([state], 0, 0, fromOldest);
  return (
    await Promise.all([
      first('waiting', true),
      first('prioritized', true),
      first('prioritized', false),
      first('delayed', true),
    ])
  ).flat();
}

/** From where BullMQ takes them, along its indexes: of what waits its own lists begin with the newest, and with a priority they cannot be read from the end. */
const endsQuery = [
  `state = 'waiting' and priority = 0 order by priority, seq`,
  `state = 'waiting' and priority > 0 order by priority, seq`,
  `state = 'waiting' and priority > 0 order by priority desc, seq desc`,
  `state = 'delayed' order by process_at_ms`,
]
  .map((end) => `(select id from ${queueSchema}.job where queue = $1 and ${end} limit 1)`)
  .join(' union ');

async function endsOnPostgres(queue: Queue, postgres: NonNullable<ReturnType<typeof postgresOf>>): Promise<Found[]> {
  const { rows } = await postgres.query<{ id: string }>(endsQuery, [queue.name]);
  return Promise.all(rows.map(({ id }) => queue.getJob(id)));
}
