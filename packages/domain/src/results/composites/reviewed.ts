import type { CompositeDirection } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';

export interface ReviewedComposite {
  direction: CompositeDirection;
  targetRecordId: string;
  memberRecordIds: string[];
}

/**
 * What people have decided about composites of a rule set: the confirmed ones of all its versions, whose records are taken,
 * and the rejected ones of one version, which are not proposed again.
 */
export async function reviewedComposites(
  client: PoolClient,
  of: { tenantId: string; ruleSetId: string; ruleSetVersion: number },
): Promise<{ confirmed: ReviewedComposite[]; rejected: ReviewedComposite[] }> {
  const { rows } = await client.query<ReviewedComposite & { reviewStatus: string }>(
    `select c.direction, c.target_record_id as "targetRecordId", c.review_status as "reviewStatus",
            array(select m.record_id::text from composite_members m where m.composite_id = c.id order by m.position) as "memberRecordIds"
       from composite_matches c
      where c.tenant_id = $1 and c.rule_set_id = $2 and c.review_status is not null
        and (c.review_status = 'confirmed' or c.rule_set_version = $3)
      order by c.id`,
    [of.tenantId, of.ruleSetId, of.ruleSetVersion],
  );
  return {
    confirmed: rows.filter((row) => row.reviewStatus === 'confirmed'),
    rejected: rows.filter((row) => row.reviewStatus === 'rejected'),
  };
}
