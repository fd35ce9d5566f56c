import type { PoolClient } from '@tieout/infra';

/** One rule set of a job that has not completed. */
export interface ReviewedOf {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
  ruleSetVersion: number;
}

/** What became of the pairs of a job because of what people have decided. */
export interface Withheld {
  /** Taken out, with the decision they had. */
  gone: readonly { id: string; decision: 'MATCH' | 'POSSIBLE'; score: number }[];
  /** The ids of MATCH pairs that are POSSIBLE now. */
  demoted: readonly string[];
}

/**
 * Makes the pairs that a job has found agree with what people have decided about those of earlier jobs. A pair that was
 * rejected under the same version of the rule set is taken out, and so is one that was confirmed, for which the confirmed match
 * stands. Where a record can have one MATCH only, other pairs with a record of a confirmed match are no MATCH.
 *
 * Done to all pairs at once before they are assigned, and again when the job completes, for what was decided in between:
 * it costs a look-up for each reviewed pair, however many pairs the job has, and nothing when it runs twice. Who calls it
 * keeps reviews of the rule set out.
 */
export async function withholdReviewed(client: PoolClient, of: ReviewedOf, oneToOne: boolean): Promise<Withheld> {
  const { rows: gone } = await client.query<{ id: string; decision: 'MATCH' | 'POSSIBLE'; score: number }>(
    // The fences keep each search on the index of the pair: statistics know nothing of the job's matches yet.
    `with decided as materialized (
       select distinct m.left_record_id, m.right_record_id
         from matches m join job_rule_sets e on e.job_id = m.job_id and e.rule_set_id = m.rule_set_id
        where m.tenant_id = $1 and m.rule_set_id = $3 and m.review_status is not null and (m.review_status = 'confirmed' or e.rule_set_version = $4)
     )
     delete from matches where tenant_id = $1 and id = any(array(
       select found.id from decided d, lateral (
         select id from matches
          where left_record_id = d.left_record_id and right_record_id = d.right_record_id and job_id = $2 and rule_set_id = $3 offset 0) found))
     returning id, decision, score`,
    [of.tenantId, of.jobId, of.ruleSetId, of.ruleSetVersion],
  );
  return { gone, demoted: oneToOne ? await demoteRivals(client, of) : [] };
}

async function demoteRivals(client: PoolClient, { tenantId, jobId, ruleSetId }: ReviewedOf): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with confirmed as materialized (
       select left_record_id, right_record_id from matches where tenant_id = $1 and rule_set_id = $3 and review_status = 'confirmed')
     update matches set decision = 'POSSIBLE', explanation = explanation || '{"conflict": true}'
      where tenant_id = $1 and decision = 'MATCH' and id = any(array(
        select m.id from confirmed c, lateral (select * from matches where left_record_id = c.left_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3
        union
        select m.id from confirmed c, lateral (select * from matches where right_record_id = c.right_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3))
     returning id`,
    [tenantId, jobId, ruleSetId],
  );
  return rows.map(({ id }) => id);
}

/** The pairs of a rule set that are confirmed, of whatever job and version. */
export async function confirmedPairs(
  client: PoolClient,
  { tenantId, ruleSetId }: Pick<ReviewedOf, 'tenantId' | 'ruleSetId'>,
): Promise<{ leftRecordId: string; rightRecordId: string }[]> {
  const { rows } = await client.query<{ leftRecordId: string; rightRecordId: string }>(
    `select left_record_id as "leftRecordId", right_record_id as "rightRecordId" from matches
      where tenant_id = $1 and rule_set_id = $2 and review_status = 'confirmed'`,
    [tenantId, ruleSetId],
  );
  return rows;
}
