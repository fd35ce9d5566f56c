import { createSnapshots } from './snapshots';

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Creates snapshots with a clock that only `pass` moves, and a log of the loads. */
function cached(maxRows = 100) {
  let now = 0;
  const loads: string[] = [];
  const snapshots = createSnapshots({ keepMs: 60_000, maxRows, nowMs: () => now });
  return {
    loads,
    pass: (ms: number) => (now += ms),
    read: (key: string, count = 10) =>
      snapshots.read(key, async () => {
        loads.push(key);
        return rows(count);
      }),
    snapshots,
  };
}

test('a list is loaded once for all reads within a minute', async () => {
  const { loads, pass, read } = cached();
  expect(await Promise.all([read('a'), read('a')])).toEqual([rows(10), rows(10)]);
  pass(59_999);
  await read('a');
  expect(loads).toEqual(['a']);
});

test('after a minute it is loaded again', async () => {
  const { loads, pass, read } = cached();
  await read('a');
  pass(60_000);
  await read('a');
  expect(loads).toEqual(['a', 'a']);
});

test('lists with different keys are different lists', async () => {
  const { loads, read } = cached();
  await read('a');
  await read('b');
  expect(loads).toEqual(['a', 'b']);
});

test('above the max rows the least recently used list is evicted', async () => {
  const { loads, read } = cached(35);
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await read(key);
  expect(loads).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('a list longer than the max rows is returned and not cached', async () => {
  const { loads, read } = cached(35);
  expect(await read('a', 1_000)).toHaveLength(1_000);
  await read('a', 1_000);
  expect(loads).toEqual(['a', 'a']);
});

test('a failure is not cached', async () => {
  const { loads, read, snapshots } = cached();
  await expect(snapshots.read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await read('a')).toHaveLength(10);
  expect(loads).toEqual(['a']);
});
