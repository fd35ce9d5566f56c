import fc from 'fast-check';
import { sortedOrder } from './order';

const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -5, max: 5 }) },
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 40, 0),
);

test('rows are sorted by the columns, and equal rows keep their order, whatever the range of the values', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })), { maxLength: 60 }),
      (rows) => {
        const columns = [
          Float64Array.from(rows, (r) => r[0]),
          Float64Array.from(rows, (r) => r[1]),
          Int32Array.from(rows, (r) => r[2]),
        ];
        const expected = rows
          .map((_, i) => i)
          .sort((a, b) => {
            for (const column of columns)
              if (column[a] !== column[b]) return (column[a] as number) < (column[b] as number) ? -1 : 1;
            return a - b;
          });
        expect([...sortedOrder(rows.length, columns)]).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});
