import type { TenantDb } from '@tieout/infra';

/**
 * The id of another match of the rule set that holds one of these records on its side: a confirmed one, or a MATCH of the
 * live job that nobody has rejected.
 */
export async function matchHolding(
  db: TenantDb,
  of: { ruleSetId: string; liveJobId: string | null; except?: string },
  records: { left: readonly string[]; right: readonly string[] },
): Promise<string | undefined> {
  const [other] = await db.query<{ id: string }>(
    // The fences keep each search on the index of the record: right after a large job the statistics know nothing of it.
    `select m.id from (
       select m.* from unnest($2::uuid[]) r(id), lateral (select * from matches where left_record_id = r.id offset 0) m
       union all
       select m.* from unnest($3::uuid[]) r(id), lateral (select * from matches where right_record_id = r.id offset 0) m) m
      where m.tenant_id = $1::uuid and m.rule_set_id = $4::uuid and m.id is distinct from $6::uuid
        and (m.review_status = 'confirmed' or (m.review_status is null and m.decision = 'MATCH' and m.job_id = $5::uuid))
      order by m.id limit 1`,
    [db.tenantId, records.left, records.right, of.ruleSetId, of.liveJobId, of.except ?? null],
  );
  return other?.id;
}
