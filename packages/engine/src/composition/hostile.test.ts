import { noDay } from '../values/calendar';
import type { CompositionParams } from '../definition/types';
import { compile } from '../../fuzz/composition/compose';
import { maxCandidates, maxComposedUnits, nodeBudget } from './limits';
import { settle } from './settle';
import type { Composer, CompositionPool, CompositionSide, Proposal, Taken } from './types';

interface Rows {
  units: readonly number[];
  day?: (row: number) => number;
  group?: (row: number) => number;
}

function side({ units, day = () => noDay, group = () => -1 }: Rows): CompositionSide {
  const none = new Int32Array(units.length);
  return {
    length: units.length,
    units: Float64Array.from(units),
    day: Int32Array.from(units, (_, row) => day(row)),
    group: Int32Array.from(units, (_, row) => group(row)),
    totalCount: none,
    position: none,
    unitValue: new Float64Array(units.length).fill(NaN),
  };
}

function pool(left: Rows, right: Rows, groups = 0): CompositionPool {
  return {
    left: side(left),
    right: side(right),
    amountScale: 2,
    groupNames: Array.from({ length: groups }, (_, code) => `g${code}`),
  };
}

function free({ left, right }: CompositionPool): Taken {
  return { left: new Uint8Array(left.length), right: new Uint8Array(right.length) };
}

interface Outcome {
  proposals: Proposal[];
  composites: Proposal[];
  /** Searches of the competition. */
  searches: number;
}

function run(composition: CompositionParams, records: CompositionPool): Outcome {
  const compiled = compile({ composition });
  const composer = compiled.open(records);
  const taken = free(records);
  const proposals = [...Array(records.left.length).keys()]
    .map((row) => composer.propose('one_to_many', row, taken))
    .filter((one) => one !== null);
  let searches = 0;
  const counting: Composer = {
    get unfinished() {
      return composer.unfinished;
    },
    failures: composer.failures,
    propose: (...search) => {
      searches++;
      return composer.propose(...search);
    },
    equivalenceKey: (direction, target) => composer.equivalenceKey(direction, target),
    take: (proposal, all) => composer.take(proposal, all),
  };
  const composites = settle(counting, proposals, taken);
  return { proposals, composites, searches };
}

const repeat = (times: number, value: number): number[] => Array<number>(times).fill(value);
const nodesOf = ({ explanation }: Proposal): number => (explanation['search'] as { nodes: number }).nodes;
const isComplete = ({ explanation }: Proposal): boolean => (explanation['search'] as { complete: boolean }).complete;

/** Amounts without a pattern, the same each time. */
function scattered(count: number, least: number, span: number): number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return least + (state % span);
  });
}

test('10,000 equal rows are one choice for as many targets as they suffice for', () => {
  const { composites, searches } = run(
    { maxGroupSize: 13 },
    pool({ units: repeat(800, 1_300) }, { units: repeat(10_000, 100) }),
  );
  expect(composites).toHaveLength(Math.floor(10_000 / 13));
  expect(composites.every((one) => one.decision === 'MATCH' && one.members.length === 13)).toBe(true);
  expect(searches).toBeLessThanOrEqual(800);
});

test('200 equal targets and 400 equal members are 200 pairs of members', () => {
  const { composites } = run({}, pool({ units: repeat(200, 200) }, { units: repeat(400, 100), day: () => 20_000 }));
  expect(composites.filter(({ decision }) => decision === 'MATCH')).toHaveLength(200);
});

test('200 equal targets each find the pair of members that is nearest in days to the ones before', () => {
  // The gaps between two members of a pair grow, so that each target but the first has to search again.
  const day = (row: number): number => 20_000 + (row >> 1) * 1_000 + (row % 2) * (1 + (row >> 1));
  const { composites, searches } = run({}, pool({ units: repeat(200, 200) }, { units: repeat(400, 100), day }));
  expect(composites.map(({ target, members }) => [target, ...members])).toEqual(
    [...Array(200).keys()].map((pair) => [pair, 2 * pair, 2 * pair + 1]),
  );
  expect(searches).toBe(199);
});

test('targets that are alike but for a cent search again a few times at most', () => {
  const units = Array.from({ length: 300 }, (_, row) => 20_000 + row);
  const { searches, composites } = run({ amountTolerancePercent: 5 }, pool({ units }, { units: repeat(600, 10_000) }));
  expect(composites.filter(({ decision }) => decision === 'MATCH')).toHaveLength(300);
  expect(searches).toBeLessThanOrEqual(300 * 2);
});

test('amounts of 0 compose nothing', () => {
  const zeros = repeat(10_000, 0);
  for (const allowNegativeAmounts of [false, true]) {
    expect(
      run({ allowNegativeAmounts, partial: { enabled: true } }, pool({ units: repeat(200, 0) }, { units: zeros }))
        .composites,
    ).toEqual([]);
    expect(
      run({ allowNegativeAmounts, partial: { enabled: true } }, pool({ units: repeat(200, 5) }, { units: zeros }))
        .composites,
    ).toEqual([]);
  }
});

