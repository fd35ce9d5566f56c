import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { caseCount } from '../../../fuzz/config';
import { noDay } from '../../values/calendar';
import { createSubsetSearch, findSubset } from './subset-search';
import type { SubsetProblem, SubsetResult } from './types';

type Limits = Omit<SubsetProblem, 'amounts' | 'days' | 'length'>;

interface Row {
  amount: number;
  /** null = none. */
  day: number | null;
}

interface Scored {
  members: number[];
  delta: number;
  spread: number;
  /** Amounts and days, which distinguish sets. */
  content: string;
}

const defaults: Limits = {
  target: 1,
  minSum: 1,
  maxSum: 1,
  minMembers: 1,
  maxMembers: 12,
  uniformity: 0,
  maxNodes: 50_000_000,
};

function problem(rows: Row[], limits: Partial<Limits> & { target: number }): SubsetProblem {
  return {
    ...defaults,
    minSum: limits.target,
    maxSum: limits.target,
    ...limits,
    amounts: Float64Array.from(rows, ({ amount }) => amount),
    days: Int32Array.from(rows, ({ day }) => day ?? noDay),
    length: rows.length,
  };
}

function scored(rows: Row[], members: number[], { target }: Limits): Scored {
  const chosen = members.map((member) => rows[member]).filter((row) => row !== undefined);
  const days = chosen.flatMap(({ day }) => day ?? []);
  return {
    members,
    delta: Math.abs(target - sumOf(chosen)),
    spread: days.length === 0 ? 0 : Math.max(...days) - Math.min(...days),
    content: chosen
      .map(({ amount, day }) => `${amount}@${day}`)
      .sort()
      .join(' '),
  };
}

function sumOf(rows: Row[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

function isAllowed(rows: Row[], limits: Limits): boolean {
  const sum = sumOf(rows);
  const largest = Math.max(...rows.map(({ amount }) => amount));
  const smallest = Math.min(...rows.map(({ amount }) => amount));
  return (
    sum >= limits.minSum &&
    sum <= limits.maxSum &&
    rows.length >= limits.minMembers &&
    rows.length <= limits.maxMembers &&
    (limits.uniformity === 0 || (largest > 0 && smallest / largest >= limits.uniformity))
  );
}

function byRank(one: Scored, other: Scored): number {
  return one.delta - other.delta || one.members.length - other.members.length || one.spread - other.spread;
}

function byRows(one: number[], other: number[]): number {
  const at = one.findIndex((row, index) => row !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** All optimal sets, the earliest first: every subset is tried. */
function optima(rows: Row[], limits: Limits): Scored[] {
  let best: Scored[] = [];
  for (let bits = 1; bits < 2 ** rows.length; bits++) {
    const members = rows.map((_, index) => index).filter((index) => (bits >> index) & 1);
    if (
      !isAllowed(
        members.flatMap((member) => rows[member] ?? []),
        limits,
      )
    )
      continue;
    const found = scored(rows, members, limits);
    const order = best[0] === undefined ? -1 : byRank(found, best[0]);
    if (order < 0) best = [found];
    else if (order === 0) best.push(found);
  }
  return best.sort((one, other) => byRows(one.members, other.members));
}

const amount = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: -6, max: 30 }),
  fc.constantFrom(5, 5, 7, 10),
  fc.integer({ min: 1, max: 2000 }),
);
const day = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: -400, max: 400 }), fc.constant(null));
const last = (one: number | null): number => one ?? Infinity;
const manyRows = fc
  .array(fc.record({ amount, day }), { minLength: 1, maxLength: 12 })
  .map((rows) => rows.sort((one, other) => (last(one.day) === last(other.day) ? 0 : last(one.day) - last(other.day))));

const limits = fc
  .record({
    target: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 4000 })),
    below: fc.constantFrom(0, 0, 1, 10, 10_000),
    above: fc.constantFrom(0, 0, 1, 10, 10_000),
    minMembers: fc.integer({ min: 1, max: 4 }),
    more: fc.integer({ min: 0, max: 11 }),
    uniformity: fc.constantFrom(0, 0, 0, 0.3, 0.9, 1),
  })
  .map(({ target, below, above, more, ...rest }) => ({
    ...defaults,
    ...rest,
    target,
    minSum: target - below,
    maxSum: target + above,
    maxMembers: rest.minMembers + more,
  }));

test('the result is an optimum among all subsets, the earliest one while at most ten others are as good', () => {
  fc.assert(
    fc.property(manyRows, limits, (rows, given) => {
      const found = findSubset(problem(rows, given));
      const expected = optima(rows, given);
      const contents = new Set(expected.map(({ content }) => content));
      expect(found.complete).toBe(true);
      expect(found.members === null).toBe(expected.length === 0);
      if (found.members === null || expected[0] === undefined) return;
      const actual = scored(rows, found.members, given);
      expect(byRank(actual, expected[0])).toBe(0);
      expect(contents.has(actual.content)).toBe(true);
      expect(found.otherSets).toBe(Math.min(10, contents.size - 1));
      expect({ sum: found.sum, spread: found.spread }).toEqual({
        sum: sumOf(found.members.flatMap((member) => rows[member] ?? [])),
        spread: actual.spread,
      });
      if (contents.size <= 10) expect(found.members).toEqual(expected[0].members);
    }),
    { numRuns: caseCount(500) },
  );
});

