import { createKnownKeys, messageOf, type Cipher, type JobPayload } from '@tieout/infra';
import { eraseTenant, purgeDeletedDatasets, sweepDeletedTenants } from '../removal';
import { whileActive } from '../access/pauses';
import { deleteOldProposals } from '../agents';
import { reportAuditHeads } from '../audit';
import { createFileRetention, sweepFiles } from '../data/files';
import { deleteExpiredAnswers } from '../access/idempotency';
import { deleteEndedSessions } from '../access/sessions';
import { parametersPurpose, sweepItems } from '../feeds/items';
import type { JobProducer, Jobs } from '../kernel/jobs';
import { deleteOldRemovalNotes } from '../results/matches';
import { sweepStaleReviews } from '../results/reviews';
import { domainMetrics } from '../kernel/metrics';
import { cleanUpJob, deleteOldJobs, expireResults, sweepDueRuns, sweepMatchingJobs, sweepStages } from '../matching';
import {
  deleteOldInquiries,
  simulationInquiry,
  suggestionInquiry,
  sweepInquiries,
  trainingInquiry,
} from '../inquiries';
import { fillItems, foldTotals, sweepChangedItems, sweepProofs, sweepUnfilled } from '../reconciliations';
import { createHungSessionCheck } from './hung-sessions';
import { sweepReceivedRecords, sweepReprocessing } from '../data/records';
import { defaultRetention, repeatWithPauses, type Days, type RetentionPolicy } from '../kernel/retention';
import { tenantScope, type DomainDeps } from '../kernel/scope';
import { deleteOldDeliveries, forgetOldSigningSecrets } from '../webhooks';
import { analyseGrownTables } from './statistics';

const sweepEveryMs = 5_000;
const retentionEveryMs = 60_000;
const msPerDay = 86_400_000;

/**
 * Creates the handlers of the maintenance queue. A sweep enqueues work whose queue job is lost: the rows own the truth,
 * so an emptied queue delays work and loses none.
 * @param cipher gives the available keys: work that needs another one is skipped
 * @param hungAfterSeconds time after which a silent session that blocks others counts as hung
 */
export function createMaintenanceHandlers(
  deps: DomainDeps,
  cipher: Pick<Cipher, 'keyIds'>,
  kept: RetentionPolicy = defaultRetention,
  hungAfterSeconds?: number,
) {
  const keys = createKnownKeys(cipher, parametersPurpose, deps.logger);
  const rescue = { hungSessions: createHungSessionCheck(deps.db.system, deps.logger, hungAfterSeconds) };
  const sweeps = {
    ...rescue,
    records: () => sweepReceivedRecords(deps),
    reprocessing: () => sweepReprocessing(deps),
    files: () => sweepFiles(deps),
    matchingJobs: () => sweepMatchingJobs(deps),
    suggestions: () => sweepInquiries(deps, suggestionInquiry),
    trainings: () => sweepInquiries(deps, trainingInquiry),
    simulations: () => sweepInquiries(deps, simulationInquiry),
    staleReviews: () => sweepStaleReviews(deps),
    deletedDatasets: () => purgeDeletedDatasets(deps),
    deletedTenants: () => sweepDeletedTenants(deps),
    dueRuns: () => sweepDueRuns(deps),
    changedItems: () => sweepChangedItems(deps),
    reconciliationTotals: () => foldTotals(deps),
    unfilledReconciliations: () => sweepUnfilled(deps),
    items: () => sweepItems(deps, keys),
    stages: () => sweepStages(deps),
    auditHeads: () => reportAuditHeads(deps),
    statistics: () => analyseGrownTables(deps.db.system),
  };
  const retention = {
    proofs: () => sweepProofs(deps),
    oldSigningSecrets: () => forgetOldSigningSecrets(deps.db.system),
    idempotencyKeys: () => deleteExpiredAnswers(deps.db.system),
    sessions: () => deleteEndedSessions(deps.db.system),
    supersededMatches: ifKept(kept.supersededMatches, (days) => expireResults(deps, days)),
    removedRecords: () => deleteOldRemovalNotes(deps.db.system),
    matchingJobs: ifKept(kept.matchingJobs, (days) => deleteOldJobs(deps, days)),
    suggestions: () => deleteOldInquiries(deps, suggestionInquiry, kept.matchingJobs),
    simulations: () => deleteOldInquiries(deps, simulationInquiry, kept.matchingJobs),
    agentProposals: ifKept(kept.matchingJobs, (days) => deleteOldProposals(deps.db.system, days)),
    deliveries: ifKept(kept.deliveries, (days) => deleteOldDeliveries(deps.db.system, days)),
    files: ifKept(kept.files, createFileRetention(deps)),
    failedQueueJobs: ifKept(kept.failedQueueJobs, (days) =>
      repeatWithPauses(() => deps.queue.removeFailed(days * msPerDay)),
    ),
  };
  return whileActive(deps, {
    'tenant.erase': ({ tenantId }: JobPayload<Jobs, 'tenant.erase'>): Promise<void> => eraseTenant(deps, tenantId),
    'matching.cleanup': ({ tenantId, jobId }: JobPayload<Jobs, 'matching.cleanup'>): Promise<void> =>
      cleanUpJob(tenantScope(deps, tenantId), jobId, kept.supersededMatches),
    'reconciliation.fill': ({ tenantId, reconciliationId }: JobPayload<Jobs, 'reconciliation.fill'>): Promise<void> =>
      fillItems(tenantScope(deps, tenantId), reconciliationId),
    // A sweep may itself wait for a hung session: the sweeps that follow end that session.
    'maintenance.sweep': skipIfRunning(
      () => runEach(sweeps),
      () => runEach(rescue),
    ),
    'maintenance.retention': skipIfRunning(() => runEach(retention)),
  });
}

export type MaintenanceHandlers = ReturnType<typeof createMaintenanceHandlers>;

/** Does nothing where data are kept for ever. */
const ifKept =
  (days: Days, work: (days: number) => Promise<void>): (() => Promise<void>) =>
  () =>
    days === null ? Promise.resolve() : work(days);

/** Runs the sweeps one after the other; a failing one does not stop the others. */
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

/** Runs the work once at a time. A call during a run calls `meanwhile` instead, so that it does not occupy a slot. */
function skipIfRunning(
  work: () => Promise<void>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return meanwhile();
    isRunning = true;
    try {
      await work();
    } finally {
      isRunning = false;
    }
  };
}

/** Schedules sweeps and retention; however many processes call this, there is one schedule. */
export async function scheduleMaintenance(queue: JobProducer): Promise<void> {
  await queue.schedule('maintenance.sweep', {}, sweepEveryMs);
  await queue.schedule('maintenance.retention', {}, retentionEveryMs);
}
