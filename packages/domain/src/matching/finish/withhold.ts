import type { PoolClient } from '@tieout/infra';
import {
  heldOn,
  heldRecords,
  reviewedComposites,
  type HeldRecords,
  type ReviewedComposite,
} from '../../results/composites';
import {
  confirmedPairs,
  deleteMatchesOf,
  deleteMatchesOfMany,
  deleteWithheld,
  demoteRivals,
  demoteWithheld,
  rejectedPairs,
  type EntryOwner,
  type PairDecisions,
  type WithheldMatch,
} from '../../results/matches';
import { jobsDecidingAlike } from '../../results/reviews';
import { readReleased, type ReleasedRecords } from '../composition/passes';
import { cutLikeBatches, nothingCut, type CutPairs } from './cut-possible';
import { deleteMirrored } from './mirrored';
import { ownerOf, type FinishEntry, type FinishRun } from './run';

/** People’s decisions that concern an entry. */
export interface EntryDecisions extends PairDecisions {
  holds: HeldRecords;
  rejectedComposites: readonly ReviewedComposite[];
}

async function readDecisions(
  client: PoolClient,
  owner: EntryOwner,
  released: ReleasedRecords,
): Promise<EntryDecisions> {
  const alikeJobs = await jobsDecidingAlike(client, owner);
  const { confirmed, rejected } = await reviewedComposites(client, owner, alikeJobs);
  const holds = heldRecords(owner.isRun ? [] : confirmed);
  const held = { left: heldOn(holds, 'left'), right: heldOn(holds, 'right') };
  const rejectedComposites = [...rejected, ...released.composites];
  return { alikeJobs, held, holds, released: released.pairs, rejectedComposites };
}

/** The pairs of an entry that are not to be assigned, and why. */
export interface Withheld {
  ids: ReadonlySet<string>;
  decisions: EntryDecisions;
  /** Pairs that people’s decisions took out; none before the job completes. */
  taken: readonly WithheldMatch[];
  /** POSSIBLE pairs that were cut before any were taken out. */
  cut: CutPairs;
}

/** For a pass that an earlier step has completed. */
export const nothingWithheld: Withheld = {
  ids: new Set(),
  decisions: {
    alikeJobs: [],
    held: { left: [], right: [] },
    holds: heldRecords([]),
    released: [],
    rejectedComposites: [],
  },
  taken: [],
  cut: nothingCut,
};

/**
 * Takes out the pairs of removed records, and the pairs that people’s decisions forbid. Before the assignment of an
 * entry that composes, forbidden pairs only become POSSIBLE, so that the completion still knows them.
 */
export async function withhold(run: FinishRun, entry: FinishEntry, isFinal: boolean): Promise<Withheld> {
  const { client } = run;
  const owner = ownerOf(run, entry);
  const released = await readReleased(client, owner);
  const decisions = await readDecisions(client, owner, released);
  const takesOut = async (): Promise<boolean> =>
    entry.isOneSide || released.pairs.length > 0 || (await hasReviewedPairs(client, owner, decisions));
  const cut = isFinal && (await takesOut()) ? await cutLikeBatches(run, entry) : nothingCut;
  const dropped = [
    ...(await deleteMatchesOf(client, owner, run.removed)),
    ...(run.taken.length === 0 ? [] : await deleteMatchesOfMany(client, owner, run.taken)),
  ];
  const taken = isFinal ? await deleteWithheld(client, owner, decisions) : [];
  const demoted = [
    ...(isFinal ? [] : await demoteWithheld(client, owner, decisions)),
    ...(isOneToOne(entry) ? await demoteRivals(client, owner) : []),
  ];
  const counts =
    entry.isOneSide && isFinal ? await deleteMirrored(client, owner) : { MATCH: 0, POSSIBLE: 0, scoreSum: 0 };
  for (const { decision, score } of [...dropped, ...taken]) {
    counts[decision]++;
    counts.scoreSum += score;
  }
  await client.query(
    `update job_rule_sets set withheld_match = withheld_match + $3, withheld_possible = withheld_possible + $4,
            withheld_score = withheld_score + $5, demoted = demoted + $6
      where tenant_id = $1 and id = $2`,
    [owner.tenantId, entry.id, counts.MATCH, counts.POSSIBLE, counts.scoreSum, demoted.length],
  );
  return { ids: new Set([...[...dropped, ...taken].map(({ id }) => id), ...demoted]), decisions, taken, cut };
}

/** Returns whether people decided on pairs, or hold records, of the rule set. */
async function hasReviewedPairs(client: PoolClient, owner: EntryOwner, decisions: EntryDecisions): Promise<boolean> {
  const { held, alikeJobs } = decisions;
  return (
    held.left.length + held.right.length > 0 ||
    (await confirmedPairs(client, owner)).length > 0 ||
    (await rejectedPairs(client, owner, alikeJobs)).length > 0
  );
}

export const isOneToOne = (entry: FinishEntry): boolean => entry.definition.params.assignment === 'one_to_one';
