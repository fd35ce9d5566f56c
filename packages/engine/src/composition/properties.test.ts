import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import type { CompositionParams } from '../definition/types';
import { compile, compose, proposeAll } from '../../fuzz/composition/compose';
import { poolOf } from './pool-of';
import { compareProposals } from './rank';
import { settle } from './settle';
import type { Composer, CompositionPool, Proposal, Taken } from './types';

const amount = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -4, max: 30 }), fc.constantFrom(0, 5, 10));
const date = fc.option(
  fc
    .tuple(fc.constantFrom('01', '01', '01', '02', '03'), fc.integer({ min: 1, max: 9 }))
    .map(([month, day]) => `2025-${month}-0${day}`),
  { nil: undefined, freq: 8 },
);
const plan = fc.constantFrom(undefined, undefined, '1/2', '2/2', '1/3', '3/3', '3');
const bill = fc.constantFrom('A', 'B', 'C', undefined);
const records = (
  prefix: string,
  maxLength: number,
): fc.Arbitrary<{ id: string; amount: number; date?: string; bill?: string }[]> =>
  fc
    .array(fc.record({ amount, date, bill, plan }, { requiredKeys: ['amount'] }), { minLength: 1, maxLength })
    .map((all) =>
      all.map(
        (one, index) =>
          JSON.parse(JSON.stringify({ id: `${prefix}${index + 10}`, ...one })) as { id: string; amount: number },
      ),
    );

const compositions: fc.Arbitrary<CompositionParams & { dateStrategy: string }> = fc
  .record({
    maxGroupSize: fc.integer({ min: 2, max: 6 }),
    amountTolerancePercent: fc.constantFrom(0, 10, 25),
    groupByField: fc.constantFrom('bill', undefined),
    preferCompleteGroup: fc.boolean(),
    dateStrategy: fc.constantFrom('none', 'window', 'after', 'before', 'monthly', 'monthly'),
    dateToleranceDays: fc.integer({ min: 0, max: 4 }),
    allowNegativeAmounts: fc.boolean(),
    partial: fc.record({
      enabled: fc.boolean(),
      minMembers: fc.integer({ min: 1, max: 3 }),
      minCompletionRatio: fc.constantFrom(0, 0.5, 0.9),
      uniformityRatio: fc.constantFrom(0, 0.5, 1),
    }),
    installmentDiscovery: fc.record({
      enabled: fc.boolean(),
      divisorTolerance: fc.constantFrom(0.05, 0.5),
      totalCountField: fc.constantFrom('plan', undefined),
    }),
  })
  .map((given) => JSON.parse(JSON.stringify(given)) as typeof given);

function free(pool: CompositionPool): Taken {
  return { left: new Uint8Array(pool.left.length), right: new Uint8Array(pool.right.length) };
}

test('composites are the same for any order of arrival and of work', () => {
  fc.assert(
    fc.property(compositions, records('L', 8), records('R', 12), (params, left, right) => {
      const composition = { params: { composition: { ...params, direction: 'both' } }, left, right };
      const turned = { ...composition, left: [...left].reverse(), right: [...right].reverse() };
      expect(compose(turned, { reversed: true })).toEqual(compose(composition));
    }),
    { numRuns: caseCount(200) },
  );
});

test('a record is in one MATCH at most, and no POSSIBLE names what a MATCH has taken', () => {
  fc.assert(
    fc.property(compositions, records('L', 8), records('R', 12), (params, left, right) => {
      const composites = compose({ params: { composition: { ...params, direction: 'both' } }, left, right });
      const taken = composites
        .filter(({ decision }) => decision === 'MATCH')
        .flatMap(({ target, members }) => [target, ...members]);
      expect(new Set(taken).size).toBe(taken.length);
      const possible = composites
        .filter(({ decision }) => decision === 'POSSIBLE')
        .flatMap(({ target, members }) => [target, ...members]);
      expect(possible.filter((id) => taken.includes(id))).toEqual([]);
    }),
    { numRuns: caseCount(200) },
  );
});

