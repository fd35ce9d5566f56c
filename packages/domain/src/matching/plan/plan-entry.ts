import { availableParallelism } from 'node:os';
import {
  type BlockingRules,
  candidatesOf,
  commonScale,
  type CompiledRuleSet,
  excludeOutOfRange,
  heavyEffort,
  ListedCandidates,
  ListedPairsError,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { cutGroups } from '../composition/group-batch';
import type { CompositionContext } from '../composition/pool';
import { allOf, cpuMs, runningCheck, runSteps, type RunningCheck } from '../jobs/context';
import { HeavyFailures, SlowFiltersError, TooManyPairsError, type EntryError } from '../jobs/errors';
import { keptErrors, type JobLimits } from '../jobs/limits';
import { sideNumber } from '../../results/unmatched';
import { countUnblocked } from '../stage/columns';
import { FactsBuffer } from '../stage/facts';
import type { PlanBuffers, SpareBuffers } from '../stage/spare-buffers';
import { stageSide, type FilterFailure, type SidePlan } from '../stage/stage-side';
import { StagePlan } from '../stage/stage-plan';
import { absentFields } from './absent-fields';
import { groupsBatch, insertBatches, pairsBatch, type BatchCosts } from './batch-cuts';
import { planCandidates, sameSeqs, type CandidatePlan } from './candidates';
import { planListed } from './listed-batches';

/** One rule set of a job, with its definition at the start of the job. */
export interface JobEntry {
  id: string;
  jobId: string;
  leftDatasetId: string;
  rightDatasetId: string;
  definition: RuleSetDefinition;
  /** Set for a run, which reads open items only. */
  reconciliationId: string | null;
  /** Null for a job that is not a run. */
  mode: string | null;
}

/** Normalised and failed records of each side. */
export interface EntryPlan extends Record<Side, { ready: number; failed: number }> {
  stage: StagePlan;
  pairs: number;
  /** Left rows and targets of all batches. */
  batchRows: number;
  /** Batches of pairs, numbered from 0. */
  pairBatches: number;
}

/** Max bytes of the snapshot of an entry of a small job: some 2,000 records, and as many as 50 entries. */
const maxKeptBytes = 1 << 20;

/** Cost of a candidate pair with compiled expressions, and the addition for each one of the reference evaluator. */
const pairNs = { compiled: 60, reference: 6_000 } as const;
/** Addition for a pair that is listed. */
const listedPairNs = 60;
/** Cost of reading and parsing a row; of a left row, the best pair is usually written too. */
const rightRowNs = 3_000;
const leftRowNs = 15_000;

export interface PlanContext extends CompositionContext {
  buffers: SpareBuffers;
}

/** The plan of one job: its connections, buffers and budgets. */
export interface PlanRun {
  scope: TenantScope;
  context: PlanContext;
  readers: Record<Side, PoolClient>;
  writer: PoolClient;
  buffers: PlanBuffers;
  filterBudgets: Record<Side, FilterBudget>;
  /** Set for a full run, as its snapshot has them; else null. */
  closedPeriods: readonly string[] | null;
}

/**
 * Limits the time that the filters of a job may take over the records of one side: some seconds, and an addition for
 * each record. A plan cannot be cut as batches are, and jobs of other tenants wait for its slot. Each side has its own
 * budget, so that many unfiltered records on one side make no room for slow filters on the other.
 */
export class FilterBudget {
  private records = 0;
  private tookMs = 0;
  private readonly startedMs = cpuMs();

  constructor(private readonly limits: Pick<JobLimits, 'filtersMs' | 'filterRecordMs'>) {}

  /** Charges the time that the filters of an entry took for one record. @throws SlowFiltersError */
  spend(entryId: string, tookMs: number): void {
    this.records++;
    this.tookMs += tookMs;
    const maxMs = this.limits.filtersMs + this.limits.filterRecordMs * this.records;
    // On a busy machine time passes without work, so the CPU time of the process has to exceed the budget too.
    if (this.tookMs <= maxMs || cpuMs() - this.startedMs <= maxMs) return;
    throw new SlowFiltersError(entryId, this.records, this.tookMs, maxMs);
  }
}

/** Errors of the filters of an entry: all are counted, the first of each side kept. */
class FilterErrors {
  count = 0;
  private readonly kept: Record<Side, EntryError[]> = { left: [], right: [] };
  private readonly heavyFailures: HeavyFailures;

  constructor(entryId: string) {
    this.heavyFailures = new HeavyFailures(entryId);
  }

  /** @throws ExpressionTimeoutError */
  add({ side, recordId, error, effort }: FilterFailure): void {
    this.count++;
    const failed = {
      left_record_id: side === 'left' ? recordId : null,
      right_record_id: side === 'right' ? recordId : null,
      ...error,
    };
    if (effort >= heavyEffort) this.heavyFailures.add(failed);
    if (this.kept[side].length < keptErrors) this.kept[side].push(failed);
  }

  get first(): EntryError[] {
    return [...this.kept.left, ...this.kept.right].slice(0, keptErrors);
  }
}

/** Reads both sides into the stage, counts the candidates and writes the batch rows. */
export async function planEntry(run: PlanRun, entry: JobEntry): Promise<EntryPlan> {
  const { scope, writer } = run;
  const { tenantId } = scope;
  const { limits, ruleSets, onStep } = run.context;
  const startedMs = performance.now();
  const compiled = ruleSets.get(tenantId, entry.definition);
  const { composition } = compiled;
  const filterErrors = new FilterErrors(entry.id);
  const facts = composition && {
    left: new FactsBuffer('left', limits.factRows),
    right: new FactsBuffer('right', limits.factRows),
  };
  const check = runningCheck(scope, entry.jobId);
  const { jobId } = entry;
  const stage = new StagePlan(
    { writer, tenantId, jobId, entryId: entry.id },
    limits.smallJobPairs < 0 ? 0 : maxKeptBytes,
  );
  const read = (side: Side, datasetId: string): Promise<SidePlan> =>
    stageSide({
      tenantId,
      reader: run.readers[side],
      ...run.buffers[side],
      onBlock: (of, block) => stage.add({ side: sideNumber[of], ...block }),
      facts: facts && {
        buffer: facts[side],
        flush: (isEnd) => facts[side].flush(stage, isEnd),
      },
      compiled,
      side,
      datasetId,
      reconciliationId: entry.reconciliationId,
      closedPeriods: run.closedPeriods,
      onFilterError: (failure) => filterErrors.add(failure),
      onFiltered: (tookMs) => run.filterBudgets[side].spend(entry.id, tookMs),
      onStep,
      check,
    });
  // Both sides are read while the stage is made.
  const [, left, right] = await allOf([
    stage.begin(),
    read('left', entry.leftDatasetId),
    read('right', entry.rightDatasetId),
  ]);
  const readMs = performance.now() - startedMs;

  const blockStartedMs = performance.now();
  const isOneSide = entry.leftDatasetId === entry.rightDatasetId;
  const sides = { left, right, isOneSide };
  const { candidates, amountScale } =
    compiled.listed === null
      ? await whileEnding(stage, () => blockSides(run, compiled, sides))
      : await listPairs(run, compiled.listed, { compiled, stage, sides, check });
  const blockMs = performance.now() - blockStartedMs;

  const stageStartedMs = performance.now();
  await stage.putDirectory('left', left.columns.byId());
  await stage.putDirectory('right', right.columns.byId());
  const groups =
    composition && facts
      ? cutGroups(composition.directions, { left: facts.left.total, right: facts.right.total }, limits)
      : [];
  const absent = await absentFields(run.readers, { tenantId, ...entry }, compiled, { left, right });
  const batches = [...candidates.batches.map(pairsBatch), ...groups.map(groupsBatch)];
  await insertBatches(writer, { tenantId, jobId, entryId: entry.id }, batches);
  // One update a transaction: on a second update of the row PostgreSQL would check its foreign key to the rule set, and
  // would wait for a deletion of the rule set, which waits for the row.
  await writer.query(
    `update job_rule_sets set status = 'running', started_at = now(), heavy_failures = '{}',
            left_count = $3, right_count = $4, staged_rows = $5, amount_scale = $6, pairs_total = $7,
            unblocked = $8, filter_errors = $9, errors = $10, timings = $11, expressions = $12, reads = $13,
            absent_fields = $14
      where tenant_id = $1 and id = $2`,
    [
      tenantId,
      entry.id,
      left.ready,
      right.ready,
      left.columns.length + right.columns.length,
      amountScale,
      candidates.pairs,
      JSON.stringify({
        left: { ...left.unblocked, filtered: left.filtered },
        right: { ...right.unblocked, filtered: right.filtered },
      }),
      filterErrors.count,
      JSON.stringify(filterErrors.first),
      JSON.stringify({
        readMs: Math.round(readMs),
        blockMs: Math.round(blockMs),
        stageMs: Math.round(performance.now() - stageStartedMs),
      }),
      JSON.stringify(compiled.expressions),
      JSON.stringify(compiled.references),
      JSON.stringify(absent),
    ],
  );
  return {
    left: { ready: left.ready, failed: left.failed },
    right: { ready: right.ready, failed: right.failed },
    stage,
    pairs: candidates.pairs,
    batchRows: batches.reduce((sum, { rows }) => sum + rows, 0),
    pairBatches: candidates.batches.length,
  };
}

/** Works while PostgreSQL takes in the last blocks. */
async function whileEnding<T>(stage: StagePlan, work: () => T): Promise<T> {
  const ended = stage.end();
  try {
    return work();
  } finally {
    await ended;
  }
}

function blockSides(
  { scope, context: { limits, onStep } }: PlanRun,
  compiled: CompiledRuleSet,
  { left, right, isOneSide }: Record<Side, SidePlan> & { isOneSide: boolean },
): { candidates: CandidatePlan; amountScale: number } {
  const amountScale = alignAmounts(compiled, left, right);
  refuseTooManyPairs(compiled, { left, right }, scope.settings.maxUnblockedPairs);
  const candidates = planCandidates({
    rule: compiled.blocking,
    left: left.columns,
    right: right.columns,
    amountScale,
    isOneSide,
    costs: costsOf(compiled, limits),
    onStep,
  });
  return { candidates, amountScale };
}

interface ListedEntry {
  compiled: CompiledRuleSet;
  stage: StagePlan;
  sides: Record<Side, SidePlan> & { isOneSide: boolean };
  check: RunningCheck;
}

/** Lists the pairs of rules in the stage. @throws TooManyPairsError */
async function listPairs(
  { scope, context: { limits, onStep } }: PlanRun,
  listed: BlockingRules,
  { compiled, stage, sides: { left, right, isOneSide }, check }: ListedEntry,
): Promise<{ candidates: CandidatePlan; amountScale: number }> {
  const columns = { left: left.columns, right: right.columns };
  const amountScale = alignAmounts(compiled, left, right);
  const maxPairs = scope.settings.maxUnblockedPairs;
  try {
    const preparing = ListedCandidates.prepare({
      listed,
      columns,
      entries: { left: left.entries, right: right.entries },
      same: isOneSide ? sameSeqs(columns.left, columns.right) : undefined,
      maxPairs,
      onStep,
    });
    const candidates = await runSteps(preparing, onStep, check);
    const costs = costsOf(compiled, limits);
    costs.pairNs += listedPairNs;
    return { candidates: await planListed({ candidates, ...columns, stage, costs, check }), amountScale };
  } catch (error) {
    if (!(error instanceof ListedPairsError)) throw error;
    throw new TooManyPairsError(tooManyListed(listed, error, maxPairs));
  } finally {
    await stage.end();
  }
}

export function tooManyListed(
  listed: BlockingRules,
  { rule, rulePairs, done }: ListedPairsError,
  maxPairs: number,
): string {
  const { name } = listed.rules[rule] ?? { name: '' };
  const share =
    done < 1 ? `${rulePairs} pairs for the first ${Math.ceil(done * 100)} % of the left records` : rulePairs;
  return (
    `Blocking lets more than the ${maxPairs} pairs allowed through, most of them by ${JSON.stringify(name)}: ` +
    `${share}. Narrow this rule: add a key, a date window or an amount to it, or leave out values of many records`
  );
}

export function costsOf(compiled: CompiledRuleSet, limits: JobLimits): BatchCosts {
  const slow = Object.entries(compiled.expressions).filter(
    ([id, mode]) => mode === 'reference' && !id.startsWith('blocking/'),
  ).length;
  return {
    ...limits,
    pairNs: pairNs.compiled + slow * pairNs.reference,
    leftRowNs,
    rightRowNs,
    cores: availableParallelism(),
  };
}

/**
 * Returns the scale at which amounts are compared. Where pairs depend on them, it excludes those that are not safe
 * integers at this scale; batches leave their rows out by the same rule.
 */
export function alignAmounts({ blocking }: CompiledRuleSet, left: SidePlan, right: SidePlan): number {
  const amountScale = commonScale(left.columns, right.columns);
  if (!blocking.comparesAmounts) return amountScale;
  for (const { columns, unblocked } of [left, right]) {
    const out = excludeOutOfRange(columns, amountScale).length;
    if (out > 0) countUnblocked(unblocked, 'amount_out_of_range', out);
  }
  return amountScale;
}

function refuseTooManyPairs(
  compiled: CompiledRuleSet,
  { left, right }: Record<Side, SidePlan>,
  maxPairs: number,
): void {
  if (compiled.blocking.active) return;
  const pairs = candidatesOf(left.columns).length * candidatesOf(right.columns).length;
  if (pairs > maxPairs) {
    throw new TooManyPairsError(
      `Without blocking ${pairs} pairs would be compared, more than the ${maxPairs} allowed: ` +
        'add params.blocking with an amountKey, a dateKey, keys or text, or filters',
    );
  }
}
