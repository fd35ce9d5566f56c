import fc from 'fast-check';
import { NO_DAY } from '../pairs/types';
import type { CompositionParams } from '../rule-set/types';
import { compose, compile, poolOf, proposeAll } from './fuzz/compose';
import { bruteForce } from './fuzz/oracle';
import type { OracleRules } from './fuzz/oracle';
import { compareProposals } from './rank';
import { settle } from './settle';
import type { Composer, CompositionPool, Proposal, Taken } from './types';

const amount = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -4, max: 30 }), fc.constantFrom(0, 5, 10));
const date = fc.option(fc.integer({ min: 1, max: 9 }).map((day) => `2025-01-0${day}`), { nil: undefined, freq: 8 });
const bill = fc.constantFrom('A', 'B', 'C', undefined);
const records = (prefix: string, maxLength: number): fc.Arbitrary<{ id: string; amount: number; date?: string; bill?: string }[]> => fc
  .array(fc.record({ amount, date, bill }, { requiredKeys: ['amount'] }), { minLength: 1, maxLength })
  .map((all) => all.map((one, index) => JSON.parse(JSON.stringify({ id: `${prefix}${index + 10}`, ...one })) as { id: string; amount: number }));

const compositions: fc.Arbitrary<CompositionParams & { dateStrategy: string }> = fc.record({
  maxGroupSize: fc.integer({ min: 2, max: 6 }),
  amountTolerancePercent: fc.constantFrom(0, 10, 25),
  groupByField: fc.constantFrom('bill', undefined),
  preferCompleteGroup: fc.boolean(),
  dateStrategy: fc.constantFrom('none', 'window', 'after', 'before'),
  dateToleranceDays: fc.integer({ min: 0, max: 4 }),
  allowNegativeAmounts: fc.boolean(),
  partial: fc.record({
    enabled: fc.boolean(), minMembers: fc.integer({ min: 1, max: 3 }),
    minCompletionRatio: fc.constantFrom(0, 0.5, 0.9), uniformityRatio: fc.constantFrom(0, 0.5, 1),
  }),
}).map((given) => JSON.parse(JSON.stringify(given)) as typeof given);

function dayLimits(strategy: string, days: number): OracleRules['days'] {
  if (strategy === 'none') return null;
  return [strategy === 'after' ? 0 : -days, strategy === 'before' ? 0 : days];
}

function oracleRules(params: CompositionParams & { dateStrategy: string }, units: number): OracleRules {
  const percent = params.amountTolerancePercent ?? 0;
  return {
    maxGroupSize: params.maxGroupSize ?? 12,
    tolerance: Math.floor((percent * units) / 100),
    grouped: params.groupByField !== undefined,
    preferCompleteGroup: params.preferCompleteGroup ?? true,
    days: dayLimits(params.dateStrategy, params.dateToleranceDays ?? 0),
    allowNegativeAmounts: params.allowNegativeAmounts ?? false,
    partial: params.partial?.enabled !== true ? null : {
      minMembers: params.partial.minMembers ?? 2,
      leastSum: Math.ceil(((params.partial.minCompletionRatio ?? 0) * 10 * units) / 10),
      uniformityRatio: params.partial.uniformityRatio ?? 0,
    },
  };
}

function free(pool: CompositionPool): Taken {
  return { left: new Uint8Array(pool.left.length), right: new Uint8Array(pool.right.length) };
}

