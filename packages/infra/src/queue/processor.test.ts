import fc from 'fast-check';
import { unreadableDelayMs } from './processor';

test('an unreadable job is taken up ever less often, and at least four times a minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (attemptsStarted) => {
      expect(unreadableDelayMs(attemptsStarted + 1)).toBeGreaterThanOrEqual(unreadableDelayMs(attemptsStarted));
      expect(unreadableDelayMs(attemptsStarted)).toBeGreaterThan(0);
      expect(unreadableDelayMs(attemptsStarted)).toBeLessThanOrEqual(15_000);
    }),
  );
});

test('the delay grows with the number of delays, however often the job is passed on in between', () => {
  expect([1, 2, 3, 4, 8, 12, 40].map(unreadableDelayMs)).toEqual([250, 500, 750, 1_000, 1_250, 1_500, 3_250]);
});
