import { compileExpression, defaultExpressionLimits } from './compile';
import { ExpressionError } from './error';

async function result(source: string, input: unknown = {}): Promise<unknown> {
  return compileExpression(source).evaluate(input);
}

function syntaxError(source: string): ExpressionError {
  try {
    compileExpression(source);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} was accepted`);
}

async function failure(source: string, input: unknown = {}): Promise<ExpressionError> {
  try {
    await compileExpression(source, { ...defaultExpressionLimits, timeoutMs: 300 }).evaluate(input);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} did not fail`);
}

test('an expression gives what JSONata gives', async () => {
  const input = { left: { amount: 10, items: [{ p: 1 }, { p: 2 }] }, right: { amount: 10.5 } };
  expect(await result('left.amount = right.amount', input)).toBe(false);
  expect(await result('$sum(left.items.p) + right.amount', input)).toBe(13.5);
  expect(await result('left.nothing', input)).toBeUndefined();
  expect(await result('null', input)).toBeNull();
});

test('results are plain data', async () => {
  const value = await result('left.items.{"p": p}', { left: { items: [{ p: 1 }, { p: 2 }] } });
  expect(value).toStrictEqual([{ p: 1 }, { p: 2 }]);
  expect(structuredClone(value)).toStrictEqual([{ p: 1 }, { p: 2 }]);
});

test.each(['$uppercase', 'function($x){$x}', '/ab/', '$substring(?, 1)'])(
  '%s comes out as a function',
  async (source) => {
    expect(typeof (await result(source))).toBe('function');
  },
);

test('a syntax error carries code, position and token', () => {
  expect(syntaxError('left.amount = = 1')).toMatchObject({ code: 'S0211', position: 15, token: '=' });
  expect(syntaxError('')).toMatchObject({ code: 'S0207' });
  expect(syntaxError('"open')).toMatchObject({ code: 'S0101' });
});

test("an evaluation error carries JSONata's code and message", async () => {
  expect(await failure('1 + "a"')).toMatchObject({ code: 'T2002', message: expect.stringContaining('+') as string });
  expect(await failure('$error("no good")')).toMatchObject({ code: 'D3137', message: 'no good' });
  expect(await failure('$split("x", undefined_field)')).toBeInstanceOf(ExpressionError);
});

test.each([
  ['$trim(0)', 'trim'],
  ['0 ~> $trim', 'trim'],
  ['0 ~> $undefined', '~>'],
  ['function($p)<s-:s>{$p}()', 'lambda'],
  ['($f := $trim; $f(0))', 'f'],
])('the message of %s names the function %s', async (source, name) => {
  expect((await failure(source, 1)).message).toContain(name);
});

test('the message of an error is short, whatever the expression puts into it', async () => {
  expect((await failure('$error($pad("", 100000, "x"))')).message).toHaveLength(1_001);
});

const surrogatePair = '\u{1f600}';

test.each([
  '$number($base64decode("AAAA"))',
  '$error($decodeUrlComponent("%00"))',
  `$number($split("${surrogatePair}", "")[0])`,
  `$assert(false, $split("${surrogatePair}", "")[1])`,
  ...[998, 999, 1_000].map((length) => `$error($pad("", ${length}, "x") & "${surrogatePair}y")`),
  ...[0, 1, 2, 3].map((length) => `$number($pad("", ${length}, "x") & $join([1..600].("${surrogatePair}")))`),
])('the message of %s can be stored', async (source) => {
  const { message } = await failure(source);
  expect(message).not.toMatch(/\0|\p{Surrogate}/u);
  expect(message).not.toBe('');
});

const nestedSources = [
  '$reduce([1..N], function($a, $i){{"a": $a}}, {})',
  '$reduce([1..N], function($a, $i){[[$a]]}, {})',
  '$reduce([1..N], function($a, $i){$merge([{"a": $a}])}, {})',
  '$clone($reduce([1..N], function($a, $i){{"a": $a}}, {}))',
  '$reduce([1..N], function($a, $i){{"a": $a}}, {}) ~> |$|{"b": 1}|',
  '{"reasons": $reduce([2..N], function($a, $i){{"a": $a}}, {})}',
];

test.each(nestedSources)('%s is a result up to 64 levels and an error beyond', async (source) => {
  expect(await result(source.replace('N', '60'))).toBeDefined();
  for (const levels of [70, 1_000, 20_000, 90_000]) {
    const { code } = await failure(source.replace('N', String(levels)));
    expect([levels < 5_000 ? '' : 'D1011', levels < 20_000 ? '' : 'D1012', 'nesting_too_deep']).toContain(code);
  }
});

test('a result that is written nested too deep is an error', async () => {
  const nested = (levels: number): string => `${'{"a": '.repeat(levels)}1${'}'.repeat(levels)}`;
  expect(await result(nested(60))).toBeDefined();
  expect(await failure(nested(70))).toMatchObject({ code: 'nesting_too_deep' });
});

