import fc from 'fast-check';
import { backtrackingBound, longestWithin } from './cost';
import { parsePattern } from './pattern';
import { flagsOf, patterns, texts } from './testing/arbitraries';
import { backtrackingSteps, TooManySteps } from './testing/backtracking';

/** As RegExp would take them, with each part of the pattern that is tried counting as one. */
function stepsOver(source: string, flags: string, text: string): number {
  try {
    return backtrackingSteps(parsePattern(source, flags).root, text, 200_000);
  } catch (error) {
    if (error instanceof TooManySteps) return Infinity;
    throw error;
  }
}

function boundOver(source: string, flags: string, text: string): number {
  const { degree, factor } = backtrackingBound(parsePattern(source, flags).root);
  return Number.isFinite(degree) ? factor * (text.length + 1) ** degree : Infinity;
}

const repeated = fc.tuple(texts, fc.integer({ min: 1, max: 8 })).map(([text, times]) => text.repeat(times));

test('backtracking never takes more than four times the bound', () => {
  fc.assert(
    fc.property(patterns, flagsOf, repeated, (source, flags, text) => {
      expect(stepsOver(source, flags, text)).toBeLessThanOrEqual(4 * boundOver(source, flags, text));
    }),
    { numRuns: 4_000 },
  );
});

test.each([
  ['(a+)+$'], ['(a|a)*$'], ['(a|ab)*c'], ['(.*a){20}'], ['(x+x+)+y'], ['^(([a-z])+.)+[A-Z]([a-z])+$'], ['(a?){20}a{20}'], ['(a*)*b'],
  ['(?:\\s*a?)+$'], ['([a-zA-Z]+)*1'], ['(\\w+\\s?)*$'],
])('/%s/ is known to backtrack without end', (source) => {
  expect(longestWithin(backtrackingBound(parsePattern(source, '').root), 4_000_000)).toBe(-1);
});

test.each([
  ['[^0-9]', 1], ['\\bfoo\\b', 1], ['^INV-(\\d+)$', 1], ['\\s+$', 2], ['a+b', 2], ['(?:INV|BILL)-\\d{3,8}', 1], ['\\d+-\\d+', 2],
  ['(?:\\d+,)*\\d+;', 3], ['.*foo', 2], ['.*foo.*bar', 3],
])('/%s/ is bounded by a power of the length: %d', (source, degree) => {
  expect(backtrackingBound(parsePattern(source, '').root).degree).toBe(degree);
});
