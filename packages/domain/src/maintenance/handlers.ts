import { messageOf, type JobPayload } from '@tieout/infra';
import { purgeDeletedDatasets } from '../datasets';
import { sweepFiles } from '../files';
import { deleteExpiredAnswers } from '../idempotency';
import { sweepItems } from '../items';
import type { JobProducer, Jobs } from '../jobs';
import { domainMetrics } from '../metrics';
import { cleanUpJob, sweepMatchingJobs, sweepStages } from '../matching-jobs';
import { endHungSessions } from './hung-sessions';
import { sweepReceivedRecords, sweepReprocessing } from '../records';
import { tenantScope, type DomainDeps } from '../scope';
import { deleteOldDeliveries } from '../webhooks';

const sweepEveryMs = 5_000;

/**
 * The jobs of the maintenance queue. A sweep looks for work whose queue job is lost: the rows own the truth,
 * so an emptied queue delays work and loses none.
 */
export function createMaintenanceHandlers(deps: DomainDeps) {
  const sweeps = {
    hungSessions: () => endHungSessions(deps.db.system, deps.logger),
    records: () => sweepReceivedRecords(deps),
    reprocessing: () => sweepReprocessing(deps),
    files: () => sweepFiles(deps),
    matchingJobs: () => sweepMatchingJobs(deps),
    deletedDatasets: () => purgeDeletedDatasets(deps),
    items: () => sweepItems(deps),
    stages: () => sweepStages(deps),
    idempotencyKeys: () => deleteExpiredAnswers(deps.db.system),
    oldDeliveries: () => deleteOldDeliveries(deps.db.system),
  };
  return {
    'matching.cleanup': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.cleanup'>): Promise<void> =>
      cleanUpJob(tenantScope(deps, tenantId), jobId),
    'maintenance.sweep': async (): Promise<void> => {
      const failures: string[] = [];
      for (const [name, sweep] of Object.entries(sweeps)) {
        const startedMs = performance.now();
        const ended = (outcome: 'done' | 'failed'): void =>
          domainMetrics.observe('tieout_sweep_duration_seconds', { sweep: name, outcome }, (performance.now() - startedMs) / 1000);
        try {
          await sweep();
          ended('done');
        } catch (error) {
          ended('failed');
          // One kind of sweep must not keep the others from running.
          failures.push(`${name}: ${messageOf(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join('; '));
    },
  };
}

/** Makes the sweep run every few seconds, once however many processes ask for it. */
export function scheduleMaintenance(queue: JobProducer): Promise<void> {
  return queue.schedule('maintenance.sweep', {}, sweepEveryMs);
}
