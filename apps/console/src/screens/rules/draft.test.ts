import type { PreviewedPair } from '../../api/rules';
import { canBePass, choosePairs, histogramOf, moved, thresholdFaults, withParam } from './draft';

const pair = (score: number | null, decision = 'NO_MATCH'): PreviewedPair =>
  ({ score, decision, explanation: null }) as unknown as PreviewedPair;
const thresholds = { Tmatch: 0.8, Tpossible: 0.5 };

test('a score counts by the thresholds as they are dragged, and the greatest is in the last bin', () => {
  const bins = histogramOf([0, 0.5, 0.79, 0.8, 1], thresholds, 10);
  expect(bins.map(({ others, possible, matches }) => others + possible + matches)).toEqual([
    1, 0, 0, 0, 0, 1, 0, 1, 1, 1,
  ]);
  expect(bins[8]).toMatchObject({ matches: 1, possible: 0 });
  expect(bins[7]).toMatchObject({ matches: 0, possible: 1 });
});

test('scores up to 100 have bins up to 100', () => {
  expect(histogramOf([55], { Tmatch: 80, Tpossible: 50 }, 10)[5]).toMatchObject({ from: 50, to: 60, possible: 1 });
});

test.each([
  ['best', [0.9, 0.8]],
  ['match', [0.8, 0.9]],
  ['possible', [0.52, 0.3]],
] as const)('%s pairs are first', (choice, first) => {
  const pairs = [0.1, 0.3, 0.52, 0.8, 0.9, null].map((score) => pair(score));
  expect(
    choosePairs(pairs, choice, thresholds)
      .slice(0, 2)
      .map(({ score }) => score),
  ).toEqual(first);
});

test('a pair that fails is shown, one that was dropped before its score is not', () => {
  const shown = choosePairs([pair(null, 'ERROR'), pair(null)], 'random', thresholds);
  expect(shown.map(({ decision }) => decision)).toEqual(['ERROR']);
});

test('what is emptied is left out, so that its default holds', () => {
  expect(withParam({ a: 1, b: '' }, 'a', undefined)).toEqual({ b: '' });
  expect(withParam({ a: 1 }, 'a', 0)).toEqual({ a: 0 });
});

test('a pass moves by one place, and not beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});

test.each([
  ['a dataset of each side', 'l', 'r', true],
  ['one dataset with itself', 'r', 'r', true],
  ['the sides the wrong way round', 'r', 'l', false],
  ['another dataset', 'l', 'x', false],
  ['another dataset with itself', 'x', 'x', false],
])('rules over %s are offered as a pass where they can be one', (_what, left, right, expected) => {
  const reconciliation = { left_dataset_ids: ['l', 'l2'], right_dataset_ids: ['r'] };
  expect(canBePass({ left_dataset_id: left, right_dataset_id: right }, reconciliation)).toBe(expected);
});

test.each([
  [{ Tmatch: 0.8, Tpossible: 0.5 }, 1, {}],
  [{ Tmatch: 1, Tpossible: 1 }, 1, {}],
  [{ Tmatch: 1.5, Tpossible: 0.5 }, 1, { Tmatch: 'range' }],
  [{ Tmatch: NaN, Tpossible: 0.5 }, 1, { Tmatch: 'range' }],
  [{ Tmatch: 0.8, Tpossible: -1 }, 1, { Tpossible: 'range' }],
  [{ Tmatch: NaN, Tpossible: NaN }, 1, { Tmatch: 'range', Tpossible: 'range' }],
  [{ Tmatch: 0.3, Tpossible: 0.5 }, 1, { Tpossible: 'order' }],
  [{ Tmatch: 80, Tpossible: 50 }, 100, {}],
  [{ Tmatch: 0.8, Tpossible: 0.5 }, 100, { Tmatch: 'range' }],
  [{ Tmatch: 101, Tpossible: 50 }, 100, { Tmatch: 'range' }],
] as const)('thresholds %j of scores up to %d have the faults %j', (thresholds, scale, faults) => {
  expect(thresholdFaults(thresholds, scale)).toEqual(faults);
});
