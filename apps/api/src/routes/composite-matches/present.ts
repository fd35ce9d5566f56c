import type { CompositeDetail, CompositeMatch, Review } from '@tieout/domain';

export const presentCompositeMatch = (composite: CompositeMatch) => ({
  id: composite.id,
  ruleSetId: composite.ruleSetId,
  matchingJobId: composite.matchingJobId,
  direction: composite.direction,
  status: composite.status,
  expectedMemberCount: composite.expectedMemberCount,
  score: composite.score,
  decision: composite.decision,
  targetAmount: composite.targetAmount,
  composedAmount: composite.composedAmount,
  amountDelta: composite.amountDelta,
  explanation: composite.explanation,
  createdAt: composite.createdAt.toISOString(),
  ...(composite.review ? { review: presentReview(composite.review) } : {}),
});

export const presentCompositeDetail = (composite: CompositeDetail) => ({
  ...presentCompositeMatch(composite),
  targetRecordId: composite.targetRecordId,
  members: composite.members,
});

const presentReview = ({ status, note, reviewedAt, apiKeyId }: Review) => ({
  status,
  note,
  reviewedAt: reviewedAt.toISOString(),
  apiKeyId,
});
