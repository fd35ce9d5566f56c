import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import type { FairPriorities } from './fair-priorities';
import { maxSpacingMs, OwnerSlots, SpacedReturns } from './owner-slots';
import { RecentValues, SlowdownEstimates } from './slowdown-estimates';

/** Min delay of a job that returns to the queue: it was preempted, or its tenant holds enough slots. */
export const deferralMs = 200;
/** Max delay: the other tenants may be gone by then. Hundreds of jobs return in it. */
const maxDeferralMs = 2_000;

/** A job may be preempted after this time, which is checked at this interval. */
const minRunMs = 5_000;
const checkEveryMs = 1_000;
/** The tenant of a preempted job leaves the last slot to others for this time, so that preemption ends. */
const yieldMs = 30_000;
/** The usual duration of a costed job of cost 1. */
const usualMs = 100;
/** A tenant is slow when its jobs take this many times as long as usual; short jobs keep their priority. */
const slowFactor = 4;
const minSlowMs = 50;
/** A job that is expected to take at least this long is long: other tenants do not wait for it. */
const longMs = 1_000;
/** A slot is left to tenants with short jobs for this time after one of their jobs was here. */
const recentMs = 10_000;

interface TenantPayload {
  tenantId: string;
}

type Handlers = Record<string, (payload: never, signal: AbortSignal) => Promise<void>>;

/** Another tenant waits for the slot of this job: the job goes back to the queue, and has not failed. */
export class PreemptedError extends Error {
  constructor() {
    super('Another tenant waits for the slot');
  }
}

/** Jobs whose duration follows from their cost, unless the expressions of their tenant are slow. */
interface CostedJobs {
  names: readonly string[];
  costOf: (payload: unknown) => number;
  priorities: FairPriorities;
}

/** Jobs that may be ended at any point and run again. */
interface PreemptibleJobs {
  names: readonly string[];
  /** Returns whether a tenant other than these has waited for a while. */
  othersWait: (tenantIds: readonly string[]) => Promise<boolean>;
  logger: Logger;
}

interface FairSlotsOptions {
  /** Names of jobs of unknown duration that cannot be ended: a tenant runs them in all slots but one. */
  unbounded?: readonly string[];
  /**
   * A tenant with long jobs leaves the last slot to tenants with short ones, as long as such jobs arrive. A slow
   * tenant's jobs get another priority, because the original one assumes that all jobs of one cost take equally long.
   */
  costed?: CostedJobs;
  /** The job of these that started last is preempted for another tenant when all slots are held for long. */
  preemptible?: PreemptibleJobs;
}

interface RunningJob {
  tenantId: string;
  name: string;
  startedMs: number;
  end: AbortController;
}

export interface FairSlots {
  /** Above 0, the job has to wait so that another tenant's work finds a slot; at 0, its handler is to be called. */
  deferMs(payload: unknown, name?: string): Promise<number>;
  /** Gives the priority for a job of a slow tenant: after the tenant's earlier jobs, by the time that those take. */
  priorityOf(payload: unknown, name: string, priority: number): Promise<number>;
  /**
   * Wraps handlers so that their jobs are counted. The signal is aborted with a PreemptedError when the slot is wanted.
   */
  track<H extends Handlers>(handlers: H): TrackedHandlers<H>;
}

type TrackedHandlers<H extends Handlers> = { [N in keyof H]: (payload: Parameters<H[N]>[0]) => Promise<void> };

/**
 * Shares the slots of this process between tenants. One slot stays free of a tenant that holds all others, as long as
 * another tenant has work: slow expressions delay only their own tenant. A single active tenant gets every slot, except
 * for unbounded jobs. When all slots are held for long and a tenant without a slot waits, the job that started last is
 * preempted.
 */
export function createFairSlots(
  size: number,
  othersHaveWork: (tenantId: string) => Promise<boolean>,
  options: FairSlotsOptions = {},
): FairSlots {
  const slots = new ProcessSlots(size, othersHaveWork, options);
  return {
    deferMs: (payload, name = '') => slots.deferMs(payload as TenantPayload, name),
    priorityOf: (payload, name, priority) => slots.priorityOf(payload as TenantPayload, name, priority),
    track: <H extends Handlers>(handlers: H) =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [
          name,
          (payload: never) => slots.run(name, payload, handler),
        ]),
      ) as TrackedHandlers<H>,
  };
}

class ProcessSlots {
  /** In the order in which the jobs started. */
  private readonly running = new Set<RunningJob>();
  private readonly returns = new SpacedReturns();
  private readonly unboundedSlots: OwnerSlots;
  /** Tenants that leave the last slot to others. */
  private readonly yielding = new RecentValues<true>(yieldMs);
  private readonly recentTenants = new RecentValues<true>(yieldMs);
  private readonly recentShort = new RecentValues<true>(recentMs);
  private readonly slowdowns = new SlowdownEstimates(yieldMs);

