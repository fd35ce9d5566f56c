import type { Ranking } from './scores';
import type { TrainingPairs, TrainedThresholds } from './types';

/**
 * The belief before any label: the odds are even at the threshold as it is, give or take a factor of e, and grow by
 * e^2 with each standard deviation of the scores; the pair of a record that has a better one is less likely a match.
 */
const prior = { level: 0, levelSpread: 1, slope: Math.log(2), slopeSpread: 0.7, rival: -1, rivalSpread: 1 };
/** Standard deviation, on a logarithmic scale, that the prior allows weights around their present values. */
const weightSpread = 0.4;
/**
 * Part of the labels that are taken to be wrong, whichever they are. Without it the label that contradicts all others
 * would move the model most.
 */
const wrongLabels = 0.05;
/** Returns the probability of a label that would be given with a probability if none were wrong. */
const withWrong = (probability: number): number => wrongLabels + (1 - 2 * wrongLabels) * probability;
const maxRounds = 25;
const minGain = 1e-7;
const minDeviation = 1e-3;
/** Level, slope and rival come before the weights of a point. */
const offset = 3;

/** Labelled pairs that a model is fitted to. */
export interface LabelledPairs {
  pairs: TrainingPairs;
  /** The labelled pairs and others, by the weights as they are. */
  ranking: Ranking;
  /** The pairs with a label. */
  labelled: readonly number[];
  /** Other pairs of the records of confirmed ones, which are no matches where a record is in one at most. */
  rivals: ReadonlyMap<number, readonly number[]>;
}

export interface FitOptions {
  weights: readonly number[];
  thresholds: TrainedThresholds;
  /** False if only probabilities are fitted. */
  movesWeights: boolean;
  onStep: () => void;
}

/** A rule set with other weights, and how probable a match is at each score. */
export interface FittedModel {
  weights: number[];
  probabilityOf(score: number, isRival: boolean): number;
  /** Log likelihood of other labels. */
  likelihoodOf(labelled: readonly number[]): number;
}

/** Fits weights and probabilities to labels: the most probable ones, by Fisher scoring. */
export function fit(known: LabelledPairs, options: FitOptions): FittedModel {
  const { thresholds } = options;
  const model = new Model(known, options);
  const point = climb(model.means, (at) => {
    options.onStep();
    return model.evaluate(at);
  });
  const slope = model.slopeAt(point);
  return {
    weights: model.weightsAt(point),
    probabilityOf: (score, isRival) =>
      logistic((point[0] as number) + slope * (score - thresholds.match) + (isRival ? (point[2] as number) : 0)),
    likelihoodOf: (labelled) => new Model({ ...known, labelled }, options).evaluate(point).value - model.priorAt(point),
  };
}

/** The odds of a pair by its score, and the score by weights. A point is: level, slope, rival, weights. */
class Model {
  readonly means: readonly number[];
  private readonly spreads: readonly number[];
  private readonly deviation: number;
  /** Places of the weights that may move. */
  private readonly free: readonly number[];

  constructor(
    private readonly known: LabelledPairs,
    private readonly options: FitOptions,
  ) {
    const { weights, movesWeights } = options;
    this.deviation = Math.max(minDeviation, deviationOf(known.ranking));
    this.free =
      weights.length === 1 || !movesWeights ? [] : [...weights.keys()].filter((at) => (weights[at] as number) > 0);
    this.means = [prior.level, prior.slope, prior.rival, ...this.free.map(() => 0)];
    this.spreads = [prior.levelSpread, prior.slopeSpread, prior.rivalSpread, ...this.free.map(() => weightSpread)];
  }

  slopeAt(point: readonly number[]): number {
    return Math.exp(point[1] as number) / this.deviation;
  }

  weightsAt(point: readonly number[]): number[] {
    const own = [...this.options.weights];
    this.free.forEach((at, place) => (own[at] = (own[at] as number) * Math.exp(point[offset + place] as number)));
    return own;
  }

  priorAt(point: readonly number[]): number {
    return new Objective(point, this.means, this.spreads).value;
  }

  evaluate(point: readonly number[]): Objective {
    const { pairs, labelled, rivals } = this.known;
    const objective = new Objective(point, this.means, this.spreads);
    const weights = this.weightsAt(point);
    for (const pair of labelled) {
      const isMatch = pairs.labels[pair] === 1;
      objective.add(this.outcomeOf(point, weights, pair), isMatch);
      const others = isMatch ? (rivals.get(pair) ?? []) : [];
      if (others.length > 0) objective.prefer([pair, ...others].map((one) => this.outcomeOf(point, weights, one)));
    }
    return objective;
  }

  private outcomeOf(point: readonly number[], weights: readonly number[], pair: number): Outcome {
    const { pairs, ranking } = this.known;
    const values = pairs.values.map((own) => own[pair] as number);
    let [sum, total] = [0, 0];
    values.forEach((value, at) => {
      if (Number.isNaN(value)) return;
      sum += (weights[at] as number) * value;
      total += weights[at] as number;
    });
    const score = total === 0 ? 0 : sum / total;
    const slope = this.slopeAt(point);
    const byScore = slope * (score - this.options.thresholds.match);
    const rival = ranking.isRival[pair] as number;
    const gradient = new Float64Array(point.length);
    gradient.set([1, byScore, rival]);
    this.free.forEach((at, place) => {
      const value = values[at] as number;
      if (!Number.isNaN(value)) gradient[offset + place] = (slope * (weights[at] as number) * (value - score)) / total;
    });
    return { byScore, logit: (point[0] as number) + byScore + (point[2] as number) * rival, gradient };
  }
}