test('amounts of 10^12 with cents add up to the cent', () => {
  const big = 1e14 + 1;
  const { composites } = run({}, pool({ units: [big + 33] }, { units: [big, 32, 1, 17] }));
  expect(composites).toMatchObject([{ decision: 'MATCH', members: [0, 1, 2], composedUnits: big + 33 }]);
});

test('amounts beyond 2^47 take no part', () => {
  const { composites } = run(
    {},
    pool(
      { units: [maxComposedUnits, maxComposedUnits + 1] },
      { units: [maxComposedUnits - 1, 1, 2, maxComposedUnits + 1] },
    ),
  );
  expect(composites).toMatchObject([{ decision: 'MATCH', target: 0, members: [0, 1] }]);
});

test('a search that its budget ends says so and is POSSIBLE at most', () => {
  const units = scattered(60, 1e9, 1e9);
  const { proposals } = run({ amountTolerancePercent: 1 }, pool({ units: [9e9 + 7] }, { units }));
  expect(proposals).toMatchObject([
    { status: 'COMPLETE', decision: 'POSSIBLE', explanation: { search: { complete: false } } },
  ]);
  expect(nodesOf(proposals[0] as Proposal)).toBeLessThan(2 * nodeBudget);
});

test('mixed signs without a pattern end within the budget', () => {
  const units = scattered(1_000, -500_000, 1_000_000);
  const { proposals } = run(
    { allowNegativeAmounts: true, maxGroupSize: 60 },
    pool({ units: scattered(5, 1, 1_000_000) }, { units }),
  );
  expect(proposals).toHaveLength(5);
  for (const proposal of proposals) expect(nodesOf(proposal)).toBeLessThan(2 * nodeBudget);
});

test('a search with too many candidates takes the nearest in days, and says so', () => {
  const count = maxCandidates + 1_000;
  // Amounts rise with the days, so that only the earliest rows could add up to 3.
  const { proposals } = run(
    {},
    pool(
      { units: [2 * 1_000 + 5 * count], day: () => 20_000 + count },
      { units: Array.from({ length: count }, (_, row) => 1_000 + row), day: (row) => 20_000 + row },
    ),
  );
  expect(proposals).toHaveLength(1);
  expect(proposals.every((proposal) => !isComplete(proposal) && proposal.members.every((row) => row >= 1_000))).toBe(
    true,
  );
});

test('small amounts are found among many large ones', () => {
  const units = [...repeat(30_000, 0).map((_, row) => 100_000 + row), 60, 40];
  const { proposals } = run({}, pool({ units: [100] }, { units, day: (row) => 20_000 + (row % 365) }));
  expect(proposals).toMatchObject([
    { decision: 'MATCH', members: [30_001, 30_000].sort((one, other) => (one % 365) - (other % 365)) },
  ]);
});

test('the nearest days are searched first where all of many rows could take part', () => {
  const units = [...repeat(30_000, 0).map((_, row) => 1_000 + row), 7, 5];
  const day = (row: number): number => (row < 30_000 ? 10_000 + (row % 3_000) : 20_000);
  const { proposals } = run({ maxGroupSize: 2 }, pool({ units: [900_000], day: () => 20_000 }, { units, day }));
  expect(proposals).toEqual([]);
  expect(run({ maxGroupSize: 2 }, pool({ units: [12], day: () => 20_000 }, { units, day })).proposals).toMatchObject([
    { decision: 'MATCH', members: [30_000, 30_001] },
  ]);
});

test('equal groups are ambiguous for each of thousands of targets', () => {
  const { composites, searches } = run(
    { groupByField: 'bill' },
    pool(
      { units: repeat(2_000, 30) },
      { units: Array.from({ length: 6_000 }, (_, row) => (row % 2 === 0 ? 10 : 20)), group: (row) => row >> 1 },
      3_000,
    ),
  );
  // Equal rows of different groups are not interchangeable: all of them are ambiguous, and POSSIBLE ones take nothing.
  expect(new Set(composites.map(({ decision }) => decision))).toEqual(new Set(['POSSIBLE']));
  expect(searches).toBe(0);
});

test('whole groups are found while thousands of them are taken', () => {
  const count = 12_000;
  const records = pool(
    { units: Array.from({ length: count }, (_, row) => 3_000 + row) },
    {
      units: Array.from({ length: 2 * count }, (_, row) => (row % 2 === 0 ? 1_000 : 2_000 + (row >> 1))),
      group: (row) => row >> 1,
    },
    count,
  );
  const composer = compile({ composition: { groupByField: 'bill' } }).open(records);
  const taken = free(records);
  for (let target = 0; target < count; target++) {
    const proposal = composer.propose('one_to_many', target, taken);
    expect(proposal?.members).toEqual([2 * target, 2 * target + 1]);
    composer.take(proposal as Proposal, taken);
  }
  expect(composer.propose('one_to_many', 0, taken)).toBeNull();
  expect(taken.right.every((mark) => mark === 1)).toBe(true);
});

