import type { DbHandle } from '@tieout/infra';
import { deleteUnreviewedComposites } from '../../results/composites';
import { forgetResults, subtractResults } from '../../results/counters';
import { Attempts } from '../../kernel/attempts';
import { inSteps, oldBefore } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isNewer } from '../finish/live';

/** Matches that one statement deletes: so many are gone in a tenth of a second. */
const matchesAtOnce = 5_000;
const entriesAtOnce = 1_000;
/** What hangs on a job may be some megabytes. */
const jobsAtOnce = 20;
/** The usage of a tenant lists its latest jobs. */
const jobsKept = 10;

interface SupersededEntry {
  id: string;
  tenantId: string;
  jobId: string;
  ruleSetId: string;
}

/** Nothing of a job `j` writes results any more. */
const hasEnded = `(j.status = 'completed' or j.finished_at < now() - interval '1 hour')`;

/**
 * Entries of ended jobs that are older than the live job of their rule set, once that has been completed for `$1` days. A batch of a job that did not
 * complete may still be about to write, for an hour at most: till then such a job is there as often as it has results.
 */
const superseded = `select e.id, e.tenant_id as "tenantId", e.job_id as "jobId", e.rule_set_id as "ruleSetId" from job_rule_sets e
  join rule_sets r on r.id = e.rule_set_id and r.live_job_id <> e.job_id
  join matching_jobs live on live.id = r.live_job_id and live.finished_at <= ${oldBefore('$1')}
  join matching_jobs j on j.id = e.job_id and j.status in ('completed', 'cancelled', 'failed') and ${isNewer('live', 'j')}
 where e.results_expired_at is null
   and (${hasEnded} or exists (select 1 from matches m where m.tenant_id = e.tenant_id and m.job_id = e.job_id)
     or exists (select 1 from composite_matches c where c.tenant_id = e.tenant_id and c.job_id = e.job_id))`;

/**
 * Deletes the results of all tenants that have been superseded for so many days. Reviewed ones stay, and so does what was billed.
 * Those that are gone through again and again for an hour come last, and no order lets some hide others.
 */
export async function expireResults(deps: DomainDeps, days: number): Promise<void> {
  const entries = await deps.db.system.query<SupersededEntry>(
    `${superseded} order by j.status <> 'completed', random() limit ${entriesAtOnce}`,
    [days],
  );
  const removals = new Attempts(deps, { what: 'result', done: 'removed' });
  for (const entry of entries) {
    const { tenantId, jobId, ruleSetId } = entry;
    await removals.try({ tenantId, jobId, ruleSetId }, (scope) => expireEntry(scope, entry));
  }
  removals.end();
}

/** The same for a rule set. */
export async function expireResultsOfRuleSet(scope: TenantScope, ruleSetId: string, days: number): Promise<void> {
  const entries = await scope.db.query<SupersededEntry>(
    `${superseded} and e.tenant_id = $2::uuid and e.rule_set_id = $3::uuid`,
    [days, scope.tenantId, ruleSetId],
  );
  for (const entry of entries) await expireEntry(scope, entry);
}

/**
 * What somebody has reviewed stays. The ids as an array: joined to them, the matches of the tenant would be walked once for
 * each where statistics are behind. The row without a decision says how many were chosen.
 */
export const deleteMatches = `with chosen as materialized (
    select id from matches where tenant_id = $1::uuid and job_id = $2::uuid and rule_set_id = $3::uuid and review_status is null limit $4::int
  ), gone as (
    delete from matches where tenant_id = $1::uuid and review_status is null and id = any(array(select id from chosen)) returning decision
  ) select decision, count(*)::int as count from gone group by decision
    union all select null, count(*)::int from chosen`;

/** Others may review or delete all of those chosen meanwhile: there are none left only when none is chosen. */
async function deleteSomeMatches(
  tx: DbHandle,
  tenantId: string,
  { jobId, ruleSetId }: SupersededEntry,
): Promise<boolean> {
  const counts = await tx.query<{ decision: string | null; count: number }>(deleteMatches, [
    tenantId,
    jobId,
    ruleSetId,
    matchesAtOnce,
  ]);
  await subtractResults(
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
  // Who reads the lists of the job meanwhile is told as many as there are.
  await inSteps(() => scope.transaction(({ db }) => deleteSomeMatches(db, tenantId, entry)));
  await inSteps(() => scope.transaction(({ db }) => deleteUnreviewedComposites(db, { tenantId, jobId, ruleSetId })));
  await scope.transaction(async (s) => {
    await forgetResults(s.db, tenantId, ruleSetId, jobId);
    await s.db.execute(
      `update job_rule_sets e set results_expired_at = now() from matching_jobs j
        where e.tenant_id = $1::uuid and e.id = $2::uuid and j.id = e.job_id and ${hasEnded}`,
      [tenantId, id],
    );
  });
}

/** Deletes jobs that ended so many days ago, unless results of them are left: live, reviewed, or never superseded. A tenant's latest ones stay. */
export async function deleteOldJobs(deps: DomainDeps, days: number): Promise<void> {
  await inSteps(async () => {
    const deleted = await deps.db.system.execute(
      `delete from matching_jobs where id in (
         select j.id from matching_jobs j
          where j.status in ('completed', 'failed', 'cancelled') and j.finished_at < ${oldBefore('$1')}
            and not exists (select 1 from job_rule_sets e join rule_sets r on r.id = e.rule_set_id and r.live_job_id = e.job_id where e.job_id = j.id)
            and not exists (select 1 from matches m where m.job_id = j.id)
            and not exists (select 1 from composite_matches c where c.job_id = j.id)
            and (select count(*) from (select 1 from matching_jobs n where n.tenant_id = j.tenant_id and n.id > j.id limit ${jobsKept}) newer) = ${jobsKept}
          order by j.id limit ${jobsAtOnce} for update skip locked)`,
      [days],
    );
    return deleted === jobsAtOnce;
  });
}
