import { AppError, isLockTimeout, type TenantDb } from '@tieout/infra';
import type { TenantScope } from '../scope';
import { compositeNotFound, getCompositeMatch, type CompositeDetail, type ReviewStatus } from './composite-matches';
import { compositesNaming } from './store';

export interface ReviewInput {
  status: ReviewStatus;
  note: string | null;
  /** null: the platform key. */
  apiKeyId: string | null;
}

/**
 * Records what somebody decided about a composite; it takes the place of an earlier review. A confirmed composite holds
 * its records in all later jobs of the rule set, a rejected one is not proposed again for the same version.
 * @throws AppError composite_match_not_found; conflict when its job is not completed, when a later one took its place or is
 *   completing just now, and on confirming when one of the records is in another MATCH of the rule set
 */
export async function reviewCompositeMatch(scope: TenantScope, id: string, input: ReviewInput): Promise<CompositeDetail> {
  return scope.transaction(async (s) => {
    const { tenantId, db } = s;
    const composite = await getCompositeMatch(s, id);
    const liveJobId = await lockRuleSet(db, composite.ruleSetId);
    await assertReviewable(db, id, liveJobId);
    if (input.status === 'confirmed') await assertFree(db, composite, liveJobId);
    const changed = await db.execute(
      `update composite_matches set review_status = $3, review_note = $4, reviewed_by = $5::uuid, reviewed_at = now()
        where tenant_id = $1::uuid and id = $2::uuid`,
      [tenantId, id, input.status, input.note, input.apiKeyId],
    );
    if (changed === 0) throw compositeNotFound();
    return getCompositeMatch(s, id);
  });
}

/** A large job takes longer to complete than a request should wait. */
const lockTimeoutMs = 3_000;

/**
 * The live job of the rule set, which stays so until the end of the transaction: reviews of a rule set and completions of its
 * jobs, which hold the row too, happen one after the other, so that none decides on what another changes.
 */
async function lockRuleSet(db: TenantDb, ruleSetId: string): Promise<string | null> {
  try {
    await db.execute(`set local lock_timeout = ${lockTimeoutMs}`);
    const [ruleSet] = await db.query<{ liveJobId: string | null }>(
      `select live_job_id as "liveJobId" from rule_sets where tenant_id = $1::uuid and id = $2::uuid for update`,
      [db.tenantId, ruleSetId],
    );
    if (!ruleSet) throw compositeNotFound();
    return ruleSet.liveJobId;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new AppError('conflict', 'A matching job of the rule set is completing: review again when it has', { retryAfterSeconds: 5 });
  }
}

/** The composite is one of the live job, or has been reviewed before; asked again under the lock. */
async function assertReviewable(db: TenantDb, id: string, liveJobId: string | null): Promise<void> {
  const [composite] = await db.query<{ completed: boolean; current: boolean }>(
    `select j.status = 'completed' as completed, c.job_id is not distinct from $3::uuid or c.review_status is not null as current
       from composite_matches c join matching_jobs j on j.id = c.job_id where c.tenant_id = $1::uuid and c.id = $2::uuid`,
    [db.tenantId, id, liveJobId],
  );
  if (!composite) throw compositeNotFound();
  if (!composite.completed) throw new AppError('conflict', 'The matching job of the composite match is not completed');
  if (!composite.current) throw new AppError('conflict', 'A later matching job has replaced the composite match');
}

/** A record is in at most one composite of a rule set that is confirmed, or a MATCH of the live job that nobody has rejected. */
async function assertFree(db: TenantDb, { id, ruleSetId, targetRecordId, members }: CompositeDetail, liveJobId: string | null): Promise<void> {
  const naming = await compositesNaming(db, db.tenantId, [targetRecordId, ...members.map(({ recordId }) => recordId)]);
  const [other] = await db.query<{ id: string }>(
    `select id from composite_matches
      where tenant_id = $1::uuid and id = any($2::uuid[]) and id <> $3::uuid and rule_set_id = $4::uuid
        and (review_status = 'confirmed' or (review_status is null and decision = 'MATCH' and job_id = $5::uuid))
      order by id limit 1`,
    [db.tenantId, naming, id, ruleSetId, liveJobId],
  );
  if (other) throw new AppError('conflict', `A record of the composite match is in another one of the rule set: ${other.id}`);
}
