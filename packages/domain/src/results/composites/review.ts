import type { Side } from '@tieout/engine';
import { AppError, type TenantDb } from '@tieout/infra';
import {
  exclusionOf,
  lockForReview,
  findMatchHolding,
  holdsAfter,
  inReviewTransaction,
  storeReview,
  type ReviewInput,
} from '../reviews';
import type { TenantScope } from '../../kernel/scope';
import { compositeNotFound, getCompositeMatch, type CompositeDetail } from './composite-matches';
import { compositesNaming } from './store';

/**
 * Stores a review of a composite in place of an earlier one, or withdraws it. A confirmed composite holds its records
 * in all later jobs of the rule set; a rejected one is not proposed again while what decides is the same.
 * @throws AppError composite_match_not_found; conflict when its job is not completed, when a later job has replaced it
 *   or is completing, and where it becomes a confirmed or live MATCH when one of the records is in another one of the
 *   rule set
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
    if (input.status === 'confirmed') await assertRestOpen(db, composite);
    if (holdsAfter(input, { ...composite, liveJobId })) await assertFree(db, composite, liveJobId);
    await storeReview(db, reviewed, recordsOf(composite), input);
    return getCompositeMatch(s, id);
  });
}

/**
 * Makes sure that what other confirmed composites hold of the target leaves room for this one. The amount by which it
 * exceeds its target itself, within the tolerance of its rule set, does not count.
 */
async function assertRestOpen(
  db: TenantDb,
  { id, ruleSetId, targetRecordId, targetAmount, composedAmount, explanation }: CompositeDetail,
): Promise<void> {
  const held = typeof explanation['heldAmount'] === 'number' ? explanation['heldAmount'] : 0;
  const [more] = await db.query<{ id: string }>(
    `select (array_agg(c.id::text order by c.id desc))[1] as id
       from (select * from composite_matches where target_record_id = $3::uuid offset 0) c
      where c.tenant_id = $1::uuid and c.rule_set_id = $4::uuid and c.id <> $2::uuid and c.review_status = 'confirmed'
     having abs(sum(c.composed_amount::text::numeric)) + abs($6::numeric)
              > greatest(abs($5::numeric), abs($6::numeric)) + abs($7::numeric)`,
    [db.tenantId, id, targetRecordId, ruleSetId, String(targetAmount), String(composedAmount), String(held)],
  );
  if (more !== undefined)
    throw new AppError('conflict', `Another composite match holds of the target what this one needs: ${more.id}`);
}

/**
 * Makes sure that no other composite which is confirmed, or a live MATCH without a review, holds one of the records.
 * Others may hold parts of the target.
 */
async function assertFree(db: TenantDb, composite: CompositeDetail, liveJobId: string | null): Promise<void> {
  const { id, ruleSetId, matchingJobId, targetRecordId } = composite;
  const records = recordsOf(composite);
  const holder = { ruleSetId, liveJobId, except: id, sharedTarget: targetRecordId };
  const other = await findCompositeHolding(db, holder, [...records.left, ...records.right]);
  if (other !== undefined)
    throw new AppError('conflict', `A record of the composite match is in another one of the rule set: ${other}`);
  const { leavesOutMatched } = await exclusionOf(db, ruleSetId, matchingJobId);
  const match = await findMatchHolding(db, { ruleSetId, liveJobId: leavesOutMatched ? liveJobId : null }, records);
  if (match !== undefined)
    throw new AppError('conflict', `A record of the composite match is in a match of the rule set: ${match}`);
}

function recordsOf({ direction, targetRecordId, members }: CompositeDetail): Record<Side, string[]> {
  const ids = members.map(({ recordId }) => recordId);
  return direction === 'one_to_many' ? { left: [targetRecordId], right: ids } : { left: ids, right: [targetRecordId] };
}

interface CompositeHolder {
  ruleSetId: string;
  /** Null: only confirmed composites hold records. */
  liveJobId: string | null;
  except?: string;
  /** Confirmed composites of this target that share no other record do not count. */
  sharedTarget?: string;
}

/**
 * Returns the id of another composite of the rule set that holds one of these records: a confirmed composite, or a
 * MATCH of the live job without a review.
 */
export async function findCompositeHolding(
  db: TenantDb,
  { ruleSetId, liveJobId, except, sharedTarget }: CompositeHolder,
  recordIds: readonly string[],
): Promise<string | undefined> {
  const naming = await compositesNaming(db, db.tenantId, recordIds);
  const [other] = await db.query<{ id: string }>(
    `select c.id from composite_matches c
      where c.tenant_id = $1::uuid and c.id = any($2::uuid[]) and c.id is distinct from $3::uuid
        and c.rule_set_id = $4::uuid
        and ((c.review_status = 'confirmed'
              and (c.target_record_id is distinct from $6::uuid
                   or exists (select 1 from composite_members m
                               where m.composite_id = c.id and m.record_id = any($7::uuid[]))))
             or (c.review_status is null and c.decision = 'MATCH' and c.job_id = $5::uuid))
      order by c.id limit 1`,
    [db.tenantId, naming, except ?? null, ruleSetId, liveJobId, sharedTarget ?? null, recordIds],
  );
  return other?.id;
}
