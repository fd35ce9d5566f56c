/** How long a job of a tenant that has enough slots goes back to the queue. */
const deferralMs = 200;
/** The same for an unbounded one: about as long as the one in hand has taken so far, since most are short. */
const leastTurnMs = 25;
const mostTurnMs = 100;

interface TenantPayload {
  tenantId: string;
}

type Handlers = Record<string, (payload: never) => Promise<void>>;

export interface FairSlots {
  /** Above 0 when the job has to wait, so that another tenant's work finds a slot; at 0 its handler is to be called. */
  deferMs(payload: unknown, name?: string): Promise<number>;
  /** The same handlers, counting who is running. */
  hold<H extends Handlers>(handlers: H): H;
}

/**
 * Keeps one slot of this process free of a tenant that holds all the others, as long as another tenant has work: a
 * run-away rule set delays nobody but its own tenant. A tenant that is alone gets every slot, but for jobs of these names, of
 * which nobody knows how long one takes and none can be cut: they leave a slot to those who come later.
 */
export function createFairSlots(
  size: number,
  othersHaveWork: (tenantId: string) => Promise<boolean>,
  unbounded: readonly string[] = [],
): FairSlots {
  const running = new Map<string, number>();
  const turns = new Turns(size - 1);
  const change = (tenantId: string, by: number): void => {
    const count = (running.get(tenantId) ?? 0) + by;
    if (count === 0) running.delete(tenantId);
    else running.set(tenantId, count);
  };
  const held =
    (name: string, handler: (payload: never) => Promise<void>) =>
    async (payload: never): Promise<void> => {
      const { tenantId } = payload as TenantPayload;
      change(tenantId, 1);
      try {
        await handler(payload);
      } finally {
        change(tenantId, -1);
        if (unbounded.includes(name)) turns.end(tenantId);
      }
    };
  return {
    deferMs: async (payload, name = '') => {
      const { tenantId } = payload as TenantPayload;
      if (size < 2) return 0;
      const takesTurn = unbounded.includes(name);
      if (takesTurn && turns.areTaken(tenantId)) return turns.waitMs(tenantId);
      if ((running.get(tenantId) ?? 0) >= size - 1 && (await othersHaveWork(tenantId))) return deferralMs;
      return takesTurn ? turns.take(tenantId) : 0;
    },
    hold: <H extends Handlers>(handlers: H) =>
      Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, held(name, handler)])) as H,
  };
}

interface Turn {
  taken: number;
  /** When the latest was taken. */
  sinceMs: number;
  /** When the last one that waits comes back. */
  backMs: number;
}

/** So many at a time for each tenant. What waits comes back one after the other: all at once they would keep a slot busy with sending them away. */
class Turns {
  private readonly tenants = new Map<string, Turn>();

  constructor(private readonly size: number) {}

  areTaken(tenantId: string): boolean {
    return (this.tenants.get(tenantId)?.taken ?? 0) >= this.size;
  }

  /** Looks and takes in one: what was free a moment ago need not be. */
  take(tenantId: string): number {
    if (this.areTaken(tenantId)) return this.waitMs(tenantId);
    const { taken = 0, backMs = 0 } = this.tenants.get(tenantId) ?? {};
    this.tenants.set(tenantId, { taken: taken + 1, sinceMs: performance.now(), backMs });
    return 0;
  }

  waitMs(tenantId: string): number {
    const nowMs = performance.now();
    const turn = this.tenants.get(tenantId);
    if (!turn) return 0;
    const turnMs = Math.min(Math.max(nowMs - turn.sinceMs, leastTurnMs), mostTurnMs);
    turn.backMs = Math.max(turn.backMs, nowMs) + turnMs;
    return Math.ceil(turn.backMs - nowMs);
  }

  end(tenantId: string): void {
    const turn = this.tenants.get(tenantId);
    if (!turn) return;
    turn.taken--;
    // As long as some are to come back, the next that waits comes behind them.
    if (turn.taken === 0 && turn.backMs <= performance.now()) this.tenants.delete(tenantId);
  }
}
