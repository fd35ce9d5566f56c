import fc from 'fast-check';
import { limits } from '../limits';
import { bytesSource, readFile, readFrom } from '../../testing/files';

const summary = async (content: string, pieceBytes?: number, options = {}): Promise<unknown> => {
  const { rows, rejected } = await readFile(content, options, pieceBytes);
  return [...rows.map(({ line, data }) => [line, data]), ...rejected.map(({ line, code }) => [line, code])];
};

test.each<[string, string, unknown[]]>([
  [
    'a list of objects',
    '[{"a":1},{"a":"]"},\n{"a":[1,{"b":2}]}]',
    [
      [1, { a: 1 }],
      [2, { a: ']' }],
      [3, { a: [1, { b: 2 }] }],
    ],
  ],
  [
    'a list in an object that says nothing else',
    '{"total":2,"anything" : [{"a":1},{"a":2}],"next":null}',
    [
      [1, { a: 1 }],
      [2, { a: 2 }],
    ],
  ],
  [
    'a list in nested objects',
    '{"response":{"items":[{"a":1},{"a":2}],"count":2}}',
    [
      [1, { a: 1 }],
      [2, { a: 2 }],
    ],
  ],
  [
    'an object with values of its own beside a list',
    '{"number":"INV-1","total":"120.00","items":[{"a":1}]}',
    [[1, { number: 'INV-1', total: '120.00', items: [{ a: 1 }] }]],
  ],
  [
    'two lists in an object',
    '{"invoices":[{"a":1}],"payments":[{"b":1}]}',
    [[1, { invoices: [{ a: 1 }], payments: [{ b: 1 }] }]],
  ],
  [
    'lists of values under a first list of names',
    '[["d","v"],["2026-01-01",1.5],["2026-01-02"]]',
    [
      [2, { d: '2026-01-01', v: 1.5 }],
      [3, { d: '2026-01-02', v: null }],
    ],
  ],
  [
    'lists of values beside a list of names',
    '{"columns":["d","v"],"index":[0],"data":[["2026-01-01",1.5]]}',
    [[1, { d: '2026-01-01', v: 1.5 }]],
  ],
  ['lists of values alone', '[["2026-01-01",1.5]]', [[1, { column_1: '2026-01-01', column_2: 1.5 }]]],
  ['one object', '{"a":1,"lines":[{"b":2}]}', [[1, { a: 1, lines: [{ b: 2 }] }]]],
  [
    'objects one after the other',
    '{"a":\n1}\n{"a":\n2}',
    [
      [1, { a: 1 }],
      [2, { a: 2 }],
    ],
  ],
  [
    'items that are no objects',
    '[1,"x",{"a":1},[2],null]',
    [
      [3, { a: 1 }],
      [1, 'not_an_object'],
      [2, 'not_an_object'],
      [4, 'not_an_object'],
      [5, 'not_an_object'],
    ],
  ],
  [
    'an item that is broken',
    '[{"a":1,},{"a":"\\""}]',
    [
      [2, { a: '"' }],
      [1, 'malformed_json'],
    ],
  ],
  [
    'an end in the middle',
    '[{"a":1},{"a":',
    [
      [1, { a: 1 }],
      [2, 'malformed_json'],
      [3, 'incomplete'],
    ],
  ],
  ['a mark', '\ufeff[{"a":1}]', [[1, { a: 1 }]]],
])('JSON with %s is read, in pieces of any size', async (_what, content, expected) => {
  expect(await summary(content)).toEqual(expected);
  expect(await summary(content, 1)).toEqual(expected);
});

test.each<[string, string, string]>([
  ['NUL', '{"a":"\\u0000"}', 'unstorable_character'],
  ['half of a surrogate pair', '{"a":"\\ud800"}', 'unstorable_character'],
  ['too many levels', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 'nested_too_deep'],
  ['a number beyond all bounds', '{"a":1e999}', 'value_out_of_range'],
  ['an integer that a double would change', '{"a":9007199254740993}', 'number_not_exact'],
  ['a long amount that a double would change', '{"b":{"c":[1,-12345678901234567.89]}}', 'number_not_exact'],
  ['more digits than any double', `{"a":${'7'.repeat(400)}}`, 'number_not_exact'],
  ['too many characters', `{"a":"${'x'.repeat(limits.rowChars)}"}`, 'row_too_long'],
])('an item with %s is rejected and those around it are read', async (_what, item, code) => {
  expect(await summary(`[{"b":1},${item},{"b":2}]`)).toEqual([
    [1, { b: 1 }],
    [3, { b: 2 }],
    [2, code],
  ]);
  expect(await summary(`{"b":1}\n${item}\n{"b":2}\n`, undefined, { format: 'ndjson' })).toEqual([
    [1, { b: 1 }],
    [3, { b: 2 }],
    [2, code],
  ]);
});

