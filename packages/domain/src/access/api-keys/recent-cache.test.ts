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

const at = (nowMs: number) => jest.spyOn(performance, 'now').mockReturnValue(nowMs);

afterEach(() => jest.restoreAllMocks());

test('requests at the same time and shortly after share one load', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const both = Promise.all([cache.get('a'), cache.get('a')]);
  open[0]?.settle('A');
  expect(await both).toEqual(['A', 'A']);
  at(499);
  expect(await cache.get('a')).toBe('A');
  expect(open).toHaveLength(1);
});

test('the time counts from the beginning of the load', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const first = cache.get('a');
  at(500);
  const second = cache.get('a');
  expect(open).toHaveLength(2);
  open[0]?.settle('old');
  open[1]?.settle('new');
  expect([await first, await second]).toEqual(['old', 'new']);
  expect(await cache.get('a')).toBe('new');
});

test('what was not found and what failed is asked for again', async () => {
  const { open, load } = loads();
  const cache = createRecentCache(500, load);
  at(0);
  const missing = cache.get('a');
  open[0]?.settle(undefined);
  expect(await missing).toBeUndefined();
  const failing = cache.get('a');
  open[1]?.fail(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  const found = cache.get('a');
  open[2]?.settle('A');
  expect(await found).toBe('A');
});
