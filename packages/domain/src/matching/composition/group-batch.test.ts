import fc from 'fast-check';
import type { CompositeDirection } from '@tieout/engine';
import { cutGroups } from './group-batch';

const directions = fc.constantFrom<CompositeDirection[]>(
  ['one_to_many'],
  ['many_to_one'],
  ['one_to_many', 'many_to_one'],
);
const counts = fc.record({ left: fc.integer({ min: 1, max: 5_000 }), right: fc.integer({ min: 1, max: 5_000 }) });
const limits = fc.record({
  groupTargets: fc.integer({ min: 1, max: 3_000 }),
  groupBatches: fc.integer({ min: 3, max: 20 }),
});

test('every target is in exactly one slice, in the order of the rows', () => {
  fc.assert(
    fc.property(directions, counts, limits, (all, pool, limit) => {
      const slices = cutGroups(all, pool, limit);
      for (const direction of all) {
        let next = 0;
        for (const slice of slices.filter((one) => one.direction === direction)) {
          expect(slice.from).toBe(next);
          expect(slice.to).toBeGreaterThan(slice.from);
          next = slice.to;
        }
        expect(next).toBe(direction === 'one_to_many' ? pool.left : pool.right);
      }
    }),
  );
});

test('the number of slices keeps to the limit', () => {
  fc.assert(
    fc.property(directions, counts, limits, (all, pool, limit) =>
      expect(cutGroups(all, pool, limit).length).toBeLessThanOrEqual(limit.groupBatches),
    ),
  );
});

test.each([
  { left: 0, right: 5 },
  { left: 5, right: 0 },
])('a pool with an empty side (%o) has no slices', (pool) => {
  expect(cutGroups(['one_to_many', 'many_to_one'], pool, { groupTargets: 10, groupBatches: 10 })).toEqual([]);
});
