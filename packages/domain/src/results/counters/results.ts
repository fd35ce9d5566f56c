import type { Queries } from '@tieout/infra';

/** Counted results of a rule set in a job: matches of one decision, or composites of one decision and status. */
export interface ResultKey {
  jobId: string;
  ruleSetId: string;
  kind: 'match' | 'composite';
  decision: string;
  /** Empty for matches. */
  status: string;
}

const addition = `insert into result_counts as c (job_id, rule_set_id, kind, decision, status, tenant_id, count)`;
const onConflictAdd = `on conflict (job_id, rule_set_id, kind, decision, status)
  do update set count = c.count + excluded.count`;

/**
 * Counts the results of a job, in the transaction that completes it, as sums over its batches, which were written with
 * the matches they count. Matches deleted with a record in the meantime have been subtracted already.
 */
export async function addResultCounts(db: Queries, tenantId: string, jobId: string): Promise<void> {
  await db.execute(
    `${addition}
     select e.job_id, e.rule_set_id, 'match', found.decision, '', e.tenant_id, found.count
       from job_rule_sets e,
            lateral (select coalesce(sum(matched), 0) as matched, coalesce(sum(possible), 0) as possible
                       from job_batches where entry_id = e.id) b,
            lateral (values ('MATCH', b.matched - e.demoted - e.withheld_match),
                            ('POSSIBLE', b.possible + e.demoted - e.withheld_possible)) found(decision, count)
      where e.tenant_id = $1::uuid and e.job_id = $2::uuid
     ${onConflictAdd}`,
    [tenantId, jobId],
  );
  await db.execute(
    `${addition}
     select job_id, rule_set_id, 'composite', decision, status, tenant_id, count(*) from composite_matches
      where tenant_id = $1::uuid and job_id = $2::uuid group by rule_set_id, job_id, tenant_id, decision, status
     ${onConflictAdd}`,
    [tenantId, jobId],
  );
}

/**
 * Subtracts deleted results, unless their counts are deleted too. Runs inside the transaction that deletes the results.
 */
export async function subtractResultCounts(
  db: Queries,
  tenantId: string,
  deleted: readonly (ResultKey & { count: number })[],
): Promise<void> {
  if (deleted.length === 0) return;
  await db.execute(
    `${addition}
     select job_id, rule_set_id, kind, decision, status, $1::uuid, -count
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[])
            d(job_id, rule_set_id, kind, decision, status, count)
      where not exists (
        select 1 from job_rule_sets e
         where e.job_id = d.job_id and e.rule_set_id = d.rule_set_id and e.results_expired_at is not null)
      order by 1, 2, 3, 4, 5
     ${onConflictAdd}`,
    [
      tenantId,
      deleted.map((d) => d.jobId),
      deleted.map((d) => d.ruleSetId),
      deleted.map((d) => d.kind),
      deleted.map((d) => d.decision),
      deleted.map((d) => d.status),
      deleted.map((d) => d.count),
    ],
  );
}

/** Deletes the counts of one superseded job, or of all jobs of a rule set. */
export async function deleteResultCounts(
  db: Queries,
  tenantId: string,
  ruleSetId: string,
  jobId?: string,
): Promise<void> {
  await db.execute(
    `delete from result_counts
      where tenant_id = $1::uuid and rule_set_id = $2::uuid and ($3::uuid is null or job_id = $3::uuid)`,
    [tenantId, ruleSetId, jobId ?? null],
  );
}
