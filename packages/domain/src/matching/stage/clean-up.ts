import type { Days } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { retryableCode } from '../jobs/fail';
import { expireResultsOfRuleSet } from '../jobs/retention';
import { dropStageUnlessLocked, shortLockTimeout, skipIfLocked } from './staging';

/**
 * Drops the snapshot of an ended job and deletes the results that the live jobs of its rule sets have superseded.
 * @param keptDays how long superseded results stay
 */
export async function cleanUpJob(scope: TenantScope, jobId: string, keptDays: Days): Promise<void> {
  const { tenantId, db } = scope;
  const entries = await db.query<{ id: string; ruleSetId: string }>(
    `select e.id, e.rule_set_id as "ruleSetId" from job_rule_sets e
       join matching_jobs j on j.id = e.job_id and j.status in ('completed', 'failed', 'cancelled')
      where e.tenant_id = $1::uuid and e.job_id = $2::uuid`,
    [tenantId, jobId],
  );
  for (const entry of entries) {
    await db.session((client) => dropStageUnlessLocked(client, entry.id));
    if (keptDays !== null) await expireResultsOfRuleSet(scope, entry.ruleSetId, keptDays);
  }
}

/** A failed job that can be retried on the dashboard keeps its snapshot for this time. */
const keepRetryable = `interval '1 day'`;
/**
 * Every other job is cleaned up at its end. After this time its clean-up was lost, waits, or found the snapshot locked.
 */
const cleanUpWithin = `interval '1 minute'`;
/** Max tables, two of each entry of a job. A sweep drops them in a second or two, for which other sweeps wait. */
const maxTables = 200;
const jobIsOver = `(j.status in ('completed', 'cancelled')
  or (j.status = 'failed' and j.error ->> 'code' <> '${retryableCode}'))`;

/** SQL that holds for a locked table: a dump, for example, may read it for hours. */
const isLocked = `exists (select 1 from pg_locks l where l.relation = c.oid
  and l.database = (select oid from pg_database where datname = current_database()))`;

/**
 * Drops snapshots whose job or entry no longer exists or ended a while ago. Locked ones are left to a later sweep.
 * Results of jobs whose clean-up was lost are deleted by `expireResults`.
 */
export async function sweepStages(deps: DomainDeps): Promise<void> {
  const left = await deps.db.system.query<{ table: string }>(
    `select c.relname as "table"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'staging'
       left join (job_rule_sets e join matching_jobs j on j.id = e.job_id)
              on replace(e.id::text, '-', '') = substr(c.relname, 3)
      where c.relkind = 'r' and not ${isLocked} and (j.id is null
         or (${jobIsOver} and j.finished_at < now() - ${cleanUpWithin})
         or (j.status = 'failed' and j.finished_at < now() - ${keepRetryable})) limit ${maxTables}`,
  );
  for (const { table } of left) await skipIfLocked(() => dropTable(deps, table));
}

const dropTable = ({ db }: DomainDeps, table: string): Promise<unknown> =>
  db.system.transaction(async (tx) => {
    await tx.execute(shortLockTimeout);
    await tx.execute(`drop table if exists staging."${table.replace(/"/g, '""')}"`);
  });
