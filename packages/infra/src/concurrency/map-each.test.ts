import { mapEach } from './map-each';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* numbers(ended: () => void): AsyncGenerator<number, void, void> {
  try {
    for (let i = 0; ; i++) yield Promise.resolve(i);
  } finally {
    ended();
  }
}

test('maps each item, in order, and leaves out undefined results', async () => {
  expect(await all(mapEach([1, 2, 3, 4], (n) => (n % 2 === 0 ? undefined : `${n}`)))).toEqual(['1', '3']);
  expect(await all(mapEach([], () => 1))).toEqual([]);
});

test('takes no item before its result is requested, and ends its source when the consumer stops', async () => {
  const made: number[] = [];
  const ended = jest.fn();
  for await (const n of mapEach(numbers(ended), (n) => Promise.resolve(made.push(n)))) if (n === 2) break;
  expect([made, ended.mock.calls.length]).toEqual([[0, 1], 1]);
});

test('fails with the error of the mapping', async () => {
  await expect(all(mapEach([1], () => Promise.reject(new Error('cannot'))))).rejects.toThrow('cannot');
});
