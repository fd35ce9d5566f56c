import fc from 'fast-check';
import zlib from 'node:zlib';
import { detectFile, FileUnreadableError, findForeignOption, findOptionFaults, type ReadOptions } from '../index';
import { bytesSource, readFile } from '../../testing/files';
import { plainRows, workbookOf, zipOf } from '../../testing/workbook';

const csvText = 'name;note\nMüller;1 €\n';
const workbook = workbookOf({ sheets: [{ name: 'S', rows: plainRows([['name'], ['x']]) }] });

/** The text in a code page, of which only the bytes of these letters matter here. */
const codePage = (bytes: Record<string, number>): Buffer =>
  Buffer.concat(
    [...csvText].map((character) =>
      character in bytes ? Buffer.from([bytes[character] as number]) : Buffer.from(character),
    ),
  );

test.each<[string, Buffer, string]>([
  ['UTF-8', Buffer.from(csvText), 'utf-8'],
  ['UTF-8 with mark', Buffer.from(`\ufeff${csvText}`), 'utf-8'],
  ['UTF-16LE with mark', Buffer.from(`\ufeff${csvText}`, 'utf16le'), 'utf-16le'],
  ['UTF-16LE', Buffer.from(csvText, 'utf16le'), 'utf-16le'],
  ['UTF-16BE with mark', Buffer.from(`\ufeff${csvText}`, 'utf16le').swap16(), 'utf-16be'],
  ['windows-1252', codePage({ ü: 0xfc, '€': 0x80 }), 'windows-1252'],
  ['ISO-8859-15', codePage({ ü: 0xfc, '€': 0xa4 }), 'iso-8859-15'],
])('a file in %s is read as what it says', async (_name, bytes, encoding) => {
  const { rows, detected } = await readFile(bytes, {}, 3);
  expect(detected.encoding).toBe(encoding);
  expect(rows).toEqual([{ line: 2, data: { name: 'Müller', note: '1 €' } }]);
});

test('the first umlaut may be in the last line of a long file', async () => {
  const { rows, detected } = await readFile(Buffer.from(`a;b\n${'1;2\n'.repeat(400_000)}x;\xfc\n`, 'latin1'));
  expect(detected.encoding).toBe('windows-1252');
  expect(rows.at(-1)?.data).toEqual({ a: 'x', b: 'ü' });
});

test('a stray byte in a file of UTF-8 costs its row only', async () => {
  const good = Buffer.from(`a;b\n${'ü;é\n'.repeat(20)}`);
  const { rows, rejected, detected } = await readFile(
    Buffer.concat([good, Buffer.from([0x78, 0xff, 0x3b, 0x79, 0x0a]), Buffer.from('z;ö\n')]),
  );
  expect(detected.encoding).toBe('utf-8');
  expect(rows).toHaveLength(21);
  expect(rejected).toMatchObject([{ line: 22, column: 'a', code: 'invalid_encoding' }]);
});

test('bytes without meaning in a code page reject their row', async () => {
  const { rejected, rows } = await readFile(Buffer.from('a;b\nM\xfcller;1\nK\xf6ln \x81;2\n', 'latin1'));
  expect(rows).toHaveLength(1);
  expect(rejected).toMatchObject([{ line: 3, column: 'a', code: 'invalid_encoding' }]);
});

test('the encoding that the sender names goes first', async () => {
  const { rows } = await readFile(Buffer.from([0x61, 0x0a, 0x81, 0x0a]), { encoding: 'cp850' });
  expect(rows[0]?.data).toEqual({ a: 'ü' });
});

