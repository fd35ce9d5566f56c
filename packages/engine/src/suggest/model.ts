import { contradicted, correctByDecoys, expectedF1, findsMore } from './decoys';
import { isotone } from './isotone';
import type { Comparison, LearntModel, PairSample } from './types';

const rounds = 16;
/** The lowest weight that a second attempt at learning begins with. */
const minRelaxed = -4;
/** Rounds more where decoys contradict what was learnt. */
const correctedRounds = 6;
const exchanges = 6;
/** Anchors of fewer records of the smaller side may have met by chance. */
const minAnchorShare = 0.2;
const maxMissed = 0.5;
const maxPoorF1 = 0.5;
const smoothing = 0.5;
const minAlone = 0.002;
const maxExponent = 40;
const maxWeight = 12;
const minWeight = -8;

/**
 * Learns without labels which levels matches are at, by expectation and maximisation over candidates (Fellegi and
 * Sunter). A record has one partner at most: pairs compete, by belief propagation over the records of both sides. What
 * is learnt is corrected by decoys where these contradict it clearly.
 */
export function* learn(
  sample: PairSample,
  comparisons: readonly Comparison[],
  onStep: () => void,
): Generator<number, LearntModel, void> {
  let learner = new Learner(sample, comparisons);
  let round = 0;
  const done = (): number => 0.7 + (0.3 * ++round) / (3 * rounds + correctedRounds + 2);
  function* learnPlain(one: Learner): Generator<number, LearntModel, void> {
    for (let left = rounds; left > 0; left--) {
      one.learn(false);
      onStep();
      yield done();
    }
    return one.settled(false);
  }
  let model = yield* learnPlain(learner);
  if (missesAnchors(sample, model)) {
    const other = new Learner(sample, comparisons);
    other.begin();
    const learnt = yield* learnPlain(other);
    if (expectedF1(sample, learnt) > expectedF1(sample, model)) [learner, model] = [other, learnt];
  }
  const relaxed = new Learner(sample, comparisons);
  relaxed.relax(model);
  const second = yield* learnPlain(relaxed);
  if (findsMore(sample, second, model)) [learner, model] = [relaxed, second];
  if (!sample.isWhole) return model;
  const plain = { ...model, scores: model.scores.slice(), probabilities: model.probabilities.slice() };
  for (let left = correctedRounds; left > 0; left--) {
    learner.learn(true);
    onStep();
    yield done();
  }
  const corrected = learner.settled(true);
  return contradicted(sample, plain, corrected) ? corrected : plain;
}

/** Returns whether a model expects little, and finds few of the pairs that share what no other record has. */
function missesAnchors(sample: PairSample, model: LearntModel): boolean {
  const { anchors, leftCount, rightCount } = sample;
  if (anchors.length < minAnchorShare * Math.min(leftCount, rightCount)) return false;
  const missed = anchors.filter((pair) => (model.probabilities[pair] as number) < 0.5);
  return missed.length > maxMissed * anchors.length && expectedF1(sample, model) < maxPoorF1;
}

/** A model in the making. */
class Learner {
  private readonly competition: Competition;
  private readonly scores: Float64Array;
  private readonly probabilities: Float64Array;
  private weighed: Weights;
  private share = 0.5;

  constructor(
    private readonly sample: PairSample,
    private readonly comparisons: readonly Comparison[],
  ) {
    this.competition = new Competition(sample);
    this.scores = new Float64Array(sample.lefts.length);
    this.probabilities = new Float64Array(sample.lefts.length);
    this.weighed = byComparison(
      comparisons.map((comparison, at) =>
        startOf(comparison, sample.levels[at] as Uint8Array, sample.background?.[at]),
      ),
    );
  }

  /** Returns the model as it is, with the probabilities of pairs. */
  settled(isCorrected: boolean): LearntModel {
    const { sample, scores, probabilities, weighed } = this;
    addUp(sample, weighed.weights, scores);
    const before = probabilities.slice();
    this.share = this.competition.settle(scores, probabilities, this.share);
    if (isCorrected) this.share = correctByDecoys(sample, { scores, probabilities, before });
    return { ...weighed, scores, probabilities, share: this.share };
  }

