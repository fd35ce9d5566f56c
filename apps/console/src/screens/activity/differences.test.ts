import { differencesOf, monthIn, objectNameOf } from './differences';

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

test.each([
  ['the name that it has now', { name: 'a' }, { name: 'b' }, 'b'],
  ['the name that it had', { label: 'till' }, null, 'till'],
  ['an email where there is no name', null, { email: 'ana@example.com' }, 'ana@example.com'],
  ['nothing where no name is known', { status: 'held' }, { status: 'released' }, undefined],
])('an entry names its object by %s', (_, before, after, name) => {
  expect(objectNameOf(before, after)).toBe(name);
});

test('a month is named by the id of its period', () => {
  expect(['01a2/2026-03', '01a2'].map(monthIn)).toEqual(['2026-03', undefined]);
});
