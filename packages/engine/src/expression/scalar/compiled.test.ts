import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compileExpression, defaultExpressionLimits } from '../compile';
import { withCodeGeneration } from '../../../fuzz/code-generation';
import { createOracle, describeOutcome, outcomeOf } from '../../../fuzz/oracle';
import type { Expression, ExpressionLimits } from '../types';

const folder = join(__dirname, '../../../test-cases/expressions');
const inputs = readJson('inputs.json') as unknown[];
const limits: ExpressionLimits = { ...defaultExpressionLimits, timeoutMs: 60_000, stackDepth: 50_000 };

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function expressionsOf(file: string): string[] {
  return readJson(file) as string[];
}

/** The outcomes for all inputs, into which evaluating writes nothing. */
async function outcomes(evaluate: (input: unknown) => unknown): Promise<string[]> {
  const found: string[] = [];
  for (const input of inputs) {
    const given = structuredClone(input);
    found.push(describeOutcome(await outcomeOf(() => evaluate(given))));
    if (!isDeepStrictEqual(given, input)) expect(given).toStrictEqual(input);
  }
  return found;
}

async function expected(source: string): Promise<string[]> {
  const oracle = createOracle(source);
  const found: string[] = [];
  for (const input of inputs) found.push(describeOutcome(await oracle(input)));
  return found;
}

const files = readdirSync(folder).filter((file) => file !== 'inputs.json');

describe.each(files)('%s', (file) => {
  test.each(expressionsOf(file))('%s gives what jsonata gives, and writes nothing into the input', async (source) => {
    const right = await expected(source);
    expect(await outcomes(compileExpression(source, limits).evaluate)).toEqual(right);
    const reference = await withCodeGeneration(false, () => compileExpression(source, limits));
    expect(reference.mode).toBe('reference');
    expect(await outcomes(reference.evaluate)).toEqual(right);
  });
});

test('most of what these cases use is compiled', () => {
  const all: Expression[] = files.flatMap(expressionsOf).map((source) => compileExpression(source, limits));
  const compiled = all.filter(({ mode }) => mode === 'compiled');
  expect(compiled.length / all.length).toBeGreaterThan(0.93);
});
