import type { CompiledRuleSet, RuleSetDefinition } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import type { BatchBounds } from './batch-cuts';
import { composeGroups } from '../composition/group-batch';
import type { GroupBounds } from '../composition/group-bounds';
import {
  ExpressionTimeoutError,
  failJobOfExpressions,
  HeavyFailures,
  reviveFailedJob,
  type RecordError,
} from '../jobs/fail';
import type { JobContext } from '../jobs/handlers';
import { keptErrors } from '../jobs/limits';
import { MatchWriter } from './match-writer';
import { LongBatchError, Pace } from './pace';
import { batchIsOpen, enqueueBatches, enqueueStepWhenDue } from '../jobs/protocol';
import { readLeft, readRight } from './read-slice';
import { recutBatch } from './recut';
import { replanJob } from '../plan/replan';
import { JobStoppedError, runningCheck } from '../jobs/running';
import { Scorer, type Outcome, type ScorerOptions } from './score';
import { StageLostError } from '../stage/staging';

export interface BatchRef {
  jobId: string;
  entryId: string;
  batchNo: number;
}

interface Claimed {
  ruleSetId: string;
  ruleSetVersion: number;
  definition: RuleSetDefinition;
  amountScale: number;
  heavyFailures: string[];
  leftRows: number;
  pairs: number;
  plannedAt: Date;
}

type PairsRow = Claimed & { kind: 'pairs'; bounds: BatchBounds };
type GroupsRow = Claimed & { kind: 'groups'; bounds: GroupBounds };

/**
 * Compares one slice of a job, or composes the groups of one, and writes what it found and its counters in one
 * transaction: a batch that dies leaves nothing, a batch that runs twice finds itself done. The row lock makes a second
 * run wait for the first. A slice that turns out to take long is cut instead, so that others have their turn.
 */
export async function runBatch(scope: TenantScope, ref: BatchRef, context: JobContext): Promise<void> {
  const startedMs = performance.now();
  try {
    const work = await scope.db.session(async (writer) => {
      await writer.query('begin');
      const batch = await claim(scope, writer, ref);
      if (!batch) {
        await writer.query('rollback');
        return null;
      }
      const done = await scope.db.session((reader) =>
        batch.kind === 'pairs'
          ? score(scope, reader, writer, ref, batch, context)
          : compose(scope, reader, writer, ref, batch, context),
      );
      await writer.query('commit');
      return done;
    });
    if (work?.kind === 'cut')
      await scope.db.afterCommit(() =>
        enqueueBatches(scope, ref.jobId, { entryId: ref.entryId, batchNo: work.firstNo }),
      );
    else if (work) measure(work, (performance.now() - startedMs) / 1000);
  } catch (error) {
    if (error instanceof JobStoppedError) return;
    if (error instanceof ExpressionTimeoutError) return failJobOfExpressions(scope, ref.jobId, error);
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, ref.jobId);
    return;
  }
  await enqueueStepWhenDue(scope, ref.jobId);
}

async function claim(scope: TenantScope, client: PoolClient, ref: BatchRef): Promise<PairsRow | GroupsRow | undefined> {
  await reviveFailedJob(scope, ref.jobId);
  const { rows } = await client.query<(PairsRow | GroupsRow) & { open: boolean }>(
    `select ${batchIsOpen} as open, b.kind, b.bounds, b.left_rows as "leftRows", b.pairs::float8 as pairs, e.rule_set_id as "ruleSetId",
            e.rule_set_version as "ruleSetVersion", e.heavy_failures as "heavyFailures", e.amount_scale as "amountScale", e.definition, j.planned_at as "plannedAt"
       from job_batches b
       join job_rule_sets e on e.id = b.entry_id
       join matching_jobs j on j.id = b.job_id and j.status = 'running'
      where b.tenant_id = $1 and b.entry_id = $2 and b.batch_no = $3 for update of b`,
    [scope.tenantId, ref.entryId, ref.batchNo],
  );
  const batch = rows[0];
  return batch?.open ? batch : undefined;
}

type BatchOutcome = Omit<Outcome, 'errors'> & { errors: readonly RecordError[] };

/** Milliseconds by kind of work. */
interface Clock {
  readMs: number;
  scoreMs: number;
  writeMs: number;
}

