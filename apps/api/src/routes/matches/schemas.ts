import { Type, type Static } from '@sinclair/typebox';
import { reviewStatuses, type ChangedVersion, type Match, type Review, type ReviewInput } from '@tieout/domain';
import { JsonText } from '@tieout/infra';
import { closed, freeForm, nullable, ofRecords, textEnum, timestamp, uuid, type TenantPrincipal } from '../../http';

const review = closed(
  {
    status: textEnum(reviewStatuses),
    note: nullable(Type.String()),
    reviewed_at: timestamp(),
    api_key_id: nullable(uuid({ description: 'null: a user, or the platform key' })),
    user_id: nullable(uuid(), { description: 'null: a key' }),
  },
  { $id: 'MatchReview', description: 'Absent until somebody has reviewed it' },
);

/** A record's values that the rule set reads, when it was confirmed or now. */
const version = closed({ revision: Type.Integer({ minimum: 1 }), values: freeForm() }, { $id: 'RecordVersion' });

export const staleSchema = Type.Boolean({
  description: 'Of a confirmed one: whether its records have changed since',
});

const changedVersion = closed(
  { record_id: uuid(), side: textEnum(['left', 'right']), confirmed: version, current: version },
  { $id: 'ChangedVersion' },
);

/** A changed record of a composite match, in camelCase as its other keys. */
export const changedMemberVersion = closed(
  { recordId: uuid(), side: textEnum(['left', 'right']), confirmed: version, current: version },
  { $id: 'ChangedMemberVersion' },
);

export const matchSchema = closed(
  {
    id: uuid(),
    left_record_id: uuid(),
    right_record_id: uuid(),
    rule_set_id: uuid(),
    score: Type.Number({ description: 'On the scale of the rule set: 0..1 or 0..100' }),
    decision: textEnum(['MATCH', 'POSSIBLE']),
    explanation: ofRecords(
      freeForm({ description: 'Every matcher with its value and contribution, the thresholds, the differences' }),
    ),
    matching_job_id: uuid(),
    created_at: timestamp(),
    review: Type.Optional(review),
    stale: Type.Optional(staleSchema),
    versions: ofRecords(
      Type.Array(changedVersion, { description: 'Of a stale match: the changed records, confirmed and current' }),
    ),
  },
  { $id: 'Match' },
);

/** The review of a match or of a composite match. */
export const reviewBody = closed(
  {
    action: textEnum(['confirm', 'reject', 'withdraw'], { description: 'withdraw: as if it had never been reviewed' }),
    note: Type.Optional(Type.String({ maxLength: 4000 })),
    unlessReviewed: Type.Optional(
      Type.Boolean({
        description: 'true: another review is not replaced, but 409 conflict names its reviewer',
      }),
    ),
  },
  { examples: [{ action: 'confirm', note: 'checked against the statement' }] },
);

const statusOf = { confirm: 'confirmed', reject: 'rejected', withdraw: null } as const;

export const reviewInput = (
  { action, note, unlessReviewed }: Static<typeof reviewBody>,
  { apiKeyId, user }: TenantPrincipal,
): ReviewInput => ({
  status: statusOf[action],
  note: note ?? null,
  apiKeyId,
  userId: user?.id ?? null,
  unlessReviewed,
});

/** Writes JSON text itself, for pages of up to a hundred matches. Ids, decisions and numbers need no escaping. */
export const presentMatch = (match: Match, withRecords: boolean): JsonText => {
  const { id, leftRecordId, rightRecordId, ruleSetId, score, decision, explanation, matchingJobId, createdAt, review } =
    match;
  const { versions } = match;
  return new JsonText(
    `{"id":"${id}","left_record_id":"${leftRecordId}","right_record_id":"${rightRecordId}",` +
      `"rule_set_id":"${ruleSetId}","score":${score},"decision":"${decision}",` +
      `${withRecords ? `"explanation":${explanation.text},` : ''}` +
      `"matching_job_id":"${matchingJobId}","created_at":"${createdAt}"` +
      `${review ? `,"review":${JSON.stringify(presentReview(review))}` : ''}` +
      `${review?.status === 'confirmed' ? `,"stale":${versions !== null}` : ''}` +
      `${versions && withRecords ? `,"versions":${JSON.stringify(versions.map(presentVersion))}` : ''}}`,
  );
};

const presentVersion = ({ recordId, ...version }: ChangedVersion) => ({ record_id: recordId, ...version });

const presentReview = ({ status, note, reviewedAt, apiKeyId, userId }: Review) => ({
  status,
  note,
  reviewed_at: reviewedAt.toISOString(),
  api_key_id: apiKeyId,
  user_id: userId,
});
