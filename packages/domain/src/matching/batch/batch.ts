import {
  candidateWindows,
  effectiveParams,
  storableText,
  type CompiledRuleSet,
  type RuleSetDefinition,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { composeGroups, type GroupBounds } from '../composition/group-batch';
import type { CompositionContext } from '../composition/pool';
import { JobStoppedError, runningCheck } from '../jobs/context';
import { ExpressionTimeoutError, HeavyFailures, type HeavyFailure } from '../jobs/errors';
import { failJobOfExpressions, reviveFailedJob } from '../jobs/fail';
import { keptErrors } from '../jobs/limits';
import { batchIsOpen, enqueueBatches, enqueueDueStep, type BatchRef } from '../jobs/protocol';
import type { BatchBounds } from '../plan/batch-cuts';
import { replanJob } from '../plan/plan';
import { StageLostError } from '../stage/staging';
import { sameRows, type Rows } from '../stage/rows';
import { ListedPairs } from './listed';
import { PossibleBound } from './possible-bound';
import { MatchWriter, type PairNote } from './match-writer';
import { NearestFinder } from './nearest';
import { LongBatchError, Pace } from './pace';
import { readLeft, readRight } from './read-slice';
import { recutBatch } from './recut';
import { lapsOf, type BatchRun, type Clock } from './run';
import { Scorer, type RowCandidates, type ScoreResult } from './score';

interface ClaimedBatch {
  ruleSetId: string;
  ruleSetVersion: number;
  definition: RuleSetDefinition;
  amountScale: number;
  heavyFailures: string[];
  leftRows: number;
  pairs: number;
  /** Pairs of all batches of the entry. */
  entryPairs: number;
  plannedAt: Date;
  isOneSide: boolean;
}

type PairsBatch = ClaimedBatch & { kind: 'pairs'; bounds: BatchBounds };
type GroupsBatch = ClaimedBatch & { kind: 'groups'; bounds: GroupBounds };

/** The work of a batch that is done. */
interface BatchWork {
  kind: 'pairs' | 'groups';
  compiled: CompiledRuleSet;
  pairs: number;
  clock: Clock;
}

/** A batch that was replaced by shorter ones, numbered from `firstNo` on. */
interface BatchCut {
  kind: 'cut';
  firstNo: number;
}

/**
 * Compares one slice of a job, or composes the groups of one, and writes results and counters in one transaction: a
 * batch that dies leaves nothing, and a batch that runs twice finds itself done. The row lock makes a second run wait
 * for the first. A slice that turns out to take too long is cut into shorter batches (see recut.ts), so that batches of
 * other tenants can run in between.
 */
export async function runBatch(scope: TenantScope, ref: BatchRef, context: CompositionContext): Promise<void> {
  await reviveFailedJob(scope, ref.jobId);
  if (await doBatch(scope, ref, context)) await enqueueDueStep(scope, ref.jobId);
}

/** Does the work of `runBatch`. Returns whether the next step of the job may be due. */
export async function doBatch(scope: TenantScope, ref: BatchRef, context: CompositionContext): Promise<boolean> {
  const startedMs = performance.now();
  try {
    const isSmall = context.stages.has(ref.jobId);
    const done = await scope.db.session((writer) => claimAndRun(scope, ref, context, writer), isSmall);
    if (done?.kind === 'cut') {
      const from = { entryId: ref.entryId, batchNo: done.firstNo };
      await scope.db.afterCommit(() => enqueueBatches(scope, ref.jobId, from));
    } else if (done) measure(done, (performance.now() - startedMs) / 1000);
  } catch (error) {
    if (error instanceof JobStoppedError) return false;
    if (error instanceof ExpressionTimeoutError) {
      await failJobOfExpressions(scope, ref.jobId, error);
      return false;
    }
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, ref.jobId);
    return false;
  }
  return true;
}

/** Returns null when the batch is not open. */
async function claimAndRun(
  scope: TenantScope,
  ref: BatchRef,
  context: CompositionContext,
  writer: PoolClient,
): Promise<BatchWork | BatchCut | null> {
  await writer.query('begin');
  const batch = await claim(scope, writer, ref);
  if (!batch) {
    await writer.query('rollback');
    return null;
  }
  const done = await scope.db.session((reader) => {
    const compiled = context.ruleSets.get(scope.tenantId, batch.definition);
    const clock = { readMs: 0, scoreMs: 0, writeMs: 0 };
    const stage = context.stages.of(ref.entryId, batch.plannedAt);
    const run: BatchRun = { scope, context, ref, compiled, stage, reader, writer, clock, lap: lapsOf(clock) };
    return batch.kind === 'pairs' ? score(run, batch) : compose(run, batch);
  });
  // Other processes work the shorter batches.
  if (done.kind === 'cut') await context.stages.share(writer, { tenantId: scope.tenantId, jobId: ref.jobId });
  await writer.query('commit');
  return done;
}

