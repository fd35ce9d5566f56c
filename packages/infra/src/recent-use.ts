/** Tenants that are remembered; when there are more, all begin anew. */
const mostTenants = 10_000;

/** What tenants have used lately, in any unit. */
export interface RecentUse {
  of(tenantId: string | undefined, nowMs?: number): number;
  add(tenantId: string | undefined, amount: number, nowMs?: number): void;
}

/** @param halfLifeMs after which half of what was used is forgotten */
export function createRecentUse(halfLifeMs: number): RecentUse {
  const uses = new Map<string | undefined, { amount: number; atMs: number }>();
  const of = (tenantId: string | undefined, nowMs = performance.now()): number => {
    const use = uses.get(tenantId);
    return use === undefined ? 0 : use.amount * 0.5 ** ((nowMs - use.atMs) / halfLifeMs);
  };
  return {
    of,
    add: (tenantId, amount, nowMs = performance.now()) => {
      if (uses.size >= mostTenants) uses.clear();
      uses.set(tenantId, { amount: of(tenantId, nowMs) + amount, atMs: nowMs });
    },
  };
}
