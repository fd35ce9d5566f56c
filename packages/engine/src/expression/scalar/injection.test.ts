import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression } from '../compile';
import { withCodeGeneration } from '../../../fuzz/code-generation';
import { createOracle, describeOutcome, outcomeOf } from '../../../fuzz/oracle';
import { parseError } from '../error';

const { input, expressions } = JSON.parse(
  readFileSync(join(__dirname, '../../../test-cases/compiler/injection.json'), 'utf8'),
) as {
  input: unknown;
  expressions: string[];
};

async function expected(source: string): Promise<string> {
  try {
    return describeOutcome(await createOracle(source)(input));
  } catch (error) {
    return describeOutcome({ code: parseError(error).code });
  }
}

describe.each([
  ['code', true],
  ['the reference', false],
] as const)('%s', (_name, isCodeAllowed) => {
  test.each(expressions)('%s is data and never code', async (source) => {
    const outcome = await withCodeGeneration(isCodeAllowed, () =>
      outcomeOf(() => compileExpression(source).evaluate(input)),
    );
    expect(describeOutcome(outcome)).toBe(await expected(source));
    expect(globalThis).not.toHaveProperty('injected');
    expect({}).not.toHaveProperty('polluted');
  });
});

test('the text of generated code is the same whatever the tenant writes', () => {
  const texts = ['left.amount = right.amount', 'left.`"];x();//` = right.`"];x();//`'].map((source) => {
    const generated: string[] = [];
    const original = globalThis.Function;
    globalThis.Function = function record(...parts: string[]) {
      generated.push(parts.at(-1) ?? '');
      return original(...parts);
    } as unknown as FunctionConstructor;
    try {
      compileExpression(source);
    } finally {
      globalThis.Function = original;
    }
    return generated.join('\n');
  });
  expect(texts[0]).toContain('K0');
  expect(texts[1]?.replace(/K\d+/g, 'K')).toBe(texts[0]?.replace(/K\d+/g, 'K'));
});
