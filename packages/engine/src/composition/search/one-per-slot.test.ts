import fc from 'fast-check';
import { SlotSearch } from './one-per-slot';

interface Row {
  amount: number;
  day: number;
}

/** All sets of one row per slot, the best of them with what is as good, found by looking at each. */
function bruteForce(
  rows: readonly Row[],
  slots: readonly (readonly number[])[],
  target: number,
  tolerance: number,
): unknown {
  const sets = slots.reduce<number[][]>(
    (all, slot) => all.flatMap((set) => slot.filter((row) => !set.includes(row)).map((row) => [...set, row])),
    [[]],
  );
  const judged = sets
    .map((set) => {
      const days = set.map((row) => (rows[row] as Row).day);
      return {
        delta: Math.abs(target - set.reduce((sum, row) => sum + (rows[row] as Row).amount, 0)),
        spread: Math.max(...days) - Math.min(...days),
        key: set
          .map((row) => `${(rows[row] as Row).amount}/${(rows[row] as Row).day}`)
          .sort()
          .join(' '),
      };
    })
    .filter(({ delta }) => delta <= tolerance)
    .sort((one, other) => one.delta - other.delta || one.spread - other.spread);
  const [best] = judged;
  if (best === undefined) return null;
  const equals = judged.filter(({ delta, spread }) => delta === best.delta && spread === best.spread);
  return {
    delta: best.delta,
    spread: best.spread,
    otherSets: Math.min(10, new Set(equals.map(({ key }) => key)).size - 1),
  };
}

const rows = fc.array(fc.record({ amount: fc.integer({ min: -3, max: 9 }), day: fc.integer({ min: 1, max: 4 }) }), {
  minLength: 2,
  maxLength: 8,
});

test('one candidate of each slot is chosen as if every choice had been looked at', () => {
  fc.assert(
    fc.property(
      rows,
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 3 }),
      (all, masks, overlap, target, tolerance) => {
        const isIn = (row: number, mask: number, slot: number): boolean =>
          overlap ? (((mask << 1) >> (all[row] as Row).day) & 1) === 1 : row % masks.length === slot;
        const slots = masks.map((mask, slot) => [...all.keys()].filter((row) => isIn(row, mask, slot)));
        const search = new SlotSearch({
          target,
          minSum: target - tolerance,
          maxSum: target + tolerance,
          maxNodes: 1e6,
          uniformity: 0,
          amounts: Float64Array.from(all, ({ amount }) => amount),
          days: Int32Array.from(all, ({ day }) => day),
        });
        if (slots.every((slot) => slot.length > 0)) search.run({ slots, size: slots.length });
        const { best } = search;
        const found = best && { delta: Math.abs(best.sum - target), spread: best.spread, otherSets: best.otherSets };
        expect(found).toEqual(bruteForce(all, slots, target, tolerance));
        expect(best?.members.every((row, slot) => slots[slot]?.includes(row)) ?? true).toBe(true);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a search that its nodes end says so', () => {
  const amounts = Float64Array.from({ length: 60 }, (_, row) => 1_000 + 17 * row * row);
  const search = new SlotSearch({
    target: 30_001,
    minSum: 30_001,
    maxSum: 30_001,
    amounts,
    days: new Int32Array(60),
    uniformity: 0,
    maxNodes: 500,
  });
  search.run({ size: 6, slots: [0, 1, 2, 3, 4, 5].map((slot) => [...Array(10).keys()].map((row) => 6 * row + slot)) });
  expect([search.complete, search.nodes]).toEqual([false, 500]);
});

test('the narrowest choices of two plans of 60 equal rows are found and counted without trying all', () => {
  const slots = Array.from({ length: 60 }, (_, slot) => [2 * slot, 2 * slot + 1]);
  const days = Int32Array.from({ length: 120 }, (_, row) => 20_000 + 30 * (row >> 1) + (row % 2));
  const search = new SlotSearch({
    target: 6_000,
    minSum: 6_000,
    maxSum: 6_000,
    amounts: new Float64Array(120).fill(100),
    days,
    uniformity: 0,
    maxNodes: 500_000,
  });
  search.run({ slots, size: 60 });
  expect(search.best).toMatchObject({ sum: 6_000, spread: 59 * 30 - 1, placed: 60, otherSets: 10 });
  expect([search.complete, search.nodes < 20_000]).toEqual([true, true]);
});

test('slots may stay empty and free candidates take part: most from slots, then the smallest spread', () => {
  const free = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      rows,
      free,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 0, max: 3 }),
      (all, isFree, size, target, tolerance) => {
        const positive = all.map(({ amount, day }) => ({ amount: Math.abs(amount) + 1, day }));
        const loose = [...all.keys()].filter((row) => isFree[row] === 1);
        const slots = [0, 1, 2].map((slot) => [...all.keys()].filter((row) => isFree[row] === 0 && row % 3 === slot));
        const search = new SlotSearch({
          target,
          minSum: target - tolerance,
          maxSum: target + tolerance,
          maxNodes: 1e6,
          uniformity: 0,
          amounts: Float64Array.from(positive, ({ amount }) => amount),
          days: Int32Array.from(positive, ({ day }) => day),
        });
        search.run({ slots, free: loose, size });
        const padded = [...slots.map((slot) => [...slot, -1]), ...loose.map((row) => [row, -1])];
        const sets = padded.reduce<number[][]>(
          (some, slot) => some.flatMap((set) => slot.map((row) => (row === -1 ? set : [...set, row]))),
          [[]],
        );
        const judged = sets
          .filter((set) => set.length === size)
          .map((set) => {
            const own = set.map((row) => positive[row] as Row);
            return {
              delta: Math.abs(target - own.reduce((sum, { amount }) => sum + amount, 0)),
              placed: set.filter((row) => isFree[row] === 0).length,
              spread: Math.max(...own.map(({ day }) => day)) - Math.min(...own.map(({ day }) => day)),
              key: own
                .map(({ amount, day }) => `${amount}/${day}`)
                .sort()
                .join(' '),
            };
          })
          .filter(({ delta }) => delta <= tolerance)
          .sort((one, other) => one.delta - other.delta || other.placed - one.placed || one.spread - other.spread);
        const [first] = judged;
        const equals = judged.filter(
          ({ delta, placed, spread }) => delta === first?.delta && placed === first.placed && spread === first.spread,
        );
        const expected = first && {
          delta: first.delta,
          placed: first.placed,
          spread: first.spread,
          otherSets: Math.min(10, new Set(equals.map(({ key }) => key)).size - 1),
        };
        const { best } = search;
        expect(
          best === null
            ? undefined
            : {
                delta: Math.abs(best.sum - target),
                placed: best.placed,
                spread: best.spread,
                otherSets: best.otherSets,
              },
        ).toEqual(expected);
      },
    ),
    { numRuns: 1_000 },
  );
});
