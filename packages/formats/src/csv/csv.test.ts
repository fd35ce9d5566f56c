import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { limits } from '../limits';
import { bytesSource, readFile, readFrom } from '../../testing/files';
import { CsvParser } from './parser';

/** Rows as lines of cells, and what was rejected as lines of codes. */
async function outcome(content: string | Buffer, options = {}): Promise<{ rows: string[]; rejected: string[] }> {
  const { rows, rejected } = await readFile(content, options);
  return {
    rows: rows.map(({ line, data }) => `${line}: ${Object.values(data).join(' | ')}`),
    rejected: rejected.map(({ line, code }) => `${line}: ${code}`),
  };
}

test('rows hold text as it is written, by the names of the header', async () => {
  const { rows, detected } = await readFile('id;amount;date\r\n1;12,50;31/12/2024\r\n2;"1.000,00"; x \r\n');
  expect(rows).toEqual([
    { line: 2, data: { id: '1', amount: '12,50', date: '31/12/2024' } },
    { line: 3, data: { id: '2', amount: '1.000,00', date: ' x ' } },
  ]);
  expect(detected).toMatchObject({ format: 'csv', mimeType: 'text/csv', delimiter: ';', decimalSeparator: ',' });
});

describe('of what files hold', () => {
  test.each<[string, string, string[], string[]]>([
    ['quotes in quotes', 'a,b\n"say ""hi""",2', ['2: say "hi" | 2'], []],
    ['delimiters and line breaks in quotes', 'a,b\n"x,\r\ny",2\n3,4', ['2: x,\r\ny | 2', '4: 3 | 4'], []],
    ['blanks around quotes', 'a,b\n "x" , "y,z"\n', ['2: x | y,z'], []],
    ['quotes inside of a plain cell', 'a,b\n5" nail,2', ['2: 5" nail | 2'], []],
    ['quotes that are not doubled', 'a,b\n"say "hi" now",2', ['2: say "hi" now | 2'], []],
    ['a cell that begins with a quoted word', 'a,b\n"x" y,2', ['2: "x" y | 2'], []],
    ['short rows', 'a,b,c\n1\n1,2', ['2: 1 |  | ', '3: 1 | 2 | '], []],
    ['long rows', 'a,b\n1,2,3\n4,5', ['3: 4 | 5'], ['2: too_many_columns']],
    ['rows with empty cells beyond the header', 'a,b\n1,2,,\n', ['2: 1 | 2'], []],
    ['empty columns', 'a,,b\n1,,2', ['2: 1 |  | 2'], []],
    ['blank lines and rows without a value', 'a,b\n\n1,2\n,\n  \n3,4\n\n', ['3: 1 | 2', '6: 3 | 4'], []],
    ['CR LF', 'a,b\r\n1,2\r\n', ['2: 1 | 2'], []],
    ['CR', 'a,b\r1,2\r3,4', ['2: 1 | 2', '3: 3 | 4'], []],
    ['a line that names the delimiter', 'sep=;\r\na;b\r\n1;2', ['3: 1 | 2'], []],
    ['one column', 'name\nx\ny', ['2: x', '3: y'], []],
    ['apostrophes as quotes', "a;b\n'x;y';'2'\n'z';''\n", ['2: x;y | 2', '3: z | '], []],
    [
      'titles above the header',
      'Account:;DE12\nFrom:;2025\n\nDate;Text;Amount;Balance;Kind\n1;2;3;4;5\n6;7;8;9;0',
      ['5: 1 | 2 | 3 | 4 | 5', '6: 6 | 7 | 8 | 9 | 0'],
      [],
    ],
    ['NUL', 'a,b\n1,x\0\n2,y', ['3: 2 | y'], ['2: unstorable_character']],
    ['a header only', 'a,b\n', [], []],
  ])('%s are read', async (_what, content, rows, rejected) => {
    expect(await outcome(content)).toEqual({ rows, rejected });
  });
});

