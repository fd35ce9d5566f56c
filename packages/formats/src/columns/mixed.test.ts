import { readFile } from '../../testing/files';
import { plainRows, workbookOf } from '../../testing/workbook';

const warningsOf = async (content: string | Buffer): Promise<[string, string | null][]> =>
  (await readFile(content)).warnings.map(({ code, column }) => [code, column]);

test.each<[string, string | Buffer]>([
  ['JSON', JSON.stringify([{ a: 1 }, { a: 'x' }, { a: true }])],
  ['NDJSON', '{"a":1}\n{"a":"x"}\n{"a":2}\n{"a":"y"}\n'],
  ['a list in JSON', JSON.stringify([{ a: 'x' }, { a: [1] }])],
  [
    'XLSX',
    workbookOf({
      sheets: [
        {
          name: 'S',
          rows: plainRows([
            ['a', 'b'],
            ['x', 'p'],
            [5, 'q'],
            ['y', 'r'],
          ]),
        },
      ],
    }),
  ],
  ['CSV, dates and numbers', 'a;b\n2026-01-01;p\n2026-01-02;q\n5.50;r\n6.50;s\n'],
  ['CSV, booleans too', 'a;b\ntrue;p\n2026-01-01;q\n5;r\nfalse;p\n2026-01-02;q\n7;r\n'],
])('a column of several types is told: %s', async (_what, content) => {
  expect(await warningsOf(content)).toContainEqual(['column_mixed_types', 'a']);
});

test.each([
  JSON.stringify([{ a: 1 }, { a: '2.50' }, { a: null }, { a: 'n/a' }]),
  JSON.stringify([{ invoice: 1 }, { invoice: 'A-2' }]),
  'text;b\nx;p\n12;q\ny 5;r\n',
  'a;b\nx;p\n2026-01-01;q\ny;r\nz;p\n5;p\n',
])('texts and numbers that belong together are not told as mixed: %s', async (content) => {
  expect((await warningsOf(content)).filter(([code]) => code === 'column_mixed_types')).toEqual([]);
});

test.each<[string, string[], string]>([
  ['rates', ['1.08345', '0.84123', '0.95'], 'number'],
  ['decimal commas', ['0,00012345', '1,50000000', '12,123456789'], 'number'],
  ['a currency', ['€ 1.234,56789', '1,5', '-2,00001'], 'number'],
  ['four decimals', ['1.0834', '0.8412', '0.95'], 'amount'],
])('decimals that an amount does not keep make numbers: %s', async (_what, values, type) => {
  const { detected, warnings } = await readFile(`pair;rate\n${values.map((value) => `x;${value}\n`).join('')}`);
  expect([detected.types?.rate, warnings]).toEqual([type, []]);
});

test('numbers with more digits than a double keeps stay text, and are told', async () => {
  const { detected, warnings } = await readFile('c;q\na;1.1234567890123456789\nb;1.5123456789012345678\n');
  expect(detected.types?.q).toBe('string');
  expect(warnings).toMatchObject([{ code: 'number_not_exact', column: 'q' }]);
});

test.each([
  'Docto.',
  'NSU',
  'Kostenstelle',
  'ИНН',
  'UTR',
  'Terminal',
  'PO',
  'OIB',
  'Номер счета',
  '伝票番号',
  'GL Account',
])('whole numbers of a column that identifies stay text: %s', async (name) => {
  expect((await readFile(`x;${name}\na;1001\nb;1002\n`)).detected.types).toEqual({ x: 'string', [name]: 'string' });
});

test.each([
  ['contact;amount\n+4917012345678;+1,50\n+493012345678;-2,50\n', 'string'],
  ['contact;amount\n+12345678;+1,50\n-12345679;-2,50\n', 'amount'],
])('numbers that all begin with a plus are those of phones, and no amounts: %j', async (content, type) => {
  expect((await readFile(content)).detected.types).toEqual({ contact: type, amount: 'amount' });
});
