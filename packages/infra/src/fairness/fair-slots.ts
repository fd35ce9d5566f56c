import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import type { FairPriorities } from './fair-priorities';
import { mostTurnMs, OwnerSlots } from './owner-slots';

/** How long a job goes back to the queue which had to make room, or whose tenant has enough slots: that long at least. */
export const deferralMs = 200;
/** None comes back later, for the others may have gone by then: a few hundred come back in that time without keeping a slot busy. */
const longestDeferralMs = 2_000;

/** A job that has been in hand for so long is looked at so often, whether it has to make room. */
const longTurnMs = 5_000;
const lookEveryMs = 1_000;
/** So long its tenant then leaves the last free slot to others: where these come again and again, what is begun would be ended each time. */
const restMs = 30_000;
/** What a paced job of cost 1 takes as a rule. */
const usualMs = 100;
/** A tenant whose jobs take so many times as long is slow, and shorter jobs of it are too short to be numbered anew. */
const slowTimes = 4;
const leastSlowMs = 50;
/** So long a job may take without another tenant's being given a slot that it need not wait for. */
const longMs = 1_000;
/** A slot is left to those whose jobs are not long for so long after one of them has been there. */
const guestMs = 10_000;
/** A tenant's pace is the median of its latest jobs: one that has waited for a process to start, or for the database, tells nothing. */
const pacedJobs = { least: 3, most: 5 };

interface TenantPayload {
  tenantId: string;
}

type Handlers = Record<string, (payload: never, signal: AbortSignal) => Promise<void>>;

/** Another tenant waits for the slot of this job: it goes back to the queue, and has not failed. */
export class PreemptedError extends Error {
  constructor() {
    super('Another tenant waits for the slot');
  }
}

export interface FairSlotsOptions {
  /** Jobs of which nobody knows how long one takes, and which cannot be ended: they leave a slot to those who come later. */
  unbounded?: readonly string[];
  /**
   * Jobs that are short, unless what their tenant has written makes them long: it then leaves the last slot to tenants whose jobs are not, as long
   * as these come. Their priorities are numbers of lanes, which take for granted that all jobs of one cost take as long.
   */
  paced?: { names: readonly string[]; costOf: (payload: unknown) => number; priorities: FairPriorities };
  /** Jobs that may be ended at any point and run again, once another tenant than those of the jobs in hand has waited for a while. */
  repeatable?: {
    names: readonly string[];
    othersWait: (tenantIds: readonly string[]) => Promise<boolean>;
    logger: Logger;
  };
}

/** A job in hand. */
interface Running {
  tenantId: string;
  name: string;
  sinceMs: number;
  end: AbortController;
}

export interface FairSlots {
  /** Above 0 when the job has to wait, so that another tenant's work finds a slot; at 0 its handler is to be called. */
  deferMs(payload: unknown, name?: string): Promise<number>;
  /** The number that a job should have which came with this one, not below it: behind what its tenant has, by the time which that takes. */
  priorityOf(payload: unknown, name: string, number: number): Promise<number>;
  /** The same handlers, counting who is running. Their signal is aborted with a TurnEndedError when the slot is wanted. */
  track<H extends Handlers>(handlers: H): Held<H>;
}

type Held<H extends Handlers> = { [N in keyof H]: (payload: Parameters<H[N]>[0]) => Promise<void> };

/**
 * Keeps one slot of this process free of a tenant that holds all the others, as long as another tenant has work: a
 * run-away rule set delays nobody but its own tenant. A tenant that is alone gets every slot, but for unbounded jobs. When all slots are held
 * for long and a tenant waits that holds none, the job that began last makes room.
 */
