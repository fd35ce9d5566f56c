import fc from 'fast-check';
import { FileUnreadableError } from '../index';
import { bytesSource, readFile, readFrom } from '../../testing/files';
import { plainRows, workbookOf, zipOf, type ZipPart } from '../../testing/workbook';

const csv = 'name;amount\nShop;1,50\nBank;2,75\n';
const mt940 = ':20:A\n:25:1/2\n:28C:1\n:60F:C260101EUR0,\n:61:260105C1,NMSCX\n:62F:C260105EUR1,\n-\n';
const pdf = '%PDF-1.7\n';

test.each<[string, ZipPart[], string]>([
  ['a table', [{ name: 'export.csv', content: csv }], 'csv'],
  [
    'a statement in a folder',
    [
      { name: 'bank/', content: '' },
      { name: 'bank/a.sta', content: mt940 },
    ],
    'mt940',
  ],
  [
    'a table and what systems add',
    [
      { name: 'export.csv', content: csv },
      { name: '__MACOSX/._export.csv', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'Thumbs.db', content: 'x' },
    ],
    'csv',
  ],
  [
    'a workbook',
    [{ name: 'a.xlsx', content: workbookOf({ sheets: [{ name: 'S', rows: plainRows([['a'], ['b']]) }] }) }],
    'xlsx',
  ],
])('an archive with %s is read', async (_what, parts, format) => {
  for (const pieceBytes of [7, 65_536]) {
    const { detected, rows } = await readFile(zipOf(parts), {}, pieceBytes);
    expect(detected).toMatchObject({ format, warnings: [] });
    expect(rows.length).toBeGreaterThan(0);
  }
});

test('a statement beside its picture is read, and the picture is named', async () => {
  const { detected, rows } = await readFile(
    zipOf([
      { name: 'statement.pdf', content: pdf },
      { name: 'statement.csv', content: csv },
    ]),
  );
  expect(rows).toHaveLength(2);
  expect(detected).toMatchObject({
    archived: 'statement.csv',
    warnings: [{ code: 'archive_files_skipped', message: expect.stringContaining('statement.pdf') as string }],
  });
});

test('options of the sender hold for the file in the archive', async () => {
  const { rows } = await readFile(zipOf([{ name: 'a.csv', content: '1;2\n' }]), { header: false });
  expect(rows).toEqual([{ line: 1, data: { column_1: '1', column_2: '2' } }]);
});

test.each<[string, ZipPart[], string, RegExp]>([
  [
    'several statements',
    [
      { name: 'jan/one.csv', content: csv },
      { name: 'feb/two.csv', content: csv },
    ],
    'format_unsupported',
    /2 files: one\.csv, two\.csv/,
  ],
  [
    'documents only',
    [
      { name: 'a.pdf', content: pdf },
      { name: 'b.pdf', content: pdf },
    ],
    'format_unsupported',
    /a\.pdf, b\.pdf/,
  ],
  ['one document', [{ name: 'a.pdf', content: pdf }], 'format_unsupported', /PDF/],
  [
    'another archive',
    [{ name: 'a.zip', content: zipOf([{ name: 'a.csv', content: csv }]) }],
    'format_unsupported',
    /holds an archive/,
  ],
  ['nothing', [], 'file_empty', /empty/],
  ['an empty file', [{ name: 'a.csv', content: '' }], 'file_empty', /empty/],
  ['a password', [{ name: 'a.csv', content: csv, isEncrypted: true }], 'password_protected', /password/],
  ['too much', [{ name: 'a.csv', content: Buffer.alloc(80 << 20, 'a;b\n') }], 'file_too_large', /would unpack/],
  [
    'more than it says',
    [{ name: 'a.csv', content: Buffer.alloc(1 << 20, 'a;b\n'), claimedBytes: 100 }],
    'file_damaged',
    /damaged/,
  ],
  ['a name that leaves it', [{ name: '../a.csv', content: csv }], 'file_damaged', /damaged/],
  [
    'many files',
    Array.from({ length: 200 }, (_, i) => ({ name: `${i}.csv`, content: csv })),
    'format_unsupported',
    /200 files/,
  ],
])('an archive with %s is refused with what to do', async (_what, parts, code, message) => {
  await expect(readFile(zipOf(parts))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test('reading from any position gives the rest of the file', async () => {
  const bytes = zipOf([
    { name: 'a.csv', content: `a;b\n${Array.from({ length: 20_000 }, (_, i) => `${i};x\n`).join('')}` },
  ]);
  const { detected, rows, positions } = await readFile(bytes);
  expect(positions.length).toBeGreaterThan(1);
  for (const from of positions)
    expect((await readFrom(bytesSource(bytes), detected, from)).rows).toEqual(
      rows.filter(({ line }) => line >= from.line),
    );
});

test('a broken archive gives a reason', async () => {
  const bytes = zipOf([
    { name: 'a.csv', content: csv },
    { name: '.DS_Store', content: 'x' },
  ]);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
      try {
        await readFile(Buffer.from(bytes.map((old, i) => (i === at ? byte : old))));
      } catch (error) {
        if (!(error instanceof FileUnreadableError)) throw error;
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[string, Buffer]>([
  ['a table in an archive', zipOf([{ name: 'a.csv', content: csv }])],
  [
    'a workbook',
    workbookOf({
      sheets: [
        {
          name: 'S',
          rows: plainRows([
            ['name', 'amount'],
            ['Shop', 1.5],
          ]),
        },
      ],
    }),
  ],
])('content that differs from its checksum is refused: %s', async (_what, content) => {
  const directory = content.lastIndexOf('PK\x01\x02');
  const damaged = Buffer.from(content);
  const firstEntry = damaged.indexOf('PK\x01\x02');
  for (let at = firstEntry; at >= 0 && at <= directory; at = damaged.indexOf('PK\x01\x02', at + 4))
    damaged.writeUInt32LE((damaged.readUInt32LE(at + 16) ^ 0x55) >>> 0, at + 16);
  await expect(readFile(damaged)).rejects.toMatchObject({
    code: 'file_damaged',
    message: expect.stringContaining('checksum') as string,
  });
});