test.each([
  ['items', '{"number":1,"items":[{"a":1},{"a":2}],"more":{"items":[{"a":3}]}}'],
  ['data.items', '{"x":[{"items":[{"q":1}]}],"data":{"y":{"items":[9]},"items":[{"a":1},{"a":2}]},"items":[{"q":1}]}'],
  ['d"ü.items', '{"d\\"\\u00fc":{"items":[{"a":1},{"a":2}]}}'],
])('the path %s leads to the rows, in pieces of any size', async (path, content) => {
  const rows = [
    [1, { a: 1 }],
    [2, { a: 2 }],
  ];
  expect(await summary(content, undefined, { path })).toEqual(rows);
  expect(await summary(content, 1, { path })).toEqual(rows);
});

test('a path that leads to no list is refused by name', async () => {
  await expect(readFile('{"a":{"b":1}}', { path: 'a.b' })).rejects.toMatchObject({
    code: 'option_invalid',
    message: expect.stringContaining('path') as string,
  });
});

test.each([
  '{"status":"paid","total":120.5,"items":[{"a":1},{"a":2}]}',
  '{"total":"120.00","items":[{"a":1},{"a":2}]}',
  '{"total":120,"items":[{"a":1},{"a":2}]}',
  '{"items":[{"a":1}],"totals":{"net":"100.00"}}',
  '{"status":"open","lines":[{"a":1}]}',
  '{"count":1.5,"items":[{"a":1}]}',
  '{"page":1,"total":"99.50","items":[{"a":1}]}',
  '{"object":"invoice","total":500,"lines":[{"a":1}]}',
])('an object with a total or a state of its own is one row: %s', async (content) => {
  const { rows, detected } = await readFile(content);
  expect(rows.map(({ data }) => data)).toEqual([JSON.parse(content)]);
  expect(detected.warnings).toMatchObject([{ code: 'nested_rows' }]);
});

test.each([
  '{"page":1,"total":120,"items":[{"a":1},{"a":2}]}',
  '{"status":"ok","total":2,"items":[{"a":1},{"a":2}]}',
  '{"status":200,"data":[{"a":1},{"a":2}],"next":"/x?page=2"}',
  '{"object":"list","has_more":false,"data":[{"a":1},{"a":2}]}',
  '{"meta":{"total":90.5},"total_pages":4,"results":[{"a":1},{"a":2}]}',
  '{"total_count":"77","limit":2,"offset":0,"rows":[{"a":1},{"a":2}]}',
])('an object around a page of rows is no row: %s', async (content) => {
  expect((await readFile(content)).rows.map(({ data }) => data)).toEqual([{ a: 1 }, { a: 2 }]);
});

test.each(['{}', '[{}]', '[{},{}]', ' {} \n'])('objects without values are refused: %j', async (content) => {
  await expect(readFile(content)).rejects.toMatchObject({ code: 'file_empty' });
});

test('an object that is one row says which lists in it could be the rows', async () => {
  const { detected } = await readFile('{"number":"INV-1","items":[{"a":1}]}');
  expect(detected.warnings).toMatchObject([{ code: 'nested_rows', remedies: [{ option: 'path', value: 'items' }] }]);
});

test('an object beyond the sample is a wrapper of the list in which the sample ends', async () => {
  const rows = Array.from({ length: 60_000 }, (_, id) => `{"id":${id},"text":"${'x'.repeat(20)}"}`);
  const { rows: read } = await readFile(`{"meta":{"x":[1]},"list":[${rows.join(',')}],"after":{"k":[{"z":1}]}}`);
  expect(read).toHaveLength(60_000);
});

test('one line of NDJSON whose object holds a list is one row where the sender names the format', async () => {
  const line = '{"id":1,"items":[{"x":1},{"x":2}]}\n';
  expect((await readFile(line, { format: 'ndjson' })).rows).toEqual([
    { line: 1, data: { id: 1, items: [{ x: 1 }, { x: 2 }] } },
  ]);
});

test('a number that is not kept exactly is told with its column', async () => {
  const { rejected } = await readFile('[{"id":{"9007199254740995":1},"no":\n[{"x":9007199254740993}]}]');
  expect(rejected).toMatchObject([
    {
      line: 1,
      column: 'no',
      code: 'number_not_exact',
      message: '"no" holds the number 9007199254740993, which cannot be kept exactly. Send it as a text.',
    },
  ]);
});

