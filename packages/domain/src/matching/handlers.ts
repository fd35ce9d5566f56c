import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../kernel/jobs';
import { tenantScope, type DomainDeps } from '../kernel/scope';
import { doBatch, runBatch } from './batch/batch';
import { PoolCache } from './composition/pool';
import { finishJob } from './finish/finish';
import { RuleSetCache, type OnStep } from './jobs/context';
import { reviveFailedJob } from './jobs/fail';
import { defaultLimits, type JobLimits } from './jobs/limits';
import { planJob } from './plan/plan';
import type { PlanContext } from './plan/plan-entry';
import { KeptStages } from './stage/kept-stages';
import { SpareBuffers } from './stage/spare-buffers';

/** Creates the handlers of the matching queue. Each is safe to repeat and to be killed at any point. */
export function createMatchingHandlers(
  deps: DomainDeps,
  onStep: OnStep = () => undefined,
  overrides: Partial<JobLimits> = {},
) {
  const limits = { ...defaultLimits, ...overrides };
  const context: PlanContext = {
    limits,
    ruleSets: new RuleSetCache(),
    pools: new PoolCache(),
    stages: new KeptStages(),
    buffers: new SpareBuffers(limits),
    onStep,
  };
  return {
    'matching.plan': async ({ tenantId, jobId }: JobPayload<Jobs, 'matching.plan'>): Promise<void> => {
      const scope = tenantScope(deps, tenantId);
      try {
        const small = await planJob(scope, jobId, context);
        if (!small) return;
        for (const batch of small) await doBatch(scope, batch, context);
        await finishJob(scope, jobId, context);
      } finally {
        context.stages.forget(jobId);
      }
    },
    'matching.batch': ({ tenantId, ...ref }: JobPayload<Jobs, 'matching.batch'>): Promise<void> =>
      runBatch(tenantScope(deps, tenantId), ref, context),
    'matching.finish': async ({ tenantId, jobId }: JobPayload<Jobs, 'matching.finish'>): Promise<void> => {
      const scope = tenantScope(deps, tenantId);
      await reviveFailedJob(scope, jobId);
      await finishJob(scope, jobId, context);
    },
  };
}
