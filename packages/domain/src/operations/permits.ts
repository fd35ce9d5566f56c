import { OwnerSlots } from '@tieout/infra';
import type { MaintenanceHandlers } from './handlers';

/** Max concurrent jobs of the maintenance queue in a process: clean-ups and erasures, retention and a sweep. */
export const maxConcurrentMaintenance = 4;
const maxConcurrentCleanUps = 2;
/** The owner of the slots that all tenants share. */
const allTenants = 'all';

const longJobs = ['matching.cleanup', 'tenant.erase'] as const;
const isLong = (name: string): boolean => longJobs.some((one) => one === name);

interface MaintenanceJobs {
  /** Returns how long a job goes back to the queue; 0: it runs now. */
  deferMs(payload: unknown, name: string): Promise<number>;
  handlers: MaintenanceHandlers;
}

/**
 * Runs clean-ups and erasures with a permit. They may take minutes, so they get fewer permits than there are slots,
 * which keeps one free for sweeps. A tenant has one of them at a time, since clean-ups of a rule set would wait for
 * each other.
 */
export function withMaintenancePermit(handlers: MaintenanceHandlers): MaintenanceJobs {
  const permits = new OwnerSlots(maxConcurrentCleanUps);
  const tenantPermits = new OwnerSlots(1);
  const acquire = (tenantId: string): number => {
    if (tenantPermits.isFull(tenantId)) return tenantPermits.waitMs(tenantId);
    const waitMs = permits.acquire(allTenants);
    return waitMs > 0 ? waitMs : tenantPermits.acquire(tenantId);
  };
  const releasing =
    <P extends { tenantId: string }>(handle: (payload: P) => Promise<void>) =>
    async (payload: P): Promise<void> => {
      try {
        await handle(payload);
      } finally {
        tenantPermits.release(payload.tenantId);
        permits.release(allTenants);
      }
    };
  return {
    deferMs: (payload, name) => Promise.resolve(isLong(name) ? acquire((payload as { tenantId: string }).tenantId) : 0),
    handlers: {
      ...handlers,
      'matching.cleanup': releasing(handlers['matching.cleanup']),
      'tenant.erase': releasing(handlers['tenant.erase']),
    },
  };
}
