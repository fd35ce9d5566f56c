import { columnFormats } from './analyse';
import { decimalEvidence } from './amounts';
import { readDecimal } from '../statement/values';
import { withoutFooter } from './footer';
import { headerNames } from './headers';
import { findTable } from './table';

test.each([
  ['1.234,56', ','],
  ['1,234.56', '.'],
  ['1.234.567', ','],
  ['1,234,567', '.'],
  ['12,5', ','],
  ['12.50', '.'],
  ['0,123', ','],
  ['-0.125', '.'],
  ['1 234,56', ','],
  ["1'234.50", '.'],
  ['R$ 1.234,56', ','],
  ['12,50 EUR', ','],
  ['(1.234,56)', ','],
  ['12,50-', ','],
  ['€12.5', '.'],
  ['1234,567', ','],
  ['1,234', 'none'],
  ['1.234', 'none'],
  ['12', 'none'],
  ['-1,000', 'none'],
  ['1.2.3', 'no number'],
  ['31.12.2024', 'no number'],
  ['1,23,456', '.'],
  ['1.23.456', 'no number'],
  ['12 34', 'no number'],
  ['1.23,4.5', 'no number'],
  ['abc', 'no number'],
  ['12a', 'no number'],
  ['2024-01-31', 'no number'],
])('%j says of its decimal separator: %s', (value, evidence) => {
  expect(decimalEvidence(value)).toBe(evidence);
});

const separatorOf = (...values: string[]) =>
  columnFormats(
    ['c'],
    values.map((value) => [value]),
    {},
  ).decimalSeparators.c ?? null;

test.each<[string[], string | null]>([
  [['1,234', '12,50', ''], ','],
  [['1,234', '5,678'], null],
  [['12,50', '12.50'], null],
  [['12,50', 'n/a'], ','],
  [['12,50', 'soon'], null],
  [['12,50', '7', '1,234', 'n/a'], ','],
  [['12,50', '7,50', '8,25', '12.50'], ','],
  [['12,50', '7,50', '1,234', 'later', 'soon'], ','],
  [['12,50', '7,50', 'later', 'soon'], null],
])('a column of %j proves %s', (values, separator) => {
  expect(separatorOf(...values)).toBe(separator);
});

const dateOf = (...values: string[]) =>
  columnFormats(
    ['c'],
    values.map((value) => [value]),
    {},
  ).dateFormats.c ?? null;

test.each<[string[], string | null]>([
  [['31/12/2024', '01/02/2024'], 'DD/MM/YYYY'],
  [['12/31/2024', '1/2/2024'], 'MM/DD/YYYY'],
  [['01/02/2024', '03/04/2024'], null],
  [['31/12/2024', '12/31/2024'], null],
  [['31/12/2024', 'soon'], null],
  [['31/12/2024', '01/02/2024', '02/02/2024', 'Total'], 'DD/MM/YYYY'],
  [['Total', '31/12/2024', '01/02/2024', '02/02/2024'], 'DD/MM/YYYY'],
  [['31/12/2024', '30/12/2024', '12/31/2024', '29/12/2024'], 'DD/MM/YYYY'],
  [['01/02/2024', '03/04/2024', '03/04/2024', 'Total'], null],
  [['01.02.2024'], 'DD.MM.YYYY'],
  [['31.12.24', ''], 'DD.MM.YY'],
  [['25-12-31'], null],
  [['31-12-2024'], 'DD-MM-YYYY'],
  [['2024/01/02'], 'YYYY/MM/DD'],
  [['20240131', '20240201'], 'YYYYMMDD'],
  [['31/12/2024 23:59'], 'DD/MM/YYYY HH:mm'],
  [['31/12/2024 23:59:01'], 'DD/MM/YYYY HH:mm:ss'],
  [['31/12/2024', '31/12/2024 10:00'], 'DD/MM/YYYY HH:mm'],
  [['2024-01-31', '2024-02-01'], null],
  [['32/13/2024'], null],
  [['20241301'], null],
])('a column of %j has the date format %s', (values, format) => {
  expect(dateOf(...values)).toBe(format);
});

test('a column that could have either order takes the one that another column proves', () => {
  const { dateFormats } = columnFormats(['a', 'b'], [['31/12/2024', '01/02/2024']], {});
  expect(dateFormats).toEqual({ a: 'DD/MM/YYYY', b: 'DD/MM/YYYY' });
});

test('columns that prove different orders lend theirs to none', () => {
  const { dateFormats } = columnFormats(['a', 'b', 'c'], [['31/12/2024', '12/31/2024', '01/02/2024']], {});
  expect(dateFormats).toEqual({ a: 'DD/MM/YYYY', b: 'MM/DD/YYYY' });
});

