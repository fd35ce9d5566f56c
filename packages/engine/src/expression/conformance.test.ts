import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import jsonata from 'jsonata';
import { withCodeGeneration } from '../../fuzz/code-generation';
import { compileExpression } from './compile';
import { ExpressionError } from './error';
import type { ExpressionLimits } from './types';

/**
 * The suite of jsonata's sources (folder test/test-suite), which is not part of its package. Each case runs compiled,
 * or through the reference where the compiler declines, and once more where code generation is forbidden.
 */
const suite = process.env['JSONATA_SUITE'] ?? '';

interface SuiteCase {
  expr: string;
  'expr-file'?: string;
  data?: unknown;
  dataset?: string | null;
  bindings?: Record<string, unknown>;
  timelimit?: number;
  depth?: number;
  result?: unknown;
  undefinedResult?: boolean;
  unordered?: boolean;
  code?: string;
  error?: { code: string };
}

type Outcome = { value: unknown } | { code: string };

/** The suite's own code for a guard of its runner that stopped an evaluation. */
const guardCode = 'U1001';
const guardCodes = new Set(['D1011', 'D1012']);

/** Ranges of ten million items: to the reference, making them takes more steps than an evaluation has. */
const longRanges = new Set(['range-operator/case021.json#0', 'range-operator/case024.json#0']);

type Way = 'compiled' | 'reference' | 'syntaxErrors' | 'refused';
const newTally = (): Record<Way, number> => ({ compiled: 0, reference: 0, syntaxErrors: 0, refused: 0 });
const tallies = { compiled: newTally(), reference: newTally() };
type BackEnd = keyof typeof tallies;

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(suite, ...path), 'utf8'));
}

function casesOf(group: string): { name: string; test: SuiteCase }[] {
  return readdirSync(join(suite, 'groups', group))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const tests = [readJson('groups', group, file)].flat() as SuiteCase[];
      return tests.map((test, index) => {
        const named = test['expr-file'];
        const expr = named === undefined ? test.expr : readFileSync(join(suite, 'groups', group, named), 'utf8');
        return { name: `${group}/${file}#${index}`, test: { ...test, expr: bind(expr, test.bindings ?? {}) } };
      });
    });
}

/** Bindings become assignments in front of the expression: JSON is JSONata. */
function bind(expr: string, bindings: Record<string, unknown>): string {
  const names = Object.keys(bindings);
  if (names.length === 0) return expr;
  return `(${names.map((name) => `$${name} := ${JSON.stringify(bindings[name])}; `).join('')}${expr})`;
}

function inputOf(test: SuiteCase): unknown {
  if ('data' in test) return structuredClone(test.data);
  return typeof test.dataset === 'string' ? readJson('datasets', `${test.dataset}.json`) : undefined;
}

function limitsOf(test: SuiteCase): ExpressionLimits {
  return {
    maxNodes: 1_000_000,
    maxDepth: 100_000,
    sequenceLength: 20_000_000,
    timeoutMs: test.timelimit ?? 20_000,
    stackDepth: test.depth ?? 10_000,
  };
}

async function run(test: SuiteCase, backEnd: BackEnd): Promise<{ outcome: Outcome; way: Way }> {
  let way: Way = 'syntaxErrors';
  try {
    const expression = await withCodeGeneration(backEnd === 'compiled', () =>
      compileExpression(test.expr, limitsOf(test)),
    );
    way = expression.mode;
    return { outcome: { value: await expression.evaluate(inputOf(test)) }, way };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { outcome: { code: error.code }, way: error.code === 'eval_not_allowed' ? 'refused' : way };
  }
}

/** Reduces a value to what JSON can express, as the suite compares values. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify([value])) as unknown);
}

function sameMembers(actual: unknown, expected: unknown): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  return isDeepStrictEqual(sorted(actual), sorted(expected));
}

async function isRight(test: SuiteCase, outcome: Outcome): Promise<boolean> {
  const code = test.code ?? test.error?.code;
  if (code === guardCode) return isGuarded(test, outcome);
  if ('code' in outcome) return outcome.code === code;
  if (code !== undefined) return false;
  if (test.undefinedResult === true) return outcome.value === undefined;
  if (test.unordered === true) return sameMembers(outcome.value, test.result);
  return isDeepStrictEqual(asJson(outcome.value), asJson(test.result));
}

/** Evaluators count guards differently: an evaluation that passes its guard must have the expected value. */
async function isGuarded(test: SuiteCase, outcome: Outcome): Promise<boolean> {
  if ('code' in outcome) return guardCodes.has(outcome.code);
  return isDeepStrictEqual(asJson(outcome.value), asJson(await jsonata(test.expr).evaluate(inputOf(test))));
}

async function wrongCases(group: string, backEnd: BackEnd): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, test } of casesOf(group)) {
    const { outcome, way } = await run(test, backEnd);
    tallies[backEnd][way]++;
    if (way === 'refused' || (await isRight(test, outcome))) continue;
    if (backEnd === 'reference' && longRanges.has(name) && 'code' in outcome && outcome.code === 'D1012') continue;
    wrong.push(`${name} (${way}): ${test.expr.slice(0, 200)} gave ${JSON.stringify(outcome).slice(0, 200)}`);
  }
  return wrong;
}

const groups =
  suite === ''
    ? []
    : readdirSync(join(suite, 'groups'))
        .filter((name) => !name.includes('.'))
        .sort();

if (suite === '') {
  test.skip("jsonata's own suite: set JSONATA_SUITE to its folder, which holds groups/ and datasets/", () => undefined);
} else {
  test('the folder that JSONATA_SUITE names holds the suite', () => {
    expect(existsSync(join(suite, 'datasets'))).toBe(true);
    expect(groups.length).toBeGreaterThan(90);
  });

  describe.each(['compiled', 'reference'] as const)('%s', (backEnd) => {
    test.each(groups)("%s gives what JSONata's suite expects", async (group) => {
      expect(await wrongCases(group, backEnd)).toEqual([]);
    });
  });

  test("at least 85 % of the suite's expressions are compiled, and none where code generation is forbidden", () => {
    const { compiled, reference } = tallies.compiled;
    const share = compiled / (compiled + reference);
    console.info(`${JSON.stringify(tallies)}, ${(100 * share).toFixed(1)} % compiled`);
    expect(share).toBeGreaterThanOrEqual(0.85);
    expect(tallies.reference.compiled).toBe(0);
  });
}
