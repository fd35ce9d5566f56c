import { ExpressionError } from '../error';
import { LinearRegexEngine } from './engine';
import { createRegex, maxMachineSteps } from './linear-regex';

function refusal(run: () => unknown): ExpressionError {
  try {
    run();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

const explosive = [
  '(a+)+$',
  '(a|a)*$',
  '(a|ab)*c',
  '(.*a){20}',
  '\\s+$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a*)*b',
  'a+b',
  '(a?){20}a{20}',
  '([a-zA-Z]+)*1',
  '(a|aa)+$',
  '(.*)*x',
  '^(a+)+$',
  '(\\w+\\s?)*$',
  '\\d{2}-\\d+x',
  '(a+){3,}b',
];
/** Longer than all that is given to RegExp. */
const longLength = 30_000;
const long = ['a', 'x', 'ab', ' ', '0', 'aB '].map((piece) => piece.repeat(longLength / piece.length) + '!');

test.each(explosive)('/%s/ is not given to RegExp on long texts, and ends', (source) => {
  const regex = createRegex(source, '');
  expect(regex.maxNativeLength).toBeLessThan(10_000);
  for (const text of long) {
    let steps = 0;
    regex.exec(text, 0, (done) => (steps += done));
    expect(steps).toBeLessThanOrEqual(maxMachineSteps);
  }
});

test.each([
  ['INV-\\d{4,8}', 'pay INV-20231 now'],
  ['\\s+$', 'abc  '],
  ['(\\w+)@(\\w+)', 'a@b'],
  ['[^a-z]+', 'ab-c'],
])('/%s/ runs natively on ordinary texts', (source, text) => {
  const regex = createRegex(source, '');
  expect(regex.maxNativeLength).toBeGreaterThan(200);
  expect(regex.exec(text, 0)?.match).toBe(new RegExp(source).exec(text)?.[0]);
});

test('a match on a long text is that of a short one', () => {
  const regex = createRegex('(\\d+)-(x)?(\\d+)', '');
  const found = { match: '12-34', groups: ['12', undefined, '34'] };
  expect(regex.exec('ab 12-34', 0)).toEqual({ ...found, start: 3, end: 8 });
  expect(regex.exec(`${' '.repeat(100_000)}12-34`, 5)).toEqual({ ...found, start: 100_000, end: 100_005 });
});

test.each([
  ['(?=.*(a+)+)b', 'looks ahead'],
  ['(?<!(a*)*)b', 'looks behind'],
  ['(a*)*\\1', 'refers back'],
  ['(?:a{1,1000}){1,1000}', 'counts are too high'],
  [`${'('.repeat(60)}a${')'.repeat(60)}`, 'nested deeper'],
  ['a'.repeat(2_001), 'more than 2000 characters'],
])('/%s/ is refused, since it %s', (source, reason) => {
  const error = refusal(() => createRegex(source, ''));
  expect(error.code).toBe('regex_not_linear');
  expect(error.message).toContain(reason);
});

test('what only backtracking can match is refused where the text is too long for it', () => {
  const regex = createRegex('(\\w+) \\1', '');
  expect(regex.exec('ab the the', 0)?.groups).toEqual(['the']);
  expect(refusal(() => regex.exec('a'.repeat(100_000), 0)).code).toBe('regex_not_linear');
});

test.each([
  ['(\\w)\\1', 2_000],
  ['(?=.*INV)(?=.*EUR).*', 700],
  ['^(?=.*INV)(?=.*EUR)', 645_000],
])('the longest text of /%s/ is about what the page of expressions says', (source, length) => {
  expect(Math.abs(createRegex(source, '').maxNativeLength / length - 1)).toBeLessThan(0.01);
});

test('a search that takes too many steps ends with a clear code', () => {
  const source = `(?:${Array.from({ length: 200 }, () => '(?:a|b)?').join('')})*c`;
  expect(refusal(() => createRegex(source, '').exec('ab'.repeat(1_000_000), 0)).code).toBe('regex_steps_exceeded');
});

test('a position given to it comes with the refusal', () => {
  expect(refusal(() => createRegex('(?=(a*)*b)', '', 17)).position).toBe(17);
});

test('the engine for jsonata keeps lastIndex as RegExp does', () => {
  const literal = /a(b)?/g;
  const engine = new LinearRegexEngine(literal);
  for (let search = 0; search < 5; search++) {
    const [expected, found] = [literal.exec('ab a'), engine.exec('ab a')];
    expect(found && { index: found.index, groups: [...found] }).toEqual(
      expected && { index: expected.index, groups: [...expected] },
    );
    expect(engine.lastIndex).toBe(literal.lastIndex);
  }
});
