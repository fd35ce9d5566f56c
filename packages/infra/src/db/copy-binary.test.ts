import fc from 'fast-check';
import { RowScanner, binaryHeader } from './copy-binary';

type Field = Uint8Array | null;

function encode(rows: readonly Field[][]): Buffer {
  const int = (value: number, bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  const row = (fields: Field[]): Buffer[] => [
    int(fields.length, 2), ...fields.flatMap((field) => (field === null ? [int(-1, 4)] : [int(field.length, 4), Buffer.from(field)])),
  ];
  return Buffer.concat([binaryHeader, ...rows.flatMap(row), int(-1, 2)]);
}

const field = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: null });

test('rows come out as they went in, wherever the stream is cut into chunks', () => {
  const rows = fc.integer({ min: 1, max: 4 }).chain((fields) =>
    fc.array(fc.array(field, { minLength: fields, maxLength: fields }), { maxLength: 30 }).map((all) => ({ fields, all })));
  fc.assert(fc.property(rows, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), ({ fields, all }, sizes) => {
    const stream = encode(all);
    const scanner = new RowScanner(fields);
    const found: Field[][] = [];
    for (let at = 0, chunk = 0; at < stream.length; chunk++) {
      const end = at + (sizes[chunk % sizes.length] as number);
      if (scanner.scan(stream.subarray(at, end))) {
        for (let row = 0; row < scanner.count; row++) {
          found.push(Array.from({ length: fields }, (_, i) => {
            const start = scanner.start(row, i);
            return scanner.length(row, i) === -1 ? null : new Uint8Array(scanner.bytes.subarray(start, start + scanner.length(row, i)));
          }));
        }
      }
      at = end;
    }
    expect(found).toEqual(all);
  }), { numRuns: 500 });
});
