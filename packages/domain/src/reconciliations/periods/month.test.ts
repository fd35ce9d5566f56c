import {
  assertBegun,
  assertEnded,
  assertMonth,
  lastDayOf,
  monthAfter,
  periodOf,
  statusOfMonth,
  todayIn,
} from './month';

test.each([
  ['2026-01', '2026-01-31'],
  ['2026-02', '2026-02-28'],
  ['2024-02', '2024-02-29'],
  ['0099-12', '0099-12-31'],
])('the last day of %s is %s', (month, day) => {
  expect(lastDayOf(month)).toBe(day);
});

test.each([
  ['2026-01-31', '2026-02'],
  ['2026-12-31', '2027-01'],
  ['0999-12-31', '1000-01'],
])('the month after that of %s is %s', (day, month) => {
  expect(monthAfter(day)).toBe(month);
});

test.each(['2026-13', '2026-00', '26-01', '0000-01', '9999-12', '2026-01-01', ''])('%s is not a month', (text) => {
  expect(() => {
    assertMonth(text);
  }).toThrow('must be a month such as 2026-03');
});

const months = { closedTo: '2026-02-28', lockedTo: '2026-01-31' };

test.each([
  ['2025-12', 'locked'],
  ['2026-01', 'locked'],
  ['2026-02', 'closed'],
  ['2026-03', 'open'],
  [null, 'locked'],
])('a group of %s is in a month that is %s', (month, status) => {
  expect(statusOfMonth(month, months)).toBe(status);
  expect(statusOfMonth(month, { closedTo: null, lockedTo: null })).toBe('open');
});

test.each<[string, (string | null)[], string | null, string | null]>([
  ['its latest month', ['2026-01-31', null, '2026-02-01'], null, '2026-02'],
  ['no month without days', [null], null, null],
  ['the first open month, if its own is closed', ['2026-01-31'], '2026-02-28', '2026-03'],
  ['the first open month without days', [], '2026-12-31', '2027-01'],
  ['its latest month, if that is open', ['2026-05-01'], '2026-02-28', '2026-05'],
])('a group belongs to %s', (_what, days, closedTo, month) => {
  expect(periodOf(days, { closedTo, lockedTo: null })).toBe(month);
});

describe.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Niue'])('in %s', (zone) => {
  const today = todayIn(zone);
  const current = today.slice(0, 7);
  const before = new Date(Date.parse(`${current}-01`) - 1).toISOString().slice(0, 7);

  test('the current month is closed, and not locked', () => {
    assertBegun(current, zone);
    expect(() => {
      assertEnded(current, zone);
    }).toThrow(`ends on ${lastDayOf(current)} in ${zone}: lock it after that day`);
  });

  test('a past month is closed and locked', () => {
    assertBegun(before, zone);
    assertEnded(before, zone);
  });

  test('a month that has not begun is neither', () => {
    expect(() => {
      assertBegun(monthAfter(today), zone);
    }).toThrow('has not begun');
  });
});
