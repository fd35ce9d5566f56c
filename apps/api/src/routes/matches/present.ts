import type { Match, Review } from '@tieout/domain';

export const presentMatch = (match: Match) => ({
  id: match.id,
  left_record_id: match.leftRecordId,
  right_record_id: match.rightRecordId,
  rule_set_id: match.ruleSetId,
  score: match.score,
  decision: match.decision,
  explanation: match.explanation,
  matching_job_id: match.matchingJobId,
  created_at: match.createdAt.toISOString(),
  ...(match.review ? { review: presentReview(match.review) } : {}),
});

const presentReview = ({ status, note, reviewedAt, apiKeyId }: Review) => ({
  status, note, reviewed_at: reviewedAt.toISOString(), api_key_id: apiKeyId,
});
