import { differencesOf } from './differences';

test.each([
  ['what is new has nothing before', null, { name: 'bank' }, [{ field: 'name', before: '', after: 'bank' }]],
  [
    'what changes has both',
    { name: 'a', accept: 'auto' },
    { name: 'b', accept: 'auto' },
    [{ field: 'name', before: 'a', after: 'b' }],
  ],
  ['what is deleted has nothing after', { label: 'x' }, undefined, [{ field: 'label', before: 'x', after: '' }]],
  ['objects are told as JSON', {}, { triggers: { a: 1 } }, [{ field: 'triggers', before: '', after: '{"a":1}' }]],
])('%s', (_, before, after, shown) => {
  expect(differencesOf(before, after)).toEqual(shown);
});

test('a value of a megabyte is cut', () => {
  const [change] = differencesOf(null, { note: 'x'.repeat(1_000_000) });
  expect(change?.after.length).toBeLessThan(1_100);
});
