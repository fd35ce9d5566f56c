import type { JsonObject } from '@tieout/engine';
import fc from 'fast-check';
import { PackedRecords } from './packed-records';

const keys = ['amount', 'name', 'Größe', 'note'];
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, [], {}, ['x', [1]], { a: [] }),
  fc.constantFrom('é'.repeat(249), 'é'.repeat(250), '日'.repeat(300), '\ud800', ['é'.repeat(300)]),
);
const record = fc
  .dictionary(fc.constantFrom(...keys, 'other'), value)
  // JSON has no negative zero, and plain objects only.
  .map((made) => JSON.parse(JSON.stringify(made)) as JsonObject);

const picked = (from: JsonObject, wanted: readonly string[]): JsonObject =>
  Object.fromEntries(wanted.filter((key) => Object.hasOwn(from, key)).map((key) => [key, from[key]]));

const selections = fc.record({ read: fc.subarray(keys), shown: fc.shuffledSubarray(keys) }).map(({ read, shown }) => ({
  read,
  shown: [...new Set([...shown, ...read])],
}));

test('records give back what the rule set reads and what is shown, in its order, in each thread', () => {
  fc.assert(
    fc.property(fc.array(record), selections, (values, selection) => {
      const records = new PackedRecords(selection);
      for (const one of values) records.add(one);
      for (const own of [records, PackedRecords.of(records.share())]) {
        expect(values.map((_, at) => own.readAt(at))).toEqual(values.map((one) => picked(one, selection.read)));
        const shown = values.map((one) => picked(one, selection.shown));
        expect(values.map((_, at) => JSON.stringify(own.valueAt(at)))).toEqual(shown.map((one) => JSON.stringify(one)));
      }
    }),
  );
});

test('a record that goes beyond a chunk lies in one of its own', () => {
  const records = new PackedRecords({ read: ['name'], shown: ['name', 'note'] });
  const values = ['a', 'b'.repeat(9 << 20), 'c'].map((note) => ({ name: `name of ${note[0]}`, note }));
  for (const one of values) records.add(one);
  expect(values.map((_, at) => records.valueAt(at))).toEqual(values);
  expect(values.map((_, at) => records.readAt(at))).toEqual(values.map(({ name }) => ({ name })));
});

test('a record that is added whole, and all where all are kept, have every key', () => {
  fc.assert(
    fc.property(fc.array(record), (values) => {
      const all = new PackedRecords(null);
      const some = new PackedRecords({ read: ['name'], shown: ['name', 'note'] });
      for (const one of values) {
        all.add(one);
        some.addWhole(one);
      }
      for (const records of [all, some]) {
        expect(values.map((_, at) => records.valueAt(at))).toEqual(values);
        expect(values.map((_, at) => records.readAt(at))).toEqual(values);
      }
    }),
  );
});
