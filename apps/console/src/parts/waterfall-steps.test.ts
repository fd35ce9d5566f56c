import { waterfallOf } from './waterfall-steps';

test('the waterfall adds up to the score', () => {
  const matchers = [
    { id: 'a', contribution: 45, weight: 45 },
    { id: 'b', contribution: 0, weight: 30 },
    { id: 'c', name: 'date', contribution: 10, weight: 25 },
  ];
  expect(waterfallOf({ scale: 100, thresholds: { Tmatch: 75 }, matchers })).toEqual({
    scale: 100,
    threshold: 75,
    steps: [
      { name: 'a', added: 45, weight: 45, from: 0 },
      { name: 'b', added: 0, weight: 30, from: 45 },
      { name: 'date', added: 10, weight: 25, from: 45 },
    ],
  });
  expect(waterfallOf({})).toEqual({ steps: [], scale: 1, threshold: null });
});
