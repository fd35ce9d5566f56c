import { withCodeGeneration } from '../../fuzz/code-generation';
import { effort } from '../expression/limits/meter';
import { compileRuleSet } from '../rule-set/compile';
import type { RuleSetDefinition } from '../definition/types';
import { heavyEffort } from './types';
import { noDay } from '../values/calendar';
import type { PairBatch, PairFailure, PairBatchOptions } from './types';

function open(expr: string, options: PairBatchOptions = {}): PairBatch {
  const definition: RuleSetDefinition = {
    engine: 'jsonata-batch',
    jsonataExpr: null,
    version: 1,
    params: { Tmatch: 1, Tpossible: 0.5, matchers: [{ expr }] },
  };
  return compileRuleSet(definition).openBatch(2, options);
}

function fill(batch: PairBatch, lefts: readonly unknown[], rights: readonly unknown[]): void {
  for (const a of lefts) batch.addLeft({ a }, NaN, noDay);
  for (const a of rights) batch.addRight({ a }, NaN, noDay);
}

async function compareAll(batch: PairBatch, left: number, rights: number): Promise<void> {
  for (let right = 0; right < rights;) right = await batch.compare(left, right, rights);
}

test('a chunk ends with its rows and kept pairs; the left side and the counts stay', () => {
  const batch = open('left.a = right.a');
  fill(batch, [1, 2], [1]);
  void batch.compare(0, 0, 1);
  expect(batch.kept.length).toBe(1);
  batch.clearRight();
  expect(batch.kept.length).toBe(0);
  fill(batch, [], ['x', 2]);
  void batch.compare(1, 0, 2);
  expect([batch.kept.length, batch.kept.right(0)]).toEqual([1, 1]);
  expect(batch.counts).toEqual({ MATCH: 2, POSSIBLE: 0, NO_MATCH: 1, ERROR: 0 });
  expect(batch.scoreSum).toBe(2);
});

test('kept pairs can be forgotten while rows stay', () => {
  const batch = open('left.a = right.a');
  fill(batch, [1], [1, 1]);
  void batch.compare(0, 0, 1);
  batch.clearKept();
  void batch.compare(0, 1, 2);
  expect([batch.kept.length, batch.kept.right(0)]).toEqual([1, 1]);
});

test('left rows behind right ones are refused', () => {
  const batch = open('left.a = right.a');
  fill(batch, [1], [1]);
  expect(() => {
    batch.addLeft({}, NaN, noDay);
  }).toThrow('Left rows are added before right ones.');
});

test('each failed evaluation is reported, and the first errors are kept', () => {
  const codes: string[] = [];
  const batch = open('left.a - right.a > 0', { keptErrors: 2, onError: ({ code }) => codes.push(code) });
  fill(batch, ['x', 'y'], [1, 2]);
  for (const left of [0, 1]) void batch.compare(left, 0, 2);
  expect(codes).toEqual(['T2001', 'T2001', 'T2001', 'T2001']);
  expect(batch.errors.map(({ left, right, expression }) => [left, right, expression])).toEqual([
    [0, 0, 'm1'],
    [0, 1, 'm1'],
  ]);
});

test.each([
  ['a pair that fails at once', 'left.a - right.a > 0', 'x', [0, 0, 0]],
  [
    'a pair that fails after much work',
    '$error($string($contains($pad("", 110000, left.a), $pad("", 55000, "y" & right.a))))',
    'x',
    [0.5, 0.5, 0.5],
  ],
])('the effort of an error is that of its own evaluation: %s', async (_name, expr, value, least) => {
  const efforts: number[] = [];
  const batch = open(expr, { onError: ({ effort }) => efforts.push(effort) });
  fill(batch, [value], [1, 2, 3]);
  await compareAll(batch, 0, 3);
  expect(efforts.map((effort) => (effort > 0.3 ? 0.5 : 0))).toEqual(least);
});

test.each([true, false])(
  'what exhausts the stack is decided by the reference, and the rest of the range follows it (code generation: %s)',
  (isAllowed) =>
    withCodeGeneration(isAllowed, async () => {
      const batch = open(
        '($f := function($n) { $g($n) }; $g := function($n) { $n > 0 ? 1 + $f($n - 1) : 0 }; ' +
          '$f(left.a) >= $f(right.a))',
      );
      fill(batch, [100_000, 1], [0, 1, 2]);
      await compareAll(batch, 0, 3);
      expect(batch.errors.map(({ code }) => code)).toEqual(['D1011', 'D1011', 'D1011']);
      await compareAll(batch, 1, 3);
      expect(batch.counts).toEqual({ MATCH: 2, POSSIBLE: 0, NO_MATCH: 1, ERROR: 3 });
    }),
);

