import fc from 'fast-check';
import { compileExpression } from '../compile';

const letter = fc.constantFrom(...'aAzZ[{@`iIkK 0_', 'ß', 'İ', 'ı', 'ſ', 'K', 'Σ', 'ς', 'σ', 'é', 'É', '\u0307', '😀');
const text = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));

/** A text, and one that differs from it in the case of its letters or by a few more of them. */
const related = fc
  .tuple(text, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), fc.oneof(fc.constant(''), text))
  .map(([left, flips, more]) => ({
    left,
    right:
      [...left]
        .map((each, i) => (flips[i] ? (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()) : each))
        .join('') + more,
  }));

test.each([
  ['lowercase', (each: string) => each.toLowerCase()],
  ['uppercase', (each: string) => each.toUpperCase()],
])('texts are the same in one case exactly when what $%s makes of them is', (name, convert) => {
  const { evaluate } = compileExpression(`$${name}(left) = $${name}(right)`);
  fc.assert(
    fc.property(fc.oneof(related, fc.record({ left: text, right: text })), ({ left, right }) => {
      expect(evaluate({ left, right })).toBe(convert(left) === convert(right));
    }),
    { numRuns: 2_000 },
  );
});

test('$trim leaves one space where blanks stood within a text, and none at its ends', () => {
  const { evaluate } = compileExpression('$trim(text)');
  const blanked = fc
    .array(fc.constantFrom(' ', '\t', '\n', '\r', '\v', '\u00a0', '\u0120', 'a', 'é', '漢'), { maxLength: 8 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(blanked, (value) => {
      expect(evaluate({ text: value })).toBe(value.replace(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, ''));
    }),
    { numRuns: 2_000 },
  );
});

test('a day is as many milliseconds as Date says, in every year that has four digits', () => {
  const { evaluate } = compileExpression('$toMillis(day)');
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(1000, 0, 1) / 86_400_000, max: Date.UTC(9999, 11, 31) / 86_400_000 }),
      (days) => {
        expect(evaluate({ day: new Date(days * 86_400_000).toISOString().slice(0, 10) })).toBe(days * 86_400_000);
      },
    ),
    { numRuns: 2_000 },
  );
});
