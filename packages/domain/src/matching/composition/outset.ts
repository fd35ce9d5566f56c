import type { CompiledComposition, CompositionPool, Side, Taken } from '@tieout/engine';
import { streamRows, type PoolClient } from '@tieout/infra';
import {
  heldRecords,
  heldScale,
  reviewedComposites,
  type ComposedRecords,
  type CompositeOwner,
  type HeldRecords,
} from '../../results/composites';
import { confirmedPairs } from '../../results/matches';
import { jobsDecidingAlike } from '../../results/reviews';
import { bytesPerId, directoryOf, type Directory } from '../stage/directory';
import { heldParts, readReleased, takenByPasses } from './passes';
import { rejectedGroups, type RejectedGroups } from './rejected';

/** Decisions that are made before any group is composed. */
export interface Outset {
  taken: Taken;
  /** Records that people’s decisions hold. */
  held: Taken;
  /** Groups rejected by reviews. */
  rejected: RejectedGroups;
  /** The records. Those of which confirmed composites hold a part come with their remaining amounts. */
  records: ComposedRecords;
}

/**
 * Reads which records are taken: those of confirmed composites and pairs and, with `skipAlreadyMatched`, those of the
 * MATCH pairs of this rule set in this job.
 */
export async function readOutset(
  client: PoolClient,
  owner: CompositeOwner,
  { skipAlreadyMatched, signs }: Pick<CompiledComposition, 'skipAlreadyMatched' | 'signs'>,
  { ids, pool }: ComposedRecords,
): Promise<Outset> {
  const rows = { left: rowsOf(ids.left), right: rowsOf(ids.right) };
  const taken = { left: new Uint8Array(rows.left.length), right: new Uint8Array(rows.right.length) };
  if (skipAlreadyMatched) await takeMatched(client, owner, rows, taken);
  const released = await readReleased(client, owner);
  const held = { left: new Uint8Array(rows.left.length), right: new Uint8Array(rows.right.length) };
  // The items of a run say what groups hold; for other jobs confirmed reviews do.
  const { reconciliationId } = released;
  const pairs = reconciliationId !== null ? [] : await confirmedPairs(client, owner);
  for (const { leftRecordId, rightRecordId } of pairs) {
    take(held.left, rows.left.seqOf(leftRecordId));
    take(held.right, rows.right.seqOf(rightRecordId));
  }
  for (const id of await takenByPasses(client, owner)) {
    for (const side of ['left', 'right'] as const) take(taken[side], rows[side].seqOf(id));
  }
  const { confirmed, rejected } = await reviewedComposites(client, owner, await jobsDecidingAlike(client, owner));
  const holds =
    reconciliationId === null
      ? heldRecords(confirmed)
      : { ...heldRecords([]), parts: await heldParts(client, owner, reconciliationId) };
  for (const side of ['left', 'right'] as const) {
    for (const id of holds.whole[side]) take(held[side], rows[side].seqOf(id));
    held[side].forEach((isHeld, row) => {
      if (isHeld === 1) take(taken[side], row);
    });
  }
  return {
    taken,
    held,
    rejected: rejectedGroups([...rejected, ...released.composites], rows),
    records: { ids, pool: withRests({ pool, signs, isRun: reconciliationId !== null }, holds.parts, rows, taken) },
  };
}

/** Reduces the amounts of records that are held in part to their rests. A record without a rest is taken. */
export function withRests(
  { pool, signs, isRun }: { pool: CompositionPool; signs: Record<Side, 1 | -1>; isRun: boolean },
  parts: HeldRecords['parts'],
  rows: Record<Side, Directory>,
  taken: Taken,
): CompositionPool {
  const reduced = { ...pool };
  for (const side of ['left', 'right'] as const) {
    if (parts[side].size === 0) continue;
    const units = pool[side].units.slice();
    const heldUnits = new Float64Array(units.length);
    for (const [id, held] of parts[side]) {
      const row = rows[side].seqOf(id);
      if (row === -1) continue;
      const own = units[row] as number;
      const part = signs[side] * Number(held / 10n ** BigInt(heldScale - pool.amountScale));
      heldUnits[row] = part;
      units[row] = own - part;
      if (Math.sign(own - part) !== Math.sign(own)) take(taken[side], row);
    }
    reduced[side] = { ...pool[side], units, heldUnits, restsAreMembers: isRun };
  }
  return reduced;
}

/** Returns a directory of the rows, which are in the order of the ids. */
export function rowsOf(ids: Buffer): Directory {
  return directoryOf(ids, new Uint8Array(ids.length / bytesPerId));
}

async function takeMatched(
  client: PoolClient,
  owner: CompositeOwner,
  rows: Record<Side, Directory>,
  taken: Taken,
): Promise<void> {
  const literal = (text: string): string => client.escapeLiteral(text);
  const query = `select left_record_id, right_record_id from matches
    where tenant_id = ${literal(owner.tenantId)} and job_id = ${literal(owner.jobId)}
      and rule_set_id = ${literal(owner.ruleSetId)} and decision = 'MATCH'`;
  for await (const pairs of streamRows(client, query, 2)) {
    for (let pair = 0; pair < pairs.count; pair++) {
      take(taken.left, rows.left.seqAt(pairs.bytes, pairs.start(pair, 0)));
      take(taken.right, rows.right.seqAt(pairs.bytes, pairs.start(pair, 1)));
    }
  }
}

/** Returns the rows of these records, as far as they are in the pool. */
export function rowsWith(records: ComposedRecords, ids: readonly string[]): Record<Side, readonly number[]> {
  const on = (side: Side): number[] => {
    const rows = rowsOf(records.ids[side]);
    return ids.map((id) => rows.seqOf(id)).filter((row) => row !== -1);
  };
  return ids.length === 0 ? { left: [], right: [] } : { left: on('left'), right: on('right') };
}

export function setTaken(taken: Taken, rows: Record<Side, readonly number[]>, to: 0 | 1): void {
  for (const side of ['left', 'right'] as const) for (const row of rows[side]) taken[side][row] = to;
}

/** Marks a row as taken; -1 means a record outside the pool. */
function take(taken: Uint8Array, row: number): void {
  if (row !== -1) taken[row] = 1;
}
