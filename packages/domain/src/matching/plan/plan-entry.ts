import { availableParallelism } from 'node:os';
import { HEAVY_EFFORT, rescale, type CompiledRuleSet, type RuleSetDefinition, type Side } from '@tieout/engine';
import type { BinaryCopyWriter, PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { BatchCosts } from '../batch/batch-cuts';
import { groupsBatch, insertBatches, pairsBatch } from '../batch/batch-rows';
import { planCandidates, type CandidatePlan } from './candidates';
import { countUnblocked, type SideColumns } from '../stage/columns';
import { FactsBuffer } from '../composition/facts-buffer';
import { cutGroups } from '../composition/group-bounds';
import type { FilterBudget } from './filter-budget';
import { HeavyFailures, type RecordError } from '../jobs/fail';
import type { JobContext, OnStep } from '../jobs/handlers';
import { keptErrors, type JobLimits } from '../jobs/limits';
import { runningCheck } from '../jobs/running';
import { recordState, writeDirectory } from '../stage/directory';
import type { PlanBuffers } from '../stage/spare-buffers';
import { stageSide, type SidePlan, type StageSideOptions } from '../stage/stage-side';
import { createStage, stageWriter } from '../stage/staging';

/** One rule set of a job, as it stood when the job was started. */
export interface JobEntry {
  id: string;
  jobId: string;
  leftDatasetId: string;
  rightDatasetId: string;
  definition: RuleSetDefinition;
}

/** Records of each side, by what became of them when they were normalised. */
export type EntryPlan = Record<Side, { ready: number; failed: number }>;

/** The rule set has no blocking and too many records to compare every pair. */
export class TooManyPairsError extends Error {}

/** What a candidate pair costs where every expression is compiled, and what each one that needs the reference evaluator adds. */
const pairNs = { compiled: 60, reference: 6_000 } as const;
/** What a row costs that a batch reads, parses and takes in; and a left one, whose best pair is likely to be written. */
const rightRowNs = 3_000;
const leftRowNs = 15_000;

export interface PlanConnections {
  readers: Record<Side, PoolClient>;
  writer: PoolClient;
}

/** Reads both sides into the stage, counts the candidates and writes the batch rows. */
export async function planEntry(
  scope: TenantScope,
  { readers, writer }: PlanConnections,
  buffers: PlanBuffers,
  entry: JobEntry,
  filterBudgets: Record<Side, FilterBudget>,
  { limits, ruleSets, onStep }: JobContext,
): Promise<EntryPlan> {
  const startedMs = performance.now();
  const compiled = ruleSets.get(entry.id, entry.definition);

  const errors: Record<Side, RecordError[]> = { left: [], right: [] };
  let filterErrors = 0;
  const heavyFailures = new HeavyFailures(entry.id);
  const onFilterError: StageSideOptions['onFilterError'] = (side, recordId, error, effort) => {
    filterErrors++;
    const failed = {
      left_record_id: side === 'left' ? recordId : null,
      right_record_id: side === 'right' ? recordId : null,
      ...error,
    };
    if (effort >= HEAVY_EFFORT) heavyFailures.add(failed);
    if (errors[side].length < keptErrors) errors[side].push(failed);
  };
  const { composition } = compiled;
  const facts = composition && {
    left: new FactsBuffer('left', limits.factRows),
    right: new FactsBuffer('right', limits.factRows),
  };
  const check = runningCheck(scope, entry.jobId);
  const opened = openStage(writer, scope.tenantId, entry.id);
  const read = (side: Side, datasetId: string): Promise<SidePlan> =>
    stageSide({
      tenantId: scope.tenantId,
      reader: readers[side],
      stage: opened,
      ...buffers[side],
      facts: facts && facts[side],
      compiled,
      side,
      datasetId,
      onFilterError,
      onFiltered: (tookMs) => filterBudgets[side].spend(entry.id, tookMs),
      onStep,
      check,
    });
  const [stage, left, right] = await allOf([
    opened,
    read('left', entry.leftDatasetId),
    read('right', entry.rightDatasetId),
  ]);
  const readMs = performance.now() - startedMs;

  const blockStartedMs = performance.now();
  const { candidates, amountScale } = await whileEnding(stage, () =>
    blockSides(scope, compiled, { left, right }, limits, onStep),
  );
  const blockMs = performance.now() - blockStartedMs;

  const stageStartedMs = performance.now();
  await writeSide(writer, entry.id, 'left', left.columns);
  await writeSide(writer, entry.id, 'right', right.columns);
  const groups =
    composition && facts
      ? cutGroups(composition.directions, { left: facts.left.total, right: facts.right.total }, limits)
      : [];
  await insertBatches(
    writer,
    scope.tenantId,
    entry,
    [...candidates.batches.map(pairsBatch), ...groups.map(groupsBatch)],
    0,
  );
  // Once a transaction: PostgreSQL would look after the rule set of a row that is changed again, which waits for a deletion that waits for the row.
  await writer.query(
    `update job_rule_sets set status = 'running', started_at = now(), heavy_failures = '{}', left_count = $3, right_count = $4, staged_rows = $5, amount_scale = $6,
            pairs_total = $7, unblocked = $8, filter_errors = $9, errors = $10, timings = $11, expressions = $12
      where tenant_id = $1 and id = $2`,
    [
      scope.tenantId,
      entry.id,
      left.ready,
      right.ready,
      left.columns.length + right.columns.length,
      amountScale,
      candidates.pairs,
      JSON.stringify({ left: left.unblocked, right: right.unblocked }),
      filterErrors,
      JSON.stringify([...errors.left, ...errors.right].slice(0, keptErrors)),
      JSON.stringify({
        readMs: Math.round(readMs),
        blockMs: Math.round(blockMs),
        stageMs: Math.round(performance.now() - stageStartedMs),
      }),
      JSON.stringify(compiled.expressions),
    ],
  );
  return {
    left: { ready: left.ready, failed: left.failed },
    right: { ready: right.ready, failed: right.failed },
  };
}

/** Begins the entry anew. */
async function openStage(writer: PoolClient, tenantId: string, entryId: string): Promise<BinaryCopyWriter> {
  await writer.query(`delete from job_batches where tenant_id = $1 and entry_id = $2`, [tenantId, entryId]);
  await createStage(writer, tenantId, entryId);
  return stageWriter(writer, entryId);
}

/** PostgreSQL takes in the last blocks, and this process works. */
async function whileEnding<T>(stage: BinaryCopyWriter, work: () => T): Promise<T> {
  const ended = stage.end();
  try {
    return work();
  } finally {
    await ended;
  }
}

function blockSides(
  scope: TenantScope,
  compiled: CompiledRuleSet,
  { left, right }: Record<Side, SidePlan>,
  limits: JobLimits,
  onStep: OnStep,
): { candidates: CandidatePlan; amountScale: number } {
  const amountScale = commonScale(left.columns, right.columns);
  if (compiled.blocking.comparesAmounts) for (const side of [left, right]) excludeOutOfRange(side, amountScale);
  refuseTooManyPairs(compiled, left, right, scope.settings.maxUnblockedPairs);
  const candidates = planCandidates(
    compiled.blocking,
    left.columns,
    right.columns,
    amountScale,
    costsOf(compiled, limits),
    onStep,
  );
  return { candidates, amountScale };
}

/**
 * Both sides are read at once, and while the stage is made: PostgreSQL is at work on one while the other is keyed. Ends when
 * all have ended, since they share a connection.
 */
async function allOf<T extends unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function costsOf(compiled: CompiledRuleSet, limits: JobLimits): BatchCosts {
  const slow = Object.values(compiled.expressions).filter((mode) => mode === 'reference').length;
  return {
    ...limits,
    pairNs: pairNs.compiled + slow * pairNs.reference,
    leftRowNs,
    rightRowNs,
    cores: availableParallelism(),
  };
}

/** The smallest number of decimals, 2 at least, that holds every amount of the run exactly. */
function commonScale(...sides: readonly SideColumns[]): number {
  let scale = 2;
  for (const side of sides) for (let i = 0; i < side.length; i++) scale = Math.max(scale, side.scale[i] as number);
  return scale;
}

/** An amount that is no safe integer at the scale of the run cannot be compared; batches leave its row out by the same rule. */
function excludeOutOfRange({ columns, unblocked }: SidePlan, amountScale: number): void {
  let out = 0;
  for (let seq = 0; seq < columns.length; seq++) {
    if (columns.state[seq] !== recordState.candidate || Number.isNaN(columns.units[seq])) continue;
    if (rescale(columns.units[seq] as number, columns.scale[seq] as number, amountScale) !== null) continue;
    columns.state[seq] = recordState.unblocked;
    out++;
  }
  if (out > 0) countUnblocked(unblocked, 'amount_out_of_range', out);
}

function refuseTooManyPairs(compiled: CompiledRuleSet, left: SidePlan, right: SidePlan, limit: number): void {
  if (compiled.blocking.active) return;
  const pairs = left.columns.candidates().length * right.columns.candidates().length;
  if (pairs > limit) {
    throw new TooManyPairsError(
      `Without blocking ${pairs} pairs would be compared, more than the ${limit} allowed: add params.blocking with an amountKey or a dateKey, or filters`,
    );
  }
}

/** The directory is in the order of the ids. Records arrive in it, more or less, because ids grow with time. */
async function writeSide(writer: PoolClient, entryId: string, side: Side, columns: SideColumns): Promise<void> {
  const { ids, states } = columns.byId();
  await writeDirectory(writer, entryId, side, ids, states);
}
