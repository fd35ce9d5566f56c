import { columnFormats } from './analyse';
import { readFile } from '../../testing/files';

const formatsOf = (name: string, values: readonly string[]) =>
  columnFormats(
    [name],
    values.map((value) => [value]),
    {},
  );

test.each<[string, string[]]>([
  ['Buchung', ['13.01.', '14.01.']],
  ['x', ['13.01.', '1.2.']],
  ['Valuta', ['13.01', '14.12', '']],
  ['Datum', ['13.01', '14.01.']],
  ['date', ['13/01', '14/01']],
  ['Date', ['01-13', '01-14']],
  ['Uhrzeit', ['10.15', '9.05', '23.59']],
  ['time', ['10.15', '-', '11.20']],
])('days without a year and times are no amounts, and are told: %s %j', (name, values) => {
  const { types, decimalSeparator, dateFormats, warnings } = formatsOf(name, values);
  expect([types[name], decimalSeparator, dateFormats]).toEqual(['string', null, {}]);
  expect(warnings).toMatchObject([{ code: 'ambiguous_date', column: name }]);
});

test.each<[string, string[]]>([
  ['Betrag', ['13.01', '14.01']],
  ['amount', ['10.15', '11.20']],
  ['Betrag am Stichtag', ['13.01', '14.01']],
  ['Datum', ['13.01', '2500.00']],
  ['time', ['10.15', '10.75']],
])('amounts stay amounts: %s %j', (name, values) => {
  expect(formatsOf(name, values)).toMatchObject({ types: { [name]: 'amount' }, warnings: [] });
});

test('rows of days without a year are rows', async () => {
  const { rows, detected } = await readFile('13.01.;13.01.;A;1,00\n14.01.;15.01.;B;2,00\n');
  expect([rows.length, Object.values(detected.types ?? {})]).toEqual([2, ['string', 'string', 'string', 'amount']]);
});

test.each([
  ['a row with too many cells', 'd;t;a\n13.01.2026;a;1,00\n14.01.2026;b;2,00\nx;y;z;w\nx;y;z;w;v\n', 'amount'],
  ['a side in parentheses', 'd;t;a\n13.01.2026;a;100.00 (DR)\n14.01.2026;b;2.00 (Cr)\n', 'amount'],
  ['a side in parentheses, in German', 'd;t;a\n13.01.2026;a;100,00 (S)\n14.01.2026;b;2,00(H)\n', 'amount'],
  ['a long number', 'd;t;a\n13.01.2026;a;99999999999999999.99\n14.01.2026;b;2.00\n', 'amount'],
  [
    'long numbers',
    'd;t;a\n13.01.2026;a;99999999999999999,99\n14.01.2026;b;123456789012345678,1\n15.01.2026;b;2,5\n',
    'amount',
  ],
  ['long numbers alone', 'd;t;a\n13.01.2026;a;99999999999999999.99\n', 'string'],
])('a row that cannot be read decides no type: %s', async (_what, content, type) => {
  expect((await readFile(content)).detected.types?.a).toBe(type);
});
