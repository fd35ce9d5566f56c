import { compileRuleSet } from '../rule-set/compile';
import type { RuleSetDefinition } from '../rule-set/types';
import { NO_DAY } from './types';
import type { PairBatch, PairBatchOptions } from './types';

function open(expr: string, options: PairBatchOptions = {}): PairBatch {
  const definition: RuleSetDefinition = {
    engine: 'jsonata-batch', jsonataExpr: null, version: 1, params: { Tmatch: 1, Tpossible: 0.5, matchers: [{ expr }] },
  };
  return compileRuleSet(definition).openBatch(2, options);
}

function fill(batch: PairBatch, lefts: readonly unknown[], rights: readonly unknown[]): void {
  for (const a of lefts) batch.addLeft({ a }, NaN, NO_DAY);
  for (const a of rights) batch.addRight({ a }, NaN, NO_DAY);
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
  expect(() => { batch.addLeft({}, NaN, NO_DAY); }).toThrow('Left rows are added before right ones.');
});

test('each failed evaluation is reported, and the first errors are kept', () => {
  const codes: string[] = [];
  const batch = open('left.a - right.a > 0', { keptErrors: 2, onError: (code) => codes.push(code) });
  fill(batch, ['x', 'y'], [1, 2]);
  for (const left of [0, 1]) void batch.compare(left, 0, 2);
  expect(codes).toEqual(['T2001', 'T2001', 'T2001', 'T2001']);
  expect(batch.errors.map(({ left, right, expression }) => [left, right, expression])).toEqual([[0, 0, 'm1'], [0, 1, 'm1']]);
});

test.each([
  ['a pair that fails at once', 'left.a - right.a > 0', 'x', [0, 0, 0]],
  ['a pair that fails after much work', '$error($string($count([1..90000].[1..100, $$.left.a, $$.right.a])))', 'x', [0.5, 0.5, 0.5]],
  ['the first pair of a record whose column failed after much work', '($n := $count([1..90000].[1..100]); left.a & $error($string($n))) = right.a', 'x', [0.5, 0, 0]],
])('the effort of an error is that of its own evaluation: %s', async (_name, expr, value, least) => {
  const efforts: number[] = [];
  const batch = open(expr, { onError: (_code, effort) => efforts.push(effort) });
  fill(batch, [value], [1, 2, 3]);
  await batch.compare(0, 0, 3);
  expect(efforts.map((effort) => (effort > 0.3 ? 0.5 : 0))).toEqual(least);
});

test.each([true, false])('what exhausts the stack is decided by the reference, and the rest of the range follows it (generated: %s)', async (codeGeneration) => {
  const batch = open('($f := function($n) { $n > 0 ? 1 + $f($n - 1) : 0 }; $f(left.a) >= $f(right.a))', { codeGeneration });
  fill(batch, [100_000, 1], [0, 1, 2]);
  await batch.compare(0, 0, 3);
  expect(batch.errors.map(({ code }) => code)).toEqual(['D1011', 'D1011', 'D1011']);
  await batch.compare(1, 0, 3);
  expect(batch.counts).toEqual({ MATCH: 2, POSSIBLE: 0, NO_MATCH: 1, ERROR: 3 });
});
