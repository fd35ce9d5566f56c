import { Type } from '@sinclair/typebox';
import { closed, freeForm, textEnum, timestamp, uuid } from '../../http';

export const matchSchema = closed(
  {
    id: uuid(),
    left_record_id: uuid(),
    right_record_id: uuid(),
    rule_set_id: uuid(),
    score: Type.Number({ description: 'On the scale of the rule set: 0..1 or 0..100' }),
    decision: textEnum(['MATCH', 'POSSIBLE']),
    explanation: freeForm({ description: 'Every matcher with its value and contribution, the thresholds, the differences' }),
    matching_job_id: uuid(),
    created_at: timestamp(),
  },
  { $id: 'Match' },
);
