import { setTimeout } from 'node:timers/promises';
import { singleFlight } from './single-flight';

test('all who ask meanwhile, and for a while after, share one look', async () => {
  let looks = 0;
  const look = singleFlight(60_000, async () => ((looks += 1), setTimeout(5, looks)));
  expect(await Promise.all([look(), look()])).toEqual([1, 1]);
  expect(await look()).toBe(1);
  look.forget();
  expect(await look()).toBe(2);
});

test('what has been seen is forgotten after its time', async () => {
  let looks = 0;
  const look = singleFlight(0, () => Promise.resolve((looks += 1)));
  await look();
  while ((await look()) === 1) await setTimeout(1);
  expect(looks).toBeGreaterThan(1);
});

test("a look that fails is nobody else's", async () => {
  let looks = 0;
  const look = singleFlight(60_000, async () => {
    looks += 1;
    if (looks === 1) throw new Error('away');
    return looks;
  });
  await expect(look()).rejects.toThrow('away');
  expect(await look()).toBe(2);
});
