import { compileRuleSet } from '../rule-set/compile';
import { validateRuleSet } from '../rule-set/validate';
import type { JsonObject } from '../values/types';
import { suggestRuleSet, suggestSteps } from '.';
import type { SuggestedRuleSet, Suggestion } from './types';

const names = ['ada', 'bela', 'cleo', 'dora', 'edgar', 'fritz', 'gina', 'hugo', 'ines', 'juri'];
const ends = ['berg', 'feld', 'mann', 'stein', 'wald', 'hof', 'tal', 'see', 'burg', 'dorf', 'heim'];

/** Returns invoices, and payments that name most of them, two to six days later. */
function invoices(count: number): { left: JsonObject[]; right: JsonObject[] } {
  const left: JsonObject[] = [];
  const right: JsonObject[] = [];
  for (let at = 0; at < count; at++) {
    const name = `${names[at % 10] as string} ${names[(at * 7) % 9] as string}${ends[at % 11] as string}`;
    const total = Math.round((20 + ((at * 7919) % 90_000) / 13) * 100) / 100;
    const day = (more: number): string =>
      new Date(1.7e12 + (((at * 31) % 300) + more) * 864e5).toISOString().slice(0, 10);
    const number = `RE-${10_000 + at * 13}`;
    left.push({ number, name, total, due: day(0) });
    right.push({ memo: at % 4 === 0 ? name.toUpperCase() : `${name} ${number}`, paid: total, on: day(2 + (at % 5)) });
  }
  return { left, right: right.reverse() };
}

function suggest({ left, right }: { left: JsonObject[]; right: JsonObject[] }): Suggestion {
  return suggestRuleSet({ left, right, totals: { left: left.length, right: right.length } });
}

function connected(suggestion: Suggestion): SuggestedRuleSet {
  if (!suggestion.connected) throw new Error(suggestion.reason);
  return suggestion;
}

const data = invoices(400);
const found = connected(suggest(data));
const { params } = found.ruleSet;

test('a suggested rule set is one that can be posted, with expressions that are compiled', () => {
  const definition = { engine: 'jsonata-batch', jsonataExpr: null, params, version: 1 } as const;
  expect(validateRuleSet(definition)).toEqual([]);
  expect(new Set(Object.values(compileRuleSet(definition).expressions))).toEqual(new Set(['compiled']));
});

test('fields correspond by their values, whatever their names', () => {
  expect(found.fields.map(({ left, right }) => `${left} ${right}`).sort()).toEqual([
    'due on',
    'name memo',
    'total paid',
  ]);
});

test('the days between partners are found as a window of their own direction', () => {
  const { rules = [params.blocking ?? {}] } = params.blocking ?? {};
  expect(rules[0]).toMatchObject({ dateKeyLeft: 'due', dateKeyRight: 'on', dateFromDays: 2, dateToDays: 6 });
});

test('a window of no days is told as equal dates', () => {
  const due = new Map(data.left.map((row) => [row.total, row.due ?? '']));
  const right = data.right.map((row) => ({ ...row, on: due.get(row.paid) ?? '' }));
  expect(connected(suggest({ ...data, right })).blocking[0]?.why).toContain('dates are equal');
});

test.each([5, 6, 8, 20])('among %i rows, a pair with equal amounts and different days is worth a look', (count) => {
  const rows = (late: number): JsonObject[] =>
    Array.from({ length: count }, (_, at) => {
      const time = 1.7e12 + (3 * at + (at === count - 1 ? late : 0)) * 864e5;
      return { no: `${late}-${at}`, day: new Date(time).toISOString().slice(0, 10), amount: 100.5 + at * 37 };
    });
  const few = { left: rows(0), right: rows(2) };
  const { ruleSet } = connected(suggest(few));
  const { blocking } = ruleSet.params;
  expect(blocking).not.toHaveProperty('rules');
  expect(blocking).not.toHaveProperty('dateToDays');
  const { comparer } = compileRuleSet({ ...ruleSet, jsonataExpr: null, version: 1 });
  const sideOf = (records: JsonObject[]) => ({ value: records[count - 1] as JsonObject, amountUnits: null, day: null });
  expect(comparer(1).compare(sideOf(few.left), sideOf(few.right))).toMatchObject({
    decision: expect.stringMatching('POSSIBLE|MATCH') as string,
  });
});