interface Case {
  name: string;
  /** Each entry expands to `times` rows, whose amounts and days rise by their steps. */
  rows: { amount: number; times?: number; amountStep?: number; day?: number; dayStep?: number }[];
  limits: Partial<Limits> & { target: number };
  expected: Partial<SubsetResult>;
  nodesBelow: number;
}

const cases = JSON.parse(
  readFileSync(join(__dirname, '../../../test-cases/subset-search/cases.json'), 'utf8'),
) as Case[];

function rowsOf({ rows }: Case): Row[] {
  return rows.flatMap(({ amount, times = 1, amountStep = 0, day, dayStep = 0 }) =>
    Array.from({ length: times }, (_, index) => ({
      amount: amount + index * amountStep,
      day: day === undefined ? null : day + index * dayStep,
    })),
  );
}

test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const found = findSubset(problem(rowsOf(one), one.limits));
  expect(found).toMatchObject(one.expected);
  expect(found.nodes).toBeLessThan(one.nodesBelow);
});

test('a problem gives the same result whatever was searched before it', () => {
  const problems = cases.map((one) => problem(rowsOf(one), one.limits));
  const alone = problems.map((one) => createSubsetSearch()(one));
  const search = createSubsetSearch();
  expect(problems.map(search)).toEqual(alone);
  expect(problems.toReversed().map(search)).toEqual(alone.toReversed());
});

test('a problem stays as it was given', () => {
  const rows = cases.flatMap((one) => rowsOf(one).slice(0, 5));
  const given = problem(rows, { target: 30_000, minSum: 20_000, maxSum: 40_000 });
  const before = structuredClone(given);
  findSubset(given);
  expect(given).toEqual(before);
});

const budget = fc.integer({ min: 1, max: 3000 });

test('a budget that ends the search leaves a set within its bounds or none, and no better one than the optimum', () => {
  fc.assert(
    fc.property(manyRows, limits, budget, (rows, given, maxNodes) => {
      const exact = findSubset(problem(rows, given));
      const found = findSubset(problem(rows, { ...given, maxNodes }));
      // With less to spend the search may go another way.
      if (found.complete) expect({ ...found, nodes: 0 }).toEqual({ ...exact, nodes: 0 });
      if (found.members === null || exact.members === null) return;
      expect(
        isAllowed(
          found.members.flatMap((member) => rows[member] ?? []),
          given,
        ),
      ).toBe(true);
      expect(Math.abs(found.sum - given.target)).toBeGreaterThanOrEqual(Math.abs(exact.sum - given.target));
    }),
    { numRuns: caseCount(500) },
  );
});

test('nothing is found without a budget', () => {
  const { members, complete } = findSubset(problem([{ amount: 5, day: 0 }], { target: 5, maxNodes: 0 }));
  expect({ members, complete }).toEqual({ members: null, complete: false });
});

const someLimits = fc.record({
  target: fc.integer({ min: 1, max: 3000 }),
  tolerance: fc.constantFrom(0, 0, 5, 200),
  maxMembers: fc.integer({ min: 2, max: 5 }),
  maxNodes: fc.constantFrom(50, 2_000, 1_000_000),
});
const signedRows = fc.array(
  fc.record({
    amount: fc.oneof(fc.integer({ min: 1, max: 900 }), fc.constantFrom(100, 250), fc.integer({ min: -90, max: 90 })),
    day: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 6 }) }, fc.constant(null)),
  }),
  { minLength: 1, maxLength: 90 },
);

test('a search is the same, to its nodes, however it sorts amounts, stores them and looks for the last two', () => {
  fc.assert(
    fc.property(signedRows, someLimits, (given, { target, tolerance, maxMembers, maxNodes }) => {
      const sorted = given.sort((one, other) => (one.day ?? Infinity) - (other.day ?? Infinity));
      const scaledBy = (scale: number): SubsetProblem =>
        problem(
          sorted.map(({ amount, day }) => ({ amount: scale * amount, day })),
          {
            target: scale * target,
            minSum: scale * (target - tolerance),
            maxSum: scale * (target + tolerance),
            minMembers: 2,
            maxMembers,
            maxNodes,
          },
        );
      const plain = scaledBy(1);
      const byAmount = Int32Array.from(
        [...sorted.keys()].sort(
          (one, other) => (sorted[other]?.amount ?? 0) - (sorted[one]?.amount ?? 0) || one - other,
        ),
      );
      const found = findSubset(plain);
      expect(findSubset({ ...plain, byAmount })).toEqual(found);
      const large = findSubset(scaledBy(2 ** 30));
      expect({ ...large, sum: large.sum / 2 ** 30 }).toEqual(found);
      // No sum of even amounts lies between.
      const even = scaledBy(2);
      const ranged = findSubset({ ...even, maxSum: even.maxSum + 1 });
      expect({ ...ranged, sum: ranged.sum / 2 }).toEqual(found);
    }),
    { numRuns: caseCount(300) },
  );
});
