import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { createBlockingRule } from './blocking';
import type { BlockingRule, SortedKeys } from './blocking';
import { candidateWindows } from './candidate-windows';
import { compileRuleSet } from '../rule-set/compile';
import { readAmount, rescale } from '../values/decimal';
import type { AmountReading } from '../values/decimal';
import { formatDay, readDay } from '../values/calendar';
import type { RuleSetParams } from '../definition/types';

type Row = Record<string, unknown>;
type Blocking = NonNullable<RuleSetParams['blocking']>;

interface Keyed {
  index: number;
  bucket: number;
  day: number;
  units: number;
}

const amountScale = 4;

/** The pairs that the rule yields through keys, sorted ranges and the residual check. */
function candidates(params: RuleSetParams, left: Row[], right: Row[], scale: number): Set<string> {
  const rules = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', params, version: 1 });
  const key = (side: 'left' | 'right', rows: Row[]): Keyed[] =>
    rows.flatMap((row, index) => {
      const reading = rules.readKeys(side, row);
      const found = rules.blocking.keyOf(reading);
      return 'reason' in found ? [] : [{ index, ...found, units: unitsOf(reading.amount, scale) }];
    });
  const byKey = (one: Keyed, other: Keyed): number => one.bucket - other.bucket || one.day - other.day;
  const bySize = (one: Keyed, other: Keyed): number => Math.abs(one.units) - Math.abs(other.units);
  const rightKeys = key('right', right).sort(
    (one, other) => byKey(one, other) || (rules.blocking.contiguous ? bySize(one, other) : 0),
  );
  const pairs = new Set<string>();
  const windows = candidateWindows(rules.blocking, columns(rightKeys), scale);
  for (const one of key('left', left).sort(byKey)) {
    windows.seek(one.bucket, one.day, one.units);
    for (let range = 0; range < windows.count; range++) {
      for (const other of rightKeys.slice(windows.from[range], windows.to[range])) {
        const pair = `${one.index}-${other.index}`;
        expect(pairs.has(pair)).toBe(false);
        pairs.add(pair);
      }
    }
  }
  return pairs;
}

function columns(keys: Keyed[]): SortedKeys {
  return {
    length: keys.length,
    bucket: Float64Array.from(keys, (key) => key.bucket),
    day: Int32Array.from(keys, (key) => key.day),
    units: Float64Array.from(keys, (key) => key.units),
  };
}

function unitsOf(amount: AmountReading, scale: number): number {
  return amount.ok ? (rescale(amount.units, amount.scale, scale) ?? NaN) : NaN;
}

