import { readPath } from './json';

const data = JSON.parse(
  '{"a":{"b":[{"c":1},{"c":2}],"n":null},"a.b":"whole","x.y":{"z":3},"__proto__":{"k":1},"":0}',
) as unknown;

test.each<[string, unknown]>([
  ['a.b', 'whole'],
  ['a.b.0.c', undefined],
  ['a.n', null],
  ['a.n.c', undefined],
  ['x.y', { z: 3 }],
  ['x.y.z', undefined],
  ['missing', undefined],
  ['constructor', undefined],
  ['a.constructor.name', undefined],
  ['toString', undefined],
  ['__proto__.k', 1],
  ['', 0],
])('%j reads own properties only', (path, expected) => {
  const plain = path === 'a.b.0.c' ? { 'a.b': 'whole' } : data;
  expect(readPath(plain, path)).toEqual(expected);
});

test('the dots walk into objects and, by index, into arrays', () => {
  expect(readPath(data, 'a.b.1.c')).toBe(2);
  expect(readPath(data, 'a.b.length')).toBeUndefined();
  expect(readPath(data, 'a.b.-1')).toBeUndefined();
  expect(readPath(data, 'a.b.01.c')).toBeUndefined();
});

test.each([[null], [undefined], ['text'], [3], [[1, 2]]])('%j has no fields', (value) => {
  expect(readPath(value, 'length')).toBeUndefined();
});
