import {
  maxComposedUnits,
  planTooLong,
  memberSide,
  settleWithPauses,
  targetSide,
  type CompositeDirection,
  type CompositionSide,
  type Proposal,
  type Side,
  type Taken,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { writeComposites, type ComposedRecords } from '../../results/composites';
import type { UnmatchedReason } from '../../results/unmatched';
import { readProposals, type GroupBounds } from '../composition/group-batch';
import { readOutset, rowsWith, setTaken } from '../composition/outset';
import { readPool } from '../composition/pool';
import { compositionProblems, RecordErrors } from '../composition/record-errors';
import { notReviewed, withoutRejected } from '../composition/rejected';
import { runningCheck, runSteps } from '../jobs/context';
import type { EntryError } from '../jobs/errors';
import { bytesPerId, type Directory } from '../stage/directory';
import { snapshotKey } from '../stage/kept-stages';
import { isWorse, markRow, type EntryOutcome } from './outcome';
import { heldTargets } from './prevented';
import { ownerOf, stageOf, type FinishEntry, type FinishRun } from './run';

/** The result of an entry's composition. */
interface SettledEntry {
  counts: Record<Proposal['decision'], number>;
  /** Targets whose proposal another target took, and whose second search stopped at its limit. */
  givenUp: number;
  amountsOutOfRange: number;
  plansTooLong: number;
  /** The first errors of each kind. */
  errors: readonly EntryError[];
}

/** The records of an entry, and their outcome so far. */
interface EntryRecords {
  directories: Record<Side, Directory>;
  outcome: EntryOutcome;
}

/**
 * Lets the targets of an entry compete for members, stores the resulting composites, and marks their records in the
 * outcome. The result does not depend on how the targets were cut into batches.
 * @throws JobStoppedError
 */
export async function settleEntry(
  run: FinishRun,
  entry: FinishEntry,
  entryRecords: EntryRecords,
): Promise<SettledEntry> {
  const { scope, client, jobId, context } = run;
  const counts = { MATCH: 0, POSSIBLE: 0 };
  const composes = entry.definition.params.composition?.enabled === true;
  const batches = composes ? await groupBatches(client, scope.tenantId, entry.id) : [];
  const bounds = batches[0];
  const composition = bounds && context.ruleSets.get(scope.tenantId, entry.definition).composition;
  if (!bounds || !composition) return { counts, givenUp: 0, amountsOutOfRange: 0, plansTooLong: 0, errors: [] };
  const stage = stageOf(run, entry);
  const key = snapshotKey(entry.id, entry.plannedAt);
  const whole =
    context.pools.recordsOf(key) ??
    (await readPool(client, stage, { expected: bounds.pool, isKeyed: composition.isKeyed }));
  context.pools.drop(key);
  const owner = ownerOf(run, entry);
  const { taken, held, rejected, records } = await readOutset(client, owner, composition, whole);
  // Removed records are unavailable like taken ones, but have no MATCH.
  const goneRows = rowsWith(records, [...run.removed, ...run.taken]);
  setTaken(taken, goneRows, 1);
  const givenUp = new RecordErrors(compositionProblems.searchEnded, records.ids);
  const onGivenUp = (direction: CompositeDirection, target: number): void => givenUp.add(targetSide[direction], target);
  const composer = withoutRejected(composition, composition.open(records.pool), records.pool, rejected);
  const proposals = notReviewed(
    await readProposals(client, stage, batches.length),
    { pool: records.pool, rejected },
    ({ direction, target }) => {
      const again = composer.propose(direction, target, taken);
      if (composer.unfinished) onGivenUp(direction, target);
      return again;
    },
  );
  const steps = settleWithPauses(composer, proposals, taken, { onGivenUp });
  const composites = await runSteps(steps, context.onStep, runningCheck(scope, jobId));
  setTaken(taken, goneRows, 0);
  const signed = { ...records, signs: composition.signs };
  await writeComposites({ client, owner, proposals: composites, records: signed, occurredAt: new Date() });
  markComposed(entryRecords, records, composites, taken);
  const seqOf = (side: Side, row: number): number =>
    entryRecords.directories[side].seqAt(records.ids[side], row * bytesPerId);
  const isOpen = (side: Side, row: number): boolean => isWorse(entryRecords.outcome[side], seqOf(side, row), 'held');
  const lacking = heldTargets({ composition, pool: records.pool, taken, held, isOpen });
  for (const { side, row } of await runSteps(lacking, context.onStep, runningCheck(scope, jobId)))
    markRow(entryRecords.outcome[side], seqOf(side, row), 'held');
  for (const { decision } of composites) counts[decision]++;
  const outOfRange = recordsWhere(
    records,
    compositionProblems.amountOutOfRange,
    ({ units }, row) => Math.abs(units[row] as number) > maxComposedUnits,
  );
  const tooLong = recordsWhere(
    records,
    compositionProblems.planTooLong,
    ({ totalCount }, row) => totalCount[row] === planTooLong,
  );
  return {
    counts,
    givenUp: givenUp.count,
    amountsOutOfRange: outOfRange.count,
    plansTooLong: tooLong.count,
    errors: [...givenUp.kept, ...outOfRange.kept, ...tooLong.kept],
  };
}

function recordsWhere(
  { ids, pool }: ComposedRecords,
  problem: { code: string; message: string },
  has: (side: CompositionSide, row: number) => boolean,
): RecordErrors {
  const errors = new RecordErrors(problem, ids);
  for (const side of ['left', 'right'] as const) {
    for (let row = 0; row < pool[side].length; row++) if (has(pool[side], row)) errors.add(side, row);
  }
  return errors;
}

async function groupBatches(client: PoolClient, tenantId: string, entryId: string): Promise<GroupBounds[]> {
  const { rows } = await client.query<{ bounds: GroupBounds }>(
    `select bounds from job_batches where tenant_id = $1 and entry_id = $2 and kind = 'groups' order by batch_no`,
    [tenantId, entryId],
  );
  return rows.map(({ bounds }) => bounds);
}

/** Marks taken records as matched, and records of POSSIBLE composites only as possible, or as ambiguous if one is. */
function markComposed(
  { directories, outcome }: EntryRecords,
  { ids }: ComposedRecords,
  composites: readonly Proposal[],
  taken: Taken,
): void {
  const mark = (side: Side, row: number, outcomeOf: 'matched' | UnmatchedReason): void =>
    markRow(outcome[side], directories[side].seqAt(ids[side], row * bytesPerId), outcomeOf);
  for (const side of ['left', 'right'] as const) {
    for (let row = 0; row < taken[side].length; row++) if (taken[side][row] === 1) mark(side, row, 'matched');
  }
  for (const { decision, direction, target, members, explanation } of composites) {
    if (decision === 'MATCH') continue;
    const reason = explanation['ambiguous'] === true ? 'ambiguous' : 'possible_only';
    mark(targetSide[direction], target, reason);
    for (const member of members) mark(memberSide[direction], member, reason);
  }
}
