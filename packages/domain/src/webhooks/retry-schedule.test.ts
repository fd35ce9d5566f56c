import fc from 'fast-check';
import { attemptOutcomes } from '../kernel/metrics';
import type { AttemptOutcome } from './outcomes';
import {
  afterAttempt,
  defaultDeliveryPolicy,
  delaysPattern,
  parseDelays,
  type DeliveryPolicy,
  type FinishedAttempt,
} from './retry-schedule';

const attempt = (changes: Partial<FinishedAttempt>): FinishedAttempt => ({
  trigger: 'schedule',
  scheduled: 1,
  previousOutcome: null,
  staleConnection: false,
  ...changes,
});

const minutes = (count: number): number => count * 60_000;

/**
 * Returns the minutes after the first attempt at which attempts are made that fail this way; the last outcome repeats.
 */
function attemptMinutes(failures: AttemptOutcome | readonly AttemptOutcome[], policy: DeliveryPolicy): number[] {
  const outcomeOf = (number: number): AttemptOutcome =>
    typeof failures === 'string' ? failures : (failures[Math.min(number, failures.length) - 1] as AttemptOutcome);
  const times = [0];
  for (let scheduled = 1; ; scheduled++) {
    const previousOutcome = scheduled === 1 ? null : outcomeOf(scheduled - 1);
    const next = afterAttempt(outcomeOf(scheduled), attempt({ scheduled, previousOutcome }), policy);
    if (next.status !== 'retry_scheduled') return times;
    times.push((times.at(-1) as number) + next.delayMs / 60_000);
  }
}

test('six attempts are made, at the times of the schedule', () => {
  expect(attemptMinutes('http_status', defaultDeliveryPolicy)).toEqual([0, 5, 35, 95, 275, 755]);
});

test('a first attempt may take 5 s, a retry 10 s', () => {
  expect(defaultDeliveryPolicy).toMatchObject({ firstTimeoutMs: 5_000, retryTimeoutMs: 10_000 });
});

test('a seventh attempt comes 12 hours later where the operator allows it', () => {
  expect(attemptMinutes('timeout', { ...defaultDeliveryPolicy, maxAttempts: 7 }).at(-1)).toBe(755 + 720);
});

test('after the last delay of the list that delay repeats', () => {
  const policy = { ...defaultDeliveryPolicy, retryDelaysMs: [minutes(1), minutes(2)], maxAttempts: 5 };
  expect(attemptMinutes('dns_error', policy)).toEqual([0, 1, 3, 5, 7]);
});

test.each<[string, AttemptOutcome[], number[]]>([
  [
    'is repeated at once, and counts as an attempt of the schedule',
    ['interrupted', 'http_status'],
    [0, 0, 30, 90, 270, 750],
  ],
  ['is repeated at once after a failure too', ['http_status', 'interrupted', 'http_status'], [0, 5, 5, 65, 245, 725]],
  [
    'is repeated at its scheduled time when the one before was interrupted too',
    ['interrupted'],
    [0, 0, 30, 90, 270, 750],
  ],
])('an interrupted attempt %s', (_what, failures, expected) => {
  expect(attemptMinutes(failures, defaultDeliveryPolicy)).toEqual(expected);
});

test('an attempt over a stale connection is repeated at once, and counts', () => {
  const after = (scheduled: number) =>
    afterAttempt('connection_reset', attempt({ scheduled, staleConnection: true }), defaultDeliveryPolicy);
  expect([after(1), after(6)]).toEqual([{ status: 'retry_scheduled', delayMs: 0 }, { status: 'abandoned' }]);
});

test('whatever the outcomes, no more attempts are made than allowed, and only success ends the schedule early', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...attemptOutcomes), { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (all, maxAttempts) => {
        const policy = { ...defaultDeliveryPolicy, maxAttempts };
        const states = all.map(
          (outcome, i) =>
            afterAttempt(outcome, attempt({ scheduled: i + 1, previousOutcome: all[i - 1] ?? null }), policy).status,
        );
        const end = states.findIndex((status) => status !== 'retry_scheduled');
        expect(end).toBeLessThan(maxAttempts);
        expect(states[end]).toBe(all[end] === 'delivered' ? 'delivered' : 'abandoned');
      },
    ),
  );
});

test.each(attemptOutcomes.filter((outcome) => outcome !== 'delivered'))(
  'a manual attempt that ends with %s leaves the delivery unchanged',
  (outcome) => {
    expect(afterAttempt(outcome, attempt({ trigger: 'manual', scheduled: 6 }), defaultDeliveryPolicy)).toEqual({
      status: 'resume',
    });
  },
);

test('delays are parsed with their units', () => {
  expect(parseDelays('100ms,5s,30m,12h')).toEqual([100, 5_000, minutes(30), minutes(720)]);
});

test.each(['', '5', '5m,', '0s', '5 m', 'm', '5d'])('delays "%s" are refused', (text) => {
  expect(new RegExp(delaysPattern).test(text)).toBe(false);
});
