import { suggestRuleSet } from '.';
import type { JsonObject } from '../values/types';
import type { Comparison, LearntModel } from './types';
import { withoutFreeMatches } from './unseen-levels';

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

test.each([
  ['no evidence', -1, [1, 1]],
  ['no evidence, where one field was empty before', -1, [0, 1]],
  ['some evidence', 0.5, [1, 1]],
])('records without any value are no match where a match needs %s', (_, match, levelsHeld) => {
  const level = (isMissing: boolean) => ({ label: '', when: null, start: 1, isMissing });
  const comparison = { levels: [level(true), level(false), level(false)], isOrdered: false } as unknown as Comparison;
  const learnt = [0.4, 0].map((missing) => Float64Array.of(missing, 3, -4));
  const held = levelsHeld.map((one) => Uint8Array.of(one, 1, 2));
  const model = { weights: learnt } as unknown as LearntModel;
  const { weights } = withoutFreeMatches({ levels: held }, [comparison, comparison], model, match);
  expect(weights.reduce((sum, own) => sum + (own[0] as number), 0)).toBeLessThan(match);
  expect(weights.map((own) => [...own].slice(1))).toEqual(learnt.map((own) => [...own].slice(1)));
});
