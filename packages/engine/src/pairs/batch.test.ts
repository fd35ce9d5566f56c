import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { withCodeGeneration } from '../../fuzz/code-generation';
import { explanationExpander } from '../scoring/explanation';
import { compileRuleSet } from '../rule-set/compile';
import type { ComparedRecord, PairResult } from '../scoring/types';
import type { CompiledRuleSet } from '../rule-set/compile';
import type { BlockingParams, MatcherParams, RuleSetDefinition } from '../definition/types';
import type { JsonObject } from '../values/types';
import { noDay } from '../values/calendar';
import type { PairBatch, PairCounts } from './types';

const expressions = JSON.parse(
  readFileSync(join(__dirname, '..', '..', 'test-cases', 'pairs', 'expressions.json'), 'utf8'),
) as string[];

const amountScale = 2;

interface Row {
  value: JsonObject;
  units: number | null;
  day: number | null;
}

const mostlyClean = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>(0, 1, 1.005, 2, -3, 10) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, true, 'x', '', [], [1], [1, 2], {}, { p: 1 }, 1e200, 1e308, -0),
  },
);
const mostlyText = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>('x', 'X ', 'y', 'xy', '1', '') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 0, false, ['x'], ['x', 'y'], { x: 1 }, '\ud800', 'a\u0000b') },
);
const dirty = fc.constantFrom<unknown>(
  null,
  0,
  1,
  -0,
  1e300,
  true,
  false,
  '',
  'x',
  [],
  [[]],
  [null],
  [1],
  [1, 1],
  ['x', 2],
  {},
  { p: 1 },
  { p: [1] },
  { length: 0 },
);
const record: fc.Arbitrary<JsonObject> = fc.record(
  {
    a: mostlyClean,
    b: dirty,
    s: mostlyText,
    t: mostlyText,
    o: dirty,
    list: fc.oneof(fc.array(mostlyClean, { maxLength: 3 }), dirty),
    d: fc.constantFrom<unknown>('2025-01-01', '2025-01-03', '2025-02-30', '', 5, null),
    constructor: dirty,
  },
  { requiredKeys: [] },
);
const clean: fc.Arbitrary<JsonObject> = fc.record({
  a: fc.constantFrom(1, 1.005, 2, 10),
  b: fc.boolean(),
  s: fc.constantFrom('x', 'X ', 'y'),
  t: fc.constantFrom('x', 'y'),
  o: fc.constant({ p: 1 }),
  list: fc.constant([1, 2]),
  d: fc.constantFrom('2025-01-01', '2025-01-03'),
});
const row = (value: fc.Arbitrary<JsonObject>): fc.Arbitrary<Row> =>
  fc.record({
    value,
    units: fc.constantFrom(null, 100, 101, 105, -100, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
    day: fc.constantFrom(null, 20_000, 20_002, 20_010),
  });
/** Sides of one kind each, so that loops for clean columns run as often as those for dirty ones. */
const side = fc.oneof(
  fc.array(row(clean), { minLength: 1, maxLength: 4 }),
  fc.array(row(record), { minLength: 1, maxLength: 4 }),
);

const expression = fc.constantFrom(...expressions);
const matcher: fc.Arbitrary<MatcherParams> = fc.record({
  expr: expression,
  weight: fc.constantFrom(0, 0.1, 0.2, 0.4, 1, 3),
  required: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const thresholds = fc.constantFrom(
  { Tmatch: 0.8, Tpossible: 0.4 },
  { Tmatch: 1, Tpossible: 0 },
  { Tmatch: 80, Tpossible: 50 },
  { Tmatch: 0.5, Tpossible: 0.5 },
);
const shared = fc.record({
  windowDays: fc.constantFrom(undefined, undefined, 3),
  amountTolerancePercent: fc.constantFrom(undefined, undefined, 2),
  filters: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(expression, { minLength: 1, maxLength: 2 }) },
  ),
  blocking: fc.constantFrom<BlockingParams | undefined>(
    undefined,
    { amountKey: 'a', amountTolerancePercent: 1 },
    { dateKey: 'd', dateToleranceDays: 400 },
  ),
});
const batchRules = fc
  .tuple(thresholds, shared, fc.array(matcher, { minLength: 1, maxLength: 4 }), fc.option(expression, { freq: 5 }))
  .map(([limits, params, matchers, gate]): RuleSetDefinition => ({
    engine: 'jsonata-batch',
    jsonataExpr: gate,
    version: 3,
    params: { ...limits, ...params, matchers },
  }));
/** Most of them never fail, so that pairs are evaluated completely. */
const manyMatchers = (size: number): fc.Arbitrary<RuleSetDefinition> => {
  const harmless = fc.constantFrom(
    'left.s = right.s',
    'left.t = right.t ? 1 : null',
    'left.b = right.b ? 0.3 : 0.7',
    'null',
    'true',
    'left.o = right.o or left.s = "x"',
  );
  const each: fc.Arbitrary<MatcherParams> = fc.oneof(
    { weight: 200, arbitrary: fc.record({ expr: harmless, weight: fc.constantFrom(0, 0.1, 0.2, 1 / 3, 3, 1e-9) }) },
    { weight: 1, arbitrary: matcher },
  );
  return fc
    .tuple(thresholds, fc.array(each, { minLength: size, maxLength: size }))
    .map(([limits, matchers]): RuleSetDefinition => ({
      engine: 'jsonata-batch',
      jsonataExpr: null,
      version: 3,
      params: { ...limits, matchers },
    }));
};
const singleRules = fc
  .tuple(
    thresholds,
    shared,
    fc.oneof(
      expression,
      fc.constantFrom(
        '{"score": left.a / 2, "reasons": [left.s, right.s]}',
        'left.a = right.a ? {"score": 1, "reasons": {"same": left.o}} : 0.3',
        '{"score": left.s}',
      ),
    ),
  )
  .map(([limits, params, jsonataExpr]): RuleSetDefinition => ({
    engine: 'jsonata',
    jsonataExpr,
    version: 1,
    params: { ...limits, ...params },
  }));

function compared({ value, units, day }: Row): ComparedRecord {
  return { value, amountUnits: units, day };
}

interface Outcome {
  counts: PairCounts;
  errors: unknown[];
  kept: unknown[];
  scoreSum: number;
}

/** Returns the outcome of comparing the pairs one by one. */
async function expectedOutcome(
  rules: CompiledRuleSet,
  lefts: readonly Row[],
  rights: readonly Row[],
): Promise<Outcome> {
  const comparer = rules.comparer(amountScale);
  const outcome: Outcome = {
    counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
    errors: [],
    kept: [],
    scoreSum: 0,
  };
  for (const [left, one] of lefts.entries()) {
    for (const [right, other] of rights.entries()) {
      const result: PairResult = await comparer.compare(compared(one), compared(other));
      outcome.counts[result.decision]++;
      if (result.decision === 'ERROR') outcome.errors.push({ left, right, ...result.error });
      if (result.decision === 'MATCH' || result.decision === 'POSSIBLE') {
        const { decision, score, explanation } = result;
        outcome.kept.push({
          left,
          right,
          decision,
          score,
          explanation: JSON.parse(JSON.stringify(explanation)) as unknown,
        });
        outcome.scoreSum += score;
      }
    }
  }
  return outcome;
}

async function batchOutcome(
  rules: CompiledRuleSet,
  lefts: readonly Row[],
  rights: readonly Row[],
  chunk: number,
): Promise<Outcome> {
  const batch = rules.openBatch(amountScale, { keptErrors: Infinity });
  for (const { value, units, day } of lefts) batch.addLeft(value, units ?? NaN, day ?? noDay);
  const kept: unknown[] = [];
  const errors: { left: number; right: number }[] = [];
  for (let start = 0; start < rights.length; start += chunk) {
    batch.clearRight();
    const rows = rights.slice(start, start + chunk);
    for (const { value, units, day } of rows) batch.addRight(value, units ?? NaN, day ?? noDay);
    const before = batch.errors.length;
    for (let left = 0; left < lefts.length; left++) {
      for (let right = 0; right < rows.length;) right = await batch.compare(left, right, rows.length);
    }
    errors.push(...batch.errors.slice(before).map((error) => ({ ...error, right: error.right + start })));
    kept.push(...keptPairs(rules, batch, start));
  }
  return {
    counts: { ...batch.counts },
    errors: inOrder(errors),
    kept: inOrder(kept as { left: number; right: number }[]),
    scoreSum: batch.scoreSum,
  };
}

function keptPairs({ definition }: CompiledRuleSet, { kept }: PairBatch, start: number): unknown[] {
  return Array.from({ length: kept.length }, (_, index) => ({
    left: kept.left(index),
    right: kept.right(index) + start,
    decision: kept.decision(index),
    score: kept.score(index),
    explanation: JSON.parse(explanationExpander(definition)(kept.stored(index))) as JsonObject,
  }));
}

function inOrder<T extends { left: number; right: number }>(pairs: T[]): T[] {
  return pairs.sort((one, other) => one.left - other.left || one.right - other.right);
}

describe.each([
  ['generated code', true],
  ['the reference, where code generation is forbidden', false],
])('by %s', (_name, isCodeAllowed) => {
  const agrees = async (definition: RuleSetDefinition, lefts: Row[], rights: Row[], chunk: number): Promise<void> => {
    const compiled = await expectedOutcome(compileRuleSet(definition), lefts, rights);
    // Without generated code jsonata itself writes the messages of errors, some in other words.
    const [expected, actual] = await withCodeGeneration(isCodeAllowed, async () => {
      const rules = compileRuleSet(definition);
      return [await expectedOutcome(rules, lefts, rights), await batchOutcome(rules, lefts, rights, chunk)];
    });
    expect(actual.counts).toEqual(compiled.counts);
    expect({ ...actual, scoreSum: 0 }).toEqual({ ...expected, scoreSum: 0 });
    expect(actual.scoreSum).toBeCloseTo(expected.scoreSum, 9);
  };

  test.each(expressions)('%s decides dirty pairs as one by one', async (expr) => {
    await fc.assert(
      fc.asyncProperty(side, side, thresholds, fc.boolean(), async (lefts, rights, limits, required) => {
        const matchers = [
          { expr, required },
          { expr: 'left.s = right.s', weight: 0.5 },
        ];
        await agrees(
          { engine: 'jsonata-batch', jsonataExpr: null, version: 1, params: { ...limits, matchers } },
          lefts,
          rights,
          3,
        );
      }),
      { numRuns: caseCount(5) },
    );
  });

  test('rule sets with matchers decide as one by one', async () => {
    await fc.assert(fc.asyncProperty(batchRules, side, side, fc.integer({ min: 1, max: 4 }), agrees), {
      numRuns: caseCount(100),
    });
  });

  test.each([40, 65, 200])('%i matchers decide as one by one', async (size) => {
    await fc.assert(fc.asyncProperty(manyMatchers(size), side, side, fc.integer({ min: 1, max: 4 }), agrees), {
      numRuns: caseCount(6),
    });
  });

  test('rule sets of one expression decide as one by one', async () => {
    await fc.assert(fc.asyncProperty(singleRules, side, side, fc.integer({ min: 1, max: 4 }), agrees), {
      numRuns: caseCount(70),
    });
  });
});
