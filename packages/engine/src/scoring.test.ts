import fc from 'fast-check';
import { compileExpression } from './expression/compile';
import { batchScore, castBoolean, isOutOfReach, roundScore } from './scoring';

test('a filter or gate is cast as $boolean casts it', async () => {
  const cast = compileExpression('$boolean(left.v)');
  await fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (v) => {
    const plain = JSON.parse(JSON.stringify(v)) as unknown;
    expect(castBoolean(plain)).toBe((await cast.evaluate({ left: { v: plain } })) === true);
  }), { numRuns: 500 });
});

test('a score loses floating-point noise and nothing else', () => {
  expect(roundScore(0.7999999999999999)).toBe(0.8);
  expect(roundScore(0.1 + 0.7)).toBe(0.8);
  expect(roundScore(57.00000000000001, 100)).toBe(57);
  expect(roundScore(1 / 3)).toBe(1 / 3);
  expect(roundScore(200 / 3, 100)).toBe(200 / 3);
  expect(roundScore(0.8999999999999)).toBe(0.8999999999999);
  expect(roundScore(99.9999999999)).toBe(99.9999999999);
  expect(Object.is(roundScore(-0), 0)).toBe(true);
});

const value = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1, noNaN: true }));
const weights = fc.array(fc.constantFrom(0, 0.1, 0.2, 0.4, 1, 7), { minLength: 1, maxLength: 6 });

test('a pair given up as out of reach never reaches the threshold', () => {
  fc.assert(fc.property(
    weights, fc.array(value, { minLength: 6, maxLength: 6 }), fc.nat({ max: 5 }), fc.constantFrom<1 | 100>(1, 100),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (all, values, known, scale, share) => {
      const threshold = share * scale;
      const seen = all.map((_weight, index) => (index < known ? values[index] : undefined));
      fc.pre(isOutOfReach(scale, threshold, all, seen));
      expect(batchScore(scale, all, values.slice(0, all.length))).toBeLessThan(threshold);
      expect(batchScore(scale, all, seen.map((one) => (one === undefined ? 1 : one)))).toBeLessThan(threshold);
    },
  ));
});

test('every score lies on the scale', () => {
  fc.assert(fc.property(weights, fc.array(value, { minLength: 6, maxLength: 6 }), fc.constantFrom<1 | 100>(1, 100), (all, values, scale) => {
    const score = batchScore(scale, all, values);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(scale);
  }));
});
