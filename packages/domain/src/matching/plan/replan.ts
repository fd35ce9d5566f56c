import type { TenantScope } from '../../kernel/scope';
import { jobLock } from '../jobs/protocol';

/** Forgets what a job has done so far and plans it again: its snapshot did not survive a crash of the database. */
export async function replanJob(scope: TenantScope, jobId: string): Promise<void> {
  const { tenantId } = scope;
  scope.logger.warn({ jobId }, 'snapshot lost, planning the job again');
  const reset = await scope.db.session(async (client) => {
    await client.query('begin');
    await jobLock(client, jobId);
    const { rowCount } = await client.query(
      `update matching_jobs set planned_at = null where tenant_id = $1 and id = $2 and status = 'running' and planned_at is not null`,
      [tenantId, jobId],
    );
    if (rowCount === 1) {
      // Waits for batches in flight, which hold their rows locked.
      await client.query(`delete from job_batches where tenant_id = $1 and job_id = $2`, [tenantId, jobId]);
      await client.query(`delete from matches where tenant_id = $1 and job_id = $2`, [tenantId, jobId]);
      // What was taken off with deleted records is of matches that are all gone.
      await client.query(`delete from result_counts where tenant_id = $1 and job_id = $2`, [tenantId, jobId]);
      await client.query(
        `update job_rule_sets set status = 'pending', assigned_at = null, demoted = 0, vanished = 0, withheld_match = 0, withheld_possible = 0, withheld_score = 0
          where tenant_id = $1 and job_id = $2`,
        [tenantId, jobId],
      );
    }
    await client.query('commit');
    return rowCount === 1;
  });
  if (reset) await scope.queue.enqueue('matching.plan', { tenantId, jobId });
}
