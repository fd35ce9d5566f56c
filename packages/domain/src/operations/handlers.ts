import { createKnownKeys, messageOf, type Cipher, type JobPayload } from '@tieout/infra';
import { purgeDeletedDatasets } from '../removal';
import { createFileRetention, sweepFiles } from '../data/files';
import { deleteExpiredAnswers } from '../access/idempotency';
import { parametersPurpose, sweepItems } from '../feeds/items';
import type { JobProducer, Jobs } from '../kernel/jobs';
import { deleteOldRemovalNotes } from '../results/matches';
import { domainMetrics } from '../kernel/metrics';
import { cleanUpJob, deleteOldJobs, expireResults, sweepMatchingJobs, sweepStages } from '../matching';
import { createHungSessionsEnd } from './hung-sessions';
import { sweepReceivedRecords, sweepReprocessing } from '../data/records';
import { defaultRetention, repeatWithPauses, type Days, type RetentionPolicy } from '../kernel/retention';
import { tenantScope, type DomainDeps } from '../kernel/scope';
import { deleteOldDeliveries } from '../webhooks';
import { analyseGrownTables } from './statistics';

const sweepEveryMs = 5_000;
const retentionEveryMs = 60_000;
const msPerDay = 86_400_000;

/**
 * The jobs of the maintenance queue. A sweep looks for work whose queue job is lost: the rows own the truth,
 * so an emptied queue delays work and loses none.
 * @param cipher says which keys there are: what needs another one is left alone
 * @param kept how long what is over stays
 * @param hungAfterSeconds how long a process may keep another one waiting without a word to the database
 */
export function createMaintenanceHandlers(
  deps: DomainDeps,
  cipher: Pick<Cipher, 'keyIds'>,
  kept: RetentionPolicy = defaultRetention,
  hungAfterSeconds?: number,
) {
  const keys = createKnownKeys(cipher, parametersPurpose, deps.logger);
  const rescue = { hungSessions: createHungSessionsEnd(deps.db.system, deps.logger, hungAfterSeconds) };
  const sweeps = {
    ...rescue,
    records: () => sweepReceivedRecords(deps),
    reprocessing: () => sweepReprocessing(deps),
    files: () => sweepFiles(deps),
    matchingJobs: () => sweepMatchingJobs(deps),
    deletedDatasets: () => purgeDeletedDatasets(deps),
    items: () => sweepItems(deps, keys),
    stages: () => sweepStages(deps),
    statistics: () => analyseGrownTables(deps.db.system),
  };
  const retention = {
    idempotencyKeys: () => deleteExpiredAnswers(deps.db.system),
    supersededMatches: ifKept(kept.supersededMatches, (days) => expireResults(deps, days)),
    removedRecords: () => deleteOldRemovalNotes(deps.db.system),
    matchingJobs: ifKept(kept.matchingJobs, (days) => deleteOldJobs(deps, days)),
    deliveries: ifKept(kept.deliveries, (days) => deleteOldDeliveries(deps.db.system, days)),
    files: ifKept(kept.files, createFileRetention(deps)),
    failedQueueJobs: ifKept(kept.failedQueueJobs, (days) =>
      repeatWithPauses(() => deps.queue.removeFailed(days * msPerDay)),
    ),
  };
  return {
    'matching.cleanup': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.cleanup'>): Promise<void> =>
      cleanUpJob(tenantScope(deps, tenantId), jobId, kept.supersededMatches),
    // A sweep may itself wait for a process that hangs: those that come meanwhile free it.
    'maintenance.sweep': onceAtATime(
      () => runEach(sweeps),
      () => runEach(rescue),
    ),
    'maintenance.retention': onceAtATime(() => runEach(retention)),
  };
}

export type MaintenanceHandlers = ReturnType<typeof createMaintenanceHandlers>;

/** What is kept for ever needs no looking at. */
const ifKept =
  (days: Days, work: (days: number) => Promise<void>): (() => Promise<void>) =>
  () =>
    days === null ? Promise.resolve() : work(days);

/** Runs the sweeps one after the other; one that fails does not keep the others from running. */
async function runEach(sweeps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: string[] = [];
  for (const [name, sweep] of Object.entries(sweeps)) {
    const startedMs = performance.now();
    const ended = (outcome: 'done' | 'failed'): void =>
      domainMetrics.observe(
        'tieout_sweep_duration_seconds',
        { sweep: name, outcome },
        (performance.now() - startedMs) / 1000,
      );
    try {
      await sweep();
      ended('done');
    } catch (error) {
      ended('failed');
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** What comes while the work is under way does only what is left for it, and does not wait in a slot behind what holds the work up. */
function onceAtATime(
  work: () => Promise<void>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): () => Promise<void> {
  let isUnderWay = false;
  return async () => {
    if (isUnderWay) return meanwhile();
    isUnderWay = true;
    try {
      await work();
    } finally {
      isUnderWay = false;
    }
  };
}

/** Makes the sweeps run regularly, once however many processes ask for it. */
export async function scheduleMaintenance(queue: JobProducer): Promise<void> {
  await queue.schedule('maintenance.sweep', {}, sweepEveryMs);
  await queue.schedule('maintenance.retention', {}, retentionEveryMs);
}
