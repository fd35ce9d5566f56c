import fc from 'fast-check';
import { compileRuleSet } from '../../rule-set/compile';
import { trigramBits } from './stored-columns';
import { noDay } from '../../values/calendar';

const character = fc.oneof(
  fc.constantFrom('a', 'b', '1', '-', ' ', 'é', '€', '😀', '\u{1F468}\u200D\u{1F469}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = (maxLength: number) => fc.array(character, { maxLength }).map((characters) => characters.join(''));

test('a text has all parts of what it contains', () => {
  fc.assert(
    fc.property(text(200), text(200), text(200), (before, part, after) => {
      expect(trigramBits(part) & ~trigramBits(before + part + after)).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});

test('a number that another text does not contain lacks a part there, nearly always', () => {
  const numbers = Array.from({ length: 1_000 }, (_, i) => `INV-${1_000_000 + 7919 * i}`);
  const searched = numbers.filter(
    (one, i) => (trigramBits(one) & ~trigramBits(`PAGTO ${numbers[(i + 500) % 1_000] ?? ''} REF 729822`)) === 0,
  );
  expect(searched.length).toBeLessThan(100);
});

function pairsFound(expr: string, lefts: readonly unknown[], rights: readonly unknown[]): number[][] {
  const params = { Tmatch: 0.5, Tpossible: 0.1, matchers: [{ id: 'found', expr, weight: 1 }] };
  const batch = compileRuleSet({ engine: 'jsonata-batch', jsonataExpr: null, version: 1, params }).openBatch(2);
  for (const x of lefts) batch.addLeft({ x }, NaN, noDay);
  for (const x of rights) batch.addRight({ x }, NaN, noDay);
  for (const left of lefts.keys())
    for (let next = 0; next < rights.length;) next = batch.compare(left, next, rights.length) as number;
  return Array.from({ length: batch.kept.length }, (_, i) => [batch.kept.left(i), batch.kept.right(i)]);
}

const part = fc.oneof(fc.constantFrom('', 'a', 'ab', 'ab1', 'b1-a', 'ab1-ab1', '1-a'), text(300));
const value = fc.oneof({ weight: 5, arbitrary: part }, { weight: 1, arbitrary: fc.constant(undefined) });

test.each([
  ['texts', part],
  ['texts and nothing', value],
])('$contains of two columns of %s finds what a search of each text finds', (_name, any) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(any, part), { minLength: 1, maxLength: 12 }),
      fc.array(part, { minLength: 1, maxLength: 6 }),
      (whole, parts) => {
        const texts = whole.map(([one, other], i) =>
          one === undefined ? undefined : one + (parts[i % parts.length] ?? '') + other,
        );
        const expected = texts.flatMap((one, left) =>
          parts.flatMap((each, right) => (one?.includes(each) === true ? [[left, right]] : [])),
        );
        expect(pairsFound('$contains(left.x, right.x)', texts, parts)).toEqual(expected);
        const turned = parts.flatMap((each, left) =>
          texts.flatMap((one, right) => (one?.includes(each) === true ? [[left, right]] : [])),
        );
        expect(pairsFound('$contains(right.x, left.x)', parts, texts)).toEqual(turned);
      },
    ),
  );
});

test('$contains of texts that are too long to be kept finds what a search of each text finds', () => {
  const [lefts, rights] = [
    ['abc', 'xyz'],
    ['bca', 'cab', 'zxy', 'abz'],
  ];
  expect(pairsFound('$contains($join($map([1..500], function($i) { left.x })), right.x)', lefts, rights)).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
  ]);
  expect(
    pairsFound(
      '$contains(right.x, $substring($join($map([1..500], function($i) { left.x })), 1, 1100))',
      lefts,
      rights,
    ),
  ).toEqual([]);
});
