import { BoundedMap } from './bounded-map';

test('the entry that was neither set nor read for longest is forgotten', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
