import type { DbHandle } from '@tieout/infra';
import { deleteUnreviewedComposites } from '../../results/composites';
import { isHeldSql } from '../../results/held';
import { deleteResultCounts, subtractResultCounts } from '../../results/counters';
import { Attempts } from '../../kernel/attempts';
import { repeatWithPauses, oldBefore } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isNewerJob } from './protocol';

/** Matches that one statement deletes, in about a tenth of a second. */
const matchesPerStep = 5_000;
const maxEntries = 1_000;
/** Rows that depend on a job may be some megabytes. */
const jobsPerStep = 20;
/** Latest jobs of a tenant that are never deleted: its usage lists them. */
const minKeptJobs = 10;

interface SupersededEntry {
  id: string;
  tenantId: string;
  jobId: string;
  ruleSetId: string;
}

/** SQL that holds for a job `j` that writes no more results. */
const hasEnded = `(j.status = 'completed' or j.finished_at < now() - interval '1 hour')`;

/**
 * Lists entries of ended jobs that are older than the live job of their rule set, once that job has been completed for
 * `$1` days. A batch of a job that did not complete may still write results, for an hour at most; until then the entry
 * is listed whenever it has results.
 */
const superseded = `select e.id, e.tenant_id as "tenantId", e.job_id as "jobId", e.rule_set_id as "ruleSetId"
  from job_rule_sets e
  join rule_sets r on r.id = e.rule_set_id and r.live_job_id <> e.job_id
  join matching_jobs live on live.id = r.live_job_id and live.finished_at <= ${oldBefore('$1')}
  join matching_jobs j on j.id = e.job_id and j.status in ('completed', 'cancelled', 'failed')
   and ${isNewerJob('live', 'j')}
 where e.results_expired_at is null
   and (${hasEnded} or exists (select 1 from matches m where m.tenant_id = e.tenant_id and m.job_id = e.job_id)
     or exists (select 1 from composite_matches c where c.tenant_id = e.tenant_id and c.job_id = e.job_id))`;

/**
 * Deletes the results of all tenants that have been superseded for `days`. Reviewed and held results and bills stay.
 * Entries that are listed again and again for an hour come last, and the random order keeps any from hiding others.
 */
export async function expireResults(deps: DomainDeps, days: number): Promise<void> {
  const entries = await deps.db.system.query<SupersededEntry>(
    `${superseded} order by j.status <> 'completed', random() limit ${maxEntries}`,
    [days],
  );
  const removals = new Attempts(deps, { noun: 'result', participle: 'removed' });
  for (const entry of entries) {
    const { tenantId, jobId, ruleSetId } = entry;
    await removals.try({ tenantId, jobId, ruleSetId }, (scope) => expireEntry(scope, entry));
  }
  removals.end();
}

/** Deletes the superseded results of one rule set. */
export async function expireResultsOfRuleSet(scope: TenantScope, ruleSetId: string, days: number): Promise<void> {
  const entries = await scope.db.query<SupersededEntry>(
    `${superseded} and e.tenant_id = $2::uuid and e.rule_set_id = $3::uuid`,
    [days, scope.tenantId, ruleSetId],
  );
  for (const entry of entries) await expireEntry(scope, entry);
}

/**
 * Deletes matches without a review, except those that a group holds. The ids are passed as an array: a join would scan
 * the matches of the tenant once for each id where statistics are out of date. The row without a decision holds the
 * number of chosen matches.
 */
export const deleteMatches = `with chosen as materialized (
    select id from matches
     where tenant_id = $1::uuid and job_id = $2::uuid and rule_set_id = $3::uuid and review_status is null
       and not ${isHeldSql('matches')}
     limit $4::int
  ), gone as (
    delete from matches where tenant_id = $1::uuid and review_status is null and id = any(array(select id from chosen))
    returning decision
  ) select decision, count(*)::int as count from gone group by decision
    union all select null, count(*)::int from chosen`;

/** Returns whether any was chosen: concurrent reviews or deletions may take all chosen ones while others are left. */
async function deleteSomeMatches(
  tx: DbHandle,
  tenantId: string,
  { jobId, ruleSetId }: SupersededEntry,
): Promise<boolean> {
  const counts = await tx.query<{ decision: string | null; count: number }>(deleteMatches, [
    tenantId,
    jobId,
    ruleSetId,
    matchesPerStep,
  ]);
  await subtractResultCounts(
    tx,
    tenantId,
    counts.flatMap(({ decision, count }) =>
      decision === null ? [] : [{ decision, count, jobId, ruleSetId, kind: 'match', status: '' }],
    ),
  );
  return counts.some(({ decision, count }) => decision === null && count > 0);
}

async function expireEntry(scope: TenantScope, entry: SupersededEntry): Promise<void> {
  const { id, jobId, ruleSetId } = entry;
  const { tenantId } = scope;
  // Each step subtracts its deletions, so that lists of the job state the right total in the meantime.
  await repeatWithPauses(() => scope.transaction(({ db }) => deleteSomeMatches(db, tenantId, entry)));
  await repeatWithPauses(() =>
    scope.transaction(({ db }) => deleteUnreviewedComposites(db, { tenantId, jobId, ruleSetId })),
  );
  await scope.transaction(async (s) => {
    await deleteResultCounts(s.db, tenantId, ruleSetId, jobId);
    await s.db.execute(`delete from cluster_blocks where tenant_id = $1::uuid and entry_id = $2::uuid`, [tenantId, id]);
    await s.db.execute(
      `update job_rule_sets e set results_expired_at = now() from matching_jobs j
        where e.tenant_id = $1::uuid and e.id = $2::uuid and j.id = e.job_id and ${hasEnded}`,
      [tenantId, id],
    );
  });
}

/**
 * Deletes jobs that ended `days` ago, except those with results left, which are live, reviewed or never superseded. The
 * latest jobs of a tenant stay.
 */
export async function deleteOldJobs(deps: DomainDeps, days: number): Promise<void> {
  await repeatWithPauses(async () => {
    const deleted = await deps.db.system.execute(
      `delete from matching_jobs where id in (
         select j.id from matching_jobs j
          where j.status in ('completed', 'failed', 'cancelled') and j.finished_at < ${oldBefore('$1')}
            and not exists (select 1 from job_rule_sets e
                             join rule_sets r on r.id = e.rule_set_id and r.live_job_id = e.job_id
                            where e.job_id = j.id)
            and not exists (select 1 from matches m where m.job_id = j.id)
            and not exists (select 1 from composite_matches c where c.job_id = j.id)
            and (select count(*) from (select 1 from matching_jobs n where n.tenant_id = j.tenant_id and n.id > j.id
                                        limit ${minKeptJobs}) newer) = ${minKeptJobs}
          order by j.id limit ${jobsPerStep} for update skip locked)`,
      [days],
    );
    return deleted === jobsPerStep;
  });
}
