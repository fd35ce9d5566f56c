import { recordAudit } from '../audit';
import type { TenantScope } from '../kernel/scope';
import { auditedRuleSet, getRuleSet } from '../rules/rule-sets';
import { deleteCompositesOfRuleSet } from '../results/composites';
import { forgetVersionsOfRuleSet } from '../results/reviews';
import { deleteResultCounts, lockCounters, recountMatched } from '../results/counters';

/**
 * Removes a rule set with its matches, composites and links to jobs; does nothing for an id that the tenant does not
 * have. A running batch holds its row locked, so deleting the links waits for what it writes.
 */
export async function deleteRuleSet(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const { tenantId, db, queue } = tx;
    // From here on no job can link to it.
    const [found] = await db.query(`select 1 from rule_sets where tenant_id = $1::uuid and id = $2::uuid for update`, [
      tenantId,
      id,
    ]);
    if (!found) return;
    const before = { ...auditedRuleSet(await getRuleSet(tx, id)), reconciliation_id: await reconciliationOf(tx, id) };
    const jobs = await db.query<{ jobId: string; leftDatasetId: string; isOpen: boolean }>(
      `select e.job_id as "jobId", e.left_dataset_id as "leftDatasetId", j.status in ('queued', 'running') as "isOpen"
         from job_rule_sets e join matching_jobs j on j.id = e.job_id
        where e.tenant_id = $1::uuid and e.rule_set_id = $2::uuid`,
      [tenantId, id],
    );
    await db.execute(`delete from rule_sets where tenant_id = $1::uuid and id = $2::uuid`, [tenantId, id]);
    await db.execute(
      `delete from matches where tenant_id = $1::uuid and rule_set_id = $2::uuid and job_id = any($3::uuid[])`,
      [tenantId, id, jobs.map(({ jobId }) => jobId)],
    );
    await deleteCompositesOfRuleSet(db, tenantId, id);
    await forgetVersionsOfRuleSet(db, tenantId, id);
    await lockCounters(db, tenantId);
    await deleteResultCounts(db, tenantId, id);
    await recountMatched(db, tenantId, [...new Set(jobs.map(({ leftDatasetId }) => leftDatasetId))]);
    for (const { jobId, isOpen } of jobs) {
      // A job that waited only for this rule set has nothing left to do.
      if (isOpen) await db.afterCommit(() => queue.enqueue('matching.finish', { tenantId, jobId }));
    }
    await recordAudit(tx, { action: 'rule_set.delete', object: { type: 'rule_set', id }, before });
  });
}

/** Finds the reconciliation that loses the rule set as a pass; null for none. */
async function reconciliationOf({ db, tenantId }: TenantScope, ruleSetId: string): Promise<string | null> {
  const [pass] = await db.query<{ id: string }>(
    `select reconciliation_id::text as id from reconciliation_passes
      where tenant_id = $1::uuid and rule_set_id = $2::uuid`,
    [tenantId, ruleSetId],
  );
  return pass?.id ?? null;
}
