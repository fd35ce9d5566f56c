import type { JsonObject, Side } from '../values/types';
import type { Sides } from './anchors';
import type { FoundBlocking } from './blocking';
import { expressionOf } from './comparisons';
import { judgedByDecoys } from './decoys';
import { rounded } from './expressions';
import { textAt } from './fields';
import {
  bestPairs,
  choosePossible,
  chooseThresholds,
  minSharedScore,
  rankedPairs,
  type BestPair,
  type Thresholds,
} from './thresholds';
import { uncontested } from './uncontested';
import { withoutFreeMatches } from './unseen-levels';
import {
  isFew,
  type Comparison,
  type FieldPair,
  type LearntModel,
  type PairSample,
  type ScoreParts,
  type SuggestedMatcher,
  type SuggestedRuleSet,
  type SuggestInput,
  type Suggestion,
  type SuggestionWarning,
} from './types';

/** A comparison that moves the odds less than this says nothing. */
const minRange = 0.05;
const bins = 40;
const curvePoints = 40;
const examples = 3;
const maxShown = 200;
/** Opinions of a precision or a recall that differ more are no more than guesses. */
const maxDisagreement = 0.08;

interface Parts {
  sides: Sides;
  input: SuggestInput;
  blocking: FoundBlocking;
  pairs: readonly FieldPair[];
  comparisons: readonly Comparison[];
  sample: PairSample;
  model: LearntModel;
  opposite: boolean;
}

const fieldsOf = (pairs: readonly FieldPair[]): SuggestedRuleSet['fields'] =>
  pairs.map(({ left, right, kind, overlap }) => ({
    left: left.path,
    right: right.path,
    kind,
    overlap: rounded(overlap, 3),
  }));

export const unconnected = (reason: string, pairs: readonly FieldPair[]): Suggestion => ({
  connected: false,
  reason: `nothing connects these datasets: ${reason}`,
  fields: fieldsOf(pairs),
  warnings: [],
});

/** Writes what was learnt as an ordinary rule set, with the evidence for each part. */
export function assemble(given: Parts): Suggestion {
  const { input, sides, blocking, pairs, comparisons, sample, opposite } = given;
  const { isOneSide = false } = input;
  // A record of one dataset has any number of duplicates.
  const learnt = isOneSide ? { ...given.model, probabilities: uncontested(sample, given.model.scores) } : given.model;
  const best = isOneSide
    ? rankedPairs(learnt.scores, learnt.probabilities)
    : bestPairs(sample, learnt.scores, learnt.probabilities);
  const partners = learnt.probabilities.reduce(total, 0);
  const chosen = chooseThresholds(best, partners);
  // A record would get another duplicate without its best pair, and no decoy.
  const judged = isOneSide ? { pairs: best, partners } : judgedByDecoys(sample, learnt, best);
  const model = withoutFreeMatches(sample, comparisons, learnt, chosen.match);
  const parts = { ...given, model };
  const scale = scaleOf(model.weights);
  const other = chooseThresholds(judged.pairs, judged.partners);
  const curve = worst(chosen, other);
  // Either opinion misses some partners.
  const share = isOneSide ? model.share : Math.max(model.share, judged.partners / sample.leftCount);
  const matched = best.filter(({ score }) => score >= chosen.match);
  if (matched.length === 0 || scale.range === 0)
    return unconnected('no pair is more alike than chance makes pairs', pairs);
  const look = isFew(input) ? minSharedScore(sample, matched, model.scores) : Infinity;
  const possible = Math.min(look, choosePossible(best, chosen.match, model.scores));
  const perSampled = Math.max(1, input.totals.left) / sample.leftCount;
  const step = Math.max(1, Math.floor(curve.length / curvePoints));
  return {
    connected: true,
    ruleSet: {
      engine: 'jsonata-batch',
      params: {
        // Scores are rounded sums: a threshold between two of them is met by the same pairs.
        Tmatch: scale.scoreOf(chosen.match - 1e-3),
        Tpossible: scale.scoreOf(possible - 1e-3),
        ...(isOneSide ? {} : { assignment: 'one_to_one' }),
        ...(opposite ? { amountSign: 'opposite' } : {}),
        blocking: blocking.params,
        matchers: comparisons.flatMap((comparison, at) => matcherOf(comparison, model.weights[at] as Float64Array)),
      },
    },
    matchers: comparisons.map((comparison, at) => evidenceOf(parts, comparison, at, best)),
    blocking: blocking.rules,
    fields: fieldsOf(pairs),
    expected: {
      precision: curve[matched.length - 1]?.precision ?? 0,
      recall: curve[matched.length - 1]?.recall ?? 0,
      matches: Math.round(matched.length * perSampled),
    },
    curve: curve.flatMap(({ score, precision, recall }, at) =>
      at % step === step - 1 || at === curve.length - 1
        ? [{ threshold: scale.scoreOf(score), precision, recall, matches: Math.round((at + 1) * perSampled) }]
        : [],
    ),
    // A half of a dataset holds every other partner.
    unlinkable: rounded(1 - Math.min(1, share * (isOneSide ? 2 : 1)), 4),
    histogram: histogramOf(model, scale),
    waterfalls: waterfallsOf(parts, best, chosen.match, scale),
    sample: { left: sides.left.length, right: sides.right.length },
    warnings: disagreement(chosen.points[matched.length - 1], other.points[matched.length - 1]),
  };
}

