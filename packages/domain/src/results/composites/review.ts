import type { Side } from '@tieout/engine';
import { AppError, type TenantDb } from '@tieout/infra';
import {
  exclusionOf,
  lockForReview,
  findMatchHolding,
  inReviewTransaction,
  storeReview,
  type ReviewInput,
} from '../reviews';
import type { TenantScope } from '../../kernel/scope';
import { compositeNotFound, getCompositeMatch, type CompositeDetail } from './composite-matches';
import { compositesNaming } from './store';

/**
 * Stores a review of a composite in place of an earlier one. A confirmed composite holds its records in all later jobs
 * of the rule set; a rejected one is not proposed again for the same version.
 * @throws AppError composite_match_not_found; conflict when its job is not completed, when a later job has replaced it
 *   or is completing, and on confirming when one of the records is in another MATCH of the rule set
 */
export async function reviewCompositeMatch(
  scope: TenantScope,
  id: string,
  input: ReviewInput,
): Promise<CompositeDetail> {
  return inReviewTransaction(scope, async (s) => {
    const { db } = s;
    const composite = await getCompositeMatch(s, id);
    const { ruleSetId } = composite;
    const reviewed = {
      table: 'composite_matches',
      name: 'composite match',
      id,
      ruleSetId,
      notFound: compositeNotFound,
    } as const;
    const liveJobId = await lockForReview(db, reviewed);
    if (input.status === 'confirmed') await assertFree(db, composite, liveJobId);
    await storeReview(db, reviewed, recordsOf(composite).left, input);
    return getCompositeMatch(s, id);
  });
}

/**
 * Makes sure that no other composite which is confirmed, or a live MATCH without a review, holds one of the records.
 */
async function assertFree(db: TenantDb, composite: CompositeDetail, liveJobId: string | null): Promise<void> {
  const { id, ruleSetId, matchingJobId } = composite;
  const records = recordsOf(composite);
  const other = await findCompositeHolding(db, { ruleSetId, liveJobId, except: id }, [
    ...records.left,
    ...records.right,
  ]);
  if (other !== undefined)
    throw new AppError('conflict', `A record of the composite match is in another one of the rule set: ${other}`);
  if (!(await exclusionOf(db, ruleSetId, matchingJobId)).leavesOutMatched) return;
  const match = await findMatchHolding(db, { ruleSetId, liveJobId }, records);
  if (match !== undefined)
    throw new AppError('conflict', `A record of the composite match is in a match of the rule set: ${match}`);
}

function recordsOf({ direction, targetRecordId, members }: CompositeDetail): Record<Side, string[]> {
  const ids = members.map(({ recordId }) => recordId);
  return direction === 'one_to_many' ? { left: [targetRecordId], right: ids } : { left: ids, right: [targetRecordId] };
}

/**
 * Returns the id of another composite of the rule set that holds one of these records: a confirmed composite, or a
 * MATCH of the live job without a review.
 */
export async function findCompositeHolding(
  db: TenantDb,
  { ruleSetId, liveJobId, except }: { ruleSetId: string; liveJobId: string | null; except?: string },
  recordIds: readonly string[],
): Promise<string | undefined> {
  const naming = await compositesNaming(db, db.tenantId, recordIds);
  const [other] = await db.query<{ id: string }>(
    `select id from composite_matches
      where tenant_id = $1::uuid and id = any($2::uuid[]) and id is distinct from $3::uuid and rule_set_id = $4::uuid
        and (review_status = 'confirmed' or (review_status is null and decision = 'MATCH' and job_id = $5::uuid))
      order by id limit 1`,
    [db.tenantId, naming, except ?? null, ruleSetId, liveJobId],
  );
  return other?.id;
}
