import { cellText, recordNames, wordsOf } from './words';

test('a long value is cut', () => {
  expect(cellText('x'.repeat(1_000_000))).toHaveLength(121);
});

test('the words of a record begin with the longest, and leave out what stands beside them', () => {
  const record = {
    net: 'net',
    no: 'I-1',
    total: '1200.00',
    due: '2026-03-01',
    customer: 'Nordwind GmbH',
    money: 'EUR',
    days: 30,
    code: 'C-0359',
    none: '',
    again: 'net',
  };
  const beside = { amount: 1200, date: '2026-03-01', currency: 'EUR' };
  expect(wordsOf({ record_id: 'r', external_id: 'I-1', ...beside, record })).toBe('Nordwind GmbH · C-0359 · net');
});

test.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', null, 'c', 'd'], 'a, 1b6e9a10, c … (4)'],
])('of the records %j a few are named', (names, text) => {
  const records = names.map((name) => ({ record_id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', external_id: name }));
  expect(recordNames(records)).toBe(text);
});