test('a target is proposed the best of all sets of its members, and told how many are as good', () => {
  fc.assert(fc.property(compositions, records('L', 1), records('R', 9), (params, left, right) => {
    const composition = compile({ Tmatch: 0.7, Tpossible: 0, composition: params });
    const pool = poolOf(composition, { left, right });
    const proposal = composition.open(pool).propose('one_to_many', 0, free(pool));
    const units = pool.left.units[0] as number;
    const target = { units, day: pool.left.day[0] ?? NO_DAY };
    const expected = units === 0 ? null : bruteForce(oracleRules(params, Math.abs(units)), target, pool.right);
    if (proposal === null || expected === null) {
      expect(proposal).toBe(expected);
      return;
    }
    const otherSets = Math.min(10, expected.otherSets);
    expect({
      kind: proposal.kind, delta: Math.abs(proposal.composedUnits - units), size: proposal.members.length, spread: proposal.spread,
      otherSets: proposal.explanation['otherSets'] ?? 0,
    }).toEqual({ kind: expected.kind, delta: expected.delta, size: expected.size, spread: expected.spread, otherSets });
    expect(expected.rows).toContainEqual([...proposal.members].sort((one, other) => one - other));
    const share = expected.kind === 'partial' ? Math.abs(proposal.composedUnits / units) : Math.max(0, 1 - expected.delta / Math.abs(units));
    expect(proposal.score).toBeCloseTo(share, 9);
    const isMatch = expected.kind !== 'partial' && share > 0.7 - 1e-9 && otherSets === 0;
    expect(proposal.decision).toBe(isMatch ? 'MATCH' : 'POSSIBLE');
  }), { numRuns: 3_000 });
});

test('composites are the same for any order of arrival and of work', () => {
  fc.assert(fc.property(compositions, records('L', 8), records('R', 12), (params, left, right) => {
    const composition = { params: { composition: { ...params, direction: 'both' } }, left, right };
    const turned = { ...composition, left: [...left].reverse(), right: [...right].reverse() };
    expect(compose(turned, { reversed: true })).toEqual(compose(composition));
  }), { numRuns: 500 });
});

test('a record is in one MATCH at most, and no POSSIBLE names what a MATCH has taken', () => {
  fc.assert(fc.property(compositions, records('L', 8), records('R', 12), (params, left, right) => {
    const composites = compose({ params: { composition: { ...params, direction: 'both' } }, left, right });
    const taken = composites.filter(({ decision }) => decision === 'MATCH').flatMap(({ target, members }) => [target, ...members]);
    expect(new Set(taken).size).toBe(taken.length);
    const possible = composites.filter(({ decision }) => decision === 'POSSIBLE').flatMap(({ target, members }) => [target, ...members]);
    expect(possible.filter((id) => taken.includes(id))).toEqual([]);
  }), { numRuns: 500 });
});

/** The competition over plain lists, one target at a time, without a limit of searches. Those that are alike queue behind one another. */
function plainSettle(composer: Composer, proposals: readonly Proposal[], taken: Taken): Proposal[] {
  const isFree = ({ direction, members }: Proposal): boolean =>
    members.every((member) => taken[direction === 'one_to_many' ? 'right' : 'left'][member] === 0);
  const isOpen = ({ direction, target }: Proposal): boolean => taken[direction === 'one_to_many' ? 'left' : 'right'][target] === 0;
  const open = (queues: Proposal[][]): Proposal[][] => queues.map((queue) => queue.filter(isOpen)).filter((queue) => queue.length > 0);
  const again = (queue: Proposal[]): Proposal[] => {
    const next = composer.propose((queue[0] as Proposal).direction, (queue[0] as Proposal).target, taken);
    return next === null ? [] : queue.map(({ target }) => ({ ...next, target }));
  };
  const byLikeness = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const likeness = composer.likeness(proposal.direction, proposal.target);
    byLikeness.set(likeness, [...(byLikeness.get(likeness) ?? []), proposal]);
  }
  let waiting = [...byLikeness.values()];
  let possible: Proposal[][] = [];
  const matches: Proposal[] = [];
  while (waiting.length > 0) {
    const first = waiting.reduce((one, other) => (compareProposals(other[0] as Proposal, one[0] as Proposal) < 0 ? other : one));
    const [next, ...behind] = first as [Proposal, ...Proposal[]];
    waiting = waiting.filter((queue) => queue !== first);
    if (!isFree(next)) waiting.push(again(first));
    else if (next.decision === 'POSSIBLE') possible.push(first);
    else {
      composer.take(next, taken);
      matches.push(next);
      waiting.push(behind);
    }
    waiting = open(waiting);
    if (waiting.length === 0) {
      possible = open(possible);
      waiting = possible.filter((queue) => !isFree(queue[0] as Proposal)).map(again).filter((queue) => queue.length > 0);
      possible = possible.filter((queue) => isFree(queue[0] as Proposal));
    }
  }
  return [...matches, ...possible.flat()].sort(compareProposals);
}

