import { detectFile } from '../index';
import { bytesSource, readFile, readFrom } from '../../testing/files';
import { plainRows, workbookOf, workbookParts, zipOf } from '../../testing/workbook';
import { numberKind, serialText } from './styles';

const sheetOf = (rows: string, rest: Partial<Parameters<typeof workbookOf>[0]> = {}): Buffer =>
  workbookOf({ sheets: [{ name: 'S', rows }], ...rest });
const plain = sheetOf(
  plainRows([
    ['id', 'amount'],
    ['a', 1.5],
    ['b', -2],
  ]),
);

/** Reads the only data cell of a sheet with one column. */
async function cellValue(cell: string, rest: Parameters<typeof sheetOf>[1] = {}): Promise<unknown> {
  const { rows, rejected } = await readFile(
    sheetOf(`<row><c t="str"><v>h</v></c><c t="str"><v>x</v></c></row><row>${cell}<c t="str"><v>y</v></c></row>`, rest),
  );
  return rejected[0]?.code ?? rows[0]?.data.h;
}

test('a sheet gives its rows with numbers as numbers, in pieces of any size', async () => {
  const { rows, detected } = await readFile(plain, {}, 7);
  expect(rows).toEqual([
    { line: 2, data: { id: 'a', amount: 1.5 } },
    { line: 3, data: { id: 'b', amount: -2 } },
  ]);
  expect(detected).toMatchObject({
    format: 'xlsx',
    headers: ['id', 'amount'],
    sheetNames: ['S'],
    sheet: 'S',
    mimeType: expect.stringContaining('spreadsheetml') as string,
  });
});

const dates = {
  formats: [0, 14, 22, 20, 'yyyy-mm-dd', '[$-409]d\\-mmm;@', '[h]:mm', '0.00"d"', '"day" 0', 'mmmm', 'mm:ss'],
};

