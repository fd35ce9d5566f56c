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
  type RecordPair,
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
  /** Pairs of the rule set that people have confirmed. */
  confirmed: readonly RecordPair[];
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
  confirmed: [],
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
  const confirmed = await confirmedPairs(client, owner);
  const isDecided =
    confirmed.length + released.pairs.length + heldCount(decisions) > 0 ||
    (await rejectedPairs(client, owner, decisions.alikeJobs)).length > 0;
  const cut = isFinal && (entry.isOneSide || isDecided) ? await cutLikeBatches(run, entry) : nothingCut;
  const dropped = [
    ...(await deleteMatchesOf(client, owner, run.removed)),
    ...(run.taken.length === 0 ? [] : await deleteMatchesOfMany(client, owner, run.taken)),
  ];
  const taken = isFinal && isDecided ? await deleteWithheld(client, owner, decisions) : [];
  const demoted = [
    ...(isFinal || !isDecided ? [] : await demoteWithheld(client, owner, decisions)),
    ...(isOneToOne(entry) && isDecided ? await demoteRivals(client, owner) : []),
  ];
  const counts =
    entry.isOneSide && isFinal ? await deleteMirrored(client, owner) : { MATCH: 0, POSSIBLE: 0, scoreSum: 0 };
  for (const { decision, score } of [...dropped, ...taken]) {
    counts[decision]++;
    counts.scoreSum += score;
  }
  if (counts.MATCH + counts.POSSIBLE + demoted.length > 0)
    await client.query(
      `update job_rule_sets set withheld_match = withheld_match + $3, withheld_possible = withheld_possible + $4,
            withheld_score = withheld_score + $5, demoted = demoted + $6
      where tenant_id = $1 and id = $2`,
      [owner.tenantId, entry.id, counts.MATCH, counts.POSSIBLE, counts.scoreSum, demoted.length],
    );
  return {
    ids: new Set([...[...dropped, ...taken].map(({ id }) => id), ...demoted]),
    decisions,
    confirmed,
    taken,
    cut,
  };
}

/** Counts the records that confirmed composites hold. */
export const heldCount = ({ held }: EntryDecisions): number => held.left.length + held.right.length;

export const isOneToOne = (entry: FinishEntry): boolean => entry.definition.params.assignment === 'one_to_one';