async function score(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  ref: BatchRef,
  batch: PairsRow,
  context: JobContext,
): Promise<BatchWork | BatchCut> {
  const { limits, ruleSets, onStep } = context;
  const compiled = ruleSets.get(ref.entryId, batch.definition);
  const { amountScale, bounds } = batch;
  const { contiguous, comparesAmounts } = compiled.blocking;
  const clock = { readMs: 0, scoreMs: 0, writeMs: 0 };
  const lap = lapsOf(clock);

  const pace = new Pace(batch.pairs, limits);
  const heavyFailures = new HeavyFailures(ref.entryId, batch.heavyFailures);
  await writer.query('savepoint claimed');
  const lefts = await readLeft(reader, ref.entryId, bounds.left, batch.leftRows, {
    amountScale,
    comparesAmounts,
    ties: 'seq',
  });
  const matches = new MatchWriter(writer, { tenantId: scope.tenantId, jobId: ref.jobId, ruleSetId: batch.ruleSetId });
  const options: ScorerOptions = {
    compiled,
    amountScale,
    keptErrors,
    limits,
    onHeavyFailure: (failure) => {
      heavyFailures.add(failure);
      pace.spareNext();
    },
    onKept: async ({ kept }, left, right) => {
      lap('scoreMs');
      await matches.write(kept, left, right);
      lap('writeMs');
    },
    onStep,
    check: runningCheck(scope, ref.jobId),
    onCompared: (pairs, tookMs) => {
      if (lefts.length > 1) pace.add(pairs, tookMs);
    },
  };
  let scorer: Scorer;
  try {
    scorer = await Scorer.open(lefts, options);
    pace.begin();
    for await (const rights of readRight(reader, ref.entryId, bounds.right, limits, {
      amountScale,
      comparesAmounts,
      ties: contiguous ? 'magnitude' : 'read',
    })) {
      lap('readMs');
      await scorer.compare(rights);
      lap('scoreMs');
    }
  } catch (error) {
    if (!(error instanceof LongBatchError)) throw error;
    await matches.end();
    await writer.query('rollback to savepoint claimed');
    const long = { compiled, amountScale, bounds, lefts, cut: error.cut };
    return { kind: 'cut', firstNo: await recutBatch(scope, { reader, writer }, ref, long, context) };
  }
  lap('readMs');
  await matches.end();
  lap('writeMs');
  await tellHeavyFailures(scope, writer, ref, heavyFailures);
  await markDone(scope, writer, ref, scorer.outcome, clock);
  return {
    kind: 'pairs',
    compiled,
    pairs: Object.values(scorer.outcome.counts).reduce((sum, count) => sum + count, 0),
    clock,
  };
}

/** @throws ExpressionTimeoutError when other batches have found so many meanwhile that the job ends */
async function tellHeavyFailures(
  { tenantId }: TenantScope,
  writer: PoolClient,
  { entryId }: BatchRef,
  failures: HeavyFailures,
): Promise<void> {
  if (failures.added.length === 0) return;
  const { rows } = await writer.query<{ all: string[] }>(
    `update job_rule_sets set heavy_failures = array(select distinct unnest(heavy_failures || $3::text[]))
      where tenant_id = $1 and id = $2 returning heavy_failures as "all"`,
    [tenantId, entryId, failures.added],
  );
  failures.join(rows[0]?.all ?? []);
}

const noPairs = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0 };

async function compose(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  ref: BatchRef,
  row: GroupsRow,
  context: JobContext,
): Promise<BatchWork> {
  const { entryId, batchNo, jobId } = ref;
  const { ruleSetId, ruleSetVersion, bounds, plannedAt } = row;
  const clock = { readMs: 0, scoreMs: 0, writeMs: 0 };
  const batch = {
    entryId,
    batchNo,
    bounds,
    plannedAt,
    owner: { tenantId: scope.tenantId, jobId, ruleSetId, ruleSetVersion },
  };
  const compiled = context.ruleSets.get(entryId, row.definition);
  const ended = await composeGroups(scope, reader, writer, batch, compiled, context, lapsOf(clock));
  await markDone(
    scope,
    writer,
    ref,
    { counts: { ...noPairs, ERROR: ended.count }, scoreSum: 0, errors: ended.kept },
    clock,
  );
  return { kind: 'groups', compiled, pairs: 0, clock };
}

/** A batch that others have taken the place of, from this number on. */
interface BatchCut {
  kind: 'cut';
  firstNo: number;
}

/** What a batch has done. */
interface BatchWork {
  kind: 'pairs' | 'groups';
  compiled: CompiledRuleSet;
  pairs: number;
  clock: Clock;
}

function measure({ kind, compiled, pairs, clock }: BatchWork, seconds: number): void {
  const engine = Object.values(compiled.expressions).includes('reference') ? 'reference' : 'compiled';
  domainMetrics.observe('tieout_matching_batch_duration_seconds', { kind, engine }, seconds);
  for (const [phase, ms] of Object.entries(clock))
    domainMetrics.add('tieout_matching_batch_phase_seconds_total', { phase: phase.replace('Ms', '') }, ms / 1000);
  if (kind === 'groups') return;
  domainMetrics.add('tieout_matching_pairs_total', { engine }, pairs);
  domainMetrics.observe('tieout_matching_batch_pairs_per_second', { engine }, pairs / seconds);
}

/** Each call adds the time since the last one. */
function lapsOf(clock: Clock): (kind: keyof Clock) => void {
  let mark = performance.now();
  return (kind) => {
    const now = performance.now();
    clock[kind] += now - mark;
    mark = now;
  };
}

async function markDone(
  scope: TenantScope,
  writer: PoolClient,
  ref: BatchRef,
  outcome: BatchOutcome,
  clock: Clock,
): Promise<void> {
  const { counts, scoreSum, errors } = outcome;
  await writer.query(
    `update job_batches set done = true, done_at = now(), matched = $3, possible = $4, no_match = $5, errored = $6,
            score_sum = $7, errors = $8, read_ms = $9, score_ms = $10, write_ms = $11
      where entry_id = $1 and batch_no = $2 and tenant_id = $12`,
    [
      ref.entryId,
      ref.batchNo,
      counts.MATCH,
      counts.POSSIBLE,
      counts.NO_MATCH,
      counts.ERROR,
      scoreSum,
      JSON.stringify(errors),
      Math.round(clock.readMs),
      Math.round(clock.scoreMs),
      Math.round(clock.writeMs),
      scope.tenantId,
    ],
  );
}
