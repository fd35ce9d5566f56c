import { readFile } from '../../testing/files';

/** The lines that are read as rows, and the codes of the warnings. */
async function outcome(content: string, comment?: string) {
  const { rows, warnings } = await readFile(content, comment === undefined ? {} : { comment });
  return { lines: rows.map(({ line }) => line), warnings: warnings.map(({ code }) => code) };
}

const ids = (sign: string): string =>
  `No;Customer;Status\n${sign}1001;Acme;open\n${sign}1002;Beta;paid\n${sign}1003;C;x\n`;

test.each<[string, string, number[], string[]]>([
  ['numbers of orders', ids('#'), [2, 3, 4], []],
  ['an order among others', ids('').replace('1002', '#1002'), [2, 3, 4], ['remarks_kept']],
  [
    'a row that was put out of use',
    'D;T;A\n2026-01-01;a;1,5\n#2026-01-02;b;2,5\n2026-01-03;c;2\n',
    [2, 3, 4],
    ['remarks_kept'],
  ],
  ['words', 'Tag;Text\n#news;hello world\nsports;foo bar\n#fun;blah\nmisc;x\n', [2, 3, 4, 5], ['remarks_kept']],
  ['two columns', 'Name,Status\nAcme,open\n# Made by X, version 2\nBeta,paid\n', [2, 3, 4], ['remarks_kept']],
  [
    'a value',
    'D;T;A\n2026-01-01;a;1,5\n#Total;12,50\n# note\n2026-01-03;c;2\n',
    [2, 3, 5],
    ['remarks_skipped', 'remarks_kept'],
  ],
  ['tags of a list', 'name\nx\n#tag\n# remark\ny\n', [2, 3, 5], ['remarks_skipped', 'remarks_kept']],
  ['remarks', 'D;T;A\n2026-01-01;a;1,5\n# half; of it\n2026-01-03;c;2\n# "end; x\n', [2, 4], ['remarks_skipped']],
  [
    'names again',
    '#Date;Text;Amount\n2026-01-01;a;1,5\n#Date;Text;Amount\n2026-01-02;b;2,5\n',
    [2, 4],
    ['repeated_header'],
  ],
])(
  'a line with the sign of remarks is a row if it has all columns, and each doubt is told: %s',
  async (_what, content, ...is) => {
    const { lines, warnings } = await outcome(content);
    expect([lines, warnings.filter((code) => /remark|repeated/.test(code))]).toEqual(is);
  },
);

test('the sender settles which lines are remarks', async () => {
  const content = 'No;Customer;Status\n1001;Acme;open\n#1002;Beta;paid\n# note\n1003;C;x\n';
  expect(await outcome(content, '#')).toEqual({ lines: [2, 5], warnings: [] });
  expect(await outcome(content, '')).toEqual({ lines: [2, 3, 4, 5], warnings: [] });
});

test('a row with the sign far behind the sample is a row', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) =>
    at === 2_500 ? '#X;A;open' : at === 2_600 ? '# note' : `${at};A;x`,
  );
  const { lines } = await outcome(`No;Customer;Status\n# note\n${rows.join('\n')}\n`);
  expect([lines.length, lines.includes(2_503), lines.includes(2_603)]).toEqual([2_999, true, false]);
});

test.each([undefined, '//'])('lines that begin with strokes are no program above a table: %s', async (comment) => {
  const content = '// exported\n// by a program\nDate;Text;Amount\n2026-01-01;b;1.50\n2026-01-02;c;2.50\n';
  expect((await outcome(content, comment)).lines).toEqual([4, 5]);
});
