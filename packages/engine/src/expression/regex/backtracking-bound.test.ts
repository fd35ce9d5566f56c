import { backtrackingBound, maxLengthWithin } from './backtracking-bound';
import { parsePattern } from './pattern';

test.each([
  ['(a+)+$'],
  ['(a|a)*$'],
  ['(a|ab|b)*c'],
  ['(.*a){20}'],
  ['(x+x+)+y'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$'],
  ['(a?){20}a{20}'],
  ['(a*)*b'],
  ['(?:\\s*a?)+$'],
  ['([a-zA-Z]+)*1'],
  ['(\\w+\\s?)*$'],
  ['(?: +(?:refu|refund|refu(?:nd)?))+$'],
  ['(?: +[A-Z0-9]*[0-9][A-Z0-9]*)+$'],
  ['(?:ab?|b|a)+$'],
  ['(?:(?:ab)+)+$'],
  ['(?:a{1,2})+$'],
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
  ['.*foo', 2],
  ['.*foo.*bar', 3],
  // Each text has one way through these, although a loop has several ways of going on.
  ['(?: +(?:rent|rents|refund))+ *$', 2],
  ['(?: +(?:invoic(?:e)?|[A-Z-]*\\d[A-Z\\d-]*))+ *$', 2],
  ['^(?:(?:ab|ac),)*$', 1],
  ['(a|ab)*c', 2],
  ['(?:\\d+,)*\\d+;', 2],
  ['(?:[a-z]+(?:-[a-z]+){0,2} )+x', 2],
])('/%s/ is bounded by a power of the length: %d', (source, degree) => {
  expect(backtrackingBound(parsePattern(source, '').root).degree).toBe(degree);
});
