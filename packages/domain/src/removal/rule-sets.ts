import type { TenantScope } from '../kernel/scope';
import { deleteCompositesOfRuleSet } from '../results/composites';
import { forgetVersionsOfRuleSet } from '../results/reviews';
import { deleteResultCounts, lockCounters, recountMatched } from '../results/counters';

/**
 * Removes a rule set with its matches, composites and links to jobs; does nothing for an id that the tenant does not
 * have. A running batch holds its row locked, so deleting the links waits for what it writes.
 */
export async function deleteRuleSet(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async ({ tenantId, db, queue }) => {
    // From here on no job can link to it.
    const [found] = await db.query(`select 1 from rule_sets where tenant_id = $1::uuid and id = $2::uuid for update`, [
      tenantId,
      id,
    ]);
    if (!found) return;
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
  });
}
