import fc from 'fast-check';
import type { ExportedRecord } from '@tieout/domain';
import { mapEach } from '@tieout/infra';
import { csvOf } from './csv';

async function csv(fields: string[], ...records: Partial<ExportedRecord>[]): Promise<string> {
  const whole = records.map((r): ExportedRecord => ({
    id: 'id-1',
    datasetName: 'ledger',
    externalId: null,
    data: {},
    ...r,
  }));
  let text = '';
  for await (const chunk of csvOf(fields, (rowsOf) => mapEach(whole, (record) => rowsOf([record]))))
    text += chunk.toString();
  return text;
}

const cellOf = async (value: unknown, path = 'v'): Promise<string | undefined> =>
  parse(await csv([path], { data: { v: value } }))[1]?.[3];

/** RFC 4180, strictly: CRLF after every row, quotes doubled inside quoted cells only. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      while (at < text.length && !',;\t\r\n"'.includes(text[at] as string)) cell += text[at++];
    }
    row.push(cell);
    if (text[at] === ',') at++;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`no separator at ${at} of ${JSON.stringify(text)}`);
  }
  if (row.length > 0) throw new Error('the last row does not end');
  return rows;
}

test('the header is there even without records', async () => {
  expect(await csv(['amount', 'a,b'])).toBe('record.id,dataset,external_id,amount,"a,b"\r\n');
});

test('a row holds id, dataset, external id and the fields in the order asked for', async () => {
  expect(await csv(['b', 'a'], { externalId: 'X', data: { a: 1, b: 'two' } })).toBe(
    'record.id,dataset,external_id,b,a\r\nid-1,ledger,X,two,1\r\n',
  );
});

test.each([
  ['null', null, ''],
  ['a missing value', undefined, ''],
  ['a number', -1.5, '-1.5'],
  ['a boolean', true, 'true'],
  ['an object', { a: [1] }, '{"a":[1]}'],
  ['an array', ['a', 1, null, true], 'a;1;;true'],
  ['an array of objects', [{ a: 1 }, { a: 2 }], '{"a":1};{"a":2}'],
  ['an array in an array', [[1, 2], 3], '[1,2];3'],
  ['an empty array', [], ''],
])('%s', async (_name, value, text) => {
  expect(await cellOf(value)).toBe(text);
});

test.each([
  ['a path into an object', { a: { b: 'x' } }, 'v.a.b', 'x'],
  ['a path over an array of objects', [{ a: 'x' }, {}, { a: 'y' }], 'v.a', 'x;y'],
  ['a path over arrays in arrays', [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 3 }] }], 'v.a.b', '1;2;3'],
  ['an index', ['x', 'y'], 'v.1', 'y'],
  ['a path that leads nowhere', { a: 1 }, 'v.a.b.c', ''],
  ['a name of the prototype', {}, 'v.constructor.name', ''],
])('%s', async (_name, value, path, text) => {
  expect(await cellOf(value, path)).toBe(text);
});

test('the whole path as a key comes before the walk', async () => {
  expect(parse(await csv(['a.b'], { data: { 'a.b': 'key', a: { b: 'walk' } } }))[1]?.[3]).toBe('key');
});

const formulas = [
  ...['=1+1', '+cmd', '-2+3', '-A1', '@SUM(A1)', '-5.00+cmd', '-5.00 EUR', '-', '+', '--5', '-1e', '-0x1F'],
  ...['\tx', '\rx', '\nx', '\n-5.00', '\t-5'],
  ...['＝1+1', '＋cmd', '－2+3', '＠SUM(A1)', '－5', '﹣2+3', '﹦1', '﹢cmd', '﹫x', '\u22122+3', '⁻1+1', ' ﹣5'],
  ...[' =1+1', '\u00a0=1', '\u200b=1', '\ufeff@x', '\u0000=1', '\v=1', '   -2+3'],
  ...[
    ['=1', 2],
    ['-5.00', 'x'],
  ],
];

test('each form that Unicode has for a sign of a formula counts as that sign', async () => {
  const signs = Array.from({ length: 0x1_10000 - 0xe000 + 0xd800 }, (_, i) =>
    String.fromCodePoint(i < 0xd800 ? i : i + 0x800),
  ).filter((sign) => /^[=+\-@\u2212]$/.test(sign.normalize('NFKC')));
  expect(signs.length).toBeGreaterThan(16);
  for (const sign of signs) expect(await cellOf(`${sign}A1`)).toBe(`'${sign}A1`);
});

test.each(formulas)('%j gets an apostrophe', async (value) => {
  expect(await cellOf(value)).toBe(`'${Array.isArray(value) ? value.join(';') : value}`);
});

test.each([
  ['5;=1+1', "5;'=1+1"],
  ['5\t=1+1', "5\t'=1+1"],
  ['a; =1;b;@x', "a;' =1;b;'@x"],
  ["a;+cmd|'/C calc'!A0", "a;'+cmd|'/C calc'!A0"],
  ['a\n-HYPERLINK("x")', 'a\n\'-HYPERLINK("x")'],
  ['a\n－A（1）', "a\n'－A（1）"],
  ['a;﹦1', "a;'﹦1"],
  ['a;﹣A﹙1﹚', "a;'﹣A﹙1﹚"],
  ['-5;=1', "'-5;'=1"],
  ['=1;=2', "'=1;'=2"],
  [['5', '=1'], "5;'=1"],
  [['-5.00', '=1'], "'-5.00;'=1"],
  [{ a: ';=1' }, `{"a":";'=1"}`],
  ['x\n=1', "x\n'=1"],
  ['x\r\n\r\n =cmd\r\n-5.00', "x\r\n\r\n' =cmd\r\n-5.00"],
  ['\n=1+1', "'\n'=1+1"],
  ['\r\n＝1', "'\r\n'＝1"],
])('%j gets an apostrophe before each part that is a formula where ; or a tab separates cells', async (value, text) => {
  expect(await cellOf(value)).toBe(text);
});

test.each([
  ['a;b', '"a;b"'],
  [[1, 2], '"1;2"'],
  ['a\tb', '"a\tb"'],
])('%j is quoted, since some spreadsheets would separate it', async (value, text) => {
  expect(await csv(['v'], { data: { v: value } })).toBe(`record.id,dataset,external_id,v\r\nid-1,ledger,,${text}\r\n`);
});

const harmless = [
  ...[-12.3, [-1, -2]],
  ...['-5.00', '-12.30', '+5', '-0', '-.5', '-,5', '-1,234.56', '-1.234,56', '-1 234,56', '-1\u00a0234', "-1'234.5"],
  ...[
    '\u22125.00',
    '– rent',
    '‐',
    '-2e5',
    '-2E-5',
    '-3%',
    ' -5.00',
    ['-5.00', -3, '+1.00'],
    'a=b',
    'x\ny=1',
    '5.00-',
    '',
    ' ',
  ],
  ...['5;-1', '5\t-1,5', 'a;b=c', [5, '-1.00'], ['a', '', 'b']],
  ...['Fees:\n- account\n- card 12\n+ tax', 'rent; - deposit', 'a\r\n－b'],
];

test.each(harmless)('%j is not a formula and gets none', async (value) => {
  expect(await cellOf(value)).toBe(Array.isArray(value) ? value.join(';') : String(value));
});

test('a number among the names of rows and columns gets none either', async () => {
  expect(await csv(['-5.00'], { externalId: '-17', data: { '-5.00': '-1' } })).toBe(
    'record.id,dataset,external_id,-5.00\r\nid-1,ledger,-17,-1\r\n',
  );
});

test('external id and dataset name are guarded too', async () => {
  expect(parse(await csv([], { externalId: '=x', datasetName: '@y' }))[1]).toEqual(['id-1', "'@y", "'=x"]);
});

test('any text survives a parser of RFC 4180', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ';', 'é', ' ', '=') }), { maxLength: 5 }),
      async (texts) => {
        const data = Object.fromEntries(texts.map((text, i) => [`f${i}`, text]));
        const row = parse(await csv(Object.keys(data), { data }))[1] ?? [];
        const guarded = texts.map((text) => text.replace(/^(?=[\r\n]|\s*=)/, "'").replace(/(?<=[;\r\n])(?= *=)/g, "'"));
        expect(row.slice(3)).toEqual(guarded);
      },
    ),
  );
});