test('the same records give the same answer', () => {
  expect(suggest(data)).toEqual(found);
});

test('a search lets others have a turn after a bounded number of comparisons', () => {
  const titles = (salt: number): JsonObject[] =>
    Array.from({ length: 500 }, (_, at) => ({
      title: [3, 5, 7, 11, 13, 17]
        .map(
          (step) => `${names[(at * step) % 10]}${ends[(at + step) % 11]}${(at * step + (step > 11 ? salt : 0)) % 40}`,
        )
        .join(' '),
    }));
  let calls = 0;
  const between: number[] = [];
  const [left, right] = [titles(0), titles(3)];
  const totals = { left: left.length, right: right.length };
  const steps = suggestSteps({ left, right, totals, onStep: () => void calls++ });
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    if (step.value >= 0.4 && step.value <= 0.7) between.push(calls);
    calls = 0;
  }
  expect(between.length).toBeGreaterThan(3);
  // A comparison reports after 64 pairs.
  expect(Math.max(...between)).toBeLessThanOrEqual(8_192 / 64);
});

test('the suggested rule set scores partners MATCH and others not', () => {
  const compiled = compileRuleSet({ engine: 'jsonata-batch', jsonataExpr: null, params, version: 1 });
  const comparer = compiled.comparer(2);
  const of = (value: JsonObject) => ({ value, amountUnits: null, day: null });
  const decide = (left: number, right: number): string => {
    const result = comparer.compare(of(data.left[left] as JsonObject), of(data.right[399 - right] as JsonObject));
    return result instanceof Promise ? 'pending' : result.decision;
  };
  const partners = data.left.filter((_, at) => decide(at, at) === 'MATCH');
  const strangers = data.left.filter((_, at) => decide(at, (at + 50) % 400) === 'MATCH');
  expect({ partners: partners.length >= 396, strangers: strangers.length }).toEqual({ partners: true, strangers: 0 });
});

test('matchers are named by what they compare, and each level says how much it moves the score', () => {
  expect(found.matchers.map(({ name }) => name)).toContain('total and paid: how far apart');
  expect(found.matchers.every(({ levels }) => levels.every(({ weight }) => Number.isFinite(weight)))).toBe(true);
});

test('waterfalls show how the score of a pair adds up', () => {
  const weights = new Map(params.matchers?.map(({ id, weight }) => [id, weight ?? 0]));
  const range = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const min = found.matchers
    .filter(({ id }) => weights.has(id))
    .reduce((sum, { levels }) => sum + Math.min(...levels.map(({ weight }) => weight)), 0);
  for (const { score, parts } of found.waterfalls) {
    const sum = parts.reduce((total, { weight, matcher }) => total + (weights.has(matcher) ? weight : 0), 0);
    expect((sum - min) / range).toBeCloseTo(score, 3);
  }
});

test.each(['', ' '])('texts without content, such as "%s", are no values that agree', (empty) => {
  const { left, right } = invoices(200);
  const part = (record: JsonObject, at: number): JsonObject => ({
    ...record,
    part: at % 3 === 0 ? empty : `P${at * 37}`,
    branch: at % 4 === 0 ? empty : names[at % 10],
    place: at % 4 === 0 ? empty : `${names[at % 9]} ${ends[at % 7]}`,
    fee: at % 3 === 0 ? empty : 5 + (at * 31) / 7,
  });
  const sides = {
    left: left.map(part),
    right: right.map((record, at) => part(record, right.length - 1 - at)),
  };
  const { matchers, ruleSet } = connected(suggest(sides));
  const { comparer } = compileRuleSet({ ...ruleSet, jsonataExpr: null, version: 1 });
  const pair = { part: empty, branch: empty, place: empty, fee: empty, total: 1, name: 'a b', due: '2026-01-01' };
  const of = (value: JsonObject) => ({ value, amountUnits: null, day: null });
  const result = comparer(1).compare(of(pair), of({ ...pair, paid: 1, memo: 'a b', on: '2026-01-01' }));
  if (result instanceof Promise) throw new Error('scored later');
  for (const path of ['part', 'branch', 'place', 'fee']) {
    const { levels } = matchers.find(({ fields }) => fields.left.join() === path) as (typeof matchers)[number];
    expect(levels[0]).toMatchObject({ label: 'a side has no value' });
    expect({ path, others: (levels[0] as { others: number }).others > 0.05 }).toEqual({ path, others: true });
  }
  expect(result.decision).not.toBe('ERROR');
});

