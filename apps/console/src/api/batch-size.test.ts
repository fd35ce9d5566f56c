import { firstBatchSize, nextBatchSize } from './batch-size';

test.each([
  ['a fast service gets twice as many', 25, 40, 50],
  ['never more than an answer should hold', 150, 40, 200],
  ['a slow one gets what it does in half a second', 100, 2_000, 25],
  ['a very slow one still gets a few', 5, 30_000, 5],
  ['a clock that stands still counts as fast', 25, 0, 50],
])('%s', (_, size, tookMs, next) => {
  expect(nextBatchSize(size, tookMs)).toBe(next);
});

test('a service that does 30 in a second answers each batch within a second', () => {
  let size = firstBatchSize;
  const tookMs = [];
  for (let batch = 0; batch < 5; batch++) {
    tookMs.push((size * 1_000) / 30);
    size = nextBatchSize(size, tookMs.at(-1) as number);
  }
  expect(Math.max(...tookMs)).toBeLessThan(1_000);
});
