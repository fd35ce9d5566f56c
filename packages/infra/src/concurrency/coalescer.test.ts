import fc from 'fast-check';
import { createCoalescer, type CoalescerOptions } from './coalescer';

type Run = CoalescerOptions<number, string>['run'];

/** Work that waits until it is released; `groups` records its items. */
function heldWork(answer: (item: number) => string = String) {
  const groups: number[][] = [];
  const held: (() => void)[] = [];
  const run: Run = async (_key, items) => {
    groups.push([...items]);
    await new Promise<void>((resolve) => held.push(resolve));
    return items.map(answer);
  };
  return { run, groups, held, release: () => held.splice(0).forEach((resolve) => resolve()) };
}

const group = (run: Run, options: Partial<CoalescerOptions<number, string>> = {}) =>
  createCoalescer<number, string>({
    run,
    isSharedFailure: () => false,
    weigh: () => 1,
    maxItems: 100,
    maxWeight: 100,
    slowAfterMs: 60_000,
    maxConcurrent: 4,
    ...options,
  });

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('items that arrive while a group runs form the next group', async () => {
  const work = heldWork();
  const add = group(work.run);
  const results = [add('k', 1), add('k', 2)];
  await nextTurn();
  results.push(add('k', 3), add('k', 4));
  work.release();
  await results[0];
  await nextTurn();
  work.release();
  expect([await Promise.all(results), work.groups]).toEqual([
    ['1', '2', '3', '4'],
    [
      [1, 2],
      [3, 4],
    ],
  ]);
});

test('a slow group does not delay the next one', async () => {
  const work = heldWork();
  const add = group(work.run, { slowAfterMs: 1 });
  const results = [add('k', 1)];
  await nextTurn();
  results.push(add('k', 2));
  while (work.groups.length < 2) await nextTurn();
  // Both groups become slow: later items wait for neither.
  results.push(add('k', 3));
  while (work.groups.length < 3) await nextTurn();
  work.release();
  expect(await Promise.all(results)).toEqual(['1', '2', '3']);
});

test('one key does not wait for another', async () => {
  const work = heldWork();
  const add = group(work.run);
  const results = [add('a', 1), add('b', 2)];
  await nextTurn();
  expect(work.groups).toEqual([[1], [2]]);
  work.release();
  await Promise.all(results);
});

test('a failure of one item affects no other one', async () => {
  const add = group((_key, items) =>
    items.includes(2) ? Promise.reject(new Error('bad')) : Promise.resolve(items.map(String)),
  );
  const outcomes = await Promise.allSettled([add('k', 1), add('k', 2), add('k', 3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a shared failure is not retried per item', async () => {
  let runs = 0;
  const add = group(() => Promise.reject(new Error(`away ${++runs}`)), { isSharedFailure: () => true });
  const outcomes = await Promise.allSettled([add('k', 1), add('k', 2)]);
  expect([outcomes.map(({ status }) => status), runs]).toEqual([['rejected', 'rejected'], 1]);
});

test('each item runs once, in order, and gets its own result, for any arrivals and limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.constantFrom('a', 'b'), pause: fc.boolean() }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      async (arrivals, maxItems, maxWeight) => {
        const seen: Record<string, number[]> = { a: [], b: [] };
        const add = group(
          async (key, items) => {
            seen[key]?.push(...items);
            await nextTurn();
            return items.map((item) => `${key}${item}`);
          },
          { maxItems, maxWeight },
        );
        const results: Promise<string>[] = [];
        for (const [i, { key, pause }] of arrivals.entries()) {
          results.push(add(key, i));
          if (pause) await nextTurn();
        }
        expect(await Promise.all(results)).toEqual(arrivals.map(({ key }, i) => `${key}${i}`));
        const sent = (wanted: string): number[] => arrivals.flatMap(({ key }, i) => (key === wanted ? [i] : []));
        expect(seen).toEqual({ a: sent('a'), b: sent('b') });
      },
    ),
    { numRuns: 50 },
  );
});
