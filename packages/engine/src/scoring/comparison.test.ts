import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { rescale } from '../values/decimal';
import { compileRuleSet } from '../rule-set/compile';
import { validateRuleSet } from '../rule-set/validate';
import type { ComparedRecord, PairResult } from './types';
import type { CompiledRuleSet } from '../rule-set/compile';
import type { MatcherParams, RuleSetDefinition } from '../definition/types';
import type { JsonObject, Side } from '../values/types';

interface Case {
  name: string;
  ruleSet: Omit<RuleSetDefinition, 'version'> & { version?: number };
  left: JsonObject;
  right: JsonObject;
  expect: {
    decision?: string;
    score?: number;
    dropped?: string;
    explanation?: JsonObject;
    code?: string;
    expression?: string;
    leftAdmitted?: JsonObject;
    rightAdmitted?: JsonObject;
  };
}

const directory = join(__dirname, '..', '..', 'test-cases');
const cases = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as Case[]);

const amountScale = 4;

function compared(rules: CompiledRuleSet, side: Side, value: JsonObject): ComparedRecord {
  const { amount, day } = rules.readKeys(side, value);
  return {
    value,
    amountUnits: amount.ok ? rescale(amount.units, amount.scale, amountScale) : null,
    day: day.ok ? day.day : null,
  };
}

async function decide(
  definition: RuleSetDefinition,
  left: JsonObject,
  right: JsonObject,
): Promise<Record<'compare' | 'explain', PairResult>> {
  const rules = compileRuleSet(definition);
  const comparer = rules.comparer(amountScale);
  const one = compared(rules, 'left', left);
  const other = compared(rules, 'right', right);
  return { compare: await comparer.compare(one, other), explain: await comparer.explain(one, other) };
}

test.each(cases)('$name', async ({ ruleSet, left, right, expect: expected }) => {
  const definition = { version: 1, ...ruleSet };
  expect(validateRuleSet(definition)).toEqual([]);
  const rules = compileRuleSet(definition);
  if (expected.leftAdmitted) expect(await rules.admitRecord('left', left)).toMatchObject(expected.leftAdmitted);
  if (expected.rightAdmitted) expect(await rules.admitRecord('right', right)).toMatchObject(expected.rightAdmitted);
  if (expected.decision === undefined) return;
  for (const [kind, result] of Object.entries(await decide(definition, left, right))) {
    expect(result.decision).toBe(expected.decision);
    if (result.decision === 'ERROR') {
      expect(result.error).toMatchObject({ code: expected.code, expression: expected.expression });
      continue;
    }
    expect('dropped' in result ? result.dropped : undefined).toBe(expected.dropped);
    if (expected.score !== undefined) expect(result.score).toBe(expected.score);
    if (expected.explanation) expect(result.explanation).toStrictEqual(expected.explanation);
    if (kind === 'explain') expect(result.explanation).toBeDefined();
  }
});

const matcherExpr = fc.constantFrom(
  'true',
  'false',
  'null',
  'left.zzz',
  '0.5',
  '0',
  '0.3',
  '1.5',
  '-2',
  '$error("x")',
  '"text"',
  'left.v',
  'right.v',
  'left.v = right.v',
  'left.v > right.v',
);
const weight = fc.constantFrom(0, 0.1, 0.2, 0.4, 1, 3, 1e-9, 1e9);
const matcher: fc.Arbitrary<MatcherParams> = fc.record({ expr: matcherExpr, weight, required: fc.boolean() });
const value = fc.constantFrom<unknown>(0, 0.25, 1, 'a', null, true);
const pairRecord = fc.record(
  { v: value, amount: fc.constantFrom<unknown>(1, 1.01, 'x'), date: fc.constantFrom('2025-01-01', '2025-01-05', '') },
  { requiredKeys: [] },
);
const batch: fc.Arbitrary<RuleSetDefinition> = fc.record({
  engine: fc.constant('jsonata-batch' as const),
  jsonataExpr: fc.constantFrom(null, null, 'left.v', 'left.v = right.v'),
  params: fc.record({
    Tmatch: fc.constantFrom(0.9, 0.8, 80, 1),
    Tpossible: fc.constantFrom(0, 0.5, 0.8),
    matchers: fc.array(matcher, { minLength: 1, maxLength: 5 }),
    windowDays: fc.constantFrom(undefined, undefined, 3),
    amountTolerancePercent: fc.constantFrom(undefined, undefined, 2),
    filters: fc.constantFrom([], [], ['left.v != right.v'], ['left.v < right.v']),
  }),
  version: fc.constant(1),
});

