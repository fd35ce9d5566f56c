import { createGate } from './gate';

test('no more tasks run at a time than allowed, all run, in order, also behind one that fails', async () => {
  const gate = createGate(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const task = (i: number) => async (): Promise<number> => {
    started.push(i);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (i === 1) throw new Error('failed');
    return i;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => gate(task(i))));
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
});