describe.each([true, false])('a pair that may have taken long (code generation: %s)', (isAllowed) => {
  test.each([
    ['a compiled evaluation', '$count([1..5000].($ + $$.left.a + $$.right.a)) > 0'],
    [
      'one of a variable that needs both',
      '($n := $count([1..5000].($ + $$.left.a + $$.right.a)); $n > 0 and right.a > 0)',
    ],
    ['one that fails', '$error($string($count([1..5000].($ + $$.left.a + $$.right.a))))'],
    ['one of the reference', 'left ~> |$|{"b": $$.right.a}| = 1'],
    ['a call of a function', '$tokenSet(left.text, right.text) > 0.5'],
  ])('ends the range: %s', (_name, expr) =>
    withCodeGeneration(isAllowed, async () => {
      const batch = open(expr);
      const text = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(' ');
      batch.addLeft({ a: 1, text }, NaN, noDay);
      for (let row = 0; row < 3; row++) batch.addRight({ a: 1, text }, NaN, noDay);
      expect(await batch.compare(0, 0, 3)).toBe(1);
      expect(Object.values(batch.counts).reduce((sum, count) => sum + count, 0)).toBe(1);
      expect(batch.tookLong).toBe(true);
      expect(await batch.compare(0, 1, 2)).toBe(2);
      expect(batch.tookLong).toBe(true);
    }),
  );
});

test.each([
  ['left.a = right.a'],
  ['left.a - right.a > 0'],
  ['$contains($string(left.a), $string(right.a))'],
  ['$sum([left.a, right.a]) > 1'],
  ['($s := [1..5000].($ + $$.left.a); $n := $count($s); $n > right.a)'],
])('a range of pairs that take nanoseconds is compared to its end: %s', (expr) => {
  const batch = open(expr);
  fill(
    batch,
    [1],
    Array.from({ length: 5_000 }, (_, index) => index),
  );
  expect(batch.compare(0, 0, 5_000)).toBe(5_000);
  expect(batch.tookLong).toBe(false);
});

test('a record whose evaluation takes long is heard of before the next one is evaluated', () => {
  let heard = 0;
  const batch = open('$count([1..5000].($ + 1)) + left.a = right.a', { onLong: () => heard++ });
  const counts = [1, 2, 3].map((a) => {
    batch.addLeft({ a }, NaN, noDay);
    return heard;
  });
  expect(counts).toEqual([1, 2, 3]);
});

test('records are evaluated one by one again once one of them takes long', () => {
  let heard = 0;
  const batch = open('$count([1..left.a].($ + 1)) = right.a', { onLong: () => heard++ });
  fill(
    batch,
    Array.from({ length: 1_000 }, () => 1),
    [],
  );
  fill(
    batch,
    Array.from({ length: 200 }, () => 5_000),
    [],
  );
  const before = heard;
  fill(batch, [5_000], []);
  expect([before > 0, heard - before]).toEqual([true, 1]);
});

/**
 * Uses most of the steps that an evaluation may take, because a search might; it is fast, since nothing begins
 * alike.
 */
const heavySuccess = '$string($contains($pad("", 110000, "x"), $pad("", 55000, "y")))';
/** The same, and fails. */
const heavyFailure = `$error(${heavySuccess})`;

test.each([
  ['a record', `(left.a & ${heavyFailure}) = right.a`, ['x', 'y'], 'left'],
  ['no record', `left.a = right.a or ${heavyFailure}`, ['x', 'y'], 'constant'],
])(
  'a heavy failed evaluation for the pairs of %s is the effort of the first pair that needs it',
  async (_name, expr, lefts, of) => {
    const failures: PairFailure[] = [];
    const batch = open(expr, { onError: (failure) => failures.push(failure) });
    fill(batch, lefts, [1, 2, 3]);
    expect(failures).toEqual([]);
    for (const left of lefts.keys()) await compareAll(batch, left, 3);
    const heavy = failures.filter(({ effort }) => effort > 0.5);
    expect(failures.map((failure) => failure.of)).toEqual(Array(6).fill(of));
    expect(heavy.map(({ left, right }) => [left, right])).toEqual(
      of === 'left'
        ? [
            [0, 0],
            [1, 0],
          ]
        : [[0, 0]],
    );
    expect(failures.filter(({ effort }) => effort === 0)).toHaveLength(6 - heavy.length);
  },
);

test('a result whose parts are gone through till there are too many has taken most of what it may', async () => {
  const failures: PairFailure[] = [];
  const batch = open('$reduce([1..60], function($a, $b) { {"x": $a, "y": $a} }, {"z": 1})', {
    onError: (failure) => failures.push(failure),
  });
  fill(batch, ['x'], [1, 2]);
  await compareAll(batch, 0, 2);
  expect(failures.map(({ code, effort }) => [code, effort >= heavyEffort])).toEqual([
    ['value_too_large', true],
    ['value_too_large', true],
  ]);
});

test.each([
  ['neither record', '$contains($pad("", 9000, "x"), left.a & right.a)', 1, 2],
  ['one record', '$contains($pad("", 9000, left.a), right.a)', 2, 3],
])(
  'a large value of %s is made for the first pair that needs it, and not for those that follow',
  (_name, expr, longPairs, matches) => {
    const batch = open(expr);
    fill(batch, ['x', 'y'], ['x', 'x', 'y']);
    let long = 0;
    for (const left of [0, 1]) {
      for (let right = 0; right < 3; right++) {
        void batch.compare(left, right, right + 1);
        if (batch.tookLong) long++;
      }
    }
    expect([long, batch.counts.MATCH]).toEqual([longPairs, matches]);
  },
);

