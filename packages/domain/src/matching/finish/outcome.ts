import { memberSide, targetSide, type Side } from '@tieout/engine';
import { readId, streamRows, type PoolClient } from '@tieout/infra';
import { confirmedPairs, type EntryOwner } from '../../results/matches';
import { unmatchedReasons, type UnmatchedList, type UnmatchedReason } from '../../results/unmatched';
import { bytesPerId, compareIds, recordState, type Directory } from '../stage/directory';
import type { CutPairs } from './cut-possible';
import type { Withheld } from './withhold';

/** Reasons by rank, the most informative first. */
const rankedReasons: readonly UnmatchedReason[] = [
  'ambiguous',
  'possible_only',
  'rejected',
  'held',
  'below_threshold',
  'no_candidate',
  'unblocked',
  'filtered',
  'failed',
];

/** Outcomes of a record are ranks of one byte. Over several rule sets the smallest rank wins. */
const matched = 0;
const rankOf = (reason: UnmatchedReason): number => rankedReasons.indexOf(reason) + 1;
const reasonOfRank = Uint8Array.from([0, ...rankedReasons.map((reason) => unmatchedReasons.indexOf(reason))]);

/** The rank of a record before its matches are read, by its state. */
const initialRank: Readonly<Record<number, number>> = {
  [recordState.candidate]: rankOf('below_threshold'),
  [recordState.noCandidate]: rankOf('no_candidate'),
  [recordState.failed]: rankOf('failed'),
  [recordState.filtered]: rankOf('filtered'),
  [recordState.unblocked]: rankOf('unblocked'),
};

/** The records of one side in id order with their ranks: 17 bytes a record. */
export interface SideOutcome {
  ids: Buffer;
  ranks: Uint8Array;
}

export interface EntryOutcome extends Record<Side, SideOutcome> {
  /** Number of pairs from which the outcome was read. */
  pairs: number;
}

/** Names what an outcome is read from besides the matches. */
interface OutcomeSource {
  directories: Record<Side, Directory>;
  withheld: Withheld;
  /** POSSIBLE pairs that were dropped because their records have better ones. */
  cut: CutPairs;
}

/**
 * Reads the matches of one rule set and marks their records, the records that people’s decisions hold, and those whose
 * pairs they took out.
 */
export async function entryOutcome(
  client: PoolClient,
  owner: EntryOwner,
  { directories, withheld, cut }: OutcomeSource,
): Promise<EntryOutcome> {
  const outcome = { left: begin(directories.left), right: begin(directories.right), pairs: 0 };
  const literal = (text: string): string => client.escapeLiteral(text);
  const query = `select left_record_id, right_record_id, decision = 'MATCH', explanation ? 'ambiguous',
                        explanation ? 'held' from matches
    where tenant_id = ${literal(owner.tenantId)} and job_id = ${literal(owner.jobId)}
      and rule_set_id = ${literal(owner.ruleSetId)}`;
  const { left, right } = directories;
  for await (const rows of streamRows(client, query, 5)) {
    outcome.pairs += rows.count;
    for (let row = 0; row < rows.count; row++) {
      const isTrue = (field: number): boolean => rows.bytes[rows.start(row, field)] === 1;
      const open = isTrue(3) ? 'ambiguous' : isTrue(4) ? 'held' : 'possible_only';
      const rank = isTrue(2) ? matched : rankOf(open);
      mark(outcome.left, left.seqAt(rows.bytes, rows.start(row, 0)), rank);
      mark(outcome.right, right.seqAt(rows.bytes, rows.start(row, 1)), rank);
    }
  }
  for (const { leftRecordId, rightRecordId } of owner.isRun ? [] : await confirmedPairs(client, owner)) {
    mark(outcome.left, left.seqOf(leftRecordId), matched);
    mark(outcome.right, right.seqOf(rightRecordId), matched);
  }
  for (const { leftRecordId, rightRecordId, reason } of withheld.taken) {
    if (reason === null) continue;
    mark(outcome.left, left.seqOf(leftRecordId), rankOf(reason));
    mark(outcome.right, right.seqOf(rightRecordId), rankOf(reason));
  }
  for (const side of ['left', 'right'] as const) {
    const ids = cut.records[side];
    for (let at = 0; at < ids.length; at += bytesPerId)
      mark(outcome[side], directories[side].seqAt(ids, at), rankOf('possible_only'));
  }
  const { holds, rejectedComposites } = withheld.decisions;
  for (const side of ['left', 'right'] as const) {
    for (const id of holds.whole[side]) mark(outcome[side], directories[side].seqOf(id), matched);
  }
  for (const { direction, targetRecordId, memberRecordIds } of rejectedComposites) {
    const [target, member] = [targetSide[direction], memberSide[direction]];
    mark(outcome[target], directories[target].seqOf(targetRecordId), rankOf('rejected'));
    for (const id of memberRecordIds) mark(outcome[member], directories[member].seqOf(id), rankOf('rejected'));
  }
  if (owner.isOneSide) shareRanks(outcome);
  return outcome;
}

