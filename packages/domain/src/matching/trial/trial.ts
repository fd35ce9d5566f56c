import {
  compileRuleSet,
  effectiveParams,
  type CompiledRuleSet,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { equalRecords } from '../finish/equal-records';
import { cpuMs, type OnStep, type RunningCheck } from '../jobs/context';
import { HeavyFailures } from '../jobs/errors';
import { defaultLimits, keptErrors } from '../jobs/limits';
import { absentFields } from '../plan/absent-fields';
import { costsOf } from '../plan/plan-entry';
import { comparePairs, type TrialScores } from './compare';
import { composeTrial, type TrialComposites } from './compose';
import { decidePairs, fate, type DecidedPairs, type TrialReviews } from './decide';
import { examplesOf } from './examples';
import { figuresOf } from './figures';
import type { HeldSide } from './held-side';
import { LivePairs } from './live';
import { compareComposites } from './live-composites';
import type { ScoredPairs } from './pairs';
import { noReviews, readReviews } from './reviews';
import { TrialSamples, type TrialSample } from './samples';
import { unmatchedOf, type TrialUnmatched } from './unmatched';
import type { TrialAnswer, TrialCost } from './types';
import { trialWarnings } from './warnings';

export interface TrialInput extends Record<`${Side}DatasetId`, string> {
  /** Names the trial in errors. */
  id: string;
  definition: RuleSetDefinition;
  /** The rule set whose live results, and decisions of people, the trial is compared with; null without one. */
  rivalId: string | null;
  /** Max left records. They meet all right ones. */
  maxRecords: number;
  /** Records that are not normalised yet, and take no part. */
  pending: number;
}

interface TrialOptions {
  onStep: OnStep;
  /** Gets the progress of 0..1 now and then. It may end the trial by an error. */
  check: (progress: number) => Promise<void> | void;
  /** Gets the first answer. */
  onAnswer: (answer: TrialAnswer) => Promise<void>;
}

/** Candidates of a trial: 16 bytes each are held, and some µs spent on each. */
const maxTrialPairs = 3_000_000;
/** Estimated time of comparing, and of a call of a function in it. */
const maxCompareNs = 2.5e9;
const callNs = 650;

/**
 * Runs a rule set in memory as a job would, and stores nothing. A first answer comes from few left records, the last
 * one from as many as the limits allow; each left record meets all its candidates.
 * @throws TooManyPairsError, TrialTooLargeError, ExpressionTimeoutError, SlowFiltersError, and what `check` throws
 */
export async function runTrial(scope: TenantScope, input: TrialInput, options: TrialOptions): Promise<TrialAnswer> {
  return scope.db.session((one) =>
    scope.db.session((other) => new Trial(scope, input, options, { left: one, right: other }).run()),
  );
}

class Trial {
  private readonly compiled: CompiledRuleSet;
  /** The same with scores of all pairs. */
  private readonly open: CompiledRuleSet;
  private readonly heavy: HeavyFailures;
  private readonly isOneSide: boolean;
  private readonly maxPairs: number;
  private totals: Record<Side, number> = { left: 0, right: 0 };
  private progress = 0;
  private readonly check: RunningCheck = () => this.options.check(this.progress);

  constructor(
    private readonly scope: TenantScope,
    private readonly input: TrialInput,
    private readonly options: TrialOptions,
    private readonly readers: Record<Side, PoolClient>,
  ) {
    const { definition } = input;
    // A score of 0 is kept by no other threshold, and would be most of the pairs.
    const lowest = Math.min(definition.params.Tpossible, Number.MIN_VALUE);
    this.open = compileRuleSet({ ...definition, params: { ...definition.params, Tpossible: lowest } });
    // Nothing but groups and the pairs of `open` depends on Tpossible.
    this.compiled = this.open.composition === null ? this.open : compileRuleSet(definition);
    this.heavy = new HeavyFailures(input.id);
    this.isOneSide = input.leftDatasetId.toLowerCase() === input.rightDatasetId.toLowerCase();
    const pairNs = costsOf(this.open, defaultLimits).pairNs + callNs * this.open.pairCalls();
    this.maxPairs = Math.min(maxTrialPairs, scope.settings.maxUnblockedPairs, maxCompareNs / pairNs);
  }

  async run(): Promise<TrialAnswer> {
    const { input, options, compiled, isOneSide, readers, maxPairs, heavy, check, scope } = this;
    const { onStep } = options;
    const samples = await TrialSamples.open({
      ...input,
      ...{ tenantId: scope.tenantId, compiled, isOneSide, readers, maxPairs, heavy, onStep, check },
    });
    this.totals = samples.totals;
    if (samples.hasFirst) {
      const block = await samples.ofBlock();
      if (block !== null) await options.onAnswer(await this.answer(block, false));
      this.progress = 0.1;
      const few = await samples.ofFew();
      if (block === null) await options.onAnswer(await this.answer(few, false));
    }
    this.progress = 0.3;
    const sample = await samples.ofAll();
    this.progress = 0.5;
    return this.answer(sample, true);
  }

  private async answer(sample: TrialSample, isFinal: boolean): Promise<TrialAnswer> {
    const { sides, candidates } = sample;
    const { compared, cpuMs: tookMs, areLowKnown } = await this.compare(sample, isFinal);
    if (isFinal) this.progress = 0.9;
    const directories = { left: sides.left.directory, right: sides.right.directory };
    const { rivalId, definition } = this.input;
    const rival = rivalId === null ? null : { ...this.input, tenantId: this.scope.tenantId, ruleSetId: rivalId };
    const reader = this.readers.left;
    const reviews = rival ? await readReviews(reader, rival, directories) : noReviews;
    const isRead = (left: number, other: number): boolean =>
      sides.left.has(left) || (this.isOneSide && sides.left.has(other));
    const live = rival
      ? await LivePairs.read(reader, { ...rival, isOneSide: this.isOneSide, isRead }, directories)
      : null;
    const { pairs } = compared;
    const records = { left: sides.left.length, right: sides.right.length };
    const { Tmatch, Tpossible } = definition.params;
    const { isOneSide } = this;
    const { amountScale } = candidates;
    const { params } = definition;
    const blocksOf = (side: Side) => sides[side].blocks;
    const decided = await decidePairs({
      pairs,
      readings: { left: sides.left.readings(amountScale), right: sides.right.readings(amountScale) },
      records,
      thresholds: { Tmatch, Tpossible },
      isOneToOne: params.assignment === 'one_to_one',
      isOneSide,
      maxPossible: effectiveParams(definition).maxPossiblePerRecord,
      reviews,
      classesOf: (wanted) => equalRecords({ blocksOf, params, isOneSide, directories, wanted }),
      onStep: this.options.onStep,
      check: this.check,
    });
    const { scale } = this.compiled;
    const reviewedOn = (side: Side): number[] => [
      ...reviews.confirmed.map((pair) => pair[side]),
      ...reviews.held[side],
    ];
    const composites = await this.compose(sides, { pairs, decided, reviews });
    const compositeChanges = composites && rival ? await compareComposites(reader, rival, composites) : null;
    const unmatched = async (side: Side): Promise<TrialUnmatched> => {
      await this.check();
      return unmatchedOf({
        side,
        sides,
        pairs,
        decided,
        matched: [...reviewedOn(side), ...(composites?.matched[side] ?? [])],
      });
    };
    const idsOf = { left: (rank: number) => sides.left.idOf(rank), right: (rank: number) => sides.right.idOf(rank) };
    const facts = {
      isFinal,
      records: {
        left: { total: this.totals.left, read: sides.left.plan.ready },
        right: { total: sample.isBlock ? this.totals.right : sides.right.plan.ready, read: sides.right.plan.ready },
      },
      pairs: candidates.pairs,
      ...countsOf(sample, compared, { decided, composites }),
      possibleCut: decided.possibleCut,
      unblocked: { left: sides.left.plan.unblocked, right: sides.right.plan.unblocked },
      scale,
      ...figuresOf({ scale, records, pairs, decided, live }),
      changes: live?.compare(pairs, decided, idsOf) ?? null,
      composites: composites && {
        partial: composites.partial,
        searchEnded: composites.searchEnded,
        page: composites.page,
        changes: compositeChanges,
      },
      unmatched: { left: await unmatched('left'), right: await unmatched('right') },
      examples: examplesOf({ pairs, decided, thresholds: { Tmatch, Tpossible }, idsOf }),
      cost: this.costOf(sample, tookMs),
    };
    // Others may have the fields that records of one block lack.
    const absent = sample.isBlock
      ? []
      : await absentFields(this.readers, { tenantId: this.scope.tenantId, ...this.input }, this.compiled, {
          left: sides.left.plan,
          right: sides.right.plan,
        });
    const warnings = trialWarnings({
      compiled: this.compiled,
      sides,
      answer: facts,
      absentFields: absent,
      failedFilters: failedFilters(sample),
      leftOut: { failed: this.failedRecords(sides), pending: this.input.pending },
      reviewed: reviewedOn('left').length,
      isBlock: sample.isBlock,
      areLowKnown,
    });
    return { ...facts, warnings };
  }

  /** Composes groups; null for a sample, in which members of groups are missing, and where it would take too long. */
  private compose(
    sides: Record<Side, HeldSide>,
    of: { pairs: ScoredPairs; decided: DecidedPairs; reviews: TrialReviews },
  ): Promise<TrialComposites | null> | null {
    const { composition } = this.compiled;
    if (composition === null || sides.left.plan.ready < this.totals.left) return null;
    return composeTrial({ ...of, composition, sides, onStep: this.options.onStep, check: this.check });
  }

  /** Scores the candidates: all of them, or those that a job keeps where expressions fail on others. */
  private async compare(
    { sides, candidates }: TrialSample,
    isFinal: boolean,
  ): Promise<{ compared: TrialScores; cpuMs: number; areLowKnown: boolean }> {
    const { check, heavy } = this;
    const compareBy = (compiled: CompiledRuleSet): Promise<TrialScores> => {
      let done = 0;
      const onCompared = (pairs: number): void => {
        done += pairs;
        if (isFinal) this.progress = 0.5 + (0.4 * done) / candidates.pairs;
      };
      const onHeavyFailure = (failure: Parameters<HeavyFailures['add']>[0]): void => heavy.add(failure);
      const input = { compiled, sides, candidates, limits: defaultLimits, onHeavyFailure, onCompared };
      return comparePairs({ ...input, onStep: this.options.onStep, check });
    };
    const startedMs = cpuMs();
    const all = await compareBy(this.open);
    const tookMs = cpuMs() - startedMs;
    if (all.counts.ERROR === 0) return { compared: all, cpuMs: tookMs, areLowKnown: true };
    // A pair that cannot reach Tpossible any more is decided before the matchers that would fail.
    return { compared: await compareBy(compileRuleSet(this.input.definition)), cpuMs: tookMs, areLowKnown: false };
  }

  /** Counts the records that were read and could not be normalised. */
  private failedRecords({ left, right }: Record<Side, HeldSide>): number {
    return right.plan.failed + (this.isOneSide ? 0 : left.plan.failed);
  }

  private costOf({ sides, candidates }: TrialSample, tookMs: number): TrialCost {
    const factor = this.totals.left / Math.max(1, sides.left.plan.ready);
    const modes = Object.entries(this.compiled.expressions)
      .filter(([id]) => !id.startsWith('blocking/'))
      .map(([, mode]) => mode);
    const interpreted = modes.filter((mode) => mode === 'reference').length;
    return {
      pairs: Math.round(factor * candidates.pairs),
      compiled: modes.length - interpreted,
      interpreted,
      cpuMs: Math.round(factor * tookMs),
    };
  }
}

const failedFilters = ({ filterErrors: { left, right } }: Pick<TrialSample, 'filterErrors'>): number =>
  left.count + right.count;

function countsOf(
  { filterErrors }: Pick<TrialSample, 'filterErrors'>,
  { pairs, counts, errors }: TrialScores,
  { decided: { fates }, composites }: { decided: DecidedPairs; composites: TrialComposites | null },
): Pick<TrialAnswer, 'decisionCounts' | 'errors'> {
  const found = [0, 0, 0, 0, 0];
  for (let at = 0; at < pairs.length; at++) found[fates[at] as number]!++;
  const [matches, possible] = [found[fate.match] as number, found[fate.possible] as number];
  return {
    decisionCounts: {
      MATCH: matches,
      POSSIBLE: possible,
      NO_MATCH: counts.NO_MATCH + pairs.length - matches - possible,
      ERROR: counts.ERROR + failedFilters({ filterErrors }),
      COMPOSITE_MATCH: composites?.counts.MATCH ?? 0,
      COMPOSITE_POSSIBLE: composites?.counts.POSSIBLE ?? 0,
    },
    errors: [...filterErrors.left.first, ...filterErrors.right.first, ...errors].slice(0, keptErrors),
  };
}
