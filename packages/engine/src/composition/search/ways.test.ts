import fc from 'fast-check';
import { waysToTake } from './ways';

/** Counts, one by one, the ways to take `count` rows from the numbers of rows by day. */
function enumerated([first, ...others]: number[], count: number): number {
  if (first === undefined) return count === 0 ? 1 : 0;
  let ways = 0;
  for (let taken = 0; taken <= Math.min(first, count); taken++) ways += enumerated(others, count - taken);
  return ways;
}

test('the ways to take rows of some days are counted up to the limit', () => {
  const perDay = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 14 });
  fc.assert(
    fc.property(
      perDay,
      fc.nat({ max: 3 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (rowsPerDay, undated, count, limit) => {
        const days = Int32Array.from(rowsPerDay.flatMap((rows, day) => Array<number>(rows).fill(day)));
        const rows = Int32Array.from(days, (_, index) => index);
        const ways = waysToTake({ count, rows, from: 0, to: rows.length, days, undated, limit });
        expect(ways).toBe(Math.min(limit, enumerated(undated > 0 ? [...rowsPerDay, undated] : rowsPerDay, count)));
      },
    ),
  );
});
