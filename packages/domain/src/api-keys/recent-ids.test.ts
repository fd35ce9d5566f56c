import { createRecentIds } from './recent-ids';

const at = (nowMs: number) => jest.spyOn(performance, 'now').mockReturnValue(nowMs);

afterEach(() => jest.restoreAllMocks());

test('an id is forgotten when its time is over', () => {
  const ids = createRecentIds(10, 1_000);
  at(0);
  ids.add('a');
  at(999);
  expect(ids.has('a')).toBe(true);
  at(1_000);
  expect(ids.has('a')).toBe(false);
});

test('of too many ids the one is forgotten that was added first', () => {
  const ids = createRecentIds(2);
  for (const id of ['a', 'b', 'a', 'c']) ids.add(id);
  expect(['a', 'b', 'c'].filter(ids.has)).toEqual(['a', 'c']);
});
