import fc from 'fast-check';
import { readFile } from '../../testing/files';
import type { ReadOptions } from '../types';

/** The columns and rows of a file, with the codes of its warnings. */
async function reading(content: string, options: ReadOptions = {}) {
  const { detected, rows } = await readFile(content, options);
  return {
    delimiter: detected.delimiter,
    headers: detected.headers,
    rows: rows.map(({ data }) => (detected.headers ?? []).map((name) => data[name]).join(' | ')),
    warnings: (detected.warnings ?? []).map(({ code }) => code),
  };
}

const sparse =
  'date;text;amount;balance;note\n01.02.2026;Shop A;-16,52;100,00;\n02.02.2026;Shop B;-3,10;96,90;ref 7\n' +
  '03.02.2026;Shop C;-5,00;91,90;\n';

test.each<[string, string, string]>([
  ['a last column that is mostly empty', sparse, ';'],
  ['tabs', sparse.replaceAll(';', '\t'), '\t'],
  ['bars', sparse.replaceAll(';', '|'), '|'],
  ['an unusual delimiter', sparse.replaceAll(';', '^'), '^'],
  ['quotes', sparse.replace(/[^;\n]+/g, '"$&"'), ';'],
  ['rows without their empty end', sparse.replaceAll(';\n', '\n'), ';'],
  ['one row', sparse.split('\n').slice(0, 2).join('\n'), ';'],
  ['titles', `Account;DE1234\nBalance;100,00 EUR\n\n${sparse}`, ';'],
])('decimal commas are not the delimiter: %s', async (_what, content, delimiter) => {
  const { delimiter: found, headers, rows } = await reading(content);
  expect([found, headers]).toEqual([delimiter, ['date', 'text', 'amount', 'balance', 'note']]);
  expect(rows[0]).toBe('01.02.2026 | Shop A | -16,52 | 100,00 | ');
});

test.each<[string, string, string, string]>([
  ['a colon', 'name:betrag\na:1,5\nb:2,75\n', ':', 'a | 1,5'],
  ['a colon, with cents', 'name:betrag\na:1,50\nb:2,75\n', ':', 'a | 1,50'],
  ['a colon, without names', 'a:1,5\nb:2,75\nc:3,25\n', ':', 'a | 1,5'],
  ['a comma in the header', 'Betrag, EUR:Name\n1,5:a\n2,75:b\n', ':', '1,5 | a'],
  ['three columns', 'd*t*a\n01.01.2026*x*-1,5\n02.01.2026*y*12,25\n', '*', '01.01.2026 | x | -1,5'],
  ['an exclamation mark', 'name!amount, EUR\na!1,5\nb!2,75\n', '!', 'a | 1,5'],
  ['a slash', 'name/betrag\na/1,5\nb/2,75\n', '/', 'a | 1,5'],
  ['a number sign', 'date#text#amt\n2026-01-13#a#1,50\n2026-01-14#c#2,75\n', '#', '2026-01-13 | a | 1,50'],
  ['thousands', 'name!amt\na!1.234,50\nc!-2.000,75\n', '!', 'a | 1.234,50'],
  ['a currency', 'd:t:a\n2026-01-13:a:1,50 EUR\n2026-01-14:c:2,75 EUR\n', ':', '2026-01-13 | a | 1,50 EUR'],
  ['texts with a number', 'Rechnung 1 ueber 12,5\nRechnung 2 ueber 13,5\n', ',', 'Rechnung 1 ueber 12 | 5'],
])('an unusual delimiter beside decimal commas is found, and doubted: %s', async (_what, content, delimiter, first) => {
  expect(await reading(content)).toMatchObject({
    delimiter,
    rows: expect.arrayContaining([first]) as string[],
    warnings: expect.arrayContaining(['reading_uncertain']) as string[],
  });
});

test.each<[string, string]>([
  ['names', 'order_id,qty\norder_1,5\norder_2,7\n'],
  ['names above whole numbers', 'id,amount\n1,10\n2,11\n3,12\n'],
  ['times', 'time,room\n10:30,5\n11:30,6\n'],
  ['addresses', 'url,n\nhttp://x.de/1,5\nhttp://x.de/2,6\n'],
  ['decimal points', 'A-1,5,2.50\nA-2,7,3.50\nA-3,9,4.50\n'],
  ['streets', 'name,street,no\nA,Hauptstr. 5,10115\nB,Weg 7,20115\n'],
])('commas behind numbers stay the delimiter: %s', async (_what, content) => {
  const { delimiter, warnings } = await reading(content);
  expect([delimiter, warnings.includes('reading_uncertain')]).toEqual([',', false]);
});

