import type { PoolClient } from '@tieout/infra';

/** One rule set of a job that has not completed. */
export interface EntryOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
  ruleSetVersion: number;
}

/** A deleted match with the decision it had. */
export interface DeletedMatch {
  id: string;
  decision: 'MATCH' | 'POSSIBLE';
  score: number;
}

/** The effect of reviews on the pairs of a job. */
interface WithheldPairs {
  deleted: readonly DeletedMatch[];
  /** The ids of MATCH pairs that are POSSIBLE now. */
  demoted: readonly string[];
}

/**
 * Applies the reviews of earlier jobs to the pairs of a job. A pair rejected under the same version of the rule set is
 * deleted, and so is a confirmed pair, which its confirmed match replaces. Where a record can have one MATCH only,
 * other pairs with a record of a confirmed match are demoted.
 *
 * It runs on all pairs before their assignment, and again when the job completes, for reviews made in between. It costs
 * a look-up for each reviewed pair, however many pairs the job has, and a second run changes nothing. The caller locks
 * the rule set against reviews.
 */
export async function withholdReviewed(
  client: PoolClient,
  owner: EntryOwner,
  oneToOne: boolean,
): Promise<WithheldPairs> {
  const { rows: gone } = await client.query<DeletedMatch>(
    // `offset 0` keeps each search on the index of the pair: statistics do not know the job's matches yet.
    `with decided as materialized (
       select distinct m.left_record_id, m.right_record_id
         from matches m join job_rule_sets e on e.job_id = m.job_id and e.rule_set_id = m.rule_set_id
        where m.tenant_id = $1 and m.rule_set_id = $3 and m.review_status is not null
          and (m.review_status = 'confirmed' or e.rule_set_version = $4)
     )
     delete from matches where tenant_id = $1 and id = any(array(
       select found.id from decided d, lateral (
         select id from matches
          where left_record_id = d.left_record_id and right_record_id = d.right_record_id
            and job_id = $2 and rule_set_id = $3 offset 0) found))
     returning id, decision, score`,
    [owner.tenantId, owner.jobId, owner.ruleSetId, owner.ruleSetVersion],
  );
  return { deleted: gone, demoted: oneToOne ? await demoteRivals(client, owner) : [] };
}

async function demoteRivals(client: PoolClient, { tenantId, jobId, ruleSetId }: EntryOwner): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with confirmed as materialized (
       select left_record_id, right_record_id from matches
        where tenant_id = $1 and rule_set_id = $3 and review_status = 'confirmed')
     update matches set decision = 'POSSIBLE', explanation = explanation || '{"conflict": true}'
      where tenant_id = $1 and decision = 'MATCH' and id = any(array(
        select m.id from confirmed c,
               lateral (select * from matches where left_record_id = c.left_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3
        union
        select m.id from confirmed c,
               lateral (select * from matches where right_record_id = c.right_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3))
     returning id`,
    [tenantId, jobId, ruleSetId],
  );
  return rows.map(({ id }) => id);
}

/** Lists the confirmed pairs of a rule set, of any job and version. */
export async function confirmedPairs(
  client: PoolClient,
  { tenantId, ruleSetId }: Pick<EntryOwner, 'tenantId' | 'ruleSetId'>,
): Promise<{ leftRecordId: string; rightRecordId: string }[]> {
  const { rows } = await client.query<{ leftRecordId: string; rightRecordId: string }>(
    `select left_record_id as "leftRecordId", right_record_id as "rightRecordId" from matches
      where tenant_id = $1 and rule_set_id = $2 and review_status = 'confirmed'`,
    [tenantId, ruleSetId],
  );
  return rows;
}
