import fc from 'fast-check';
import { FairPriorities } from './fair-priorities';

/** Lanes on a queue whose front is told, and which is looked at before numbers are given. */
function lanesOn(front?: number) {
  const found = { front };
  const lanes = new FairPriorities(() => Promise.resolve(found.front));
  const numbers = async (tenantId: string, jobs: number, cost: number, nowMs = 0): Promise<number[]> => {
    await lanes.ready(nowMs);
    return Array.from({ length: jobs }, () => lanes.next(tenantId, cost, 1, nowMs));
  };
  return { lanes, found, numbers };
}

test('the jobs of a tenant are numbered one after the other, those of each tenant for itself', async () => {
  const { numbers } = lanesOn();
  expect([await numbers('a', 3, 1), await numbers('b', 2, 1), await numbers('a', 1, 1)]).toEqual([
    [1, 2, 3],
    [1, 2],
    [4],
  ]);
});

test('many small jobs take the place of a large one', async () => {
  const { numbers } = lanesOn();
  expect([await numbers('a', 5, 0.25), await numbers('a', 1, 1)]).toEqual([[1, 1, 1, 1, 2], [2]]);
});

test('a job gets no number below the one that is asked for', () => {
  const { lanes } = lanesOn();
  expect([lanes.next('a', 1, 7, 0), lanes.next('a', 1, 1, 0)]).toEqual([7, 8]);
});

test('who comes later begins at the front of the queue, before what others have there and behind what has waited', async () => {
  const { found, numbers } = lanesOn();
  await numbers('a', 100, 1);
  found.front = 40;
  expect([await numbers('b', 2, 1, 1_000), await numbers('a', 1, 1, 1_500)]).toEqual([[40, 41], [101]]);
});

test('a process that has numbered nothing for long begins at the front as well, with all that it enqueues at once', async () => {
  const { found, numbers } = lanesOn();
  await numbers('a', 100, 1);
  found.front = 40;
  expect(await numbers('a', 3, 1, 60_000)).toEqual([40, 41, 42]);
});

test('once the queue has been empty, all begin anew', async () => {
  const { numbers } = lanesOn();
  await numbers('a', 100, 1);
  expect(await numbers('a', 2, 1, 1_000)).toEqual([1, 2]);
});

test('what is numbered while the queue is looked at counts, whatever the look has seen', async () => {
  let answer = (_front: number | undefined): void => undefined;
  const lanes = new FairPriorities(() => new Promise((resolve) => (answer = resolve)));
  const looked = lanes.ready(0);
  expect([lanes.next('a', 5, 1, 10), lanes.next('a', 1, 1, 10)]).toEqual([1, 6]);
  answer(undefined);
  await looked;
  expect(lanes.next('a', 1, 1, 20)).toBe(7);
});

test('while the queue does not answer, the numbers go on', async () => {
  const lanes = new FairPriorities(() => Promise.reject(new Error('away')));
  const numbers: number[] = [];
  for (const nowMs of [0, 2_000, 4_000]) {
    await lanes.ready(nowMs);
    numbers.push(lanes.next('a', 1, 1, nowMs));
  }
  expect(numbers).toEqual([1, 2, 3]);
});

test('a look that takes long holds up nobody for longer than a moment', async () => {
  const lanes = new FairPriorities(() => new Promise(() => undefined));
  await lanes.ready(0);
  expect(lanes.next('a', 1, 1, 0)).toBe(1);
}, 2_000);

test('of two tenants that both wait all the time, each is served as much, whatever one job of them costs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.05, max: 20, noNaN: true }),
      fc.double({ min: 0.05, max: 20, noNaN: true }),
      async (a, b) => {
        const waiting: { tenantId: string; number: number; cost: number }[] = [];
        const lanes = new FairPriorities(() => Promise.resolve(waiting[0]?.number));
        const served = { a: 0, b: 0 };
        const send = (tenantId: 'a' | 'b', cost: number, nowMs: number): void => {
          waiting.push({ tenantId, cost, number: lanes.next(tenantId, cost, 1, nowMs) });
          waiting.sort((one, other) => one.number - other.number);
        };
        for (let step = 0; step < 1_000; step++) {
          const nowMs = step * 20;
          await lanes.ready(nowMs);
          while (waiting.filter(({ tenantId }) => tenantId === 'a').length < 10) send('a', a, nowMs);
          while (waiting.filter(({ tenantId }) => tenantId === 'b').length < 30) send('b', b, nowMs);
          const next = waiting.shift();
          if (next) served[next.tenantId as 'a' | 'b'] += next.cost;
        }
        expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(2 * Math.max(a, b) + 4);
      },
    ),
    { numRuns: 20 },
  );
});