async function claim(
  scope: TenantScope,
  client: PoolClient,
  ref: BatchRef,
): Promise<PairsBatch | GroupsBatch | undefined> {
  const { rows } = await client.query<(PairsBatch | GroupsBatch) & { open: boolean }>(
    `select ${batchIsOpen} as open, b.kind, b.bounds, b.left_rows as "leftRows", b.pairs::float8 as pairs,
            e.pairs_total::float8 as "entryPairs",
            e.rule_set_id as "ruleSetId", e.rule_set_version as "ruleSetVersion", e.heavy_failures as "heavyFailures",
            e.amount_scale as "amountScale", e.definition, j.planned_at as "plannedAt",
            e.left_dataset_id = e.right_dataset_id as "isOneSide"
       from job_batches b
       join job_rule_sets e on e.id = b.entry_id
       join matching_jobs j on j.id = b.job_id and j.status = 'running'
      where b.tenant_id = $1 and b.entry_id = $2 and b.batch_no = $3 for update of b`,
    [scope.tenantId, ref.entryId, ref.batchNo],
  );
  const batch = rows[0];
  return batch?.open ? batch : undefined;
}

async function score(run: BatchRun, batch: PairsBatch): Promise<BatchWork | BatchCut> {
  const { scope, context, ref, compiled, stage, reader, writer, clock, lap } = run;
  const { limits, onStep } = context;
  const { amountScale, bounds, isOneSide } = batch;
  const { contiguous, comparesAmounts } = compiled.blocking;

  const pace = new Pace(batch.pairs, limits);
  const heavyFailures = new HeavyFailures(ref.entryId, batch.heavyFailures);
  await writer.query('savepoint claimed');
  const slice = { client: reader, stage };
  const lefts = await readLeft(slice, bounds.left, batch.leftRows, { amountScale, comparesAmounts, ties: 'seq' });
  const listed = bounds.lists && (await ListedPairs.read(slice, bounds.lists, lefts, batch.pairs));
  const owner = { tenantId: scope.tenantId, jobId: ref.jobId, ruleSetId: batch.ruleSetId };
  const bound = new PossibleBound(effectiveParams(compiled.definition).maxPossiblePerRecord);
  const matches = new MatchWriter(writer, owner, bound, listed && rulesNote(compiled, listed));
  const nearest = new NearestFinder(batch.entryPairs);
  let scorer: Scorer;
  try {
    scorer = await Scorer.open(lefts, {
      compiled,
      amountScale,
      candidatesAmong: (all, rights) => listed?.among(rights) ?? windowCandidates(compiled, batch, all, rights),
      keptErrors,
      limits,
      onHeavyFailure: (failure) => {
        heavyFailures.add(failure);
        pace.ignoreNext();
      },
      onKept: async ({ kept }, left, right) => {
        lap('scoreMs');
        await matches.write(kept, left, right);
        lap('writeMs');
      },
      nearest,
      onStep,
      check: runningCheck(scope, ref.jobId),
      onCompared: (pairs, tookMs) => {
        if (lefts.length > 1) pace.add(pairs, tookMs);
      },
    });
    pace.begin();
    const isWanted = listed && ((seq: number) => listed.isWanted(seq));
    const options = {
      amountScale,
      comparesAmounts,
      ties: contiguous ? 'magnitude' : 'read',
      limits,
      isWanted,
    } as const;
    for await (const rights of readRight(slice, bounds.right, options)) {
      lap('readMs');
      await scorer.compare(rights);
      lap('scoreMs');
    }
  } catch (error) {
    if (!(error instanceof LongBatchError)) throw error;
    await matches.end();
    await writer.query('rollback to savepoint claimed');
    const long = { amountScale, bounds, lefts, isOneSide, listed, cut: error.cut };
    return { kind: 'cut', firstNo: await recutBatch(run, long) };
  }
  lap('readMs');
  await matches.end();
  await nearest.write(writer, stage, ref.batchNo);
  lap('writeMs');
  await shareHeavyFailures(run, heavyFailures);
  await markDone(run, { ...scorer.result, bound });
  const pairs = Object.values(scorer.result.counts).reduce((sum, count) => sum + count, 0);
  return { kind: 'pairs', compiled, pairs, clock };
}

