import fc from 'fast-check';
import { createLogger } from '@tieout/infra';
import { createLocalBuckets, type Allowance, type ClaimAllowances } from './bucket';
import { defaultRateLimits } from './classes';
import { createRateLimiter, type RateLimiter } from './limiter';

const logger = createLogger('test', 'silent');

/** Processes that share buckets, with a clock of the test's. */
function cluster(perMinute: number, processes = 1) {
  const clock = { ms: 0 };
  const nowMs = () => clock.ms;
  const buckets = createLocalBuckets(nowMs);
  let statements = 0;
  const shared: ClaimAllowances = (claims) => {
    statements += 1;
    return Promise.resolve(claims.map(buckets));
  };
  const limits = { ...defaultRateLimits, write: perMinute };
  const limiters = Array.from({ length: processes }, () => createRateLimiter({ limits, shared, logger, nowMs }));
  return { clock, limiters, statements: () => statements };
}

const take = async (limiter: RateLimiter | undefined, count: number, owner = 'a'): Promise<Allowance[]> =>
  Promise.all(Array.from({ length: count }, () => Promise.resolve(limiter?.take(owner, 'write') as Allowance)));

const accepted = (answers: readonly Allowance[]): number =>
  answers.filter(({ retryAfterSeconds }) => retryAfterSeconds === 0).length;

const arrivals = fc.array(fc.record({ afterMs: fc.nat(400), process: fc.nat(2), count: fc.nat(40) }), {
  maxLength: 60,
});

test('a class without a limit is not counted', () => {
  expect(cluster(0).limiters[0]?.take('a', 'write')).toBeUndefined();
});

test('as many as the limit go on at once, and what remains is told with each', async () => {
  const { limiters } = cluster(5);
  const answers: Allowance[] = [];
  for (let i = 0; i < 6; i++) answers.push(...(await take(limiters[0], 1)));
  expect(answers.map(({ remaining, retryAfterSeconds }) => [remaining, retryAfterSeconds])).toEqual([
    [4, 0],
    [3, 0],
    [2, 0],
    [1, 0],
    [0, 0],
    [0, 12],
  ]);
  expect(answers.map(({ limit, resetSeconds }) => [limit, resetSeconds])).toEqual([
    [5, 12],
    [5, 24],
    [5, 36],
    [5, 48],
    [5, 60],
    [5, 60],
  ]);
});

test('what remains is never less than nothing nor more than the limit, whoever asks and when', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600_000 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const told = await take(limiters[process], count);
        expect(told.filter(({ remaining }) => remaining < 0 || remaining > perMinute)).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});

test('after the time that a refusal names, one more may go on', async () => {
  const { limiters, clock } = cluster(7);
  const [refusal] = (await take(limiters[0], 8)).slice(-1);
  clock.ms += (refusal?.retryAfterSeconds ?? 0) * 1000;
  expect(accepted(await take(limiters[0], 3))).toBe(1);
});

test('what one owner uses is not missed by another', async () => {
  const { limiters } = cluster(10);
  await take(limiters[0], 100, 'a');
  expect(accepted(await take(limiters[0], 10, 'b'))).toBe(10);
});

test('a minute of rest gives the whole allowance back', async () => {
  const { limiters, clock } = cluster(100);
  await take(limiters[0], 100);
  clock.ms += 60_000;
  expect(accepted(await take(limiters[0], 200))).toBe(100);
});

test('a steady stream asks the shared buckets a few times a second', async () => {
  const { limiters, clock, statements } = cluster(300_000);
  for (let i = 0; i < 2000; i++) {
    expect(accepted(await take(limiters[0], 2))).toBe(2);
    clock.ms += 1;
  }
  expect(statements()).toBeLessThan(2 * 20);
});

test('while the shared buckets are away each process limits by itself, and later they are used again', async () => {
  const clock = { ms: 0 };
  let away = true;
  const buckets = createLocalBuckets(() => clock.ms);
  const asked: number[] = [];
  const limiter = createRateLimiter({
    limits: { ...defaultRateLimits, write: 10 },
    shared: (claims) => {
      asked.push(clock.ms);
      return away ? Promise.reject(new Error('away')) : Promise.resolve(claims.map(buckets));
    },
    logger,
    nowMs: () => clock.ms,
  });
  expect(accepted(await take(limiter, 20))).toBe(10);
  away = false;
  clock.ms = 6_000;
  expect(accepted(await take(limiter, 20))).toBe(10);
  expect(asked.filter((ms) => ms === 6_000)).not.toEqual([]);
});

test('processes together never accept more than the limit and what fills up meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      const times: number[] = [];
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const many = accepted(await take(limiters[process], count));
        times.push(...Array.from({ length: many }, () => clock.ms));
      }
      // What was taken ahead may be used a second later.
      const allowed = (fromMs: number, toMs: number): number =>
        perMinute + ((toMs - fromMs + 1_000) * perMinute) / 60_000 + 1e-6;
      const excess = times.find((from, i) => times.some((to, j) => j - i + 1 > allowed(from, to)));
      expect(excess).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test('nobody is refused who stays below the limit by what the other processes may have taken ahead', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 20, max: 400 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      let asked = 0;
      const most = Math.floor(perMinute * 0.8);
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const now = Math.min(count, most - asked);
        asked += now;
        expect(accepted(await take(limiters[process], now))).toBe(now);
      }
    }),
    { numRuns: 100 },
  );
});
