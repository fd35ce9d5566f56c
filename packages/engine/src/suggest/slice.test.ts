import type { JsonObject, Side } from '../values/types';
import { chooseSlice } from './slice';

const count = 2_000;
const words = (at: number): string => [at % 97, at % 89, at % 83, at].map((number) => `w${number}`).join(' ');

type Kind = Record<Side, (at: number) => JsonObject>;

/** Left and right records at the same place are partners. */
const kinds: Record<string, Kind> = {
  amounts: {
    left: (at) => ({ text: `a ${at}`, total: ((at * 7919) % 9001) / 7 }),
    right: (at) => ({ memo: `b ${at}`, paid: (((at * 7919) % 9001) / 7) * 0.95 }),
  },
  days: {
    left: (at) => ({ on: new Date(1.6e12 + ((at * 31) % 1500) * 864e5).toISOString().slice(0, 10), n: 1 }),
    right: (at) => ({ at: new Date(1.6e12 + (((at * 31) % 1500) + 9) * 864e5).toISOString().slice(0, 10), n: 1 }),
  },
  words: { left: (at) => ({ title: words(at) }), right: (at) => ({ name: `${words(at)} more` }) },
};

test.each(Object.entries(kinds))('a slice by %s holds records together with their partners', (_, record) => {
  const side = (of: Side): JsonObject[] => Array.from({ length: count }, (_one, at) => record[of](at));
  const sides = { left: side('left'), right: side('right') };
  const { keeps: isIn } = chooseSlice(sides, 0.1);
  const lefts = sides.left.flatMap((one, at) => (isIn('left', one) ? [at] : []));
  const together = lefts.filter((at) => isIn('right', sides.right[at] as JsonObject));
  expect(lefts.length).toBeGreaterThan(0.05 * count);
  expect(lefts.length).toBeLessThan(0.2 * count);
  expect(together.length).toBeGreaterThanOrEqual(0.95 * lefts.length);
});

test.each(['amounts', 'days'] as const)('a slice by %s has no more right records than it may have', (kind) => {
  const side = (of: Side): JsonObject[] => Array.from({ length: count }, (_one, at) => (kinds[kind] as Kind)[of](at));
  const sides = { left: side('left'), right: side('right') };
  const { keeps: isIn } = chooseSlice(sides, 0.02, 0.05);
  const rights = sides.right.filter((one) => isIn('right', one));
  expect(rights.length).toBeGreaterThan(0.02 * count);
  expect(rights.length).toBeLessThan(0.06 * count);
});

test('all records are in a slice of the whole', () => {
  const { keeps: isIn } = chooseSlice({ left: [{ a: 1 }], right: [{ a: 2 }] }, 1);
  expect([isIn('left', {}), isIn('right', {})]).toEqual([true, true]);
});
