import fc from 'fast-check';
import { createBlockingRule, type RuleSetParams } from '@tieout/engine';
import type { BatchCosts, LeftKey } from './batch-cuts';
import { planCandidates } from './candidates';
import { SideColumns } from '../stage/columns';
import { recordState } from '../stage/directory';

interface Row {
  bucket: number;
  day: number;
  units: number;
  excluded: boolean;
}

const id = new Uint8Array(16);

function sideOf(rows: readonly Row[]): SideColumns {
  const columns = new SideColumns();
  for (const { bucket, day, units, excluded } of rows) {
    const seq = columns.add(excluded ? recordState.unblocked : recordState.candidate, id, 0);
    if (!excluded) columns.place(seq, { bucket, day, units, scale: 2, weight: 10 });
  }
  return columns;
}

const rule = (blocking: RuleSetParams['blocking']) => createBlockingRule({ Tmatch: 1, Tpossible: 0, blocking });
const costs: BatchCosts = {
  pairNs: 100,
  leftRowNs: 1_000,
  rightRowNs: 500,
  batchMs: 1_000,
  leftRows: 7,
  leftBytes: 100,
  cores: 2,
};
const ignore = (): void => undefined;

const row = fc.record({
  bucket: fc.integer({ min: 0, max: 6 }),
  day: fc.integer({ min: 0, max: 12 }),
  units: fc.integer({ min: 0, max: 300 }),
  excluded: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const rows = fc.array(row, { maxLength: 60 });

test('pairs, rows without candidates and batches equal those of comparing every pair', () => {
  fc.assert(
    fc.property(rows, rows, fc.nat(2), fc.nat(4), (lefts, rights, amountBucketWindow, dateToleranceDays) => {
      const subject = rule({ amountBucketWindow, dateToleranceDays });
      const left = sideOf(lefts);
      const right = sideOf(rights);
      const plan = planCandidates({
        isOneSide: false,
        rule: subject,
        left,
        right,
        amountScale: 2,
        costs,
        onStep: ignore,
      });

      const isCandidate = (l: Row, r: Row): boolean =>
        !l.excluded &&
        !r.excluded &&
        Math.abs(l.bucket - r.bucket) <= amountBucketWindow &&
        Math.abs(l.day - r.day) <= dateToleranceDays;
      const stateOf = (one: Row, others: readonly Row[], of: (other: Row) => boolean): number =>
        one.excluded ? recordState.unblocked : others.some(of) ? recordState.candidate : recordState.noCandidate;
      expect([...left.state.subarray(0, lefts.length)]).toEqual(
        lefts.map((l) => stateOf(l, rights, (r) => isCandidate(l, r))),
      );
      expect([...right.state.subarray(0, rights.length)]).toEqual(
        rights.map((r) => stateOf(r, lefts, (l) => isCandidate(l, r))),
      );

      const keyOf = (seq: number): LeftKey => [lefts[seq]?.bucket as number, lefts[seq]?.day as number, seq];
      const compare = (one: LeftKey, other: LeftKey): number =>
        one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
      const seqs = lefts.flatMap((l, seq) => (l.excluded ? [] : [seq]));
      const slices = plan.batches.map(({ bounds }) =>
        seqs.filter((seq) => compare(keyOf(seq), bounds.left.from) >= 0 && compare(keyOf(seq), bounds.left.to) <= 0),
      );
      expect(slices.map((slice) => slice.length)).toEqual(plan.batches.map((batch) => batch.leftRows));
      expect(Math.max(0, ...slices.map((slice) => slice.length))).toBeLessThanOrEqual(costs.leftRows);
      const sliceOf = new Map(slices.flatMap((slice, i) => slice.map((seq) => [seq, i] as const)));
      expect(sliceOf.size).toBe(slices.flat().length);

      const pairs = plan.batches.map(() => 0);
      lefts.forEach((l, seq) =>
        rights.forEach((r) => {
          if (!isCandidate(l, r)) return;
          const slice = sliceOf.get(seq) as number;
          pairs[slice] = (pairs[slice] ?? 0) + 1;
          const { bucketFrom, bucketTo, dayFrom, dayTo } = plan.batches[slice]?.bounds.right ?? {
            bucketFrom: 1,
            bucketTo: 0,
            dayFrom: null,
            dayTo: null,
          };
          expect(
            r.bucket >= bucketFrom &&
              r.bucket <= bucketTo &&
              r.day >= (dayFrom ?? -Infinity) &&
              r.day <= (dayTo ?? Infinity),
          ).toBe(true);
        }),
      );
      expect(pairs).toEqual(plan.batches.map((batch) => batch.pairs));
      expect(plan.pairs).toBe(pairs.reduce((sum, n) => sum + n, 0));
    }),
    { numRuns: 300 },
  );
});

test.each<[string, RuleSetParams['blocking']]>([
  ['buckets and days', { amountBucketWindow: 1, dateToleranceDays: 3 }],
  ['a tolerance', { amountTolerancePercent: 1, dateToleranceDays: 3 }],
])('%s: the pairs of half of all records on one key are counted without a step for each', (_name, blocking) => {
  const size = 60_000;
  const skewed = Array.from({ length: size }, (_, i): Row => ({
    bucket: i % 2 === 0 ? 5 : 50 + (i % 999),
    day: i % 2 === 0 ? 9 : i % 365,
    units: 12_345,
    excluded: false,
  }));
  const plan = planCandidates({
    isOneSide: false,
    rule: rule(blocking),
    left: sideOf(skewed),
    right: sideOf(skewed),
    amountScale: 2,
    costs: { ...costs, leftRows: 10_000, leftBytes: 1e9 },
    onStep: ignore,
  });
  expect(plan.pairs).toBeGreaterThan((size / 2) ** 2);
  expect(plan.batches.length).toBeLessThan(size / 10);
});
