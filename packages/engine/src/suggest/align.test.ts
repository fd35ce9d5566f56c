import type { JsonObject } from '../values/types';
import { alignFields } from './align';
import { profileFields } from './fields';

const count = 30_000;

/** Returns keys that one record of a side has each, in an order of the side's own. */
const keys = (field: string, step: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({ [field]: `R${100_000 + ((at * step + step) % count)}` }));

test('keys of many records correspond whatever the order of the records and the names of the fields', () => {
  const records = { left: keys('ref', 7), right: keys('order', 11) };
  const profiles = { left: profileFields(records.left), right: profileFields(records.right) };
  expect(alignFields(records, profiles)).toEqual([
    expect.objectContaining({ left: profiles.left[0], right: profiles.right[0], overlap: expect.closeTo(1) as number }),
  ]);
});

test('keys of many records that are others do not correspond', () => {
  const others = keys('order', 11).map(({ order }) => ({ order: `S${order as string}` }));
  const records = { left: keys('ref', 7), right: others };
  const profiles = { left: profileFields(records.left), right: profileFields(records.right) };
  expect(alignFields(records, profiles)).toEqual([]);
});
