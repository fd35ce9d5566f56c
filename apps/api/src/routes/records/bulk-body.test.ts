import fc from 'fast-check';
import type { BulkLine } from '@tieout/domain';
import { maxBulkLines, maxRecordBytes, maxRecordsOf, readBulk } from './bulk-body';

async function read(body: string | Buffer, form: 'ndjson' | 'array' = 'ndjson'): Promise<BulkLine[]> {
  const lines: BulkLine[] = [];
  for await (const batch of readBulk(Buffer.from(body as string), form)) lines.push(...batch);
  return lines;
}

test('lines are numbered from 1, blank ones counted but left out, with LF or CRLF', async () => {
  expect(await read('{"body":{"a":1}}\r\n\r\n  \n{"externalId":"X","body":{}}')).toEqual([
    { line: 1, externalId: null, body: { a: 1 } },
    { line: 4, externalId: 'X', body: {} },
  ]);
});

test('a body of more lines than allowed is refused as a whole', async () => {
  const lines = (count: number): string => '{"body":{}}\n'.repeat(count);
  expect(await read(lines(maxBulkLines))).toHaveLength(maxBulkLines);
  await expect(read(lines(maxBulkLines + 1))).rejects.toMatchObject({ code: 'body_too_large' });
  await expect(read('\n'.repeat(maxBulkLines + 1))).rejects.toMatchObject({ code: 'body_too_large' });
});

test.each(['ndjson', 'array'] as const)('large records are parsed a few at a time, in the form %s', async (form) => {
  const lines = Array.from({ length: 8 }, (_, n) =>
    JSON.stringify({ externalId: `${n}`, body: { text: 'x'.repeat(100_000) } }),
  );
  const sizes: number[] = [];
  for await (const batch of readBulk(Buffer.from(form === 'ndjson' ? lines.join('\n') : `[${lines.join()}]`), form))
    sizes.push(batch.length);
  expect(sizes).toEqual([2, 2, 2, 2]);
});

test('the estimate of records is never below their number', async () => {
  for (const body of ['{"body":{}}\n{"body":{"a":{}}}', '{"externalId":"x","body":{"text":"{"}}']) {
    expect(maxRecordsOf(Buffer.from(body))).toBeGreaterThanOrEqual((await read(body)).length);
  }
});

test.each([
  ['{bad', 'malformed_json'],
  ['[1]', 'type'],
  ['"x"', 'type'],
  ['null', 'type'],
  ['{}', 'required'],
  ['{"body":1}', 'type'],
  ['{"body":null}', 'type'],
  ['{"body":[]}', 'type'],
  ['{"body":{},"id":1}', 'unknown_key'],
  ['{"body":{},"externalId":null}', 'type'],
  ['{"body":{},"externalId":""}', 'minLength'],
  [`{"body":{},"externalId":"${'x'.repeat(513)}"}`, 'maxLength'],
  ['{"body":{"a":"\\u0000"}}', 'nul_character'],
  ['{"body":{"a":"\\ud800"}}', 'invalid_text'],
  ['{"body":{"a":1e999}}', 'number_out_of_range'],
  ['{"body":{"a":12345678901234567890}}', 'number_not_exact'],
  [`{"body":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`, 'nesting_too_deep'],
  [`{"body":{"a":"${'x'.repeat(maxRecordBytes)}"}}`, 'record_too_large'],
])('the line %.40s is rejected and the next one read', async (line, code) => {
  const [first, second] = await read(`${line}\n{"body":{}}`);
  expect(first).toMatchObject({ line: 1, error: { code } });
  expect(second).toEqual({ line: 2, externalId: null, body: {} });
});

test('a line that is not UTF-8 is rejected alone', async () => {
  const body = Buffer.concat([
    Buffer.from('{"body":{"a":"'),
    Buffer.from([0xff]),
    Buffer.from('"}}\n{"body":{"a":"é"}}'),
  ]);
  expect(await read(body)).toEqual([
    { line: 1, error: { code: 'malformed_json', message: 'is not valid UTF-8' } },
    { line: 2, externalId: null, body: { a: 'é' } },
  ]);
});

test('a byte order mark is not part of the first line', async () => {
  expect(await read('\ufeff{"body":{}}')).toEqual([{ line: 1, externalId: null, body: {} }]);
});

test('elements of an array are numbered from 1', async () => {
  expect(await read(' [ {"body":{"a":"],}\\""}} , 5,\n{"externalId":"X","body":{"b":[1,[2]]}} ] ', 'array')).toEqual([
    { line: 1, externalId: null, body: { a: '],}"' } },
    { line: 2, error: { code: 'type', message: expect.any(String) as string } },
    { line: 3, externalId: 'X', body: { b: [1, [2]] } },
  ]);
});

test('an empty array and an empty body hold nothing', async () => {
  expect(await read('[]', 'array')).toEqual([]);
  expect(await read('')).toEqual([]);
});

test.each(['', '{}', '[', '[{"body":{}}', '[{"body":{}},]', '[,]', '[1 2]', '[1]]', '[1] x', '["a', '[{]}]'])(
  '%j is not a JSON array',
  async (body) => {
    await expect(read(body, 'array')).rejects.toMatchObject({ code: 'malformed_json' });
  },
);

test('an array gives what JSON.parse gives', async () => {
  const record = fc.record({ body: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 5 }), fc.nat(3), async (records, indent) => {
      const text = JSON.stringify(records, null, indent);
      const bodies = (await read(text, 'array')).map((line) =>
        'body' in line ? JSON.stringify(line.body) : line.error.code,
      );
      const expected = (JSON.parse(text) as { body: object }[]).map((r) => JSON.stringify(r.body));
      fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
      expect(bodies).toEqual(expected);
    }),
  );
});