describe('a quote that is not closed costs its line only', () => {
  test.each<[string, string, string[], string[]]>([
    ['in the middle', 'a,b\n1,"x\n2,y\n3,z', ['3: 2 | y', '4: 3 | z'], ['2: quote_not_closed']],
    ['before quoted rows', 'a,b\n1,"x\n"2","y"\n"3","z"', ['3: 2 | y', '4: 3 | z'], ['2: quote_not_closed']],
    ['in the last line', 'a,b\n1,x\n2,"y', ['2: 1 | x'], ['3: quote_not_closed']],
    [
      'where another one closes it some lines later',
      'a,b,c\n1,"x,y\n2,z,5\n3,v"\n4,s,t',
      ['3: 2 | z | 5', '4: 3 | v" | ', '5: 4 | s | t'],
      ['2: quote_not_closed'],
    ],
    [
      'before cells of several lines',
      'a,b\n1,"x\n"2","y\nz"\n3,v',
      ['3: 2 | y\nz', '5: 3 | v'],
      ['2: quote_not_closed'],
    ],
  ])('%s', async (_where, content, rows, rejected) => {
    expect(await outcome(content)).toEqual({ rows, rejected });
  });
});

test('a row of several lines whose columns do not fit is rejected whole', async () => {
  const { rows, rejected } = await readFile('a,b\n1,"x\ny",z\n2,v');
  expect(rows.map(({ line }) => line)).toEqual([4]);
  expect(rejected).toEqual([
    {
      line: 2,
      column: null,
      code: 'quote_not_closed',
      message: expect.stringContaining('from line 2 to line 3') as string,
      raw: '1,"x\ny",z\n',
    },
  ]);
});

test('a rejected row names its line, its fault, and what to do', async () => {
  const { rejected } = await readFile('a;b\n1;2;3\n');
  expect(rejected).toEqual([
    {
      line: 2,
      column: null,
      code: 'too_many_columns',
      message: 'The row has 3 columns, the header has 2. Put a value that holds the delimiter into quotes.',
      raw: '1;2;3',
    },
  ]);
});

test('a rejected row is kept up to 1 KiB', async () => {
  const { rejected } = await readFile(`a;b\n1;2;${'ü'.repeat(2_000)}\n`);
  expect(rejected[0]?.raw).toBe(`1;2;${'ü'.repeat(510)}`);
});

test('a line that is too long is rejected, and the lines after it are read', async () => {
  const long = `1,${'x'.repeat(3 * limits.rowChars)}`;
  expect(await outcome(`a,b\n0,0\n${long}\n2,3`)).toEqual({
    rows: ['2: 0 | 0', '4: 2 | 3'],
    rejected: ['3: row_too_long'],
  });
});

test('a quoted cell that goes on for too long costs its first line only', async () => {
  const lines = Array.from({ length: 3 * (limits.rowChars / 8) }, () => 'aaa,bbb').join('\n');
  const { rows, rejected } = await readFile(`a,b\n1,"x\n${lines}\n2,3`);
  expect(rejected.map(({ line, code }) => `${line}: ${code}`)).toEqual(['2: quote_not_closed']);
  expect(rows).toHaveLength(3 * (limits.rowChars / 8) + 1);
});

test('a file of which every line opens a quote that nothing closes is read in linear time', () => {
  const line = 'x","\n';
  let lines = 0;
  const parser = new CsvParser({ delimiter: ',', quote: '"', newline: '\n' }, 2, 1, {
    record: () => lines++,
    fault: () => lines++,
  });
  const piece = line.repeat(20_000);
  for (let i = 0; i < 40; i++) parser.push(piece, i === 39);
  expect(lines).toBe(800_000);
});

test.each(['\t', '|', ';', ','])('the delimiter %j is found, also where cells hold others', async (delimiter) => {
  const others = [';', ',', '\t', '|'].filter((other) => other !== delimiter).join('');
  const text = [
    ['id', 'note', 'amount'],
    ['1', `"a ${others}"`, '2'],
    ['2', 'b', '3'],
  ]
    .map((cells) => cells.join(delimiter))
    .join('\n');
  const { detected, rows } = await readFile(text);
  expect(detected.delimiter).toBe(delimiter);
  expect(rows[0]?.data).toEqual({ id: '1', note: `a ${others}`, amount: '2' });
});

test('a decimal comma in every row does not pass for the delimiter', async () => {
  const { detected } = await readFile('name;amount\nx;1,50\ny;2,25\nz;3,75\n');
  expect(detected.delimiter).toBe(';');
});

