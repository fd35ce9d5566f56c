import fc from 'fast-check';
import { formatDay } from '../../values/calendar';
import { amountClose } from './amount-close';
import { dayFunctions } from './days';

const { businessDaysBetween, daysBetween } = dayFunctions('UTC');

const firstDay = -719_162;
const lastDay = 2_932_896;
const date = fc.integer({ min: firstDay, max: lastDay }).map(formatDay);
const nearDay = fc.integer({ min: 19_000, max: 19_100 });
const calendar = fc.record({
  weekend: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
  holidays: fc.array(nearDay.map(formatDay), { maxLength: 20 }),
});

test.each([
  ['daysBetween', daysBetween],
  ['businessDaysBetween', businessDaysBetween],
])('%s is antisymmetric', (_name, between) => {
  fc.assert(fc.property(date, date, (one, other) => (between(one, other) ?? NaN) + (between(other, one) ?? NaN) === 0));
});

test.each([
  ['daysBetween', daysBetween],
  ['businessDaysBetween', businessDaysBetween],
])('%s of two stages add up', (_name, between) => {
  fc.assert(
    fc.property(
      date,
      date,
      date,
      (one, middle, other) => (between(one, middle) ?? NaN) + (between(middle, other) ?? NaN) === between(one, other),
    ),
  );
});

test('days between the first and the last day of the calendar are whole numbers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: firstDay, max: lastDay }),
      fc.integer({ min: firstDay, max: lastDay }),
      (from, to) => daysBetween(formatDay(from), formatDay(to)) === to - from,
    ),
  );
});

test('business days are those that a walk over the days finds', () => {
  fc.assert(
    fc.property(nearDay, nearDay, calendar, (one, other, { weekend, holidays }) => {
      const [first, last] = one < other ? [one, other] : [other, one];
      let expected = 0;
      for (let day = first + 1; day <= last; day++) {
        const isoWeekday = new Date(day * 86_400_000).getUTCDay() || 7;
        if (!weekend.includes(isoWeekday) && !holidays.includes(formatDay(day))) expected++;
      }
      expect(businessDaysBetween(formatDay(first), formatDay(last), { weekend, holidays })).toBe(expected);
    }),
  );
});

test('a calendar that changes in place is read again', () => {
  const holidays = ['2024-12-25'];
  expect(businessDaysBetween('2024-12-24', '2024-12-27', holidays)).toBe(2);
  holidays[0] = '2024-12-24';
  expect(businessDaysBetween('2024-12-24', '2024-12-27', holidays)).toBe(3);
});

test('more calendars than are remembered stay apart', () => {
  const days = Array.from({ length: 30 }, (_, index) => formatDay(19_000 + index));
  const holidaysOf = (index: number): string[] => days.slice(0, index % 30);
  const counts = Array.from({ length: 90 }, (_, index) =>
    businessDaysBetween(formatDay(18_999), formatDay(19_029), { weekend: [], holidays: holidaysOf(index) }),
  );
  expect(counts).toEqual(Array.from({ length: 90 }, (_, index) => 30 - (index % 30)));
});

interface Decimal {
  units: bigint;
  text: string;
}

const decimal = (limit: bigint, scale: number): fc.Arbitrary<Decimal> =>
  fc.bigInt({ min: -limit, max: limit }).map((units) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    return {
      units: units * 10n ** BigInt(6 - scale),
      text: `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`,
    };
  });
const amount = fc.oneof(
  decimal(1_000n, 2),
  decimal(20_000n, 4),
  decimal(9_007_199_254_740_991n, 2),
  decimal(9_007_199_254_740_991n, 4),
);
const tolerance = fc.oneof(decimal(100n, 2), decimal(20_000n, 6)).map(({ units, text }) => ({
  units: units < 0n ? -units : units,
  value: Math.abs(Number(text)),
}));
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

test('amounts are close exactly where exact decimals say so', () => {
  fc.assert(
    fc.property(amount, amount, tolerance, fc.option(tolerance, { nil: undefined }), (one, other, limit, percent) => {
      const gap = absolute(one.units - other.units);
      const larger = absolute(one.units) > absolute(other.units) ? absolute(one.units) : absolute(other.units);
      const expected = gap <= limit.units || (percent !== undefined && gap * 100_000_000n <= percent.units * larger);
      expect(amountClose(one.text, other.text, limit.value, percent?.value)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('amounts next to the boundary are told apart', () => {
  const gapUnits = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000, max: 100_000 }),
      gapUnits,
      gapUnits,
      (units, gap, limit) => amountClose(units / 100, (units + gap) / 100, limit / 100) === gap <= limit,
    ),
  );
});

test('closeness does not depend on the order of the amounts', () => {
  fc.assert(
    fc.property(
      amount,
      amount,
      tolerance,
      tolerance,
      (one, other, limit, percent) =>
        amountClose(one.text, other.text, limit.value, percent.value) ===
        amountClose(other.text, one.text, limit.value, percent.value),
    ),
  );
});

test('a number counts as the decimal text that it is written as', () => {
  const decimals = fc.integer({ min: 0, max: 6 });
  const number = fc
    .oneof(
      fc.double({ min: -1e11, max: 1e11, noNaN: true }),
      fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), decimals).map(([units, scale]) => units / 10 ** scale),
    )
    .filter((value) => !String(value).includes('e'));
  fc.assert(
    fc.property(number, number, fc.constantFrom(0, 0.01, 0.0001, 5), (one, other, limit) => {
      expect(amountClose(one, other, limit)).toBe(amountClose(String(one), String(other), limit));
      expect(amountClose(one, String(one), 0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