export function createFairSlots(
  size: number,
  othersHaveWork: (tenantId: string) => Promise<boolean>,
  { unbounded = [], paced, repeatable }: FairSlotsOptions = {},
): FairSlots {
  /** In the order in which they began. */
  const running = new Set<Running>();
  const turns = new OwnerSlots(size - 1);
  /** When the last one that went back comes back. */
  const backs = new Map<string, number>();
  /** Tenants that leave the last slot to others. */
  const rests = new Lately<true>(restMs);
  const visits = new Lately<true>(restMs);
  /** Visits of those whose jobs are not long. */
  const guests = new Lately<true>(guestMs);
  const paces = new Paces();
  const isPaced = (name: string): boolean => paced?.names.includes(name) === true;
  /** How long a paced job is expected to take. */
  const expectedMs = (payload: unknown): number =>
    (paced?.costOf(payload) ?? 0) * usualMs * paces.of((payload as TenantPayload).tenantId);
  const isRepeatable = (name: string): boolean => repeatable?.names.includes(name) === true;
  const runningOf = (tenantId: string): number => [...running].filter((job) => job.tenantId === tenantId).length;
  /** All at once they would keep the last slot busy with sending them away, and what is behind them in the queue would not be reached. */
  const defer = (tenantId: string): number => {
    const nowMs = performance.now();
    const inHandMs = nowMs - ([...running].find((job) => job.tenantId === tenantId)?.sinceMs ?? nowMs);
    const spacedMs = (backs.get(tenantId) ?? 0) + Math.min(inHandMs, mostTurnMs) / (size - 1);
    const backMs = Math.min(Math.max(nowMs + deferralMs, spacedMs), nowMs + longestDeferralMs);
    backs.set(tenantId, backMs);
    return Math.ceil(backMs - nowMs);
  };
  /** Whether it may not have the last slot. */
  const leavesLast = (payload: unknown, tenantId: string, name: string): boolean =>
    (isRepeatable(name) && rests.get(tenantId) === true) ||
    (isPaced(name) && expectedMs(payload) >= longMs && guests.hasOthers(tenantId));
  const makeRoom = async (job: Running): Promise<void> => {
    const inHand = [...running];
    if (inHand.length < size || inHand.findLast(({ name }) => isRepeatable(name)) !== job) return;
    // A slot that was taken a moment ago will be free for the next one soon, as a rule.
    if (performance.now() - (inHand.at(-1) as Running).sinceMs < longTurnMs) return;
    if (!(await repeatable?.othersWait([...new Set([...running].map(({ tenantId }) => tenantId))]))) return;
    rests.set(job.tenantId, true);
    job.end.abort(new PreemptedError());
  };
  const cannotTell = (error: unknown): void =>
    repeatable?.logger.warn(
      { reason: messageOf(error) },
      'cannot tell whether another tenant waits for a slot: asked again in a second',
    );
  const held =
    (name: string, handler: Handlers[string]) =>
    async (payload: never): Promise<void> => {
      const { tenantId } = payload as TenantPayload;
      const job = { tenantId, name, sinceMs: performance.now(), end: new AbortController() };
      running.add(job);
      visits.set(tenantId, true);
      if (isPaced(name) && expectedMs(payload) < longMs) guests.set(tenantId, true);
      const looks =
        size < 2 || !isRepeatable(name)
          ? undefined
          : setInterval(() => void makeRoom(job).catch(cannotTell), lookEveryMs);
      try {
        await handler(payload, job.end.signal);
      } finally {
        clearInterval(looks);
        running.delete(job);
        if (runningOf(tenantId) === 0 && (backs.get(tenantId) ?? 0) <= performance.now()) backs.delete(tenantId);
        if (unbounded.includes(name)) turns.release(tenantId);
        if (paced && isPaced(name))
          paces.add(tenantId, (performance.now() - job.sinceMs) / (paced.costOf(payload) * usualMs));
      }
    };
  return {
    deferMs: async (payload, name = '') => {
      const { tenantId } = payload as TenantPayload;
      if (size < 2) return 0;
      const takesTurn = unbounded.includes(name);
      if (takesTurn && turns.isFull(tenantId)) return turns.waitMs(tenantId);
      if (running.size >= size - 1 && leavesLast(payload, tenantId, name)) return defer(tenantId);
      if (runningOf(tenantId) >= size - 1 && (await othersHaveWork(tenantId))) return defer(tenantId);
      return takesTurn ? turns.acquire(tenantId) : 0;
    },
    priorityOf: async (payload, name, number) => {
      const { tenantId } = payload as TenantPayload;
      if (!paced || !isPaced(name) || !visits.hasOthers(tenantId)) return number;
      const ms = expectedMs(payload);
      if (paces.of(tenantId) < slowTimes || ms < leastSlowMs) return number;
      await paced.priorities.ready();
      return paced.priorities.next(tenantId, ms / usualMs, number);
    },
    track: <H extends Handlers>(handlers: H) =>
      Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, held(name, handler)])) as Held<H>,
  };
}

/** A value of each tenant for which one was set lately. */
class Lately<T> {
  /** The latest at the end. */
  private readonly values = new Map<string, { value: T; atMs: number }>();

  constructor(private readonly rememberedMs: number) {}

  set(tenantId: string, value: T): void {
    const nowMs = performance.now();
    this.values.delete(tenantId);
    this.values.set(tenantId, { value, atMs: nowMs });
    for (const [first, { atMs }] of this.values) {
      if (atMs > nowMs - this.rememberedMs) break;
      this.values.delete(first);
    }
  }

  get(tenantId: string): T | undefined {
    const own = this.values.get(tenantId);
    return own && own.atMs > performance.now() - this.rememberedMs ? own.value : undefined;
  }

  hasOthers(tenantId: string): boolean {
    const sinceMs = performance.now() - this.rememberedMs;
    return [...this.values].some(([other, { atMs }]) => other !== tenantId && atMs > sinceMs);
  }
}

/** How many times as long as usual the jobs of tenants take. */
class Paces {
  /** Of each tenant, the latest at the end. */
  private readonly latest = new Lately<readonly number[]>(restMs);

  add(tenantId: string, pace: number): void {
    this.latest.set(tenantId, [...(this.latest.get(tenantId) ?? []), pace].slice(-pacedJobs.most));
  }

  /** 1 for one that has had few. */
  of(tenantId: string): number {
    const paces = [...(this.latest.get(tenantId) ?? [])].sort((a, b) => a - b);
    return paces.length < pacedJobs.least ? 1 : (paces[(paces.length - 1) >> 1] as number);
  }
}
