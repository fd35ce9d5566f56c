import fc from 'fast-check';
import { RowMessages } from './row-messages';

type Field = Uint8Array | null;

function int(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
}

function message(kind: string, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from(kind), int(bytes.length + 4, 4), bytes]);
}

const notice = message('N', Buffer.from('SNOTICE\0\0'));
const portionEnd = message('s');
const commandComplete = message('C', Buffer.from('SELECT 1\0'));
/** The statement is parsed and bound before the rows; the second row is interrupted by a notice. */
const begin = Buffer.concat([message('1'), message('2')]);

function rowMessages(rows: readonly Field[][]): Buffer[] {
  return rows.map((fields, i) => {
    const row = fields.flatMap((field) => (field === null ? [int(-1, 4)] : [int(field.length, 4), Buffer.from(field)]));
    return Buffer.concat([i === 1 ? notice : Buffer.alloc(0), message('D', int(fields.length, 2), ...row)]);
  });
}

const stream = (rows: readonly Field[][], end: Buffer): Buffer => Buffer.concat([begin, ...rowMessages(rows), end]);

/** The rows found in a stream that is cut into pieces of these sizes, over and over. */
function rowsOf(messages: RowMessages, fields: number, bytes: Buffer, sizes: readonly number[]): Field[][] {
  const found: Field[][] = [];
  for (let at = 0, chunk = 0; at < bytes.length && !messages.ended; chunk++) {
    const end = at + (sizes[chunk % sizes.length] as number);
    if (messages.take(bytes.subarray(at, end))) {
      for (let row = 0; row < messages.count; row++) {
        found.push(
          Array.from({ length: fields }, (_, i) => {
            const start = messages.start(row, i);
            return messages.length(row, i) === -1
              ? null
              : new Uint8Array(messages.bytes.subarray(start, start + messages.length(row, i)));
          }),
        );
      }
    }
    at = end;
  }
  return found;
}

const field = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: null });
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((fields) =>
    fc
      .array(fc.array(field, { minLength: fields, maxLength: fields }), { maxLength: 30 })
      .map((rows) => ({ fields, rows })),
  );
const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });

test('rows are decoded unchanged, wherever the stream is cut into chunks', () => {
  fc.assert(
    fc.property(table, cuts, ({ fields, rows }, sizes) => {
      const messages = new RowMessages(fields);
      expect(rowsOf(messages, fields, stream(rows, commandComplete), sizes)).toEqual(rows);
      expect(messages.ended).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the message that ends the rows is left over, with the bytes after it', () => {
  const messages = new RowMessages(1);
  const end = Buffer.concat([commandComplete, message('Z', Buffer.from('I'))]);
  rowsOf(messages, 1, stream([[Buffer.from('a')]], end), [1_000]);
  expect(messages.rest).toEqual(end);
});

test('each ended portion is counted once', () => {
  const messages = new RowMessages(1);
  const [row = portionEnd] = rowMessages([[Buffer.from('a')]]);
  const portions = [
    Buffer.concat([begin, row, portionEnd, row]),
    portionEnd,
    Buffer.concat([row, portionEnd, portionEnd]),
  ].map((chunk) => {
    messages.take(chunk);
    return messages.portions;
  });
  expect(portions).toEqual([1, 1, 2]);
});

test('an error ends the rows and is left over', () => {
  const messages = new RowMessages(1);
  const error = message('E', Buffer.from('SERROR\0\0'));
  const found = rowsOf(messages, 1, stream([[Buffer.from('a')], [Buffer.from('b')]], error), [7]);
  expect(found).toHaveLength(2);
  expect(messages.ended).toBe(true);
  expect(error.subarray(0, messages.rest.length)).toEqual(messages.rest);
});
