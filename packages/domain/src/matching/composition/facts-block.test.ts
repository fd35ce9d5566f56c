import fc from 'fast-check';
import { NO_DAY } from '@tieout/engine';
import { emptyFacts, factsBytes, readFacts } from './facts-block';

const row = fc.record({
  units: fc.oneof(fc.constant(NaN), fc.maxSafeInteger()),
  unitValue: fc.oneof(fc.constant(NaN), fc.maxSafeInteger()),
  day: fc.oneof(fc.constant(NO_DAY), fc.integer({ min: -700_000, max: 3_000_000 })),
  totalCount: fc.nat(60),
  position: fc.nat(60),
  group: fc.integer({ min: -1, max: 5 }),
  scale: fc.nat(4),
  unitScale: fc.nat(4),
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
});

test('what is staged of a block is read again, whatever its number of rows and the names of its groups', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 40 }),
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }),
      (rows, names) => {
        const block = emptyFacts(rows.length + 3);
        rows.forEach(({ id, ...numbers }, i) => {
          for (const key of Object.keys(numbers) as (keyof typeof numbers)[]) block[key][i] = numbers[key];
          block.ids.set(id, 16 * i);
        });
        const read = readFacts(factsBytes(block, rows.length, names), rows.length);
        expect(read.names).toEqual(names);
        expect(
          rows.map((_, i) => ({
            units: read.block.units[i],
            unitValue: read.block.unitValue[i],
            day: read.block.day[i],
            totalCount: read.block.totalCount[i],
            position: read.block.position[i],
            group: read.block.group[i],
            scale: read.block.scale[i],
            unitScale: read.block.unitScale[i],
            id: read.block.ids.slice(16 * i, 16 * i + 16),
          })),
        ).toEqual(rows);
      },
    ),
  );
});
