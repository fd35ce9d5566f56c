import fc from 'fast-check';
import { codeOverlap } from './code-overlap';

/** The same by looking for each code in the whole text. */
function slowOverlap(first: string, second: string): number | undefined {
  const isCode = (word: string): boolean => /\d/.test(word) && word.length >= (/[a-z]/.test(word) ? 4 : 5);
  const joined = ([first = '', second, ...others]: readonly string[]): string[] => {
    if (second === undefined) return [first];
    return isCode(first) && /^\d+$/.test(second)
      ? joined([first + second, ...others])
      : [first, ...joined([second, ...others])];
  };
  const codesIn = (text: string): string[] =>
    text
      .split(' ')
      .flatMap((token) => joined(token.split('/')))
      .filter(isCode);
  const best = (codes: readonly string[], text: string): number =>
    Math.max(
      0,
      ...codes.map((code) => {
        if (text.includes(code)) return 1;
        if (code.length >= 6 && text.includes(code.slice(0, -1))) return 0.7;
        return code.length >= 7 && text.includes(code.slice(0, -2)) ? 0.5 : 0;
      }),
    );
  const [ones, others] = [codesIn(first), codesIn(second)];
  const squeezed = (text: string): string => text.replaceAll(/[ /]/g, '');
  const found = Math.max(best(ones, squeezed(second)), best(others, squeezed(first)));
  return found === 0 && (ones.length === 0 || others.length === 0) ? undefined : found;
}

test('finds what looking for each code in the whole text finds', () => {
  const word = fc.array(fc.constantFrom('a', 'b', '1', '2'), { minLength: 1, maxLength: 9 }).map((all) => all.join(''));
  const separator = fc.constantFrom(' ', ' ', '/');
  const text = fc
    .array(fc.tuple(word, separator), { maxLength: 30 })
    .map((words) => words.map(([own, after]) => own + after).join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(codeOverlap(one, other)).toBe(slowOverlap(one, other));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['payment RE-2025/0017', 'RE-2025/0017', 1],
  ['payment RE 2025 0017', 'RE-2025/0017', 1],
  ['payment RE-2025/0017', 'RE-2025/0342', 0],
  ['payment RG-0017/2025', 'RG-0342/2025', 0],
  ['payment RE-2025/0017/KD-4711', 'KD-4711', 1],
  ['payment RE-2025/0017, RE-2025/0018', 'RE-2025/0018', 1],
  ['printer AB1234/BK', 'AB1234/CL', 1],
])('%s and %s share %d: a number behind a slash belongs to the code before it', (one, other, share) => {
  expect(codeOverlap(one, other)).toBe(share);
});
