import fc from 'fast-check';
import { PossibleBound } from './possible-bound';

const idOf = (value: number): Uint8Array => {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(3, value);
  return id;
};

test('what is kept holds the best pairs of each left record, and what is cut is counted with its scores', () => {
  const pair = fc.record({ left: fc.nat(2), score: fc.integer({ min: 1, max: 4 }), right: fc.nat(1e9) });
  const pairs = fc.uniqueArray(pair, { maxLength: 60, selector: ({ right }) => right });
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 5 }), (given, max) => {
      const bound = new PossibleBound(max);
      const kept = given.filter(({ left, score, right }) => bound.keeps(left, score, idOf(right), 0));
      const gone = given.filter((one) => !kept.includes(one));
      expect(bound.cut).toBe(gone.length);
      expect(bound.cutScore).toBe(gone.reduce((sum, { score }) => sum + score, 0));
      for (const left of [0, 1, 2]) {
        const best = given
          .filter((one) => one.left === left)
          .sort((one, other) => other.score - one.score || one.right - other.right)
          .slice(0, max);
        expect(best.every((one) => kept.includes(one))).toBe(true);
      }
    }),
  );
});

test('equal pairs that come with descending ids are kept within the maximum of places', () => {
  const bound = new PossibleBound(2);
  const kept = [1, 2, 3, 4].filter((right) => bound.keeps(0, 0.5, idOf(right), 0));
  expect([kept, bound.cut]).toEqual([[1, 2], 2]);
});
