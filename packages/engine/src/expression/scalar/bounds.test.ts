import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression, defaultExpressionLimits } from '../compile';
import { ExpressionError } from '../error';
import { createReference } from '../reference';
import { compileTree } from '.';
import { effort, withinSteps } from '../limits/meter';

interface BoundsCase {
  name: string;
  expression: string;
  /** Null where the evaluation must complete. */
  code: string | null;
}

interface StepsCase {
  name: string;
  expression: string;
  between: string;
}

const cases = JSON.parse(
  readFileSync(join(__dirname, '../../../test-cases/compiler/bounds.json'), 'utf8'),
) as BoundsCase[];
const stepsCases = JSON.parse(
  readFileSync(join(__dirname, '../../../test-cases/compiler/steps.json'), 'utf8'),
) as StepsCase[];

/**
 * Work that is too much needs far more steps than exist, so it also ends within a part of them, in the same part of the
 * time. Work that needs fewer steps completes in time.
 */
const stepLimits = { tooMuch: 2_000_000, all: 20_000_000 };

async function codeOf(source: string, steps: number): Promise<string | null> {
  // A limit on time that nothing here may reach: it is the work itself that is counted.
  const expression = compileExpression(source, { ...defaultExpressionLimits, timeoutMs: 600_000 });
  expect(expression.mode).toBe('compiled');
  try {
    await withinSteps(steps, () => expression.evaluate({ left: {}, right: {} }));
    return null;
  } catch (error) {
    return error instanceof ExpressionError ? error.code : String(error);
  }
}

test.each(cases)('$name ends as it has to', async ({ expression, code }) => {
  expect(await codeOf(expression, code === 'D1012' ? stepLimits.tooMuch : stepLimits.all)).toBe(code);
});

test('recursion without end is found by the compiled code, not by evaluating again', () => {
  const compiled = compileTree(
    createReference('($f := function($n) { 1 + $f($n + 1) }; $f(left.n))', defaultExpressionLimits).tree,
  );
  let thrown: unknown;
  try {
    compiled?.run({ left: { n: 1 } });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'D1011' });
});

test('calls that an error has ended do not count in the next evaluation', async () => {
  const { evaluate } = compileExpression('($f := function($n) { $n < 100 ? 1 + $f($n + 1) : left.last + 1 }; $f(0))');
  const failing = async (): Promise<unknown> => evaluate({ left: { last: 'x' } });
  for (let round = 0; round < 25; round++) await expect(failing()).rejects.toMatchObject({ code: 'T2001' });
  expect(await evaluate({ left: { last: 1 } })).toBe(102);
});

test('each evaluation has its own fuel', async () => {
  const expression = compileExpression('$sum([1..90000])');
  const efforts: number[] = [];
  for (let round = 0; round < 3; round++) {
    expect(await expression.evaluate({})).toBe(4_050_045_000);
    efforts.push(effort());
  }
  expect(efforts[0]).toBeGreaterThan(0);
  expect(efforts).toEqual(efforts.map(() => efforts[0]));
});

test.each(stepsCases)('$name: it costs what it costs at first', async ({ expression, between }) => {
  const { evaluate } = compileExpression(expression);
  const costs: number[] = [];
  for (let round = 0; round < 2; round++) {
    for (let time = 0; time < 2; time++) {
      await evaluate({ left: {}, right: {} });
      costs.push(effort());
    }
    await compileExpression(between).evaluate({ left: {}, right: {} });
  }
  expect(costs).toEqual(Array.from(costs, () => costs[0]));
});

test.each([
  ['1 + left.name', 'T2002', 3, '+', 'The right side of the "+" operator must evaluate to a number'],
  ['$abs(left.name)', 'T0410', undefined, 'abs', 'Argument 1 of function "abs" does not match function signature'],
  [
    '$filter(["a"], function($x)<n:n>{1})',
    'T0410',
    undefined,
    'filter',
    'Argument 1 of function "filter" does not match function signature',
  ],
])('the error of %s tells what is wrong, and where', async (source, code, position, token, message) => {
  const evaluation = (async () => compileExpression(source).evaluate({ left: { name: 'x' } }))();
  await expect(evaluation).rejects.toMatchObject({
    code,
    token,
    message,
    ...(position === undefined ? {} : { position }),
  });
});
