import fc from 'fast-check';
import { columnFormats } from './analyse';
import { plainAmount } from './amounts';
import { plainDate } from './date-format';
import { columnType } from './types';

test.each<[string, '.' | ',' | undefined, string | undefined]>([
  ['1 500', undefined, '1500'],
  ['1 500,5', ',', '1500.5'],
  ['1,25,000.00', '.', '125000.00'],
  ['12,34,567', '.', '1234567'],
  ['100.00 DR', '.', '-100.00'],
  ['100.00 Cr.', '.', '100.00'],
  ['DR 100.00', '.', '-100.00'],
  ['100.00 (DR)', '.', '-100.00'],
  ['100.00(cr.)', '.', '100.00'],
  ['1.234,50 (S)', ',', '-1234.50'],
  ['EUR 100.00 (DR)', '.', '-100.00'],
  ['(DR)', '.', '(DR)'],
  ['13.01.', '.', undefined],
  ['12,50 S', ',', '-12.50'],
  ['12,50 H', ',', '12.50'],
  ['$(0.01)', '.', '-0.01'],
  ['($0.01)', '.', '-0.01'],
  ['-$5.00', '.', '-5.00'],
  ['$-5.00', '.', '-5.00'],
  ['25,-', ',', '25'],
  ['CHF 25.--', '.', '25'],
  ['12,50 €-', ',', '-12.50'],
  ['1’234.50', '.', '1234.50'],
  ['Rs. 1,00,000.50', '.', '100000.50'],
  ['5,00 zł', ',', '5.00'],
  ['–5,00', ',', '-5.00'],
  ['kr 1\u00a0234,50', ',', '1234.50'],
  ['12 34', ',', '12 34'],
  ['5 S', ',', '5 S'],
  ['(5.00) CR', '.', '(5.00) CR'],
  ['1.50', ',', undefined],
  ['1,234.56', ',', undefined],
  ['INV-12', ',', 'INV-12'],
])('the amount %j with %j is %j', (text, separator, plain) => {
  expect(plainAmount(text, separator)).toBe(plain);
});

test.each<[string, string | undefined, string | undefined]>([
  ['02-Jan-2026', undefined, '2026-01-02'],
  ['27 Feb 2018', undefined, '2018-02-27'],
  ['02JAN26', undefined, '2026-01-02'],
  ['Jan 2, 2026', undefined, '2026-01-02'],
  ['Mar 3, 2026', undefined, '2026-03-03'],
  ['Mar 3 2026', undefined, '2026-03-03'],
  ['March 27, 2018', undefined, '2018-03-27'],
  ['Mar. 27, 2018 10:15', undefined, '2018-03-27T10:15:00'],
  ['MAR-03-2026', undefined, '2026-03-03'],
  ['Tue, Mar 3, 2026', undefined, '2026-03-03'],
  ['mar 3 marzo 2026', undefined, '2026-03-03'],
  ['mar. 3 févr. 2026', undefined, '2026-02-03'],
  ['martes, 3 de marzo de 2026', undefined, '2026-03-03'],
  ['mardi 3 mars 2026', undefined, '2026-03-03'],
  ['mar 03/02/2026', 'DD/MM/YYYY', '2026-02-03'],
  ['16 December 2026', undefined, '2026-12-16'],
  ['16 Dezember 2026', undefined, '2026-12-16'],
  ['Mon 15/01/2026', 'DD/MM/YYYY', '2026-01-15'],
  ['Thu, 15-01-2026', 'DD-MM-YYYY', '2026-01-15'],
  ['15/01/2026 Thu', 'DD/MM/YYYY', '2026-01-15'],
  ['2026-01-15 (Thu)', undefined, '2026-01-15'],
  ['2026/01/15(木)', 'YYYY/MM/DD', '2026-01-15'],
  ['čt 15.01.2026', undefined, '2026-01-15'],
  ['Shop 15/01/2026', 'DD/MM/YYYY', undefined],
  ['15. tammikuuta 2026', undefined, '2026-01-15'],
  ['16. února 2026', undefined, '2026-02-16'],
  ['2026. jan. 15.', undefined, '2026-01-15'],
  ['15 Ocak 2026', undefined, '2026-01-15'],
  ['15 января 2026', undefined, '2026-01-15'],
  ['15 Ιανουαρίου 2026', undefined, '2026-01-15'],
  ['15. siječnja 2026.', undefined, '2026-01-15'],
  ['15 Agustus 2026', undefined, '2026-08-15'],
  ['2026년 1월 15일', undefined, '2026-01-15'],
  ['20260115103000', 'YYYYMMDDHHmmss', '2026-01-15T10:30:00'],
  ['15012026103000', 'DDMMYYYYHHmmss', '2026-01-15T10:30:00'],
  ['202601151030', 'YYYYMMDDHHmm', '2026-01-15T10:30:00'],
  ['20260115T103000Z', 'YYYYMMDD', '2026-01-15T10:30:00Z'],
  ['20260115 10:30:00', 'YYYYMMDD', '2026-01-15T10:30:00'],
  ['2. Januar 2026', undefined, '2026-01-02'],
  ['5. März 2026', undefined, '2026-03-05'],
  ['2 de dezembro de 2026', undefined, '2026-12-02'],
  ['3 set 2026', undefined, '2026-09-03'],
  ['15 ene. 2026', undefined, '2026-01-15'],
  ['1er août 2026', undefined, '2026-08-01'],
  ['Fri, 02 Jan 2026 10:11:12 GMT', undefined, '2026-01-02T10:11:12Z'],
  ['2019.04.19.', undefined, '2019-04-19'],
  ['2019. 04. 19.', undefined, '2019-04-19'],
  ['3. 1. 2026', undefined, '2026-01-03'],
  ['2018-02-25 12:34:56 +0000', undefined, '2018-02-25T12:34:56+00:00'],
  ['2021-09-06 6:11:59', undefined, '2021-09-06T06:11:59'],
  ['2026-01-02 10:00', undefined, '2026-01-02T10:00:00'],
  ['2026年1月2日', undefined, '2026-01-02'],
  ['01/02/2026 02:30 PM', 'DD/MM/YYYY hh:mm A', '2026-02-01T14:30:00'],
  ['01/02/2026 12:05 am', 'MM/DD/YYYY', '2026-01-02T00:05:00'],
  ['31122024', 'DDMMYYYY', '2024-12-31'],
  ['31.12.68', 'DD.MM.YY', '2068-12-31'],
  ['31.12.69', 'DD.MM.YY', '1969-12-31'],
  ['01/02/2026', undefined, undefined],
  ['30/02/2026', 'DD/MM/YYYY', undefined],
  ['2026-02-30', undefined, undefined],
  ['May 2026', undefined, undefined],
  ['1.2.3', undefined, undefined],
  ['10:30', undefined, undefined],
  [`${'1'.repeat(100_000)}.`, 'DD.MM.YYYY', undefined],
])('the date %j in the format %j is %j', (text, format, plain) => {
  expect(plainDate(text, format)).toBe(plain);
});

