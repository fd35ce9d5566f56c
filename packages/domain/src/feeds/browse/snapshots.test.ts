import { createSnapshots } from './snapshots';

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Snapshots whose time stands still until it is moved, and how often each list was loaded. */
function kept(mostRows = 100) {
  let now = 0;
  const loads: string[] = [];
  const snapshots = createSnapshots({ keepMs: 60_000, mostRows, nowMs: () => now });
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

test('a list is loaded once, for all who ask within a minute', async () => {
  const { loads, pass, read } = kept();
  expect(await Promise.all([read('a'), read('a')])).toEqual([rows(10), rows(10)]);
  pass(59_999);
  await read('a');
  expect(loads).toEqual(['a']);
});

test('after a minute it is loaded anew', async () => {
  const { loads, pass, read } = kept();
  await read('a');
  pass(60_000);
  await read('a');
  expect(loads).toEqual(['a', 'a']);
});

test('lists with other keys are other lists', async () => {
  const { loads, read } = kept();
  await read('a');
  await read('b');
  expect(loads).toEqual(['a', 'b']);
});

test('where they are too many, the one that was read longest ago makes way', async () => {
  const { loads, read } = kept(35);
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await read(key);
  expect(loads).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('a list that is longer than all may be together is given and not kept', async () => {
  const { loads, read } = kept(35);
  expect(await read('a', 1_000)).toHaveLength(1_000);
  await read('a', 1_000);
  expect(loads).toEqual(['a', 'a']);
});

test('a failure is not kept', async () => {
  const { loads, read, snapshots } = kept();
  await expect(snapshots.read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await read('a')).toHaveLength(10);
  expect(loads).toEqual(['a']);
});
