import fc from 'fast-check';
import { NONE } from './char-set';
import { firstUnits, isNullable } from './first';
import { Machine } from './machine';
import { parsePattern } from './pattern';
import { compileProgram, NoProgram } from './program';
import { flagsOf, patterns, texts } from './testing/arbitraries';

function machineOf(source: string, flags: string): Machine | undefined {
  const parsed = parsePattern(source, flags);
  try {
    return new Machine(compileProgram(parsed), isNullable(parsed.root) ? undefined : firstUnits(parsed.root, NONE));
  } catch (error) {
    if (error instanceof NoProgram) return undefined;
    throw error;
  }
}

/** Start and end of the match and of its groups, -1 for those that took no part. */
function spansOfRegExp(source: string, flags: string, text: string, from: number): number[] | undefined {
  const regex = new RegExp(source, `${flags}gd`);
  regex.lastIndex = from;
  return regex.exec(text)?.indices?.flatMap((span) => span ?? [-1, -1]);
}

test('the machine gives the match and the groups that RegExp gives', () => {
  fc.assert(
    fc.property(patterns, flagsOf, texts, fc.nat(3), (source, flags, text, from) => {
      const slots = machineOf(source, flags)?.match(text, Math.min(from, text.length), () => undefined);
      const expected = spansOfRegExp(source, flags, text, Math.min(from, text.length));
      if (machineOf(source, flags) !== undefined) expect(slots).toEqual(expected);
    }),
    { numRuns: 4_000 },
  );
});

test.each([
  ['(?:(a)|b)*', '', 'ab'],
  ['(a*)*', '', 'b'],
  ['(?:a?)*?$', '', 'aab'],
  ['(z)((a+)?(b+)?(c))*', '', 'zaacbbbcac'],
  ['(a?)??b', '', 'ab'],
  ['\\w', 'i', '\u017f\u212ak'],
  ['[^\\W]', 'i', '\u017fs'],
  ['^.$', 'm', 'ab\u2028c\r\nd'],
  ['.', '', '\ud83d\ude00'],
  ['[]|[^]', '', '\n'],
  ['\\bfoo\\b', '', 'a foo-bar'],
  ['\\cA|\\x41|\\u0042|\\0', '', 'AB'],
  ['(?<year>\\d{4})-(?<month>\\d\\d)', '', 'on 2026-11-21'],
  ['{,2}]', '', 'x{,2}]'],
])('/%s/%s finds in %j what RegExp finds', (source, flags, text) => {
  expect(machineOf(source, flags)?.match(text, 0, () => undefined)).toEqual(spansOfRegExp(source, flags, text, 0));
});

test('the steps of the machine grow with the text as its length does', () => {
  const machine = machineOf('^(([a-z])+.)+[A-Z]([a-z])+$', '');
  const stepsFor = (length: number): number => {
    let steps = 0;
    machine?.match('a'.repeat(length), 0, (done) => (steps += done));
    return steps;
  };
  expect(stepsFor(20_000) / stepsFor(10_000)).toBeLessThan(2.01);
});
