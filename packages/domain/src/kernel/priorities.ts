import { FairPriorities } from '@tieout/infra';
import type { JobProducer, Jobs } from './jobs';

const prioritiesByQueue = new WeakMap<JobProducer, Map<keyof Jobs, FairPriorities>>();

/** Returns the fair priorities that this process gives to jobs of this name: the same ones each time. */
export function fairPriorities(queue: JobProducer, name: keyof Jobs): FairPriorities {
  const ofQueue = prioritiesByQueue.get(queue) ?? new Map<keyof Jobs, FairPriorities>();
  const priorities = ofQueue.get(name) ?? new FairPriorities(() => queue.headPriority(name));
  prioritiesByQueue.set(queue, ofQueue.set(name, priorities));
  return priorities;
}