test.each<[string, Buffer | string, string]>([
  ['a workbook', workbook, 'xlsx'],
  ['semicolons', 'a;b\n1;2', 'csv'],
  ['tabs', 'a\tb\n1\t2', 'tsv'],
  ['a list of objects', ' [{"a":1}]', 'json'],
  ['an object', '{"a":1}', 'json'],
  ['an object on each line', '{"a":1}\n{"a":2}\n', 'ndjson'],
  ['a header in brackets', '[id];[name]\n1;2', 'csv'],
  ['OFX of SGML', 'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>', 'ofx'],
  ['OFX of XML', '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX></OFX>', 'ofx'],
  [
    'a bank statement',
    '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>',
    'camt.053',
  ],
  ['MT940', ':20:A\n:25:1/2\n:28C:1\n:60F:C260101EUR1,\n', 'mt940'],
  ['MT942', ':20:A\n:25:1/2\n:28C:1\n:34F:EUR0,\n', 'mt942'],
  ['QIF', '!Type:Bank\nD1/15/26\nT1\n^\n', 'qif'],
  ['a table that begins with 01', '01,a,b\n02,c,d\n', 'csv'],
  ['a table with letters and dates', 'Date,Type\nD1,T1\n', 'csv'],
  ['a table with markup in its first name', '<b>number</b>,amount\n1,2\n', 'csv'],
  ['a table with markup and names in it', '<i class="a">no; of it</i>;amount\n1;2\n', 'csv'],
  ['a table with an empty element first', '<br/>number\tamount\n1\t2\n', 'tsv'],
  ['a table with a name in brackets', '<number>;amount;day\n1;2;3\n', 'csv'],
])('a file that holds %s is known by that', async (_what, content, format) => {
  expect((await detectFile(bytesSource(Buffer.from(content)))).format).toBe(format);
});

