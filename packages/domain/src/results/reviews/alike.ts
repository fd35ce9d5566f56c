import { decidingText, type RuleSetDefinition, type Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';

/**
 * Lists the jobs whose rejections hold in a job of the rule set: those that compared the same datasets by a definition
 * that decides alike. A new name or version of the rule set changes nothing.
 */
export async function jobsDecidingAlike(
  client: PoolClient,
  { tenantId, jobId, ruleSetId }: { tenantId: string; jobId: string; ruleSetId: string },
): Promise<string[]> {
  const { rows } = await client.query<{ jobIds: string[]; definition: RuleSetDefinition }>(
    `select array_agg(e.job_id::text) as "jobIds", e.definition - 'version' as definition
       from job_rule_sets e
       join job_rule_sets own on own.job_id = $2 and own.rule_set_id = $3
        and own.left_dataset_id = e.left_dataset_id and own.right_dataset_id = e.right_dataset_id
      where e.tenant_id = $1 and e.rule_set_id = $3 and (e.job_id = $2 or e.job_id in (
              select job_id from matches where tenant_id = $1 and rule_set_id = $3 and review_status = 'rejected'
              union
              select job_id from composite_matches
               where tenant_id = $1 and rule_set_id = $3 and review_status = 'rejected'))
      group by 2`,
    [tenantId, jobId, ruleSetId],
  );
  const own = rows.find(({ jobIds }) => jobIds.includes(jobId));
  if (!own) return [];
  // The usual case: nothing is rejected, and no definition needs to be parsed.
  if (rows.length === 1) return own.jobIds;
  const text = decidingText(own.definition);
  return rows.filter(({ definition }) => decidingText(definition) === text).flatMap(({ jobIds }) => jobIds);
}

/** Lists the jobs of a rule set whose rejections hold for a definition over these datasets. */
export async function jobsDecidingAs(
  client: PoolClient,
  { tenantId, ruleSetId }: { tenantId: string; ruleSetId: string },
  { definition, ...datasets }: Record<`${Side}DatasetId`, string> & { definition: RuleSetDefinition },
): Promise<string[]> {
  const { rows } = await client.query<{ jobId: string; definition: RuleSetDefinition }>(
    `select e.job_id::text as "jobId", e.definition from job_rule_sets e
      where e.tenant_id = $1 and e.rule_set_id = $2 and e.left_dataset_id = $3 and e.right_dataset_id = $4
        and exists (select 1 from matches m
                     where m.tenant_id = $1 and m.rule_set_id = $2 and m.job_id = e.job_id
                       and m.review_status = 'rejected')`,
    [tenantId, ruleSetId, datasets.leftDatasetId, datasets.rightDatasetId],
  );
  const text = decidingText(definition);
  return rows.filter((row) => decidingText(row.definition) === text).map(({ jobId }) => jobId);
}
