import { Type } from '@sinclair/typebox';
import {
  compositeDirections,
  reviewStatuses,
  type CompositeDetail,
  type CompositeMatch,
  type Review,
} from '@tieout/domain';
import { camelCursorPageOf, closed, freeForm, nullable, ofRecords, textEnum, timestamp, uuid } from '../../http';
import { changedMemberVersion, staleSchema } from '../matches/schemas';

const review = closed(
  {
    status: textEnum(reviewStatuses),
    note: nullable(Type.String()),
    reviewedAt: timestamp(),
    apiKeyId: nullable(uuid({ description: 'null: a user, or the platform key' })),
    userId: nullable(uuid(), { description: 'null: a key' }),
  },
  { $id: 'Review', description: 'Absent until it is reviewed' },
);

const composite = {
  id: uuid(),
  ruleSetId: uuid(),
  matchingJobId: uuid(),
  direction: textEnum(compositeDirections, {
    description: 'one_to_many: the target is a left record, the members are right ones',
  }),
  status: textEnum(['COMPLETE', 'PARTIAL'], {
    description: 'COMPLETE: the members add up to the target, within the tolerance',
  }),
  expectedMemberCount: Type.Integer({
    minimum: 1,
    description: 'The number of installments, the size of the whole group, else the number of members',
  }),
  score: Type.Number({ description: 'On the scale of the rule set: 0..1 or 0..100' }),
  decision: textEnum(['MATCH', 'POSSIBLE']),
  targetAmount: ofRecords(Type.Number()),
  composedAmount: ofRecords(Type.Number({ description: 'The sum of the members' })),
  amountDelta: ofRecords(Type.Number({ description: 'composedAmount − targetAmount' })),
  explanation: ofRecords(
    freeForm({ description: 'What was found and how: the kind of group, the search, the dates, the thresholds' }),
  ),
  createdAt: timestamp(),
  review: Type.Optional(review),
  stale: Type.Optional(staleSchema),
  versions: ofRecords(
    Type.Array(changedMemberVersion, { description: 'Of a stale one: the changed records, confirmed and current' }),
  ),
};

const compositeMatch = closed(composite, { $id: 'CompositeMatch' });

export const compositePageSchema = camelCursorPageOf(compositeMatch);

const member = closed({
  recordId: uuid(),
  amount: ofRecords(Type.Number()),
  date: ofRecords(nullable(Type.String({ format: 'date' }))),
});

export const compositeDetailSchema = closed(
  {
    ...composite,
    targetRecordId: uuid(),
    members: Type.Array(member, { description: 'By date, then id; installments by their numbers' }),
  },
  { $id: 'CompositeMatchDetail' },
);

export const presentCompositeMatch = (composite: CompositeMatch, withRecords: boolean) => ({
  id: composite.id,
  ruleSetId: composite.ruleSetId,
  matchingJobId: composite.matchingJobId,
  direction: composite.direction,
  status: composite.status,
  expectedMemberCount: composite.expectedMemberCount,
  score: composite.score,
  decision: composite.decision,
  ...(withRecords
    ? {
        targetAmount: composite.targetAmount,
        composedAmount: composite.composedAmount,
        amountDelta: composite.amountDelta,
        explanation: composite.explanation,
      }
    : {}),
  createdAt: composite.createdAt.toISOString(),
  ...(composite.review ? { review: presentReview(composite.review) } : {}),
  ...(composite.review?.status === 'confirmed' ? { stale: composite.versions !== null } : {}),
  ...(composite.versions && withRecords ? { versions: composite.versions } : {}),
});

export const presentCompositeDetail = (composite: CompositeDetail, withRecords: boolean) => ({
  ...presentCompositeMatch(composite, withRecords),
  targetRecordId: composite.targetRecordId,
  members: withRecords ? composite.members : composite.members.map(({ recordId }) => ({ recordId })),
});

const presentReview = ({ status, note, reviewedAt, apiKeyId, userId }: Review) => ({
  status,
  note,
  reviewedAt: reviewedAt.toISOString(),
  apiKeyId,
  userId,
});
