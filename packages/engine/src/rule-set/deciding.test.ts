import { decidingText } from './deciding';
import type { RuleSetDefinition } from '../definition/types';

const definition = (expr: string): RuleSetDefinition => ({
  engine: 'jsonata-batch',
  jsonataExpr: null,
  version: 1,
  params: { Tmatch: 0.9, Tpossible: 0.5, matchers: [{ id: 'm', expr }], filters: [expr] },
});

test.each([
  ['left.a = right.a', 'left.a=right.a'],
  ['left.a = right.a', ' left . a\n  =\tright.a /* the same */'],
  ['$contains(left.a, /x y/)', '$contains( left.a,/x y/ )'],
  ['{"a": left.a}.a = 1', '{ "a" : left.a }.a=1'],
  ['left.a', 'left.`a`'],
])('%j and %j decide alike', (one, other) => {
  expect(decidingText(definition(one))).toBe(decidingText(definition(other)));
});

test.each([
  ['left.a = "x y"', 'left.a = "xy"'],
  ['$contains(left.a, /x y/)', '$contains(left.a, /xy/)'],
  ['$contains(left.a, /x/)', '$contains(left.a, /x/i)'],
  ['left.`a b`', 'left.`ab`'],
  ['left.a = right.a', 'right.a = left.a'],
  ['left.a[0]', 'left.a[1]'],
  ['left.a[]', 'left.a'],
  ['1 - 2', '1 + 2'],
  ['left.a ? 1 : 2', 'left.a ? 2 : 1'],
  ['function($a) { $a }(1)', 'function($a) { $a + 1 }(1)'],
  ['left.a^(b)', 'left.a^(>b)'],
  ['', ' x ('],
])('%j and %j decide otherwise', (one, other) => {
  expect(decidingText(definition(one))).not.toBe(decidingText(definition(other)));
});
