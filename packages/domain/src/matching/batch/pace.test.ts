import { cpuMs } from '../jobs/context';
import { LongBatchError, Pace } from './pace';

const limits = { batchMs: 1_000, paceMs: 250, longBatches: 4 };

/** Returns the number of pieces that a batch is cut into after these steps. */
function piecesOf(
  pairs: number,
  steps: readonly [pairs: number, tookMs: number][],
  pace = new Pace(pairs, limits),
): number | undefined {
  try {
    for (const step of steps) pace.add(...step);
  } catch (error) {
    if (error instanceof LongBatchError) return error.cut.pieces;
    throw error;
  }
  return undefined;
}

test.each<[string, number, [number, number][], number | undefined]>([
  ['is not known yet', 1_000_000, [[1, 249]], undefined],
  ['leaves four batches or less', 5_000, [[1_000, 1_000]], undefined],
  ['leaves more than that', 5_001, [[1_000, 1_000]], 6],
  [
    'becomes slow',
    6_000,
    [
      [1_000, 300],
      [1_000, 1_800],
    ],
    7,
  ],
  ['is very slow', 1e9, [[1, 300]], 500],
])('a batch whose pace %s is cut accordingly', (_name, pairs, steps, pieces) => {
  expect(piecesOf(pairs, steps)).toBe(pieces);
});

test('work before the pace began does not count for the size of the pieces', () => {
  const pace = new Pace(1_000_000, { batchMs: 25, paceMs: 0, longBatches: 0 });
  const untilMs = cpuMs() + 75;
  while (cpuMs() < untilMs);
  pace.begin();
  expect(piecesOf(1_000_000, [[1_000, 0.5]], pace)).toBe(20);
});

test('pairs that are left out do not change the estimate', () => {
  const pace = new Pace(1_000_000, limits);
  pace.ignoreNext();
  expect(() => pace.add(1, 60_000)).not.toThrow();
  expect(() => pace.add(1, 60_000)).toThrow(LongBatchError);
});
