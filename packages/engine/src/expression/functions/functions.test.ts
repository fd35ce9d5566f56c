import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression, defaultExpressionLimits } from '../compile';
import { evaluationError, ExpressionError } from '../error';
import { createReference } from '../reference';

interface Case {
  name: string;
  call: string;
  input?: unknown;
  gives?: unknown;
  /** Decimals that a number agrees in; without it the result is exact. */
  places?: number;
  givesNothing?: true;
  fails?: string;
}

const folder = join(__dirname, '../../../test-cases/functions');
const emptyPair = { left: {}, right: {} };

const files = readdirSync(folder).map((file) => {
  const cases = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case[];
  return { file, cases };
});

const ways = {
  'by compileExpression': async (source: string, input: unknown) => compileExpression(source).evaluate(input),
  'by the reference': async (source: string, input: unknown) => {
    try {
      return await createReference(source, defaultExpressionLimits).evaluate(input);
    } catch (error) {
      throw evaluationError(error);
    }
  },
};

describe.each(Object.entries(ways))('%s', (_way, evaluate) => {
  describe.each(files)('$file', ({ cases }) => {
    test.each(cases)('$name: $call', async ({ call, input = emptyPair, gives, places, givesNothing, fails }) => {
      if (fails !== undefined) {
        const error: unknown = await evaluate(call, input).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ExpressionError);
        expect(error).toMatchObject({ code: fails });
      } else if (places !== undefined) {
        expect(await evaluate(call, input)).toBeCloseTo(gives as number, places);
      } else {
        expect(await evaluate(call, input)).toStrictEqual(givesNothing ? undefined : gives);
      }
    });
  });
});

test('an error names the function and the value', async () => {
  const failure = compileExpression('$daysBetween(left.date, "2024-03-01")').evaluate;
  await expect(async () => failure({ left: { date: '31/12/2024' } })).rejects.toThrow(
    '$daysBetween: "31/12/2024" is neither a date',
  );
});

test('an error cuts a long value', async () => {
  const { evaluate } = compileExpression('$daysBetween(left.date, "2024-03-01")');
  const error: unknown = await Promise.resolve()
    .then(() => evaluate({ left: { date: 'x'.repeat(5_000) } }))
    .catch((thrown: unknown) => thrown);
  expect((error as ExpressionError).message.length).toBeLessThan(200);
});

const numbers = { left: { a: 5, o: [1] }, right: { a: 5 } };

async function codeOf(source: string): Promise<string> {
  const failed: unknown = await (async () => compileExpression(source).evaluate(numbers))().catch(
    (thrown: unknown) => thrown,
  );
  return failed instanceof ExpressionError ? failed.code : 'none';
}

test.each([
  '$similarity(left.a, ?)(right.a)',
  '$levenshtein(?, right.a)(left.a)',
  '$tokenSet(left.a, ?)(right.a)',
  '$daysBetween(left.a, ?)(right.a)',
  '$businessDaysBetween(?, right.a)(left.a)',
  '$normalize(?)(left.a)',
  '$digits(?)(left.a)',
  '$amountClose(left.o, ?, 1)(right.a)',
])('%s refuses values of other types', async (source) => {
  expect(await codeOf(source)).toBe('T0410');
});

test('what a similarity refuses does not depend on the calls before it', async () => {
  const similarity = compileExpression('$similarity(left.a, right.a)');
  for (let call = 0; call < 10_000; call++)
    await similarity.evaluate({ left: { a: `left ${call}` }, right: { a: `right ${call}` } });
  expect(await codeOf('$similarity(left.a, ?)(right.a)')).toBe('T0410');
});
