import { effectiveParams, type RuleSetDefinition } from '@tieout/engine';
import type { AppError, TenantDb } from '@tieout/infra';

export const reviewStatuses = ['confirmed', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** The decision of a reviewer about a match or a composite. No job changes or deletes it. */
export interface Review {
  status: ReviewStatus;
  note: string | null;
  reviewedAt: Date;
  /** null: a user, or the platform key. */
  apiKeyId: string | null;
  /** null: a key. */
  userId: string | null;
}

export interface ReviewInput {
  /** Null: the review is withdrawn. */
  status: ReviewStatus | null;
  note: string | null;
  /** null: a user, or the platform key. */
  apiKeyId: string | null;
  /** null: a key. */
  userId: string | null;
  /** The decision of another reviewer is not replaced. */
  unlessReviewed?: boolean | undefined;
}

/** Returns whether a result holds its records after a review: a confirmed one, or a live MATCH without a review. */
export const holdsAfter = (
  { status }: ReviewInput,
  { decision, matchingJobId, liveJobId }: { decision: string; matchingJobId: string; liveJobId: string | null },
): boolean => status === 'confirmed' || (status === null && decision === 'MATCH' && matchingJobId === liveJobId);

/** A match or composite under review. */
export interface Reviewed {
  table: 'matches' | 'composite_matches';
  /** Its name in messages. */
  name: string;
  id: string;
  ruleSetId: string;
  notFound: () => AppError;
}

/** The columns of a review in the row of its match or composite. */
export interface ReviewRow {
  reviewStatus: ReviewStatus | null;
  reviewNote: string | null;
  reviewedAt: Date | null;
  reviewedBy: string | null;
  reviewedByUser: string | null;
}

/** SQL for the columns of a ReviewRow. */
export const reviewColumns = (alias: string): string =>
  `${alias}.review_status as "reviewStatus", ${alias}.review_note as "reviewNote",
   ${alias}.reviewed_at as "reviewedAt", ${alias}.reviewed_by as "reviewedBy",
   ${alias}.reviewed_by_user as "reviewedByUser"`;

/** Returns the review of a row, or null. */
export const reviewOf = (row: ReviewRow): Review | null => {
  const { reviewStatus: status, reviewNote: note, reviewedAt, reviewedBy: apiKeyId, reviewedByUser: userId } = row;
  return status && reviewedAt && { status, note, reviewedAt, apiKeyId, userId };
};

/** Rules by which results of a rule set exclude each other. */
export interface Exclusion {
  /** A record is in one MATCH pair at most. */
  oneToOne: boolean;
  /** Records of matched pairs take no part in composites. */
  leavesOutMatched: boolean;
  /** A dataset is compared with itself, so that a pair has no direction. */
  isOneSide: boolean;
}

/** Reads the rules from the definition that a job ran. */
export async function exclusionOf(db: TenantDb, ruleSetId: string, jobId: string): Promise<Exclusion> {
  const [entry] = await db.query<{ definition: RuleSetDefinition; isOneSide: boolean }>(
    `select definition, left_dataset_id = right_dataset_id as "isOneSide" from job_rule_sets
      where tenant_id = $1::uuid and rule_set_id = $2::uuid and job_id = $3::uuid`,
    [db.tenantId, ruleSetId, jobId],
  );
  if (!entry) return { oneToOne: false, leavesOutMatched: false, isOneSide: false };
  const { enabled, skipAlreadyMatched } = effectiveParams(entry.definition).composition;
  return {
    oneToOne: entry.definition.params.assignment === 'one_to_one',
    leavesOutMatched: enabled && skipAlreadyMatched,
    isOneSide: entry.isOneSide,
  };
}

/**
 * Returns the id of another match of the rule set that holds one of these records on its side: a confirmed match, or a
 * MATCH of the live job without a review.
 */
export async function findMatchHolding(
  db: TenantDb,
  { ruleSetId, liveJobId, except }: { ruleSetId: string; liveJobId: string | null; except?: string },
  records: { left: readonly string[]; right: readonly string[] },
): Promise<string | undefined> {
  const [other] = await db.query<{ id: string }>(
    // `offset 0` keeps each search on the index of the record: right after a large job statistics are out of date.
    `select m.id from (
       select m.* from unnest($2::uuid[]) r(id),
              lateral (select * from matches where left_record_id = r.id offset 0) m
       union all
       select m.* from unnest($3::uuid[]) r(id),
              lateral (select * from matches where right_record_id = r.id offset 0) m) m
      where m.tenant_id = $1::uuid and m.rule_set_id = $4::uuid and m.id is distinct from $6::uuid
        and (m.review_status = 'confirmed'
             or (m.review_status is null and m.decision = 'MATCH' and m.job_id = $5::uuid))
      order by m.id limit 1`,
    [db.tenantId, records.left, records.right, ruleSetId, liveJobId, except ?? null],
  );
  return other?.id;
}