const total = (sum: number, one: number): number => sum + one;

/** Returns what to expect at the score of each pair: of two opinions, the worse. */
const worst = (own: Thresholds, other: Thresholds): Thresholds['points'] =>
  own.points.map(({ score, precision, recall }, at) => ({
    score,
    precision: rounded(Math.min(precision, other.points[at]?.precision ?? 0), 4),
    recall: rounded(Math.min(recall, other.points[at]?.recall ?? 0), 4),
  }));

type Quality = Pick<Thresholds['points'][number], 'precision' | 'recall'>;

/** Warns where two opinions of precision and recall differ: neither is sure then. */
function disagreement(one?: Quality, other?: Quality): SuggestionWarning[] {
  if (one === undefined || other === undefined) return [];
  const gap = (key: keyof Quality): number => Math.abs(one[key] - other[key]);
  if (Math.max(gap('precision'), gap('recall')) < maxDisagreement) return [];
  const between = (key: keyof Quality): string =>
    [one[key], other[key]]
      .sort((low, high) => low - high)
      .map((share) => Math.round(100 * share))
      .join(' to ');
  const message =
    `Records are so much alike that expected is a guess: by two estimates, precision is at most ` +
    `${between('precision')} %, and recall ${between('recall')} %. Check the rule set by pairs that are known, ` +
    'or train it with reviewed ones, before you rely on it';
  return [{ code: 'uncertain_quality', message }];
}

interface Scale {
  range: number;
  scoreOf(sum: number): number;
}

/** Returns how sums of weights become scores: matchers weigh their range, and their values begin at their minimum. */
function scaleOf(weights: readonly Float64Array[]): Scale {
  const used = weights.map(rangeOf).filter(({ range }) => range >= minRange);
  const range = used.reduce((sum, one) => sum + one.range, 0);
  const min = used.reduce((sum, one) => sum + one.min, 0);
  const scoreOf = (sum: number): number => Math.max(0, Math.min(1, rounded((sum - min) / range, 6)));
  return { range, scoreOf };
}

function rangeOf(weights: Float64Array): { min: number; range: number } {
  const min = Math.min(...weights);
  return { min, range: Math.max(...weights) - min };
}

function matcherOf(
  comparison: Comparison,
  weights: Float64Array,
): { id: string; name: string; expr: string; weight: number }[] {
  const { min, range } = rangeOf(weights);
  if (range < minRange) return [];
  const values = Array.from(weights, (weight) => rounded((weight - min) / range));
  return [{ id: comparison.id, name: comparison.name, weight: rounded(range), expr: expressionOf(comparison, values) }];
}

