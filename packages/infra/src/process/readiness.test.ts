import { createLogger } from '../kernel/logger';
import { createReadiness } from './readiness';

const logger = createLogger('test', 'silent');

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function start(stopping?: AbortSignal) {
  jest.useFakeTimers();
  let isUp = true;
  let asked = 0;
  const readiness = createReadiness(
    { store: () => (asked++, isUp ? Promise.resolve() : Promise.reject(new Error('away'))) },
    logger,
    stopping,
  );
  return { readiness, asked: () => asked, set: (state: boolean) => void (isUp = state) };
}

test('the checks run once for all callers within a second, then again', async () => {
  const { readiness, asked, set } = start();
  expect((await Promise.all(Array.from({ length: 1_000 }, readiness))).every(({ ready }) => ready)).toBe(true);
  set(false);
  expect([(await readiness()).ready, asked()]).toEqual([true, 1]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([(await readiness()).ready, asked()]).toEqual([false, 2]);
  set(true);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([(await readiness()).ready, asked()]).toEqual([true, 3]);
});

test('a process that is asked to stop is checked again at once', async () => {
  const stopping = new AbortController();
  const { readiness, set } = start(stopping.signal);
  expect((await readiness()).ready).toBe(true);
  set(false);
  stopping.abort();
  expect((await readiness()).ready).toBe(false);
});

test('the log has failed checks when a failure begins, every ten seconds, and the recovery', async () => {
  const { readiness, set } = start();
  const logged: unknown[] = [];
  jest.spyOn(logger, 'warn').mockImplementation((line: unknown) => void logged.push(line));
  jest.spyOn(logger, 'info').mockImplementation((line: unknown) => void logged.push(line));
  set(false);
  for (let second = 0; second < 15; second++) {
    await Promise.all(Array.from({ length: 10 }, readiness));
    await jest.advanceTimersByTimeAsync(1_000);
  }
  set(true);
  await readiness();
  expect(logged).toEqual([
    { check: 'store', reason: 'away', failures: 1 },
    { check: 'store', reason: 'away', failures: 11 },
    { failures: 15 },
  ]);
});
