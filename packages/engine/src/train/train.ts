import { rounded } from '../suggest/expressions';
import { spread } from '../suggest/fields';
import { fit, type FittedModel, type LabelledPairs } from './fit';
import { rank, type Ranking } from './scores';
import type { HeldOutQuality, TrainingPairs, TrainedThresholds, TrainInput, Training } from './types';

const folds = 5;
const curvePoints = 40;
const maxRivals = 40;
/** More labels take longer and teach hardly more: some are taken, spread over the scores. */
const maxLabels = 1_000;
/** Less is chance. */
const minLikelihoodGain = 1;
/** The F1 of a few labels that were held out falls by less by chance, while that of all pairs rises. */
const maxLoss = 0.1;
/** A threshold that is expected to be better by less stays where it is. */
const minF1Gain = 0.005;
/** A label that the other labels make less probable than this is surprising. */
const minExpected = 0.1;
/** Matchers do not tell matches from others if more of the labels contradict most labels of pairs alike. */
const maxMixed = 0.2;
/** Pairs below this probability are not worth a look. */
const minPossible = 0.05;
/** The possible threshold falls by this at most where all kept pairs may match: the next job has more to ask about. */
const edgeStep = 0.1;

/** Refits the weights and thresholds of a rule set to what people decided. The same pairs give the same answer. */
export function trainRuleSet(input: TrainInput): Training {
  const { pairs, onStep = () => undefined } = input;
  const ranking = rank(pairs, input.weights, input.isOneToOne);
  const labelled = spread(
    [...ranking.order].filter((pair) => pairs.labels[pair] !== -1),
    maxLabels,
  );
  const rivals = input.isOneToOne ? rivalsOf(pairs) : new Map<number, number[]>();
  const known: LabelledPairs = { pairs, ranking, labelled, rivals };
  const moving = { ...input, movesWeights: movesWeights(known, input, onStep) };
  const measured = heldOut(known, moving, onStep);
  const hasLost = (measured.after.f1 ?? 0) < (measured.before.f1 ?? 0) - maxLoss;
  const trained = hasLost ? keep(known, input, onStep) : trainOn(known, moving, onStep);
  return {
    weights: trained.weights,
    thresholds: trained.thresholds,
    heldOut: measured,
    hasLost,
    curve: trained.curve,
    isAtEdge: trained.isAtEdge,
    contradictions: contradictionsIn(known, trained.probabilityOf),
  };
}

/**
 * Finds labels that differ although the matchers say the same of their pairs. Near the threshold right answers differ
 * too: there labels contradict each other only where they do so everywhere.
 */
function contradictionsIn(
  { pairs, labelled }: LabelledPairs,
  probabilityOf: (pair: number) => number,
): Training['contradictions'] {
  const groups = new Map<string, { confirmed: number[]; rejected: number[] }>();
  for (const pair of labelled) {
    const key = pairs.values.map((own) => own[pair]).join(' ');
    const group = groups.get(key) ?? { confirmed: [], rejected: [] };
    groups.set(key, group);
    (pairs.labels[pair] === 1 ? group.confirmed : group.rejected).push(pair);
  }
  const fewer = [...groups.values()].map(({ confirmed, rejected }) => Math.min(confirmed.length, rejected.length));
  const isMixed = fewer.reduce((sum, count) => sum + count, 0) > maxMixed * labelled.length;
  return [...groups.values()].flatMap(({ confirmed, rejected }) => {
    const missed = confirmed.find((pair) => probabilityOf(pair) < minExpected);
    const wrong = rejected.find((pair) => probabilityOf(pair) > 1 - minExpected);
    const [one, other] = [missed ?? confirmed[0], wrong ?? rejected[0]];
    if (one === undefined || other === undefined) return [];
    return isMixed || missed !== undefined || wrong !== undefined ? [{ confirmed: one, rejected: other }] : [];
  });
}

/** Returns the other pairs of the records of confirmed pairs, some of each. */
function rivalsOf({ lefts, rights, labels }: TrainingPairs): Map<number, number[]> {
  const rivals = new Map<number, number[]>();
  const [byLeft, byRight] = [new Map<number, number[]>(), new Map<number, number[]>()];
  labels.forEach((label, pair) => {
    if (label !== 1) return;
    const own: number[] = [];
    rivals.set(pair, own);
    byLeft.set(lefts[pair] as number, own);
    byRight.set(rights[pair] as number, own);
  });
  labels.forEach((label, pair) => {
    if (label === 1) return;
    for (const own of [byLeft.get(lefts[pair] as number), byRight.get(rights[pair] as number)])
      if (own !== undefined && own.length < maxRivals) own.push(pair);
  });
  return rivals;
}

