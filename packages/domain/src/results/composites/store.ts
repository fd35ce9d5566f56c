import type { DbHandle } from '@tieout/infra';
import { subtractResults } from '../counters';

/** Ids of the tenant's composites, of any job, that name one of these records as target or member. */
export async function compositesNaming(
  db: DbHandle,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id::text as id from unnest($2::uuid[]) r(id), lateral (select * from composite_matches where target_record_id = r.id offset 0) c
      where c.tenant_id = $1::uuid
     union select composite_id::text from composite_members where record_id = any($2::uuid[]) and tenant_id = $1::uuid`,
    [tenantId, recordIds],
  );
  return rows.map(({ id }) => id);
}

/** The same, whose rows nobody else changes until the end of the transaction. */
export async function lockCompositesNaming(
  tx: DbHandle,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> {
  const ids = await compositesNaming(tx, tenantId, recordIds);
  if (ids.length > 0)
    await tx.execute(
      `select 1 from composite_matches where tenant_id = $1::uuid and id = any($2::uuid[]) order by id for update`,
      [tenantId, ids],
    );
  return ids;
}

/** Removes the composites that name one of these records, reviewed ones too. Runs inside the transaction that deletes the records or precedes it. */
export async function deleteCompositesOfRecords(
  tx: DbHandle,
  tenantId: string,
  recordIds: readonly string[],
): Promise<void> {
  const ids = await compositesNaming(tx, tenantId, recordIds);
  if (ids.length === 0) return;
  await tx.execute(`delete from composite_members where composite_id = any($2::uuid[]) and tenant_id = $1::uuid`, [
    tenantId,
    ids,
  ]);
  const deleted = await tx.query<{ jobId: string; ruleSetId: string; decision: string; status: string; count: number }>(
    `with gone as (delete from composite_matches where id = any($2::uuid[]) and tenant_id = $1::uuid returning job_id, rule_set_id, decision, status)
     select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, status, count(*)::int as count from gone group by 1, 2, 3, 4`,
    [tenantId, ids],
  );
  await subtractResults(
    tx,
    tenantId,
    deleted.map((of) => ({ ...of, kind: 'composite' })),
  );
}

const deleteSize = 5_000;

/**
 * Removes so many of those that a job has composed, with their counts; what somebody has reviewed stays. Runs inside a transaction.
 * @returns whether there were any, be it that others have removed them meanwhile
 */
export async function deleteUnreviewedComposites(
  tx: DbHandle,
  of: { tenantId: string; jobId: string; ruleSetId: string },
): Promise<boolean> {
  const counts = await tx.query<{ decision: string | null; status: string; count: number }>(
    `with chosen as materialized (
       select id from composite_matches
        where tenant_id = $1::uuid and job_id = $2::uuid and rule_set_id = $3::uuid and review_status is null limit $4::int
     ), gone as (
       delete from composite_matches where tenant_id = $1::uuid and review_status is null and id = any(array(select id from chosen))
       returning id, decision, status
     ), members as (delete from composite_members m using gone where m.composite_id = gone.id and m.tenant_id = $1::uuid)
     select decision, status, count(*)::int as count from gone group by 1, 2
     union all select null, '', count(*)::int from chosen`,
    [of.tenantId, of.jobId, of.ruleSetId, deleteSize],
  );
  const { jobId, ruleSetId } = of;
  await subtractResults(
    tx,
    of.tenantId,
    counts.flatMap(({ decision, ...gone }) =>
      decision === null ? [] : [{ ...gone, decision, jobId, ruleSetId, kind: 'composite' }],
    ),
  );
  return counts.some(({ decision, count }) => decision === null && count > 0);
}

/** Removes all composites of a rule set, which may be very many. Runs inside the transaction that deletes it. */
export async function deleteCompositesOfRuleSet(tx: DbHandle, tenantId: string, ruleSetId: string): Promise<void> {
  await tx.execute(
    `delete from composite_members where tenant_id = $1::uuid
        and composite_id in (select id from composite_matches where tenant_id = $1::uuid and rule_set_id = $2::uuid)`,
    [tenantId, ruleSetId],
  );
  await tx.execute(`delete from composite_matches where tenant_id = $1::uuid and rule_set_id = $2::uuid`, [
    tenantId,
    ruleSetId,
  ]);
}
