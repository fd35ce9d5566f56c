import { createRecentCache } from './recent-cache';

interface Load {
  key: string;
  settle(value: string | undefined): void;
  fail(error: Error): void;
}

function loads() {
  const open: Load[] = [];
  const load = (key: string) =>
    new Promise<string | undefined>((resolve, reject) => open.push({ key, settle: resolve, fail: reject }));
  return { open, load };
}

/** Sets the clock; lru-cache takes a start at 0 for no start. */
const at = (ms: number) => jest.spyOn(performance, 'now').mockReturnValue(1_000 + ms);

afterEach(() => jest.restoreAllMocks());

test('concurrent and soon repeated requests share one load', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const both = Promise.all([cache('a'), cache('a')]);
  open[0]?.settle('A');
  expect(await both).toEqual(['A', 'A']);
  at(499);
  expect(await cache('a')).toBe('A');
  expect(open).toHaveLength(1);
});

test('the time counts from the start of the load', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const first = cache('a');
  at(500);
  const second = cache('a');
  expect(open).toHaveLength(2);
  open[0]?.settle('old');
  open[1]?.settle('new');
  expect([await first, await second]).toEqual(['old', 'new']);
  expect(await cache('a')).toBe('new');
});

test('a load that finds nothing or fails is repeated', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const missing = cache('a');
  open[0]?.settle(undefined);
  expect(await missing).toBeUndefined();
  const failing = cache('a');
  open[1]?.fail(new Error('down'));
  await expect(failing).rejects.toThrow('down');
  const found = cache('a');
  open[2]?.settle('A');
  expect(await found).toBe('A');
});
