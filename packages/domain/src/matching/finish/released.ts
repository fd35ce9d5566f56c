import type { PoolClient } from '@tieout/infra';
import type { DeletedMatch, RecordPair } from '../../results/matches';

/** Deletes the pairs of an entry that people released. */
export async function deleteReleasedPairs(
  client: PoolClient,
  owner: { tenantId: string; jobId: string; ruleSetId: string },
  pairs: readonly RecordPair[],
): Promise<DeletedMatch[]> {
  if (pairs.length === 0) return [];
  const { rows } = await client.query<DeletedMatch>(
    `delete from matches where tenant_id = $1 and id = any(array(
       select m.id from unnest($4::uuid[], $5::uuid[]) r (left_id, right_id), lateral (
         select id from matches where left_record_id = r.left_id and right_record_id = r.right_id
            and job_id = $2 and rule_set_id = $3 offset 0) m))
     returning id, decision, score`,
    [
      owner.tenantId,
      owner.jobId,
      owner.ruleSetId,
      pairs.map(({ leftRecordId }) => leftRecordId),
      pairs.map(({ rightRecordId }) => rightRecordId),
    ],
  );
  return rows;
}