/** Returns the candidates of the windows of amount and date, without the left record itself. */
export function windowCandidates(
  { blocking }: CompiledRuleSet,
  { amountScale, isOneSide }: Pick<PairsBatch, 'amountScale' | 'isOneSide'>,
  lefts: Rows,
  rights: Rows,
): RowCandidates {
  const windows = candidateWindows(blocking, rights, amountScale);
  const same = isOneSide ? sameRows(lefts, rights) : undefined;
  return {
    get count() {
      return windows.count;
    },
    get from() {
      return windows.from;
    },
    get to() {
      return windows.to;
    },
    seek: (left) => {
      windows.seek(lefts.bucket[left] as number, lefts.day[left] as number, lefts.units[left] as number);
      if (same) windows.leaveOut(same[left] as number);
    },
  };
}

/** Names the rules that let a pair through, as a member of its explanation. */
function rulesNote({ listed: blocking }: CompiledRuleSet, pairs: ListedPairs): PairNote {
  const texts = new Map<number, string>();
  return (left, rightSeq) => {
    const bits = pairs.rulesOf(left, rightSeq);
    const known = texts.get(bits);
    if (known !== undefined) return known;
    const names = (blocking?.rules ?? []).filter((_, at) => (bits & (1 << at)) !== 0).map(({ name }) => name);
    const text = `"blockingRules":${JSON.stringify(names.map(storableText))}`;
    texts.set(bits, text);
    return text;
  };
}

/** @throws ExpressionTimeoutError when other batches have by now found enough failures to end the job */
async function shareHeavyFailures({ scope, writer, ref }: BatchRun, failures: HeavyFailures): Promise<void> {
  if (failures.added.length === 0) return;
  const { rows } = await writer.query<{ all: string[] }>(
    `update job_rule_sets set heavy_failures = array(select distinct unnest(heavy_failures || $3::text[]))
      where tenant_id = $1 and id = $2 returning heavy_failures as "all"`,
    [scope.tenantId, ref.entryId, failures.added],
  );
  failures.join(rows[0]?.all ?? []);
}

const noPairs = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0 };

async function compose(run: BatchRun, batch: GroupsBatch): Promise<BatchWork> {
  const { entryId, batchNo, jobId } = run.ref;
  const { ruleSetId, ruleSetVersion, bounds, plannedAt } = batch;
  const owner = { tenantId: run.scope.tenantId, jobId, ruleSetId, ruleSetVersion };
  const heavyFailures = new HeavyFailures(entryId, batch.heavyFailures);
  const onHeavyFailure = (failure: HeavyFailure): void => heavyFailures.add(failure);
  const { ended, failed } = await composeGroups({
    ...run,
    entryId,
    batchNo,
    owner,
    bounds,
    plannedAt,
    onHeavyFailure,
  });
  await shareHeavyFailures(run, heavyFailures);
  const errors = [...failed.kept, ...ended.kept].slice(0, keptErrors);
  await markDone(run, { counts: { ...noPairs, ERROR: ended.count }, scoreSum: 0, errors }, failed.count);
  return { kind: 'groups', compiled: run.compiled, pairs: 0, clock: run.clock };
}

/** Lists the expressions that are evaluated for pairs; blocking's are evaluated for records. */
const pairExpressions = ({ expressions }: CompiledRuleSet): [string, string][] =>
  Object.entries(expressions).filter(([id]) => !id.startsWith('blocking/'));

function measure({ kind, compiled, pairs, clock }: BatchWork, seconds: number): void {
  const engine = pairExpressions(compiled).some(([, mode]) => mode === 'reference') ? 'reference' : 'compiled';
  domainMetrics.observe('tieout_matching_batch_duration_seconds', { kind, engine }, seconds);
  for (const [phase, ms] of Object.entries(clock))
    domainMetrics.add('tieout_matching_batch_phase_seconds_total', { phase: phase.replace('Ms', '') }, ms / 1000);
  if (kind === 'groups') return;
  domainMetrics.add('tieout_matching_pairs_total', { engine }, pairs);
  domainMetrics.observe('tieout_matching_batch_pairs_per_second', { engine }, pairs / seconds);
}

async function markDone(
  { scope, writer, ref, clock }: BatchRun,
  { counts, scoreSum, errors, bound }: ScoreResult & { bound?: PossibleBound },
  failedEvaluations = 0,
): Promise<void> {
  await writer.query(
    `update job_batches set done = true, done_at = now(), matched = $3, possible = $4, no_match = $5, errored = $6,
            score_sum = $7, errors = $8, read_ms = $9, score_ms = $10, write_ms = $11, failed_evaluations = $13,
            possible_cut = $14, possible_cut_score = $15, cut_rights = $16
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
      failedEvaluations,
      bound?.cut ?? 0,
      bound?.cutScore ?? 0,
      bound?.cutRights ?? null,
    ],
  );
}
