import { choosePossible, type BestPair } from './thresholds';

/** Returns as many best pairs of a score and a probability. */
const best = (count: number, score: number, probability: number): BestPair[] =>
  Array.from({ length: count }, (_, pair) => ({ pair, score, probability }));

const matches = best(100, 10, 0.99);
const doubtful = best(50, 2, 0.1);

test.each([
  ['few others come along', 200, 2],
  ['thousands of others come along', 5_000, 10],
])('POSSIBLE begins where pairs are worth a look: %s', (_, others, expected) => {
  const scores = Float64Array.from([...matches, ...doubtful], ({ score }) => score);
  const all = Float64Array.from([...scores, ...Array.from({ length: others }, () => 3)]);
  expect(choosePossible([...matches, ...doubtful], 10, all)).toBe(expected);
});

test('some pairs below MATCH are kept although none is expected to be one', () => {
  const pairs = [...matches, ...best(50, 2, 0.001)];
  expect(
    choosePossible(
      pairs,
      10,
      Float64Array.from(pairs, ({ score }) => score),
    ),
  ).toBe(2);
});