test.each<[string, Buffer | string, string, RegExp]>([
  ['nothing', '', 'file_empty', /is empty/],
  ['blank lines', '\n \n\r\n', 'file_empty', /no line/],
  ['a PDF document', '%PDF-1.7\n%\xe2\xe3', 'format_unsupported', /PDF/],
  ['packed bytes', zlib.gzipSync('a,b\n1,2'), 'format_unsupported', /Unpack/],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'format_unsupported', /picture/],
  ['a web page', '\n<HTML><table>', 'format_unsupported', /web page/],
  [
    'a workbook of Excel 2003',
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    'format_unsupported',
    /Excel 2003/,
  ],
  [
    'a payment order',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"/>',
    'format_unsupported',
    /is pain\.001/,
  ],
  ['other XML', '<?xml version="1.0"?><a/>', 'format_unsupported', /XML.* its format is csv/],
  ['XML without a declaration', '<a>\n<b>1,2</b>\n<c>3</c>\n</a>\n', 'format_unsupported', /XML/],
  ['XML of one line', '<rows><row a="1">x,y</row></rows>\n', 'format_unsupported', /XML/],
  ['a piece of XML', '<row>1</row><row>2</row>', 'format_unsupported', /XML/],
  ['XML that is cut', '<rows><row>1,2</row><ro', 'format_unsupported', /XML/],
  [
    'BAI2',
    '01,BANK,ME,260105,1200,1,80,,2/\n02,ME,BANK,1,260104,,USD,2/\n03,123,USD,010,500,,/',
    'format_unsupported',
    /BAI2/,
  ],
  [
    'BAI2 with blanks',
    ' 01,121000358,X,260105,0800,001,80,1,2/\r\n02,X,1,1,260104,2359,,2/\r\n',
    'format_unsupported',
    /BAI2/,
  ],
  [
    'CODA',
    `${'0000001012672505        00099999999 JOHN'.padEnd(127, ' ')}2\n${'12001BE68539007547034'.padEnd(128, ' ')}\n`,
    'format_unsupported',
    /CODA/,
  ],
  ['EDIFACT', "UNA:+.? 'UNB+UNOC:3+X+Y+260105:1200+1'", 'format_unsupported', /EDIFACT/],
  [
    'X12',
    'ISA*00*          *00*          *ZZ*A              *ZZ*B              *260105*1200*U*00401*1*0*P*>~',
    'format_unsupported',
    /X12/,
  ],
  ['SIE', '#FLAGGA 0\n#FORMAT PC8\n#SIETYP 4\n#VER A 1 20260101\n', 'format_unsupported', /SIE/],
  ['BGMAX', `01BGMAX               0120260114173035010331P\n05${'0'.repeat(78)}\n`, 'format_unsupported', /BGMAX/],
  ['TITO', `T00322100${'1'.repeat(40)}\nT10188${'0'.repeat(40)}\n`, 'format_unsupported', /TITO/],
  ['Zengin', `1030260101260131${'0'.repeat(184)}\n2${'0'.repeat(199)}\n`, 'format_unsupported', /Zengin/],
  ['Nets OCR', `NY00001055555555${'0'.repeat(64)}\nNY090020\n`, 'format_unsupported', /Nets OCR/],
  [
    'ABA',
    `0                 01CBA       ACME PTY LTD              301500PAYROLL     280226\n`,
    'format_unsupported',
    /ABA/,
  ],
  ['ESR', `002${'0'.repeat(97)}\n999${'0'.repeat(84)}\n`, 'format_unsupported', /ESR/],
  ['DTAUS', '0128AGK12345678    TEST\n', 'format_unsupported', /DTAUS/],
  ['CLIEOP', '0001ACLIEOP03TEST\n0010B\n', 'format_unsupported', /CLIEOP/],
  ['Bacs', 'VOL1123456\nHDR1A123456\n', 'format_unsupported', /Bacs/],
  ['SPED', '|0000|017|0|01012026|\n|0001|0|\n', 'format_unsupported', /SPED/],
  ['IIF', '!TRNS\tTRNSID\tTRNSTYPE\nTRNS\t1\tCHECK\n', 'format_unsupported', /IIF/],
  ['an e-mail', 'From: a@b.c\r\nTo: d@e.f\r\nMIME-Version: 1.0\r\n\r\na,b\r\n', 'format_unsupported', /e-mail/],
  [
    'a SWIFT message of another kind',
    '{1:F01X}{2:O103X}{4:\n:20:A\n:32A:260105EUR1,\n-}',
    'format_unsupported',
    /MT103/,
  ],
  ['an advice of SWIFT', ':20:A\n:21:B\n:25:1\n:32A:260105EUR1,\n', 'format_unsupported', /SWIFT message,/],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'format_unsupported', /XML/],
  ['binary junk', Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 251)), 'file_binary', /binary/],
  ['an e-mail', 'From: a@b.c\nTo: d@e.f\nSubject: Hello\n\nHello\n', 'not_a_table', /e-mail/],
  [
    'a letter',
    'Dear Sir,\nplease find attached the statement, which we sent you.\nKind regards, the bank\n',
    'not_a_table',
    /share no/,
  ],
  [
    'a log',
    '2026-01-01 10:00:00 INFO started the service\n2026-01-01 10:00:01 WARN odd, again\n',
    'not_a_table',
    /share no/,
  ],
  ['EDIFACT', "UNA:+.? '\nUNB+UNOC:3+S+R+260101:1000+1'\n", 'format_unsupported', /EDIFACT/],
  [
    'columns of blanks',
    'Date        Text     Amount\n01.02.2026  Shop A   -16,52\n02.02.2026  Shop B    -3,10\n',
    'not_a_table',
    /blanks/,
  ],
  ['SQL', 'INSERT INTO a VALUES (1, 2);\nINSERT INTO a VALUES (3, 4);\n', 'not_a_table', /SQL/],
  ['a calendar', 'BEGIN:VCALENDAR\nVERSION:2.0\n', 'not_a_table', /calendar/],
  ['a line that does not end', 'x'.repeat(1_100_000), 'header_too_long', /No line ends/],
  ['too many columns', Array.from({ length: 2_001 }, (_, i) => `c${i}`).join(';'), 'header_too_long', /2001 columns/],
  ['an empty list', '[]', 'file_empty', /no items/],
])('a file that holds %s is refused with what to do', async (_what, content, code, message) => {
  await expect(detectFile(bytesSource(Buffer.from(content)))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test.each([
  ['xlsx', 'a,b'],
  ['csv', '<?xml version="1.0"?><OFX></OFX>'],
  ['json', 'a,b'],
  ['ofx', 'a,b'],
] as const)('a file that the sender calls %s and that is not is refused', async (format, content) => {
  await expect(detectFile(bytesSource(Buffer.from(content)), { format })).rejects.toMatchObject({
    code: 'format_mismatch',
  });
});

test.each([
  [{ delimiter: ';;' }, 'delimiter'],
  [{ quote: ';', delimiter: ';' }, 'quote'],
  [{ encoding: 'klingon' }, 'encoding'],
  [{ dateFormat: 'today' }, 'dateFormat'],
  [{ dateFormat: 'dd/mm/yyyy' }, 'dateFormat'],
  [{ dateFormat: 'YYYY-MM' }, 'dateFormat'],
  [{ dateFormat: 'DD/DD/YYYY' }, 'dateFormat'],
  [{ dateFormat: 'DDD.MM.YYYY' }, 'dateFormat'],
  [{ dateFormat: 'DD.MM.YYYYYY' }, 'dateFormat'],
  [{ dateFormat: 'DD.MMMMM.YYYY' }, 'dateFormat'],
  [{ headerRow: 0 }, 'headerRow'],
  [{ headerRow: 1.5 }, 'headerRow'],
  [{ headerRow: 2, header: false }, 'headerRow'],
  [{ skipLines: -1 }, 'skipLines'],
  [{ comment: 'a b' }, 'comment'],
  [{ path: 'a..b' }, 'path'],
  [{ sheet: '' }, 'sheet'],
])('the options %j are refused by name', async (options, option) => {
  expect(findOptionFaults(options).map((fault) => fault.option)).toEqual([option]);
  await expect(detectFile(bytesSource(Buffer.from('a')), options)).rejects.toMatchObject({
    code: 'option_invalid',
    message: expect.stringContaining(option) as string,
  });
});

const beginnings = fc.constantFrom(
  '',
  'a,b\n',
  '\ufeffa;b\r\n',
  '[{"a":1},',
  '{"a":1}\n{"b":',
  'PK\x03\x04',
  '%PDF',
  '<OFX><STMTTRN>',
  ':20:A\n:25:1\n:60F:C260101EUR1,\n:61:',
  '!Type:Bank\nD1/15/26\nT',
  '<?xml version="1.0"?><Document xmlns="camt.053"><BkToCstmrStmt><Stmt><Ntry>',
  '"',
  'Account;DE1\nDate;Amount\n01.02.2026;1,5\n',
  '#x\n1;2\n',
  '{"a":{"b":[{"c":1},',
  '[["a",1],',
);
const anyOptions = fc.oneof(
  fc.constant<ReadOptions>({}),
  fc.record<ReadOptions>(
    {
      header: fc.boolean(),
      skipLines: fc.nat(3),
      comment: fc.constantFrom('', '#', '0', '//'),
      path: fc.constantFrom('a', 'a.b'),
      encoding: fc.constantFrom('utf-16le', 'koi8-r', 'windows-1250'),
    },
    { requiredKeys: [] },
  ),
  fc.record<ReadOptions>({ headerRow: fc.integer({ min: 1, max: 4 }) }),
);
const anyFile = fc
  .tuple(beginnings, fc.uint8Array({ maxLength: 200 }))
  .map(([start, rest]) => Buffer.concat([Buffer.from(start, 'latin1'), rest]));
const brokenWorkbook = fc
  .tuple(fc.nat(workbook.length - 1), fc.integer({ min: 0, max: 255 }))
  .map(([at, byte]) => Buffer.from(workbook.map((old, i) => (i === at ? byte : old))));

test('any bytes are read in any encoding, or refused with a reason', async () => {
  const encodings = fc.constantFrom('shift_jis', 'gb18030', 'big5', 'euc-kr', 'utf-7', 'utf-32', 'koi8-u');
  await fc.assert(
    fc.asyncProperty(anyFile, encodings, fc.integer({ min: 1, max: 50 }), async (bytes, encoding, pieceBytes) => {
      await readFile(bytes, { encoding }, pieceBytes).catch((error: unknown) => {
        expect(error).toBeInstanceOf(FileUnreadableError);
      });
    }),
    { numRuns: 300 },
  );
});

test('any bytes give rows, rejected rows, or a reason; and the same in pieces of any size', async () => {
  const outcome = async (bytes: Buffer, options: ReadOptions, pieceBytes: number): Promise<unknown> => {
    try {
      const { rows, rejected } = await readFile(bytes, options, pieceBytes);
      const lines = [...rows, ...rejected].map(({ line }) => line);
      expect(new Set(lines).size).toBe(lines.length);
      expect(rejected.every(({ raw }) => Buffer.byteLength(raw) <= 1024)).toBe(true);
      return { rows, rejected };
    } catch (error) {
      if (error instanceof FileUnreadableError) return { code: error.code };
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyFile, brokenWorkbook),
      anyOptions,
      fc.integer({ min: 1, max: 50 }),
      async (bytes, options, pieceBytes) => {
        expect(await outcome(bytes, options, pieceBytes)).toEqual(await outcome(bytes, options, 65_536));
      },
    ),
    { numRuns: 200 },
  );
});

test.each<[string, Buffer | string, ReadOptions, object]>([
  ['a PDF', '%PDF-1.4\n', {}, { mimeType: 'application/pdf', format: null }],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), {}, { mimeType: 'image/png', format: null }],
  ['a packed file', Buffer.from([0x1f, 0x8b, 8, 0]), {}, { mimeType: 'application/gzip', format: null }],
  ['a web page', '<html><table>', {}, { mimeType: 'text/html', format: null }],
  ['an archive', workbook.subarray(0, 40), {}, { mimeType: 'application/zip', format: null }],
  [
    'a workbook without that sheet',
    workbook,
    { sheet: 'T' },
    { mimeType: expect.stringContaining('spreadsheetml') as string, format: 'xlsx', sheetNames: ['S'] },
  ],
  ['damaged JSON', '[{"a":1}}', {}, { mimeType: 'application/json', format: 'json' }],
  [
    'JSON that is said to be a workbook',
    '[{"a":1}]',
    { format: 'xlsx' },
    { mimeType: 'application/json', format: 'json' },
  ],
])('%s that cannot be read is recognised all the same', async (_what, content, options, recognised) => {
  await expect(readFile(content, options)).rejects.toMatchObject({ recognised });
});

