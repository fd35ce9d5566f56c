import { createBlockingRule } from '@tieout/engine';
import fc from 'fast-check';
import { cutAgain } from './batch-cuts';

const rule = createBlockingRule({ Tmatch: 1, Tpossible: 0, blocking: { amountKey: 'amount', amountBucketSize: 1 } });

/** Cuts a batch with one left row in each bucket, which has this number of pairs. */
function cut(pairs: readonly number[], pieces: number, by: 'pairs' | 'rows') {
  const length = pairs.length;
  const lefts = {
    length,
    bucket: Float64Array.from({ length }, (_, row) => row),
    day: new Int32Array(length),
    units: new Float64Array(length),
  };
  const seqs = Uint32Array.from({ length }, (_, row) => row);
  return cutAgain({ rule, lefts, seqs }, Float64Array.from(pairs), { pieces, by });
}

const someRows = fc
  .array(fc.constantFrom(0, 0, 0, 1, 2, 50), { minLength: 2, maxLength: 60 })
  .filter((pairs) => pairs.some((own) => own > 0));

test.each(['pairs', 'rows'] as const)(
  'cut by %s, every row with candidates is in one piece, and each piece has pairs and fewer rows than the whole',
  (by) => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 1, max: 20 }), (pairs, pieces) => {
        const batches = cut(pairs, pieces, by);
        const seen = batches.flatMap(({ bounds: { left } }) =>
          Array.from({ length: left.to[0] - left.from[0] + 1 }, (_, i) => left.from[0] + i),
        );
        expect(new Set(seen).size).toBe(seen.length);
        expect(pairs.flatMap((own, row) => (own > 0 && !seen.includes(row) ? [row] : []))).toEqual([]);
        expect(batches.every((batch) => batch.pairs > 0 && batch.leftRows < pairs.length)).toBe(true);
        expect(batches.reduce((sum, batch) => sum + batch.pairs, 0)).toBe(
          pairs.reduce<number>((sum, own) => sum + own, 0),
        );
      }),
    );
  },
);

test('cut by rows, there are at most as many pieces as given, however the pairs are distributed', () => {
  fc.assert(
    fc.property(someRows, fc.integer({ min: 2, max: 20 }), (pairs, pieces) => {
      expect(cut(pairs, pieces, 'rows').length).toBeLessThanOrEqual(pieces);
    }),
  );
});
