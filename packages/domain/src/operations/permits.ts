import { OwnerSlots, type JobPayload } from '@tieout/infra';
import type { Jobs } from '../kernel/jobs';
import type { MaintenanceHandlers } from './handlers';

/** Max concurrent jobs of the maintenance queue in a process: clean-ups, retention and a sweep. */
export const maxConcurrentMaintenance = 4;
const maxConcurrentCleanUps = 2;
/** The owner of the slots that all tenants share. */
const allTenants = 'all';

type CleanUp = JobPayload<Jobs, 'matching.cleanup'>;

interface MaintenanceJobs {
  /** Returns how long a job goes back to the queue; 0: it runs now. */
  deferMs(payload: unknown, name: string): Promise<number>;
  handlers: MaintenanceHandlers;
}

/**
 * Runs clean-ups with a permit. They may take minutes, so they get fewer permits than there are slots, which keeps one
 * free for sweeps. A tenant has one clean-up at a time, since clean-ups of a rule set would wait for each other.
 */
export function withMaintenancePermit(handlers: MaintenanceHandlers): MaintenanceJobs {
  const permits = new OwnerSlots(maxConcurrentCleanUps);
  const tenantPermits = new OwnerSlots(1);
  const acquire = (tenantId: string): number => {
    if (tenantPermits.isFull(tenantId)) return tenantPermits.waitMs(tenantId);
    const waitMs = permits.acquire(allTenants);
    return waitMs > 0 ? waitMs : tenantPermits.acquire(tenantId);
  };
  return {
    deferMs: (payload, name) =>
      Promise.resolve(name === 'matching.cleanup' ? acquire((payload as CleanUp).tenantId) : 0),
    handlers: {
      ...handlers,
      'matching.cleanup': async (payload) => {
        try {
          await handlers['matching.cleanup'](payload);
        } finally {
          tenantPermits.release(payload.tenantId);
          permits.release(allTenants);
        }
      },
    },
  };
}
