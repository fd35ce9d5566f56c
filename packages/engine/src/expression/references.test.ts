import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { compileExpression } from './compile';
import { ExpressionError } from './error';
import type { Expression, FieldSelection } from './types';

interface Case {
  expr: string;
  left?: string[] | 'all';
  right?: string[] | 'all';
}

const cases: Case[] = [
  { expr: 'left.amount = right.amount', left: ['amount'], right: ['amount'] },
  { expr: 'left.(amount + tax)', left: ['amount', 'tax'] },
  { expr: 'left.items[price > 3].sku', left: ['items'] },
  { expr: 'left.items.(price * qty)', left: ['items'] },
  { expr: 'left.{"a": amount, "b": $$.right.total}', left: ['amount'], right: ['total'] },
  { expr: '$.left.a & $$.right.b', left: ['a'], right: ['b'] },
  { expr: 'left.`a.b` & $$.right.`c-d`', left: ['a.b'], right: ['c-d'] },
  { expr: 'left.address.city', left: ['address'] },
  { expr: 'left."quoted" = 1', left: ['quoted'] },
  { expr: '$lowercase($trim(left.name)) = $lowercase(right.name)', left: ['name'], right: ['name'] },
  { expr: '($norm := function($x){$lowercase($trim($x))}; $norm(left.a) = $norm(right.b))', left: ['a'], right: ['b'] },
  { expr: '($l := left; $r := right; $l.a = $r.b)', left: ['a'], right: ['b'] },
  { expr: '($f := function(){ $x.amount }; $x := left; $f())', left: ['amount'] },
  { expr: '[left, right].amount', left: ['amount'], right: ['amount'] },
  { expr: '(left.paid ? left : right).amount', left: ['amount', 'paid'], right: ['amount'] },
  { expr: 'left.a ? left.b : right.c', left: ['a', 'b'], right: ['c'] },
  { expr: 'left.a ?: right.c', left: ['a'], right: ['c'] },
  { expr: 'left.a ?? right.c', left: ['a'], right: ['c'] },
  { expr: 'left[status = "paid"].amount', left: ['amount', 'status'] },
  { expr: 'left^(>amount).amount', left: ['amount'] },
  { expr: 'left.items^(price)[0].price', left: ['items'] },
  { expr: 'left.items{sku: $sum(price)}', left: ['items'] },
  { expr: 'left{kind: amount}', left: ['amount', 'kind'] },
  { expr: 'left.items#$i[$i > 0].price', left: ['items'] },
  { expr: 'left@$l.right@$r[$l.a = $r.b].$r.c', left: ['a'], right: ['b', 'c'] },
  { expr: '$map(left.items, function($i){ $i.price - $$.right.fee })', left: ['items'], right: ['fee'] },
  { expr: 'left.amount ~> $abs', left: ['amount'] },
  { expr: 'left.items ~> $map(function($v){$v.price})', left: ['items'] },
  { expr: 'left.$uppercase(name)', left: ['name'] },
  { expr: '*.amount', left: ['amount'], right: ['amount'] },
  { expr: '$count(*.(1))', left: 'all', right: 'all' },
  { expr: '$now() & $random()' },
  { expr: '1 + 1' },
  { expr: 'amount > 1' },
  { expr: 'left', left: 'all' },
  { expr: 'left.(1)', left: 'all' },
  { expr: 'left = right', left: 'all', right: 'all' },
  { expr: '$exists(left)', left: 'all' },
  { expr: 'left.*', left: 'all' },
  { expr: 'left.**.amount', left: 'all' },
  { expr: '$keys(left)', left: 'all' },
  { expr: 'left.$keys()', left: 'all' },
  { expr: 'left.$lookup("amount")', left: 'all' },
  { expr: '$lookup("left")', left: 'all', right: 'all' },
  { expr: 'left ~> $keys', left: 'all' },
  { expr: '($f := $keys; left.$f())', left: 'all' },
  { expr: '($f := function(){ $keys() }; left.($f()))', left: 'all', right: 'all' },
  { expr: '($f := function(){ left }; $f().amount)', left: 'all' },
  { expr: '($f := function($x){ $x.amount }; $f(left))', left: 'all' },
  { expr: '($f := function($x)<o-:n>{ $x.amount }; right.$f())', right: 'all' },
  { expr: '{"l": left}.l.amount', left: 'all' },
  { expr: '$ ~> |left|{"x": 1}|', left: 'all', right: 'all' },
  { expr: '$$', left: 'all', right: 'all' },
  { expr: '$', left: 'all', right: 'all' },
  { expr: '**', left: 'all', right: 'all' },
  { expr: 'left.items.(%.amount)', left: 'all', right: 'all' },
  { expr: 'left and right.a', left: 'all', right: ['a'] },
  { expr: '[[left]].*.amount', left: 'all' },
];

function summary(selection: FieldSelection): string[] | 'all' {
  return selection.all ? 'all' : selection.keys;
}

test.each(cases)('$expr names its fields', ({ expr, left = [], right = [] }) => {
  const { references } = compileExpression(expr);
  expect({ left: summary(references.left), right: summary(references.right) }).toEqual({ left, right });
});

const keyNames = ['a', 'b', 'c', 'items'];

const scalar = fc.constantFrom<unknown>(0, 1, 2, -1, 'x', 'y', '', true, false, null);
const item = fc.dictionary(fc.constantFrom('a', 'b', 'p', 'left'), scalar, { noNullPrototype: true });
const record = fc.dictionary(
  fc.constantFrom(...keyNames),
  fc.oneof(scalar, item, fc.array(fc.oneof(item, scalar, fc.constant([])), { maxLength: 3 })),
  { noNullPrototype: true },
);

