import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../jobs';
import { tenantScope, type DomainDeps } from '../scope';
import { runBatch } from './batch';
import { finishJob } from './finish';
import { planJob } from './plan';

/** Says that the work in hand has come a step further: after each record and each pair. */
export type OnStep = () => void;

/** The jobs of the matching queue. Safe to repeat and to be killed at any point. */
export function createMatchingHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  return {
    'matching.plan': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.plan'>): Promise<void> =>
      planJob(tenantScope(deps, tenantId), jobId, onStep),
    'matching.batch': ({ tenantId, ...ref }: JobPayload<Jobs, 'matching.batch'>): Promise<void> =>
      runBatch(tenantScope(deps, tenantId), ref, onStep),
    'matching.finish': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.finish'>): Promise<void> =>
      finishJob(tenantScope(deps, tenantId), jobId),
  };
}
