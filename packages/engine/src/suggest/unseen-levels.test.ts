import { suggestRuleSet } from '.';
import type { JsonObject } from '../values/types';

const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heath',
  'inlet',
  'jetty',
  'kelp',
  'lagoon',
];
const word = (at: number): string => words[at % words.length] as string;

/** Returns ledger entries and the payments of all of them, with every field filled. */
function payments(count: number): { left: JsonObject[]; right: JsonObject[] } {
  const day = (at: number): string => new Date(1.7e12 + at * 864e5).toISOString().slice(0, 10);
  const rows = Array.from({ length: count }, (_, at) => ({
    name: `${word(at)} ${word(at * 5 + 1)} ${word(Math.floor(at / 12) + 3)}`,
    amount: 10 + ((at * 7919) % 50_021) / 7,
    day: (at * 37) % 300,
  }));
  return {
    left: rows.map(({ name, amount, day: on }) => ({ payee: name, amount: amount.toFixed(2), due: day(on) })),
    right: rows.map(({ name, amount, day: on }, at) => ({
      text: at % 5 === 0 ? name.slice(0, 9) : name.toUpperCase(),
      value: amount.toFixed(2),
      booked: day(on + (at % 4)),
    })),
  };
}

test.each([60, 300, 1_000, 3_000])('among %i records, a level that no pair is at weighs nothing', (count) => {
  const { left, right } = payments(count);
  const found = suggestRuleSet({ left, right, totals: { left: count, right: count } });
  if (!found.connected) throw new Error(found.reason);
  const unseen = found.matchers.flatMap(({ name, levels }) =>
    levels.filter(({ label }) => label === 'a side has no value').map(({ weight }) => ({ name, weight })),
  );
  expect(unseen).toHaveLength(3);
  expect(unseen.filter(({ weight }) => Math.abs(weight) > 1e-3)).toEqual([]);
});
