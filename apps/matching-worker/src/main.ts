import path from 'node:path';
import {
  failJobOfWorker,
  failJobOutOfMemory,
  failInquiry,
  failJobOverdue,
  hasOtherTenantsWork,
  jobCatalog,
  hasOtherTenantsWaiting,
  planWaitMs,
  runWorker,
  simulationInquiry,
  suggestionInquiry,
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
  /** One is set in place of the job. */
  suggestionId?: string;
  simulationId?: string;
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
  /** Fails what a queue job belongs to: a matching job in its own words, a suggestion or a simulation. */
  const fail = (payload: unknown, ofJob: (scope: TenantScope, jobId: string) => Promise<void>, message: string) => {
    const { tenantId, jobId, suggestionId, simulationId } = payload as MatchingPayload;
    const scope = tenantScope(deps, tenantId);
    const error = { code: 'worker_failed', message };
    if (suggestionId !== undefined) return failInquiry(scope, suggestionInquiry, suggestionId, error);
    return simulationId === undefined
      ? ofJob(scope, jobId)
      : failInquiry(scope, simulationInquiry, simulationId, error);
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
        `One step took longer than ${env.MATCHING_STALL_MS / 1000} s: use a smaller sample`,
      ),
    onOutOfMemory: (_name, payload) =>
      fail(
        payload,
        (scope, jobId) => failJobOutOfMemory(scope, jobId, env.MATCHING_HEAP_MB),
        `The records take more than the ${env.MATCHING_HEAP_MB} MB that a process has: use a smaller sample`,
      ),
    interrupt: () => children.close(),
    onExhausted: (name, payload) =>
      fail(payload, (scope, jobId) => failJobOfWorker(scope, jobId, `${name} failed`), 'A worker failed repeatedly'),
  });
  service.onShutdown('consumer', () => matching.close());
  return { children, readyFields: { concurrency: env.MATCHING_CONCURRENCY } };
});