/** The decision of a batch straight from its definition, evaluated by hand for the expressions above. */
async function referenceDecision(definition: RuleSetDefinition, left: JsonObject, right: JsonObject): Promise<string> {
  const { params } = definition;
  const scale = params.Tmatch <= 1 ? 1 : 100;
  const run = async (expr: string): Promise<PairResult> => {
    const single = { engine: 'jsonata', jsonataExpr: expr, version: 1, params: { Tmatch: 1, Tpossible: 0 } } as const;
    return (await decide(single, left, right)).compare;
  };
  const matchers = (params.matchers ?? []).map((one) => ({ weight: 1, required: false, ...one }));
  const ordered = [
    ...matchers.filter((one) => one.required === true),
    ...matchers.filter((one) => one.required !== true),
  ];
  let voting = 0;
  let weighted = 0;
  let open = ordered.reduce((sum, one) => sum + (one.weight ?? 1), 0);
  for (const one of ordered) {
    const own = one.weight ?? 1;
    open -= own;
    const abstains =
      one.expr === 'null' ||
      (one.expr === 'left.v' && left['v'] === null) ||
      (one.expr === 'right.v' && right['v'] === null);
    const result = await run(one.expr);
    if (result.decision === 'ERROR') return 'ERROR';
    if (one.required === true && (abstains || result.score === 0)) return 'NO_MATCH';
    if (!abstains) {
      voting += own;
      weighted += own * result.score;
    }
    const total = voting + open;
    const best = total > 0 ? (scale * (weighted + open)) / total : 0;
    if (best < params.Tpossible - 1e-6 * scale && one !== ordered.at(-1)) return 'NO_MATCH';
  }
  const score = voting === 0 ? 0 : Number(((scale * weighted) / voting).toFixed(9));
  if (score < params.Tpossible) return 'NO_MATCH';
  return score >= params.Tmatch ? 'MATCH' : 'POSSIBLE';
}

test('stopping early never changes a decision, and a stored explanation is complete', async () => {
  await fc.assert(
    fc.asyncProperty(batch, pairRecord, pairRecord, async (definition, left, right) => {
      const { compare, explain } = await decide(definition, left, right);
      if (compare.decision === 'ERROR') {
        expect(explain).toEqual(compare);
        return;
      }
      expect(explain.decision).toBe(compare.decision);
      expect('dropped' in explain ? explain.dropped : undefined).toBe(
        'dropped' in compare ? compare.dropped : undefined,
      );
      if (compare.decision !== 'NO_MATCH') expect(explain).toEqual(compare);
      if (explain.decision === 'ERROR') return;
      const matchers = explain.explanation?.['matchers'] as { value: number | null; contribution: number }[];
      expect(matchers).toHaveLength(definition.params.matchers?.length ?? 0);
      const sum = matchers.reduce((total, one) => total + one.contribution, 0);
      expect(Math.abs(sum - explain.score)).toBeLessThan(1e-6);
    }),
    { numRuns: caseCount(500) },
  );
});

test('a batch decides as its definition says', async () => {
  const clean = batch.map((definition) => ({
    ...definition,
    jsonataExpr: null,
    params: {
      Tmatch: definition.params.Tmatch,
      Tpossible: definition.params.Tpossible,
      // The case above covers weights so uneven that rounding at twelve decimals decides.
      matchers: (definition.params.matchers ?? []).map((one) => ({ ...one, weight: Math.min(one.weight ?? 1, 3) })),
    },
  }));
  await fc.assert(
    fc.asyncProperty(clean, pairRecord, pairRecord, async (definition, left, right) => {
      fc.pre(definition.params.matchers.every((one) => one.weight !== 1e-9));
      const { compare } = await decide(definition, left, right);
      expect(compare.decision).toBe(await referenceDecision(definition, left, right));
    }),
    { numRuns: caseCount(500) },
  );
});

test('amount differences are exact at the end of the range', async () => {
  const definition: RuleSetDefinition = {
    engine: 'jsonata',
    jsonataExpr: 'true',
    version: 1,
    params: { Tmatch: 1, Tpossible: 0 },
  };
  const comparer = compileRuleSet(definition).comparer(2);
  const left = { value: {}, amountUnits: -Number.MAX_SAFE_INTEGER, day: null };
  const right = { value: {}, amountUnits: Number.MAX_SAFE_INTEGER, day: null };
  const result = await comparer.compare(left, right);
  expect(result).toMatchObject({ explanation: { amountDelta: Number('180143985094819.82') } });
});

test('reasons that JSONB cannot hold are replaced', async () => {
  const definition: RuleSetDefinition = {
    engine: 'jsonata',
    version: 1,
    params: { Tmatch: 1, Tpossible: 0 },
    jsonataExpr: '{"score": 1, "reasons": ["a\\u0000b", "\\ud800", {"k": $uppercase}]}',
  };
  const { compare } = await decide(definition, {}, {});
  expect(compare).toMatchObject({ explanation: { reasons: ['a\ufffdb', '\ufffd', {}] } });
});

test('a rule set names everything a job has to read', () => {
  const rules = compileRuleSet({
    engine: 'jsonata-batch',
    jsonataExpr: 'left.cur = right.cur',
    version: 1,
    params: {
      Tmatch: 1,
      Tpossible: 0,
      filters: ['left.status = "open"'],
      matchers: [{ expr: 'right.x' }],
      blocking: { amountKeyLeft: 'total.net', dateKey: 'due' },
    },
  });
  expect(rules.references).toEqual({
    left: { all: false, keys: ['cur', 'due', 'status', 'total', 'total.net'] },
    right: { all: false, keys: ['amount', 'cur', 'due', 'x'] },
  });
  expect(rules.expressions).toEqual({ jsonataExpr: 'compiled', m1: 'compiled', 'filters/0': 'compiled' });
});