test('the competition gives what it gives one target at a time', () => {
  const alike = fc.tuple(records('L', 3), fc.integer({ min: 1, max: 3 }))
    .map(([all, copies]) => Array.from({ length: copies }, (_, copy) => all.map((one) => ({ ...one, id: `${one.id}-${copy}` }))).flat());
  fc.assert(fc.property(compositions, alike, records('R', 14), (params, left, right) => {
    const composition = compile({ composition: { ...params, direction: 'both' } });
    const pool = poolOf(composition, { left, right });
    const [taken, plainTaken] = [free(pool), free(pool)];
    const [composer, plain] = [composition.open(pool), composition.open(pool)];
    const proposals = proposeAll(composition, composer, pool, taken);
    expect(settle(composer, proposals, taken)).toEqual(plainSettle(plain, proposals, plainTaken));
    expect(taken).toEqual(plainTaken);
  }), { numRuns: 1_000 });
});

interface Share {
  delta: number;
  size: number;
  spread: number;
  content: string;
}

/** The best installments of all, found by looking at each set of rows. */
function bestShares(rows: readonly { units: number; day: number }[], units: number, most: number, divisorTolerance: number): { best: Share | undefined; otherSets: number } {
  const all: Share[] = [];
  for (let bits = 1; bits < 2 ** rows.length; bits += 1) {
    const set = rows.filter((_, index) => (bits >> index) & 1);
    const fits = set.length >= 2 && set.length <= most && set.every((row) => row.units > 0 && Math.abs(units / row.units - set.length) <= divisorTolerance + 1e-9);
    const sum = set.reduce((total, row) => total + row.units, 0);
    if (!fits || sum !== units) continue;
    const days = set.map(({ day }) => day);
    all.push({
      delta: 0, size: set.length, spread: Math.max(...days) - Math.min(...days), content: set.map((row) => `${row.units}/${row.day}`).sort().join(' '),
    });
  }
  all.sort((one, other) => one.size - other.size || one.spread - other.spread);
  const equals = all.filter(({ size, spread }) => size === all[0]?.size && spread === all[0].spread);
  return { best: all[0], otherSets: new Set(equals.map(({ content }) => content)).size - 1 };
}

test('installments are the fewest equal shares of the target, then those of the smallest spread', () => {
  const share = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 9 }));
  fc.assert(fc.property(fc.integer({ min: 30, max: 120 }), fc.array(share, { minLength: 2, maxLength: 9 }), fc.constantFrom(0, 0.1, 0.5), (units, shares, divisorTolerance) => {
    const right = shares.map(([count, off, day], row) => ({ id: `R${row}`, amount: (Math.round(units / count) + off) / 100, date: `2025-01-0${day}` }));
    const composition = compile({ composition: { maxGroupSize: 2, installmentDiscovery: { enabled: true, maxDivisor: 4, divisorTolerance } } });
    const pool = poolOf(composition, { left: [{ amount: units / 100 }], right });
    const proposal = composition.open(pool).propose('one_to_many', 0, free(pool));
    const rows = right.map((_, row) => ({ units: pool.right.units[row] as number, day: pool.right.day[row] as number }));
    const { best, otherSets } = bestShares(rows, units, 4, divisorTolerance);
    const found = proposal?.kind === 'installments' ? proposal : null;
    expect(found === null ? undefined : { size: found.members.length, spread: found.spread, otherSets: found.explanation['otherSets'] ?? 0 })
      .toEqual(best === undefined ? undefined : { size: best.size, spread: best.spread, otherSets: Math.min(10, otherSets) });
  }), { numRuns: 1_000 });
});