  constructor(
    private readonly size: number,
    private readonly othersHaveWork: (tenantId: string) => Promise<boolean>,
    private readonly options: FairSlotsOptions,
  ) {
    this.unboundedSlots = new OwnerSlots(size - 1);
  }

  async deferMs(payload: TenantPayload, name: string): Promise<number> {
    const { tenantId } = payload;
    if (this.size < 2) return 0;
    const isUnbounded = this.options.unbounded?.includes(name) === true;
    if (isUnbounded && this.unboundedSlots.isFull(tenantId)) return this.unboundedSlots.waitMs(tenantId);
    if (this.running.size >= this.size - 1 && this.leavesLast(payload, name)) return this.defer(tenantId);
    const isLast = this.runningOf(tenantId).length >= this.size - 1;
    if (isLast && (await this.othersHaveWork(tenantId))) return this.defer(tenantId);
    return isUnbounded ? this.unboundedSlots.acquire(tenantId) : 0;
  }

  async priorityOf(payload: TenantPayload, name: string, priority: number): Promise<number> {
    const { tenantId } = payload;
    const costed = this.costedJobs(name);
    if (!costed || !this.recentTenants.hasOthers(tenantId)) return priority;
    const ms = this.expectedMs(costed, payload);
    if (this.slowdowns.of(tenantId) < slowFactor || ms < minSlowMs) return priority;
    await costed.priorities.ready();
    return Math.max(priority, costed.priorities.next(tenantId, ms / usualMs));
  }

  async run(name: string, payload: never, handler: Handlers[string]): Promise<void> {
    const { tenantId } = payload as TenantPayload;
    const job = { tenantId, name, startedMs: performance.now(), end: new AbortController() };
    const costed = this.costedJobs(name);
    this.running.add(job);
    this.recentTenants.set(tenantId, true);
    if (costed && this.expectedMs(costed, payload) < longMs) this.recentShort.set(tenantId, true);
    const checks =
      this.size > 1 && this.isPreemptible(name)
        ? setInterval(() => void this.preemptIfWanted(job), checkEveryMs)
        : undefined;
    try {
      await handler(payload, job.end.signal);
    } finally {
      clearInterval(checks);
      this.running.delete(job);
      if (this.runningOf(tenantId).length === 0) this.returns.forgetPast(tenantId);
      if (this.options.unbounded?.includes(name)) this.unboundedSlots.release(tenantId);
      const usual = (costed?.costOf(payload) ?? 0) * usualMs;
      if (costed) this.slowdowns.add(tenantId, (performance.now() - job.startedMs) / usual);
    }
  }

  private runningOf(tenantId: string): RunningJob[] {
    return [...this.running].filter((job) => job.tenantId === tenantId);
  }

  private costedJobs(name: string): CostedJobs | undefined {
    const { costed } = this.options;
    return costed?.names.includes(name) ? costed : undefined;
  }

  private expectedMs(costed: CostedJobs, payload: TenantPayload): number {
    return costed.costOf(payload) * usualMs * this.slowdowns.of(payload.tenantId);
  }

  private isPreemptible(name: string): boolean {
    return this.options.preemptible?.names.includes(name) === true;
  }

  private leavesLast(payload: TenantPayload, name: string): boolean {
    const { tenantId } = payload;
    if (this.isPreemptible(name) && this.yielding.get(tenantId)) return true;
    const costed = this.costedJobs(name);
    return costed !== undefined && this.expectedMs(costed, payload) >= longMs && this.recentShort.hasOthers(tenantId);
  }

  /** Gives the time for which a job goes back to the queue. */
  private defer(tenantId: string): number {
    const nowMs = performance.now();
    const runningMs = nowMs - (this.runningOf(tenantId)[0]?.startedMs ?? nowMs);
    const spacingMs = Math.min(runningMs, maxSpacingMs) / (this.size - 1);
    return this.returns.next(tenantId, spacingMs, { minMs: deferralMs, maxMs: maxDeferralMs });
  }

  private async preemptIfWanted(job: RunningJob): Promise<void> {
    const { preemptible } = this.options;
    const running = [...this.running];
    if (running.length < this.size || running.findLast(({ name }) => this.isPreemptible(name)) !== job) return;
    // A slot that was taken a moment ago is usually free again soon.
    if (performance.now() - (running.at(-1) as RunningJob).startedMs < minRunMs) return;
    try {
      if (!(await preemptible?.othersWait([...new Set(running.map(({ tenantId }) => tenantId))]))) return;
    } catch (error) {
      const fields = { reason: messageOf(error) };
      preemptible?.logger.warn(fields, 'could not check whether another tenant waits for a slot: repeated in a second');
      return;
    }
    this.yielding.set(job.tenantId, true);
    job.end.abort(new PreemptedError());
  }
}
