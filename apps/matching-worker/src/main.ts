import path from 'node:path';
import {
  failJobOfWorker,
  failJobOutOfMemory,
  failJobOverdue,
  failSuggestion,
  hasOtherTenantsWork,
  jobCatalog,
  hasOtherTenantsWaiting,
  planWaitMs,
  runWorker,
  tenantScope,
  whileActive,
  type TenantScope,
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
  /** Set in place of the job. */
  suggestionId?: string;
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
  /** Fails what a queue job belongs to: a matching job in its own words, or a suggestion. */
  const fail = (payload: unknown, ofJob: (scope: TenantScope, jobId: string) => Promise<void>, message: string) => {
    const { tenantId, jobId, suggestionId } = payload as MatchingPayload;
    const scope = tenantScope(deps, tenantId);
    return suggestionId === undefined
      ? ofJob(scope, jobId)
      : failSuggestion(scope, suggestionId, { code: 'worker_failed', message });
  };
  const matching = await createConsumer({
    ...consumer,
    queue: 'matching',
    concurrency: env.MATCHING_CONCURRENCY,
    handlers: slots.track(whileActive(deps, handlersInChildren(jobCatalog, 'matching', children))),
    deferMs: async (payload, name) =>
      (name === 'matching.plan' ? await planWaitMs(deps, payload as MatchingPayload) : 0) ||
      slots.deferMs(payload, name),
    onOverdue: (_name, payload) =>
      fail(
        payload,
        (scope, jobId) => failJobOverdue(scope, jobId, env.MATCHING_STALL_MS),
        `One step took longer than ${env.MATCHING_STALL_MS / 1000} s: set a smaller sampleLimit`,
      ),
    onOutOfMemory: (_name, payload) =>
      fail(
        payload,
        (scope, jobId) => failJobOutOfMemory(scope, jobId, env.MATCHING_HEAP_MB),
        `The records take more than the ${env.MATCHING_HEAP_MB} MB that a process has: set a smaller sampleLimit`,
      ),
    interrupt: () => children.close(),
    onExhausted: (name, payload) =>
      fail(payload, (scope, jobId) => failJobOfWorker(scope, jobId, `${name} failed`), 'The search failed'),
  });
  service.onShutdown('consumer', () => matching.close());
  return { children, readyFields: { concurrency: env.MATCHING_CONCURRENCY } };
});
