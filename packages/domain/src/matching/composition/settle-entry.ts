import {
  MAX_COMPOSED_UNITS,
  PLAN_TOO_LONG,
  memberSide,
  settleInTurns,
  targetSide,
  type CompositeDirection,
  type CompositionSide,
  type Proposal,
  type Side,
  type Taken,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { writeComposites, type ComposedRecords } from '../../results/composites';
import type { TenantScope } from '../../kernel/scope';
import type { UnmatchedReason } from '../../results/unmatched';
import type { RecordError } from '../jobs/fail';
import type { FinishedEntry } from '../finish/finish';
import type { JobContext } from '../jobs/handlers';
import { runningCheck, takeTurns } from '../jobs/running';
import { markRow, type EntryOutcome } from '../finish/outcome';
import { bytesPerId, type Directory } from '../stage/directory';
import { poolKey } from './group-batch';
import type { GroupBounds } from './group-bounds';
import { readOutset, rowsWith, setTaken } from './outset';
import { readProposals } from './proposals';
import { readPool } from './read-pool';
import { compositionProblems, RecordErrors } from './record-errors';
import { notRejected, withoutRejected } from './rejected';

/** What came of an entry's composition. */
export interface Settled {
  counts: Record<Proposal['decision'], number>;
  /** Targets that lost what their batch had proposed and could not be searched to the end again. */
  givenUp: number;
  amountsOutOfRange: number;
  plansTooLong: number;
  /** The first of each. */
  errors: readonly RecordError[];
}

/** The records of an entry, and what became of them so far. */
export interface EntryRecords {
  directories: Record<Side, Directory>;
  outcome: EntryOutcome;
  /** The ids of records that are gone since the job was made. */
  removed: readonly string[];
}

/**
 * Lets the targets of an entry compete for their members, stores the composites that come of it, and marks their records
 * in the outcome. Nothing of this depends on how the targets were cut into batches.
 * @throws JobStoppedError
 */
export async function settleEntry(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  entry: FinishedEntry,
  entryRecords: EntryRecords,
  context: JobContext,
): Promise<Settled> {
  const counts = { MATCH: 0, POSSIBLE: 0 };
  const batches = await groupBatches(client, scope.tenantId, entry.id);
  const bounds = batches[0];
  const composition = bounds && context.ruleSets.get(entry.id, entry.definition).composition;
  if (!bounds || !composition) return { counts, givenUp: 0, amountsOutOfRange: 0, plansTooLong: 0, errors: [] };
  const key = poolKey(entry.id, entry.plannedAt);
  const records = context.pools.recordsOf(key) ?? (await readPool(client, entry.id, bounds.pool));
  context.pools.drop(key);
  const owner = { tenantId: scope.tenantId, jobId, ruleSetId: entry.ruleSetId, ruleSetVersion: entry.ruleSetVersion };
  const { taken, rejected } = await readOutset(client, owner, composition.skipAlreadyMatched, records);
  // What is gone is out of reach like what is taken, and has no MATCH.
  const goneRows = rowsWith(records, entryRecords.removed);
  setTaken(taken, goneRows, 1);
  const givenUp = new RecordErrors(compositionProblems.searchEnded, records.ids);
  const onGivenUp = (direction: CompositeDirection, target: number): void => givenUp.add(targetSide[direction], target);
  const composer = withoutRejected(composition, composition.open(records.pool), records.pool, rejected);
  const proposals = notRejected(
    await readProposals(client, entry.id, batches.length),
    rejected,
    ({ direction, target }) => {
      const again = composer.propose(direction, target, taken);
      if (composer.unfinished) onGivenUp(direction, target);
      return again;
    },
  );
  const turns = settleInTurns(composer, proposals, taken, { onGivenUp });
  const composites = await takeTurns(turns, context.onStep, runningCheck(scope, jobId));
  setTaken(taken, goneRows, 0);
  await writeComposites(client, owner, composites, records, new Date());
  markComposed(entryRecords, records, composites, taken);
  for (const { decision } of composites) counts[decision]++;
  const outOfRange = recordsWhere(
    records,
    compositionProblems.amountOutOfRange,
    ({ units }, row) => Math.abs(units[row] as number) > MAX_COMPOSED_UNITS,
  );
  const tooLong = recordsWhere(
    records,
    compositionProblems.planTooLong,
    ({ totalCount }, row) => totalCount[row] === PLAN_TOO_LONG,
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

/** Who has been taken is matched; who is named by POSSIBLE composites alone is possible only, or ambiguous when one of them is. */
function markComposed(
  { directories, outcome }: EntryRecords,
  { ids }: ComposedRecords,
  composites: readonly Proposal[],
  taken: Taken,
): void {
  const mark = (side: Side, row: number, as: 'matched' | UnmatchedReason): void =>
    markRow(outcome[side], directories[side].seqAt(ids[side], row * bytesPerId), as);
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
