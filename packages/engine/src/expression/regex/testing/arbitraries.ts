import fc from 'fast-check';

const atoms = fc.constantFrom(
  'a', 'b', 'c', 'K', '1', ' ', '-', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '[ab]', '[^a]', '[^]', '[]', '[a-c_]', '[\\W]', '[^\\w\\s]',
  '\\u017f', 'é', 'ß', '\\ud83d', '\\n', '\\x41',
);
const quantifiers = fc
  .tuple(fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '{0}'), fc.constantFrom('', '', '?'))
  .map((parts) => parts.join(''));
const assertions = fc.constantFrom('', '', '^', '$', '\\b', '\\B');

/** Sources of regular expressions with groups, choices, repetitions in one another and assertions. */
export const patterns: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => {
  const pattern = tie('pattern');
  const join = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.tuple(...parts).map((texts) => texts.join(''));
  const text = (value: string): fc.Arbitrary<string> => fc.constant(value);
  return {
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atoms,
      join(atoms, quantifiers),
      join(pattern, pattern),
      join(text('(?:'), pattern, text('|'), pattern, text(')')),
      join(text('('), pattern, text(')')),
      join(text('('), pattern, text('|'), fc.oneof(pattern, text('')), text(')'), quantifiers),
      join(text('(?:'), pattern, text(')'), quantifiers),
      join(assertions, pattern, assertions),
    ),
  };
}).pattern;

export const flagsOf = fc.constantFrom('', 'i', 'm', 'im');

const pieces = [
  'a', 'b', 'c', 'A', 'k', 'K', '\u212a', '\u017f', 's', 'S', '1', '9', ' ', '\n', '\r', '\u2028', '_', '-', 'é', 'É', 'ß', 'ẞ', 'µ', 'μ',
  '\ud83d\ude00', '\ud83d',
];

/** Short texts of what the patterns are about, with the traps of case and of characters of two units. */
export const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
