import { balanceIn, differencesOf, monthIn, objectNameOf } from './differences';

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

test.each([
  ['stated', null, { side: 'left', date: '2026-03-31', amount: '5' }],
  ['taken back', { side: 'left', date: '2026-03-31', amount: '5' }, null],
])('a balance that is %s is named by its side and day', (_, before, after) => {
  expect(balanceIn(before, after)).toEqual({ side: 'left', day: '2026-03-31' });
});

test('values without a side and a day name no balance', () => {
  expect(balanceIn(null, { side: 'both', date: '2026-03-31' })).toBeUndefined();
});
