import fc from 'fast-check';
import { chooseQuestions, trainRuleSet } from '.';
import type { TrainingPairs, TrainInput } from './types';

/** Returns numbers that look random, and are the same each time. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield (((state ^ (state >>> 15)) >>> 0) % 100_000) / 100_000;
  }
}

const plain = { match: 0.5, kinds: [], isOneToOne: true };

interface Known extends TrainInput {
  isMatch: boolean[];
}

/** Pairs of records of their own, of which the first matcher tells matches from others above `cut`; the second lies. */
function pairsOf({ count = 400, cut = 0.5, labels = 40, seed = 7, decides = 0 } = {}): Known {
  const next = numbers(seed);
  const value = (): number => next.next().value;
  const values = [0, 1].map(() => Float64Array.from({ length: count }, value));
  const isMatch = Array.from(values[decides] as Float64Array, (own) => own + 0.2 * (value() - 0.5) > cut);
  const records = Int32Array.from({ length: count }, (_, at) => at);
  const pairs: TrainingPairs = { lefts: records, rights: records, values, labels: new Int8Array(count).fill(-1) };
  const scores: TrainingPairs = {
    ...pairs,
    values: [Float64Array.from(records, (at) => (values[0]?.[at] ?? 0) / 2 + (values[1]?.[at] ?? 0) / 2)],
  };
  for (const { pair } of chooseQuestions({ ...plain, pairs: scores, limit: labels }))
    pairs.labels[pair] = isMatch[pair] === true ? 1 : 0;
  return { pairs, isMatch, weights: [1, 1], thresholds: { match: 0.5, possible: 0 }, isOneToOne: true };
}

function f1({ pairs, isMatch }: Known, { weights, thresholds }: Pick<TrainInput, 'weights' | 'thresholds'>): number {
  const [one = 0, other = 0] = weights;
  const found = isMatch.filter((_, at) => {
    const sum = one * (pairs.values[0]?.[at] ?? 0) + other * (pairs.values[1]?.[at] ?? 0);
    return sum / (one + other) >= thresholds.match;
  }).length;
  const right = isMatch.filter((own, at) => {
    const sum = one * (pairs.values[0]?.[at] ?? 0) + other * (pairs.values[1]?.[at] ?? 0);
    return own && sum / (one + other) >= thresholds.match;
  }).length;
  return (2 * right) / (found + isMatch.filter(Boolean).length);
}

test.each([
  ['the threshold was too high', { cut: 0.15 }],
  ['the threshold was too low', { cut: 0.85 }],
  ['a matcher says nothing', { cut: 0.5 }],
  ['the other matcher says nothing', { cut: 0.5, decides: 1 }],
])('40 answers make a rule set better of which %s', (_, options) => {
  const known = pairsOf(options);
  const before = f1(known, known);
  expect(f1(known, trainRuleSet(known))).toBeGreaterThan(before + 0.04);
});

/** Returns pairs that match where both matchers together say so, and 40 answers of which some reject. */
function pairsOfBoth(seed?: number): { known: Known; rejected: number[] } {
  const known = pairsOf({ labels: 0, seed });
  const scores = Float64Array.from(known.isMatch, (_, at) => {
    const [one = 0, other = 0] = known.pairs.values.map((own) => own[at]);
    return (one + other) / 2;
  });
  known.isMatch = Array.from(scores, (score) => score >= 0.5);
  const asked = chooseQuestions({ ...plain, pairs: { ...known.pairs, values: [scores] }, limit: 40 });
  for (const { pair } of asked) known.pairs.labels[pair] = known.isMatch[pair] ? 1 : 0;
  return { known, rejected: asked.map(({ pair }) => pair).filter((pair) => !known.isMatch[pair]) };
}

test('answers that say what the rule set says leave it as it is', () => {
  expect(trainRuleSet(pairsOfBoth().known)).toMatchObject({ weights: [1, 1], thresholds: { match: 0.5 } });
});

