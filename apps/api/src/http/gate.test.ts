import { createGate } from './gate';

test('the tasks that run weigh no more than the capacity; all run, in order, also behind one that fails', async () => {
  const gate = createGate(10);
  const started: number[] = [];
  let weight = 0;
  let most = 0;
  const run = (own: number, i: number): Promise<number> =>
    gate(own, async () => {
      started.push(i);
      most = Math.max(most, (weight += Math.min(own, 10)));
      await new Promise((resolve) => setImmediate(resolve));
      weight -= Math.min(own, 10);
      if (i === 1) throw new Error('failed');
      return i;
    });
  const outcomes = await Promise.allSettled([4, 6, 1, 99, 5, 5].map(run));
  expect(most).toBe(10);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
});
