import fc from 'fast-check';
import type { RuleSetParams } from '../definition/types';
import { createBlockingRule } from './blocking';
import { blockingReaches } from './reach';

const thresholds = { Tmatch: 0.9, Tpossible: 0.5 };
const amounts = { amountKeyLeft: 'amount', amountKeyRight: 'value' };
const cents = fc.integer({ min: -50_000, max: 50_000 });

const admitted = (params: RuleSetParams, left: number, right: number): boolean => {
  const rule = createBlockingRule(params);
  const bucketOf = (units: number): number => {
    const key = rule.keyOf({ amount: { ok: true, units, scale: 2 }, day: { ok: false, reason: 'missing' } });
    return 'bucket' in key ? key.bucket : NaN;
  };
  return Math.abs(bucketOf(left) - bucketOf(right)) <= rule.bucketWindow && rule.admits(left, right, 2);
};

test.each([
  ['a percentage', { amountTolerancePercent: 5.25 }],
  ['an absolute tolerance', { amountTolerance: 2.5 }],
  ['the larger of both', { amountTolerancePercent: 1, amountTolerance: 0.75 }],
  ['buckets', { amountBucketSize: 10, amountBucketWindow: 2 }],
  ['all', { amountTolerancePercent: 100 }],
])('no pair that %s lets through lies beyond the reach', (_, tolerance) => {
  const params = { ...thresholds, blocking: { ...amounts, ...tolerance } };
  const [reach] = blockingReaches(params);
  fc.assert(
    fc.property(cents, cents, cents, (first, second, right) => {
      const [from = 0, to = 0] = [first, second].map((units) => Math.abs(units) / 100).sort((one, two) => one - two);
      const [low, high] = reach?.widen(from, to) ?? [0, 0];
      const own = Math.abs(right) / 100;
      const isMet = [first, second].some((left) => admitted(params, left, right));
      expect(!isMet || (own >= low && own <= high)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('each rule has its own reaches, by its own keys', () => {
  const blocking = {
    dateKey: 'day',
    rules: [{ dateFromDays: 1, dateToDays: 21 }, { keys: [{ expr: 'code' }] }, { ...amounts, amountTolerance: 1 }],
  };
  const found = blockingReaches({ ...thresholds, blocking });
  expect(found.map(({ kind, paths }) => ({ kind, paths }))).toEqual([
    { kind: 'day', paths: { left: 'day', right: 'day' } },
    { kind: 'amount', paths: { left: 'amount', right: 'value' } },
  ]);
  expect(found[0]?.widen(100, 101)).toEqual([101, 122]);
  expect(blockingReaches({ ...thresholds })).toEqual([]);
});
