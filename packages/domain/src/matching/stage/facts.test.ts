import fc from 'fast-check';
import { noDay } from '@tieout/engine';
import { emptyFacts, factsBytes, groupName, maxPlainName, readFacts } from './facts';

const row = fc.record({
  units: fc.oneof(fc.constant(NaN), fc.maxSafeInteger()),
  unitValue: fc.oneof(fc.constant(NaN), fc.maxSafeInteger()),
  day: fc.oneof(fc.constant(noDay), fc.integer({ min: -700_000, max: 3_000_000 })),
  totalCount: fc.nat(60),
  position: fc.nat(60),
  content: fc.maxSafeNat(),
  group: fc.integer({ min: -1, max: 5 }),
  scale: fc.nat(4),
  unitScale: fc.nat(4),
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
});

test('a staged block is read as it was, whatever its number of rows and the names of its groups', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 40 }),
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }),
      (rows, names) => {
        const block = emptyFacts(rows.length + 3);
        const texts = { names, matchKeys: names.slice(1), related: names.slice(2) };
        rows.forEach(({ id, ...numbers }, i) => {
          for (const key of Object.keys(numbers) as (keyof typeof numbers)[]) block[key][i] = numbers[key];
          block.ids.set(id, 16 * i);
        });
        const read = readFacts(factsBytes(block, rows.length, texts), rows.length);
        expect(read.texts).toEqual(texts);
        expect(
          rows.map((_, i) => ({
            units: read.block.units[i],
            unitValue: read.block.unitValue[i],
            content: read.block.content[i],
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

const long = 'x'.repeat(1_000_000);

test.each(['A', '', ' 7 ', 'ü😀', 'x'.repeat(maxPlainName)])('a short text names its group: %j', (text) => {
  expect(groupName(text)).toBe(text);
});

test('the name of a long text states its beginning and its length', () => {
  expect(groupName(`bill 7 ${long}`)).toMatch(/^bill 7 x+… \(1000007 characters, SHA-256 [0-9a-f]{64}\)$/);
});

test.each([long, `z${long}`, 'x'.repeat(257), '😀'.repeat(1_000), `${'x'.repeat(199)}${'😀'.repeat(100)}`])(
  'the name of a long text is short and unique: %#',
  (text) => {
    const name = groupName(text);
    expect(name.length).toBeGreaterThan(maxPlainName);
    expect(name.length).toBeLessThan(320);
    expect(name).not.toContain('\ufffd');
    expect(groupName(name)).not.toBe(name);
  },
);

test('long texts that differ anywhere have different names, even in halves of surrogate pairs', () => {
  const texts = [
    long,
    `${long}y`,
    `${long}\ud83d`,
    `${long}\ud83e`,
    `${long.slice(1)}y`,
    `${long.slice(0, 500)}y${long.slice(501)}`,
  ];
  expect(new Set(texts.map(groupName)).size).toBe(texts.length);
});
