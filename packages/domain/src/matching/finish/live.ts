import type { PoolClient } from '@tieout/infra';

/** Holds for a row of matching_jobs that was created after the other one, as SQL: it has read the newer records. */
export const isNewer = (job: string, other: string): string =>
  `(${job}.created_at, ${job}.id) > (${other}.created_at, ${other}.id)`;

/**
 * Of these rule sets, those that a job which completes becomes live for: no newer job is. The transaction holds the rule sets
 * from here on, in the same order everywhere, so that two completions never wait for each other in a ring.
 */
export async function lockReplaceable(
  client: PoolClient,
  of: { tenantId: string; jobId: string },
  ruleSetIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with locked as materialized (
       select id, live_job_id from rule_sets where tenant_id = $1 and id = any($3) order by id for no key update)
     select id from locked where not exists (
       select 1 from matching_jobs live, matching_jobs job
        where live.tenant_id = $1 and live.id = locked.live_job_id and job.tenant_id = $1 and job.id = $2 and ${isNewer('live', 'job')})`,
    [of.tenantId, of.jobId, ruleSetIds],
  );
  return rows.map(({ id }) => id);
}
