import { Machine } from './machine';
import { parsePattern } from './pattern';
import { compileProgram } from './program';

const machineOf = (source: string, flags: string): Machine =>
  new Machine(compileProgram(parsePattern(source, flags)), undefined);

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
  expect(machineOf(source, flags).match(text, 0, () => undefined)).toEqual(
    spans(new RegExp(source, `${flags}d`).exec(text)),
  );
});

/** Start and end of the match and of its groups, -1 for those that took no part. */
function spans(found: RegExpExecArray | null): number[] | undefined {
  return found?.indices?.flatMap((span) => span ?? [-1, -1]);
}

test('the steps of the machine grow with the text as its length does', () => {
  const machine = machineOf('^(([a-z])+.)+[A-Z]([a-z])+$', '');
  const stepsFor = (length: number): number => {
    let steps = 0;
    machine.match('a'.repeat(length), 0, (done) => (steps += done));
    return steps;
  };
  expect(stepsFor(20_000) / stepsFor(10_000)).toBeLessThan(2.01);
});
