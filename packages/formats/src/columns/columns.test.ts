import { columnFormats } from './analyse';
import { decimalEvidence } from './decimals';
import { readDecimal } from '../statement/values';
import { headerNames, holdsValues } from './headers';

test.each([
  ['1.234,56', ','], ['1,234.56', '.'], ['1.234.567', ','], ['1,234,567', '.'], ['12,5', ','], ['12.50', '.'], ['0,123', ','], ['-0.125', '.'],
  ['1 234,56', ','], ["1'234.50", '.'], ['R$ 1.234,56', ','], ['12,50 EUR', ','], ['(1.234,56)', ','], ['12,50-', ','], ['€12.5', '.'], ['1234,567', ','],
  ['1,234', 'none'], ['1.234', 'none'], ['12', 'none'], ['-1,000', 'none'],
  ['1.2.3', 'no number'], ['31.12.2024', 'no number'], ['1,23,456', 'no number'], ['1.23,4.5', 'no number'], ['abc', 'no number'], ['12a', 'no number'], ['2024-01-31', 'no number'],
])('%j says of its decimal separator: %s', (value, evidence) => {
  expect(decimalEvidence(value)).toBe(evidence);
});

const separatorOf = (...values: string[]) => columnFormats(['c'], values.map((value) => [value]), {}).decimalSeparators.c ?? null;

test.each<[string[], string | null]>([
  [['1,234', '12,50', ''], ','],
  [['1,234', '5,678'], null],
  [['12,50', '12.50'], null],
  [['12,50', 'n/a'], null],
])('a column of %j proves %s', (values, separator) => {
  expect(separatorOf(...values)).toBe(separator);
});

const dateOf = (...values: string[]) => columnFormats(['c'], values.map((value) => [value]), {}).dateFormats.c ?? null;

test.each<[string[], string | null]>([
  [['31/12/2024', '01/02/2024'], 'DD/MM/YYYY'],
  [['12/31/2024', '1/2/2024'], 'MM/DD/YYYY'],
  [['01/02/2024', '03/04/2024'], null],
  [['31/12/2024', '12/31/2024'], null],
  [['31/12/2024', 'soon'], null],
  [['01.02.2024'], 'DD.MM.YYYY'],
  [['31.12.24', ''], 'DD.MM.YY'],
  [['25-12-31'], null],
  [['31-12-2024'], 'DD-MM-YYYY'],
  [['2024/01/02'], 'YYYY/MM/DD'],
  [['20240131', '20240201'], 'YYYYMMDD'],
  [['31/12/2024 23:59'], 'DD/MM/YYYY HH:mm'],
  [['31/12/2024 23:59:01'], 'DD/MM/YYYY HH:mm:ss'],
  [['31/12/2024', '31/12/2024 10:00'], null],
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
  });
});

test.each([
  [['a', 'a', 'a'], ['a', 'a_2', 'a_3']],
  [['a', 'a_2', 'a'], ['a', 'a_2', 'a_3']],
  [['a', '', ' b\u00a0c\n', ''], ['a', 'column_2', 'b c']],
  [['__proto__', 'x\0y'], ['column_1', 'x\u2400y']],
])('the header %j gives the names %j', (cells, names) => {
  expect(headerNames(cells)).toEqual(names);
});

test.each([`1${' '.repeat(300_000)}x`, `${'1'.repeat(300_000)}x`, `0.${'0'.repeat(300_000)}1`])('a long text is neither number nor date, and is not searched for them', (text) => {
  expect(separatorOf(text)).toBeNull();
  expect(dateOf(text)).toBeNull();
  expect(holdsValues([text])).toBe(false);
  expect(readDecimal(text)).toBeNull();
});
