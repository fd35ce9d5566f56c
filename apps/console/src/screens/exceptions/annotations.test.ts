import type { Schema } from '../../api/client';
import { changeOf, editOf, todayIn, withChange } from './annotations';

type OpenItem = Schema<'OpenItem'>;

const itemOf = (id: string): OpenItem =>
  ({ record_id: id, assignee: 'Ann', reason_code: null, note: 'x', snoozed_until: null }) as OpenItem;

const data = { pages: [{ items: [itemOf('a'), itemOf('b')] }, { items: [itemOf('c')] }], pageParams: [0, 1] };

test('a change is seen in the items that were chosen, and others keep their places', () => {
  const after = withChange(data, new Set(['b', 'c']), { assignee: null, reasonCode: 'timing' });
  expect(
    after?.pages.flatMap(({ items }) => items.map((one) => [one.record_id, one.assignee, one.reason_code])),
  ).toEqual([
    ['a', 'Ann', null],
    ['b', null, 'timing'],
    ['c', null, 'timing'],
  ]);
});

test('excluded items leave the list', () => {
  const after = withChange(data, new Set(['a']), { excluded: { reasonCode: 'duplicate' } });
  expect(after?.pages.map(({ items }) => items.map((one) => one.record_id))).toEqual([['b'], ['c']]);
});

const empty = { assignee: '', reasonCode: '', note: '', snoozedUntil: '' };

test.each([
  ['empty fields change nothing', empty, false, {}],
  ['given fields are set', { ...empty, note: 'paid' }, false, { note: 'paid' }],
  [
    'clearing takes away what is not given',
    { ...empty, assignee: 'Bo' },
    true,
    { assignee: 'Bo', reasonCode: null, note: null, snoozedUntil: null },
  ],
])('%s', (_, given, clears, set) => {
  expect(changeOf(given, clears)).toEqual(set);
});

test('what was left as it was shown is not sent: a colleague may have set it meanwhile', () => {
  const shown = { ...empty, assignee: 'Ann', note: 'x' };
  expect(editOf({ ...shown, reasonCode: 'timing', note: '' }, shown)).toEqual({ reasonCode: 'timing', note: null });
  expect(editOf(shown, shown)).toEqual({});
});

test.each([
  ['Pacific/Auckland', '2026-03-01T11:30:00Z', '2026-03-02'],
  ['America/Los_Angeles', '2026-03-01T07:30:00Z', '2026-02-28'],
  ['UTC', '2026-03-01T23:59:59Z', '2026-03-01'],
])('today in %s at %s is %s', (timezone, now, day) => {
  expect(todayIn(timezone, new Date(now))).toBe(day);
});
