import fc from 'fast-check';
import { caseCount } from '../../../fuzz/config';
import { levenshteinSimilarity, jaroWinkler } from './similarity';
import { digitsOf, normalizeText } from './normalize';
import { tokenSetSimilarity } from './token-set';

/** Few characters, so that they meet; some outside the basic plane, one stray surrogate. */
const unit = fc.constantFrom('a', 'b', 'c', 'd', 'A', ' ', '-', 'é', '\u0301', '😀', '😁', '\ud83d', '7');
const text = fc.oneof(
  fc.string({ unit, maxLength: 12 }),
  fc.string({ unit, minLength: 28, maxLength: 70 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const measures = { jaroWinkler, levenshteinSimilarity, tokenSetSimilarity };

describe.each(Object.entries(measures))('%s', (_name, measure) => {
  test('does not depend on the order of its texts', () => {
    fc.assert(fc.property(text, text, (one, other) => measure(one, other) === measure(other, one)));
  });

  test('stays within 0 and 1', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const value = measure(one, other);
        return value >= 0 && value <= 1;
      }),
    );
  });

  test('is 1 for a text and itself', () => {
    fc.assert(fc.property(text, (one) => measure(one, one) === 1));
  });

  test('compares texts of any length within the first 1,024 characters', () => {
    const long = 'word '.repeat(100_000);
    expect(measure(long, `${long}x`)).toBe(1);
  });
});

test('Jaro-Winkler is what its definition gives', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(jaroWinkler(one, other)).toBeCloseTo(jaroWinklerByDefinition(Array.from(one), Array.from(other)), 12);
    }),
    { numRuns: caseCount(1_000) },
  );
});

test('Jaro-Winkler reads each character a few times, however often characters repeat', () => {
  const length = 1_000;
  const texts = ['a'.repeat(length), 'ab'.repeat(length / 2), 'b'.repeat(length), 'bca'.repeat(length / 2)];
  const reading = jest.spyOn(String.prototype, 'charCodeAt');
  try {
    for (const one of texts) for (const other of texts) jaroWinkler(one, other);
    expect(reading.mock.calls.length).toBeLessThan(12 * length * texts.length ** 2);
  } finally {
    reading.mockRestore();
  }
});

function jaroWinklerByDefinition(left: string[], right: string[]): number {
  if (left.join() === right.join()) return 1;
  const window = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const partner = left.map(() => -1);
  left.forEach((character, place) => {
    partner[place] = right.findIndex(
      (candidate, other) => candidate === character && Math.abs(other - place) <= window && !partner.includes(other),
    );
  });
  const matchedLeft = left.filter((_, place) => partner[place] !== -1);
  const matchedRight = right.filter((_, place) => partner.includes(place));
  const matches = matchedLeft.length;
  if (matches === 0) return 0;
  const swaps = Math.floor(matchedLeft.filter((character, place) => character !== matchedRight[place]).length / 2);
  const jaro = (matches / left.length + matches / right.length + (matches - swaps) / matches) / 3;
  const differing = [0, 1, 2, 3].find((place) => left[place] === undefined || left[place] !== right[place]) ?? 4;
  return jaro + differing * 0.1 * (1 - jaro);
}

test('Levenshtein is what its definition gives', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const left = Array.from(one);
      const right = Array.from(other);
      const longest = Math.max(left.length, right.length);
      const expected = longest === 0 ? 1 : 1 - editsByDefinition(left, right) / longest;
      expect(levenshteinSimilarity(one, other)).toBeCloseTo(expected, 12);
    }),
    { numRuns: caseCount(1_000) },
  );
});

function editsByDefinition(left: string[], right: string[]): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, character] of left.entries()) {
    const next = [index + 1];
    for (const [other, candidate] of right.entries()) {
      const replaced = (row[other] ?? 0) + (candidate === character ? 0 : 1);
      next.push(Math.min(replaced, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

test('edits of two steps never exceed the sum of the steps', () => {
  const edits = (one: string, other: string): number =>
    (1 - levenshteinSimilarity(one, other)) * Math.max(Array.from(one).length, Array.from(other).length);
  fc.assert(
    fc.property(
      text,
      text,
      text,
      (one, between, other) => edits(one, other) <= edits(one, between) + edits(between, other) + 1e-9,
    ),
  );
});

test('1,024 different characters on each side, none in the basic plane, keep apart', () => {
  const characters = (from: number): string =>
    Array.from({ length: 1_024 }, (_, index) => String.fromCodePoint(from + index)).join('');
  expect(jaroWinkler(characters(0x20000), characters(0x21000))).toBe(0);
  expect(levenshteinSimilarity(characters(0x20000), characters(0x21000))).toBe(0);
});

test('the order and repetition of words never change a token set', () => {
  const words = fc.array(fc.constantFrom('acme', 'ltd', 'são', 'x1'), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, text, (list, other) => {
      const rearranged = [...list, ...list].reverse().join(' ');
      return tokenSetSimilarity(list.join(' '), other) === tokenSetSimilarity(rearranged, other);
    }),
  );
});

test('a normalised text is normal', () => {
  const any = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 30 }));
  fc.assert(
    fc.property(any, (one) => {
      expect(normalizeText(normalizeText(one))).toBe(normalizeText(one));
    }),
    { numRuns: caseCount(3_000) },
  );
});

test('a normalised text is letters and digits, one blank between words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (one) => {
      expect(normalizeText(one)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u);
    }),
  );
});

test('case never changes a normalised ASCII text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }),
      (one) => normalizeText(one.toUpperCase()) === normalizeText(one.toLowerCase()),
    ),
  );
});

test('each decimal digit of Unicode is read as its value', () => {
  const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(
    (point) => point < 0xd800 || point > 0xdfff,
  );
  const digits = points
    .map((point) => String.fromCodePoint(point))
    .filter((one) => /\p{Nd}/u.test(one))
    .join('');
  expect(digitsOf(digits)).toBe('0123456789'.repeat(Array.from(digits).length / 10));
});
