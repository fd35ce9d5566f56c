import type { RejectedPair, RuleSetDefinition, Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { heldOn, heldRecords, reviewedComposites } from '../../results/composites';
import { confirmedPairs, rejectedPairs, type RecordPair } from '../../results/matches';
import { jobsDecidingAs } from '../../results/reviews';
import type { Directory } from '../stage/directory';
import type { TrialReviews } from './decide';

export const noReviews: TrialReviews = {
  confirmed: [],
  rejected: [],
  held: { left: [], right: [] },
  composites: { holds: heldRecords([]), rejected: [] },
};

/** The rule set whose place a trial takes: what people decided on its results holds. */
export interface TrialRival extends Record<`${Side}DatasetId`, string> {
  tenantId: string;
  ruleSetId: string;
  definition: RuleSetDefinition;
}

/** Reads what people decided on the results of a rule set, as far as it holds for the definition of the trial. */
export async function readReviews(
  client: PoolClient,
  rival: TrialRival,
  directories: Record<Side, Directory>,
): Promise<TrialReviews> {
  const alike = await jobsDecidingAs(client, rival, rival);
  const { confirmed, rejected } = await reviewedComposites(client, rival, alike);
  const holds = heldRecords(confirmed);
  const { left, right } = directories;
  const ranked = (pairs: readonly RecordPair[]): RejectedPair[] =>
    pairs
      .map(({ leftRecordId, rightRecordId }) => ({ left: left.seqOf(leftRecordId), right: right.seqOf(rightRecordId) }))
      .filter((pair) => pair.left !== -1 && pair.right !== -1);
  const heldRanks = (side: Side): number[] =>
    heldOn(holds, side)
      .map((id) => directories[side].seqOf(id))
      .filter((rank) => rank !== -1);
  return {
    confirmed: ranked(await confirmedPairs(client, rival)),
    rejected: ranked(await rejectedPairs(client, rival, alike)),
    held: { left: heldRanks('left'), right: heldRanks('right') },
    composites: { holds, rejected },
  };
}
