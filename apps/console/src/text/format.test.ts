import { createFormats, decimalOf, readAmount, unitsOf } from './format';

test.each([
  [0, 0n],
  [-12.5, -125_000n],
  ['123456789012345.6789', 1_234_567_890_123_456_789n],
  ['-0.0001', -1n],
  [null, null],
  ['1e3', null],
])('%p is %p units', (amount, units) => {
  expect(unitsOf(amount)).toBe(units);
});

test.each(['0', '-12.5', '123456789012345.6789', '-0.0001', '1000'])('%s survives being made units', (text) => {
  expect(decimalOf(unitsOf(text) ?? -1n)).toBe(text);
});

test('amounts have the decimals of their currency, every digit that they have, and one sign', () => {
  const { amount } = createFormats('en-GB');
  expect(amount(1234.5, 'BRL')).toBe('1,234.50');
  expect(amount(-1234, 'JPY')).toBe('−1,234');
  expect(amount('-123456789012345.6789', 'EUR')).toBe('−123,456,789,012,345.6789');
  expect(amount(5, 'no code')).toBe('5.00');
  expect(createFormats('pt-BR').amount(1234.5, 'BRL')).toBe('1.234,50');
});

test.each([
  [0.9996813417190775, '99.9%', '0.99'],
  [0.57, '57%', '0.57'],
  [0.29, '29%', '0.29'],
  [1, '100%', '1.00'],
  [1e-7, '0%', '0.00'],
])('%p is never rounded up as a share or a score', (value, share, score) => {
  const { percent, score: scoreOf } = createFormats('en-GB');
  expect([percent(value), scoreOf(value)]).toEqual([share, score]);
});

test('days are days, wherever the reader is', () => {
  expect(createFormats('en-GB').day('2026-01-31')).toBe('31 Jan 2026');
});

test('the day of a moment is that of its clock time', () => {
  const { dayOf, moment } = createFormats('en-GB', 'America/Sao_Paulo');
  expect(dayOf('2026-03-10T01:30:00Z')).toBe('9 Mar 2026');
  expect(moment('2026-03-10T01:30:00Z')).toBe('9 Mar 2026, 22:30');
});

test.each([
  ['en-GB', '1,234.50', '1234.50'],
  ['pt-BR', '1.234,50', '1234.50'],
  ['pt-BR', '−12,5', '-12.5'],
  ['pt-BR', '1.234.567', '1234567'],
  ['en-IN', '12,34,567.8', '1234567.8'],
  ['fr-FR', '1\u202f234,5', '1234.5'],
  ['pt-BR', '990.50', null],
  ['en-GB', '1234,50', null],
  ['en-GB', '1,23', null],
  ['en-GB', '1234,567', null],
  ['en-GB', '1.5.2', null],
  ['en-GB', 'twelve', null],
  ['en-GB', '', null],
])('in %s %p is read as %p', (locale, text, read) => {
  expect(readAmount(text, locale)).toBe(read);
});