test.each<[string, string, unknown, Parameters<typeof sheetOf>[1]?]>([
  ['a number', '<c><v>1.50</v></c>', 1.5],
  ['a number with exponent', '<c><v>1.2E3</v></c>', 1200],
  ['a shared text', '<c t="s"><v>1</v></c>', 'two', { texts: ['<t>one</t>', '<t>two</t>'] }],
  [
    'a shared text of runs with a reading',
    '<c t="s"><v>0</v></c>',
    'ab',
    { texts: ['<r><t>a</t></r><r><rPr/><t>b</t></r><rPh><t>reading</t></rPh>'] },
  ],
  ['an escaped character', '<c t="s"><v>0</v></c>', 'a\rb', { texts: ['<t>a_x000D_b</t>'] }],
  ['a text in its cell', '<c t="inlineStr"><is><t xml:space="preserve"> x &amp; y </t></is></c>', ' x & y '],
  ['the result of a formula', '<c t="str"><f>A1&amp;"t"</f><v>text</v></c>', 'text'],
  ['the result of a formula that is a number', '<c><f>1+1</f><v>2</v></c>', 2],
  ['true', '<c t="b"><v>1</v></c>', true],
  ['false', '<c t="b"><v>0</v></c>', false],
  ['nothing', '<c/>', null],
  ['a cell with a format only', '<c s="1"/>', null, dates],
  ['a date', '<c s="1"><v>45351</v></c>', '2024-02-29', dates],
  [
    'a date of a workbook that counts from 1904',
    '<c s="1"><v>43889</v></c>',
    '2024-02-29',
    { ...dates, from1904: true },
  ],
  ['a formula that gives a carriage return', '<c t="str"><v>a_x000D_b</v></c>', 'a\rb'],
  ['an escape that is escaped', '<c t="inlineStr"><is><t>a_x005F_x000D_b</t></is></c>', 'a_x000D_b'],
  ['noise of computing', '<c><v>0.30000000000000004</v></c>', 0.3],
  ['noise behind cents', '<c><v>1234.5600000000002</v></c>', 1234.56],
  ['15 digits', '<c><v>123456789012345</v></c>', 123456789012345],
  ['19 digits', '<c><v>1234567890123456789</v></c>', '1234567890123456789'],
  ['19 digits that were rounded', '<c><v>1.23456789012345E+18</v></c>', '1234567890123450000'],
  ['a long negative number', '<c><v>-1234567890123456</v></c>', '-1234567890123456'],
  ['a formula that keeps zeros', '<c t="str"><v>="00123"</v></c>', '00123'],
  ['an apostrophe that keeps zeros', '<c t="inlineStr"><is><t>\'00123</t></is></c>', '00123'],
  ['an element of another namespace', '<c><x:v xmlns:x="urn:x">9</x:v><v>1</v></c>', 1],
  ['a date and time', '<c s="2"><v>45322.573264</v></c>', '2024-01-31T13:45:30', dates],
  ['a time', '<c s="3"><v>0.5</v></c>', '12:00:00', dates],
  ['a date by a format of its own', '<c s="4"><v>45351.75</v></c>', '2024-02-29', dates],
  ['a date by a format with language and text', '<c s="5"><v>45351</v></c>', '2024-02-29', dates],
  ['an amount of hours', '<c s="6"><v>1.5</v></c>', 1.5, dates],
  ['a number with a letter in its format', '<c s="7"><v>1.5</v></c>', 1.5, dates],
  ['a date in a cell of type date', '<c t="d"><v>2024-02-29</v></c>', '2024-02-29'],
  ['an error', '<c t="e"><v>#N/A</v></c>', 'cell_error'],
  ['a shared text that is not there', '<c t="s"><v>9</v></c>', 'shared_text_missing', { texts: ['<t>one</t>'] }],
  ['a date out of the calendar', '<c s="1"><v>2958466</v></c>', 'value_out_of_range', dates],
  ['a date before the calendar', '<c s="1"><v>-1</v></c>', 'value_out_of_range', dates],
  ['no number', '<c><v>abc</v></c>', 'value_out_of_range'],
  ['NUL', '<c t="inlineStr"><is><t>_x0000_</t></is></c>', 'unstorable_character'],
])('a cell that holds %s is read', async (_what, cell, value, ...rest) => {
  expect(await cellValue(cell, rest[0])).toEqual(value);
});

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const foreign = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';
test.each<[string, string, string, boolean]>([
  [
    'in a list of extensions',
    main,
    `<extLst><ext><x15:workbookPr xmlns:x15="${foreign}" date1904="1"/></ext></extLst>`,
    false,
  ],
  ['beside the own one', main, `<a:workbookPr xmlns:a="urn:a" date1904="1"/>`, false],
  [
    'with a default namespace',
    main,
    `<extLst><ext><workbookPr xmlns="${foreign}" date1904="1"/></ext></extLst>`,
    false,
  ],
  [
    'before the own one says 1904',
    main,
    `<a:workbookPr xmlns:a="urn:a" date1904="0"/><workbookPr date1904="1"/>`,
    true,
  ],
  [
    'under a prefix of the own namespace',
    main,
    `<s:workbookPr ${main.replace('xmlns', 'xmlns:s')} date1904="1"/>`,
    true,
  ],
])('properties of a foreign workbook do not move dates: %s', async (_where, namespaces, properties, from1904) => {
  const bytes = zipOf(
    workbookParts({ sheets: [{ name: 'S', rows: '<row><c s="1"><v>43889</v></c></row>' }], ...dates }).map((part) =>
      part.name === 'xl/workbook.xml'
        ? {
            ...part,
            content: String(part.content)
              .replace(/<workbook [^>]*xmlns:r/, `<workbook ${namespaces} xmlns:r`)
              .replace(/<workbookPr [^>]*\/>/, '')
              .replace('</sheets>', `</sheets>${properties}`),
          }
        : part,
    ),
  );
  const { rows } = await readFile(bytes, { header: false });
  expect(Object.values(rows[0]?.data ?? {})).toEqual([from1904 ? '2024-02-29' : '2020-02-28']);
});

test('the table of a sheet is found below a preamble', async () => {
  const { detected, rows } = await readFile(
    sheetOf(
      plainRows([
        ['Account', 'DE1234'],
        ['Balance', '100,00 EUR'],
        ['Date', 'Text', 'Amount'],
        ['2026-02-01', 'A', -1.5],
        ['2026-02-02', 'B', 2],
      ]),
    ),
  );
  expect(detected).toMatchObject({ headerLine: 3, preamble: { Account: 'DE1234', Balance: '100,00 EUR' } });
  expect(rows.map(({ data }) => data.Amount)).toEqual([-1.5, 2]);
});

test.each([
  [{ headerRow: 2 }, ['a', 'b'], 2],
  [{ skipLines: 1 }, ['a', 'b'], 2],
  [{ header: false }, ['column_1', 'column_2'], 4],
])('the sender decides on the rows of a sheet with %j', async (options, headers, count) => {
  const bytes = sheetOf(
    plainRows([
      ['x', 'y'],
      ['a', 'b'],
      [1, 2],
      [3, 4],
    ]),
  );
  const { detected, rows } = await readFile(bytes, options);
  expect([detected.headers, rows.length]).toEqual([headers, count]);
});

