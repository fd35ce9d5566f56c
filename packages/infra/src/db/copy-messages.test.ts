import fc from 'fast-check';
import { CopyMessages, binaryHeader } from './copy-messages';

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

const trailer = message('d', int(-1, 2));
const copyDone = message('c');
/** The header comes with the first row; the second row is interrupted by a notice. */
const begin = message('H', Buffer.from([1]), int(0, 2));
const notice = message('N', Buffer.from('SNOTICE\0\0'));

function rowMessages(rows: readonly Field[][]): Buffer[] {
  return rows.map((fields, i) => {
    const row = Buffer.concat([
      int(fields.length, 2), ...fields.flatMap((field) => (field === null ? [int(-1, 4)] : [int(field.length, 4), Buffer.from(field)])),
    ]);
    return Buffer.concat([i === 1 ? notice : Buffer.alloc(0), i === 0 ? message('d', binaryHeader, row) : message('d', row)]);
  });
}

function stream(rows: readonly Field[][], end: Buffer): Buffer {
  return Buffer.concat([begin, ...(rows.length === 0 ? [message('d', binaryHeader)] : rowMessages(rows)), end]);
}

/** The rows found in a stream that is cut into pieces of these sizes, over and over. */
function rowsOf(messages: CopyMessages, fields: number, bytes: Buffer, sizes: readonly number[]): Field[][] {
  const found: Field[][] = [];
  for (let at = 0, chunk = 0; at < bytes.length && !messages.ended; chunk++) {
    const end = at + (sizes[chunk % sizes.length] as number);
    if (messages.take(bytes.subarray(at, end))) {
      for (let row = 0; row < messages.count; row++) {
        found.push(Array.from({ length: fields }, (_, i) => {
          const start = messages.start(row, i);
          return messages.length(row, i) === -1 ? null : new Uint8Array(messages.bytes.subarray(start, start + messages.length(row, i)));
        }));
      }
    }
    at = end;
  }
  return found;
}

const field = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: null });
const table = fc.integer({ min: 1, max: 4 }).chain((fields) =>
  fc.array(fc.array(field, { minLength: fields, maxLength: fields }), { maxLength: 30 }).map((rows) => ({ fields, rows })));
const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });

test('rows come out as they went in, wherever the stream is cut into chunks', () => {
  fc.assert(fc.property(table, cuts, ({ fields, rows }, sizes) => {
    const messages = new CopyMessages(fields);
    expect(rowsOf(messages, fields, stream(rows, Buffer.concat([trailer, copyDone])), sizes)).toEqual(rows);
    expect(messages.ended).toBe(true);
  }), { numRuns: 500 });
});

test('what follows the rows is left over', () => {
  const messages = new CopyMessages(1);
  const ready = message('Z', Buffer.from('I'));
  rowsOf(messages, 1, stream([[Buffer.from('a')]], Buffer.concat([trailer, copyDone, ready])), [1_000]);
  expect(messages.rest).toEqual(ready);
});

test('an error ends the rows and is left over', () => {
  const messages = new CopyMessages(1);
  const error = message('E', Buffer.from('SERROR\0\0'));
  const found = rowsOf(messages, 1, stream([[Buffer.from('a')], [Buffer.from('b')]], error), [7]);
  expect(found).toHaveLength(2);
  expect(messages.ended).toBe(true);
  expect(error.subarray(0, messages.rest.length)).toEqual(messages.rest);
});
