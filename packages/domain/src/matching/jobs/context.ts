import { compileRuleSet, type CompiledRuleSet, type RuleSetDefinition } from '@tieout/engine';
import { LRUCache } from 'lru-cache';
import type { TenantScope } from '../../kernel/scope';
import type { JobLimits } from './limits';

/** Reports progress after each group of records or pairs; a watchdog takes a long silence for a hung process. */
export type OnStep = () => void;

/** The state that all jobs of one process share. */
export interface JobContext {
  limits: JobLimits;
  ruleSets: RuleSetCache;
  onStep: OnStep;
}

/**
 * Caches the compiled rule sets used last, so that code optimised for one batch serves the next one, and the next job
 * of the tenant with the same definition.
 */
export class RuleSetCache {
  private readonly byText = new LRUCache<string, CompiledRuleSet>({ max: 16 });

  get(tenantId: string, definition: RuleSetDefinition): CompiledRuleSet {
    const text = tenantId + JSON.stringify(definition);
    let compiled = this.byText.get(text);
    if (!compiled) this.byText.set(text, (compiled = compileRuleSet(definition)));
    return compiled;
  }
}

/** The job was cancelled or failed during the work on it. */
export class JobStoppedError extends Error {}

/** Resolves while the job may continue; a loop calls it in every iteration. @throws JobStoppedError */
export type RunningCheck = () => Promise<void> | void;

const defaultCheckMs = 1_000;

/** Creates a check that reads the status of the job at most once in `checkMs`. */
export function runningCheck(scope: TenantScope, jobId: string, checkMs = defaultCheckMs): RunningCheck {
  let checkedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - checkedMs < checkMs) return;
    checkedMs = nowMs;
    return assertRunning(scope, jobId);
  };
}

async function assertRunning(scope: TenantScope, jobId: string): Promise<void> {
  const [job] = await scope.db.query<{ status: string }>(
    `select status from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (job?.status !== 'running') throw new JobStoppedError();
}

/** Runs a generator to its end, with a progress report and a check after each step. */
export async function runSteps<T>(steps: Generator<void, T, void>, onStep: OnStep, check: RunningCheck): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onStep();
    const checking = check();
    if (checking) await checking;
  }
}

/** CPU time of this process so far. Unlike the clock it does not depend on the load of the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits for all promises even if one rejects: the tasks share a connection. */
export async function allOf<T extends unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
