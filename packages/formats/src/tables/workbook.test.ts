import { Readable } from 'node:stream';
import { detectFile } from '../detect/detect';
import { readRows } from '../read';
import type { Detected, FileSource } from '../types';
import { mapEach } from '@tieout/infra';
import { headerRow, rowXml, stylesXml } from './sheet-xml';
import type { Table, TableCell, TableRow } from './table';
import { workbookOf } from './workbook';

const columns = [
  { key: 'name', title: 'Name', kind: 'text' },
  { key: 'amount', title: 'Amount', kind: 'amount' },
  { key: 'day', title: 'Day', kind: 'day' },
  { key: 'at', title: 'At', kind: 'moment' },
  { key: 'count', title: 'Count', kind: 'count' },
] as const;

const at = new Date('2026-03-04T05:06:07Z');

const tableOf = (rows: readonly TableRow[], title = 'Rows'): Table => ({
  key: title,
  title,
  columns,
  pages: () => mapEach(rows, (row) => [row]),
});

async function bytesOf(tables: readonly Table[], options: { maxRows?: number } = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of workbookOf(tables, { at, ...options })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads a sheet as an upload is read. */
async function read(bytes: Buffer, sheet = 'Rows'): Promise<{ rows: object[]; sheets: Detected['sheetNames'] }> {
  const source: FileSource = {
    sizeBytes: bytes.length,
    open: (start, end) => Promise.resolve(Readable.from([bytes.subarray(start, end)])),
  };
  const detected = await detectFile(source, { sheet });
  const rows: object[] = [];
  for await (const batch of readRows(source, detected)) rows.push(...batch.rows.map(({ data }) => data));
  return { rows, sheets: detected.sheetNames };
}

test('our own reader finds numbers as numbers, days and moments as such, and texts as they were', async () => {
  const rows = [
    ['plain', 1234.5, '2026-02-28', '2026-03-01T23:59:58.000Z', 3],
    ['', -0.0001, '9999-12-31', '1999-12-31T00:00:00.000Z', 0],
    [null, '12345678901234567.89', null, null, null],
  ];
  const { rows: found } = await read(await bytesOf([tableOf(rows)]));
  expect(found).toEqual([
    { Name: 'plain', Amount: 1234.5, Day: '2026-02-28', At: '2026-03-01T23:59:58', Count: 3 },
    { Name: '', Amount: -0.0001, Day: '9999-12-31', At: '1999-12-31T00:00:00', Count: 0 },
    { Name: null, Amount: '12345678901234567.89', Day: null, At: null, Count: null },
  ]);
});

test.each<[string, string]>([
  ['mark-up', '<b>&amp;"\''],
  ['a formula', '=HYPERLINK("http://x","y")'],
  ['an escape of XML', '_x0041_ and _x'],
  ['white space', ' a\tb\nc '],
  ['characters that XML cannot hold', 'a\u0001\r\u001fb'],
  ['characters beyond the basic plane', '名前 🧾'],
  ['a number kept as text', '007'],
])('a text with %s stays that text', async (_what, text) => {
  const { rows } = await read(await bytesOf([tableOf([[text, 1, null, null, null]])]));
  expect(rows[0]).toMatchObject({ Name: text });
});

test.each(['=1+1', '+cmd', '-cmd', '@sum', '\t=1', '＝1', '﹣1+1', '﹦1'])(
  'the text %j is not a formula, also once a person edits it',
  (text) => {
    const cell = rowXml(columns, 2, [text]);
    expect(cell).toContain('t="inlineStr"');
    const format = Number(/ s="(\d+)"/.exec(cell)?.[1]);
    const formats = /<cellXfs.*<\/cellXfs>/.exec(stylesXml)?.[0].match(/<xf [^>]*>/g);
    expect(formats?.[format]).toContain('quotePrefix="1"');
  },
);

test.each([
  [25, 'Z1'],
  [26, 'AA1'],
  [701, 'ZZ1'],
  [702, 'AAA1'],
])('column %d has the name %s', (at, name) => {
  const many = Array.from({ length: at + 1 }, (_, no) => ({ key: `c${no}`, title: 'c', kind: 'text' }) as const);
  expect(
    headerRow(many)
      .match(/ r="[A-Z]+1"/g)
      ?.at(-1),
  ).toBe(` r="${name}"`);
});

test('a day that spreadsheets count differently is a text', () => {
  expect(rowXml(columns, 2, [null, null, '1900-02-28'])).toContain('<t xml:space="preserve">1900-02-28</t>');
  expect(rowXml(columns, 2, [null, null, '1900-03-01'])).toContain('<v>61</v>');
});

test('a table of more rows than a sheet takes goes on in the next sheet, under its header', async () => {
  const numbers = (count: number): TableRow[] => Array.from({ length: count }, (_, i) => ['x', i, null, null, null]);
  const bytes = await bytesOf([tableOf(numbers(5), 'Many'), tableOf([], 'None'), tableOf(numbers(2), 'Few')], {
    maxRows: 3,
  });
  const amounts = async (sheet: string): Promise<TableCell[]> =>
    (await read(bytes, sheet)).rows.map((row) => (row as { Amount: number }).Amount);
  const { sheets } = await read(bytes, 'Few');
  expect(sheets).toEqual(['Many', 'Many (2)', 'Many (3)', 'None', 'Few']);
  expect(await Promise.all(['Many', 'Many (2)', 'Many (3)', 'Few'].map(amounts))).toEqual([
    [0, 1],
    [2, 3],
    [4],
    [0, 1],
  ]);
});

test('the same tables make the same bytes', async () => {
  const tables = [tableOf([['a', 1, null, null, null]])];
  expect(await bytesOf(tables)).toEqual(await bytesOf(tables));
});

test('a table is read at the pace of the reader, and no further once the reader stops', async () => {
  let [read, isEnded] = [0, false];
  const endless: Table = {
    ...tableOf([]),
    pages: async function* () {
      try {
        for (;;) yield await Promise.resolve([[`${Math.sin(read++)}`, 1, null, null, null]]);
      } finally {
        isEnded = true;
      }
    },
  };
  for await (const chunk of workbookOf([endless], { at })) if (chunk.length > 10_000) break;
  const readThen = read;
  await new Promise((resolve) => setImmediate(resolve));
  expect([isEnded, read]).toEqual([true, readThen]);
  expect(read).toBeLessThan(50_000);
});

test('a failure of a table fails the workbook', async () => {
  const failing: Table = { ...tableOf([]), pages: () => mapEach([1], () => Promise.reject(new Error('cannot read'))) };
  await expect(bytesOf([failing])).rejects.toThrow('cannot read');
  const later = mapEach([1, 2, 3], (n) => (n < 3 ? [['x', n, null, null, null]] : Promise.reject(new Error('later'))));
  await expect(bytesOf([{ ...tableOf([]), pages: () => later }])).rejects.toThrow('later');
});
