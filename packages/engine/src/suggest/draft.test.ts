import { compileRuleSet } from '../rule-set/compile';
import { sampledPairs } from '../rule-set/sampled-pairs';
import type { JsonObject } from '../values/types';
import { suggestRuleSet } from '.';
import type { SuggestedRuleSet } from './types';

const count = 240;

/** Returns a generator of whole numbers below a bound, the same for a seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

type Row = (at: number, next: (below: number) => number) => JsonObject;

/** Returns records of which those at the same place belong together. */
function sides(left: Row, right: Row): { left: JsonObject[]; right: JsonObject[] } {
  const rows = (row: Row, seed: number): JsonObject[] => {
    const next = random(seed);
    return Array.from({ length: count }, (_, at) => row(at, next));
  };
  return { left: rows(left, 4), right: rows(right, 9) };
}

function suggest(data: { left: JsonObject[]; right: JsonObject[] }): SuggestedRuleSet {
  const suggestion = suggestRuleSet({ ...data, totals: { left: data.left.length, right: data.right.length } });
  if (!suggestion.connected) throw new Error(suggestion.reason);
  return suggestion;
}

/** Returns the shares of partners, and of all others, that are candidates with the decision MATCH. */
async function found({ left, right }: { left: JsonObject[]; right: JsonObject[] }): Promise<number[]> {
  const { params } = suggest({ left, right }).ruleSet;
  const definition = { engine: 'jsonata-batch', jsonataExpr: null, params, version: 1 } as const;
  const comparer = compileRuleSet(definition).comparer(2);
  const of = (value: JsonObject | undefined) => ({ value: value ?? {}, amountUnits: null, day: null });
  const pairs = await sampledPairs({ definition, records: { left, right }, limit: 100_000 });
  const matches = pairs.filter((pair) => {
    const result = comparer.compare(of(left[pair.left]), of(right[pair.right]));
    return !(result instanceof Promise) && result.decision === 'MATCH';
  });
  const partners = matches.filter((pair) => pair.left === pair.right).length;
  return [partners / count, (matches.length - partners) / count];
}

const cents = (at: number): number => ((at * 104_729) % 900_001) + 100_000;
const name = (at: number): string => `firm${(at * 7919) % 100_003}`;
const english = (at: number): string => `${Math.floor(cents(at) / 100_000)},${(cents(at) / 100).toFixed(2).slice(-6)}`;
const card = (at: number): number => 4_111_000_000_000_000 + at * 2_621_189;
const day = (at: number): string => new Date(1.7e12 + (at % 50) * 864e5).toISOString().slice(0, 10);

describe('blocking of a draft reads what it blocks by', () => {
  test.each<[string, Row, Row]>([
    [
      'texts with thousands separators',
      (at) => ({ amount: cents(at) / 100, firm: name(at) }),
      (at) => ({ value: english(at), name: name(at).toUpperCase() }),
    ],
    [
      'texts with a comma and a currency',
      (at) => ({ no: `R${500 + at}`, amount: (cents(at) / 100).toFixed(2) }),
      (at) => ({ ref: `R${500 + at}`, value: `${(cents(at) / 100).toFixed(2).replace('.', ',')} EUR` }),
    ],
    [
      'the same with the opposite sign',
      (at) => ({ amount: cents(at) / 100, on: day(at) }),
      (at) => ({ value: `-${english(at)}`, booked: day(at) }),
    ],
    [
      'numbers beyond the range of amounts',
      (at) => ({ card: card(at), on: day(at) }),
      (at) => ({ pan: card(at), at: day(at) }),
    ],
    [
      'names with dots',
      (at) => ({ 'Inv. No.': `R${500 + at}`, 'net.amount': cents(at) / 100, net: { tax: at % 7 } }),
      (at) => ({ 'Ref. "no"': `R${500 + at}`, 'a.b.c': english(at) }),
    ],
    [
      'numbers and texts by turns',
      (at) => ({ code: at % 2 ? at * 1313 : `W${at * 1313}` }),
      (at) => ({ code: at % 2 ? at * 1313 : `W${at * 1313}` }),
    ],
  ])('%s', async (_, left, right) => {
    const [partners, others] = await found(sides(left, right));
    expect(partners).toBeGreaterThanOrEqual(0.98);
    expect(others).toBeLessThanOrEqual(0.02);
  });
});

