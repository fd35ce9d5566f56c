import { cellText, recordNames } from './words';

test('a long value is cut', () => {
  expect(cellText('x'.repeat(1_000_000))).toHaveLength(121);
});

test.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', null, 'c', 'd'], 'a, 01994e6c, c … (4)'],
])('of the records %j a few are named', (names, text) => {
  const records = names.map((name) => ({ record_id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', external_id: name }));
  expect(recordNames(records)).toBe(text);
});