test.each([
  ['**', '.', 2_000],
  ['*', '.', 2_000],
  ['a', '.', 2_500],
])('%s repeated to a deep tree is evaluated', (step, separator, times) => {
  expect(() => compileExpression(Array.from({ length: times }, () => step).join(separator)).evaluate({})).not.toThrow();
});

test.each(['$eval("1")', '($f := $eval; $f("1"))', '"1" ~> $eval', '$map(["1"], $eval)'])('%s is refused', (source) => {
  expect(syntaxError(source).code).toBe('eval_not_allowed');
});

const chainTerm = 'left.amount = right.amount';

test('a chain as long as the limit on characters is accepted and evaluated', async () => {
  const source = Array.from({ length: Math.floor(65_536 / (chainTerm.length + 5)) }, () => chainTerm).join(' and ');
  expect(await result(source, { left: { amount: 1 }, right: { amount: 1 } })).toBe(true);
  expect(compileExpression(source).references.left).toEqual({ all: false, keys: ['amount'] });
});

test.each([
  ['and', 'left.a', 4_000, true],
  ['or', 'left.b', 4_000, false],
])('a chain of short %s terms is evaluated, however deep its tree', async (operator, term, count, expected) => {
  expect(await result(Array.from({ length: count }, () => term).join(` ${operator} `), { left: { a: 1 } })).toBe(
    expected,
  );
});

test('a long chain still ends at its first decisive term', async () => {
  const chain = (operator: string, terms: string[]): string => terms.join(` ${operator} `);
  const many = (term: string): string[] => Array.from({ length: 100 }, () => term);
  expect(await result(chain('and', [...many('true'), 'false', '$error("late")', ...many('true')]))).toBe(false);
  expect(await result(chain('or', [...many('false'), 'true', '$error("late")', ...many('false')]))).toBe(true);
  expect((await failure(chain('and', [...many('true'), '$error("first")', ...many('$error("second")')]))).message).toBe(
    'first',
  );
  expect(await result(`${chain('or', many('false'))} or ${chain('and', many('true'))}`)).toBe(true);
});

test('a constructor as long as the limit on characters is accepted and evaluated', async () => {
  const source = `[${Array.from({ length: 5_000 }, () => 'left.a').join(',')}]`;
  expect(await result(source, { left: { a: 1 } })).toHaveLength(5_000);
});

test.each([
  ['brackets', '('.repeat(30_000) + '1' + ')'.repeat(30_000)],
  ['copied operands of ?:', `${'('.repeat(40)}a${' ?: b)'.repeat(40)}`],
  ['copied operands of ??', `${'['.repeat(40)}a${' ?? b]'.repeat(40)}`],
])('%s beyond every limit end with a clear code', (_name, source) => {
  expect(syntaxError(source).code).toBe('expression_too_large');
});

test('quotes, comments and regular expressions do not count as brackets', async () => {
  const source = `"(((" & '[[' & \`a((\` & /* ((( */ ($contains("x", /\\(/) ? "y" : "n") & (left.a ?: "d")`;
  expect(await result(source, { left: {} })).toBe('((([[nd');
});

test('the limits on tree size and depth hold', () => {
  expect(() => compileExpression('1+1+1+1', { ...defaultExpressionLimits, maxNodes: 5 })).toThrow(ExpressionError);
  expect(() => compileExpression('1+1+1+1', { ...defaultExpressionLimits, maxDepth: 3 })).toThrow(ExpressionError);
});

test.each([
  ['($f := function(){ $f() }; $f())', 'D1012', 500],
  ['($f := function($n){ 1 + $f($n) }; $f(1))', 'D1011', 60_000],
  ['$count([1..10000000])', 'D2015', 60_000],
])('%s is stopped', async (source, code, timeoutMs) => {
  const expression = compileExpression(source, { ...defaultExpressionLimits, timeoutMs });
  await expect((async () => expression.evaluate({}))()).rejects.toMatchObject({ code });
});

test('two evaluations at once do not share state', async () => {
  const expression = compileExpression('($x := left.a; $sum($map([1..20], function($i){ $x + $$.right.b })))');
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, a) => expression.evaluate({ left: { a }, right: { b: a * 2 } })),
  );
  expect(outcomes).toEqual(Array.from({ length: 50 }, (_, a) => a * 60));
});

test('an evaluation never changes the records', async () => {
  const input = { left: { items: [], tags: ['a'] }, right: { n: 1 } };
  const before = structuredClone(input);
  await result('$ ~> |$$.left|{"n": 2}|', input);
  await result('left.items{"k": 1}', input);
  await result('left.tags[]', input);
  expect(input).toStrictEqual(before);
});

test('keys of the object prototype are not fields', async () => {
  expect(await result('left.constructor', { left: {} })).toBeUndefined();
  expect(await result('left.toString', { left: {} })).toBeUndefined();
});
