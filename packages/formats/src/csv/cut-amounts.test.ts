import { readFile } from '../../testing/files';

/** The rows as read, the lines that are rejected, and the codes of the warnings. */
async function outcome(content: string) {
  const { rows, rejected, warnings } = await readFile(content);
  return {
    rows: rows.map(({ data }) => Object.values(data).join(' | ')),
    rejected: rejected.map(({ line, code }) => `${line}: ${code}`),
    warnings: warnings.map(({ code }) => code),
  };
}

test.each<[string, string, string[]]>([
  [
    'two columns',
    'Date,Amount,Balance,Text\n02.01.2026,-12,50,100,00,Shop A\n03.01.2026,-5,99,94,01,Shop B\n',
    ['02.01.2026 | -12,50 | 100,00 | Shop A', '03.01.2026 | -5,99 | 94,01 | Shop B'],
  ],
  [
    'one column',
    'Date,Text,Amount\n02.01.2026,A,12,50\n03.01.2026,B,5,99\n',
    ['02.01.2026 | A | 12,50', '03.01.2026 | B | 5,99'],
  ],
  [
    'whole amounts too',
    'D,T,A\n2.1.2026,A,12,50\n3.1.2026,B,5\n4.1.2026,C,1.234,50\n',
    ['2.1.2026 | A | 12,50', '3.1.2026 | B | 5', '4.1.2026 | C | 1.234,50'],
  ],
  [
    'empty cells',
    'D,Debit,Credit,Balance\n2.1.2026,12,50,,100,00\n3.1.2026,,5,99,94,01\n',
    ['2.1.2026 | 12,50 |  | 100,00', '3.1.2026 |  | 5,99 | 94,01'],
  ],
  [
    'thousands',
    'D,T,A\n2026-01-01,a,1,234.50\n2026-01-02,b,12.50\n2026-01-03,c,2,112.50\n',
    ['2026-01-01 | a | 1,234.50', '2026-01-02 | b | 12.50', '2026-01-03 | c | 2,112.50'],
  ],
  [
    'a currency',
    'D,T,A\n2.1.2026,A,12,50 EUR\n3.1.2026,B,5,99 EUR\n',
    ['2.1.2026 | A | 12,50 EUR', '3.1.2026 | B | 5,99 EUR'],
  ],
  [
    'quoted texts',
    '"D","T","A"\n"2.1.2026","Shop, A",12,50\n"3.1.2026","B",5,99\n',
    ['2.1.2026 | Shop, A | 12,50', '3.1.2026 | B | 5,99'],
  ],
  [
    'an empty name at the end',
    'D,T,A,\n2.1.2026,a,12,50,\n3.1.2026,b,13,75,\n',
    ['2.1.2026 | a | 12,50', '3.1.2026 | b | 13,75'],
  ],
  [
    'an empty name at the end of the header alone',
    'D,T,A,\n2.1.2026,a,12,50\n3.1.2026,b,13,75\n',
    ['2.1.2026 | a | 12,50', '3.1.2026 | b | 13,75'],
  ],
  ['blanks', 'D, T, A\n2.1.2026, A, 12,50\n3.1.2026, B, 13,50\n', ['2.1.2026 |  A |  12,50', '3.1.2026 |  B |  13,50']],
])('amounts that commas cut are put together where each row has one way to fit: %s', async (_what, content, rows) => {
  expect(await outcome(content)).toEqual({ rows, rejected: [], warnings: ['amounts_joined'] });
});

test.each<[string, string, string[], string[]]>([
  ['a number beside', 'Item,Qty,Price\nA,2,12,50\nB,1,13,75\n', [], ['2: too_many_columns', '3: too_many_columns']],
  [
    'whole amounts in two columns',
    'D,T,Amount,Balance\n2.1.2026,A,12,50,100\n3.1.2026,B,5,94,01\n',
    ['2.1.2026 | A | 12,50 | 100'],
    ['3: too_many_columns'],
  ],
  [
    'a cell that is missing',
    'D,Amount,Balance,T\n2.1.2026,12,50,100,00,A\n3.1.2026,12,50,100,00,B\n4.1.2026,5,99,94\n',
    ['2.1.2026 | 12,50 | 100,00 | A', '3.1.2026 | 12,50 | 100,00 | B'],
    ['4: too_many_columns'],
  ],
])(
  'a row that fits in several ways is rejected, and the file warned of: %s',
  async (_what, content, rows, rejected) => {
    const read = await outcome(content);
    expect(read).toMatchObject({ rows, rejected });
    expect(read.warnings.filter((code) => code.startsWith('amounts_'))).toHaveLength(1);
  },
);

test('amounts that seem cut in a file without names are told and doubted', async () => {
  const { warnings } = await outcome('02.01.2026,-12,50,100,00,Shop A\n03.01.2026,-5,99,94,01,Shop B\n');
  expect(warnings).toEqual(expect.arrayContaining(['reading_uncertain', 'amounts_cut']));
});

test('whole thousands that seem cut are told and doubted', async () => {
  const { rows, warnings } = await outcome('D,T,A\n2026-01-01,a,1,234\n2026-01-02,b,12,345\n');
  expect(rows).toHaveLength(2);
  expect(warnings).toEqual(expect.arrayContaining(['reading_uncertain', 'amounts_cut']));
});

test.each([
  'name,age\nBob,25,Berlin\nEva,31,Paris\n',
  'a,2026,01,05\nb,2026,01,06\n',
  'a,b\n1,x,3\n2,y,4\n',
  'x,12,50\ny,13,60\n',
])('other numbers stay cells of their own: %j', async (content) => {
  expect((await outcome(content)).warnings.filter((code) => code.startsWith('amounts_'))).toEqual([]);
});

test('a row of countless amounts is read in little time, and rejected', async () => {
  const row = Array.from({ length: 100_000 }, () => '1,50').join();
  expect((await outcome(`D,A\n2.1.2026,1,50\n2.1.2026,2,50\n${row}\n`)).rejected).toEqual(['4: too_many_columns']);
});
