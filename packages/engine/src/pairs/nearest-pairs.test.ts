import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { compileRuleSet } from '../rule-set/compile';
import type { MatcherParams } from '../definition/types';
import type { JsonObject } from '../values/types';
import { noDay } from '../values/calendar';
import { valueSteps } from './nearest-pairs';
import type { NearestSearch } from './types';

const flags: MatcherParams[] = [
  { id: 'a', expr: 'left.a = right.a', weight: 3 },
  { id: 'b', expr: 'left.b = right.b', weight: 2 },
];
const shares: MatcherParams[] = [...flags, { id: 'c', expr: '1 - $abs(left.c - right.c) / 10', weight: 1.5 }];
const required: MatcherParams[] = shares.map((one) => ({ ...one, required: one.id === 'b' }));
const fallible: MatcherParams[] = [...flags, { id: 'd', expr: '$number(left.d) > 0', weight: 1 }];

/** The best pair of a left row that is below Tpossible, by comparing each with each; failing pairs are none. */
async function expected(matchers: MatcherParams[], left: JsonObject, rights: JsonObject[]): Promise<number | null> {
  const compiled = compileRuleSet({
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params: { Tmatch: 1, Tpossible: 0.9, matchers },
    version: 1,
  });
  let best: number | null = null;
  for (const right of rights) {
    const pair = await compiled
      .comparer(2)
      .explain({ value: left, amountUnits: null, day: null }, { value: right, amountUnits: null, day: null });
    const values =
      pair.decision === 'ERROR'
        ? []
        : (pair.explanation?.['matchers'] as { id: string; value: number; error?: string }[]);
    const isRefused = values.some(
      ({ id, value, error }) => error !== undefined || (value === 0 && matchers.find((one) => one.id === id)?.required),
    );
    const score = pair.decision === 'ERROR' || isRefused ? 0 : pair.score;
    best = Math.max(best ?? 0, score);
  }
  return best;
}

function search(matchers: MatcherParams[], lefts: JsonObject[], rights: JsonObject[]): NearestSearch {
  const compiled = compileRuleSet({
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params: { Tmatch: 1, Tpossible: 0.9, matchers },
    version: 1,
  });
  const batch = compiled.openBatch(2);
  for (const left of lefts) batch.addLeft(left, NaN, noDay);
  for (const right of rights) batch.addRight(right, NaN, noDay);
  const found = batch.openNearest();
  for (let left = 0; left < lefts.length; left++) {
    let from = 0;
    while (from < rights.length) from = found.score(left, from, rights.length) ?? rights.length;
  }
  expect({ counts: batch.counts, errors: batch.errors, kept: batch.kept.length }).toEqual({
    counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
    errors: [],
    kept: 0,
  });
  return found;
}

const small = fc.integer({ min: 0, max: 2 });
const record = fc.record({
  a: small,
  b: small,
  c: small,
  d: fc.constantFrom<unknown>(1, 'x'),
}) as fc.Arbitrary<JsonObject>;
const side = fc.array(record, { minLength: 1, maxLength: 6 });

test.each([
  ['true or false', flags],
  ['shares', shares],
  ['required', required],
  ['able to fail', fallible],
])('the nearest pair of every row is the best of all pairs, where matchers are %s', async (_, matchers) => {
  await fc.assert(
    fc.asyncProperty(side, side, async (lefts, rights) => {
      const found = search(matchers, lefts, rights);
      for (const [row, left] of lefts.entries())
        expect(found.left.scoreOf(row)).toBeCloseTo((await expected(matchers, left, rights)) ?? NaN, 10);
      for (const row of rights.keys()) expect(found.right.partnerOf(row)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: caseCount(40) },
  );
});

test('the values of its matchers are those of the nearest pair', () => {
  const found = search(
    shares,
    [{ a: 1, b: 1, c: 1 }],
    [
      { a: 2, b: 2, c: 1 },
      { a: 1, b: 2, c: 3 },
    ],
  );
  const values = Array.from(found.left.valuesOf(0) ?? [], (steps) => steps / valueSteps);
  expect({ partner: found.left.partnerOf(0), values }).toEqual({ partner: 1, values: [1, 0, 0.8] });
});

test('rows of matchers that are true or false are done with the best score below the threshold', () => {
  const found = search(
    flags,
    [{ a: 1, b: 1 }],
    [
      { a: 1, b: 2 },
      { a: 2, b: 1 },
    ],
  );
  expect([found.hasBest('left', 0), found.hasBest('right', 0), found.hasBest('right', 1)]).toEqual([true, true, false]);
});
