import fc from 'fast-check';
import { formatDay, readDay } from './calendar';
import { dayInZone, isTimezone } from './zone';

test.each([
  ['America/New_York', '2026-03-01T23:30:00-05:00', '2026-03-01'],
  ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08'],
  ['America/New_York', '2026-03-09T03:59:59Z', '2026-03-08'],
  ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
  ['America/Sao_Paulo', '2018-11-04T02:30:00Z', '2018-11-03'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04'],
  ['Asia/Kathmandu', '2026-03-01T18:14:59Z', '2026-03-01'],
  ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02'],
  ['Pacific/Kiritimati', '2026-02-28T10:00:00Z', '2026-03-01'],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ['Europe/Berlin', '2026-03-01', '2026-03-01'],
  ['Europe/Berlin', '2026-03-01T23:30:00', '2026-03-01'],
  ['America/New_York', '2026-03-01 00:10:00', '2026-03-01'],
  ['UTC', '2026-03-01T23:30:00-05:00', '2026-03-02'],
])('in %s the day of %s is %s', (zone, text, day) => {
  const reading = readDay(text, dayInZone(zone));
  expect(reading.ok && formatDay(reading.day)).toBe(day);
});

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['america/sao_paulo', true],
  ['Mars/Olympus', false],
  ['+03:00', false],
  ['', false],
])('%s is a time zone: %s', (name, known) => {
  expect(isTimezone(name)).toBe(known);
});

test('the day in a zone is that of its clock, at any moment', () => {
  const zones = ['America/St_Johns', 'Australia/Lord_Howe', 'Europe/Lisbon', 'Asia/Tehran', 'America/Sao_Paulo'];
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2_000_000_000 }), (zone, seconds) => {
      const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(seconds * 1_000);
      expect(formatDay(dayInZone(zone)(seconds))).toBe(clock);
    }),
    { numRuns: 500 },
  );
});
