import { AppError, type TenantDb } from '@tieout/infra';
import { findCompositeHolding } from '../composites';
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
import { getMatch, matchNotFound, type Match } from './matches';

/**
 * Stores a review of a match in place of an earlier one, or withdraws it. A confirmed match replaces its pair in all
 * later jobs of the rule set, and holds its records where a record can have one MATCH only. A rejected match is not
 * proposed again while what decides is the same: datasets, expressions and params.
 * @throws AppError match_not_found; conflict when its job is not completed, when a later job has replaced it or is
 *   completing, and where it becomes a confirmed or live MATCH when another one is for the pair or one of the records
 */
export async function reviewMatch(scope: TenantScope, id: string, input: ReviewInput): Promise<Match> {
  return inReviewTransaction(scope, async (s) => {
    const match = await getMatch(s, id);
    const { ruleSetId } = match;
    const reviewed = { table: 'matches', name: 'match', id, ruleSetId, notFound: matchNotFound } as const;
    const liveJobId = await lockForReview(s.db, reviewed);
    if (holdsAfter(input, { ...match, liveJobId })) await assertFree(s.db, match, liveJobId);
    await storeReview(s.db, reviewed, { left: [match.leftRecordId], right: [match.rightRecordId] }, input);
    return getMatch(s, id);
  });
}

async function assertFree(db: TenantDb, match: Match, liveJobId: string | null): Promise<void> {
  const { id, ruleSetId, matchingJobId, leftRecordId, rightRecordId } = match;
  const { oneToOne, leavesOutMatched, isOneSide } = await exclusionOf(db, ruleSetId, matchingJobId);
  const twin = await matchOfPair(db, match, liveJobId);
  if (twin !== undefined) throw new AppError('conflict', `The pair has another match: review ${twin}`);
  if (oneToOne) {
    const other = await findMatchHolding(
      db,
      { ruleSetId, liveJobId, except: id },
      isOneSide
        ? { left: [leftRecordId, rightRecordId], right: [leftRecordId, rightRecordId] }
        : { left: [leftRecordId], right: [rightRecordId] },
    );
    if (other !== undefined)
      throw new AppError('conflict', `A record of the match is in another one of the rule set: reject ${other} first`);
  }
  const holder = { ruleSetId, liveJobId: leavesOutMatched ? liveJobId : null };
  const composite = await findCompositeHolding(db, holder, [leftRecordId, rightRecordId]);
  if (composite !== undefined)
    throw new AppError(
      'conflict',
      `A record of the match is in a composite match of the rule set: reject ${composite} first`,
    );
}

/** Returns another match of the same pair: a confirmed one, or one of the live job without a review. */
async function matchOfPair(db: TenantDb, match: Match, liveJobId: string | null): Promise<string | undefined> {
  const [twin] = await db.query<{ id: string }>(
    // `offset 0` keeps the search on the index of the pair: statistics may not know the tenant yet.
    `select id from (select * from matches where left_record_id = $2::uuid and right_record_id = $3::uuid offset 0) m
      where tenant_id = $1::uuid and rule_set_id = $4::uuid and id <> $5::uuid
        and (review_status = 'confirmed' or (review_status is null and job_id = $6::uuid)) order by id limit 1`,
    [db.tenantId, match.leftRecordId, match.rightRecordId, match.ruleSetId, match.id, liveJobId],
  );
  return twin?.id;
}
