import { setTimeout } from 'node:timers/promises';
import { singleFlight } from './single-flight';

test('all callers meanwhile, and for a while after, share one run', async () => {
  let runs = 0;
  const shared = singleFlight(60_000, async () => (runs++, setTimeout(5, runs)));
  expect(await Promise.all([shared(), shared()])).toEqual([1, 1]);
  expect(await shared()).toBe(1);
  shared.forget();
  expect(await shared()).toBe(2);
});

test('a result is forgotten after its time', async () => {
  let runs = 0;
  const shared = singleFlight(0, () => Promise.resolve(++runs));
  await shared();
  while ((await shared()) === 1) await setTimeout(1);
  expect(runs).toBeGreaterThan(1);
});

test('a failure is not kept for later callers', async () => {
  let runs = 0;
  const shared = singleFlight(60_000, async () => {
    runs++;
    if (runs === 1) throw new Error('away');
    return runs;
  });
  await expect(shared()).rejects.toThrow('away');
  expect(await shared()).toBe(2);
});
