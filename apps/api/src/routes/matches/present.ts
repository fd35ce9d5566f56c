import type { Match, Review } from '@tieout/domain';
import { JsonText } from '@tieout/infra';

/** As text at once: a page has up to a hundred. Ids, decisions and numbers are JSON as they are. */
export const presentMatch = (match: Match): JsonText => {
  const { id, leftRecordId, rightRecordId, ruleSetId, score, decision, explanation, matchingJobId, createdAt, review } =
    match;
  return new JsonText(
    `{"id":"${id}","left_record_id":"${leftRecordId}","right_record_id":"${rightRecordId}","rule_set_id":"${ruleSetId}","score":${score},` +
      `"decision":"${decision}","explanation":${explanation.text},"matching_job_id":"${matchingJobId}","created_at":"${createdAt}"` +
      `${review ? `,"review":${JSON.stringify(presentReview(review))}` : ''}}`,
  );
};

const presentReview = ({ status, note, reviewedAt, apiKeyId }: Review) => ({
  status,
  note,
  reviewed_at: reviewedAt.toISOString(),
  api_key_id: apiKeyId,
});
