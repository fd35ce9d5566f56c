import { candidateWindows } from '@tieout/engine';
import { cutAgain, insertBatches, pairsBatch, type BatchBounds, type Cut } from '../plan/batch-cuts';
import { countCandidates } from '../plan/candidates';
import { sameRows, type Rows } from '../stage/rows';
import type { ListedPairs } from './listed';
import { readRight } from './read-slice';
import type { BatchRun } from './run';

interface LongBatch {
  amountScale: number;
  bounds: BatchBounds;
  lefts: Rows;
  /** True if both sides are one dataset. */
  isOneSide: boolean;
  listed: ListedPairs | undefined;
  cut: Cut;
}

/**
 * Replaces a batch that is too long by shorter ones with the same pairs together. They are numbered after the last
 * batch of the entry: a number is never used twice, since its queue job may still exist. The writer holds the row of
 * the batch locked.
 * @returns the first of the new numbers
 */
export async function recutBatch(run: BatchRun, batch: LongBatch): Promise<number> {
  const { scope, writer, compiled } = run;
  const { tenantId, logger } = scope;
  const { jobId, entryId, batchNo } = run.ref;
  const { lefts, listed } = batch;
  const pairs = await pairsByLeft(run, batch);
  const seqs = Uint32Array.from({ length: lefts.length }, (_, row) => lefts.seqOf(row));
  const pieces = cutAgain({ rule: compiled.blocking, lefts, seqs, listed: listed && batch.bounds }, pairs, batch.cut);
  // Cuts of an entry take their numbers one after the other. A deletion of the rule set, which holds the entry and
  // waits for the batch, deadlocks with this lock: the database ends one of them, and either can be repeated.
  await writer.query(`select 1 from job_rule_sets where tenant_id = $1 and id = $2 for no key update`, [
    tenantId,
    entryId,
  ]);
  const { rows } = await writer.query<{ next: number }>(
    `select max(batch_no) + 1 as next from job_batches where entry_id = $1`,
    [entryId],
  );
  const next = rows[0]?.next ?? 0;
  await writer.query(`delete from job_batches where tenant_id = $1 and entry_id = $2 and batch_no = $3`, [
    tenantId,
    entryId,
    batchNo,
  ]);
  await insertBatches(writer, { tenantId, jobId, entryId }, pieces.map(pairsBatch), next);
  logger.info({ jobId, batchNo, batches: pieces.length, first: next }, 'long batch cut');
  return next;
}

/** Counts the candidate pairs of each left row. */
async function pairsByLeft(
  { reader, stage, compiled, context: { limits, onStep } }: BatchRun,
  { amountScale, bounds, lefts, isOneSide, listed }: LongBatch,
): Promise<Float64Array> {
  if (listed) return Float64Array.from({ length: lefts.length }, (_, row) => listed.count(row));
  const { contiguous, comparesAmounts } = compiled.blocking;
  const pairs = new Float64Array(lefts.length);
  const options = { amountScale, comparesAmounts, ties: contiguous ? 'magnitude' : 'read', limits } as const;
  const source = { client: reader, stage };
  for await (const rights of readRight(source, bounds.right, options)) {
    const windows = candidateWindows(compiled.blocking, rights, amountScale);
    const same = isOneSide ? sameRows(lefts, rights) : undefined;
    const counted = countCandidates({ windows, lefts, rightRows: rights.length, same }, onStep);
    for (let left = 0; left < pairs.length; left++) pairs[left]! += counted.pairs[left] as number;
  }
  return pairs;
}