/** A number as an exact fraction, from its shortest decimal text. */
function fraction(value: number): [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [integer = '', decimals = ''] = mantissa.split('.');
  const power = Number(exponent) - decimals.length;
  const digits = BigInt(integer + decimals);
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Amounts in 10^−4; null when the record cannot be blocked by amount. */
function exactAmount(value: unknown): bigint | null {
  const reading = readAmount(value);
  if (!reading.ok || rescale(reading.units, reading.scale, Math.max(2, reading.scale)) === null) return null;
  return BigInt(reading.units) * 10n ** BigInt(amountScale - reading.scale);
}

function isOutOfRange(value: unknown): boolean {
  const reading = readAmount(value);
  return reading.ok ? exactAmount(value) === null : reading.reason === 'out_of_range';
}

/** The conditions of blocking, straight from their definition, on exact numbers. */
function agree(params: RuleSetParams, left: Row, right: Row): boolean {
  const blocking = params.blocking ?? {};
  if (params.amountTolerancePercent !== undefined || params.amountTolerance !== undefined) {
    const amounts = [
      left[blocking.amountKeyLeft ?? blocking.amountKey ?? 'amount'],
      right[blocking.amountKeyRight ?? blocking.amountKey ?? 'amount'],
    ];
    if (amounts.some(isOutOfRange)) return false;
  }
  const anyKey = Object.entries(blocking).some(([, value]) => value !== undefined);
  if (!(blocking.enabled ?? anyKey)) return true;
  return amountsAgree(params, blocking, left, right) && datesAgree(params, blocking, left, right);
}

function amountsAgree(params: RuleSetParams, blocking: Blocking, left: Row, right: Row): boolean {
  const set = [
    blocking.amountKey,
    blocking.amountKeyLeft,
    blocking.amountKeyRight,
    blocking.amountBucketSize,
    blocking.amountBucketWindow,
    blocking.amountTolerancePercent,
    blocking.amountTolerance,
  ].some((value) => value !== undefined);
  if (!set) return true;
  const one = exactAmount(left[blocking.amountKeyLeft ?? blocking.amountKey ?? 'amount']);
  const onRight = exactAmount(right[blocking.amountKeyRight ?? blocking.amountKey ?? 'amount']);
  if (one === null || onRight === null) return false;
  const other = params.amountSign === 'opposite' ? -onRight : onRight;
  const percent = blocking.amountTolerancePercent ?? params.amountTolerancePercent;
  const absolute = blocking.amountTolerance ?? params.amountTolerance;
  if (percent !== undefined || absolute !== undefined) {
    const [numerator, denominator] = fraction(percent ?? 0);
    const larger = abs(one) > abs(other) ? abs(one) : abs(other);
    const [units, unitsOf] = fraction(absolute ?? 0);
    return abs(one - other) * 100n * denominator <= numerator * larger || abs(one - other) * unitsOf <= units * 10_000n;
  }
  const [numerator, denominator] = fraction(blocking.amountBucketSize ?? 1);
  const bucket = (amount: bigint): bigint => (abs(amount) * denominator) / (numerator * 10_000n);
  if (params.amountSign === 'opposite' && one * other < 0n) return false;
  return abs(bucket(one) - bucket(other)) <= BigInt(blocking.amountBucketWindow ?? 1);
}

function datesAgree(params: RuleSetParams, blocking: Blocking, left: Row, right: Row): boolean {
  const set = [blocking.dateKey, blocking.dateKeyLeft, blocking.dateKeyRight, blocking.dateToleranceDays].some(
    (value) => value !== undefined,
  );
  const tolerance = blocking.dateToleranceDays ?? params.windowDays;
  if (!set || tolerance === undefined) return true;
  const one = readDay(left[blocking.dateKeyLeft ?? blocking.dateKey ?? 'date']);
  const other = readDay(right[blocking.dateKeyRight ?? blocking.dateKey ?? 'date']);
  return one.ok && other.ok && Math.abs(one.day - other.day) <= tolerance;
}

const cents = fc.integer({ min: -2_000, max: 2_000 }).map((units) => units / 100);
const amount = fc.oneof(
  { weight: 4, arbitrary: cents },
  fc.integer({ min: -30_000, max: 30_000 }).map((units) => (units / 10_000).toFixed(4)),
  fc
    .bigInt({ min: 9_007_199_254_740_900n, max: 9_007_199_254_740_999n })
    .map((units) => `${units / 100n}.${units % 100n}`),
  fc.integer({ min: 89_999_000_000_000, max: 90_071_992_547_500 }),
  fc.integer({ min: 900_719_925_474_00, max: 900_719_925_474_20 }).map((units) => units / 10_000),
  fc.constantFrom<unknown>(0, '-0', 100, 99, 101, '100.0000', '99.0099', 1e15, 9e15),
  fc.constantFrom<unknown>(null, '', 'n/a', true, {}, 'NaN', undefined, '1,00'),
);
const day = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 20_000, max: 20_030 }) },
  fc.integer({ min: -719_162, max: -719_150 }),
  fc.integer({ min: 2_932_880, max: 2_932_896 }),
);
const date = fc.oneof(
  { weight: 8, arbitrary: day.map((value) => formatDay(value)) },
  day.map((value) => `${formatDay(value)}T23:30:00-03:00`),
  fc.constantFrom<unknown>(null, '2025-02-30', 20_250_101, undefined),
);
const row = fc.record({ amount, a2: amount, date, d2: date });
const rows = fc.array(row, { maxLength: 14 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const percent = fc.oneof(
  fc.constantFrom(
    0,
    0.01,
    0.1,
    1,
    5,
    33.333,
    50,
    99,
    99.99999999,
    99.9999999999999,
    100,
    150,
    200,
    1e-12,
    1e-5,
    5e-324,
    1e9,
  ),
  fc.double({ min: 0, max: 250, noNaN: true }).map((value) => Math.abs(value)),
);
const days = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(4_000_000, Number.MAX_SAFE_INTEGER));
const absoluteTolerance = fc.oneof(
  fc.constantFrom(0, 0.0001, 0.005, 0.01, 0.5, 5, 1e6, 1e15),
  fc.double({ min: 0, max: 50, noNaN: true }),
);
const blocking = fc.record({
  enabled: maybe(fc.boolean()),
  amountKey: maybe(fc.constantFrom('amount', 'a2')),
  amountKeyLeft: maybe(fc.constantFrom('amount', 'a2')),
  amountKeyRight: maybe(fc.constantFrom('amount', 'a2')),
  dateKey: maybe(fc.constantFrom('date', 'd2')),
  dateKeyLeft: maybe(fc.constantFrom('date', 'd2')),
  dateKeyRight: maybe(fc.constantFrom('date', 'd2')),
  amountTolerancePercent: maybe(percent),
  amountTolerance: maybe(absoluteTolerance),
  amountBucketSize: maybe(
    fc.oneof(
      fc.constantFrom(0.0001, 0.00015, 0.01, 0.3, 1, 10, 1e6, 1e15, 0.1),
      fc.double({ min: 0.0001, max: 100, noNaN: true }),
    ),
  ),
  amountBucketWindow: maybe(
    fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(100, 1_000_000, Number.MAX_SAFE_INTEGER)),
  ),
  dateToleranceDays: maybe(days),
});
const params = fc.record({
  Tmatch: fc.constant(1),
  Tpossible: fc.constant(0.5),
  windowDays: maybe(days),
  amountTolerancePercent: maybe(percent),
  amountTolerance: maybe(absoluteTolerance),
  amountSign: maybe(fc.constantFrom('same', 'opposite')),
  blocking: maybe(blocking),
}) satisfies fc.Arbitrary<RuleSetParams>;

