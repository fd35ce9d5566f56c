import fc from 'fast-check';
import { RepeatedTexts, hashOf } from './repeated-texts';

const blockSize = 16;

/** Returns, for each row, the first row with the same text, as the table finds it. */
function found(table: RepeatedTexts, values: readonly unknown[]): number[] {
  const rows: number[] = [];
  const block = new Int32Array(blockSize);
  for (let row = 0; row < values.length; row += blockSize) {
    const count = Math.min(blockSize, values.length - row);
    table.find(values.slice(row, row + count), count, row, block);
    rows.push(...block.subarray(0, count));
  }
  return rows;
}

const firstRows = (values: readonly unknown[]): number[] =>
  values.map((value, row) => (typeof value === 'string' ? values.indexOf(value) : row));

test('each text has the first row that had it, also after the table was cleared', () => {
  const value = fc.oneof(
    { weight: 5, arbitrary: fc.string({ maxLength: 2 }) },
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, 1, undefined, ['x']),
  );
  const table = new RepeatedTexts(blockSize);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), (values) => {
      table.clear();
      expect(found(table, values)).toEqual(firstRows(values));
    }),
  );
});

test('texts are found while the table grows', () => {
  const texts = Array.from({ length: 30_000 }, (_, row) => `text ${row % 10_000}`);
  const rows = found(new RepeatedTexts(blockSize), texts);
  expect(rows.map((row) => texts[row])).toEqual(texts);
  expect(rows.filter((row, index) => index >= 10_000 && row < 10_000).length).toBeGreaterThan(19_000);
});

test('beyond what the table holds a text has its own row', () => {
  const texts = Array.from({ length: 100_000 }, (_, row) => `text ${row % 50_000}`);
  const rows = found(new RepeatedTexts(blockSize), texts);
  expect(rows.every((row, index) => row === index || (row < index && texts[row] === texts[index]))).toBe(true);
});

/** Parts with two forms of equal hash, so that all combinations share one hash. */
const parts = [
  ['weowqa', 'ixaaab'],
  ['ikzlea', 'yabaab'],
  ['wnbwqa', 'yabaab'],
  ['ikzlea', 'yabaab'],
  ['wnbwqa', 'yabaab'],
];
const colliding = parts.reduce((texts, forms) => texts.flatMap((text) => forms.map((form) => text + form)), ['']);

test('texts of one hash are told apart, and take no more than a few places', () => {
  expect(new Set(colliding.map(hashOf)).size).toBe(1);
  const values = [...colliding, ...colliding];
  const rows = found(new RepeatedTexts(blockSize), values);
  expect(rows.map((row) => values[row])).toEqual(values);
  expect(rows.filter((row, index) => row !== index).length).toBe(8);
});

test('it is not worth while where hardly a text repeats, until the table is cleared', () => {
  const table = new RepeatedTexts(blockSize);
  found(
    table,
    Array.from({ length: 10_000 }, (_, row) => `text ${row}`),
  );
  expect(table.isWorthwhile()).toBe(false);
  table.clear();
  expect(table.isWorthwhile()).toBe(true);
});
