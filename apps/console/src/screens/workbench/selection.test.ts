import { partialRecordOf, sumsOf, toggled, type Selectable, type Selection } from './selection';

const item = (side: 'left' | 'right', amount: number | string | null, currency = 'EUR'): Selectable => ({
  record_id: `${side}${amount}`,
  side,
  external_id: null,
  amount,
  remaining_amount: amount,
  date: null,
  currency,
  record: {},
});

const select = (...items: Selectable[]): Selection =>
  items.reduce<Selection>((selection, one) => toggled(selection, one), new Map());

test('sums are exact where doubles are not', () => {
  const sums = sumsOf(select(item('left', 0.1), item('left', 0.2), item('right', 0.3)), 'same');
  expect(sums).toMatchObject({ left: 3_000n, right: 3_000n, difference: 0n, currency: 'EUR', isMixed: false });
});

test('with opposite signs both sides are added', () => {
  expect(sumsOf(select(item('left', 10), item('right', -10)), 'opposite').difference).toBe(0n);
});

test('several currencies are said', () => {
  expect(sumsOf(select(item('left', 1), item('right', 1, 'USD')), 'same')).toMatchObject({
    currency: null,
    isMixed: true,
  });
});

test('what is selected again is not selected', () => {
  expect(select(item('left', 1), item('left', 1)).size).toBe(0);
});

test.each([
  ['the left record is larger', [item('left', 10), item('right', 4)], 'same', { held: 40_000n, open: 60_000n }],
  ['the right record is larger', [item('left', 4), item('right', 10)], 'same', { held: 40_000n, open: 60_000n }],
  ['both are negative', [item('left', -10), item('right', -4)], 'same', { held: -40_000n, open: -60_000n }],
  ['signs are opposite', [item('left', 4), item('right', -10)], 'opposite', { held: -40_000n, open: -60_000n }],
  ['nothing differs', [item('left', 4), item('right', 4)], 'same', undefined],
  ['signs differ', [item('left', 4), item('right', -4)], 'same', undefined],
  ['the larger side has several records', [item('left', 6), item('left', 5), item('right', 4)], 'same', undefined],
] as const)('when %s, the part that can stay open is found', (_title, items, sign, found) => {
  const selection = select(...items);
  const partial = partialRecordOf(selection, sumsOf(selection, sign), sign);
  expect(partial && { held: partial.held, open: partial.open }).toEqual(found);
});
