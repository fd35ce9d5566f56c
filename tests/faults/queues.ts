import { queueNames } from '@tieout/domain';
import { queueClasses } from '@tieout/infra';
import { pause } from './client';
import type { World } from './world';

const timeoutMs = 240_000;

/** Jobs that are always scheduled. */
const scheduled = new Set(['maintenance.sweep', 'maintenance.retention']);

/** Waits until the queues are empty but for what is scheduled; says what is left in them. */
export async function queuesAtRest({ queue }: World): Promise<string[]> {
  const { openQueue } = queueClasses(queue, { role: 'producer' });
  const queues = queueNames.map((name) => ({ name, queue: openQueue(name) }));
  const deadlineMs = Date.now() + timeoutMs;
  try {
    for (;;) {
      const left: string[] = [];
      for (const one of queues) {
        await one.queue.waitUntilReady();
        const jobs = await one.queue.getJobs(['waiting', 'active', 'delayed', 'prioritized', 'failed'], 0, 20);
        left.push(
          ...jobs.flatMap((job) =>
            job?.name === undefined || scheduled.has(job.name)
              ? []
              : [`${one.name}: ${job.name} ${job.id} ${job.failedReason ?? ''}`],
          ),
        );
      }
      if (left.length === 0) return [];
      if (Date.now() > deadlineMs) return [`jobs that are left in the queues: ${left.slice(0, 8).join('; ')}`];
      await pause(500);
    }
  } finally {
    await Promise.all(queues.map((one) => one.queue.close()));
  }
}
