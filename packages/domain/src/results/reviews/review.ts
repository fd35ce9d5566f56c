export const reviewStatuses = ['confirmed', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** What somebody decided about a match or a composite. No job changes it or deletes it. */
export interface Review {
  status: ReviewStatus;
  note: string | null;
  reviewedAt: Date;
  /** null: the platform key. */
  apiKeyId: string | null;
}

export interface ReviewInput {
  status: ReviewStatus;
  note: string | null;
  /** null: the platform key. */
  apiKeyId: string | null;
}

/** A review as it is stored with what was reviewed. */
export interface ReviewRow {
  reviewStatus: ReviewStatus | null;
  reviewNote: string | null;
  reviewedAt: Date | null;
  reviewedBy: string | null;
}

/** The columns of a ReviewRow. */
export const reviewColumns = (alias: string): string =>
  `${alias}.review_status as "reviewStatus", ${alias}.review_note as "reviewNote", ${alias}.reviewed_at as "reviewedAt", ${alias}.reviewed_by as "reviewedBy"`;

/** The review of a row, in one piece. */
export const reviewOf = ({ reviewStatus, reviewNote, reviewedAt, reviewedBy }: ReviewRow): Review | null =>
  reviewStatus && reviewedAt && { status: reviewStatus, note: reviewNote, reviewedAt, apiKeyId: reviewedBy };