/** The judgement of a pair: its log odds, their derivative by the score, and their derivatives by the parameters. */
interface Outcome {
  logit: number;
  byScore: number;
  gradient: Float64Array;
}

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Returns the standard deviation of the scores of the pairs that win their records. */
function deviationOf({ scores, isRival }: Ranking): number {
  let [count, sum, squares] = [0, 0, 0];
  scores.forEach((score, pair) => {
    if (isRival[pair] === 1) return;
    count++;
    sum += score;
    squares += score * score;
  });
  return count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** The logarithm of the probability of labels and of the point itself, with its derivatives. */
class Objective {
  value = 0;
  readonly gradient: Float64Array;
  /** Rows of the expected second derivatives, with the sign turned. */
  readonly curvature: Float64Array[];

  constructor(point: readonly number[], means: readonly number[], spreads: readonly number[]) {
    this.gradient = new Float64Array(point.length);
    this.curvature = point.map(() => new Float64Array(point.length));
    point.forEach((value, at) => {
      const precision = (spreads[at] as number) ** -2;
      const distance = value - (means[at] as number);
      this.value -= (precision * distance ** 2) / 2;
      this.gradient[at] = -precision * distance;
      (this.curvature[at] as Float64Array)[at] = precision;
    });
  }

  /** Adds that a pair is a match, or is none. */
  add({ logit, gradient }: Outcome, isMatch: boolean): void {
    const own = logistic(isMatch ? logit : -logit);
    const probability = withWrong(own);
    const change = (1 - 2 * wrongLabels) * own * (1 - own);
    this.value += Math.log(probability);
    this.ascend(gradient, ((isMatch ? 1 : -1) * change) / probability);
    this.bend(gradient, change ** 2 / (probability * (1 - probability)));
  }

  /** Adds that the first of some pairs is the match of its records. */
  prefer(outcomes: readonly Outcome[]): void {
    const max = Math.max(...outcomes.map(({ byScore }) => byScore));
    const odds = outcomes.map(({ byScore }) => Math.exp(byScore - max));
    const sum = odds.reduce((total, one) => total + one, 0);
    const own = (odds[0] as number) / sum;
    const trust = 1 - wrongLabels / withWrong(own);
    this.value += Math.log(withWrong(own));
    const mean = new Float64Array(this.gradient.length);
    outcomes.forEach(({ gradient }, at) => {
      const share = (odds[at] as number) / sum;
      for (let place = 1; place < mean.length; place++)
        if (place !== 2) mean[place]! += share * (gradient[place] as number);
    });
    outcomes.forEach(({ gradient }, at) => {
      const away = gradient.map((value, place) => (place === 0 || place === 2 ? 0 : value - (mean[place] as number)));
      if (at === 0) this.ascend(away, trust);
      this.bend(away, (trust * (odds[at] as number)) / sum);
    });
  }

  private ascend(gradient: Float64Array, factor: number): void {
    for (let at = 0; at < gradient.length; at++) this.gradient[at]! += factor * (gradient[at] as number);
  }

  private bend(gradient: Float64Array, factor: number): void {
    for (let row = 0; row < gradient.length; row++) {
      const own = factor * (gradient[row] as number);
      const line = this.curvature[row] as Float64Array;
      if (own !== 0) for (let at = 0; at < gradient.length; at++) line[at]! += own * (gradient[at] as number);
    }
  }
}

/** Climbs from a point to the top of an objective; a step that does not climb is halved. */
function climb(from: readonly number[], evaluate: (point: readonly number[]) => Objective): readonly number[] {
  let point = from;
  let current = evaluate(point);
  for (let round = 0; round < maxRounds; round++) {
    const step = solve(current.curvature, current.gradient);
    let share = 1;
    let gain = 0;
    for (; share > 1e-3; share /= 2) {
      const next = point.map((value, at) => value + share * (step[at] as number));
      const found = evaluate(next);
      if (!(found.value > current.value)) continue;
      gain = found.value - current.value;
      [point, current] = [next, found];
      break;
    }
    if (gain < minGain) break;
  }
  return point;
}

/** Solves linear equations with a positive definite matrix, by elimination. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at] as number]));
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    const own = rows[pivot] as Float64Array;
    for (let below = pivot + 1; below < size; below++) {
      const row = rows[below] as Float64Array;
      const factor = (row[pivot] as number) / (own[pivot] as number);
      for (let column = pivot; column <= size; column++) row[column]! -= factor * (own[column] as number);
    }
  }
  const found = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    const row = rows[at] as Float64Array;
    let rest = row[size] as number;
    for (let column = at + 1; column < size; column++) rest -= (row[column] as number) * (found[column] as number);
    found[at] = rest / (row[at] as number);
  }
  return found;
}
