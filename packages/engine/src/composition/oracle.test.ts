import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import { addMonths, formatDay, noDay } from '../values/calendar';
import type { CompositionParams } from '../definition/types';
import type { JsonObject } from '../values/types';
import { compile } from '../../fuzz/composition/compose';
import { poolOf } from './pool-of';
import { bruteForce } from '../../fuzz/composition/oracle';
import type { OracleRules, OracleSet } from '../../fuzz/composition/oracle';
import type { CompositionPool, Proposal } from './types';

type Params = CompositionParams & { dateStrategy: string; dateToleranceDays: number };

interface Situation {
  Tpossible: number;
  params: Params;
  target: JsonObject;
  rows: JsonObject[];
}

/** More for a search of hours: FUZZ_RUNS=100000. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? caseCount(600));
const Tpossible = fc.constantFrom(0, 0, 0.3, 0.5, 0.65);
const targetDay = 20_103; // 2025-01-15

const partial = fc.record({
  enabled: fc.boolean(),
  minMembers: fc.integer({ min: 1, max: 3 }),
  minCompletionRatio: fc.constantFrom(0, 0.5, 0.9),
  uniformityRatio: fc.constantFrom(0, 0.5, 0.9, 1),
});

const anyParams = fc.record({
  maxGroupSize: fc.integer({ min: 3, max: 6 }),
  amountTolerancePercent: fc.constantFrom(0, 0, 10, 25),
  groupByField: fc.constantFrom('bill', undefined),
  preferCompleteGroup: fc.boolean(),
  dateStrategy: fc.constantFrom('none', 'window', 'after', 'before'),
  dateToleranceDays: fc.integer({ min: 0, max: 4 }),
  allowNegativeAmounts: fc.boolean(),
  partial,
});

const bill = fc.constantFrom('A', 'B', undefined);
const smallAmount = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: -4, max: 30 }),
  fc.constantFrom(0, 5, 10),
);
const nearDay = fc.option(
  fc.integer({ min: -4, max: 4 }).map((day) => targetDay + day),
  { nil: undefined, freq: 8 },
);
/** Around the months from the target on, inside and outside of their slots. */
const monthDay = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 0, 0, 1, -2, 3, 12))
    .map(([month, off]) => addMonths(targetDay, month) + off),
  { nil: undefined, freq: 12 },
);
const noPlan = fc.constant(undefined);
/** Shares of a plan of 2 to 5, some without a label, some that repeat. */
const plan = fc.oneof(
  { weight: 1, arbitrary: noPlan },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(3, 3, 4, 5))
      .map(([position, count]) => `${Math.min(position, count)}/${count}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('3', '4') },
);

function rowOf(amount: number, day: number | undefined, rest: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify({ amount, ...(day === undefined ? {} : { date: formatDay(day) }), ...rest }),
  ) as JsonObject;
}

const anything: fc.Arbitrary<Situation> = fc.record({
  Tpossible,
  params: anyParams,
  target: fc.tuple(smallAmount, nearDay).map(([amount, day]) => rowOf(amount, day, {})),
  rows: fc.array(
    fc.tuple(smallAmount, nearDay, bill).map(([amount, day, value]) => rowOf(amount, day, { bill: value })),
    { minLength: 1, maxLength: 9 },
  ),
});

const monthly: fc.Arbitrary<Situation> = fc.record({
  Tpossible,
  params: anyParams.map((params) => ({ ...params, dateStrategy: 'monthly', allowNegativeAmounts: false })),
  target: fc
    .tuple(fc.integer({ min: 6, max: 24 }), fc.option(fc.constant(targetDay), { nil: undefined, freq: 20 }))
    .map(([amount, day]) => rowOf(amount, day, {})),
  rows: fc.array(
    fc
      .tuple(fc.integer({ min: 2, max: 8 }), monthDay, bill)
      .map(([amount, day, value]) => rowOf(amount, day, { bill: value })),
    { minLength: 2, maxLength: 8 },
  ),
});

const plans: fc.Arbitrary<Situation> = fc
  .tuple(
    anyParams,
    fc.constantFrom('none', 'window', 'monthly', 'monthly'),
    fc.constantFrom(0.05, 0.2, 0.5),
    fc.constantFrom('plan', 'plan', undefined),
    fc.integer({ min: 3, max: 5 }),
    fc.boolean(),
  )
  .chain(([params, dateStrategy, divisorTolerance, totalCountField, count, isGrouped]) =>
    fc.record({
      Tpossible,
      params: fc.constant<Params>(
        JSON.parse(
          JSON.stringify({
            ...params,
            dateStrategy,
            groupByField: isGrouped ? params.groupByField : undefined,
            installmentDiscovery: { enabled: true, maxDivisor: 5, divisorTolerance, totalCountField },
          }),
        ) as Params,
      ),
      target: fc
        .constantFrom(...(totalCountField === undefined ? [undefined] : [undefined, undefined, 4]))
        .map((stated) => rowOf(30 * count, targetDay, { plan: stated })),
      rows: fc.array(
        fc
          .tuple(fc.constantFrom(0, 0, 0, 1, -1, 2), dateStrategy === 'monthly' ? monthDay : nearDay, plan, bill)
          .map(([off, day, label, value]) => rowOf(30 + off, day, { plan: label, bill: value })),
        { minLength: 2, maxLength: 8 },
      ),
    }),
  );

function dayLimits({ dateStrategy, dateToleranceDays }: Params): OracleRules['days'] {
  if (dateStrategy === 'none' || dateStrategy === 'monthly') return null;
  return [dateStrategy === 'after' ? 0 : -dateToleranceDays, dateStrategy === 'before' ? 0 : dateToleranceDays];
}

function oracleRules({ params, Tpossible: minScore }: Situation, units: number, day: number): OracleRules {
  const { partial: given, installmentDiscovery: discovery } = params;
  const slots = day === noDay ? [] : Array.from({ length: 12 }, (_, month) => addMonths(day, month));
  return {
    minScore,
    maxGroupSize: params.maxGroupSize ?? 12,
    tolerance: Math.floor(((params.amountTolerancePercent ?? 0) * units) / 100),
    grouped: params.groupByField !== undefined,
    preferCompleteGroup: params.preferCompleteGroup ?? true,
    days: dayLimits(params),
    months: params.dateStrategy === 'monthly' ? { slots, toleranceDays: params.dateToleranceDays } : null,
    allowNegativeAmounts: params.allowNegativeAmounts ?? false,
    partial:
      given?.enabled !== true
        ? null
        : {
            minMembers: given.minMembers ?? 2,
            minSum: Math.ceil(((given.minCompletionRatio ?? 0) * 10 * units) / 10),
            uniformityRatio: given.uniformityRatio ?? 0,
          },
    installments:
      discovery === undefined
        ? null
        : { maxDivisor: discovery.maxDivisor ?? 24, divisorTolerance: discovery.divisorTolerance ?? 0.05 },
  };
}

/** Returns whether two members have one position of the one plan that all labels name, with amounts as of one plan. */
function repeatsPosition(
  { totalCount, position, units }: CompositionPool['right'],
  members: readonly number[],
): boolean {
  const labelled = members.filter((row) => (totalCount[row] as number) > 0);
  const count = totalCount[labelled[0] ?? -1] ?? 0;
  if (
    labelled.some((row) => totalCount[row] !== count) ||
    (labelled.length < members.length && members.length !== count)
  )
    return false;
  return labelled.some((one) =>
    labelled.some(
      (other) =>
        one !== other &&
        (position[one] as number) > 0 &&
        position[one] === position[other] &&
        Math.abs((units[one] as number) - (units[other] as number)) <= count,
    ),
  );
}

function shown(proposal: Proposal): Omit<OracleSet, 'rows' | 'inside'> {
  const { kind, status, composedUnits, targetUnits, members, spread, explanation } = proposal;
  return {
    kind,
    status,
    delta: Math.abs(composedUnits - targetUnits),
    size: members.length,
    spread,
    otherSets: Number(explanation['otherSets'] ?? 0),
  };
}

test.each([
  ['records of all kinds', anything],
  ['months', monthly],
  ['plans', plans],
])(
  'a target is proposed the best of all sets of its members, and told how many are as good: %s',
  (_name, situations) => {
    fc.assert(
      fc.property(situations, (situation) => {
        const { params, target, rows } = situation;
        const composition = compile({ Tmatch: 0.7, Tpossible: situation.Tpossible, composition: params });
        const pool = poolOf(composition, { left: [target], right: rows });
        const proposal = composition
          .open(pool)
          .propose('one_to_many', 0, { left: new Uint8Array(1), right: new Uint8Array(rows.length) });
        const [units, day, totalCount] = [
          pool.left.units[0] as number,
          pool.left.day[0] as number,
          pool.left.totalCount[0] as number,
        ];
        const expected =
          units === 0
            ? null
            : bruteForce(oracleRules(situation, Math.abs(units), day), { units, day, totalCount }, pool.right);
        if (proposal === null || expected === null) {
          expect(proposal).toBe(expected);
          return;
        }
        const { rows: bestRows, inside, ...best } = expected;
        expect(shown(proposal)).toEqual({ ...best, otherSets: Math.min(10, best.otherSets) });
        expect(bestRows).toContainEqual([...proposal.members].sort((one, other) => one - other));
        expect(proposal.composedUnits).toBe(
          proposal.members.reduce((sum, row) => sum + (pool.right.units[row] as number), 0),
        );
        const reached =
          best.status === 'PARTIAL'
            ? Math.abs(proposal.composedUnits / units)
            : Math.max(0, 1 - best.delta / Math.abs(units));
        const score = (reached * inside) / best.size;
        expect(proposal.score).toBeCloseTo(score, 9);
        const isMatch =
          best.status === 'COMPLETE' &&
          score > 0.7 - 1e-9 &&
          best.otherSets === 0 &&
          !(best.kind !== 'installments' && repeatsPosition(pool.right, proposal.members));
        expect(proposal.decision).toBe(isMatch ? 'MATCH' : 'POSSIBLE');
      }),
      { numRuns },
    );
  },
);
