/** How long a job of a tenant that has enough slots goes back to the queue. */
const deferralMs = 200;

interface TenantPayload {
  tenantId: string;
}

type Handlers = Record<string, (payload: never) => Promise<void>>;

export interface FairSlots {
  /** Above 0 when the job has to wait, so that another tenant's work finds a slot. */
  deferMs(payload: unknown): Promise<number>;
  /** The same handlers, counting who is running. */
  hold<H extends Handlers>(handlers: H): H;
}

/**
 * Keeps one slot of this process free of a tenant that holds all the others, as long as another tenant has work: a
 * run-away rule set delays nobody but its own tenant. A tenant that is alone gets every slot.
 */
export function createFairSlots(size: number, othersHaveWork: (tenantId: string) => Promise<boolean>): FairSlots {
  const running = new Map<string, number>();
  const change = (tenantId: string, by: number): void => {
    const count = (running.get(tenantId) ?? 0) + by;
    if (count === 0) running.delete(tenantId);
    else running.set(tenantId, count);
  };
  const held =
    (handler: (payload: never) => Promise<void>) =>
    async (payload: never): Promise<void> => {
      const { tenantId } = payload as TenantPayload;
      change(tenantId, 1);
      try {
        await handler(payload);
      } finally {
        change(tenantId, -1);
      }
    };
  return {
    deferMs: async (payload) => {
      const { tenantId } = payload as TenantPayload;
      if (size < 2 || (running.get(tenantId) ?? 0) < size - 1) return 0;
      return (await othersHaveWork(tenantId)) ? deferralMs : 0;
    },
    hold: <H extends Handlers>(handlers: H) =>
      Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, held(handler)])) as H,
  };
}