test.each<[string, string, string, string]>([
  [
    'semicolons in texts',
    'd,t,a\n2026-01-01,A; B; C,-5.99\n2026-01-02,A; B; C,-6.99\n',
    ',',
    '2026-01-01 | A; B; C | -5.99',
  ],
  ['a semicolon in each text', 'name,city\nA;B,Berlin\nC;D,Paris\n', ',', 'A;B | Berlin'],
  ['a bar in each text', 'name;note\nA;x|1\nB;y|2\n', ';', 'A | x|1'],
  ['commas of names', 'Name, Vorname;Ort\nMüller, Hans;Berlin\nMeier, Eva;Köln\n', ';', 'Müller, Hans | Berlin'],
  ['tabs in texts', 'a;b\nx\ty;1\nz\tw;2\n', ';', 'x\ty | 1'],
])('texts do not turn the delimiter: %s', async (_what, content, delimiter, first) => {
  expect(await reading(content)).toMatchObject({ delimiter, rows: expect.arrayContaining([first]) as string[] });
});

test.each<[string, string, string[]]>([
  [
    'dates and amounts',
    '01.01.2026;Shop A;-5,99;EUR\n02.01.2026;Shop B;-6,99;EUR\n',
    ['01.01.2026 | Shop A | -5,99 | EUR'],
  ],
  ['values only', '2025-01-01;12,50\n2025-01-02;13,00', ['2025-01-01 | 12,50', '2025-01-02 | 13,00']],
  ['one row', '01.01.2026;Shop A;-5,99;EUR\n', ['01.01.2026 | Shop A | -5,99 | EUR']],
  ['whole numbers', '1,2\n3,4\n5,7\n', ['1 | 2', '3 | 4', '5 | 7']],
  ['commas', '2026-01-01,Shop A,-5.99\n2026-01-02,Shop B,-6.99\n', ['2026-01-01 | Shop A | -5.99']],
  ['an empty value in the first row', '2026-01-01,,-5.99\n2026-01-02,Shop B,-6.99\n', ['2026-01-01 |  | -5.99']],
  ['a first row with an odd value', '2026-01-01,A,-\n2026-01-02,B,-6.99\n2026-01-03,C,1.00\n', ['2026-01-01 | A | -']],
])('a file without names loses no row and says so: %s', async (_what, content, rows) => {
  const read = await reading(content);
  expect(read.headers?.[0]).toBe('column_1');
  expect(read.rows).toEqual(expect.arrayContaining(rows));
  expect(read.warnings).toContain('no_header');
});

test.each<[string, string, string[]]>([
  ['years above amounts', 'Account;2023;2024\nA;1,50;2,50\nB;3,00;4,00\n', ['Account', '2023', '2024']],
  ['years above whole numbers', 'Account;2023;2024\nA;2500;1800\nB;2100;1950\n', ['Account', '2023', '2024']],
  ['years above small numbers', 'Account;2023;2024\nA;1;2\nB;3;4\n', ['Account', '2023', '2024']],
  ['years above texts', '2023;2024;2025\nfoo;bar;baz\na;b;c\n', ['2023', '2024', '2025']],
  ['months by number', 'name;1;2;3\nA;10,5;20,5;30\nB;1,5;2;3\n', ['name', '1', '2', '3']],
  ['dates above amounts', 'Account;2026-01-01;2026-02-01\nA;1,50;2,50\n', ['Account', '2026-01-01', '2026-02-01']],
  ['texts above texts', 'name;city\nMüller;Berlin\nMeier;Köln\n', ['name', 'city']],
  ['no row', 'a,b\n', ['a', 'b']],
])('a header stays one: %s', async (_what, content, headers) => {
  expect((await reading(content)).headers).toEqual(headers);
});