test('amounts of opposite signs are compared as such', () => {
  const right = data.right.map((record) => ({ ...record, paid: -(record.paid as number) }));
  expect(connected(suggest({ left: data.left, right })).ruleSet.params.amountSign).toBe('opposite');
});

test('names whose words are written by their initials speak for a pair', () => {
  const right = data.right.map(({ memo, ...record }, at) => {
    const [first = '', last = ''] = (memo as string).split(' ');
    return { ...record, memo: at % 2 === 0 ? `${first.charAt(0)}. ${last}` : `${first} ${last}` };
  });
  const { matchers } = connected(suggest({ left: data.left, right }));
  const levels = matchers.flatMap((matcher) => matcher.levels);
  const initials = levels.find(({ label }) => label === 'half of the words, the others by their initials');
  expect(initials?.weight).toBeGreaterThan(2);
});

/** The promise for some hundred pairs may be too high by this. */
const maxPromise = 0.15;

/** Returns the songs of albums; each side has some of them, and few are on both. */
function songs(onBoth: number): { left: JsonObject[]; right: JsonObject[]; partners: Set<string> } {
  let state = 7;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const text = (words: number): string =>
    Array.from({ length: words }, () => `${names[next(10)] as string}${ends[next(11)] as string}`).join(' ');
  const data = { left: [] as JsonObject[], right: [] as JsonObject[], partners: new Set<string>() };
  for (let album = 0; album < 60; album++) {
    const [artist, name] = [text(2), text(2)];
    for (let at = 0; at < 12; at++) {
      const title = text(1 + next(3));
      const isOnBoth = at < onBoth;
      if (isOnBoth || at % 2 === 0) data.left.push({ title, artist, album: name });
      if (isOnBoth || at % 2 === 1)
        data.right.push({ name: next(3) === 0 ? `${title} (live)` : title, by: artist, release: name });
      if (isOnBoth) data.partners.add(`${data.left.length - 1} ${data.right.length - 1}`);
    }
  }
  return data;
}

test.each([4, 2])(
  'records without a partner are not matched to relatives, with %d of 12 on both sides, nor is much more promised',
  (onBoth) => {
    const { left, right, partners } = songs(onBoth);
    const { ruleSet, expected } = connected(suggest({ left, right }));
    const compiled = compileRuleSet({
      engine: 'jsonata-batch',
      jsonataExpr: null,
      params: ruleSet.params,
      version: 1,
    });
    const comparer = compiled.comparer(2);
    const of = (value: JsonObject) => ({ value, amountUnits: null, day: null });
    const found = left.flatMap((one, at) =>
      right.flatMap((other, place) => {
        if (one['artist'] !== other['by']) return [];
        const result = comparer.compare(of(one), of(other));
        return !(result instanceof Promise) && result.decision === 'MATCH' ? [{ at, place, score: result.score }] : [];
      }),
    );
    const used = { left: new Set<number>(), right: new Set<number>() };
    const assigned = found
      .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
      .filter(({ at, place }) => {
        const isFree = !used.left.has(at) && !used.right.has(place);
        if (!isFree) return false;
        used.left.add(at);
        used.right.add(place);
        return true;
      });
    const correct = assigned.filter(({ at, place }) => partners.has(`${at} ${place}`)).length;
    expect((2 * correct) / (assigned.length + partners.size)).toBeGreaterThan(0.65);
    expect(expected.precision).toBeLessThan(correct / assigned.length + maxPromise);
    expect(expected.recall).toBeLessThan(correct / partners.size + maxPromise);
  },
);

