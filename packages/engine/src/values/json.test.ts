import { readPath, withoutPath } from './json';

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

test.each([
  ['a', { b: 1 }],
  ['c.d', { a: 1, b: 1 }],
  ['e.f', { a: 1, 'c.d': 1, b: 1, e: {} }],
  ['b.c', { a: 1, 'c.d': 1, b: 1 }],
  ['missing', { a: 1, b: 1 }],
  ['l.0', { l: [1], b: 1 }],
])('an object without what %s reads keeps the rest', (path, expected) => {
  const key = { 'c.d': 1 };
  const given: Record<string, unknown> = {
    a: { a: 1, b: 1 },
    'c.d': { a: 1, ...key, b: 1 },
    'e.f': { a: 1, ...key, b: 1, e: { f: 2 } },
    'b.c': { a: 1, ...key, b: 1 },
    missing: { a: 1, b: 1 },
    'l.0': { l: [1], b: 1 },
  };
  expect(withoutPath(given[path] as Record<string, unknown>, path)).toEqual(expected);
});