test.each<[string, string, Record<string, string> | undefined]>([
  [
    'pairs',
    'Account;DE1234\nBalance;100,00 EUR\nDate;Text;Amount\n01.02.2026;A;-1,50\n02.02.2026;B;2,00\n',
    { Account: 'DE1234', Balance: '100,00 EUR' },
  ],
  [
    'as wide as the table',
    'Account;DE1234\nBalance;100,00 EUR\nDate;Amount\n01.02.2026;-1,50\n02.02.2026;2,00\n',
    { Account: 'DE1234', Balance: '100,00 EUR' },
  ],
  [
    'pairs in one cell',
    'Account: DE1234\nStatement of March\nDate;Amount\n01.02.2026;-1,50\n02.02.2026;2,00\n',
    { Account: 'DE1234', line_2: 'Statement of March' },
  ],
  [
    'longer than the table',
    `${'Note;x\n'.repeat(12)}Date;Text;Amount\n01.02.2026;A;-1,50\n02.02.2026;B;2,00\n`,
    undefined,
  ],
  [
    'remarks',
    '# Account: DE1234\nDate;Amount\n01.02.2026;1,50\n# half "time\n02.02.2026;2,00\n',
    { Account: 'DE1234' },
  ],
  [
    'names that each are marked',
    'Bank;\n#Client;\nJAN;\n\n#Period:;\n01.01.2026;31.01.2026;\n\n#Currency;#In;#Out;\nPLN;1 000,00;-500,00;\n\n' +
      '#Date;#Text;#Account;#Kind;#Amount;\n01.02.2026;"A";"x 1";"y";-1 234,50 PLN;;\n' +
      '02.02.2026;"B";"x 1";"z";2,00 PLN;;\n',
    undefined,
  ],
  ['marked names', '#Date;#Text;#Amount\n01.02.2026;A;1,50\n02.02.2026;B;2,00\n', undefined],
  ['names in a remark below a pair', 'Owner;DE1234\n# Date;Amount\n01.02.2026;1,50\n02.02.2026;2,00\n', undefined],
  [
    'remarks everywhere',
    '# exported 2026-01-01\n# account;123\nDate;Text;Amount\n01.02.2026;a;1,00\n# middle\n02.02.2026;b;-2,00\n# end\n',
    undefined,
  ],
  ['remarks below', 'Date;Text;Amount\n01.02.2026;a;1,00\n# middle\n# more\n# even, more\n# end\n', undefined],
  ['a remark with marks', 'Date;Text;Amount\n01.02.2026;a;1,00\n# half; time\n02.02.2026;b;1,00\n', undefined],
  ['names in a remark', '# export\n# Date;Amount\n01.02.2026;1,50\n02.02.2026;2,00\n', { line_1: 'export' }],
])('the table is found below a preamble: %s', async (_what, content, preamble) => {
  const { detected, rows } = await readFile(content);
  expect(detected.headers?.[0]).toBe('Date');
  expect(detected.headers?.at(-1)).toBe('Amount');
  expect(rows.every(({ data }) => /^0\d\.02/.test(String(data.Date)))).toBe(true);
  if (preamble !== undefined) expect(detected.preamble).toEqual(preamble);
});

test('headerRow names a line that begins like a remark', async () => {
  const { headers, rows } = await reading('x;y\n# one;two\n1;2\n# end\n3;4\n', { headerRow: 2 });
  expect([headers, rows.length]).toEqual([['one', 'two'], 2]);
});

test('signs of remarks that are values stay', async () => {
  const content = 'id,date,amount\n#1,2026-01-01,5.00\n2,2026-01-02,6.00\n3,2026-01-03,6.00\n4,2026-01-04,6.00\n';
  expect((await reading(content)).rows).toHaveLength(4);
});

const titled = 'Bank;X\nDate;Amount\n01.02.2026;1,50\n02.02.2026;2,00\n';
test.each<[ReadOptions, string[], number]>([
  [{ headerRow: 2 }, ['Date', 'Amount'], 2],
  [{ headerRow: 1 }, ['Bank', 'X'], 3],
  [{ skipLines: 1 }, ['Date', 'Amount'], 2],
  [{ skipLines: 2, header: false }, ['column_1', 'column_2'], 2],
  [{ header: false }, ['column_1', 'column_2'], 4],
  [{ comment: '01' }, ['Date', 'Amount'], 1],
])('the sender decides with %j', async (options, headers, count) => {
  const { headers: found, rows } = await reading(titled, options);
  expect([found, rows.length]).toEqual([headers, count]);
});

test('lines that are left out may hold anything', async () => {
  expect((await reading('"open\nx"y\nDate;Amount\n01.02.2026;1,50\n', { skipLines: 2 })).rows).toEqual([
    '01.02.2026 | 1,50',
  ]);
});

test('a line that repeats the names is no row', async () => {
  const { rows, warnings } = await reading('date;amount\n01.02.2026;1,50\ndate;amount\n02.02.2026;2,50\n');
  expect([rows, warnings]).toEqual([['01.02.2026 | 1,50', '02.02.2026 | 2,50'], ['repeated_header']]);
});

