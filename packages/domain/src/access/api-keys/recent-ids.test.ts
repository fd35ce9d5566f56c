import { createRecentIds } from './recent-ids';

test('an id is forgotten when its time is over', () => {
  let nowMs = 0;
  const ids = createRecentIds(10, 1_000, () => nowMs);
  ids.add('a');
  nowMs = 999;
  expect(ids.has('a')).toBe(true);
  nowMs = 1_000;
  expect(ids.has('a')).toBe(false);
});

test('of too many ids the one is forgotten that was added first', () => {
  const ids = createRecentIds(2);
  for (const id of ['a', 'b', 'a', 'c']) ids.add(id);
  expect(['a', 'b', 'c'].filter(ids.has)).toEqual(['a', 'c']);
});
