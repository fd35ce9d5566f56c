import { Type } from '@sinclair/typebox';
import { unmatchedReasons, type RecordView, type UnmatchedRecord } from '@tieout/domain';
import { closed, nullable, textEnum, uuid } from '../../http';
import { presentProposals, proposalFields } from '../proposals';
import { presentRecord } from '../records/reply-records';
import { recordSchema } from '../records/schemas';

export const unmatchedSchema = closed(
  {
    record: recordSchema,
    reason: textEnum(unmatchedReasons, {
      description: 'held: what it would match is confirmed elsewhere; rejected: what it would match was rejected',
    }),
    ...proposalFields,
    nearest: nullable(
      closed({
        record_id: uuid(),
        external_id: nullable(Type.String()),
        rule_set_id: uuid(),
        score: Type.Number({ description: '0 where a filter, a window, a tolerance or a required matcher refuses it' }),
        lacks: nullable(
          Type.Array(
            closed(
              {
                id: Type.String(),
                name: Type.String(),
                value: Type.Number({ minimum: 0, maximum: 1 }),
                weight: Type.Number(),
                required: Type.Boolean(),
                lost: Type.Number({ description: 'By how much the score would be higher with a value of 1' }),
              },
              { $id: 'LackingMatcher' },
            ),
          ),
          {
            description:
              'Matchers that did not agree fully, what cost most first. Null where the score comes from no matchers, ' +
              'or a filter, a window, a tolerance or jsonataExpr refused the pair before',
          },
        ),
      }),
      {
        description:
          'For below_threshold: the best candidate, which is below Tpossible, as the job saw it. Null where that ' +
          'record was deleted, and where slow expressions left no time to look for it',
      },
    ),
    remaining_amount: nullable(Type.Number(), {
      description: 'What confirmed composites leave of its amount; null where they hold no part of it',
    }),
  },
  { $id: 'UnmatchedRecord' },
);

export const presentUnmatched = (
  { reason, remainingAmount, nearest, ...proposals }: UnmatchedRecord,
  record: RecordView,
) => ({
  record: presentRecord(record),
  reason,
  ...presentProposals(proposals),
  nearest: nearest && {
    record_id: nearest.recordId,
    external_id: nearest.externalId,
    rule_set_id: nearest.ruleSetId,
    score: nearest.score,
    lacks: nearest.lacks,
  },
  remaining_amount: remainingAmount,
});
