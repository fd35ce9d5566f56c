import fc from 'fast-check';
import { Lanes } from './lanes';

/** A look that answers when it is told to. */
function lanesOn(front?: number) {
  const found = { front };
  const lanes = new Lanes(() => Promise.resolve(found.front));
  const numbers = (tenantId: string, jobs: number, cost: number, nowMs = 0): number[] => Array.from({ length: jobs }, () => lanes.next(tenantId, cost, 1, nowMs));
  const looked = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { lanes, found, numbers, looked };
}

test('the jobs of a tenant are numbered one after the other, those of each tenant for itself', () => {
  const { numbers } = lanesOn();
  expect([numbers('a', 3, 1), numbers('b', 2, 1), numbers('a', 1, 1)]).toEqual([[1, 2, 3], [1, 2], [4]]);
});

test('many small jobs take the place of a large one', () => {
  const { numbers } = lanesOn();
  expect(numbers('a', 5, 0.25).concat(numbers('a', 1, 1))).toEqual([1, 1, 1, 1, 2, 2]);
});

test('a job gets no number below the one that is asked for', () => {
  const { lanes } = lanesOn();
  expect([lanes.next('a', 1, 7, 0), lanes.next('a', 1, 1, 0)]).toEqual([7, 8]);
});

test('who comes later begins at the front of the queue, before what others have there and behind what has waited', async () => {
  const { found, numbers, looked } = lanesOn();
  numbers('a', 100, 1);
  await looked();
  found.front = 40;
  numbers('a', 1, 1, 1_000);
  await looked();
  expect([numbers('b', 2, 1, 1_500), numbers('a', 1, 1, 1_500)]).toEqual([[40, 41], [102]]);
});

test('once the queue has been empty, all begin anew', async () => {
  const { numbers, looked } = lanesOn();
  numbers('a', 100, 1);
  await looked();
  numbers('b', 1, 1, 1_000);
  await looked();
  expect(numbers('a', 2, 1, 1_500)).toEqual([1, 2]);
});

test('what is numbered while the queue is looked at counts, whatever the look has seen', async () => {
  const { numbers, looked } = lanesOn();
  numbers('a', 100, 1);
  await looked();
  expect(numbers('a', 1, 1, 500)).toEqual([101]);
});

test('after a pause all begin anew, wherever the queue was before', () => {
  const { numbers } = lanesOn(50);
  numbers('a', 100, 1);
  expect(numbers('a', 2, 1, 20_000)).toEqual([1, 2]);
});

test('while the queue does not answer, the numbers go on', async () => {
  const lanes = new Lanes(() => Promise.reject(new Error('away')));
  const numbers = [lanes.next('a', 1, 1, 0)];
  await new Promise((resolve) => setImmediate(resolve));
  numbers.push(lanes.next('a', 1, 1, 2_000));
  await new Promise((resolve) => setImmediate(resolve));
  expect(numbers.concat(lanes.next('a', 1, 1, 4_000))).toEqual([1, 2, 3]);
});

test('of two tenants that both wait all the time, each is served as much, whatever one job of them costs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0.05, max: 20, noNaN: true }), fc.double({ min: 0.05, max: 20, noNaN: true }), async (a, b) => {
      const waiting: { tenantId: string; number: number; cost: number }[] = [];
      const lanes = new Lanes(() => Promise.resolve(waiting[0]?.number));
      const served = { a: 0, b: 0 };
      const send = (tenantId: 'a' | 'b', cost: number, nowMs: number): void => {
        waiting.push({ tenantId, cost, number: lanes.next(tenantId, cost, 1, nowMs) });
        waiting.sort((one, other) => one.number - other.number);
      };
      for (let step = 0; step < 1_000; step++) {
        if (step % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
        const nowMs = step * 20;
        while (waiting.filter(({ tenantId }) => tenantId === 'a').length < 10) send('a', a, nowMs);
        while (waiting.filter(({ tenantId }) => tenantId === 'b').length < 30) send('b', b, nowMs);
        const next = waiting.shift();
        if (next) served[next.tenantId as 'a' | 'b'] += next.cost;
      }
      expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(2 * Math.max(a, b) + 4);
    }),
    { numRuns: 20 },
  );
});