  /** Begins as if the anchors were the matches, rather than with guesses. */
  begin(): void {
    const { anchors, leftCount } = this.sample;
    this.probabilities.fill(0);
    for (const pair of anchors) this.probabilities[pair] = 1;
    this.weighed = fit(this.sample, this.comparisons, this.probabilities);
    this.share = Math.min(1, anchors.length / leftCount);
  }

  /**
   * Begins with the weights of another model, but rules no level out. A level that few matches are at, such as a text
   * without a code, may have been ruled out in the first rounds, and has no match to learn from since.
   */
  relax({ weights, matches, others, share }: LearntModel): void {
    const relaxed = weights.map((own, at) =>
      own.map((weight, level) =>
        this.comparisons[at]?.levels[level]?.isMissing === true ? 0 : Math.max(minRelaxed, weight),
      ),
    );
    this.weighed = { weights: relaxed, matches, others };
    this.share = share;
  }

  learn(isCorrected: boolean): void {
    this.settled(isCorrected);
    this.weighed = fit(this.sample, this.comparisons, this.ofBest());
  }

  /**
   * Returns the probabilities of the pairs that are the best ones of both of their records. The others' are shares of
   * doubt, and would teach what records are like that are merely alike.
   */
  private ofBest(): Float64Array {
    const { scores, probabilities } = this;
    const { lefts, rights, rightCount } = this.sample;
    const bestOf = (keys: Int32Array, count: number): Int32Array => {
      const best = new Int32Array(count).fill(-1);
      keys.forEach((key, pair) => {
        const known = best[key] as number;
        if (known < 0 || (scores[pair] as number) > (scores[known] as number)) best[key] = pair;
      });
      return best;
    };
    const left = bestOf(lefts, lefts.reduce((max, one) => Math.max(max, one), -1) + 1);
    const right = bestOf(rights, rightCount);
    return probabilities.map((probability, pair) =>
      left[lefts[pair] as number] === pair && right[rights[pair] as number] === pair ? probability : 0,
    );
  }
}

interface Weights {
  weights: Float64Array[];
  matches: Float64Array[];
  others: Float64Array[];
}

interface LevelWeights {
  weights: Float64Array;
  matches: Float64Array;
  others: Float64Array;
}

const byComparison = (all: readonly LevelWeights[]): Weights => ({
  weights: all.map(({ weights }) => weights),
  matches: all.map(({ matches }) => matches),
  others: all.map(({ others }) => others),
});

/** Returns the weights that learning starts from: the guesses of a comparison against the frequency of its levels. */
function startOf({ levels, isOrdered }: Comparison, held: Uint8Array, background?: Float64Array): LevelWeights {
  const others = Float64Array.from(levels, (_, level) => background?.[level] ?? 0);
  for (const level of held) others[level]!++;
  const matches = Float64Array.from(levels, ({ start }) => start);
  return weigh(matches, others, isOrdered ? levels.map(({ isMissing }) => isMissing) : null, true);
}

function fit(sample: PairSample, comparisons: readonly Comparison[], probabilities: Float64Array): Weights {
  return byComparison(
    comparisons.map(({ levels, isOrdered }, at) => {
      const matches = new Float64Array(levels.length);
      const others = Float64Array.from(levels, (_, level) => sample.background?.[at]?.[level] ?? 0);
      const held = sample.levels[at] as Uint8Array;
      for (let pair = 0; pair < held.length; pair++) {
        const probability = probabilities[pair] as number;
        const level = held[pair] as number;
        matches[level]! += probability;
        others[level]! += 1 - probability;
      }
      return weigh(matches, others, isOrdered ? levels.map(({ isMissing }) => isMissing) : null);
    }),
  );
}

