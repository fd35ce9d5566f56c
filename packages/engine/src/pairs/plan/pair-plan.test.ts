import { compileExpression } from '../../expression/compile';
import { callsOf, costOf, planPairs } from './pair-plan';
import type { PairPlan } from './pair-plan';

function planOf(...sources: string[]): PairPlan {
  const matchers = sources.map((source, index) => ({ id: `m${index}`, expression: compileExpression(source) }));
  return planPairs({ filters: [], main: null, matchers });
}

function columnCounts({ columns }: PairPlan): [number, number] {
  return [columns.left.length, columns.right.length];
}

test.each([
  'left.a = right.a',
  '$abs(left.amount - right.amount) <= 0.01 * $abs(left.amount)',
  '$lowercase($trim(left.name)) = $lowercase($trim(right.name))',
  '$contains(right.description, left.invoice_no)',
  '$toMillis(left.date) - $toMillis(right.date) < 86400000',
  '$similarity($normalize(left.name), $normalize(right.name)) > 0.9',
  '($d := $abs(left.a - right.a); $d < 1 ? 1 : $d < 5 ? 0.5 : 0)',
  '($n := $trim(left.name); $p := $substring($n, 0, 3); $p = right.code)',
])('%s needs no records once its columns are there', (source) => {
  expect(planOf(source).needsRecords).toBe(false);
});

test.each([
  ['both sides in one step', 'left.items[sku = $$.right.sku]'],
  ['a function that may exhaust the stack', '($f := function($n) { $n > 0 ? $f($n - 1) : 0 }; $f(left.n)) = right.n'],
  ['the time of the evaluation', '$millis() > left.a'],
  ['a picture that the time fills up', '$toMillis(left.d, "[H]") = right.a'],
])('%s needs the records', (_name, source) => {
  expect(planOf(source).needsRecords).toBe(true);
});

test.each([
  ['one sub-expression used twice', ['$abs(left.a - right.a) < 1', '$abs(left.a - right.a) < 5'], [1, 1]],
  ['the largest parts that name one side', ['$lowercase($trim(left.a)) = right.b'], [1, 1]],
  [
    'functions whose parameters have the same name',
    ['$sum($map(left.a, function($i){$i * left.n})) = $sum($map(right.a, function($i){$i * right.n}))'],
    [1, 1],
  ],
  [
    'a function that names what was bound around it',
    ['($i := right.n; $i := $i & "x"; $map(left.a, function($j){$i & $j}) = 1)'],
    [0, 0],
  ],
  ['variables put in place', ['($x := $lowercase(left.a); $x = right.b)'], [1, 1]],
  ['a shadowed name, which stays with the compiler', ['($x := left.a; ($x := right.a; $x) = $x)'], [0, 0]],
  ['a value that changes', ['$random() > left.a'], [1, 0]],
] as const)('columns hold %s', (_name, sources, expected) => {
  expect(columnCounts(planOf(...sources))).toEqual(expected);
});

test('values of variables cannot multiply without end', () => {
  const doubled = Array.from({ length: 60 }, (_, index) => `$v${index + 1} := $v${index} & $v${index}`).join('; ');
  expect(planOf(`($v0 := left.a; ${doubled}; $v60 = right.a)`).matchers).toHaveLength(1);
});

test('columns of fields that only meet fields are coded, together with all that they meet', () => {
  const { columns, dictionaries } = planOf(
    'left.a = right.x',
    'left.b = right.x',
    'left.c != right.y',
    'left.c < right.z',
  );
  expect(dictionaries).toBeGreaterThan(0);
  const [a, b, c] = columns.left;
  const [x, y] = columns.right;
  expect(new Set([a?.dictionary, b?.dictionary, x?.dictionary]).size).toBe(1);
  expect([c?.dictionary, y?.dictionary]).toEqual([null, null]);
});

test.each([
  ['comparisons and arithmetic', '$abs(left.a - right.a) * 2 < 1 and left.b = right.b', 0],
  ['functions of both sides', '$contains(left.a, right.a)', 1],
  ['functions of one side', '$contains(left.a, "x")', 0],
  ['the evaluation of whole records', 'left.items[sku = $$.right.sku]', 1],
])('%s: cost %#', (_name, source, cost) => {
  const expression = compileExpression(source);
  const [planned] = planOf(source).matchers ?? [];
  expect(planned && costOf(expression, planned.root)).toBe(cost);
});

test.each([
  ['left.a = right.a', 0],
  ['$abs(left.a - right.a) < 5', 0],
  ['$similarity($normalize(left.name), $normalize(right.name)) > 0.9', 1],
  ['($d := $daysBetween(left.a, right.a); $d > 3 ? $tokenSet(left.b, right.b) : 0)', 2],
])('%s: a pair takes %d calls', (source, calls) => {
  expect(callsOf(planOf(source))).toBe(calls);
});
