import { createGuessLimit, type GuessLimit } from './guess-limit';

describe('guess limit', () => {
  let nowMs = 0;
  const limit = () => createGuessLimit(() => nowMs);
  const fail = (guesses: ReturnType<typeof limit>, times: number, address = 'a', user = 'oncall') => {
    for (let i = 0; i < times; i++) guesses.failed(address, user);
  };
  const waitSeconds = (guesses: GuessLimit, address: string, user: string): number =>
    guesses.waitOf(address, user)?.seconds ?? 0;
  beforeEach(() => (nowMs = 1_000_000));

  test('allows an address twenty failures for a user within a minute', () => {
    const guesses = limit();
    fail(guesses, 19);
    expect(waitSeconds(guesses, 'a', 'oncall')).toBe(0);
    fail(guesses, 1);
    expect(waitSeconds(guesses, 'a', 'oncall')).toBe(60);
  });

  test('opens again when the minute is over, with a fresh allowance', () => {
    const guesses = limit();
    fail(guesses, 20);
    nowMs += 59_500;
    expect(waitSeconds(guesses, 'a', 'oncall')).toBe(1);
    nowMs += 500;
    expect(waitSeconds(guesses, 'a', 'oncall')).toBe(0);
    fail(guesses, 19);
    expect(waitSeconds(guesses, 'a', 'oncall')).toBe(0);
  });

  test('refuses one address without affecting another', () => {
    const guesses = limit();
    fail(guesses, 20, 'a');
    expect(waitSeconds(guesses, 'b', 'oncall')).toBe(0);
  });

  test('refuses one user of an address without affecting another', () => {
    const guesses = limit();
    fail(guesses, 20, 'a', 'admin');
    expect([guesses.waitOf('a', 'admin'), guesses.waitOf('a', 'oncall')]).toEqual([
      { seconds: 60, isForUser: true },
      undefined,
    ]);
  });

  test('refuses all users of an address that guesses as many of them', () => {
    const guesses = limit();
    for (let i = 0; i < 100; i++) guesses.failed('a', `user ${i}`);
    expect([guesses.waitOf('a', 'oncall'), guesses.waitOf('b', 'oncall')]).toEqual([
      { seconds: 60, isForUser: false },
      undefined,
    ]);
  });

  test('forgets the oldest address above the max', () => {
    const guesses = limit();
    fail(guesses, 20, 'first');
    for (let i = 0; i < 9_999; i++) guesses.failed(`other-${i}`, 'oncall');
    expect(waitSeconds(guesses, 'first', 'oncall')).toBe(60);
    guesses.failed('one too many', 'oncall');
    expect(waitSeconds(guesses, 'first', 'oncall')).toBe(0);
  });
});