test('what makes labels that were held out clearly worse is not put into the draft', () => {
  const trained = Array.from({ length: 30 }, (_, seed) => {
    const known = pairsOf({ labels: 10, seed: seed + 1 });
    known.pairs.labels.forEach((label, pair) => {
      if (label >= 0 && pair % 3 === 0) known.pairs.labels[pair] = 1 - label;
    });
    return trainRuleSet(known);
  });
  const lossOf = ({ heldOut: { before, after } }: (typeof trained)[number]) => (before.f1 ?? 0) - (after.f1 ?? 0);
  const lost = trained.filter((one) => lossOf(one) > 0.1);
  expect(lost.length).toBeGreaterThan(2);
  for (const one of lost) expect(one).toMatchObject({ hasLost: true, weights: [1, 1], thresholds: { match: 0.5 } });
  expect(trained.some((one) => lossOf(one) > 0 && !one.hasLost && one.thresholds.match !== 0.5)).toBe(true);
});

test('of 40 answers, three that confirm wrong pairs hardly spoil a good rule set', () => {
  const after = Array.from({ length: 20 }, (_, seed) => {
    const { known, rejected } = pairsOfBoth(seed + 1);
    for (const at of [1, 8, 15]) known.pairs.labels[rejected[at] as number] = 1;
    return f1(known, trainRuleSet(known));
  });
  expect(after.reduce((sum, one) => sum + one, 0) / after.length).toBeGreaterThan(0.97);
});

test('the matcher that tells pairs apart gets more of the weight, whose sum stays', () => {
  const { weights } = trainRuleSet(pairsOf({ labels: 200 }));
  expect(weights[0]).toBeGreaterThan(1.2);
  expect((weights[0] ?? 0) + (weights[1] ?? 0)).toBeCloseTo(2, 4);
});

test('what was held out is measured as all pairs would measure it', () => {
  const known = pairsOf({ count: 2_000, labels: 300, cut: 0.7 });
  const trained = trainRuleSet(known);
  expect(Math.abs((trained.heldOut.before.f1 ?? 0) - f1(known, known))).toBeLessThan(0.08);
  expect(Math.abs((trained.heldOut.after.f1 ?? 0) - f1(known, trained))).toBeLessThan(0.08);
});

test('the same pairs give the same answer', () => {
  expect(trainRuleSet(pairsOf())).toEqual(trainRuleSet(pairsOf()));
});

test.each([
  ['that hardly any doubt', 1, [{ confirmed: 0, rejected: 1 }]],
  ['that few would confirm', 0, [{ confirmed: 0, rejected: 1 }]],
  ['of which either may be right', 0.5, []],
])('labels of pairs alike contradict each other: pairs %s', (_, value, expected) => {
  const known = pairsOf();
  for (const own of known.pairs.values) own.fill(value, 0, 2);
  known.pairs.labels.set([1, 0]);
  expect(trainRuleSet(known).contradictions).toEqual(expected);
});

test('labels contradict each other where pairs alike differ everywhere', () => {
  const known = pairsOf({ labels: 0 });
  for (const own of known.pairs.values) for (let at = 0; at < 40; at++) own[at] = 0.4 + Math.floor(at / 4) / 50;
  for (let at = 0; at < 40; at++) known.pairs.labels[at] = at % 2;
  expect(trainRuleSet(known).contradictions).toHaveLength(10);
});

test('a threshold below all kept pairs is said to be at the edge', () => {
  const known = pairsOf({ cut: -1 });
  expect(trainRuleSet(known).isAtEdge).toBe(true);
  expect(trainRuleSet(pairsOf({ cut: 0.6 })).isAtEdge).toBe(false);
});

test.each([
  ['confirmed', 1],
  ['rejected', 0],
] as const)('answers that are all %s are learnt from, and open the way to others', (_, label) => {
  const known = pairsOf({ cut: -1, labels: 0 });
  const kept = [...known.isMatch.keys()].filter((pair) => (known.pairs.values[0]?.[pair] ?? 0) >= 0.5);
  const only = (from: Int32Array): Int32Array => Int32Array.from(kept, (pair) => from[pair] as number);
  const pairs: TrainingPairs = {
    lefts: only(known.pairs.lefts),
    rights: only(known.pairs.rights),
    values: [Float64Array.from(kept, (pair) => known.pairs.values[0]?.[pair] as number)],
    labels: Int8Array.from(kept, (_pair, at) => (at < 40 ? label : -1)),
  };
  const { thresholds } = trainRuleSet({ ...known, pairs, weights: [1], thresholds: { match: 0.5, possible: 0.5 } });
  if (label === 1) expect(thresholds.possible).toBeLessThan(0.5);
  else expect(thresholds.match).toBeGreaterThan(0.6);
  expect(thresholds.possible).toBeGreaterThanOrEqual(0.39);
});

