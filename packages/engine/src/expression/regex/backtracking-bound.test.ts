import { backtrackingBound, maxLengthWithin } from './backtracking-bound';
import { parsePattern } from './pattern';

test.each([
  ['(a+)+$'],
  ['(a|a)*$'],
  ['(a|ab)*c'],
  ['(.*a){20}'],
  ['(x+x+)+y'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$'],
  ['(a?){20}a{20}'],
  ['(a*)*b'],
  ['(?:\\s*a?)+$'],
  ['([a-zA-Z]+)*1'],
  ['(\\w+\\s?)*$'],
])('/%s/ is known to backtrack without end', (source) => {
  expect(maxLengthWithin(backtrackingBound(parsePattern(source, '').root), 4_000_000)).toBe(-1);
});

test.each([
  ['[^0-9]', 1],
  ['\\bfoo\\b', 1],
  ['^INV-(\\d+)$', 1],
  ['\\s+$', 2],
  ['a+b', 2],
  ['(?:INV|BILL)-\\d{3,8}', 1],
  ['\\d+-\\d+', 2],
  ['(?:\\d+,)*\\d+;', 3],
  ['.*foo', 2],
  ['.*foo.*bar', 3],
])('/%s/ is bounded by a power of the length: %d', (source, degree) => {
  expect(backtrackingBound(parsePattern(source, '').root).degree).toBe(degree);
});
