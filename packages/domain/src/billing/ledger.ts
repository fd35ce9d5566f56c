import type { Queries } from '@tieout/infra';

/**
 * Books the results of a job: the MATCH pairs of each of its rule sets, in the month in which the job completes. It
 * runs inside the transaction that completes the job, hence once, and no later change touches the entries.
 * @param billable for a run: how many pairs of each rule set became groups and were never held before
 */
export async function bookJob(
  db: Queries,
  tenantId: string,
  jobId: string,
  billable?: Readonly<Record<string, number>>,
): Promise<void> {
  await db.execute(
    `insert into billing_entries
       (job_id, rule_set_id, tenant_id, rule_set_name, dataset_id, dataset_name, period, matches, completed_at)
     select j.id, e.rule_set_id, j.tenant_id, e.rule_set_name, j.dataset_id, j.dataset_name,
            to_char(j.finished_at at time zone 'UTC', 'YYYY-MM'),
            case when $3::jsonb is null
                 then coalesce((select sum(b.matched) from job_batches b where b.entry_id = e.id), 0)
                        - e.demoted - e.withheld_match - e.vanished
                 else coalesce(($3::jsonb ->> e.rule_set_id::text)::bigint, 0) end,
            j.finished_at
       from matching_jobs j join job_rule_sets e on e.job_id = j.id
      where j.tenant_id = $1::uuid and j.id = $2::uuid`,
    [tenantId, jobId, billable === undefined ? null : JSON.stringify(billable)],
  );
}

/** SQL condition: the match group `g` is a pair, and no other group has tied the same pair. */
const isFirstPairSql = `g.kind = 'pair' and not exists (
  select 1 from match_groups o
   where o.tenant_id = g.tenant_id and o.reconciliation_id = g.reconciliation_id and o.set_hash = g.set_hash
     and o.kind = 'pair' and o.id <> g.id)`;

/** Books a pair that a person has confirmed, in the month of its `held_at`, under the id of its group. */
export async function bookConfirmed(db: Queries, tenantId: string, groupId: string): Promise<void> {
  await db.execute(
    `insert into billing_entries
       (job_id, rule_set_id, tenant_id, rule_set_name, dataset_id, dataset_name, period, matches, completed_at)
     select g.id, g.rule_set_id, g.tenant_id, g.rule_set_name, j.dataset_id, j.dataset_name,
            to_char(g.held_at at time zone 'UTC', 'YYYY-MM'), 1, g.held_at
       from match_groups g join matching_jobs j on j.tenant_id = g.tenant_id and j.id = g.matching_job_id
      where g.tenant_id = $1::uuid and g.id = $2::uuid and ${isFirstPairSql}`,
    [tenantId, groupId],
  );
}