test('any pairs and labels give thresholds and weights that a rule set can have', () => {
  const value = fc.oneof(fc.constantFrom(0, 1, NaN), fc.double({ min: 0, max: 1, noNaN: true }));
  const pair = fc.record({
    left: fc.nat(5),
    right: fc.nat(5),
    values: fc.tuple(value, value, value),
    label: fc.constantFrom(-1, 0, 1),
  });
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 40 }), fc.tuple(fc.nat(9), fc.nat(9), fc.constant(1)), (rows, weights) => {
      const { thresholds, ...trained } = trainRuleSet({
        pairs: {
          lefts: Int32Array.from(rows, ({ left }) => left),
          rights: Int32Array.from(rows, ({ right }) => right),
          values: [0, 1, 2].map((at) => Float64Array.from(rows, ({ values }) => values[at] as number)),
          labels: Int8Array.from(rows, ({ label }) => label),
        },
        weights,
        thresholds: { match: 0.7, possible: 0.2 },
        isOneToOne: true,
      });
      expect(trained.weights.every((weight) => Number.isFinite(weight) && weight >= 0)).toBe(true);
      expect(thresholds.possible >= 0 && thresholds.possible <= thresholds.match && thresholds.match <= 1).toBe(true);
      for (const point of trained.curve) expect(Object.values(point).every(Number.isFinite)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

describe('questions', () => {
  const ask = (known: Known, limit: number, options: object = {}) =>
    chooseQuestions({
      ...plain,
      pairs: { ...known.pairs, values: [known.pairs.values[0] as Float64Array] },
      limit,
      ...options,
    });

  test('are spread over both sides of the threshold, most beside it, and each is an undecided pair', () => {
    const known = pairsOf({ labels: 0 });
    const asked = ask(known, 40);
    const counts = new Map<number, number>();
    for (const { stratum } of asked) counts.set(stratum.from, (counts.get(stratum.from) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array(8).fill(5));
    const scores = asked.map(({ pair }) => known.pairs.values[0]?.[pair] ?? 0);
    expect(scores.filter((score) => score < 0.5)).toHaveLength(20);
    expect(scores.filter((score) => Math.abs(score - 0.5) < 0.16).length).toBeGreaterThanOrEqual(20);
    expect(new Set(asked.map(({ pair }) => pair)).size).toBe(40);
    expect(asked.every(({ pair }) => known.pairs.labels[pair] === -1)).toBe(true);
  });

  test('are as many where one side of the threshold has no pairs', () => {
    expect(ask(pairsOf({ labels: 0 }), 40, { match: 0 })).toHaveLength(40);
    expect(ask(pairsOf({ labels: 0 }), 40, { match: 1 })).toHaveLength(40);
  });

  test('are about pairs of which the matchers say different things', () => {
    const known = pairsOf({ labels: 0 });
    const kinds = known.isMatch.map((_, pair) => (pair % 20 === 0 ? `kind ${pair}` : 'usual'));
    const asked = ask(known, 16, { kinds });
    expect(asked.filter(({ pair }) => kinds[pair] === 'usual').length).toBeLessThanOrEqual(8);
  });

  test('go first to scores that have fewest reviews', () => {
    const known = pairsOf({ labels: 0 });
    known.pairs.values[0]?.forEach((score, pair) => {
      if (score > 0.3) known.pairs.labels[pair] = 1;
    });
    expect(ask(known, 20).every(({ stratum }) => stratum.reviewed < 40)).toBe(true);
  });

  test('are not asked about pairs whose records better pairs take', () => {
    const known = pairsOf({ labels: 0 });
    known.pairs.lefts = known.pairs.lefts.map(() => 0);
    expect(ask(known, 40)).toHaveLength(1);
  });

  test('are none without pairs', () => {
    expect(ask(pairsOf({ count: 0, labels: 0 }), 40)).toEqual([]);
  });
});
