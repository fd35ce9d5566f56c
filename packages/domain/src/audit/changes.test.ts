import { changesOf } from './changes';

test.each([
  ['nothing', { a: 1, b: [1] }, { b: [1], a: 1 }, {}, {}],
  ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }, { b: 3 }],
  ['an added key', {}, { a: 1 }, { a: null }, { a: 1 }],
  ['a removed key', { a: { b: 1 } }, {}, { a: { b: 1 } }, { a: null }],
  [
    'a key inside',
    { p: { x: 1, y: { z: 1, w: 0 } } },
    { p: { x: 1, y: { z: 2, w: 0 } } },
    { p: { y: { z: 1 } } },
    { p: { y: { z: 2 } } },
  ],
  ['a list as a whole', { m: [{ w: 1 }, 2] }, { m: [{ w: 3 }, 2] }, { m: [{ w: 1 }, 2] }, { m: [{ w: 3 }, 2] }],
  ['a value that becomes an object', { a: null }, { a: { b: 1 } }, { a: null }, { a: { b: 1 } }],
])('the difference of two states with %s changed is given', (_what, before, after, was, is) => {
  expect(changesOf(before, after)).toEqual({ before: was, after: is });
});

test('a key of the prototype is one like others', () => {
  const after = JSON.parse('{"__proto__":{"x":1}}') as object;
  expect(JSON.stringify(changesOf({}, after).after)).toBe('{"__proto__":{"x":1}}');
});
