import fc from 'fast-check';
import { blockBytes, parseValues, readBlock, viewBlock } from './block';

const row = fc.record({
  bucket: fc.maxSafeInteger(),
  units: fc.oneof(fc.maxSafeInteger(), fc.constant(NaN)),
  seq: fc.nat(4_294_967_295),
  day: fc.integer(),
  ownDay: fc.integer(),
  scale: fc.nat(4),
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  value: fc.dictionary(fc.string(), fc.jsonValue()),
});

test('a written block is read as it was, whatever the offset of its bytes in memory', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), fc.nat(9), (rows, offset) => {
      const texts = rows.map(({ value }) => Buffer.from(`${JSON.stringify(value)},`));
      const bytes = new Uint8Array(
        blockBytes(
          rows.length,
          texts.reduce((sum, text) => sum + text.length, 0),
        ),
      );
      const written = viewBlock(bytes.buffer, rows.length);
      let at = 0;
      rows.forEach((one, i) => {
        for (const column of ['bucket', 'units', 'seq', 'day', 'ownDay', 'scale'] as const)
          written[column][i] = one[column];
        written.ids.set(one.id, 16 * i);
        written.start[i] = at;
        at += (texts[i] as Buffer).copy(written.values, at);
      });
      written.start[rows.length] = at;

      const moved = new Uint8Array(bytes.length + offset);
      moved.set(bytes, offset);
      const read = readBlock(moved.subarray(offset), rows.length);
      const values = parseValues(read, 0, rows.length);
      expect(
        rows.map((_, i) => ({
          bucket: read.bucket[i],
          units: read.units[i],
          seq: read.seq[i],
          day: read.day[i],
          ownDay: read.ownDay[i],
          scale: read.scale[i],
          id: read.ids.slice(16 * i, 16 * i + 16),
          value: values[i],
        })),
      ).toEqual(rows.map((one) => ({ ...one, value: JSON.parse(JSON.stringify(one.value)) as unknown })));
    }),
    { numRuns: 200 },
  );
});
