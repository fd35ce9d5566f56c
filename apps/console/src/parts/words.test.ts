import { createFormats } from '../text/format';
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
  expect(wordsOf({ record_id: 'r', external_id: 'I-1', ...beside, record }, (day) => day ?? '')).toBe(
    'Nordwind GmbH · C-0359 · net',
  );
});

test('a day among the words is written as the person writes days, and what only looks like one is not', () => {
  const { day } = createFormats('pt-BR');
  const shown = { record_id: 'r', external_id: 'I-1', amount: 1, date: null, currency: null };
  expect(wordsOf({ ...shown, record: { due: '2026-03-01', no: '2026-02-31', code: '2026-99-01' } }, day)).toBe(
    '1 de mar. de 2026 · 2026-02-31 · 2026-99-01',
  );
});

test('names and texts come before dates and amounts, however long those are', () => {
  const { day } = createFormats('pt-BR');
  const shown = { record_id: 'r', external_id: 'I-1', amount: 1, date: null, currency: null };
  const record = {
    due: '2026-03-01',
    at: '2026-03-01T10:00:00.000Z',
    gross: '-1 234 567.8900',
    customer: 'Sol',
    no: 'C-9',
  };
  expect(wordsOf({ ...shown, record }, day, 1)).toBe('Sol');
  expect(wordsOf({ ...shown, record }, day, 9)).toBe(
    'Sol · C-9 · 2026-03-01T10:00:00.000Z · -1 234 567.8900 · 1 de mar. de 2026',
  );
});

test.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', null, 'c', 'd'], 'a, 1b6e9a10, c … (4)'],
])('a few of the records %j are named', (names, text) => {
  const records = names.map((name) => ({ record_id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', external_id: name }));
  expect(recordNames(records)).toBe(text);
});
