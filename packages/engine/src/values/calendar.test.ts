import fc from 'fast-check';
import { addMonths, formatDay, readDay } from './calendar';

const msPerDay = 86_400_000;
const firstDay = -719_162;
const lastDay = 2_932_896;
const unreadable = { ok: false, reason: 'unreadable' };
const missing = { ok: false, reason: 'missing' };

/** The platform's calendar, which is proleptic Gregorian too. */
function utcDay(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / msPerDay;
}

test('every day of the years 0001 to 9999 is read back from its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: firstDay, max: lastDay }), (day) => {
      const text = formatDay(day);
      expect(readDay(text)).toEqual({ ok: true, day });
      expect(new Date(day * msPerDay).toISOString().slice(0, 10)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test('a text is a day if and only if it is the day of a timestamp', () => {
  const dayLike = fc.stringMatching(/^[0-9a]{4}-[0-2][0-9:]-[0-3][0-9][T0]?$/);
  fc.assert(
    fc.property(dayLike, (text) => {
      expect(readDay(text)).toEqual(readDay(`${text}T00:00:00Z`));
    }),
    { numRuns: 2_000 },
  );
});

test('the edges of the calendar are exact', () => {
  expect(readDay('0001-01-01')).toEqual({ ok: true, day: firstDay });
  expect(readDay('9999-12-31')).toEqual({ ok: true, day: lastDay });
  expect(readDay('1970-01-01')).toEqual({ ok: true, day: 0 });
  expect(readDay('1969-12-31')).toEqual({ ok: true, day: -1 });
  expect(readDay('2000-02-29')).toEqual({ ok: true, day: utcDay(2000, 2, 29) });
});

test.each([
  '2025-02-30',
  '1900-02-29',
  '2025-13-01',
  '2025-00-10',
  '2025-01-00',
  '0000-01-01',
  '2025-1-1',
  '20250101',
  '2025-01-01T24:00:00Z',
  '2025-01-01T10:60:00Z',
  '2025-01-01T10:00:61Z',
  '2025-01-01T10:00Z',
  '2025-01-01T10:00:00+24:00',
  '2025-01-01T10:00:00+0300',
  '2025-01-01T10:00:00.Z',
  '2025-01-01Z',
  'tomorrow',
  '01/02/2025',
  '2025-01-01x',
  ' 2025-01-01',
  '12025-01-01',
  '2025-02-30T10:00:00Z',
  '9999-12-31T23:30:00-03:00',
  '0001-01-01T00:30:00+03:00',
])('%j is unreadable', (text) => {
  expect(readDay(text)).toEqual(unreadable);
});

test.each([[20250101], [true], [{}], [['2025-01-01']], [1.7e12]])('%j is unreadable', (value) => {
  expect(readDay(value)).toEqual(unreadable);
});

test.each([[null], [undefined], [''], ['  ']])('%j is missing', (value) => {
  expect(readDay(value)).toEqual(missing);
});

test.each([
  ['2025-01-31T23:59:59Z', 2025, 1, 31],
  ['2025-01-31T23:30:00-03:00', 2025, 2, 1],
  ['2025-02-01T00:30:00+01:00', 2025, 1, 31],
  ['2025-01-31 23:59:59', 2025, 1, 31],
  ['2025-01-31t10:00:00.123456z', 2025, 1, 31],
  ['2016-12-31T23:59:60Z', 2016, 12, 31],
  ['2016-12-31T18:59:60-05:00', 2016, 12, 31],
  ['2025-03-01T00:00:00-00:00', 2025, 3, 1],
])('%j counts on its UTC day', (text, year, month, day) => {
  expect(readDay(text)).toEqual({ ok: true, day: utcDay(year, month, day) });
});

test('a timestamp counts on the UTC day that the platform gives it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true }),
      fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
      (instant, offset) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 23);
        const sign = offset < 0 ? '-' : '+';
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
        expect(readDay(`${local}${sign}${hours}:${minutes}`)).toEqual({
          ok: true,
          day: Math.floor(instant.getTime() / msPerDay),
        });
      },
    ),
  );
});

function dayOf(text: string): number {
  const reading = readDay(text);
  return reading.ok ? reading.day : NaN;
}

test.each([
  ['2025-01-31', 1, '2025-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2025-01-31', 2, '2025-03-31'],
  ['2025-10-31', 4, '2026-02-28'],
  ['2025-12-15', 1, '2026-01-15'],
  ['2025-12-15', 0, '2025-12-15'],
  ['2025-01-15', 60, '2030-01-15'],
  ['2025-03-31', -1, '2025-02-28'],
  ['2025-11-30', 1, '2025-12-30'],
])('%s and %i months is %s', (from, months, to) => {
  expect(formatDay(addMonths(dayOf(from), months))).toBe(to);
});

test("months keep the day of the month, or its last day, like the platform's calendar", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: firstDay + 400, max: lastDay - 4_000 }),
      fc.integer({ min: -12, max: 60 }),
      (day, months) => {
        const from = new Date(day * msPerDay);
        const lastDay = utcDay(from.getUTCFullYear(), from.getUTCMonth() + months + 2, 0);
        const same = utcDay(from.getUTCFullYear(), from.getUTCMonth() + months + 1, from.getUTCDate());
        expect(addMonths(day, months)).toBe(Math.min(same, lastDay));
      },
    ),
    { numRuns: 2_000 },
  );
});
