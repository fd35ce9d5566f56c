import { compileRuleSet } from '../rule-set/compile';
import { compileExpression, parseExpression } from './compile';
import { ExpressionError } from './error';

const input = {
  left: { amount: 900, $remaining: 600, name: 'Ann', '$rarity name': 0.25, '$rarity full name': 0.5 },
  right: { amount: 600 },
};

test.each([
  ['$remaining(left)', 600],
  ['$remaining(left) = right.amount', true],
  ['left.amount - $remaining(left)', 300],
  ['$remaining(right)', undefined],
  ['[1, 2].($ + $remaining(left))', [601, 602]],
  ['($f := function($x) { $x * $remaining(left) }; $f(2))', 1200],
  ['$remaining(left)[$ > 700]', undefined],
  ['$rarity(left.name)', 0.25],
  ['$rarity(left.`full name`)', 0.5],
  ['1 - $rarity(left.name)', 0.75],
  ['$rarity(right.name)', undefined],
  ['[1, 2].($ * $rarity(left.name))', [0.25, 0.5]],
  ['$rarity := function($x) { 7 }; $rarity(left)', 7],
  ['$remaining := function($x) { 7 }; $remaining(left)', 7],
])('%s gives %j, compiled and by jsonata', (source, expected) => {
  const text = source.includes(';') && !source.startsWith('(') ? `(${source})` : source;
  expect(compileExpression(text).evaluate(input)).toEqual(expected);
  const byJsonata = parseExpression(text).reference.evaluate(input);
  expect(Array.isArray(byJsonata) ? [...(byJsonata as unknown[])] : byJsonata).toEqual(expected);
});

test.each([
  '$remaining()',
  '$remaining(left.amount)',
  '$remaining(5)',
  '$remaining($)',
  'left ~> $remaining',
  '$remaining',
])('%s is refused with the mend', (source) => {
  const parse = (): unknown => parseExpression(source);
  expect(parse).toThrow(ExpressionError);
  expect(parse).toThrow('Write $remaining(left) or $remaining(right).');
});

test.each([
  '$rarity()',
  '$rarity(left)',
  '$rarity(name)',
  '$rarity(left.a.b)',
  '$rarity(left.name[0])',
  '$rarity("x")',
  '$rarity',
])('%s is refused with the mend', (source) => {
  expect(() => parseExpression(source)).toThrow('Write $rarity(left.field) or $rarity(right.field).');
});

test('a rule set reads how rare a value is, and the value', () => {
  const { references } = parseExpression('$rarity(left.name) * $similarity(left.city, right.city)');
  expect(references.left).toEqual({ all: false, keys: ['$rarity name', 'city', 'name'] });
});

test('the rest is the amount of the record where nothing is held', () => {
  const compiled = compileRuleSet({
    engine: 'jsonata',
    jsonataExpr: '$remaining(left) = right.amount',
    version: 1,
    params: { Tmatch: 1, Tpossible: 1, blocking: { amountKeyLeft: 'sum.net' } },
  });
  const record = { sum: { net: '12.50' } };
  expect(compiled.references.left).toEqual({ all: false, keys: ['$remaining', 'date', 'sum', 'sum.net'] });
  expect(compiled.withRemaining('left', record)).toEqual({ ...record, $remaining: 12.5 });
  expect(compiled.withRemaining('left', {})).toEqual({});
  expect(compiled.withRemaining('right', { amount: 1 })).toEqual({ amount: 1 });
  expect(compiled.expressions).toEqual({ jsonataExpr: 'compiled' });
});
