import { AppError, invalid, newId } from '@tieout/infra';
import { requireRoom } from '../../access/quotas';
import type { TenantScope } from '../../kernel/scope';
import { allowRuns, assertPasses, getReconciliation, shareReconciliation, paramsOfPass } from '../../reconciliations';
import { listedRuleSetsById } from '../../rules/rule-sets';
import { insertJob } from './start';

export const runModes = ['incremental', 'full'] as const;
export type RunMode = (typeof runModes)[number];
export const runTriggerNames = ['manual', 'schedule', 'arrival'] as const;
export type RunTriggerName = (typeof runTriggerNames)[number];

export interface NewRun {
  mode: RunMode;
  trigger: RunTriggerName;
  dryRun: boolean;
}

/**
 * Starts a run of a reconciliation: a job whose entries are its passes. One run works at a time, and one waits: a run
 * that is asked for in the meantime is the one that waits, which becomes a full one if that is asked for. Of dry runs
 * one of each mode waits besides.
 * @throws AppError reconciliation_not_found; conflict: it is archived, or a pass breaks a rule; validation_error: it
 *   has no passes; too_many_jobs
 * @returns the id of the job
 */
export async function startRun(scope: TenantScope, reconciliationId: string, run: NewRun): Promise<string> {
  return scope.transaction(async (s) => {
    // Two requests at once: the second one finds the run of the first.
    await s.db.execute(`select pg_advisory_xact_lock(hashtextextended('runs of ' || $1::text, 0))`, [reconciliationId]);
    const jobId = (await waitingRun(s, reconciliationId, run)) ?? (await insertRun(s, reconciliationId, run));
    if (!run.dryRun) await allowRuns(s, reconciliationId);
    return jobId;
  });
}

async function insertRun(scope: TenantScope, reconciliationId: string, run: NewRun): Promise<string> {
  // The service starts runs by itself whatever the quota: they are few.
  if (run.trigger === 'manual') await requireRoom(scope, 'jobs');
  await shareReconciliation(scope, reconciliationId);
  const reconciliation = await getReconciliation(scope, reconciliationId);
  if (reconciliation.archived) throw new AppError('conflict', 'The reconciliation is archived');
  const listed = await listedRuleSetsById(scope, reconciliation.ruleSetIds);
  const ruleSets = reconciliation.ruleSetIds.flatMap((id) => listed.get(id) ?? []);
  if (ruleSets.length === 0) {
    throw invalid([
      { path: '', code: 'no_rule_set', message: 'the reconciliation has no passes: PATCH its ruleSetIds' },
    ]);
  }
  await assertPasses(scope, reconciliation);
  const [dataset] = await scope.db.query<{ id: string; name: string }>(
    `select id::text as id, name from datasets where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, reconciliation.datasetIds.left[0] ?? null],
  );
  if (!dataset) throw new AppError('conflict', 'A dataset of the reconciliation has been deleted');
  return insertJob(scope, {
    dataset,
    jobGroupId: newId(),
    ruleSets,
    paramsOf: (ruleSet) => paramsOfPass(ruleSet, reconciliation),
    run: { reconciliationId, ...run },
  });
}

/** Finds the run that waits and will answer the request. A full run does all that an incremental one does. */
async function waitingRun(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  { mode, dryRun }: NewRun,
): Promise<string | undefined> {
  const [job] = await db.query<{ id: string; mode: string }>(
    `select id::text as id, mode from matching_jobs
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and status = 'queued' and dry_run = $3
        and (not dry_run or mode = $4) for update`,
    [tenantId, reconciliationId, dryRun, mode],
  );
  if (job && mode === 'full' && job.mode !== 'full') {
    await db.execute(`update matching_jobs set mode = 'full' where tenant_id = $1::uuid and id = $2::uuid`, [
      tenantId,
      job.id,
    ]);
  }
  return job?.id;
}