test('any text is read as an amount or date of the calendar, or stays, in little time', () => {
  const parts = fc.constantFrom(
    '1',
    '12',
    ' ',
    '-',
    '$',
    '.',
    ',',
    '(',
    ')',
    'USD',
    'Jan',
    'de ',
    '2026',
    '/',
    ':',
    'AM',
    'DR',
    '年',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), fc.constantFrom('.', ',', undefined), (some, separator) => {
      const text = some.join('');
      const amount = plainAmount(text, separator);
      if (amount !== undefined && amount !== text) expect(amount).toMatch(/^-?\d*(?:\.\d+)?$/);
      const date = plainDate(text, 'DD/MM/YYYY');
      if (date !== undefined) expect(Number.isNaN(Date.parse(date.slice(0, 10)))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

const texts = (...values: unknown[]) => values.map((value) => ({ value, notation: {} }));

test.each<[string, unknown[], string]>([
  ['amount', ['12.50', '-', 'n/a', '9.99'], 'amount'],
  ['price', ['1 500', '2 000'], 'amount'],
  ['date', ['02-Jan-2026', '-', '27 Feb 2018'], 'date'],
  ['time', ['2021-09-06 6:11:59', '2018-02-25 12:34:56 +0000'], 'datetime'],
  ['date', ['2026-01-02', '2026-01-03', 'Anfangssaldo', 'Endsaldo'], 'date'],
  ['amount', ['12.50', '2.00', 'Total:', 'Disclaimer: none'], 'amount'],
  ['text', ['Total', 'Balance'], 'string'],
  ['date', ['13.01.', '14.01.'], 'string'],
  ['Uhrzeit', ['10.15', '11.20'], 'string'],
  ['amount', ['12.50', '99999999999999999.99'], 'amount'],
  ['flag', ['true', 'FALSE'], 'boolean'],
  ['count', ['1', '2'], 'number'],
  ['amount', ['1', '2', 'many', 'few'], 'string'],
  ['invoice', ['1001', '1002'], 'string'],
  ['invoiceNumber', [1001, 1002], 'string'],
  ['Rechnungsnr', ['1', '2'], 'string'],
  ['Belegnummer', ['1', '2'], 'string'],
  ['ref', ['2026.10', '2026.11'], 'string'],
  ['Card fees', ['1.50', '2.75'], 'amount'],
  ['Invoice discount', ['1250.50', '2300.75', '980.10'], 'amount'],
  ['transaction_fee', [0.25, 3.25], 'amount'],
  ['card', [1.5, 2], 'number'],
  ['VAT number', ['123', '456'], 'string'],
  ['Payment reference', ['123', '456'], 'string'],
  ['x', ['007', '008'], 'string'],
  ['x', ['123456', '123457', '223458'], 'string'],
  ['x', ['123456', '23457', '223458'], 'number'],
  ['invoice amount', ['1001', '1002'], 'amount'],
  ['Number of items', ['1', '2'], 'number'],
  ['order total', ['100.5', '2'], 'amount'],
  ['account balance', ['123456', '223456', '323456'], 'amount'],
  ['quantity', [1, 2], 'number'],
])('a column %s of %j is %s', (name, values, type) => {
  expect(columnType(name, texts(...values))).toBe(type);
});

test.each([
  ['column_mostly_amounts', ['5.00', 'soon', 'later', '6.00', '7.00', '8.00'], '"soon", "later"'],
  ['column_mostly_dates', ['2026-01-01', 'soon', 'later', '2026-01-02', '2026-01-03', '2026-01-04'], '"soon", "later"'],
])('a column that stays text although most of it has a type is told: %s', (code, values, cells) => {
  const { warnings } = columnFormats(
    ['c'],
    values.map((value) => [value]),
    {},
  );
  expect(warnings).toMatchObject([{ code, column: 'c', message: expect.stringContaining(cells) as string }]);
});

const repeated = (count: number, cell: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => cell(i));

test.each<[string, string[], string]>([
  ['column_mostly_amounts', ['1,50', '2.50', '1.234,50', '3.75'], '"1,50", "2.50", "1.234,50"'],
  ['column_mostly_amounts', repeated(40, (i) => (i % 10 === 0 ? `${i}.50` : `${i},50`)), '"1,50", "0.50", "2,50"'],
  ['column_mostly_amounts', ['12,50 EUR', '12.50 EUR', '7', '1,234.50'], '"12,50 EUR", "12.50 EUR", "1,234.50"'],
  ['column_mostly_amounts', ['1,50', '2.50', 'soon', '2,25', '3.75'], '"1,50", "2.50", "2,25"'],
  ['column_mostly_dates', ['13/01/2026', '01/13/2026'], '"13/01/2026", "01/13/2026"'],
  [
    'column_mostly_dates',
    ['13/01/2026', '12/31/2026', '01/02/2026', '14/02/2026'].concat(repeated(2, () => '12/30/2026')),
    '"12/31/2026"',
  ],
  [
    'column_mostly_dates',
    repeated(40, (i) => (i % 4 === 0 ? `0${(i % 9) + 1}/13/2026` : `13/0${(i % 9) + 1}/2026`)),
    '"01/13/2026"',
  ],
  ['column_mostly_dates', ['13-01-26', '13/01/2026', '14/01/26', '14-01-2026'], '"13-01-26", "13/01/2026", "14/01/26"'],
  ['column_mostly_dates', ['13/01/2026 10:00', '12/31/2026 11:00', '01/02/2026 12:00'], '"12/31/2026 11:00"'],
])('a column of several notations is told, with three cells: %s', (code, values, cells) => {
  const { types, warnings } = columnFormats(
    ['c'],
    values.map((value) => [value]),
    {},
  );
  expect(types).toEqual({ c: 'string' });
  expect(warnings).toMatchObject([{ code, column: 'c', message: expect.stringContaining(cells) as string }]);
});

test.each([
  [['2026-02-01', '2026-02-02', '15/02/2026', '16/02/2026'], 'date', []],
  [['2026-02-01', '15/02/2026', '16/02/2026'], 'date', []],
  [['1 Feb 2026', '15.02.2026', '15/02/2026'], 'date', []],
  [['2026-02-01', '2026-02-02', '01/02/2026', '02/02/2026'], 'string', ['ambiguous_date']],
])('dates that show their order agree with those that prove it: %j', (values, type, codes) => {
  const { types, warnings } = columnFormats(
    ['c'],
    values.map((value) => [value]),
    {},
  );
  expect([types.c, warnings.map(({ code }) => code)]).toEqual([type, codes]);
});

test.each([
  ['Mon 15/01/2026', 'Tue 16/01/2026', 'date'],
  ['15-01-2026 Thu', '16-01-2026 Fri', 'date'],
  ['15 января 2026', '16 февраля 2026', 'date'],
  ['20260115103000', '20260116113000', 'datetime'],
  ['20260115T103000', '20260116T113000', 'datetime'],
])('the column of %s and %s has the type %s', (first, second, type) => {
  expect(columnFormats(['Tag'], [[first], [second]], {}).types).toEqual({ Tag: type });
});

test.each([
  ['2024-02-29', undefined, '2024-02-29'],
  ['2024-02-29', 'YYYY-MM-DD', '2024-02-29'],
  ['2024-02-03', 'YYYY-DD-MM', '2024-03-02'],
  ['2023-02-29', undefined, undefined],
])('the date %s in the format %s is %s', (text, format, plain) => {
  expect(plainDate(text, format)).toBe(plain);
});
