import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from '../../../jest.config';
import { fuzzExpression, fuzzPairs, newPairTally, newTally } from '.';
import { caseCount } from './config';
import { describe as inWords } from './oracle';
import { createRandom } from './random';
import { render, smallerTerms, term, text } from './term';

/** The same cases at every run; `npm run fuzz` goes beyond them. */
const expressionCount = caseCount(800);
const ruleSetCount = caseCount(250);

test('random expressions over dirty records give what jsonata gives, compiled and by the reference', async () => {
  const tally = newTally();
  for (let seed = 1; seed <= expressionCount; seed++) expect(await fuzzExpression(seed, tally)).toBeNull();
  expect(tally.evaluations).toBeGreaterThan(expressionCount * 4);
  expect(tally.errors + tally.nothing).toBeLessThan(tally.evaluations * 0.7);
  expect(tally.siblings).toBeLessThan(tally.evaluations * 0.03);
});

test('random rule sets decide dirty records alike in a batch, one by one, and as documented', async () => {
  const tally = newPairTally();
  for (let seed = 1; seed <= ruleSetCount; seed++) expect(await fuzzPairs(seed, tally)).toBeNull();
  for (const decision of ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR']) {
    expect(tally.decisions[decision]).toBeGreaterThan(tally.pairs * 0.02);
  }
});

test('the long suite has every test that draws a part of its cases here', () => {
  const engine = join(__dirname, '..');
  const drawing = readdirSync(engine, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(fuzz|src)\b.*\.test\.ts$/.test(file))
    .filter((file) => /\bcaseCount\(/.test(readFileSync(join(engine, file), 'utf8')));
  const long = config.projects?.find((one) => typeof one !== 'string' && one.displayName === 'long-cases');
  expect(long).toMatchObject({ testMatch: drawing.map((file) => `<rootDir>/packages/engine/${file}`).sort() });
});

test('a seed gives the same choices again', () => {
  const choices = (): number[] => {
    const random = createRandom(7);
    return random.list(5, 5, () => random.below(1_000_000));
  };
  expect(choices()).toEqual(choices());
});

test('a term is cut down to its parts, its list items and the simplest terms', () => {
  const call = term`$f(${[text('left.a'), term`(${text('b')} + ${text('c')})`]})`;
  expect(render(call)).toBe('$f(left.a, (b + c))');
  expect([...smallerTerms(call)].map(render)).toEqual(
    expect.arrayContaining(['left.a', '(b + c)', '1', '$f((b + c))', '$f(left.a)', '$f(left.a, b)']),
  );
});

test('values that JSON cannot tell apart are told apart', () => {
  const values = [
    0,
    -0,
    null,
    undefined,
    '',
    'null',
    [],
    [null],
    [[]],
    1,
    [1],
    '1',
    {},
    { a: undefined },
    { a: null },
    NaN,
  ];
  expect(new Set(values.map(inWords)).size).toBe(values.length);
});