/** Random expressions: every node type that can carry a record somewhere else. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const e = tie('expression');
  const key = fc.constantFrom('a', 'b', 'c', 'items', 'p', 'left', 'right');
  const atom = fc.constantFrom(
    'left',
    'right',
    '$',
    '$$',
    'left.a',
    'right.b',
    'left.items',
    '$v',
    '$w',
    '1',
    '"a"',
    'a',
    'b',
    '*',
    '**',
    'true',
    '$.left',
    '$$.right',
    '$keys',
    '$f',
    'items',
    '$i',
    '%',
  );
  const two = (format: (x: string, y: string) => string): fc.Arbitrary<string> =>
    fc.tuple(e, e).map(([x, y]) => format(x, y));
  const side = fc.constantFrom('left', 'right');
  const field = fc.constantFrom('a', 'b', 'c', 'items');
  const tracked = fc
    .tuple(side, field, field, e)
    .chain(([s, k, m, x]) =>
      fc.constantFrom(
        `${s}[${k} = ${x}].${m}`,
        `${s}[${k}].${m}`,
        `[left, right]^(${k}).${m}`,
        `${s}@$w.right[${k} = $w.${m}].(${x})`,
        `${s}@$w[${k}].$w.${m}`,
        `($g := function(){ $q.${k} }; $q := ${s}; $g() = ${x})`,
        `${s}.(${k} = ${x})`,
        `(${s}.${k} ? left : right).${m}`,
        `($h := function(){ $string() }; ${s}.($h()))`,
        `[${s}, ${x}].${k}`,
      ),
    );
  const compound = fc.oneof(
    { weight: 8, arbitrary: tracked },
    fc.tuple(e, key).map(([x, k]) => `${x}.${k}`),
    two((x, y) => `${x}.(${y})`),
    two((x, y) => `(${x})[${y}]`),
    two((x, y) => `(${x}).{"k": ${y}}`),
    two((x, y) => `{"k": ${x}, "m": ${y}}`),
    two((x, y) => `[${x}, ${y}]`),
    two((x, y) => `(${x}){"g": ${y}}`),
    two((x, y) => `(${x})^(${y})`),
    two((x, y) => `(${x} = ${y})`),
    two((x, y) => `(${x} and ${y})`),
    two((x, y) => `(${x} in ${y})`),
    two((x, y) => `($v := ${x}; ${y})`),
    two((x, y) => `($f := function(){ ${x} }; ${y})`),
    two((x, y) => `($f := function($w){ ${x} }; $f(${y}))`),
    two((x, y) => `(${x}).($f(${y}))`),
    two((x, y) => `(${x} ?: ${y})`),
    two((x, y) => `(${x})@$w.(${y})`),
    two((x, y) => `(${x})#$i.(${y})`),
    two((x, y) => `$map(${x}, function($w){ ${y} })`),
    two((x, y) => `$filter(${x}, function($w){ ${y} })`),
    two((x, y) => `(${x}) ~> |${y}|{"z": 1}|`),
    two((x, y) => `$lookup(${x}, ${y})`),
    fc.tuple(e, e, e).map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
    fc
      .tuple(e, fc.constantFrom('keys', 'spread', 'string', 'boolean', 'exists', 'count', 'type', 'merge', 'each'))
      .map(([x, name]) => `$${name}(${x})`),
    fc
      .tuple(e, fc.constantFrom('keys', 'spread', 'string', 'boolean', 'clone', 'f', 'v'))
      .map(([x, name]) => `(${x}).$${name}()`),
    fc
      .tuple(e, fc.constantFrom('$keys', '$string', '$f', '$count', '$lookup("a")', '$f()'))
      .map(([x, name]) => `(${x} ~> ${name})`),
  );
  return { expression: fc.oneof({ depthSize: 'small', maxDepth: 6 }, atom, compound) };
});

function compiled(source: string): Expression | null {
  try {
    return compileExpression(source, {
      maxNodes: 20_000,
      maxDepth: 1_000,
      timeoutMs: 500,
      stackDepth: 200,
      sequenceLength: 1_000,
    });
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

function project(data: Record<string, unknown>, selection: FieldSelection): Record<string, unknown> {
  if (selection.all) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => selection.keys.includes(key)));
}

async function outcome(expression: Expression, input: unknown): Promise<unknown> {
  try {
    const result = await expression.evaluate(structuredClone(input));
    return typeof result === 'function' ? 'function' : { result };
  } catch (error) {
    if (error instanceof ExpressionError) return { code: error.code };
    throw error;
  }
}

test('an expression sees no difference between a record and its referenced fields', async () => {
  await fc.assert(
    fc.asyncProperty(expression, record, record, async (source, left, right) => {
      const subject = compiled(source);
      fc.pre(subject !== null);
      const { references } = subject;
      const projected = { left: project(left, references.left), right: project(right, references.right) };
      const whole = await outcome(subject, { left, right });
      // A run out of time or depth says nothing about the fields.
      fc.pre(
        !(
          typeof whole === 'object' &&
          whole !== null &&
          'code' in whole &&
          /^D101[12]$|D2015/.test(String(whole.code))
        ),
      );
      expect(await outcome(subject, projected)).toEqual(whole);
    }),
    { numRuns: caseCount(1_000) },
  );
});

test('an expression never changes the records it is evaluated on', async () => {
  await fc.assert(
    fc.asyncProperty(expression, record, record, async (source, left, right) => {
      const subject = compiled(source);
      fc.pre(subject !== null);
      const input = { left, right };
      const before = structuredClone(input);
      try {
        await subject.evaluate(input);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
      }
      expect(structuredClone(input)).toStrictEqual(before);
    }),
    { numRuns: caseCount(1_000) },
  );
});
