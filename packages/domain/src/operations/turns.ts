import { OwnerSlots, type JobPayload } from '@tieout/infra';
import type { Jobs } from '../kernel/jobs';
import type { MaintenanceHandlers } from './handlers';

/** Jobs of the maintenance queue that a process runs at a time: clean-ups, what removes what is old, and a sweep. */
export const maintenanceAtOnce = 4;
const cleanUpsAtOnce = 2;
const everybody = 'everybody';

type CleanUp = JobPayload<Jobs, 'matching.cleanup'>;

interface MaintenanceTurns {
  /** Above 0 when the job goes back to the queue for so long. */
  deferMs(payload: unknown, name: string): Promise<number>;
  handlers: MaintenanceHandlers;
}

/**
 * Clean-ups and retention may take minutes, and no sweep waits for them: there are fewer at a time than slots. A tenant has one clean-up at a
 * time, for those of a rule set would wait for each other.
 */
export function inMaintenanceTurns(handlers: MaintenanceHandlers): MaintenanceTurns {
  const turns = new OwnerSlots(cleanUpsAtOnce);
  const turnsOfTenants = new OwnerSlots(1);
  const takeTurn = (tenantId: string): number => {
    if (turnsOfTenants.isFull(tenantId)) return turnsOfTenants.waitMs(tenantId);
    const waitMs = turns.acquire(everybody);
    return waitMs > 0 ? waitMs : turnsOfTenants.acquire(tenantId);
  };
  return {
    deferMs: (payload, name) =>
      Promise.resolve(name === 'matching.cleanup' ? takeTurn((payload as CleanUp).tenantId) : 0),
    handlers: {
      ...handlers,
      'matching.cleanup': async (payload) => {
        try {
          await handlers['matching.cleanup'](payload);
        } finally {
          turnsOfTenants.release(payload.tenantId);
          turns.release(everybody);
        }
      },
    },
  };
}
