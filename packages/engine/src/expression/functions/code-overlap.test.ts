import fc from 'fast-check';
import { codeOverlap } from './code-overlap';

/** The same by looking for each code in the whole text. */
function slowOverlap(first: string, second: string): number | undefined {
  const codesIn = (text: string): string[] =>
    text.split(' ').filter((word) => /\d/.test(word) && word.length >= (/[a-z]/.test(word) ? 4 : 5));
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
  const squeezed = (text: string): string => text.replaceAll(' ', '');
  const found = Math.max(best(ones, squeezed(second)), best(others, squeezed(first)));
  return found === 0 && (ones.length === 0 || others.length === 0) ? undefined : found;
}

test('finds what looking for each code in the whole text finds', () => {
  const word = fc.array(fc.constantFrom('a', 'b', '1', '2'), { minLength: 1, maxLength: 9 }).map((all) => all.join(''));
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(codeOverlap(one, other)).toBe(slowOverlap(one, other));
    }),
    { numRuns: 3_000 },
  );
});
