import { readFile } from '../../testing/files';

const codes = async (content: string): Promise<string[]> =>
  (await readFile(content)).warnings.map(({ code }) => code).filter((code) => code === 'file_cut');
const rows = '2026-01-01,a,1.50\n2026-01-02,b,2.50\n2026-01-03,c,13.50\n';

test.each<[string, string]>([
  ['in a cell', `Date,Text,Amount\n${rows}2026-01-0`],
  ['in quotes', `Date,Text,Amount\n${rows}2026-01-04,"ab`],
  ['in cents', `Date,Text,Amount\n${rows}2026-01-04,ab,1`],
  ['before the last cell', `Date,Text,Amount\n${rows}2026-01-04,ab,`],
  ['in a word that all rows end with', 'A,Cur\r\n1,EUR\r\n2,EUR\r\n3,EUR\r\n4,E'],
  ['in an object of NDJSON', '{"a":1}\n{"a":2}\n{"a":'],
  ['in an object of JSON', '[{"a":1},{"a":2},{"a":'],
  ['between objects of JSON', '[{"a":1},{"a":2}'],
])('a file that ends in the middle of a row is told: %s', async (_where, content) => {
  expect(await codes(content)).toEqual(['file_cut']);
});

test.each<[string, string]>([
  ['a last line without line break', `Date,Text,Amount\n${rows.trimEnd()}`],
  ['a short row with line break', `Date,Text,Amount\n${rows}2026-01-04,ab\n`],
  ['a short row among others', `Date,Text,Amount\n${rows}2026-01-04,ab\n${rows}2026-01-05,ab`],
  ['a note', `Date,Text,Amount\n${rows}Generated on 2026-01-05`],
  ['an empty last cell', 'A,Note\n1,\n2,x\n3,\n4,'],
  ['whole objects', '{"a":1}\n{"a":2}\n{"a":3}'],
])('a whole file is not told to be cut: %s', async (_what, content) => {
  expect(await codes(content)).toEqual([]);
});
