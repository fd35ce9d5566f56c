import type { PoolClient } from '@tieout/infra';
import type { EntryOwner } from '../../results/matches';

/**
 * SQL that is true for a match of a dataset with itself when a better match has the same records with the sides
 * swapped. At equal scores, the match with the earlier record on the left is the better one. `offset 0` keeps the
 * search on the index of the pair.
 */
export const mirrorSql = (alias: string): string => `exists (
  select 1 from (select * from matches
                  where left_record_id = ${alias}.right_record_id and right_record_id = ${alias}.left_record_id
                 offset 0) o
   where o.tenant_id = ${alias}.tenant_id and o.job_id = ${alias}.job_id and o.rule_set_id = ${alias}.rule_set_id
     and (o.score > ${alias}.score
          or (o.score = ${alias}.score and ${alias}.left_record_id > ${alias}.right_record_id)))`;

/**
 * Deletes one match of each mirrored pair, (a, b) and (b, a) of one dataset. Returns the counts of the deleted ones.
 */
export async function deleteMirrored(
  client: PoolClient,
  { tenantId, jobId, ruleSetId }: EntryOwner,
): Promise<{ MATCH: number; POSSIBLE: number; scoreSum: number }> {
  const { rows } = await client.query<{ MATCH: number; POSSIBLE: number; scoreSum: number }>(
    `with gone as (
       delete from matches m
        where m.tenant_id = $1 and m.job_id = $2 and m.rule_set_id = $3 and ${mirrorSql('m')}
       returning m.decision, m.score)
     select (count(*) filter (where decision = 'MATCH'))::float8 as "MATCH",
            (count(*) filter (where decision = 'POSSIBLE'))::float8 as "POSSIBLE",
            coalesce(sum(score), 0)::float8 as "scoreSum" from gone`,
    [tenantId, jobId, ruleSetId],
  );
  return rows[0] ?? { MATCH: 0, POSSIBLE: 0, scoreSum: 0 };
}
