import { Type, type Static } from '@sinclair/typebox';
import type { UnmatchedRecord } from '@tieout/domain';
import { closed, nullable, uuid } from '../http';

/** The best proposals that name a record. */
export const proposalFields = {
  best_possible: nullable(
    closed({ match_id: uuid(), record_id: uuid(), score: Type.Number() }, { $id: 'BestPossible' }),
  ),
  best_possible_composite: nullable(
    closed({ composite_match_id: uuid(), score: Type.Number() }, { $id: 'BestPossibleComposite' }),
    {
      description: 'It names the record as target or member',
    },
  ),
};

export const presentProposals = ({
  bestPossible,
  bestPossibleComposite: composite,
}: Pick<UnmatchedRecord, 'bestPossible' | 'bestPossibleComposite'>): {
  [K in keyof typeof proposalFields]: Static<(typeof proposalFields)[K]>;
} => ({
  best_possible: bestPossible && {
    match_id: bestPossible.matchId,
    record_id: bestPossible.recordId,
    score: bestPossible.score,
  },
  best_possible_composite: composite && { composite_match_id: composite.compositeMatchId, score: composite.score },
});
