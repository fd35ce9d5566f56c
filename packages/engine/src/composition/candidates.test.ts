import fc from 'fast-check';
import { noDay } from '../values/calendar';
import { Candidates } from './candidates';
import { anyDay } from './day-ranges';
import { maxSetMembers } from './limits';
import { MemberIndex, undatedLast } from './member-index';
import type { CompositeTarget } from './target';
import type { CompositionSide } from './types';

interface Row {
  amount: number;
  day: number;
  isTaken: boolean;
}

const row = (amount: fc.Arbitrary<number>): fc.Arbitrary<Row> =>
  fc.record({
    amount,
    day: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.constant(noDay)),
    isTaken: fc.boolean(),
  });
/** Few amounts give classes of more rows than a set has members. */
const rows = fc.oneof(
  fc.array(row(fc.integer({ min: -50, max: 900 })), { minLength: 1, maxLength: 120 }),
  fc.array(row(fc.constantFrom(0, 20)), { minLength: 300, maxLength: 500 }),
  fc.array(row(fc.integer({ min: 2 ** 45, max: 2 ** 46 })), { minLength: 40, maxLength: 60 }),
);
const ranges = fc.oneof(
  fc.constant([anyDay]),
  fc.integer({ min: 0, max: 3 }).map((day) => [{ from: day, to: day + 1 }]),
  fc.constant([
    { from: 0, to: 0 },
    { from: 2, to: 3 },
  ]),
);

const sums = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2 ** 45, max: 2 ** 46 }));

function sideOf(given: readonly Row[]): CompositionSide {
  const { length } = given;
  return {
    length,
    units: Float64Array.from(given, ({ amount }) => amount),
    day: Int32Array.from(given, ({ day }) => day),
    group: new Int32Array(length).fill(-1),
    totalCount: new Int32Array(length),
    position: new Int32Array(length),
    unitValue: new Float64Array(length).fill(NaN),
  };
}

test('candidates are the free rows on the days, by day and row, of which the order by amount is known', () => {
  fc.assert(
    fc.property(rows, ranges, sums, fc.boolean(), (given, days, maxSum, negative) => {
      const options = { grouped: false, allowNegativeAmounts: negative };
      const index = new MemberIndex(sideOf(given), 1, options);
      const candidates = new Candidates(
        index,
        Uint8Array.from(given, ({ isTaken }) => Number(isTaken)),
        negative,
      );
      const target = { maxSum, day: 1, evidenceOf: null } as CompositeTarget;
      if (index.groups > 0) candidates.gather(target, 0, days);

      const dayOf = (of: number): number => (given[of]?.day === noDay ? undatedLast : (given[of]?.day ?? 0));
      const expected = given
        .map((_, of) => of)
        .filter((of) => {
          const { amount, isTaken } = given[of] as Row;
          const isSized = amount !== 0 && (negative || (amount > 0 && amount <= maxSum));
          return isSized && !isTaken && days.some(({ from, to }) => dayOf(of) >= from && dayOf(of) <= to);
        })
        .sort((one, other) => dayOf(one) - dayOf(other) || one - other);
      const seen = new Map<string, number>();
      const kept = expected.filter((of) => {
        const likeness = `${dayOf(of)} ${given[of]?.amount}`;
        seen.set(likeness, (seen.get(likeness) ?? 0) + 1);
        return candidates.byAmount !== undefined || (seen.get(likeness) as number) <= maxSetMembers;
      });
      const { count } = candidates;
      const found = Array.from(candidates.places.subarray(0, count), (place) => index.row[place] as number);
      const amounts = [...candidates.amounts.subarray(0, count)];
      expect(found).toEqual(kept);
      expect(amounts).toEqual(found.map((of) => given[of]?.amount));
      if (candidates.byAmount === undefined) return;
      const byAmount = [...amounts.keys()].sort(
        (one, other) => (amounts[other] as number) - (amounts[one] as number) || one - other,
      );
      expect([...candidates.byAmount.subarray(0, count)]).toEqual(byAmount);
    }),
    { numRuns: 300 },
  );
});