type MovingInput = TrainInput & { movesWeights: boolean };

interface Trained {
  weights: number[];
  thresholds: TrainedThresholds;
  curve: Training['curve'];
  isAtEdge: boolean;
  /** Returns how probable it is that a pair is a match, whatever its label. */
  probabilityOf(pair: number): number;
}

/**
 * Returns whether labels that were held out are clearly likelier by weights that others moved: few labels, most of
 * which confirm, would move good weights by chance.
 */
function movesWeights(known: LabelledPairs, input: TrainInput, onStep: () => void): boolean {
  let gain = 0;
  for (let fold = 0; fold < folds; fold++) {
    const [others, own] = [part(known, fold, false), part(known, fold, true)];
    const likelihood = (moves: boolean): number =>
      fit({ ...known, labelled: others }, { ...input, movesWeights: moves, onStep }).likelihoodOf(own);
    gain += likelihood(true) - likelihood(false);
  }
  return gain > minLikelihoodGain;
}

/** Fits weights, and chooses thresholds by what they expect of all pairs. */
function trainOn(known: LabelledPairs, input: MovingInput, onStep: () => void): Trained {
  const model = fit(known, { ...input, onStep });
  const weights = sameSum(model.weights, input.weights);
  const labels = new Int8Array(known.pairs.labels.length).fill(-1);
  for (const pair of known.labelled) labels[pair] = known.pairs.labels[pair] as number;
  const pairs = { ...known.pairs, labels };
  const ranking = rank(pairs, weights, input.isOneToOne);
  onStep();
  return {
    weights,
    ...choose(pairs, ranking, model, input.thresholds),
    probabilityOf: (pair) => model.probabilityOf(ranking.scores[pair] as number, ranking.isRival[pair] === 1),
  };
}

/** Keeps weights and the score of MATCH, and fits the rest. */
function keep(known: LabelledPairs, input: TrainInput, onStep: () => void): Trained {
  const fitted = trainOn(known, { ...input, movesWeights: false }, onStep);
  const { match } = input.thresholds;
  const possible = Math.min(match, fitted.thresholds.possible);
  return { ...fitted, weights: [...input.weights], thresholds: { match, possible } };
}

/** Scales weights to the sum that they had: only their ratios decide. */
function sameSum(weights: readonly number[], before: readonly number[]): number[] {
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  const factor = sum(before) / sum(weights);
  return weights.map((weight) => rounded(weight * factor, 5));
}

/** Splits labels in parts that have all scores alike. */
const part = ({ labelled }: LabelledPairs, fold: number, isHeldOut: boolean): number[] =>
  labelled.filter((_, at) => (at % folds === fold) === isHeldOut);

/** Returns some of the pairs. */
function only({ lefts, rights, values, labels }: TrainingPairs, chosen: readonly number[]): TrainingPairs {
  const ints = (from: Int32Array): Int32Array => Int32Array.from(chosen, (pair) => from[pair] as number);
  return {
    lefts: ints(lefts),
    rights: ints(rights),
    values: values.map((own) => Float64Array.from(chosen, (pair) => own[pair] as number)),
    labels: Int8Array.from(chosen, (pair) => labels[pair] as number),
  };
}

