import { recordText } from './record-text';

test('a value is told once where a field reads a column of its name', () => {
  const record = { Booked: '05.01.2025', 'Amount (EUR)': '1,50', note: '', amount_eur: 1.5, booked: '2025-01-05' };
  expect(recordText(record)).toBe('2025-01-05 1.5');
});

test('columns of one name in other letters stay apart from others', () => {
  expect(recordText({ 日付: '1', 金額: '2', '?': '3', '!': '4' })).toBe('1 2 3 4');
});
