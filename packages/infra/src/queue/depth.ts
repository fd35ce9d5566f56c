import type { Job, JobType, Queue } from 'bullmq';

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

/**
 * Cheap however long the queue is. What waits is served by priority and then by age: of what has a priority, the next and the last
 * are looked at, for a tenant's jobs that others overtake are at the end.
 */
export async function depthOf(queue: Queue): Promise<QueueDepth> {
  const first = (state: JobType, fromOldest: boolean): Promise<(Job | undefined)[]> => queue.getJobs([state], 0, 0, fromOldest);
  const [{ paused: held = 0, ...counts }, paused, ...ends] = await Promise.all([
    // On PostgreSQL what waits in a paused queue has a state of its own; on Redis it has not.
    queue.getJobCounts(...states, 'paused' as JobType),
    queue.isPaused(),
    first('waiting', true),
    first('prioritized', true),
    first('prioritized', false),
    first('delayed', true),
  ]);
  const now = Date.now();
  // One that has failed waits for its next attempt, and holds up nobody.
  const ages = ends.flat().map((job) => (job === undefined || (job.delay > 0 && job.attemptsMade > 0) ? 0 : now - job.timestamp - job.delay));
  return { queue: queue.name, paused, jobs: { ...counts, waiting: (counts['waiting'] ?? 0) + held }, oldestWaitingSeconds: Math.max(0, ...ages) / 1000 };
}
