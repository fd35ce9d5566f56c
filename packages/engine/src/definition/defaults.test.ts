import { effectiveParams } from './defaults';
import type { RuleSetDefinition, RuleSetParams } from './types';

function batch(params: Partial<RuleSetParams>): RuleSetDefinition {
  const matchers = [{ expr: 'true' }];
  return {
    engine: 'jsonata-batch',
    jsonataExpr: null,
    version: 1,
    params: { Tmatch: 0.9, Tpossible: 0.5, matchers, ...params },
  };
}

test('effective parameters hold every default and inheritance', () => {
  expect(
    effectiveParams(
      batch({ windowDays: 4, amountTolerancePercent: 2, matchers: [{ expr: 'a' }, { id: 'x', expr: 'b', weight: 3 }] }),
    ),
  ).toEqual({
    Tmatch: 0.9,
    Tpossible: 0.5,
    scale: 1,
    windowDays: 4,
    amountTolerancePercent: 2,
    amountSign: 'same',
    timezone: 'UTC',
    filters: [],
    assignment: 'none',
    maxPossiblePerRecord: 20,
    matchers: [
      { id: 'm1', name: 'm1', expr: 'a', weight: 1, required: false },
      { id: 'x', name: 'x', expr: 'b', weight: 3, required: false },
    ],
    blocking: {
      enabled: false,
      amountKey: 'amount',
      amountKeyLeft: 'amount',
      amountKeyRight: 'amount',
      dateKey: 'date',
      dateKeyLeft: 'date',
      dateKeyRight: 'date',
      amountBucketSize: 1,
      amountBucketWindow: 1,
      amountTolerancePercent: 2,
      dateToleranceDays: 4,
    },
    composition: {
      enabled: false,
      direction: 'left_to_many_right',
      maxGroupSize: 12,
      amountField: 'amount',
      amountFieldLeft: 'amount',
      amountFieldRight: 'amount',
      amountTolerancePercent: 0,
      amountTolerance: 0,
      preferCompleteGroup: true,
      dateStrategy: 'none',
      dateFieldLeft: 'date',
      dateFieldRight: 'date',
      dateToleranceDays: 4,
      allowNegativeAmounts: false,
      skipAlreadyMatched: true,
      matchKeys: [],
      partial: { enabled: false, minMembers: 2, minCompletionRatio: 0.5, uniformityRatio: 0 },
      installmentDiscovery: { enabled: false, maxDivisor: 24, divisorTolerance: 0.05 },
    },
  });
});

test("a side's own key wins, and composition takes over blocking's keys", () => {
  const { blocking, composition } = effectiveParams(
    batch({
      blocking: { amountKey: 'net', amountKeyRight: 'gross', dateKeyLeft: 'due' },
      composition: { direction: 'one_to_many' },
    }),
  );
  expect(blocking).toMatchObject({
    enabled: true,
    amountKeyLeft: 'net',
    amountKeyRight: 'gross',
    dateKeyLeft: 'due',
    dateKeyRight: 'date',
  });
  expect(composition).toMatchObject({
    direction: 'left_to_many_right',
    amountFieldLeft: 'net',
    amountFieldRight: 'gross',
    dateFieldLeft: 'due',
    dateFieldRight: 'date',
    dateToleranceDays: 0,
  });
});