test.each(['left.a', 'left.a & right.a'])(
  'a heavy failure is reported with its expression and its message, whether or not errors are kept',
  async (argument) => {
    const failures: PairFailure[] = [];
    const batch = open(`${argument} = (${heavyFailure} & ${argument})`, {
      keptErrors: 0,
      onError: (failure) => failures.push(failure),
    });
    fill(batch, ['x'], [1]);
    await compareAll(batch, 0, 1);
    expect(failures).toMatchObject([{ code: 'D3137', message: 'false', expression: 'm1' }]);
  },
);

test('a value that no pair needs fails none, and takes few steps after a heavy failure', async () => {
  const failures: PairFailure[] = [];
  const batch = open(`right.a = 0 and (left.a & ${heavyFailure}) = "x"`, {
    onError: (failure) => failures.push(failure),
  });
  fill(batch, ['x'], []);
  expect(effort()).toBeGreaterThan(0.5);
  fill(batch, ['y', 'x', 'y'], []);
  expect(effort()).toBeLessThan(0.01);
  fill(batch, [], [1, 2, 0]);
  for (const left of [0, 1, 2, 3]) await compareAll(batch, left, 2);
  expect([failures, batch.counts]).toEqual([[], { MATCH: 0, POSSIBLE: 0, NO_MATCH: 8, ERROR: 0 }]);
  void batch.compare(2, 2, 3);
  expect(failures.map(({ left, right, of, effort }) => [left, right, of, effort > 0.5])).toEqual([
    [2, 2, 'left', true],
  ]);
});

test('after a heavy failure, values that take few steps are made eagerly, and their records are not kept', async () => {
  let reads = 0;
  const batch = open(`(left.a = 1 ? ${heavyFailure} : left.a) = right.a`);
  fill(batch, [1], []);
  for (const a of [2, 3]) {
    batch.addLeft(
      {
        get a() {
          reads++;
          return a;
        },
      },
      NaN,
      noDay,
    );
  }
  fill(batch, [], [2, 3]);
  const beforehand = reads;
  for (const left of [1, 2]) await compareAll(batch, left, 2);
  expect([beforehand > 0, reads - beforehand, batch.counts.MATCH]).toEqual([true, 0, 2]);
});

test.each([
  ['alone', 0],
  ['among others', 300],
])('records with the same text, %s, each count for themselves in a heavy failure', async (_name, others) => {
  const failures: PairFailure[] = [];
  const batch = open(`(left.a = "loop" ? ${heavyFailure} : $uppercase(left.a)) = right.a`, {
    onError: (failure) => failures.push(failure),
  });
  fill(
    batch,
    [...Array.from({ length: others }, (_, index) => `x${index}`), 'loop', 'loop', 'loop', 'last'],
    ['X1', 'LAST'],
  );
  for (let left = 0; left < others + 4; left++) await compareAll(batch, left, 2);
  expect(failures.filter(({ effort }) => effort > 0.5).map(({ left, right }) => [left - others, right])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  expect(batch.counts.MATCH).toBe(others === 0 ? 1 : 2);
});

test('an expression without a result is not a failed evaluation, computed beforehand or for its pair', async () => {
  const failures: PairFailure[] = [];
  const expr = `left.a = 1 ? ${heavyFailure} : (${heavySuccess}; "a text")`;
  const batch = open(expr, { onError: (failure) => failures.push(failure) });
  fill(batch, [2, 1, 2, 2], [0]);
  for (const left of [0, 1, 2, 3]) await compareAll(batch, left, 1);
  expect(failures.map(({ code, effort }) => [code, effort > 0.5])).toEqual([
    ['matcher_result_type', false],
    [expect.not.stringContaining('matcher'), true],
    ['matcher_result_type', false],
    ['matcher_result_type', false],
  ]);
});

test.each([true, false])(
  'records behind one whose evaluation took most of what it may and failed have their own values (code generation: %s)',
  async (isAllowed) => {
    const lefts = [2, 1, 3, 3, 2, 'none', [2]];
    const rights = [2, 1, 3, 4, 'none', [2]];
    const value = (side: string): string =>
      `(${side}.a = 1 ? ${heavyFailure} : ${side}.a = "none" ? ${side}.none : ${side}.a)`;
    for (const [expr, MATCH, ERROR] of [
      [`${value('left')} = right.a`, 5, 6],
      [`${value('left')} != right.a`, 25, 6],
      [`${value('right')} = left.a`, 5, 7],
      [`${value('left')} = ${value('right')}`, 5, 12],
    ] as const) {
      const counts = await withCodeGeneration(isAllowed, async () => {
        const batch = open(expr);
        fill(batch, lefts, rights);
        for (const left of lefts.keys()) await compareAll(batch, left, rights.length);
        return batch.counts;
      });
      expect([expr, counts]).toEqual([expr, { MATCH, POSSIBLE: 0, NO_MATCH: 42 - MATCH - ERROR, ERROR }]);
    }
  },
);