test('precision and recall are said to be a guess where records without a partner are as much alike', () => {
  const { left, right } = songs(1);
  const { warnings } = connected(suggest({ left, right }));
  expect(warnings).toContainEqual({
    code: 'uncertain_quality',
    message: expect.stringMatching(/precision is at most \d+ to \d+ %, and recall \d+ to \d+ %/) as string,
  });
});

describe('data that nothing connects is said so', () => {
  const rows = (count: number, record: (at: number) => JsonObject): JsonObject[] =>
    Array.from({ length: count }, (_, at) => record(at));
  test.each<[string, JsonObject[], JsonObject[], RegExp]>([
    ['no records', [], rows(5, (at) => ({ a: `x${at}` })), /the left one has no records/],
    ['one value everywhere', rows(50, () => ({ a: 'x' })), rows(50, () => ({ a: 'x' })), /values that differ/],
    ['empty records', rows(50, () => ({})), rows(50, () => ({ a: '' })), /values that differ/],
    ['lists only', rows(50, (at) => ({ a: [at] })), rows(50, (at) => ({ a: [at] })), /values that differ/],
    ['other values', rows(50, (at) => ({ a: `q${at}w` })), rows(50, (at) => ({ b: `z${at}y` })), /no field of one/],
    ['other kinds', rows(50, (at) => ({ a: at / 7 })), rows(50, (at) => ({ a: `n ${at} m` })), /no field of one/],
  ])('%s', (_, left, right, reason) => {
    const suggestion = suggest({ left, right });
    expect(suggestion).toMatchObject({ connected: false, reason: expect.stringMatching(reason) as string });
    expect(suggestion).toMatchObject({ reason: expect.stringMatching(/^nothing connects these datasets: /) as string });
  });
});

test('a dataset of one record is said to have no other to compare with', () => {
  const one = { left: [{ a: 'x' }], right: [], totals: { left: 1, right: 0 }, isOneSide: true };
  expect(suggestRuleSet(one)).toMatchObject({
    connected: false,
    reason: expect.stringMatching(/one record/) as string,
  });
});