test('a sheet of 300 columns is read', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `c${i}`);
  const { rows, detected } = await readFile(`${names.join(';')}\n${names.map((_, i) => i).join(';')}\n`);
  expect(detected.headers).toEqual(names);
  expect(rows[0]?.data.c299).toBe('299');
});

test('without a header columns are numbered', async () => {
  const { rows } = await readFile('1,2\n3,4,5\n', { header: false });
  expect(rows.map(({ data }) => data)).toEqual([
    { column_1: '1', column_2: '2', column_3: '' },
    { column_1: '3', column_2: '4', column_3: '5' },
  ]);
});

const cell = fc.stringMatching(/^[a-z0-9 ü€😀",;\t\r\n'|]{0,12}$/u).map((text) => text.trim().replace(/^'+/, ''));
const table = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell, cell), { minLength: 1, maxLength: 20 });
const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
});

function written(rows: readonly (readonly string[])[], delimiter: string, newline: string): string {
  const line = (cells: readonly string[]): string =>
    cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter) + newline;
  return line(['k', 'a', 'b']) + rows.map(line).join('');
}

test('what is written as CSV is read back as it was, in pieces of any size, as another reader reads it', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      dialect,
      fc.integer({ min: 1, max: 40 }),
      async (rows, { delimiter, newline, encoding }, pieceBytes) => {
        const text = written(rows, delimiter, newline);
        const { rows: read, rejected } = await readFile(
          Buffer.from(`\ufeff${text}`, encoding),
          { delimiter, headerRow: 1 },
          pieceBytes,
        );
        expect(rejected).toEqual([]);
        expect(read.map(({ data }) => Object.values(data))).toEqual(rows);
        expect(read.map(({ data }) => data)).toEqual(parse(text, { delimiter, columns: true }));
      },
    ),
    { numRuns: 150 },
  );
});

const wild = fc
  .array(fc.constantFrom('"', '""', ',', '\n', '\r\n', 'a', 'bc', ' ', '"x"', '\0'), { maxLength: 60 })
  .map((parts) => `h,"i"\n${parts.join('')}`);

test('what comes out does not depend on where the pieces are cut', () => {
  const read = (text: string, pieceChars: number): unknown[] => {
    const events: unknown[] = [];
    const parser = new CsvParser({ delimiter: ',', quote: '"', newline: '\n' }, 2, 1, {
      record: (...event) => events.push(event),
      fault: (...event) => events.push(event),
    });
    for (let at = 0; at < text.length; at += pieceChars)
      parser.push(text.slice(at, at + pieceChars), at + pieceChars >= text.length);
    return events;
  };
  fc.assert(
    fc.property(wild, fc.integer({ min: 1, max: 10 }), (text, pieceChars) => {
      expect(read(text, pieceChars)).toEqual(read(text, text.length));
    }),
    { numRuns: 1_000 },
  );
});

test('every line of a faulty file is in a row, in a rejected row, or blank', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const lines: number[] = [];
      const parser = new CsvParser({ delimiter: ',', quote: '"', newline: '\n' }, 2, 1, {
        record: (line) => lines.push(line),
        fault: (line) => lines.push(line),
      });
      parser.push(text, true);
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
      expect(parser.pending).toBe('');
    }),
    { numRuns: 1_000 },
  );
});

test.each<BufferEncoding>(['utf8', 'utf16le', 'latin1'])(
  'reading a file of %s from any position gives the rest of it',
  async (encoding) => {
    const text = written(
      Array.from({ length: 600 }, (_, i) => ['x', `ü ${i}\n"`, 'b']),
      ';',
      '\r\n',
    );
    const bytes = Buffer.from(encoding === 'utf16le' ? `\ufeff${text}` : text, encoding);
    const { detected, rows, positions } = await readFile(bytes, {}, 700);
    expect(positions.length).toBeGreaterThan(5);
    for (const from of positions) {
      expect(from.offset).not.toBeNull();
      expect((await readFrom(bytesSource(bytes, 700), detected, from)).rows).toEqual(
        rows.filter(({ line }) => line >= from.line),
      );
    }
  },
);