test('the separator of a file is the one that all columns with one agree on', () => {
  expect(columnFormats(['a', 'b'], [['1,5', '1,234']], {}).decimalSeparator).toBe(',');
  expect(columnFormats(['a', 'b'], [['1,5', '1.5']], {}).decimalSeparator).toBeNull();
});

test('what the sender says goes before what the data proves', () => {
  expect(columnFormats(['a'], [['12.5']], { decimalSeparator: ',', dateFormat: 'MM/DD/YYYY' })).toEqual({
    decimalSeparator: ',',
    decimalSeparators: { a: ',' },
    dateFormats: { a: 'MM/DD/YYYY' },
    types: { a: 'string' },
    warnings: [expect.objectContaining({ code: 'column_mostly_amounts', column: 'a' })],
  });
});

test('an odd value in fifty does not take the format from a long column, more do', () => {
  const column = (odd: number): string[] =>
    Array.from({ length: 200 }, (_, i) => (i % (200 / odd) === 0 ? 'Subtotal' : `${(i % 28) + 1}/02/2024`));
  expect([dateOf(...column(2)), dateOf(...column(8))]).toEqual(['DD/MM/YYYY', null]);
});

describe('what the content leaves open is told', () => {
  const warningsOf = (values: string[], options = {}) =>
    columnFormats(
      ['c'],
      values.map((value) => [value]),
      options,
    ).warnings;

  test.each([
    [['1.234', '2.500'], 'ambiguous_number', '1234 or 1.234'],
    [['1,234'], 'ambiguous_number', '"."'],
    [['01/02/2024'], 'ambiguous_date', 'DD/MM/YYYY or MM/DD/YYYY'],
  ])('%j: %s', (values, code, part) => {
    expect(warningsOf(values)).toMatchObject([{ code, column: 'c', message: expect.stringContaining(part) as string }]);
  });

  test.each([
    [['1.234', '2,50'], {}],
    [['1.234'], { decimalSeparator: ',' }],
    [['12', '13'], {}],
    [['31/12/2024'], {}],
    [['01/02/2024'], { dateFormat: 'DD/MM/YYYY' }],
    [['2024-01-02'], {}],
    [['Total', 'x'], {}],
  ])('%j with %j leaves nothing open', (values, options) => {
    expect(warningsOf(values, options)).toEqual([]);
  });
});

test.each<[string[][], number]>([
  [
    [
      ['1', '2'],
      ['3', '4'],
      ['Total', ''],
    ],
    2,
  ],
  [
    [
      ['1', '2'],
      ['', 'Total'],
    ],
    1,
  ],
  [
    [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['Total', ''],
      ['Printed', ''],
    ],
    3,
  ],
  [
    [
      ['1', '2'],
      ['3', ''],
      ['5', '6'],
      ['7', '8'],
    ],
    4,
  ],
  [
    [
      ['1', ''],
      ['3', ''],
    ],
    2,
  ],
  [[['1', '2']], 1],
])('in the rows %j the first %i are no footer', (rows, count) => {
  expect(withoutFooter(rows)).toEqual(rows.slice(0, count));
});

const titles = [
  ['Umsatzanzeige', 'Datei erstellt am: 01.02.2025'],
  ['IBAN', 'DE12 5001'],
  ['Kunde', 'Max'],
  ['Saldo', '1.234,56', 'EUR'],
  ['Sortierung', 'Datum'],
];
const header = ['Buchung', 'Wert', 'Auftraggeber', 'Text', 'Zweck', 'Saldo', 'Währung', 'Betrag', 'Währung'];
const transaction = ['31.01.2025', '31.01.2025', 'REWE', 'Lastschrift', 'Einkauf', '1.000,00', 'EUR', '-17,50', 'EUR'];

test.each<[string, string[][], number]>([
  ['titles above a table of one row', [...titles, header, transaction], 5],
  ['titles above a table of three rows', [...titles, header, transaction, transaction, transaction], 5],
  [
    'titles of half its width',
    [
      ['Conta', '12'],
      ['Data', 'Texto', 'Valor', 'Saldo'],
      ['1/2', 'x', '1', '2'],
    ],
    1,
  ],
  ['names of columns that are years', [['Report'], ['Account', '2023', '2024'], ['A', '1', '2'], ['B', '3', '4']], 1],
  [
    'a second table of values',
    [
      ['a', 'b'],
      ['1', '2'],
      ['x', '2', '3'],
      ['1', '2', '3'],
    ],
    0,
  ],
  [
    'titles that a blank line sets apart',
    [
      ['Conta', '12', 'x'],
      ['Data', 'Texto', 'Valor', 'Saldo'],
      ['1/2', 'x', '1', '2'],
    ],
    1,
  ],
  [
    'titles that nothing but the kinds of columns sets apart',
    [
      ['a', 'b', 'c'],
      ['foo', 'bar', 'x', 'y'],
      ['1', 'x', '1', '2'],
    ],
    1,
  ],
  [
    'a broken row that is wider',
    [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['x', 'y', 'z', 'w'],
      ['1', '2', '3'],
    ],
    0,
  ],
  ['no titles', [header, transaction], 0],
  ['a header alone', [header], 0],
])('%s: the header is found', (_what, rows, found) => {
  expect(findTable(rows).header).toBe(found);
});

