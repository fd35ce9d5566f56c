import { nextMoment } from './triggers';

/** Lists the moments of a schedule from one on. */
function momentsOf(cron: string, timezone: string, from: string, count: number): string[] {
  const moments: string[] = [];
  let at = new Date(from);
  while (moments.length < count) moments.push((at = nextMoment(cron, timezone, at)).toISOString().slice(0, 16));
  return moments;
}

describe('a schedule follows the clock of its zone', () => {
  test.each<[string, string, string, string, string[]]>([
    [
      'noon when clocks go forward',
      '0 12 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['2026-03-28T11:00', '2026-03-29T10:00', '2026-03-30T10:00'],
    ],
    [
      'noon when clocks go back',
      '0 12 * * *',
      'Europe/Berlin',
      '2026-10-24T00:00Z',
      ['2026-10-24T10:00', '2026-10-25T11:00', '2026-10-26T11:00'],
    ],
    [
      'a time that does not exist runs once, an hour later',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice runs once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'forward in America',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:30', '2026-03-09T06:30'],
    ],
    [
      'back in America',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'forward in the south',
      '30 2 * * *',
      'Australia/Sydney',
      '2026-10-03T00:00Z',
      ['2026-10-03T16:30', '2026-10-04T15:30'],
    ],
    [
      'back in the south',
      '30 2 * * *',
      'Australia/Sydney',
      '2026-04-03T20:00Z',
      ['2026-04-04T15:30', '2026-04-05T16:30'],
    ],
    [
      'a midnight that does not exist runs at one',
      '0 0 * * *',
      'America/Santiago',
      '2026-09-05T00:00Z',
      ['2026-09-05T04:00', '2026-09-06T04:00', '2026-09-07T03:00'],
    ],
    [
      'back by half an hour',
      '0 2 * * *',
      'Australia/Lord_Howe',
      '2026-04-03T12:00Z',
      ['2026-04-03T15:00', '2026-04-04T15:30', '2026-04-05T15:30'],
    ],
    [
      'forward by half an hour',
      '10,15,30 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T12:00Z',
      ['2026-10-03T15:30', '2026-10-03T15:40', '2026-10-03T15:45', '2026-10-04T15:10'],
    ],
    [
      'a time that two hours bring twice runs once',
      '15 2 * * *',
      'Antarctica/Troll',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:15', '2026-10-26T02:15'],
    ],
    [
      'every half hour when clocks go back',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:50Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'every hour when clocks go forward',
      '0 * * * *',
      'America/New_York',
      '2026-03-08T05:30Z',
      ['2026-03-08T06:00', '2026-03-08T07:00', '2026-03-08T08:00'],
    ],
  ])('%s', (_what, cron, timezone, from, expected) => {
    expect(momentsOf(cron, timezone, from, expected.length)).toEqual(expected);
  });
});