test.each([
  ['="00123"', '00123'],
  ['"=""00123"""', '00123'],
  ["'00123", '00123'],
  ["'30-11-12", '30-11-12'],
  ["'INV-001", 'INV-001'],
  ["'s-Gravenhage", "'s-Gravenhage"],
  ["'90s music", "'90s music"],
  ["'=1+2", '=1+2'],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['a_x000D_b', 'a\rb'],
  ['=1+2', '=1+2'],
])('the cell %s is read as %j', async (cell, text) => {
  expect((await reading(`id,name\n${cell},x\n9,y\n`)).rows[0]).toBe(`${text} | x`);
});

test('values below empty cells of the header are kept in columns without a name', async () => {
  expect(await reading('a,b,"",""\n2026-01-01,1.50,x,\n2026-01-02,2.50,y,z\n2026-01-03,3.50,,\n')).toMatchObject({
    headers: ['a', 'b', 'column_3', 'column_4'],
    rows: ['2026-01-01 | 1.50 | x | ', '2026-01-02 | 2.50 | y | z', '2026-01-03 | 3.50 |  | '],
    warnings: ['columns_without_name'],
  });
});

const rowsBelow = '2026-01-01,a,1.50,\n2026-01-02,b,,2.50\n';
test.each<[string, string, string[]]>([
  [
    'groups',
    `Date,Text,Amount,Amount\n,,Debit,Credit\n${rowsBelow}`,
    ['Date', 'Text', 'Amount Debit', 'Amount Credit'],
  ],
  ['a group', `Date,Text,Amount,\n,,Debit,Credit\n${rowsBelow}`, ['Date', 'Text', 'Amount Debit', 'Credit']],
  [
    'groups below names',
    `Date,Text,Amount,\n,,Debit,Credit\n${rowsBelow}${rowsBelow}`,
    ['Date', 'Text', 'Amount Debit', 'Credit'],
  ],
  ['units', `Date,Amount\n(yyyy-mm-dd),(EUR)\n2026-01-01,1.50\n`, ['Date (yyyy-mm-dd)', 'Amount (EUR)']],
])('a second line of names is joined with the first: %s', async (_what, content, headers) => {
  const joined = await readFile(content);
  expect(joined.detected).toMatchObject({ headers, headerLine: 1, warnings: [{ code: 'header_joined' }] });
  expect(joined.rows[0]?.line).toBe(3);
  const alone = await readFile(content, { headerRow: 1 });
  expect(alone.detected.headers?.[0]).toBe('Date');
  expect([...alone.rows, ...alone.rejected].map(({ line }) => line)).toContain(2);
});

test.each([
  ['a section', 'Date,Text,Amount\nChecking,,\n2026-01-01,a,1.50\n2026-01-02,b,2.50\n'],
  ['a first row without values', 'Date,Text,Amount\npending,shop,\n2026-01-01,a,1.50\n2026-01-02,b,2.50\n'],
])('other rows below the header are no names: %s', async (_what, content) => {
  expect((await reading(content)).headers).toEqual(['Date', 'Text', 'Amount']);
});

test('headerRow may name a line that begins like a remark', async () => {
  const content = '# x\n#Date;Text;Amount\n# y\n2026-01-01;A;1,50\n# z\n2026-01-02;B;2,50\n';
  expect(await reading(content, { comment: '#', headerRow: 2 })).toMatchObject({
    headers: ['Date', 'Text', 'Amount'],
    rows: ['2026-01-01 | A | 1,50', '2026-01-02 | B | 2,50'],
  });
});

test('a doubtful reading says what settles it, a clear one says nothing', async () => {
  const clear = await readFile(sparse);
  const doubtful = await readFile('a,b;c\nx,y;z\nu,v;w\n');
  expect(clear.detected.evidence?.confidence).toBeGreaterThan(0.9);
  expect(doubtful.detected.evidence?.confidence).toBeLessThan(0.5);
  expect(doubtful.detected.warnings).toMatchObject([
    { code: 'reading_uncertain', message: expect.stringContaining('delimiter') as string },
  ]);
  expect(doubtful.detected.evidence?.alternatives).not.toEqual([]);
});