test.each([
  ['Buchungsdatum', ['45292', '45293', ''], ['2024-01-01']],
  ['Konto', ['45292', '45293'], []],
  ['Date', ['45292', '2024-01-01'], []],
  ['Date', ['12', '13'], []],
  ['Date', ['', ''], []],
])('whether a column %s of %j may be days that Excel numbers', (name, values, days) => {
  const { warnings } = columnFormats(
    [name],
    values.map((value) => [value]),
    {},
  );
  expect(warnings.filter(({ code }) => code === 'serial_dates')).toHaveLength(days.length);
  for (const day of days) expect(warnings[0]?.message).toContain(day);
});

test('a format of dates that is given leaves the separators of numbers as they are found', () => {
  const formats = columnFormats(['d', 'v'], [['01/02/2024', '1,50']], { dateFormat: 'DD/MM/YYYY' });
  expect(formats).toMatchObject({ decimalSeparators: { v: ',' }, decimalSeparator: ',', warnings: [] });
});

test.each([
  ['-1.234,56', -1234.56],
  ['1,234.56', 1234.56],
  ['1.234.567,8', 1234567.8],
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['1.23,45', null],
  ['1,234,5', null],
])('the amount %j of a statement is %j', (text, amount) => {
  expect(readDecimal(text)).toBe(amount);
});

test.each([
  [
    ['a', 'a', 'a'],
    ['a', 'a_2', 'a_3'],
  ],
  [
    ['a', 'a_2', 'a'],
    ['a', 'a_2', 'a_3'],
  ],
  [
    ['a', '', ' b\u00a0c\n', ''],
    ['a', 'column_2', 'b c'],
  ],
  [
    ['__proto__', 'x\0y'],
    ['column_1', 'x\u2400y'],
  ],
])('the header %j gives the names %j', (cells, names) => {
  expect(headerNames(cells)).toEqual(names);
});

test.each([`1${' '.repeat(300_000)}x`, `${'1'.repeat(300_000)}x`, `0.${'0'.repeat(300_000)}1`])(
  'a long text is neither number nor date, and is not searched for them',
  (text) => {
    expect(separatorOf(text)).toBeNull();
    expect(dateOf(text)).toBeNull();
    expect(readDecimal(text)).toBeNull();
  },
);

test.each<[string[], boolean]>([
  [['12,5 %', '3 %', '0,5%'], true],
  [['12.5%', '3%'], true],
  [['1,5 ‰', '3 ‰'], true],
  [['12 pcs', '3 pcs', '1 pc'], true],
  [['12,5 kg', '3 kg', '-'], true],
  [['1,5 h', '3 h'], true],
  [['12,50 EUR', '3,00 EUR'], false],
  [['12a', '14a'], false],
  [['10 am', '11 am'], false],
  [['12 Jan', '14 Jan'], false],
  [['12 kg', '3 pcs'], false],
])('for %j a warning says that units keep the column text: %s', (values, does) => {
  const { types, warnings } = columnFormats(
    ['x'],
    values.map((value) => [value]),
    {},
  );
  expect(warnings.map(({ code }) => code).includes('column_with_units')).toBe(does);
  if (does) expect(types).toEqual({ x: 'string' });
});

test.each<[string, string[], string]>([
  ['Ut fra konto', ['12,50', '1.100,00'], 'amount'],
  ['Konto', ['-12,50', '3,00'], 'amount'],
  ['Ref', ['2026.10', '2026.11'], 'string'],
  ['column_1', ['123456789', '123456789', '123456789'], 'string'],
  ['Menge', ['123456789', '123456789', '123456789'], 'number'],
  ['číslo účtu', ['123', '456'], 'string'],
])('a column %s of %j is of type %s', (name, values, type) => {
  expect(
    columnFormats(
      [name],
      values.map((value) => [value]),
      {},
    ).types,
  ).toEqual({ [name]: type });
});
