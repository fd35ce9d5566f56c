import path from 'node:path';
import { childProcessEvaluator, type Evaluator } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { openBooks, startTestApi, type Books, type TestApi } from '../../../testing';

type JsonObject = Record<string, unknown>;

interface Result {
  left_record_id?: string;
  right_record_id?: string;
  decision: string;
  score: number | null;
  explanation: (JsonObject & { matchers: JsonObject[] }) | null;
  dropped?: string;
  error?: { code: string; message: string; expression: string };
}

interface PreviewBody {
  results: Result[];
  compiled: Record<string, string>;
}

/**
 * Expressions run in child processes, as in the service: the build has to be there. No test waits for the timeout: the
 * limits of expressions end them before, also on a busy machine.
 */
const evaluationTimeoutMs = 60_000;
let evaluator: Evaluator & { close(): Promise<void> };
let api: TestApi;
let books: Books;

beforeAll(async () => {
  evaluator = childProcessEvaluator({
    file: path.resolve(__dirname, '../../../dist/evaluator-child.js'),
    size: 1,
    heapMb: 128,
    timeoutMs: evaluationTimeoutMs,
    logger: createLogger('test', 'silent'),
  });
  api = await startTestApi({ evaluator });
  books = await openBooks(api, [{ ref: 1 }, { ref: 2 }, { ref: 3 }], [{ ref: 1 }, { ref: 3 }]);
});

afterAll(async () => {
  await api.close();
  await evaluator.close();
});

const thresholds = { Tmatch: 0.9, Tpossible: 0.5 };
const post = (body: object) => books.tenant.api.post('/v1/rule-sets/preview', body);
const preview = async (body: object): Promise<PreviewBody> => (await post(body).expect(200)).body as PreviewBody;

/** The result of one pair under a rule set that is not stored. */
async function score(ruleSet: JsonObject, left: JsonObject = {}, right: JsonObject = {}): Promise<Result> {
  const { results } = await preview({ ruleSet: { params: thresholds, ...ruleSet }, pairs: [{ left, right }] });
  return results[0] as Result;
}

const weighted = (...matchers: JsonObject[]): JsonObject => ({
  engine: 'jsonata-batch',
  params: { ...thresholds, matchers },
});

