import { readFile } from '../../testing/files';
import type { ReadOptions } from '../types';
import { columnFormats } from './analyse';

const formatsOf = (name: string, values: readonly unknown[], options: ReadOptions = {}) => {
  const { types, warnings } = columnFormats(
    [name],
    values.map((value) => [value]),
    options,
  );
  return [types[name], ...warnings.map(({ code }) => code)];
};

test.each<[string, string[], ReadOptions, string[]]>([
  ['Amount', ['1.234,50', '12,50'], { decimalSeparator: '.' }, ['string', 'column_mostly_amounts']],
  ['Amount', ['12.50', '13.20'], { decimalSeparator: ',' }, ['string', 'column_mostly_amounts']],
  ['Amount', ['12.50', '13.20'], { decimalSeparator: '.' }, ['amount']],
  ['Invoice', ['12.50', '13.20'], { decimalSeparator: ',' }, ['string']],
  ['Text', ['a', 'b'], { decimalSeparator: ',' }, ['string']],
  ['Date', ['31/12/2026', '01/02/2026'], { dateFormat: 'MM/DD/YYYY' }, ['string', 'column_mostly_dates']],
  ['Date', ['01/02/2026', '02/02/2026'], { dateFormat: 'DD.MM.YYYY' }, ['string', 'column_mostly_dates']],
  ['Date', ['2026-01-01', '2026-01-02'], { dateFormat: 'DD.MM.YYYY' }, ['date']],
  ['Text', ['a', 'b'], { dateFormat: 'DD.MM.YYYY' }, ['string']],
])('an option that fits no value is told: %s %j with %j', (name, values, options, expected) => {
  expect(formatsOf(name, values, options)).toEqual(expected);
});

test.each([
  ['Credit limit', ['unlimited', '5000.00', 'unlimited', '6000.00']],
  ['Limit', ['none set', '5000', 'none set', '6000']],
  ['Date', ['open', '2026-01-01', 'open', '2026-01-05']],
  ['Due date', ['2026-01-01', 'on receipt', 'at once', '2026-01-05']],
  ['Amount', ['1', '2', 'many', 'few']],
])('words beside values are told where they keep the column text: %s %j', (name, values) => {
  expect(formatsOf(name, values)).toEqual(['string', 'column_mixed_types']);
});

test.each([
  ['Text', ['Shop', '12', 'Shop A', 'B']],
  ['Description', ['2026-01-01', 'rent', 'food']],
  ['Invoice', ['none', '1001', 'none', '1002']],
])('texts with a value among them are not: %s %j', (name, values) => {
  expect(formatsOf(name, values)).toEqual(['string']);
});

test.each<[string[], string[]]>([
  [
    ['5,00 EUR', '6,00 USD', '7,00 EUR'],
    ['amount', 'column_mixed_currencies'],
  ],
  [
    ['€5.00', '$6.00'],
    ['amount', 'column_mixed_currencies'],
  ],
  [
    ['R$ 5,00', 'US$ 6,00'],
    ['amount', 'column_mixed_currencies'],
  ],
  [
    ['CHF 5.00', '6.00 SEK', '7.00'],
    ['amount', 'column_mixed_currencies'],
  ],
  [['€5.00', '6.00 EUR', 'eur 7.00'], ['amount']],
  [['$5.00', 'USD 6.00', 'US$ 7.00'], ['amount']],
  [['5.00', '6.00 USD'], ['amount']],
])('amounts of several currencies are told: %j', (values, expected) => {
  expect(formatsOf('Amount', values)).toEqual(expected);
});

test.each<[string[], string[]]>([
  [
    ['2569-01-15', '2569-01-16'],
    ['date', 'other_calendar'],
  ],
  [
    ['15/01/2569', '16/01/2569'],
    ['date', 'other_calendar'],
  ],
  [
    ['1404-10-25', '1404-10-26'],
    ['date', 'other_calendar'],
  ],
  [
    ['1447-07-25', '1447-07-26'],
    ['date', 'other_calendar'],
  ],
  [
    ['115/01/15', '115/01/16'],
    ['string', 'column_mostly_dates'],
  ],
  [
    ['令和8年1月15日', '令和8年1月16日'],
    ['string', 'column_mostly_dates'],
  ],
  [
    ['R8.01.15', 'R8.01.16'],
    ['string', 'column_mostly_dates'],
  ],
  [
    ['/Date(1767225600000)/', '/Date(1767312000000)/'],
    ['string', 'column_mostly_dates'],
  ],
  [
    ['2026-W03', '2026-W04'],
    ['string', 'column_mostly_dates'],
  ],
  [['2026-01-15', '9999-12-31', '2026-01-16'], ['date']],
  [['1926-01-15', '2099-12-31'], ['date']],
  [['open', 'closed'], ['string']],
])('dates of other calendars and notations are told: %j', (values, expected) => {
  expect(formatsOf('Date', values)).toEqual(expected);
});