/** Chooses the scores of MATCH and POSSIBLE: the best expected F1, and where hardly a pair is a match. */
function choose(
  { labels }: TrainingPairs,
  { scores, order, isRival }: Ranking,
  model: FittedModel,
  before: TrainedThresholds,
): Omit<Trained, 'weights' | 'probabilityOf'> {
  const probabilityOf = (pair: number): number =>
    labels[pair] === -1 ? model.probabilityOf(scores[pair] as number, isRival[pair] === 1) : (labels[pair] as number);
  let total = 0;
  for (const pair of order) total += probabilityOf(pair);
  const winners = [...order].filter((pair) => isRival[pair] !== 1);
  let sum = 0;
  let top = { at: -1, f1: -1 };
  let kept = { at: -1, f1: 0 };
  const points = winners.map((pair, at) => {
    sum += probabilityOf(pair);
    const isLast = scores[winners[at + 1] ?? -1] !== scores[pair];
    const f1 = (2 * sum) / (at + 1 + total);
    if (isLast && f1 > top.f1) top = { at, f1 };
    if ((scores[pair] as number) >= before.match) kept = { at, f1 };
    return {
      threshold: rounded(scores[pair] as number, 6),
      precision: rounded(sum / (at + 1), 4),
      recall: rounded(Math.min(1, sum / Math.max(total, 1e-9)), 4),
      matches: at + 1,
    };
  });
  const scoreAt = (at: number): number => scores[winners[at] as number] as number;
  const between = (at: number): number => (scoreAt(at) + scoreAt(Math.min(at + 1, winners.length - 1))) / 2;
  const stays = top.f1 - kept.f1 < minF1Gain;
  const match = stays ? before.match : between(top.at);
  const isAtEdge = winners.length > 0 && (stays ? kept : top).at === winners.length - 1;
  const last = winners.findLastIndex((pair) => probabilityOf(pair) >= minPossible);
  const possible = (): number => {
    if (isAtEdge) return belowEdge(Math.min(before.possible, match), model);
    return last === winners.length - 1 ? before.possible : last === -1 ? match : between(last);
  };
  const step = Math.max(1, Math.floor(points.length / curvePoints));
  return {
    thresholds: { match: rounded(match, 6), possible: rounded(Math.min(match, possible()), 6) },
    isAtEdge,
    curve: points.filter((_, at) => at % step === step - 1 || at === points.length - 1),
  };
}

/** Returns the score, not far below the one given, from which on hardly a pair is a match. */
function belowEdge(from: number, model: FittedModel): number {
  const step = edgeStep / 10;
  let score = from;
  while (score > Math.max(0, from - edgeStep) && model.probabilityOf(score, false) >= minPossible) score -= step;
  return Math.max(0, score);
}

/** Measures the rule set as it is, and by labels that each part of training has not seen. */
function heldOut(known: LabelledPairs, input: MovingInput, onStep: () => void): Training['heldOut'] {
  const spokenFor = representation(known);
  const [before, after] = [new Tally(), new Tally()];
  for (let fold = 0; fold < folds; fold++) {
    const trained = trainOn({ ...known, labelled: part(known, fold, false) }, input, onStep);
    const out = part(known, fold, true).filter((pair) => known.ranking.isRival[pair] !== 1);
    const { scores } = rank(only(known.pairs, out), trained.weights, false);
    out.forEach((pair, at) => {
      const isMatch = known.pairs.labels[pair] === 1;
      const weight = spokenFor.get(pair) as number;
      before.add((known.ranking.scores[pair] as number) >= input.thresholds.match, isMatch, weight);
      after.add((scores[at] as number) >= trained.thresholds.match, isMatch, weight);
    });
  }
  return { before: before.quality(), after: after.quality() };
}

/** Returns for how many pairs that win their records each label speaks: those with scores nearest to its own. */
function representation({ ranking: { scores, order, isRival }, labelled }: LabelledPairs): Map<number, number> {
  const own = labelled.filter((pair) => isRival[pair] !== 1);
  const counts = new Map(own.map((pair) => [pair, 0]));
  const groups: number[][] = [];
  for (const pair of own) {
    const group = groups.at(-1);
    if (group !== undefined && scores[group[0] as number] === scores[pair]) group.push(pair);
    else groups.push([pair]);
  }
  const scoreAt = (at: number): number => scores[groups[at]?.[0] ?? -1] ?? -Infinity;
  let at = 0;
  for (const pair of order) {
    if (isRival[pair] === 1) continue;
    const score = scores[pair] as number;
    while (Math.abs(scoreAt(at + 1) - score) < Math.abs(scoreAt(at) - score)) at++;
    const group = groups[at] ?? [];
    for (const label of group) counts.set(label, (counts.get(label) as number) + 1 / group.length);
  }
  return counts;
}

class Tally {
  private found = 0;
  private right = 0;
  private all = 0;

  add(isFound: boolean, isMatch: boolean, weight: number): void {
    if (isFound) this.found += weight;
    if (isMatch) this.all += weight;
    if (isFound && isMatch) this.right += weight;
  }

  quality(): HeldOutQuality {
    const { found, right, all } = this;
    return {
      precision: found === 0 ? null : right / found,
      recall: all === 0 ? null : right / all,
      f1: found === 0 || all === 0 ? null : (2 * right) / (found + all),
    };
  }
}
