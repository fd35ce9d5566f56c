import fc from 'fast-check';
import { FairPriorities } from './fair-priorities';

/** Priorities on a queue whose head is given, and which is checked before priorities are given. */
function prioritiesOn(head?: number) {
  const found = { head };
  const priorities = new FairPriorities(() => Promise.resolve(found.head));
  const numbers = async (tenantId: string, jobs: number, cost: number, nowMs = 0): Promise<number[]> => {
    await priorities.ready(nowMs);
    return Array.from({ length: jobs }, () => priorities.next(tenantId, cost, nowMs));
  };
  return { priorities, found, numbers };
}

test('the jobs of each tenant get increasing priorities, independent of other tenants', async () => {
  const { numbers } = prioritiesOn();
  expect([await numbers('a', 3, 1), await numbers('b', 2, 1), await numbers('a', 1, 1)]).toEqual([
    [1, 2, 3],
    [1, 2],
    [4],
  ]);
});

test('many small jobs cost as much as a large one', async () => {
  const { numbers } = prioritiesOn();
  expect([await numbers('a', 5, 0.25), await numbers('a', 1, 1)]).toEqual([[1, 1, 1, 1, 2], [2]]);
});

test('a tenant that comes later starts at the queue head, before the others’ later jobs', async () => {
  const { found, numbers } = prioritiesOn();
  await numbers('a', 100, 1);
  found.head = 40;
  expect([await numbers('b', 2, 1, 1_000), await numbers('a', 1, 1, 1_500)]).toEqual([[40, 41], [101]]);
});

test('a process that has given no priority for long starts at the queue head', async () => {
  const { found, numbers } = prioritiesOn();
  await numbers('a', 100, 1);
  found.head = 40;
  expect(await numbers('a', 3, 1, 60_000)).toEqual([40, 41, 42]);
});

test('after the queue was empty, all start at 1', async () => {
  const { numbers } = prioritiesOn();
  await numbers('a', 100, 1);
  expect(await numbers('a', 2, 1, 1_000)).toEqual([1, 2]);
});

test('priorities given during a check count, whatever the check finds', async () => {
  let answer = (_head: number | undefined): void => undefined;
  const priorities = new FairPriorities(() => new Promise((resolve) => (answer = resolve)));
  const looked = priorities.ready(0);
  expect([priorities.next('a', 5, 10), priorities.next('a', 1, 10)]).toEqual([1, 6]);
  answer(undefined);
  await looked;
  expect(priorities.next('a', 1, 20)).toBe(7);
});

test('while the queue does not answer, priorities continue', async () => {
  const priorities = new FairPriorities(() => Promise.reject(new Error('away')));
  const numbers: number[] = [];
  for (const nowMs of [0, 2_000, 4_000]) {
    await priorities.ready(nowMs);
    numbers.push(priorities.next('a', 1, nowMs));
  }
  expect(numbers).toEqual([1, 2, 3]);
});

test('a slow check delays no caller for long', async () => {
  const priorities = new FairPriorities(() => new Promise(() => undefined));
  await priorities.ready(0);
  expect(priorities.next('a', 1, 0)).toBe(1);
}, 2_000);

test('two tenants that always wait are served equally, whatever one of their jobs costs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.05, max: 20, noNaN: true }),
      fc.double({ min: 0.05, max: 20, noNaN: true }),
      async (a, b) => {
        const waiting: { tenantId: string; number: number; cost: number }[] = [];
        const priorities = new FairPriorities(() => Promise.resolve(waiting[0]?.number));
        const served = { a: 0, b: 0 };
        const send = (tenantId: 'a' | 'b', cost: number, nowMs: number): void => {
          waiting.push({ tenantId, cost, number: priorities.next(tenantId, cost, nowMs) });
          waiting.sort((one, other) => one.number - other.number);
        };
        for (let step = 0; step < 1_000; step++) {
          const nowMs = step * 20;
          await priorities.ready(nowMs);
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
