import { candidateWindows, type CompiledRuleSet } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { BatchRef } from './batch';
import { cutAgain, type BatchBounds, type Cut, type PlannedBatch } from './batch-cuts';
import { countCandidates } from '../plan/candidates';
import type { JobContext } from '../jobs/handlers';
import { insertBatches, pairsBatch } from './batch-rows';
import { readRight } from './read-slice';
import type { Rows } from '../stage/rows';

export interface LongBatch {
  compiled: CompiledRuleSet;
  amountScale: number;
  bounds: BatchBounds;
  lefts: Rows;
  cut: Cut;
}

/**
 * Replaces a batch, whose row the writer holds locked, by shorter ones, numbered behind the last one of the entry: a number is never
 * used again, since its queue job may still be there. Together they have the pairs of the one.
 * @returns the first of the new numbers
 */
export async function recutBatch(
  scope: TenantScope,
  { reader, writer }: Record<'reader' | 'writer', PoolClient>,
  { jobId, entryId, batchNo }: BatchRef,
  batch: LongBatch,
  context: JobContext,
): Promise<number> {
  const { compiled, lefts, cut } = batch;
  const pairs = await pairsByLeft(reader, entryId, batch, context);
  const seqs = Uint32Array.from({ length: lefts.length }, (_, row) => lefts.seqOf(row));
  const batches: PlannedBatch[] = cutAgain(compiled.blocking, lefts, seqs, pairs, cut);
  const { tenantId } = scope;
  // One numbers batches of the entry at a time. With a deletion of the rule set, which has the entry and waits for the batch, that is a
  // deadlock: the database ends one of them, and either is run again.
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
  await insertBatches(writer, tenantId, { id: entryId, jobId }, batches.map(pairsBatch), next);
  scope.logger.info({ jobId, batchNo, batches: batches.length, first: next }, 'long batch cut');
  return next;
}

async function pairsByLeft(
  reader: PoolClient,
  entryId: string,
  { compiled, amountScale, bounds, lefts }: LongBatch,
  { limits, onStep }: JobContext,
): Promise<Float64Array> {
  const { contiguous, comparesAmounts } = compiled.blocking;
  const pairs = new Float64Array(lefts.length);
  for await (const rights of readRight(reader, entryId, bounds.right, limits, {
    amountScale,
    comparesAmounts,
    ties: contiguous ? 'magnitude' : 'read',
  })) {
    const counted = countCandidates(
      candidateWindows(compiled.blocking, rights, amountScale),
      lefts,
      rights.length,
      onStep,
    );
    for (let left = 0; left < pairs.length; left++) pairs[left]! += counted.pairs[left] as number;
  }
  return pairs;
}