test('the candidates are exactly the pairs that meet the conditions of blocking', () => {
  fc.assert(
    fc.property(params, rows, rows, (ruleParams, left, right) => {
      const expected = new Set(
        left.flatMap((one, i) => right.flatMap((other, j) => (agree(ruleParams, one, other) ? [`${i}-${j}`] : []))),
      );
      // Amounts that do not fit the common scale take no part in a job: they have no exact units there.
      const held = (value: unknown): boolean => {
        const reading = readAmount(value);
        return (
          !reading.ok || rescale(reading.units, reading.scale, amountScale) !== null || exactAmount(value) === null
        );
      };
      const keys: Blocking = ruleParams.blocking ?? {};
      const leftKey = keys.amountKeyLeft ?? keys.amountKey ?? 'amount';
      const rightKey = keys.amountKeyRight ?? keys.amountKey ?? 'amount';
      fc.pre(left.every((one) => held((one as Row)[leftKey])) && right.every((one) => held((one as Row)[rightKey])));
      expect(candidates(ruleParams, left, right, amountScale)).toEqual(expected);
    }),
    { numRuns: caseCount(500) },
  );
});

const largeAmount = fc
  .bigInt({ min: 9_007_199_254_700_000n, max: 9_007_199_254_740_991n })
  .map((units) => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`);
const largeRows = fc.array(fc.record({ amount: largeAmount }), { maxLength: 14 });

test('amounts at the end of the range keep their buckets apart, however small these are', () => {
  fc.assert(
    fc.property(
      largeRows,
      largeRows,
      fc.constantFrom(0.0001, 0.0007, 0.005, 0.01, 0.015, 1),
      fc.integer({ min: 0, max: 50_000 }),
      (left, right, amountBucketSize, amountBucketWindow) => {
        const ruleParams = { Tmatch: 1, Tpossible: 0, blocking: { amountBucketSize, amountBucketWindow } };
        const expected = new Set(
          left.flatMap((one, i) => right.flatMap((other, j) => (agree(ruleParams, one, other) ? [`${i}-${j}`] : []))),
        );
        expect(candidates(ruleParams, left, right, 2)).toEqual(expected);
      },
    ),
    { numRuns: caseCount(500) },
  );
});

test('amounts of neighbouring units stay within a matching tolerance at any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9_007_199_254_740_991 }), { minLength: 1, maxLength: 20 }),
      percent,
      (units, amountTolerancePercent) => {
        const left = units.map((value) => ({
          amount: `${BigInt(value) / 100n}.${String(BigInt(value) % 100n).padStart(2, '0')}`,
        }));
        const [numerator, denominator] = fraction(amountTolerancePercent);
        const right = units.map((value) => {
          // The farthest amount that the tolerance still lets through.
          const gap = numerator >= 100n * denominator ? 0n : (BigInt(value) * numerator) / (100n * denominator);
          const partner = BigInt(value) - gap;
          return { amount: `${partner / 100n}.${String(partner % 100n).padStart(2, '0')}` };
        });
        const ruleParams = { Tmatch: 1, Tpossible: 0, blocking: { amountTolerancePercent } };
        const expected = new Set(
          left.flatMap((one, i) => right.flatMap((other, j) => (agree(ruleParams, one, other) ? [`${i}-${j}`] : []))),
        );
        expect(candidates(ruleParams, left, right, 2)).toEqual(expected);
      },
    ),
    { numRuns: caseCount(500) },
  );
});

function rule(block: Blocking, rest: Partial<RuleSetParams> = {}): BlockingRule {
  return createBlockingRule({ Tmatch: 1, Tpossible: 0, ...rest, blocking: block });
}

test.each<[string, unknown, unknown, string]>([
  ['a missing amount', undefined, '2025-01-01', 'missing_amount'],
  ['an unreadable amount', 'abc', '2025-01-01', 'unreadable_amount'],
  ['an amount beyond the range', '1e3'.replace('e3', '0'.repeat(20)), '2025-01-01', 'amount_out_of_range'],
  ['an amount beyond the range with cents', 9e15, '2025-01-01', 'amount_out_of_range'],
  ['a missing date', 1, '', 'missing_date'],
  ['an unreadable date', 1, '2025-02-30', 'unreadable_date'],
  ['an amount before a date', null, null, 'missing_amount'],
])('%s leaves the record unblocked with its reason', (_name, value, text, reason) => {
  const subject = rule({ amountKey: 'amount', dateToleranceDays: 1 });
  expect(subject.keyOf({ amount: readAmount(value), day: readDay(text) })).toEqual({ reason });
});

test('a tolerance without blocking leaves out records with an amount out of range, not those without one', () => {
  const subject = rule({}, { amountTolerancePercent: 1 });
  expect(subject.active).toBe(false);
  expect(
    [9e15, 1e300, undefined, 'abc', 5].map((value) => subject.keyOf({ amount: readAmount(value), day: readDay('') })),
  ).toEqual([
    { reason: 'amount_out_of_range' },
    { reason: 'amount_out_of_range' },
    ...[1, 2, 3].map(() => ({ bucket: 0, day: 0 })),
  ]);
});

test('a part that does not block asks nothing of the record', () => {
  const byDate = rule({ dateKey: 'date' }, { windowDays: 2 });
  expect(byDate.keyOf({ amount: readAmount('x'), day: readDay('1970-01-03') })).toEqual({ bucket: 0, day: 2 });
  const byAmount = rule({ amountKey: 'amount', dateKey: 'date' });
  expect(byAmount.keyOf({ amount: readAmount(7.9), day: readDay('x') })).toEqual({ bucket: 7, day: 0 });
});

test.each<[string, Blocking, Partial<RuleSetParams>, boolean]>([
  ['nothing set', {}, {}, false],
  ['only a key', { amountKey: 'a' }, {}, true],
  ['switched off', { enabled: false, amountKey: 'a' }, {}, false],
  ['switched on without a part', { enabled: true }, { windowDays: 3, amountTolerancePercent: 1 }, false],
  ['a date key without tolerance', { dateKey: 'd' }, {}, false],
  ['a date key with windowDays', { dateKey: 'd' }, { windowDays: 0 }, true],
  ['a bucket size alone', { amountBucketSize: 10 }, {}, true],
])('%s: blocking is active or not', (_name, block, rest, active) => {
  expect(rule(block, rest).active).toBe(active);
});

test('the block key tells bucket and date', () => {
  const subject = rule({ amountKey: 'amount', dateToleranceDays: 1 });
  expect(subject.describe({ bucket: 12, day: 0 })).toBe('amount:12|date:1970-01-01');
  expect(rule({}).describe({ bucket: 0, day: 0 })).toBeUndefined();
});

test('a window wider than all buckets visits one range', () => {
  const subject = rule({ amountBucketWindow: Number.MAX_SAFE_INTEGER, amountBucketSize: 1 });
  const keys = columns(
    Array.from({ length: 1_000 }, (_, index) => ({ index, bucket: index * 7, day: 0, units: index })),
  );
  const windows = candidateWindows(subject, keys, 2);
  windows.seek(50, 0, 0);
  expect([windows.count, windows.from[0], windows.to[0]]).toEqual([1, 0, 1_000]);
});

test('windows that slide over many rows give what a look at every row gives', () => {
  const key = fc.record({
    index: fc.constant(0),
    bucket: fc.integer({ min: -4, max: 30 }),
    day: fc.integer({ min: 0, max: 40 }),
    units: fc.constant(0),
  });
  const sorted = fc
    .array(key, { maxLength: 300 })
    .map((keys) => keys.sort((one, other) => one.bucket - other.bucket || one.day - other.day));
  fc.assert(
    fc.property(sorted, sorted, fc.nat(3), fc.nat(9), (left, right, amountBucketWindow, dateToleranceDays) => {
      const windows = candidateWindows(rule({ amountBucketWindow, dateToleranceDays }), columns(right), 2);
      for (const one of left) {
        windows.seek(one.bucket, one.day, one.units);
        const found = new Set(
          Array.from({ length: windows.count }, (_, i) => right.slice(windows.from[i], windows.to[i])).flat(),
        );
        const wanted = right.filter(
          (other) =>
            Math.abs(other.bucket - one.bucket) <= amountBucketWindow &&
            Math.abs(other.day - one.day) <= dateToleranceDays,
        );
        expect(found).toEqual(new Set(wanted));
      }
    }),
    { numRuns: caseCount(200) },
  );
});
