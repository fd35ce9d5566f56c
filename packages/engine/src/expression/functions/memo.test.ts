import fc from 'fast-check';
import { memoisePairs, memoiseTexts } from './memo';

const pairNumber = (left: string, right: string): number => Number(`${left}.${right}`);
const doubled = (text: string): string => `${text}${text}`;

/** Counts how often a function is really computed. */
function counted<Arguments extends string[], Result>(compute: (...texts: Arguments) => Result) {
  const count = { calls: 0 };
  return {
    count,
    compute: (...texts: Arguments): Result => {
      count.calls++;
      return compute(...texts);
    },
  };
}

test('a pair that repeats is computed once', () => {
  const { count, compute } = counted(pairNumber);
  const memoised = memoisePairs(compute);
  for (let call = 0; call < 100; call++) expect(memoised('1', '2')).toBe(1.2);
  expect(count.calls).toBe(1);
});

test('a text that repeats is computed once', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  for (let call = 0; call < 100; call++) expect(memoised('ab')).toBe('abab');
  expect(count.calls).toBe(1);
});

test('an equal text that is another object is known', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  const long = 'x'.repeat(40);
  memoised(long.slice(0, 20));
  memoised(long.slice(20));
  expect(count.calls).toBe(1);
});

test('of long texts only the latest is kept', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  for (let call = 0; call < 100; call++) memoised('x'.repeat(1_025));
  expect(count.calls).toBe(1);
  for (const letter of ['y', 'x', 'y']) memoised(letter.repeat(1_025));
  expect(count.calls).toBe(4);
});

test('what is kept is bounded by the length of the texts', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  const texts = Array.from({ length: 8_000 }, (_, at) => String(at).padStart(1_024, 'x'));
  for (const text of texts) memoised(text);
  for (const text of texts.reverse()) memoised(text);
  expect(count.calls).toBeLessThan(16_000);
  memoised(texts.at(-1) as string);
  for (const text of texts) memoised(text);
  expect(count.calls).toBeGreaterThan(12_000);
});

test('a memo of pairs never changes a result, whatever was asked before', () => {
  const digits = fc.integer({ min: 0, max: 30 }).map(String);
  fc.assert(
    fc.property(fc.array(fc.tuple(digits, digits), { maxLength: 500 }), (pairs) => {
      const memoised = memoisePairs(pairNumber);
      for (const [left, right] of pairs) expect(memoised(left, right)).toBe(pairNumber(left, right));
    }),
  );
});

test('results stay right beyond what a memo holds', () => {
  const memoisedPairs = memoisePairs(pairNumber);
  const memoisedTexts = memoiseTexts(doubled);
  let wrong = 0;
  for (let call = 0; call < 300_000; call++) {
    // Every other call repeats, so that the memo keeps taking part.
    const left = String(call >> 1);
    const right = String(call % 4 < 2 ? 5 : call % 70_000);
    if (memoisedPairs(left, right) !== pairNumber(left, right)) wrong++;
    if (memoisedTexts(left) !== doubled(left)) wrong++;
  }
  expect(wrong).toBe(0);
});

test('a memo whose texts never repeat rests, and is tried again later', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  for (let call = 0; call < 30_000; call++) memoised(String(call));
  count.calls = 0;
  memoised('again');
  memoised('again');
  expect(count.calls).toBe(2);
  for (let call = 0; call < 1_100_000; call++) memoised('again');
  count.calls = 0;
  memoised('again');
  expect(count.calls).toBe(0);
});

test('a memo is tried again soon after a first pass that meets each text once', () => {
  const { count, compute } = counted(doubled);
  const memoised = memoiseTexts(compute);
  const texts = Array.from({ length: 10_000 }, (_, at) => String(at));
  for (let pass = 0; pass < 50; pass++) for (const text of texts) memoised(text);
  expect(count.calls).toBeLessThan(5 * texts.length);
});