test.each([
  '9007199254740992',
  '-35999907800576910',
  '100000000000000000000',
  '12345678901234568.00',
  '1234567890123456.50',
  '"9007199254740993"',
  '"a \\", 9007199254740993"',
  '0.30000000000000004',
  '3.14159265358979323846',
  '1234567890123456e3',
])('a row with %s is taken', async (value) => {
  expect((await readFile(`[{"a":${value}}]`)).rejected).toEqual([]);
});

test.each([
  ['[{"a":1}}', 'closes nothing'],
  [`[${'['.repeat(2_000)}`, 'nested deeper'],
])('JSON that cannot be followed ends with a reason: %s', async (content, reason) => {
  await expect(readFile(content)).rejects.toMatchObject({
    code: 'file_damaged',
    message: expect.stringContaining(reason) as string,
  });
});

test('bad lines of NDJSON are rejected, blank ones left out, and the others read', async () => {
  expect(await summary('{"a":1}\r\n\r\nnope\r\n{"a":2}\r\n[3]', 5, { format: 'ndjson' })).toEqual([
    [1, { a: 1 }],
    [4, { a: 2 }],
    [3, 'malformed_json'],
    [5, 'not_an_object'],
  ]);
});

test('texts in JSON tell the formats of their numbers and dates', async () => {
  const { detected } = await readFile('[{"d":"31/12/2024","v":"1.234,5"},{"d":"01/02/2024","n":1}]');
  expect(detected).toMatchObject({
    headers: ['d', 'v', 'n'],
    dateFormats: { d: 'DD/MM/YYYY' },
    decimalSeparators: { v: ',' },
  });
});

test('objects are read back as they were written, as a list and by line', async () => {
  const rows = fc.array(
    fc.dictionary(
      fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__' && !key.includes('\0')),
      fc.oneof(
        fc.string({ unit: 'binary-ascii', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
    ),
    { minLength: 2, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 30 }), async (objects, pieceBytes) => {
      const list = await readFile(JSON.stringify(objects), {}, pieceBytes);
      const lines = await readFile(
        objects.map((object) => JSON.stringify(object)).join('\n'),
        { format: 'ndjson' },
        pieceBytes,
      );
      for (const { rows: read, rejected } of [list, lines]) {
        expect(rejected).toEqual([]);
        expect(read.map(({ data }) => data)).toEqual(objects);
      }
    }),
    { numRuns: 150 },
  );
});

test.each(['json', 'ndjson'] as const)('reading %s from any position gives the rest of it', async (format) => {
  const objects = Array.from({ length: 2_500 }, (_, i) => JSON.stringify({ i }));
  const bytes = Buffer.from(format === 'json' ? `[${objects.join(',')}]` : objects.join('\n'));
  const { detected, rows, positions } = await readFile(bytes, { format });
  expect(positions.length).toBeGreaterThan(1);
  for (const from of positions) {
    expect((await readFrom(bytesSource(bytes), detected, from)).rows).toEqual(
      rows.filter(({ line }) => line >= from.line),
    );
  }
});

const longItems = Array.from({ length: 15_000 }, (_, index) => ({ sku: `sku-${index}`, text: 'x'.repeat(60) }));

test.each<[string, unknown, Record<string, string>]>([
  ['before', { number: 'INV-1', total: '120.00', items: longItems }, { number: 'INV-1', total: '120.00' }],
  ['behind', { items: longItems, total: '120.00', paid: false }, { total: '120.00', paid: 'false' }],
  [
    'around, nested',
    { doc: { no: 'INV-1', items: longItems, total: 120.5 }, id: 5 },
    { no: 'INV-1', total: '120.5', id: '5' },
  ],
])(
  'what stands %s the rows of an object that is no row by its length is kept, and told',
  async (_where, value, kept) => {
    const { detected, rows } = await readFile(JSON.stringify(value));
    expect(rows).toHaveLength(longItems.length);
    expect(detected.preamble).toEqual(kept);
    expect(detected.warnings).toMatchObject([{ code: 'nested_rows' }]);
  },
);

test('what surrounds the rows of a long answer is no part of them', async () => {
  const { detected } = await readFile(JSON.stringify({ page: 1, total: 15_000, data: longItems, next: null }));
  expect([detected.preamble, detected.warnings]).toEqual([undefined, []]);
});