test.each([
  ['two colons', 'name::text::amt\na::x::1,50\nc::y::2,75\n'],
  ['two amounts', 'name:amt:balance\na:1,50:10,50\nc:2,75:13,25\n'],
  ['no names', 'Rechnung 1 ueber 12,50\nRechnung 2 ueber 13,50\nRechnung 3 ueber 14,50\n'],
  ['blanks', 'Datum      Text        Betrag\n13.01.2026 REWE         -12,50\n14.01.2026 LOHN       2.000,00\n'],
  ['a letter', 'Sehr geehrte Damen und Herren,\nanbei die Rechnung ueber 12,50 EUR,\nzahlbar bis 13.01.2026, danke.\n'],
  ['a page', 'Kontoauszug Nr. 1, Seite 1\n13.01.2026 REWE, Berlin -12,50\n14.01.2026 LOHN, Firma 2.000,00\n'],
])('no amount is cut at its comma where nothing else separates cells: %s', async (_what, content) => {
  await expect(readFile(content)).rejects.toMatchObject({ code: 'not_a_table' });
});

test.each([
  ['name,qty\nShop 1,12\nShop 2,13\n', 'Shop 1 | 12'],
  ['"Shop 1","12"\n"Shop 2","13"\n', 'Shop 1 | 12'],
  ['date, text, amount\n2026-01-13, in Berlin at noon, 1.50\n2026-01-14, x, 2.50\n', undefined],
  ['id;amt\nx 1;1,50\nx 2;2,50\n', 'x 1 | 1,50'],
])('commas between cells stay the delimiter: %j', async (content, first) => {
  const { rows } = await reading(content);
  expect(rows).toHaveLength(2);
  if (first !== undefined) expect(rows[0]).toBe(first);
});

const word = fc.stringMatching(/^[A-Za-zÄÖÜäöü][A-Za-zäöüß ]{0,11}[a-z]$/);
const amount = fc.integer({ min: -99_999_99, max: 99_999_99 });
const day = fc.integer({ min: 0, max: 1_500 });

test('a statement in any usual notation is read as it was written, with and without names', async () => {
  const notation = fc.record({
    delimiter: fc.constantFrom(';', '\t', '|', ','),
    comma: fc.boolean(),
    names: fc.boolean(),
    titles: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(day, word, amount), { minLength: 2, maxLength: 12 }),
      notation,
      async (rows, how) => {
        const isComma = how.comma && how.delimiter !== ',';
        const written = rows.map(([days, text, cents]) => [
          new Date(days * 86_400_000 + 1.6e12).toISOString().slice(0, 10),
          text,
          (cents / 100).toFixed(2).replace('.', isComma ? ',' : '.'),
          'EUR',
        ]);
        const above = Array.from({ length: how.names ? how.titles : 0 }, (_, i) => [
          'Title',
          String.fromCharCode(65 + i),
        ]);
        const lines = [...above, ...(how.names ? [['Date', 'Text', 'Amount', 'Currency']] : []), ...written];
        const { rows: read } = await readFile(lines.map((cells) => cells.join(how.delimiter)).join('\n'));
        expect(read.map(({ data }) => Object.values(data))).toEqual(written);
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  ['Sort Code', 'string'],
  ['sortCode', 'string'],
  ['Account', 'string'],
  ['IBAN', 'string'],
  ['Reference No', 'string'],
  ['Mandate', 'string'],
  ['Date', 'date'],
  ['Invoice Date', 'date'],
  ['Rechnungsdatum', 'date'],
  ['Posted', 'date'],
])('pairs of digits are read by the name of their column: %s', async (name, type) => {
  const { detected } = await readFile(`${name},Day,Amount\n20-11-12,13/01/2026,1.00\n20-10-31,14/01/2026,2.00\n`);
  expect(detected.types).toMatchObject({ [name]: type, Day: 'date', Amount: 'amount' });
  expect(detected.warnings).toEqual([]);
});

test.each([
  ['INV-1001\nINV-1002\nINV-1003\n', 3],
  ['INV-1\nINV-2\nINV-3\n', 3],
  ['DE89370400440532013000\nDE02120300000000202051\nDE02500105170137075030\n', 3],
  ['A-1;X 10\nA-2;X 20\nA-3;X 30\n', 3],
  ['Invoice\nINV-1\nINV-2\n', 2],
  ['Q1;Q2\nlow;high\nhigh;low\n', 2],
])('a first row in the form of those below is a row: %j', async (content, count) => {
  const { rows, detected } = await readFile(content);
  expect(rows).toHaveLength(count);
  expect(detected.warnings?.some(({ code }) => code === 'no_header')).toBe(count === 3);
});
