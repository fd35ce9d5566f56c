import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../../kernel/jobs';
import { tenantScope, type DomainDeps } from '../../kernel/scope';
import { runBatch } from '../batch/batch';
import { PoolCache } from '../composition/pool-cache';
import { RuleSetCache } from './rule-set-cache';
import { finishJob } from '../finish/finish';
import { defaultLimits, type JobLimits } from './limits';
import { planJob } from '../plan/plan';
import { SpareBuffers } from '../stage/spare-buffers';

/** Says that the work in hand has come a step further: after each group of records or pairs. */
export type OnStep = () => void;

/** What the jobs of one process share. */
export interface JobContext {
  limits: JobLimits;
  ruleSets: RuleSetCache;
  pools: PoolCache;
  buffers: SpareBuffers;
  onStep: OnStep;
}

/** The jobs of the matching queue. Safe to repeat and to be killed at any point. */
export function createMatchingHandlers(
  deps: DomainDeps,
  onStep: OnStep = () => undefined,
  limits: Partial<JobLimits> = {},
) {
  const all = { ...defaultLimits, ...limits };
  const context: JobContext = {
    limits: all,
    ruleSets: new RuleSetCache(),
    pools: new PoolCache(),
    buffers: new SpareBuffers(all),
    onStep,
  };
  return {
    'matching.plan': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.plan'>): Promise<void> =>
      planJob(tenantScope(deps, tenantId), jobId, context),
    'matching.batch': ({ tenantId, ...ref }: JobPayload<Jobs, 'matching.batch'>): Promise<void> =>
      runBatch(tenantScope(deps, tenantId), ref, context),
    'matching.finish': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.finish'>): Promise<void> =>
      finishJob(tenantScope(deps, tenantId), jobId, context),
  };
}