/** Marks the records of the stored composites of a completed pass. */
export async function markStoredComposites(
  client: PoolClient,
  owner: EntryOwner,
  { directories, outcome }: { directories: Record<Side, Directory>; outcome: EntryOutcome },
): Promise<void> {
  const { rows } = await client.query<{ id: string; rank: 'matched' | UnmatchedReason }>(
    `select r.id::text as id,
            case when c.decision = 'MATCH' then 'matched' when c.explanation ? 'ambiguous' then 'ambiguous'
                 else 'possible_only' end as rank
       from composite_matches c, lateral (
         select c.target_record_id union all
         select record_id from composite_members m where m.tenant_id = $1 and m.composite_id = c.id) r (id)
      where c.tenant_id = $1 and c.job_id = $2 and c.rule_set_id = $3`,
    [owner.tenantId, owner.jobId, owner.ruleSetId],
  );
  for (const side of ['left', 'right'] as const) {
    for (const { id, rank } of rows) markRow(outcome[side], directories[side].seqOf(id), rank);
  }
}

/** Lists the records of an outcome that are matched. */
export function matchedRecords({ left, right }: EntryOutcome): string[] {
  return [left, right].flatMap(({ ids, ranks }) => {
    const found: string[] = [];
    for (let seq = 0; seq < ranks.length; seq++) if (ranks[seq] === matched) found.push(readId(ids, seq * 16));
    return found;
  });
}

/** Gives each record that takes part on both sides of one dataset the better of its two outcomes. */
function shareRanks({ left, right }: EntryOutcome): void {
  const lowest = rankOf('filtered');
  for (let seq = 0; seq < left.ranks.length; seq++) {
    const [one, other] = [left.ranks[seq] as number, right.ranks[seq] as number];
    if (one < lowest && other < lowest) left.ranks[seq] = right.ranks[seq] = Math.min(one, other);
  }
}

function begin(directory: Directory): SideOutcome {
  return { ids: directory.ids, ranks: Uint8Array.from(directory.states, (state) => initialRank[state] as number) };
}

function mark(side: SideOutcome, seq: number, rank: number): void {
  if (seq !== -1 && rank < (side.ranks[seq] as number)) side.ranks[seq] = rank;
}

/** Marks one more record; a better earlier outcome stays. */
export function markRow(side: SideOutcome, seq: number, outcome: 'matched' | UnmatchedReason): void {
  mark(side, seq, outcome === 'matched' ? matched : rankOf(outcome));
}

/** Returns whether a record has a worse outcome than this reason. */
export function isWorse({ ranks }: SideOutcome, seq: number, reason: UnmatchedReason): boolean {
  return seq !== -1 && (ranks[seq] as number) > rankOf(reason);
}

/** Merges the outcomes of two rule sets. */
export function mergeOutcomes(one: EntryOutcome, other: EntryOutcome): EntryOutcome {
  return {
    left: mergeSides(one.left, other.left),
    right: mergeSides(one.right, other.right),
    pairs: one.pairs + other.pairs,
  };
}

/** Merges the outcomes of one side. */
export function mergeSides(one: SideOutcome, other: SideOutcome): SideOutcome {
  // The usual case: rule sets over the same dataset.
  if (one.ids.equals(other.ids)) {
    return { ids: one.ids, ranks: one.ranks.map((rank, seq) => Math.min(rank, other.ranks[seq] as number)) };
  }
  const ids = Buffer.alloc(one.ids.length + other.ids.length);
  const ranks = new Uint8Array(one.ranks.length + other.ranks.length);
  let length = 0;
  const take = (from: SideOutcome, seq: number, rank: number): void => {
    from.ids.copy(ids, length * 16, seq * 16, seq * 16 + 16);
    ranks[length++] = rank;
  };
  let i = 0;
  let j = 0;
  while (i < one.ranks.length || j < other.ranks.length) {
    const order = i === one.ranks.length ? 1 : j === other.ranks.length ? -1 : compareIds(one.ids, i, other.ids, j);
    if (order < 0) take(one, i, one.ranks[i++] as number);
    else if (order > 0) take(other, j, other.ranks[j++] as number);
    else take(one, i, Math.min(one.ranks[i++] as number, other.ranks[j++] as number));
  }
  return { ids: ids.subarray(0, length * 16), ranks: ranks.subarray(0, length) };
}

/** Counts the records with a MATCH. */
export function matchedIn({ ranks }: SideOutcome): number {
  let count = 0;
  for (const rank of ranks) if (rank === matched) count++;
  return count;
}

/** Lists the records without a MATCH. */
export function unmatchedOf({ ids, ranks }: SideOutcome): UnmatchedList {
  let count = 0;
  for (const rank of ranks) if (rank !== matched) count++;
  const list = { ids: Buffer.allocUnsafe(count * 16), reasons: Buffer.allocUnsafe(count) };
  for (let seq = 0, place = 0; seq < ranks.length; seq++) {
    const rank = ranks[seq] as number;
    if (rank === matched) continue;
    ids.copy(list.ids, place * 16, seq * 16, seq * 16 + 16);
    list.reasons[place++] = reasonOfRank[rank] as number;
  }
  return list;
}