describe('dropped pairs are NO_MATCH with the reason', () => {
  const drop = (params: JsonObject, left: JsonObject, right: JsonObject): Promise<Result> =>
    score({ jsonataExpr: 'true', params: { ...thresholds, ...params } }, left, right);
  const day = (date: unknown): JsonObject => ({ date });
  const sum = (amount: unknown): JsonObject => ({ amount });

  test.each<[string, JsonObject, JsonObject, JsonObject, string | undefined]>([
    ['dates inside windowDays', { windowDays: 2 }, day('2025-02-27'), day('2025-03-01'), undefined],
    ['dates outside windowDays', { windowDays: 2 }, day('2025-02-26'), day('2025-03-01'), 'window_days'],
    ['windowDays of 0 and one day', { windowDays: 0 }, day('2025-03-01'), day('2025-03-01'), undefined],
    ['timestamps on their UTC day', { windowDays: 0 }, day('2025-03-01T23:30:00-02:00'), day('2025-03-02'), undefined],
    ['a date is never shifted', { windowDays: 0 }, day('2025-03-01'), day('2025-03-01T23:59:59.999Z'), undefined],
    ['no date', { windowDays: 2 }, {}, day('2025-03-01'), 'missing_date'],
    ['a day that the calendar does not have', { windowDays: 2 }, day('2025-02-30'), day('2025-03-01'), 'missing_date'],
    [
      'dates at the keys of blocking',
      { windowDays: 0, blocking: { dateKeyLeft: 'x.d', dateKeyRight: 'e' } },
      { x: { d: '2025-01-01' } },
      { e: '2025-01-02' },
      'window_days',
    ],
    ['amounts inside the tolerance', { amountTolerancePercent: 1 }, sum(100), sum(99), undefined],
    ['amounts outside the tolerance', { amountTolerancePercent: 1 }, sum(100), sum('98.99'), 'amount_tolerance'],
    ['the tolerance is one of the larger amount', { amountTolerancePercent: 1 }, sum(99), sum(100), undefined],
    ['a tolerance of 0 and equal decimals', { amountTolerancePercent: 0 }, sum(0.1 + 0.2), sum('0.30'), undefined],
    ['opposite signs', { amountTolerancePercent: 100 }, sum(-10), sum(10), 'amount_tolerance'],
    ['no amount', { amountTolerancePercent: 1 }, sum(null), sum(1), 'missing_amount'],
    ['an unreadable amount', { amountTolerancePercent: 1 }, sum('1,000.00'), sum(1), 'missing_amount'],
    [
      'amounts at the keys of blocking',
      { amountTolerancePercent: 1, blocking: { amountKey: 'net' } },
      { net: 5 },
      { net: 6 },
      'amount_tolerance',
    ],
    ['a left filter', { filters: ['left.open'] }, { open: false }, {}, 'filter'],
    ['a right filter', { filters: ['right.open'] }, {}, { open: 0 }, 'filter'],
    ['a pair filter', { filters: ['left.a = right.a'] }, { a: 1 }, { a: 2 }, 'filter'],
    ['a filter that gives nothing', { filters: ['left.a'] }, {}, {}, 'filter'],
    ['a filter that casts to true', { filters: ['left.a'] }, { a: 'text' }, {}, undefined],
    ['all filters hold', { filters: ['left.a', 'right.a', 'left.a = right.a'] }, { a: 1 }, { a: 1 }, undefined],
    ['one of the filters does not hold', { filters: ['left.a', 'left.b'] }, { a: 1, b: '' }, {}, 'filter'],
  ])('%s', async (_what, params, left, right, dropped) => {
    const result = await drop(params, left, right);
    expect([result.decision, result.dropped]).toEqual([dropped === undefined ? 'MATCH' : 'NO_MATCH', dropped]);
  });

  test.each([
    ['left', 'left.a + 1 > 0'],
    ['right', 'right.a + 1 > 0'],
    ['pair', 'left.a + right.a > 0'],
  ])('a %s filter that throws is an ERROR', async (_side, filter) => {
    const result = await drop({ filters: ['true', filter] }, { a: 'x' }, { a: 'x' });
    expect(result).toMatchObject({ decision: 'ERROR', score: null });
    expect((result as { error?: unknown }).error).toEqual({
      code: 'T2001',
      message: expect.any(String) as string,
      expression: 'filters/1',
    });
  });
});

