import { findUnstorable } from './storable-json';
import { canonicalJson } from './canonical-json';

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

test.each([['a', 1, null, true, {}, [], { a: [{ b: '😀' }] }, nested(64)]])('%j can be stored', (...values) => {
  for (const value of values) expect(findUnstorable(value)).toBeUndefined();
});

test.each([
  ['\0', '', 'nul_character'],
  [{ a: ['x', { 'b/c~': 'y\0' }] }, '/a/1/b~1c~0', 'nul_character'],
  [{ a: { 'k\0': 1 } }, '/a', 'nul_character'],
  [['\ud83d'], '/0', 'invalid_text'],
  [['\ude00\ud83d'], '/0', 'invalid_text'],
  [{ a: Infinity }, '/a', 'number_out_of_range'],
  [nested(66), '/a'.repeat(65), 'nesting_too_deep'],
])('%j cannot, at %s', (value, path, code) => {
  expect(findUnstorable(value)).toMatchObject({ path, code });
});

test('equal values have one canonical text, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: 'x' }], a: null })).toBe('{"a":null,"b":[1,{"c":"x","d":1}]}');
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