test.each([
  [1, '1900-01-01'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
  [36_526, '2000-01-01'],
  [2_958_465, '9999-12-31'],
])('day %i is %s', (serial, day) => {
  expect(serialText(serial, 'date', false)).toBe(day);
});

test.each<[string, string]>([
  ['General', 'number'],
  ['0.00', 'number'],
  ['#,##0 "days"', 'number'],
  ['yyyy-mm-dd', 'date'],
  ['dd/mm/yy hh:mm', 'datetime'],
  ['h:mm AM/PM', 'time'],
  ['[Red]dd.mm.yyyy;@', 'date'],
  ['[hh]:mm:ss', 'number'],
  ['mmm\\-yy', 'date'],
  ['@', 'number'],
  ['ss.00', 'time'],
  ['"y"0', 'number'],
])('the format %j shows a %s', (code, kind) => {
  expect(numberKind(164, code)).toBe(kind);
});

test('cells that a row leaves out are null, and cells without names are counted', async () => {
  const { rows } = await readFile(
    sheetOf(
      '<row r="3"><c r="A3" t="str"><v>a</v></c><c r="C3" t="str"><v>c</v></c></row><row/><row r="7"><c ' +
        'r="C7"><v>3</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>',
    ),
  );
  expect(rows).toEqual([
    { line: 7, data: { a: null, column_2: null, c: 3 } },
    { line: 8, data: { a: 1, column_2: 2, c: null } },
  ]);
});

test('merged cells hold their value once', async () => {
  const { rows } = await readFile(
    sheetOf('<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c r="A2"><v>1</v></c><c r="B2"/></row>'),
  );
  expect(rows[0]?.data).toEqual({ a: 1, b: null });
});

test('a value beyond the header rejects its row', async () => {
  const { rejected } = await readFile(sheetOf(plainRows([['a'], [1, 2], [3]])));
  expect(rejected).toEqual([
    {
      line: 2,
      column: null,
      code: 'too_many_columns',
      message: expect.stringContaining('column 2') as string,
      raw: '1\t2',
    },
  ]);
});

test('titles above the header are no rows', async () => {
  const { rows } = await readFile(sheetOf(plainRows([['Report'], [], ['a', 'b', 'c'], ['x', 1, 2], ['y', 3, 4]])));
  expect(rows.map(({ line }) => line)).toEqual([4, 5]);
});

test('a sheet of 300 columns is read', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `c${i}`);
  const { rows } = await readFile(sheetOf(plainRows([names, names.map((_, i) => i)])));
  expect(rows[0]?.data).toEqual(Object.fromEntries(names.map((name, i) => [name, i])));
});

describe('of several sheets', () => {
  const three = workbookOf({
    sheets: [
      { name: 'Hidden', rows: plainRows([['h'], ['hidden']]), state: 'veryHidden' },
      { name: 'First', rows: plainRows([['h'], ['first']]) },
      { name: 'Übersicht', rows: plainRows([['h'], ['second']]) },
    ],
  });

  test.each([
    [undefined, 'first'],
    ['Übersicht', 'second'],
    ['Hidden', 'hidden'],
  ])('the one named %j is read', async (sheet, value) => {
    const { rows, detected } = await readFile(three, sheet === undefined ? {} : { sheet });
    expect(rows.map(({ data }) => data.h)).toEqual([value]);
    expect(detected.sheetNames).toEqual(['Hidden', 'First', 'Übersicht']);
  });

  test('one that is not there is refused with the names of those that are', async () => {
    await expect(readFile(three, { sheet: 'Third' })).rejects.toMatchObject({
      code: 'sheet_not_found',
      message: 'sheet: the workbook has no sheet "Third". It has "Hidden", "First", "Übersicht".',
    });
  });
});

const without = (name: string): Buffer =>
  zipOf(workbookParts({ sheets: [{ name: 'S', rows: plainRows([['a'], [1]]) }] }).filter((part) => part.name !== name));
const parts = workbookParts({ sheets: [{ name: 'S', rows: plainRows([['a'], [1]]) }] });
const replaced = (name: string, part: Partial<(typeof parts)[number]>): Buffer =>
  zipOf(parts.map((old) => (old.name === name ? { ...old, ...part } : old)));