describe('scores', () => {
  test.each<[string, unknown, string, number | null]>([
    ['true', {}, 'MATCH', 1],
    ['false', {}, 'NO_MATCH', 0],
    ['null', {}, 'NO_MATCH', 0],
    ['left.nothing', {}, 'NO_MATCH', 0],
    ['0.7', {}, 'POSSIBLE', 0.7],
    ['7', {}, 'MATCH', 1],
    ['-7', {}, 'NO_MATCH', 0],
    ['{"score": 0.6}', {}, 'POSSIBLE', 0.6],
    ['"0.9"', {}, 'ERROR', null],
    ['[1]', {}, 'ERROR', null],
    ['{"score": "1"}', {}, 'ERROR', null],
    ['$undefinedFunction()', {}, 'ERROR', null],
  ])('engine jsonata: %s', async (jsonataExpr, left, decision, expected) => {
    expect(await score({ jsonataExpr }, left as JsonObject)).toMatchObject({ decision, score: expected });
  });

  test('Tmatch above 1 puts scores on a scale of 100', async () => {
    const params = { Tmatch: 90, Tpossible: 50 };
    expect(await score({ jsonataExpr: 'true', params })).toMatchObject({
      decision: 'MATCH',
      score: 100,
      explanation: { scale: 100 },
    });
    expect(await score({ jsonataExpr: '50', params })).toMatchObject({ decision: 'POSSIBLE', score: 50 });
  });

  test('reasons that the expression gives are in the explanation', async () => {
    const { explanation } = await score({ jsonataExpr: '{"score": 1, "reasons": ["same ref"]}' });
    expect(explanation).toMatchObject({ reasons: ['same ref'] });
  });

  test('matchers are weighed; null abstains', async () => {
    const {
      decision,
      score: total,
      explanation,
    } = await score(
      weighted(
        { id: 'a', name: 'A', expr: 'true', weight: 3 },
        { expr: '0.5' },
        { expr: 'null', weight: 9 },
        { expr: 'left.nothing', weight: 0 },
      ),
    );
    expect([decision, total]).toEqual(['POSSIBLE', 0.875]);
    expect(explanation?.matchers).toEqual([
      { id: 'a', name: 'A', value: 1, weight: 3, contribution: 0.75, required: false },
      { id: 'm2', name: 'm2', value: 0.5, weight: 1, contribution: 0.125, required: false },
      { id: 'm3', name: 'm3', value: null, weight: 9, contribution: 0, required: false },
      { id: 'm4', name: 'm4', value: 0, weight: 0, contribution: 0, required: false },
    ]);
  });

  test('weights of 0.4, 0.2 and 0.2 of 1 reach a threshold of 0.8', async () => {
    const matchers = [
      { expr: '1', weight: 0.4 },
      { expr: '1', weight: 0.2 },
      { expr: '1', weight: 0.2 },
      { expr: '0', weight: 0.2 },
    ];
    expect(await score({ engine: 'jsonata-batch', params: { Tmatch: 0.8, Tpossible: 0.5, matchers } })).toMatchObject({
      decision: 'MATCH',
      score: 0.8,
    });
  });

  test('when all abstain the score is 0', async () => {
    expect(await score(weighted({ expr: 'null' }))).toMatchObject({ decision: 'NO_MATCH', score: 0 });
  });

  test.each(['0', 'false', 'null', 'left.nothing'])(
    'a required matcher of %s makes the pair NO_MATCH',
    async (expr) => {
      const { decision } = await score(weighted({ expr: 'true', weight: 99 }, { expr, weight: 1, required: true }));
      expect(decision).toBe('NO_MATCH');
    },
  );

  test('a required matcher of 0.1 does not', async () => {
    expect(await score(weighted({ expr: 'true', weight: 99 }, { expr: '0.1', required: true }))).toMatchObject({
      decision: 'MATCH',
    });
  });

  test.each(['"x"', '[1, 2]', '{"score": 1}', '$sum'])('a matcher that gives %s is an ERROR', async (expr) => {
    expect(await score(weighted({ expr }))).toMatchObject({
      decision: 'ERROR',
      error: { code: 'matcher_result_type' },
    });
  });

  test.each([
    ['true', 'MATCH'],
    ['"text"', 'MATCH'],
    ['0', 'NO_MATCH'],
    ['left.nothing', 'NO_MATCH'],
    ['1 + "x"', 'ERROR'],
  ])('a gate of %s makes the pair %s', async (jsonataExpr, decision) => {
    expect((await score({ ...weighted({ expr: 'true' }), jsonataExpr })).decision).toBe(decision);
  });

  test.each<[string, JsonObject, string]>([
    ['a matcher', weighted({ expr: 'true' }, { id: 'amounts', expr: '1 + "x"' }), 'amounts'],
    ['a matcher without an id', weighted({ expr: 'true' }, { expr: '1 + "x"' }), 'm2'],
    ['a gate', { ...weighted({ expr: 'true' }), jsonataExpr: '1 + "x"' }, 'jsonataExpr'],
    ['a whole rule set', { jsonataExpr: '1 + "x"' }, 'jsonataExpr'],
  ])('an ERROR says which expression has failed: %s', async (_what, ruleSet, expression) => {
    expect(await score(ruleSet)).toMatchObject({ decision: 'ERROR', error: { code: 'T2002', expression } });
  });

  test('a required matcher that fails the pair spares it the error of a later matcher', async () => {
    expect((await score(weighted({ expr: '1 + "x"' }, { expr: 'false', required: true }))).decision).toBe('NO_MATCH');
    expect(
      (await score(weighted({ expr: '1 + "x"', required: true }, { expr: 'false', required: true }))).decision,
    ).toBe('ERROR');
  });

  test('differences are exact, right less left', async () => {
    const { explanation } = await score(
      { jsonataExpr: 'true' },
      { amount: '0.10', date: '2025-03-02' },
      { amount: 0.3, date: '2025-02-28' },
    );
    expect(explanation).toMatchObject({ amountDelta: 0.2, dayDelta: -2 });
  });
});

test.each([
  ['that never ends', '($f := function($n) { $f($n + 1) }; $f(1))'],
  ['that fills the memory', '$count([1..100000].$uppercase($pad("", 100000, "x") & $))'],
])('a single pair with an expression %s is an ERROR', async (_what, jsonataExpr) => {
  expect(await score({ jsonataExpr })).toMatchObject({ decision: 'ERROR', error: { code: 'D1012' } });
});
