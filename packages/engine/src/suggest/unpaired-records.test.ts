import type { JsonObject } from '../values/types';
import { suggestRuleSet } from '.';
import type { Suggestion } from './types';

/** Returns whole numbers below a bound that seem random, the same for each seed. */
function chance(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const ends = ['Ltd', 'GmbH', 'Inc'];
const parts = {
  first:
    'Nor Alp Sil Gol Blu Gre Uni Roy Atl Del Ver Qua Sum Har Iro Cry Pio Glo Met Ape Lun Mar Ost Sud Kar Fen'.split(
      ' ',
    ),
  second: 'Steel Foods Logistics Energy Textiles Software Motors Papers Glass Timber Optics Pharma Media Tools'.split(
    ' ',
  ),
};

/** Returns payments booked up to five days late with texts cut off; a share of them has no entry. */
function payments(seed: number, unpairedPercent: number): { left: JsonObject[]; right: JsonObject[] } {
  const below = chance(seed);
  const day = (at: number): string => new Date(1.7e12 + at * 864e5).toISOString().slice(0, 10);
  const nameOf = (): string =>
    [parts.first, parts.second, ends].map((words) => words[below(words.length)] as string).join(' ');
  const entry = () => ({ name: nameOf(), amount: (500 + below(500_000)) / 100, on: below(365) });
  const right: JsonObject[] = [];
  const left = Array.from({ length: 1_500 }, (): JsonObject => {
    const own = entry();
    const paid = below(100) < unpairedPercent ? entry() : { ...own, on: own.on + below(6) };
    const text = paid.name.toUpperCase().slice(0, 18);
    const shown = below(3) === 0 ? text.replace(text[1 + below(text.length - 2)] as string, '') : text;
    right.push({ text: below(2) === 0 ? `POS ${shown}` : shown, value: paid.amount.toFixed(2), booked: day(paid.on) });
    return { payee: own.name, amount: own.amount.toFixed(2), date: day(own.on) };
  });
  return { left, right: right.reverse() };
}

const suggest = (sides: { left: JsonObject[]; right: JsonObject[] }): Suggestion =>
  suggestRuleSet({ ...sides, totals: { left: sides.left.length, right: sides.right.length } });

test.each([
  [1, 0],
  [1, 10],
  [2, 10],
  [3, 10],
  [4, 30],
])('seed %i: amounts and days block payments of which %i %% have no entry', (seed, unpairedPercent) => {
  const found = suggest(payments(seed, unpairedPercent));
  if (!found.connected) throw new Error(found.reason);
  const { blocking = {} } = found.ruleSet.params;
  expect(blocking.rules?.[0] ?? blocking).toMatchObject({
    amountKeyLeft: 'amount',
    amountKeyRight: 'value',
    dateKeyLeft: 'date',
    dateFromDays: 0,
  });
  expect(found.warnings.map(({ code }) => code)).not.toContain('texts_alone');
  expect(found.unlinkable).toBeGreaterThan(unpairedPercent / 100 - 0.04);
  expect(found.unlinkable).toBeLessThan(unpairedPercent / 100 + 0.04);
});

test('where texts alone block, a warning says what expected recall does not count', () => {
  const { left, right } = payments(1, 0);
  const only = (rows: JsonObject[], field: string, number: (at: number) => number): JsonObject[] =>
    rows.map((row, at) => ({ text: `${row[field] as string} no ${10_000 + 7 * number(at)}` }));
  const texts = {
    left: only(left, 'payee', (at) => at),
    right: only(right, 'text', (at) => right.length - 1 - at),
  };
  expect(suggest(texts).warnings.map(({ code }) => code)).toContain('texts_alone');
});