describe('a key that identifies records decides beside columns that have nothing to do with each other', () => {
  const order = (at: number): string => `ORD-${70_000 + at * 13}`;
  const cities = ['Paris', 'London', 'Berlin', 'Madrid', 'Rome', 'Vienna', 'Oslo', 'Prague', 'Dublin', 'Athens'];
  test.each<[string, Row, Row]>([
    [
      'small numbers',
      (at, next) => ({ order_no: order(at), qty: 1 + next(50) }),
      (at, next) => ({ reference: order(at), boxes: 1 + next(50) }),
    ],
    [
      'large numbers',
      (at, next) => ({ order_no: order(at), weight: 1 + next(90_000) }),
      (at, next) => ({ reference: order(at), score: 1 + next(90_000) }),
    ],
    [
      'decimals',
      (at, next) => ({ order_no: order(at), price: next(9_000) / 100 }),
      (at, next) => ({ reference: order(at), freight: next(9_000) / 100 }),
    ],
    [
      'words',
      (at, next) => ({ order_no: order(at), city: cities[next(10)] }),
      (at, next) => ({ reference: order(at), town: cities[next(10)] }),
    ],
    [
      'numbers, words and days',
      (at, next) => ({ order_no: order(at), qty: 1 + next(50), city: cities[next(10)], on: day(next(300)) }),
      (at, next) => ({
        reference: order(at),
        boxes: 1 + next(50),
        town: cities[next(10)],
        at: day(next(300)),
      }),
    ],
    [
      'numbers, beside short keys',
      (at, next) => ({ no: `K${100 + at}`, qty: 1 + next(50) }),
      (at, next) => ({ ref: `K${100 + at}`, boxes: 1 + next(50) }),
    ],
    [
      'numbers, beside keys of which half are on the other side',
      (at, next) => ({ no: order(at), qty: 1 + next(100) }),
      (at, next) => ({ ref: order(at % 2 === 0 ? at : at + 1_000), boxes: 1 + next(100) }),
    ],
  ])('%s', async (name, left, right) => {
    const [partners, others] = await found(sides(left, right));
    expect(partners).toBeGreaterThanOrEqual(name.includes('half') ? 0.49 : 0.98);
    expect(others).toBeLessThanOrEqual(0.02);
  });

  test('keys that meet by chance give way to what connects the records', async () => {
    const { left, right } = sides(
      (at) => ({ id: at + 1, amount: cents(at) / 100, due: day(at), name: name(at) }),
      (at) => ({ id: ((at * 77) % count) + 1, paid: cents(at) / 100, on: day(at + 2), payer: name(at) }),
    );
    const [partners, others] = await found({ left, right });
    expect(partners).toBeGreaterThanOrEqual(0.98);
    expect(others).toBeLessThanOrEqual(0.02);
  });
});

test.each<[string, Row, Row, string[]]>([
  [
    'records without the value that blocking reads',
    (at) => ({ amount: cents(at) / 100, on: day(at) }),
    (at) => ({ value: at % 12 === 0 ? null : cents(at) / 100, booked: day(at) }),
    ['unblocked_records: 8.3 % of the right records hold nothing that blocking can read (missing_amount)'],
  ],
  [
    'records of which all have it',
    (at) => ({ amount: cents(at) / 100, on: day(at) }),
    (at) => ({ value: english(at), booked: day(at) }),
    [],
  ],
])('a draft says which share of the records its blocking leaves out: %s', (_, left, right, expected) => {
  const told = suggest(sides(left, right)).warnings.filter(({ code }) => code === 'unblocked_records');
  expect(told.map(({ code, message }) => `${code}: ${message.split(', so')[0] ?? ''}`)).toEqual(expected);
});