test.each<[string, string, ReadOptions]>([
  ['sheet', 'a;b\n1;2\n', { sheet: 'S' }],
  ['sheet', '[{"a":1}]', { sheet: 'S' }],
  ['path', 'a;b\n1;2\n', { path: 'items' }],
  ['path', '{"a":1}\n{"a":2}\n', { path: 'items', format: 'ndjson' }],
  ['sheet', ':20:A\n:25:1\n:28C:1\n:60F:C260101EUR1,00\n:62F:C260101EUR1,00\n', { sheet: 'S' }],
])('the option %s is refused for a format without one: %j', async (option, content, options) => {
  expect(await findForeignOption(bytesSource(Buffer.from(content)), options)).toMatchObject({ option });
  await expect(readFile(content, options)).rejects.toMatchObject({
    code: 'option_invalid',
    message: expect.stringContaining(`${option}: `) as string,
  });
});

test.each<[string, string | Buffer, ReadOptions]>([
  ['a sheet of a workbook', workbook, { sheet: 'other' }],
  ['a sheet of a workbook in an archive', zipOf([{ name: 'a.xlsx', content: workbook }]), { sheet: 'S' }],
  ['a path in JSON', '{"a":[{"b":1}]}', { path: 'a' }],
  ['no such option', 'a;b\n1;2\n', { delimiter: ';' }],
  ['an empty file', '', { sheet: 'S' }],
  ['a file that cannot be read', '%PDF-1.7', { sheet: 'S' }],
])('an option that belongs to the format is no fault: %s', async (_what, content, options) => {
  expect(await findForeignOption(bytesSource(Buffer.from(content)), options)).toBeNull();
});

test('a foreign option is found in an archive', async () => {
  const archive = zipOf([{ name: 'a.csv', content: 'a;b\n1;2\n' }]);
  expect(await findForeignOption(bytesSource(archive), { sheet: 'S' })).toMatchObject({ option: 'sheet' });
});

test.each([
  ['XML', '<rows><row>1</row></rows>\n<rows/>,x\n'],
  ['a format of banks', '01,BANK,ME,260105,1200,1,80,,2/\n02,ME,BANK,1,260104,,USD,2/\n03,123,USD,010,500,,/'],
])('a text that looks like %s is read as CSV where its sender says so', async (_what, content) => {
  expect((await detectFile(bytesSource(Buffer.from(content)), { format: 'csv' })).format).toBe('csv');
});
