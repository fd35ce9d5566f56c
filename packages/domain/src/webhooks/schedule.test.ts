import fc from 'fast-check';
import { outcomes, type Outcome } from './outcomes';
import {
  afterAttempt,
  defaultDeliveryPolicy,
  delaysPattern,
  parseDelays,
  type DeliveryPolicy,
  type MadeAttempt,
} from './schedule';

const attempt = (changes: Partial<MadeAttempt>): MadeAttempt => ({
  trigger: 'schedule',
  scheduled: 1,
  before: null,
  staleConnection: false,
  ...changes,
});

const minutes = (count: number): number => count * 60_000;

/** Minutes after the first attempt at which attempts are made that fail so, the last way going on. */
function attemptMinutes(failures: Outcome | readonly Outcome[], policy: DeliveryPolicy): number[] {
  const outcomeOf = (number: number): Outcome =>
    typeof failures === 'string' ? failures : (failures[Math.min(number, failures.length) - 1] as Outcome);
  const times = [0];
  for (let scheduled = 1; ; scheduled++) {
    const before = scheduled === 1 ? null : outcomeOf(scheduled - 1);
    const next = afterAttempt(outcomeOf(scheduled), attempt({ scheduled, before }), policy);
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

test('a seventh attempt comes 12 hours later where the operator wants it', () => {
  expect(attemptMinutes('timeout', { ...defaultDeliveryPolicy, maxAttempts: 7 }).at(-1)).toBe(755 + 720);
});

test('beyond the list of delays its last one is repeated', () => {
  const policy = { ...defaultDeliveryPolicy, retryDelaysMs: [minutes(1), minutes(2)], maxAttempts: 5 };
  expect(attemptMinutes('dns_error', policy)).toEqual([0, 1, 3, 5, 7]);
});

test.each<[string, Outcome[], number[]]>([
  ['is repeated at once and takes its place in the schedule', ['interrupted', 'http_status'], [0, 0, 30, 90, 270, 750]],
  ['is repeated at once after a failure too', ['http_status', 'interrupted', 'http_status'], [0, 5, 5, 65, 245, 725]],
  [
    'is followed as the schedule says when the one before was interrupted too',
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

test('whatever the outcomes, there are never more attempts than allowed, and only a delivered one ends the schedule early', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...outcomes), { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (all, maxAttempts) => {
        const policy = { ...defaultDeliveryPolicy, maxAttempts };
        const states = all.map(
          (outcome, i) =>
            afterAttempt(outcome, attempt({ scheduled: i + 1, before: all[i - 1] ?? null }), policy).status,
        );
        const end = states.findIndex((status) => status !== 'retry_scheduled');
        expect(end).toBeLessThan(maxAttempts);
        expect(states[end]).toBe(all[end] === 'delivered' ? 'delivered' : 'abandoned');
      },
    ),
  );
});

test.each(outcomes.filter((outcome) => outcome !== 'delivered'))(
  'an attempt by hand that ends with %s leaves the delivery as it was',
  (outcome) => {
    expect(afterAttempt(outcome, attempt({ trigger: 'manual', scheduled: 6 }), defaultDeliveryPolicy)).toEqual({
      status: 'resume',
    });
  },
);

test('delays are read with their units', () => {
  expect(parseDelays('100ms,5s,30m,12h')).toEqual([100, 5_000, minutes(30), minutes(720)]);
});

test.each(['', '5', '5m,', '0s', '5 m', 'm', '5d'])('delays "%s" are refused', (text) => {
  expect(new RegExp(delaysPattern).test(text)).toBe(false);
});