test('groups that lost members are whole with the rest, however many they are', () => {
  const count = 3_000;
  const records = pool(
    { units: Array.from({ length: count }, (_, row) => 3_000 + row) },
    {
      units: Array.from({ length: 3 * count }, (_, row) => [1_000, 2_000 + Math.floor(row / 3), 7][row % 3] as number),
      group: (row) => Math.floor(row / 3),
    },
    count,
  );
  const composer = compile({ composition: { groupByField: 'bill', maxGroupSize: 60 } }).open(records);
  const taken = free(records);
  composer.propose('one_to_many', 0, taken);
  for (let group = 0; group < count; group++) {
    const third = { direction: 'one_to_many', target: group, members: [3 * group + 2] } as Proposal;
    composer.take(third, taken);
    taken.left[group] = 0;
    if (group % 100 === 0)
      expect(composer.propose('one_to_many', group, taken)).toMatchObject({
        kind: 'group',
        members: [3 * group, 3 * group + 1],
      });
  }
});

test('a set that was found before the budget ended the search of other groups is POSSIBLE', () => {
  const units = [400_000, 600_000, 3, ...scattered(180_000, 1, 900_000)];
  const { proposals } = run(
    { groupByField: 'bill' },
    pool({ units: [1_000_000] }, { units, group: (row) => Math.floor(row / 6) }, 30_001),
  );
  expect(proposals).toMatchObject([
    { decision: 'POSSIBLE', members: [0, 1], explanation: { search: { complete: false } } },
  ]);
  expect(nodesOf(proposals[0] as Proposal)).toBeLessThan(2 * nodeBudget);
});

test('installments are found among thousands of plans that do not fit', () => {
  const count = 24_000;
  const units = Array.from({ length: count }, (_, row) => 1_000 + Math.floor(row / 12) * 3);
  const many = {
    ...side({ units, day: (row) => 20_000 + 30 * (row % 12) }),
    unitValue: Float64Array.from(units),
    totalCount: new Int32Array(count).fill(12),
  };
  const records = {
    left: side({ units: [12 * 1_300], day: () => 20_000 }),
    right: many,
    amountScale: 2,
    groupNames: [],
  };
  const { proposals } = run(
    { installmentDiscovery: { enabled: true, totalCountField: 'plan', unitValueField: 'unit' }, maxGroupSize: 2 },
    records,
  );
  expect(proposals).toMatchObject([{ kind: 'installments', composedUnits: 15_600, expectedMemberCount: 12 }]);
});

test('another object of what is taken starts afresh', () => {
  const records = pool({ units: [100] }, { units: [60, 40] });
  const composer = compile({}).open(records);
  const taken = free(records);
  const proposal = composer.propose('one_to_many', 0, taken);
  composer.take(proposal as Proposal, taken);
  expect(composer.propose('one_to_many', 0, taken)).toBeNull();
  expect(composer.propose('one_to_many', 0, free(records))).toEqual(proposal);
});

test('a target that finds nothing within its budget is told apart from one that has nothing', () => {
  const records = pool({ units: [9e9 + 7, 3] }, { units: scattered(60, 1e9, 1e9) });
  const composer = compile({}).open(records);
  expect([composer.propose('one_to_many', 0, free(records)), composer.unfinished]).toEqual([null, true]);
  expect([composer.propose('one_to_many', 1, free(records)), composer.unfinished]).toEqual([null, false]);
});

test('a target that loses its members more often than it may search again is given up, and that is told', () => {
  const records = pool({ units: [100, 200] }, { units: [60, 40, 140] });
  const composer = compile({}).open(records);
  const taken = free(records);
  const proposals = [0, 1].map((row) => composer.propose('one_to_many', row, taken)).filter((one) => one !== null);
  // Someone else has taken what it was proposed, and is always faster.
  const tireless: Composer = {
    unfinished: false,
    failures: composer.failures,
    propose: (direction, target) => ({ ...(proposals[0] as Proposal), direction, target }),
    equivalenceKey: (direction, target) => composer.equivalenceKey(direction, target),
    take: (proposal, all) => composer.take(proposal, all),
  };
  taken.right[0] = 1;
  const givenUp: unknown[] = [];
  settle(tireless, proposals, taken, { onGivenUp: (direction, target) => givenUp.push([direction, target]) });
  expect(givenUp).toEqual([
    ['one_to_many', 0],
    ['one_to_many', 1],
  ]);
});