const sheetName = 'xl/worksheets/sheet1.xml';

test.each<[string, Buffer, string, RegExp]>([
  [
    'a password',
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    'password_protected',
    /Remove the password/,
  ],
  [
    'the format of Excel 97',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('Workbook', 'utf16le')]),
    'format_unsupported',
    /save it as XLSX/,
  ],
  ['a part with a password', replaced('xl/workbook.xml', { isEncrypted: true }), 'password_protected', /Remove it/],
  ['a sheet that is not there', without(sheetName), 'file_damaged', /no part xl\/worksheets\/sheet1\.xml/],
  ['no workbook', without('xl/workbook.xml'), 'format_unsupported', /without a workbook/],
  ['a text document', zipOf([{ name: 'word/document.xml', content: '<x/>' }]), 'format_unsupported', /Word/],
  ['an OpenDocument sheet', zipOf([{ name: 'content.xml', content: '<x/>' }]), 'format_unsupported', /OpenDocument/],
  ['a binary workbook', zipOf([{ name: 'xl/workbook.bin', content: 'x' }]), 'format_unsupported', /xlsb/],
  [
    'names that leave the archive',
    zipOf([...parts, { name: '../../etc/passwd', content: 'x' }]),
    'file_damaged',
    /damaged/,
  ],
  [
    'a part that unpacks to far more than it is',
    replaced(sheetName, { content: Buffer.alloc(80 * 1024 * 1024, ' ') }),
    'file_too_large',
    /would unpack/,
  ],
  [
    'a part that unpacks to more than it says',
    replaced(sheetName, { content: Buffer.alloc(1024 * 1024, ' '), claimedBytes: 100 }),
    'file_damaged',
    /damaged/,
  ],
  [
    'broken XML',
    replaced(sheetName, { content: '<worksheet><sheetData><row></sheetData></worksheet>' }),
    'file_damaged',
    /cannot be read/,
  ],
  [
    'entities of its own',
    replaced(sheetName, { content: '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData/></worksheet>' }),
    'file_damaged',
    /document type/,
  ],
  ['an empty sheet', sheetOf(''), 'file_empty', /is empty/],
  ['half of its bytes', plain.subarray(0, plain.length >> 1), 'file_damaged', /damaged/],
])('a workbook with %s is refused with what to do', async (_what, bytes, code, message) => {
  await expect(readFile(bytes)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test('reading from any position gives the rest of the sheet', async () => {
  const bytes = sheetOf(plainRows([['a'], ...Array.from({ length: 3_000 }, (_, i) => [i])]));
  const { detected, rows, positions } = await readFile(bytes);
  expect(positions.length).toBeGreaterThan(2);
  for (const from of positions) {
    expect((await readFrom(bytesSource(bytes), detected, from)).rows).toEqual(
      rows.filter(({ line }) => line >= from.line),
    );
  }
});

test('a failure of the storage is no fault of the file', async () => {
  const { open, sizeBytes } = bytesSource(plain);
  let opened = 0;
  const failing = {
    sizeBytes,
    open: async (start?: number, end?: number) =>
      ++opened === 1 ? open(start, end) : Promise.reject(new Error('disk gone')),
  };
  await expect(detectFile(failing, {})).rejects.toThrow('disk gone');
});

const filled = {
  name: 'Data',
  rows: plainRows([
    ['Date', 'Amount'],
    ['2026-01-01', 1],
  ]),
};

test.each([
  ['an empty sheet', '', []],
  ['a sheet of empty cells', '<row r="1"><c r="A1" s="0"/></row>', []],
  ['a sheet with values', plainRows([['Bank'], ['x']]), ['sheets_skipped']],
])('behind %s the first sheet with values is read, and others are named', async (_what, rows, warnings) => {
  const { detected } = await readFile(workbookOf({ sheets: [{ name: 'First', rows }, filled] }));
  expect(detected.sheet).toBe(warnings.length === 0 ? 'Data' : 'First');
  expect(detected.warnings?.map(({ code }) => code)).toEqual(warnings);
});

test.each([
  ['named', { sheet: 'Data' }, undefined],
  ['visible', {}, 'hidden'],
])('no sheet is missed where one is %s', async (_what, options, state) => {
  const other = { name: 'Other', rows: plainRows([['a'], [1]]), ...(state === undefined ? {} : { state }) };
  const { detected } = await readFile(workbookOf({ sheets: [other, filled] }), options);
  expect([detected.sheet, detected.warnings]).toEqual(['Data', []]);
});
