import {
  counted,
  effectiveParams,
  scoreScale,
  trainRuleSet,
  type HeldOutQuality,
  type RuleSetParams,
  type Training,
} from '@tieout/engine';
import { AppError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { NewRuleSet } from '../../rules/rule-sets';
import { columnsOf } from './columns';
import {
  countLabels,
  evaluated,
  isOneSide,
  liveResults,
  missingLabels,
  readKept,
  type EvaluatedPairs,
  type LabelCounts,
  type LiveResults,
} from './kept';
import { questionsOf } from './questions';

export interface TrainingWarning {
  code: string;
  message: string;
}

export interface ScoreThresholds {
  Tmatch: number;
  Tpossible: number;
}

/** A rule set with what its reviewed pairs taught, or why they taught nothing. */
export type TrainingAnswer =
  | {
      trained: true;
      /** The version of the rule set that was refitted. */
      ruleSetVersion: number;
      ruleSet: NewRuleSet;
      labels: LabelCounts & { leftOut: number };
      pairs: number;
      weights: { id: string; name: string; before: number; after: number }[];
      thresholds: { before: ScoreThresholds; after: ScoreThresholds };
      heldOut: { before: HeldOutQuality; after: HeldOutQuality };
      curve: Training['curve'];
      warnings: TrainingWarning[];
    }
  | { trained: false; reason: string; labels: LabelCounts & { leftOut: number } };

/** Returns the rule set that a training refits. @throws AppError rule_set_not_found; conflict with too few labels */
export async function trainable(scope: TenantScope, ruleSetId: string): Promise<LiveResults> {
  const live = await liveResults(scope, ruleSetId);
  const labels = await countLabels(scope, ruleSetId);
  // Few labels are rare: only then the pairs are read to see whether there are more to ask about.
  const isEnough = missingLabels(labels, true) === null;
  const missing = isEnough ? null : missingLabels(labels, questionsOf(live, await readKept(scope, live), 1).length > 0);
  if (missing !== null) throw new AppError('conflict', missing);
  return live;
}

/** The signs of life of a long work. */
export interface Watch {
  onStep: () => void;
  note: (progress: number) => Promise<void> | void;
}

/** Shares of the progress at which pairs are read, and evaluated. */
const readAt = 0.5;
const evaluatedAt = 0.7;

/** Refits the weights and thresholds of a rule set to its reviewed pairs. Nothing is changed. */
export async function train(scope: TenantScope, ruleSetId: string, { onStep, note }: Watch): Promise<TrainingAnswer> {
  const live = await liveResults(scope, ruleSetId);
  const kept = await readKept(scope, live, async (done) => {
    onStep();
    await note(readAt * done);
  });
  const found = await evaluated(scope, live, kept, async (done) => {
    onStep();
    await note(readAt + (evaluatedAt - readAt) * done);
  });
  await note(evaluatedAt);
  const labels = {
    confirmed: found.pairs.filter(({ review }) => review === 'confirmed').length,
    rejected: found.pairs.filter(({ review }) => review === 'rejected').length,
    leftOut: found.leftOut.length,
  };
  const missing = missingLabels(labels, questionsOf(live, kept, 1).length > 0);
  if (missing !== null) return { trained: false, reason: missing, labels };
  // Ids of matches are given out by chance, those of records stay: equal scores are taken in the order of records.
  found.pairs.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const { definition, ruleSet } = live;
  const params = effectiveParams(definition);
  const scale = scoreScale(definition.params.Tmatch);
  const matchers = definition.engine === 'jsonata-batch' ? params.matchers : [];
  const before = { Tmatch: definition.params.Tmatch, Tpossible: definition.params.Tpossible };
  const training = trainRuleSet({
    pairs: columnsOf(found.pairs, isOneSide(live)),
    weights: matchers.length === 0 ? [1] : matchers.map(({ weight }) => weight),
    thresholds: { match: before.Tmatch / scale, possible: before.Tpossible / scale },
    isOneToOne: params.assignment === 'one_to_one',
    onStep,
  });
  const after = onScale(training.thresholds, scale);
  const weights = matchers.map(({ id, name, weight }, at) => ({
    id,
    name,
    before: weight,
    after: training.weights[at] as number,
  }));
  return {
    trained: true,
    ruleSetVersion: ruleSet.version,
    ruleSet: draftOf(live, after, training.weights),
    labels,
    pairs: found.pairs.length,
    weights,
    thresholds: { before, after },
    heldOut: training.heldOut,
    curve: training.curve.map((point) => ({ ...point, threshold: point.threshold * scale })),
    warnings: warningsOf(found, training),
  };
}

const keyOf = ({ leftId, rightId }: EvaluatedPairs['pairs'][number]): string => `${leftId} ${rightId}`;

/** A Tmatch of at most 1 would turn a scale of 100 into one of 1. */
const minHundredScaleTmatch = 1.01;

function onScale({ match, possible }: Training['thresholds'], scale: number): ScoreThresholds {
  const of = (share: number): number => Number((share * scale).toFixed(6));
  return { Tmatch: scale === 1 ? of(match) : Math.max(minHundredScaleTmatch, of(match)), Tpossible: of(possible) };
}

function draftOf({ ruleSet }: LiveResults, thresholds: ScoreThresholds, weights: readonly number[]): NewRuleSet {
  const { name, leftDatasetId, rightDatasetId, engine, jsonataExpr, logicJson } = ruleSet;
  const params: RuleSetParams = { ...ruleSet.params, ...thresholds };
  if (engine === 'jsonata-batch' && params.matchers)
    params.matchers = params.matchers.map((matcher, at) => ({ ...matcher, weight: weights[at] as number }));
  return { name, leftDatasetId, rightDatasetId, engine, jsonataExpr, params, logicJson };
}

function warningsOf({ pairs, leftOut }: EvaluatedPairs, training: Training): TrainingWarning[] {
  const warnings: TrainingWarning[] = [];
  const warn = (code: string, message: string): number => warnings.push({ code, message });
  const [first] = training.contradictions;
  if (first !== undefined) {
    const id = (at: number): string => (pairs[at] as { id: string }).id;
    warn(
      'contradictory_labels',
      `${counted(training.contradictions.length, 'time')} pairs are confirmed and rejected of which all matchers say ` +
        `the same, such as ${id(first.confirmed)} and ${id(first.rejected)}: check these reviews, or add a matcher ` +
        'that tells such pairs apart',
    );
  }
  if (leftOut.length > 0)
    warn(
      'labels_left_out',
      `Nothing is learnt from ${counted(leftOut.length, 'reviewed pair')}, such as ${leftOut[0]?.id}: a filter, a ` +
        'window, a tolerance or a required matcher decides such pairs. Check these where they are confirmed',
    );
  if (training.isAtEdge)
    warn(
      'threshold_at_edge',
      'All kept pairs would match, and there may be more matches below: the draft has a lower Tpossible; put it in ' +
        'place, start a job and answer its questions',
    );
  const reviews = new Set(pairs.flatMap(({ review }) => review ?? []));
  if (reviews.size === 1)
    warn(
      'answers_of_one_kind',
      `All reviewed pairs are ${[...reviews].join('')}: nothing shows yet where matches and others part. Start a job ` +
        'with the draft, and answer its questions',
    );
  if (training.hasLost)
    warn(
      'no_gain',
      'On reviewed pairs that were held out, learnt weights and thresholds are clearly worse than those of the ' +
        'rule set: the draft keeps its weights and Tmatch. Answer more questions',
    );
  return warnings;
}