test.each<[string, unknown[], string[]]>([
  ['Date', [46000, 46001], ['number', 'serial_dates']],
  ['Datum', [46000.5, 46001.25], ['number', 'serial_dates']],
  ['created', ['1767225611', '1767312022', '1767312033'], ['string', 'numbers_as_text', 'serial_dates']],
  ['created', [1767225600, 1767312000], ['number', 'serial_dates']],
  ['timestamp', [1767225600000, 1767312000000], ['number', 'serial_dates']],
  ['Value date', [46000, 46001], ['number', 'serial_dates']],
  ['Date', [12, 13], ['number']],
])('numbers that count days or seconds are told: %s %j', (name, values, expected) => {
  expect(formatsOf(name, values)).toEqual(expected);
});

test.each<[string, string[], string[]]>([
  ['Monat', ['10.2026', '11.2026'], ['string', 'ambiguous_date']],
  ['x', ['10.2026', '11.2026'], ['string', 'ambiguous_date']],
  ['Mois', ['2026.10'], ['string', 'ambiguous_date']],
  ['Month', ['10/2026', '11/2026'], ['string', 'ambiguous_date']],
  ['x', ['2026.10', '2026.11'], ['amount']],
  ['x', ['10.2026', '13.2026'], ['amount']],
  ['x', ['10.2026'], ['amount']],
])('months are no amounts: %s %j', (name, values, expected) => {
  expect(formatsOf(name, values)).toEqual(expected);
});

test.each<[string, string[], string[]]>([
  ['Amount', ['1.5E+3', '2.5E+3'], ['amount']],
  ['Amount', ['1,5E+3', '-2,25E+1'], ['amount']],
  ['Rate', ['1e-05', '2.5e-07'], ['number']],
  ['Amount', ['1.5E+3', '12.50'], ['amount']],
  ['Account', ['1.23457E+11', '2.34568E+11'], ['string', 'number_not_exact']],
  ['x', ['12E3', '13E4'], ['string']],
])('exponents are read, and doubted where digits may be lost: %s %j', (name, values, expected) => {
  expect(formatsOf(name, values)).toEqual(expected);
});

test.each([
  ['Amount', ['12.50 Debit', '50.00 Credit']],
  ['Amount', ['1.5K', '2K']],
  ['Betrag', ['1,5 Mio', '2 Mio']],
  ['Price', ['1/2', '3/4']],
])('amounts of which none is read are told: %s %j', (name, values) => {
  const [type, code] = formatsOf(name, values);
  expect([type, code]).toEqual(['string', expect.stringMatching(/^column_(?:mostly_amounts|with_units)$/)]);
});

test.each<[string, string[], string[]]>([
  ['Date', ['٠٥/٠١/٢٠٢٦', '١٦/٠١/٢٠٢٦'], ['date']],
  ['Date', ['２０２６/０１/０５', '２０２６/０１/０６'], ['date']],
  ['Amount', ['١٢٫٥٠', '١٬٢٠٠٫٠٠'], ['amount']],
  ['Amount', ['۱۲٫۵۰', '۳٫۲۵'], ['amount']],
  ['Amount', ['１２，３４０', '５００，０００，０００'], ['amount']],
  ['Price', ['12,-', '15,-'], ['amount']],
])('digits of other scripts are read: %s %j', (name, values, expected) => {
  expect(formatsOf(name, values)).toEqual(expected);
});

test('a row of values in parentheses is no row of units', async () => {
  const { rows } = await readFile('Date;Amount\n2026-01-05;(USD 12.50)\n2026-01-06;USD 50.00\n');
  expect(rows).toHaveLength(2);
});
