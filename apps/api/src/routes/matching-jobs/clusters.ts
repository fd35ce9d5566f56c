import { Type } from '@sinclair/typebox';
import { reviewStatuses, type Cluster } from '@tieout/domain';
import { closed, count, nullable, textEnum, uuid } from '../../http';

export const clusterSchema = closed(
  {
    rule_set_id: uuid(),
    records_total: count(),
    records: Type.Array(closed({ record_id: uuid(), external_id: nullable(Type.String()) }), {
      description: 'The first 100 by id',
    }),
    weakest_link: nullable(
      closed({
        match_id: uuid(),
        left_record_id: uuid(),
        right_record_id: uuid(),
        score: Type.Number(),
        review: nullable(textEnum(reviewStatuses)),
      }),
      {
        description:
          'The match without which the cluster falls into two at the highest score; null once the match is deleted',
      },
    ),
  },
  { $id: 'Cluster' },
);

/** Gives a cluster its names on the wire. */
export const presentCluster = ({ ruleSetId, recordsTotal, records, weakestLink }: Cluster) => ({
  rule_set_id: ruleSetId,
  records_total: recordsTotal,
  records: records.map(({ recordId, externalId }) => ({ record_id: recordId, external_id: externalId })),
  weakest_link: weakestLink && {
    match_id: weakestLink.matchId,
    left_record_id: weakestLink.leftRecordId,
    right_record_id: weakestLink.rightRecordId,
    score: weakestLink.score,
    review: weakestLink.reviewStatus,
  },
});