/** @param unordered true for each level outside the order of its comparison; null where no level is ordered */
function weigh(
  matches: Float64Array,
  others: Float64Array,
  unordered: readonly boolean[] | null,
  isStart = false,
): LevelWeights {
  const share = (counts: Float64Array): Float64Array => {
    const sum = counts.reduce((total, count) => total + count + smoothing, 0);
    return counts.map((count) => (count + smoothing) / sum);
  };
  const [m, u] = [share(matches), share(others)];
  // A level that hardly a pair is at says nothing.
  const trusted = (level: number): number => {
    const seen = (matches[level] as number) + (others[level] as number);
    return seen / (seen + 1);
  };
  const weights = m.map((value, level) =>
    unordered?.[level] === true && isStart ? 0 : trusted(level) * bounded(Math.log(value / (u[level] as number))),
  );
  if (unordered !== null && !isStart) {
    const ordered = Array.from(weights.keys()).filter((level) => unordered[level] !== true);
    const smooth = isotone(
      ordered.map((level) => weights[level] as number),
      ordered.map((level) => (matches[level] as number) + (others[level] as number)),
    );
    ordered.forEach((level, at) => (weights[level] = smooth[at] as number));
  }
  return { weights, matches: m, others: u };
}

const bounded = (weight: number): number => Math.max(minWeight, Math.min(maxWeight, weight));

function addUp({ levels }: PairSample, weights: readonly Float64Array[], scores: Float64Array): void {
  scores.fill(0);
  levels.forEach((held, at) => {
    const own = weights[at] as Float64Array;
    for (let pair = 0; pair < held.length; pair++) scores[pair]! += own[held[pair] as number] as number;
  });
}

/** Pairs that compete for their records: each record has one partner at most. */
class Competition {
  private readonly odds: Float64Array;
  private readonly byLeft: Float64Array;
  private readonly byRight: Float64Array;
  private readonly rightSums: Float64Array;
  private readonly leftSums: Float64Array;

  constructor(private readonly sample: PairSample) {
    const { length } = sample.lefts;
    this.odds = new Float64Array(length);
    this.byLeft = new Float64Array(length);
    this.byRight = new Float64Array(length);
    const lefts = sample.lefts.reduce((max, left) => Math.max(max, left), -1) + 1;
    this.leftSums = new Float64Array(lefts);
    this.rightSums = new Float64Array(sample.rightCount);
  }

  /** Writes the probabilities of pairs with these scores. Returns the share of left records with a partner. */
  settle(scores: Float64Array, probabilities: Float64Array, share: number): number {
    const { odds, byLeft, byRight, leftSums, rightSums } = this;
    const { lefts, rights, isWhole, leftCount } = this.sample;
    const prior = this.prior(share);
    for (let pair = 0; pair < odds.length; pair++)
      odds[pair] = Math.exp(Math.min(maxExponent, (scores[pair] as number) + prior));
    byLeft.fill(1);
    byRight.fill(1);
    const spread = (keys: Int32Array, sums: Float64Array, given: Float64Array, into: Float64Array): void => {
      sums.fill(1);
      for (let pair = 0; pair < keys.length; pair++)
        sums[keys[pair] as number]! += (odds[pair] as number) * (given[pair] as number);
      for (let pair = 0; pair < keys.length; pair++) {
        const rest = (sums[keys[pair] as number] as number) - (odds[pair] as number) * (given[pair] as number);
        into[pair] = 1 / Math.max(1, rest);
      }
    };
    for (let exchange = 0; exchange < exchanges; exchange++) {
      spread(lefts, leftSums, byRight, byLeft);
      if (!isWhole) break;
      spread(rights, rightSums, byLeft, byRight);
    }
    let sum = 0;
    for (let pair = 0; pair < odds.length; pair++) {
      const own = (odds[pair] as number) * (byLeft[pair] as number) * (byRight[pair] as number);
      probabilities[pair] = own / (1 + own);
      sum += probabilities[pair] as number;
    }
    return Math.min(1, sum / leftCount);
  }

  /**
   * Returns the logarithm of the odds of a pair before it is compared, such that the expected number of pairs is
   * what the share says: pairs over the product of what is left over on both sides.
   */
  private prior(share: number): number {
    const { lefts, leftCount, rightCount, isWhole, background } = this.sample;
    const left = Math.max(share, 0.001);
    const right = Math.min(0.999, (share * leftCount) / rightCount);
    const alone = Math.max(minAlone, 1 - left);
    const density = background === null ? leftCount / Math.max(1, lefts.length) : 1 / rightCount;
    return Math.log((left * density) / alone / (isWhole ? Math.max(minAlone, 1 - right) : 1));
  }
}