test('the remedies of files need no service', () => {
  // Half of the records share their amount with others, and are no copies of these: many matches are wrong.
  const shared = (at: number): number => cents(at < count / 2 ? at : at % 10) / 100;
  const data = sides(
    (at) => ({ amount: shared(at), on: day(at), entry: `l${at}` }),
    (at) => ({ value: at % 12 === 0 ? null : shared(at), booked: day(at), line: `r${at}` }),
  );
  const remedies = [true, false].map((isOfFiles) => {
    const totals = { left: count, right: count };
    const { warnings } = suggestRuleSet({ ...data, totals, isOfFiles });
    return warnings.map(({ code, message }) => `${code}: ${message.split(': ').at(-1) ?? ''}`);
  });
  expect(remedies).toEqual([
    expect.arrayContaining([
      'low_precision: raise Tmatch in the rule file',
      'unblocked_records: add a rule to blocking that reads another field',
    ]),
    expect.arrayContaining([
      'low_precision: choose a higher Tmatch from curve, or answer questions and train the rule set',
      'unblocked_records: add a rule to blocking that reads another field, or declare this one so that it is read',
    ]),
  ]);
  expect(remedies[0]?.join()).not.toMatch(/curve|questions|declare|job/);
});

test.each<[string, Row, boolean]>([
  ['titles', (at) => ({ text: at % 9 === 0 ? `radio ${name(at)[4]} deluxe set` : `Lamp set OI-${at} pro 12V` }), false],
  ['titles with one number', (at) => ({ text: at % 9 === 0 ? 'vacuum cleaner' : `cleaner OI-${at}` }), false],
  ['amounts', (at) => ({ text: at % 9 === 0 ? 'unpaid' : english(at) }), true],
  ['amounts with a currency', (at) => ({ text: at % 9 === 0 ? 'n/a' : `${english(at)} EUR` }), true],
])('only what can be amounts is said to be amounts among other values: %s', (_, row, expected) => {
  const withCode: Row = (at, next) => ({ no: `INV-${10_000 + at}`, ...row(at, next) });
  const warnings = suggest(sides(withCode, withCode)).warnings.filter(({ code }) => code === 'mixed_values');
  expect(warnings.some(({ message }) => message.includes('are amounts'))).toBe(expected);
});

const monthOf = (date: string): string => new Date(date).toLocaleString('en', { month: 'short', timeZone: 'UTC' });

test.each<[string, (date: string) => string]>([
  ['days first', (date) => date.split('-').reverse().join('.')],
  ['months first', (date) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`],
  ['years first', (date) => date.replaceAll('-', '.')],
  ['with a time', (date) => `${date.split('-').reverse().join('.')} 14:30`],
  ['a month in words', (date) => `${Number(date.slice(8))} ${monthOf(date)} ${date.slice(0, 4)}`],
  ['a month in words first', (date) => `${monthOf(date)} ${Number(date.slice(8))}, ${date.slice(0, 4)}`],
])('dates that need a format are compared as texts, and a warning says so: %s', (_, written) => {
  const row: Row = (at) => ({ no: `INV-${10_000 + at}`, on: written(day(at)) });
  const { fields, warnings } = suggest(sides(row, row));
  expect(fields.find(({ left }) => left === 'on')?.kind).toMatch(/^(code|text)$/);
  const told = warnings.filter(({ code }) => code === 'unread_dates');
  expect(told.map(({ message }) => message.split(' look')[0])).toEqual([
    'The left values in on',
    'The right values in on',
  ]);
  expect(told[0]?.message).toMatch(/Read the file with its dateFormat, or send dates as YYYY-MM-DD$/);
});
