import { createGuessLimit } from './guess-limit';

describe('guess limit', () => {
  let nowMs = 0;
  const limit = () => createGuessLimit(() => nowMs);
  const fail = (guesses: ReturnType<typeof limit>, times: number, address = 'a') => {
    for (let i = 0; i < times; i++) guesses.failed(address);
  };
  beforeEach(() => (nowMs = 1_000_000));

  test('allows an address twenty failures within a minute', () => {
    const guesses = limit();
    fail(guesses, 19);
    expect(guesses.waitSeconds('a')).toBe(0);
    fail(guesses, 1);
    expect(guesses.waitSeconds('a')).toBe(60);
  });

  test('opens again when the minute is over, with a fresh allowance', () => {
    const guesses = limit();
    fail(guesses, 20);
    nowMs += 59_500;
    expect(guesses.waitSeconds('a')).toBe(1);
    nowMs += 500;
    expect(guesses.waitSeconds('a')).toBe(0);
    fail(guesses, 19);
    expect(guesses.waitSeconds('a')).toBe(0);
  });

  test('refuses one address without affecting another', () => {
    const guesses = limit();
    fail(guesses, 20, 'a');
    expect(guesses.waitSeconds('b')).toBe(0);
  });

  test('forgets the oldest address above the max', () => {
    const guesses = limit();
    fail(guesses, 20, 'first');
    for (let i = 0; i < 9_999; i++) guesses.failed(`other-${i}`);
    expect(guesses.waitSeconds('first')).toBe(60);
    guesses.failed('one too many');
    expect(guesses.waitSeconds('first')).toBe(0);
  });
});
