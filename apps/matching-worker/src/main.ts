import path from 'node:path';
import {
  failJobOfWorker,
  failJobOutOfMemory,
  failJobOverdue,
  hasOtherTenantsWork,
  jobCatalog,
  hasOtherTenantsWaiting,
  planWaitMs,
  runWorker,
  tenantScope,
  whileActive,
} from '@tieout/domain';
import { createChildPool, createConsumer, createFairSlots, handlersInChildren } from '@tieout/infra';
import { config } from './config';
import { lowerSession } from './priority';

void lowerSession();

/**
 * Rows of a batch become garbage at its end: with less growth, most batches would trigger a full collection of the
 * heap.
 */
const heapGrowthPercent = 100;

interface MatchingPayload {
  tenantId: string;
  jobId: string;
}

// Two connections: this process needs them for health checks and fairness only, since child processes have their own.
runWorker({ app: 'matching-worker', config, poolSize: 2 }, async ({ env, deps, service, logger, consumer }) => {
  const children = createChildPool({
    file: path.join(__dirname, 'child.js'),
    size: env.MATCHING_CONCURRENCY,
    heapMb: env.MATCHING_HEAP_MB,
    heapGrowthPercent,
    prestart: true,
    logger,
  });
  service.onShutdown('child processes', () => children.close());
  const slots = createFairSlots(env.MATCHING_CONCURRENCY, (tenantId) => hasOtherTenantsWork(deps, tenantId), {
    unbounded: ['matching.plan'],
    preemptible: {
      names: ['matching.batch'],
      othersWait: (tenantIds) => hasOtherTenantsWaiting(deps, tenantIds),
      logger,
    },
  });
  const jobOf = (payload: unknown) => {
    const { tenantId, jobId } = payload as MatchingPayload;
    return [tenantScope(deps, tenantId), jobId] as const;
  };
  const matching = await createConsumer({
    ...consumer,
    queue: 'matching',
    concurrency: env.MATCHING_CONCURRENCY,
    handlers: slots.track(whileActive(deps, handlersInChildren(jobCatalog, 'matching', children))),
    deferMs: async (payload, name) =>
      (name === 'matching.plan' ? await planWaitMs(deps, payload as MatchingPayload) : 0) ||
      slots.deferMs(payload, name),
    onOverdue: (_name, payload) => failJobOverdue(...jobOf(payload), env.MATCHING_STALL_MS),
    onOutOfMemory: (_name, payload) => failJobOutOfMemory(...jobOf(payload), env.MATCHING_HEAP_MB),
    interrupt: () => children.close(),
    onExhausted: (name, payload) => failJobOfWorker(...jobOf(payload), `${name} failed`),
  });
  service.onShutdown('consumer', () => matching.close());
  return { children, readyFields: { concurrency: env.MATCHING_CONCURRENCY } };
});
