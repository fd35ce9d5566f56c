import { firstRows } from './csv';

const streamOf = (...chunks: string[]): ReadableStream<Uint8Array> =>
  new Blob(chunks).stream() as ReadableStream<Uint8Array>;

test.each([
  [
    'cells with commas, quotes and lines',
    'a,b\r\n"x,1","say ""hi""\nyou"\r\n',
    [
      ['a', 'b'],
      ['x,1', 'say "hi"\nyou'],
    ],
  ],
  [
    'empty cells',
    'a,b\r\n,\r\n',
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['a last line without an end', 'a\r\nb', [['a'], ['b']]],
])('a table has %s', async (_what, text, rows) => {
  expect(await firstRows(streamOf(text), 10)).toEqual({ rows, isMore: false });
});

test('only whole rows of a longer table are read, and few of them', async () => {
  const line = `"${'x'.repeat(1_000)}",2\r\n`;
  const { rows, isMore } = await firstRows(streamOf(line.repeat(5_000)), 3);
  expect({ cells: rows.map((row) => row.length), isMore }).toEqual({ cells: [2, 2, 2], isMore: true });
});
