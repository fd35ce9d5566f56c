import type { TriedRules } from '../../api/simulations';
import { changesOf, figuresAt, widerBins } from './outcome';

const thresholds = [0, 0.5, 1].map((threshold, at) => ({
  threshold,
  pairs: [100, 30, 8][at],
  matches: [60, 20, 8][at],
  possible: [40, 9, 0][at],
  live: [15, 12, 6][at],
}));

const answer = {
  scale: 1,
  pairs: 1_000,
  decision_counts: { MATCH: 20, POSSIBLE: 38, NO_MATCH: 940, ERROR: 2 },
  thresholds,
  changes: {
    live: { MATCH: 16, POSSIBLE: 9 },
    new: { MATCH: 3, POSSIBLE: 5 },
    lost: { MATCH: 1, POSSIBLE: 2 },
    changed: { to_match: 6, to_possible: 4 },
  },
} as unknown as TriedRules;

const asked = { Tmatch: 0.5, Tpossible: 0 };

test('the figures of the thresholds that were asked for are those of the answer', () => {
  expect(figuresAt(answer, asked, asked)).toEqual({
    matches: 20,
    possible: 38,
    others: 940,
    errors: 2,
    newMatches: 8,
    lostMatches: 4,
    isEstimate: false,
  });
});

test.each([
  ['Tpossible', { Tmatch: 0.5, Tpossible: 0.5 }, { matches: 20, possible: 9, newMatches: 8, lostMatches: 4 }],
  ['Tmatch', { Tmatch: 1, Tpossible: 0.5 }, { matches: 8, possible: 22, newMatches: 2, lostMatches: 10 }],
])('a %s that is moved counts without another question', (_name, now, expected) => {
  expect(figuresAt(answer, asked, now)).toMatchObject({ ...expected, isEstimate: true });
});

test('the pairs of each page are counted as the page counts them', () => {
  expect(changesOf(answer.changes as NonNullable<TriedRules['changes']>)).toEqual({
    new: [3, 5],
    lost: [1, 2],
    changed: [6, 4],
  });
});

test('without rules to compare with nothing is new or lost', () => {
  expect(figuresAt({ ...answer, changes: null }, asked, asked)).toMatchObject({ newMatches: null, lostMatches: null });
});

test('bins are joined, and each part counts by its own score', () => {
  const histogram = [0, 0.25, 0.5, 0.75].map((from) => ({ from, to: from + 0.25, pairs: 1, matches: 1 }));
  expect(widerBins(histogram, { Tmatch: 0.75, Tpossible: 0.5 }, 2)).toEqual([
    { from: 0, to: 0.5, matches: 0, possible: 0, others: 2 },
    { from: 0.5, to: 1, matches: 1, possible: 1, others: 0 },
  ]);
});