function evidenceOf(
  { sides, sample, model }: Parts,
  comparison: Comparison,
  at: number,
  best: readonly BestPair[],
): SuggestedMatcher {
  const weights = model.weights[at] as Float64Array;
  const matches = model.matches[at] as Float64Array;
  const others = model.others[at] as Float64Array;
  const held = sample.levels[at] as Uint8Array;
  const { id, name, fields, levels } = comparison;
  const shown = new Set<number>();
  return {
    id,
    name,
    fields,
    strength: rounded(matches.reduce((sum, share, level) => sum + share * (weights[level] as number), 0) / Math.LN2, 2),
    levels: levels.map(({ label }, level) => ({
      label,
      weight: rounded(weights[level] as number, 3),
      matches: rounded(matches[level] as number, 4),
      others: rounded(others[level] as number, 4),
    })),
    examples: best
      .filter(({ pair, probability }) => {
        const level = held[pair] as number;
        return probability > 0.5 && shown.size < examples && !shown.has(level) && shown.add(level);
      })
      .map(({ pair }) => ({
        left: valuesOf(sides.left[sample.lefts[pair] as number] as JsonObject, fields.left),
        right: valuesOf(sides.right[sample.rights[pair] as number] as JsonObject, fields.right),
        level: (levels[held[pair] as number] as { label: string }).label,
      })),
  };
}

function valuesOf(record: JsonObject, paths: readonly string[]): JsonObject {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const text = textAt(record, path).slice(0, maxShown);
      return text === '' ? [] : [[path, text]];
    }),
  );
}

function histogramOf(
  { scores, probabilities }: LearntModel,
  scale: Scale,
): { from: number; to: number; matches: number; others: number }[] {
  const matches = new Float64Array(bins);
  const others = new Float64Array(bins);
  scores.forEach((score, pair) => {
    const bin = Math.min(bins - 1, Math.floor(scale.scoreOf(score) * bins));
    matches[bin]! += probabilities[pair] as number;
    others[bin]! += 1 - (probabilities[pair] as number);
  });
  return Array.from(matches, (count, bin) => ({
    from: rounded(bin / bins, 4),
    to: rounded((bin + 1) / bins, 4),
    matches: rounded(count, 1),
    others: rounded(others[bin] as number, 1),
  }));
}

/** Shows how the scores of five pairs add up: the best, a typical one, two beside the threshold, a doubtful one. */
function waterfallsOf(
  { sides, sample, comparisons, model }: Parts,
  best: readonly BestPair[],
  match: number,
  scale: Scale,
): ScoreParts[] {
  const below = best.findIndex(({ score }) => score < match);
  const last = below < 0 ? best.length : below;
  const places = [0, Math.floor(last / 2), last - 1, last, Math.floor((last + best.length) / 2)];
  const pairs = [...new Set(places)].flatMap((place) => best[place] ?? []);
  const pathsOf = (side: Side): string[] => [...new Set(comparisons.flatMap(({ fields }) => fields[side]))];
  const shown = { left: pathsOf('left'), right: pathsOf('right') };
  return pairs.map(({ pair, score, probability }) => ({
    left: valuesOf(sides.left[sample.lefts[pair] as number] as JsonObject, shown.left),
    right: valuesOf(sides.right[sample.rights[pair] as number] as JsonObject, shown.right),
    probability: rounded(probability, 4),
    score: scale.scoreOf(score),
    parts: comparisons.map(({ id, levels }, at) => {
      const level = (sample.levels[at] as Uint8Array)[pair] as number;
      return {
        matcher: id,
        level: (levels[level] as { label: string }).label,
        weight: rounded((model.weights[at] as Float64Array)[level] as number, 3),
      };
    }),
  }));
}
