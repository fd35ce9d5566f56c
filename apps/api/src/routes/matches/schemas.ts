import { Type } from '@sinclair/typebox';
import { reviewStatuses } from '@tieout/domain';
import { closed, freeForm, nullable, textEnum, timestamp, uuid } from '../../http';

const review = closed(
  {
    status: textEnum(reviewStatuses),
    note: nullable(Type.String()),
    reviewed_at: timestamp(),
    api_key_id: nullable(uuid({ description: 'null: the platform key' })),
  },
  { $id: 'MatchReview', description: 'Absent until somebody has reviewed it' },
);

export const matchSchema = closed(
  {
    id: uuid(),
    left_record_id: uuid(),
    right_record_id: uuid(),
    rule_set_id: uuid(),
    score: Type.Number({ description: 'On the scale of the rule set: 0..1 or 0..100' }),
    decision: textEnum(['MATCH', 'POSSIBLE']),
    explanation: freeForm({
      description: 'Every matcher with its value and contribution, the thresholds, the differences',
    }),
    matching_job_id: uuid(),
    created_at: timestamp(),
    review: Type.Optional(review),
  },
  { $id: 'Match' },
);
