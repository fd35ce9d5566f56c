import fc from 'fast-check';
import { compileExpression } from '../expression/compile';
import { batchScore, castBoolean, roundScore, ScoreReach } from './scoring';

test('a filter or gate is cast as $boolean casts it', async () => {
  const cast = compileExpression('$boolean(left.v)');
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (v) => {
      const plain = JSON.parse(JSON.stringify(v)) as unknown;
      expect(castBoolean(plain)).toBe((await cast.evaluate({ left: { v: plain } })) === true);
    }),
    { numRuns: 500 },
  );
});

test.each([Infinity, -Infinity])('a filter or gate refuses %p wherever it stands, as $boolean does', (result) => {
  expect(() => castBoolean(result)).toThrow('Number out of range');
  expect(() => castBoolean([true, result])).toThrow('Number out of range');
});

test('NaN is false to a filter or gate, as $boolean has it', () => {
  expect([castBoolean(NaN), castBoolean([NaN])]).toEqual([false, false]);
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

/** Facts about a pair after some steps of its evaluation, and the results of the other matchers. */
interface Progress {
  scale: 1 | 100;
  threshold: number;
  weights: number[];
  order: number[];
  values: (number | null)[];
  known: number;
}

const progress: fc.Arbitrary<Progress> = fc.integer({ min: 1, max: 40 }).chain((size) =>
  fc
    .record({
      scale: fc.constantFrom<1 | 100>(1, 100),
      share: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0.25, 0.5, 0.7, 0.8)),
      weights: fc.array(fc.constantFrom(0, 0.1, 0.2, 0.4, 1, 7, 1e-9), { minLength: size, maxLength: size }),
      order: fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size },
      ),
      values: fc.array(fc.oneof(value, fc.constantFrom(0, 1)), { minLength: size, maxLength: size }),
      known: fc.integer({ min: 1, max: size }),
    })
    .map(({ share, ...rest }) => ({ ...rest, threshold: share * rest.scale })),
);

function isLost({ scale, threshold, weights, order, values, known }: Progress): boolean {
  let weight = 0;
  let weighted = 0;
  for (const index of order.slice(0, known)) {
    const own = values[index];
    if (own === null || own === undefined) continue;
    weight += weights[index] ?? 0;
    weighted += (weights[index] ?? 0) * own;
  }
  return new ScoreReach(scale, threshold, weights, order).isLost(known - 1, weight, weighted);
}

test('a pair given up as out of reach never reaches the threshold', () => {
  fc.assert(
    fc.property(progress, (state) => {
      fc.pre(isLost(state));
      const { scale, threshold, weights: all, order, values, known } = state;
      const evaluated = new Set(order.slice(0, known));
      expect(batchScore(scale, all, values)).toBeLessThan(threshold);
      expect(
        batchScore(
          scale,
          all,
          values.map((one, index) => (evaluated.has(index) ? one : 1)),
        ),
      ).toBeLessThan(threshold);
    }),
  );
});

test('a pair whose best outcome is well below the threshold is given up', () => {
  fc.assert(
    fc.property(progress, (state) => {
      const { scale, threshold, weights: all, order, values, known } = state;
      fc.pre(known < order.length);
      const evaluated = new Set(order.slice(0, known));
      const best = batchScore(
        scale,
        all,
        values.map((one, index) => (evaluated.has(index) ? one : 1)),
      );
      fc.pre(best < threshold - 1e-6 * scale);
      expect(isLost(state)).toBe(true);
    }),
  );
});

test('every score lies on the scale', () => {
  fc.assert(
    fc.property(
      weights,
      fc.array(value, { minLength: 6, maxLength: 6 }),
      fc.constantFrom<1 | 100>(1, 100),
      (all, values, scale) => {
        const score = batchScore(scale, all, values);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(scale);
      },
    ),
  );
});
