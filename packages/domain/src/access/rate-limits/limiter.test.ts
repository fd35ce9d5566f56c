import fc from 'fast-check';
import { createLogger } from '@tieout/infra';
import { createLocalBuckets, type Allowance, type ClaimAllowances } from './bucket';
import { defaultRateLimits } from './limits';
import { createRateLimiter, type RateLimiter } from './limiter';

const logger = createLogger('test', 'silent');

/** Limiters of several processes over shared buckets, with a clock that the test sets. */
function cluster(perMinute: number, processes = 1) {
  const clock = { ms: 0 };
  const nowMs = () => clock.ms;
  const buckets = createLocalBuckets(nowMs);
  let statements = 0;
  const shared: ClaimAllowances = (claims) => {
    statements++;
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

test('requests up to the limit are accepted at once, each with the rest of the allowance', async () => {
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

test('the rest of the allowance is always between 0 and the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600_000 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const answers = await take(limiters[process], count);
        expect(answers.filter(({ remaining }) => remaining < 0 || remaining > perMinute)).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});

test('after the time that a refusal names, one more request is accepted', async () => {
  const { limiters, clock } = cluster(7);
  const [refusal] = (await take(limiters[0], 8)).slice(-1);
  clock.ms += (refusal?.retryAfterSeconds ?? 0) * 1000;
  expect(accepted(await take(limiters[0], 3))).toBe(1);
});

test('owners have separate allowances', async () => {
  const { limiters } = cluster(10);
  await take(limiters[0], 100, 'a');
  expect(accepted(await take(limiters[0], 10, 'b'))).toBe(10);
});

test('the allowance is full again after a minute without requests', async () => {
  const { limiters, clock } = cluster(100);
  await take(limiters[0], 100);
  clock.ms += 60_000;
  expect(accepted(await take(limiters[0], 200))).toBe(100);
});

test('a steady stream asks the shared buckets a few times a second', async () => {
  const { limiters, clock, statements } = cluster(300_000);
  for (let i = 0; i < 2000; i++) {
    expect(accepted(await take(limiters[0], 2))).toBe(2);
    clock.ms++;
  }
  expect(statements()).toBeLessThan(2 * 20);
});

test('each process limits by itself while the shared buckets are down, and uses them again later', async () => {
  const clock = { ms: 0 };
  let isDown = true;
  const buckets = createLocalBuckets(() => clock.ms);
  const asked: number[] = [];
  const limiter = createRateLimiter({
    limits: { ...defaultRateLimits, write: 10 },
    shared: (claims) => {
      asked.push(clock.ms);
      return isDown ? Promise.reject(new Error('down')) : Promise.resolve(claims.map(buckets));
    },
    logger,
    nowMs: () => clock.ms,
  });
  expect(accepted(await take(limiter, 20))).toBe(10);
  isDown = false;
  clock.ms = 6_000;
  expect(accepted(await take(limiter, 20))).toBe(10);
  expect(asked.filter((ms) => ms === 6_000)).not.toEqual([]);
});

test('all processes together never accept more than the limit plus the refill', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      const times: number[] = [];
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const acceptedCount = accepted(await take(limiters[process], count));
        times.push(...Array.from({ length: acceptedCount }, () => clock.ms));
      }
      // A prefetched allowance may be used up to a second later.
      const allowed = (fromMs: number, toMs: number): number =>
        perMinute + ((toMs - fromMs + 1_000) * perMinute) / 60_000 + 1e-6;
      const excess = times.find((from, i) => times.some((to, j) => j - i + 1 > allowed(from, to)));
      expect(excess).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test('no request is refused below the limit minus what other processes may prefetch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 20, max: 400 }), arrivals, async (perMinute, steps) => {
      const { clock, limiters } = cluster(perMinute, 3);
      let asked = 0;
      const maxAsked = Math.floor(perMinute * 0.8);
      for (const { afterMs, process, count } of steps) {
        clock.ms += afterMs;
        const now = Math.min(count, maxAsked - asked);
        asked += now;
        expect(accepted(await take(limiters[process], now))).toBe(now);
      }
    }),
    { numRuns: 100 },
  );
});
