import type { CompositeDirection } from '@tieout/engine';
import type { DbHandle, PoolClient } from '@tieout/infra';
import { subtractResultCounts } from '../counters';
import { isHeldSql } from '../held';

/** Lists ids of the tenant's composites, of any job, that name one of these records as target or member. */
export async function compositesNaming(
  db: DbHandle,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id::text as id
       from unnest($2::uuid[]) r(id),
            lateral (select * from composite_matches where target_record_id = r.id offset 0) c
      where c.tenant_id = $1::uuid
     union select composite_id::text from composite_members where record_id = any($2::uuid[]) and tenant_id = $1::uuid`,
    [tenantId, recordIds],
  );
  return rows.map(({ id }) => id);
}

/** Lists the same ids and locks their rows until the end of the transaction. */
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

/**
 * Deletes the composites that name one of these records, reviewed ones too. Runs inside the transaction that deletes
 * the records, or one before it.
 */
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
    `with gone as (
       delete from composite_matches where id = any($2::uuid[]) and tenant_id = $1::uuid
       returning job_id, rule_set_id, decision, status)
     select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, status, count(*)::int as count
       from gone group by 1, 2, 3, 4`,
    [tenantId, ids],
  );
  await subtractResultCounts(
    tx,
    tenantId,
    deleted.map((counted) => ({ ...counted, kind: 'composite' })),
  );
}

const compositesPerStep = 5_000;

/**
 * Deletes one step's worth of the unreviewed composites of a job, with their counts. Runs inside a transaction.
 * @returns whether any was found, even if another transaction deleted it
 */
export async function deleteUnreviewedComposites(
  tx: DbHandle,
  { tenantId, jobId, ruleSetId }: { tenantId: string; jobId: string; ruleSetId: string },
): Promise<boolean> {
  const counts = await tx.query<{ decision: string | null; status: string; count: number }>(
    `with chosen as materialized (
       select id from composite_matches
        where tenant_id = $1::uuid and job_id = $2::uuid and rule_set_id = $3::uuid and review_status is null
          and not ${isHeldSql('composite_matches')}
        limit $4::int
     ), gone as (
       delete from composite_matches
        where tenant_id = $1::uuid and review_status is null and id = any(array(select id from chosen))
       returning id, decision, status
     ), members as (
       delete from composite_members m using gone where m.composite_id = gone.id and m.tenant_id = $1::uuid)
     select decision, status, count(*)::int as count from gone group by 1, 2
     union all select null, '', count(*)::int from chosen`,
    [tenantId, jobId, ruleSetId, compositesPerStep],
  );
  await subtractResultCounts(
    tx,
    tenantId,
    counts.flatMap(({ decision, ...gone }) =>
      decision === null ? [] : [{ ...gone, decision, jobId, ruleSetId, kind: 'composite' }],
    ),
  );
  return counts.some(({ decision, count }) => decision === null && count > 0);
}

/** Deletes all composites of a rule set, possibly millions. Runs inside the transaction that deletes the rule set. */
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

interface BestComposite {
  recordId: string;
  compositeMatchId: string;
  score: number;
}

/** Finds for each record the best POSSIBLE composite of a job that names it and is not rejected. */
export async function bestPossibleComposites(
  db: DbHandle,
  { tenantId, jobId }: { tenantId: string; jobId: string },
  recordIds: readonly string[],
): Promise<BestComposite[]> {
  return db.query(
    // `offset 0` keeps each search on the index of the record: right after a large job statistics are out of date.
    `select r.id as "recordId", best.id as "compositeMatchId", best.score
       from unnest($3::uuid[]) r(id), lateral (
         select c.id, c.score
           from (select id as composite_id from composite_matches where target_record_id = r.id
                 union all
                 select composite_id from composite_members where record_id = r.id offset 0) naming,
                lateral (select * from composite_matches
                          where tenant_id = $1::uuid and id = naming.composite_id offset 0) c
          where c.job_id = $2::uuid and c.decision = 'POSSIBLE' and c.review_status is distinct from 'rejected'
          order by c.score desc, c.id limit 1) best`,
    [tenantId, jobId, recordIds],
  );
}

/** A reviewed composite with the records that it names. */
export interface ReviewedComposite {
  direction: CompositeDirection;
  status: 'COMPLETE' | 'PARTIAL';
  targetRecordId: string;
  memberRecordIds: string[];
  /** Sum of the members. */
  composedAmount: number;
  /** The part of the target's amount that other confirmed composites held when this one was found. */
  heldBefore: number;
}

/**
 * Reads the reviewed composites of a rule set: those confirmed under any of its versions, whose records are taken, and
 * those rejected in one of `alikeJobs`, which are not proposed again.
 */
export async function reviewedComposites(
  client: PoolClient,
  owner: { tenantId: string; ruleSetId: string },
  alikeJobs: readonly string[],
): Promise<{ confirmed: ReviewedComposite[]; rejected: ReviewedComposite[] }> {
  const { rows } = await client.query<ReviewedComposite & { reviewStatus: string }>(
    `select c.direction, c.status, c.target_record_id as "targetRecordId", c.review_status as "reviewStatus",
            c.composed_amount as "composedAmount",
            coalesce((c.explanation ->> 'heldAmount')::float8, 0) as "heldBefore",
            array(select m.record_id::text from composite_members m
                   where m.composite_id = c.id order by m.position) as "memberRecordIds"
       from composite_matches c
      where c.tenant_id = $1 and c.rule_set_id = $2 and c.review_status is not null
        and (c.review_status = 'confirmed' or c.job_id = any($3::uuid[]))
      order by c.id`,
    [owner.tenantId, owner.ruleSetId, alikeJobs],
  );
  return {
    confirmed: rows.filter((row) => row.reviewStatus === 'confirmed'),
    rejected: rows.filter((row) => row.reviewStatus === 'rejected'),
  };
}