/**
 * Runs the competition over plain lists, one target at a time, without a limit of searches. Equivalent targets
 * queue one after another.
 */
function plainSettle(composer: Composer, proposals: readonly Proposal[], taken: Taken): Proposal[] {
  const isFree = ({ direction, members }: Proposal): boolean =>
    members.every((member) => taken[direction === 'one_to_many' ? 'right' : 'left'][member] === 0);
  const isOpen = ({ direction, target }: Proposal): boolean =>
    taken[direction === 'one_to_many' ? 'left' : 'right'][target] === 0;
  const open = (queues: Proposal[][]): Proposal[][] =>
    queues.map((queue) => queue.filter(isOpen)).filter((queue) => queue.length > 0);
  const again = (queue: Proposal[]): Proposal[] => {
    const next = composer.propose((queue[0] as Proposal).direction, (queue[0] as Proposal).target, taken);
    return next === null ? [] : queue.map(({ target }) => ({ ...next, target }));
  };
  const byLikeness = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const likeness = composer.equivalenceKey(proposal.direction, proposal.target);
    byLikeness.set(likeness, [...(byLikeness.get(likeness) ?? []), proposal]);
  }
  let waiting = [...byLikeness.values()];
  let possible: Proposal[][] = [];
  const matches: Proposal[] = [];
  while (waiting.length > 0) {
    const first = waiting.reduce((one, other) =>
      compareProposals(other[0] as Proposal, one[0] as Proposal) < 0 ? other : one,
    );
    const [next, ...behind] = first as [Proposal, ...Proposal[]];
    waiting = waiting.filter((queue) => queue !== first);
    if (!isFree(next)) waiting.push(again(first));
    else if (next.decision === 'POSSIBLE') possible.push(first);
    else {
      composer.take(next, taken);
      matches.push(next);
      possible = open(possible);
      waiting.push(behind, ...possible.filter((queue) => !isFree(queue[0] as Proposal)).map(again));
      possible = possible.filter((queue) => isFree(queue[0] as Proposal));
    }
    waiting = open(waiting);
  }
  return [...matches, ...possible.flat()].sort(compareProposals);
}

test('the competition gives what it gives one target at a time', () => {
  const alike = fc
    .tuple(records('L', 3), fc.integer({ min: 1, max: 3 }))
    .map(([all, copies]) =>
      Array.from({ length: copies }, (_, copy) => all.map((one) => ({ ...one, id: `${one.id}-${copy}` }))).flat(),
    );
  fc.assert(
    fc.property(compositions, alike, records('R', 14), (params, left, right) => {
      const composition = compile({ composition: { ...params, direction: 'both' } });
      const pool = poolOf(composition, { left, right });
      const [taken, plainTaken] = [free(pool), free(pool)];
      const [composer, plain] = [composition.open(pool), composition.open(pool)];
      const proposals = proposeAll(composition, composer, pool, taken);
      expect(settle(composer, proposals, taken)).toEqual(plainSettle(plain, proposals, plainTaken));
      expect(taken).toEqual(plainTaken);
    }),
    { numRuns: caseCount(300) },
  );
});

test('a target that found nothing finds nothing among the records that others leave', () => {
  const counting = (prefix: string, maxLength: number): ReturnType<typeof records> =>
    records(prefix, maxLength).map((all) => all.filter((one) => one.amount !== 0));
  fc.assert(
    fc.property(compositions, counting('L', 8), counting('R', 12), (params, left, right) => {
      const composition = compile({ Tpossible: 0.4, composition: { ...params, direction: 'both' } });
      const pool = poolOf(composition, { left, right });
      const composer = composition.open(pool);
      const taken = free(pool);
      const proposals = proposeAll(composition, composer, pool, taken);
      settle(composer, proposals, taken);
      const proposed = new Set(proposals.map(({ direction, target }) => `${direction} ${target}`));
      expect(
        proposeAll(composition, composer, pool, taken).filter(
          ({ direction, target }) => !proposed.has(`${direction} ${target}`),
        ),
      ).toEqual([]);
    }),
    { numRuns: caseCount(200) },
  );
});
