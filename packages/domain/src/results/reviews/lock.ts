import type { Side } from '@tieout/engine';
import { AppError, type TenantDb } from '@tieout/infra';
import { updateMatchedCounts } from '../counters';
import { isHeldSql } from '../held';
import { withShortLockTimeout } from '../../kernel/sql';
import type { TenantScope } from '../../kernel/scope';
import type { Reviewed, ReviewInput } from './review';
import { forgetVersions, rememberVersions } from './versions';

export const busyMessage = 'A matching job is completing, or results are being removed: review again in a few seconds';

/**
 * Runs the transaction of a review with a short lock timeout: a completing job, or a removal of many records, holds
 * rule sets, results and counters of the tenant.
 * @throws AppError conflict
 */
export function inReviewTransaction<T>(scope: TenantScope, work: (s: TenantScope) => Promise<T>): Promise<T> {
  return scope.transaction((s) => withShortLockTimeout(s.db, busyMessage, () => work(s)));
}

/**
 * Locks a result that may be reviewed: one of the live job, one with a review, or one that is held. Reviews of a rule
 * set and completions of its jobs lock its row and so run one after the other. Runs inside `inReviewTransaction`.
 * @returns the live job of the rule set, which stays live until the end of the transaction
 * @throws AppError conflict, and the error of `notFound`
 */
export async function lockForReview(db: TenantDb, reviewed: Reviewed): Promise<string | null> {
  const liveJobId = await lockRuleSet(db, reviewed);
  const [row] = await db.query<{ completed: boolean; current: boolean }>(
    `select j.status = 'completed' as completed,
            m.job_id is not distinct from $3::uuid or m.review_status is not null or ${isHeldSql('m')} as current
       from ${reviewed.table} m join matching_jobs j on j.id = m.job_id
      where m.tenant_id = $1::uuid and m.id = $2::uuid for update of m`,
    [db.tenantId, reviewed.id, liveJobId],
  );
  if (!row) throw reviewed.notFound();
  if (!row.completed) throw new AppError('conflict', `The matching job of the ${reviewed.name} is not completed`);
  if (!row.current) throw new AppError('conflict', `A later matching job has replaced the ${reviewed.name}`);
  return liveJobId;
}

async function lockRuleSet(db: TenantDb, { ruleSetId, notFound }: Reviewed): Promise<string | null> {
  const [ruleSet] = await db.query<{ liveJobId: string | null }>(
    `select live_job_id as "liveJobId" from rule_sets where tenant_id = $1::uuid and id = $2::uuid for update`,
    [db.tenantId, ruleSetId],
  );
  if (!ruleSet) throw notFound();
  return ruleSet.liveJobId;
}

/**
 * Stores a review in place of an earlier one, and with a confirmation the records as they are now; or withdraws it.
 * Storing the same review again changes nothing else.
 * @throws AppError conflict where another's review is not to be replaced
 */
export async function storeReview(
  db: TenantDb,
  reviewed: Reviewed,
  records: Record<Side, readonly string[]>,
  input: ReviewInput,
): Promise<void> {
  const { table, id } = reviewed;
  const { status, note, apiKeyId, userId } = input;
  if (status === null) return withdrawReview(db, table, id);
  if (input.unlessReviewed === true) await assertNoOther(db, reviewed, input);
  if (status === 'confirmed') await rememberVersions(db, reviewed, records);
  else await forgetVersions(db, id);
  await updateMatchedCounts(
    db,
    db.tenantId,
    () => Promise.resolve(records.left),
    async () => {
      await db.execute(
        `update ${table} set review_status = $3, review_note = $4, reviewed_by = $5::uuid,
                reviewed_by_user = $6::uuid, reviewed_at = now()
          where tenant_id = $1::uuid and id = $2::uuid and (review_status, review_note, reviewed_by, reviewed_by_user)
                is distinct from ($3, $4, $5::uuid, $6::uuid)`,
        [db.tenantId, id, status, note, apiKeyId, userId],
      );
    },
  );
}

/** Makes sure that a locked result has no review, or this one already: a request may come twice. */
async function assertNoOther(
  db: TenantDb,
  { table, name, id }: Reviewed,
  { status, apiKeyId, userId }: ReviewInput,
): Promise<void> {
  const [other] = await db.query<{ status: string; reviewer: string | null }>(
    `select m.review_status as status, coalesce(u.name, k.label) as reviewer
       from ${table} m
       left join users u on u.tenant_id = $1::uuid and u.id = m.reviewed_by_user
       left join api_keys k on k.tenant_id = $1::uuid and k.id = m.reviewed_by
      where m.tenant_id = $1::uuid and m.id = $2::uuid and m.review_status is not null
        and (m.review_status, m.reviewed_by, m.reviewed_by_user) is distinct from ($3, $4::uuid, $5::uuid)`,
    [db.tenantId, id, status, apiKeyId, userId],
  );
  if (other !== undefined)
    throw new AppError('conflict', `${other.reviewer ?? 'Somebody else'} has already ${other.status} the ${name}`);
}

/** Takes back a review: the result is one without a review again, and goes with those that it was kept beside. */
export async function withdrawReview(db: TenantDb, table: Reviewed['table'], id: string): Promise<void> {
  await forgetVersions(db, id);
  const leftRecords =
    table === 'matches'
      ? `select left_record_id::text as id from matches where tenant_id = $1::uuid and id = $2::uuid`
      : `select case direction when 'one_to_many' then target_record_id else m.record_id end::text as id
           from composite_matches c left join composite_members m on m.tenant_id = $1::uuid and m.composite_id = c.id
          where c.tenant_id = $1::uuid and c.id = $2::uuid`;
  await updateMatchedCounts(
    db,
    db.tenantId,
    async () => (await db.query<{ id: string }>(leftRecords, [db.tenantId, id])).map((row) => row.id),
    async () => {
      await db.execute(
        `update ${table} set review_status = null, review_note = null, reviewed_by = null,
                reviewed_by_user = null, reviewed_at = null
          where tenant_id = $1::uuid and id = $2::uuid`,
        [db.tenantId, id],
      );
    },
  );
  await db.execute(
    `update job_rule_sets e set results_expired_at = null from ${table} r
      where r.tenant_id = $1::uuid and r.id = $2::uuid and e.tenant_id = $1::uuid and e.job_id = r.job_id
        and e.rule_set_id = r.rule_set_id and e.results_expired_at is not null`,
    [db.tenantId, id],
  );
}