describe('what makes a suggestion doubtful is said in a warning', () => {
  const days = (from: number) => (at: number) => new Date(86_400_000 * (from + (at % 90))).toISOString().slice(0, 10);
  const side = (count: number, record: (at: number) => JsonObject): JsonObject[] =>
    Array.from({ length: count }, (_, at) => record(at));
  const row = (at: number, more: object = {}): JsonObject => ({
    code: `INV-${(at * 7919) % 100_000}`,
    total: ((at * 104_729) % 100_003) / 100,
    ...more,
  });
  const of = (count: number, left: (at: number) => object, right: (at: number) => object = left): string[] =>
    suggest({
      left: side(count, (at) => row(at, left(at))),
      right: side(count, (at) => row(at, right(at))),
    }).warnings.map(({ code, message }) => `${code}: ${message}`);
  test.each<[string, string[], RegExp]>([
    ['few records', of(60, () => ({})), /^few_records: A side has 60 records/],
    [
      'another time',
      of(
        400,
        (at) => ({ day: days(19_000)(at) }),
        (at) => ({ day: days(19_085)(at) }),
      ),
      /^short_overlap: .* left\.day/,
    ],
    ['one value everywhere', of(400, () => ({ currency: 'BRL' })), /^one_value: .* currency/],
    ['names without a path', of(400, (at) => ({ '': at, o: { 'x.y': at } })), /^unread_fields: .* "", "x\.y" are not/],
    [
      'lists',
      of(400, (at) => ({ refs: [`R${at}`], o: { tags: [at] } })),
      /^unread_fields: .* "refs", "o\.tags" hold lists/,
    ],
    [
      'objects too deep',
      of(400, (at) => ({ a: { b: { c: { d: at } } } })),
      /^unread_fields: .* "a\.b\.c" hold lists or deeply nested objects/,
    ],
    [
      'more fields than are compared',
      of(400, () => Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`f${field}`, field % 7]))),
      /^many_fields: Only 40 of 6\d left fields are compared/,
    ],
    ['texts that are cut', of(400, (at) => ({ memo: `pay ${at} ${'x '.repeat(900)}` })), /^long_texts: .* memo/],
    [
      'dates that are no dates',
      of(400, (at) => ({ due: at % 5 === 0 ? 'soon' : days(19_000)(at) })),
      /^mixed_values: 80 % .* due .*"soon"/,
    ],
    [
      'fields that are named alike only',
      of(
        400,
        (at) => ({ ref: `A${at}b` }),
        (at) => ({ ref: `Z${at}y` }),
      ),
      /^fields_hardly_alike: left\.ref/,
    ],
  ])('%s', (_, warnings, expected) => {
    expect(warnings).toContainEqual(expect.stringMatching(expected));
  });

  test('the fields that tell records apart are compared, whatever their names', () => {
    const wide = (at: number): JsonObject => ({
      ...Object.fromEntries(Array.from({ length: 300 }, (_, field) => [`a${field}`, (at * (field + 3)) % 5])),
      zz: `item ${(at * 7_919).toString(36)}x`,
    });
    const suggestion = suggest({ left: side(150, wide), right: side(150, wide) });
    expect(suggestion.fields).toContainEqual(expect.objectContaining({ left: 'zz', right: 'zz' }));
    expect(suggestion.connected).toBe(true);
  });

  test('half of the records without a partner', () => {
    const left = side(400, (at) => row(at));
    const right = side(400, (at) => row(at < 120 ? at : at + 5_000));
    expect(suggest({ left, right }).warnings.map(({ code }) => code)).toContain('few_partners');
  });

  test('records that correspond in all they hold get none', () => {
    expect(of(400, (at) => ({ day: days(19_000)(at), name: `Customer ${at} of ${at % 17}` }))).toEqual([]);
  });
});

describe('hostile data ends in an answer in bounded time', () => {
  const wide = (at: number, salt: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: 500 }, (_, column) => [`c${column}`, `v${(at * (column + 3) + salt) % 97}`]),
    );
  const long = (at: number): string => `record ${at} ${'lorem ipsum '.repeat(90_000)}`;
  test.each<[string, (at: number) => JsonObject, (at: number) => JsonObject, number]>([
    ['500 columns', (at) => wide(at, 0), (at) => wide(at, 0), 60],
    ['texts of a megabyte', (at) => ({ a: long(at) }), (at) => ({ a: long(at) }), 10],
    ['one record a side', () => ({ a: 'one two' }), () => ({ a: 'one two' }), 1],
    ['nulls, objects and lists in one field', odd, odd, 60],
    ['names that are no names of JSONata', (at) => ({ 'a b`c': at, in: `n ${at}` }), (at) => ({ in: `n ${at}` }), 60],
    ['the same text in all records but few', (at) => ({ a: at < 3 ? `k${at}` : 'same' }), () => ({ a: 'same' }), 60],
    ['huge and tiny numbers', (at) => ({ a: at * 1e300 + 0.5 }), (at) => ({ a: at * 1e-300 + 0.5 }), 60],
  ])('%s', (_, left, right, count) => {
    const side = (record: (at: number) => JsonObject): JsonObject[] =>
      Array.from({ length: count }, (_, at) => record(at));
    const suggestion = suggest({ left: side(left), right: side(right) });
    if (suggestion.connected)
      expect(validateRuleSet({ ...suggestion.ruleSet, jsonataExpr: null, version: 1 })).toEqual([]);
    else expect(suggestion.reason).toMatch(/^nothing connects these datasets: /);
  });

  function odd(at: number): JsonObject {
    const values = [null, { b: `x ${at}` }, [at], `text ${at}`, at, true, ''];
    return { a: values[at % values.length] ?? null, id: `code${at}` };
  }
});
