import type { RuleSetParams } from '@tieout/engine';
import { queueDrained } from '@tieout/testing';
import { createRuleSet, getRuleSet, getSimulation, reviewMatch, startSimulation, type SimulationView } from '..';
import { runTrial, type TrialAnswer } from '../matching';
import { usePairJobs, type JobInput } from '../../testing/pair-jobs';

const jobs = usePairJobs();

/** Numbers of 0..below, always the same ones. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'sigma', 'omega', 'WD-40', 'north', 'south', 'pump'];

/** Records of few different values, so that many pairs tie, conflict and are beyond the best ones. */
function rows(count: number, seed: number, least = 10): object[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => ({
    amount: next(12) === 0 ? 'no amount' : least + next(9) + next(3) / 100,
    date: `2024-05-${String(1 + next(20)).padStart(2, '0')}`,
    code: next(8) === 0 ? null : `C${next(25)}`,
    title: [words[next(10)], words[next(10)], words[next(10)]].join(' '),
    rate: next(10),
  }));
}

const matchers = [
  { id: 'amount', expr: '$amountClose(left.amount, right.amount, 5)', weight: 2 },
  { id: 'code', expr: 'left.code = right.code', weight: 1 },
  { id: 'title', expr: '$wordOverlap(left.title, right.title)', weight: 1 },
];

const thresholds = { Tmatch: 0.75, Tpossible: 0.4 };
const windows = { amountKey: 'amount', amountTolerance: 3, dateKey: 'date', dateToleranceDays: 4 };

const cases: [string, RuleSetParams, expression?: string][] = [
  ['windows of amount and date', { ...thresholds, matchers, blocking: windows }],
  ['one-to-one matches with ties', { ...thresholds, matchers, blocking: windows, assignment: 'one_to_one' }],
  ['few POSSIBLE pairs of a record', { Tmatch: 0.9, Tpossible: 0.2, matchers, maxPossiblePerRecord: 2 }],
  [
    'few POSSIBLE pairs of a record beside one-to-one matches',
    { Tmatch: 0.6, Tpossible: 0.1, matchers, maxPossiblePerRecord: 3, assignment: 'one_to_one' },
  ],
  [
    'rules by keys, windows and similar texts',
    {
      ...thresholds,
      matchers,
      assignment: 'one_to_one',
      blocking: {
        rules: [
          { name: 'code', keys: [{ expr: 'code' }] },
          { name: 'text', text: { left: 'title', right: 'title', top: 3, maxDocumentShare: 1 } },
          { name: 'near', ...windows },
        ],
      },
    },
  ],
  [
    'filters of a side and of pairs',
    { ...thresholds, matchers, filters: ['left.rate > 2', 'right.rate != 4', 'left.rate <= right.rate'] },
  ],
  [
    'matchers that fail on some pairs',
    {
      ...thresholds,
      matchers: [...matchers, { id: 'fails', expr: '$number(left.code) > 1 / right.rate', weight: 0.2 }],
    },
  ],
  ['required matchers', { ...thresholds, matchers: matchers.map((one) => ({ ...one, required: one.id === 'code' })) }],
  [
    'scores of an expression',
    { Tmatch: 60, Tpossible: 30, blocking: windows },
    '100 * $wordOverlap(left.title, right.title)',
  ],
  [
    'groups in both directions',
    {
      ...thresholds,
      matchers,
      blocking: windows,
      assignment: 'one_to_one',
      composition: { enabled: true, direction: 'both', maxGroupSize: 3, dateStrategy: 'window', dateToleranceDays: 3 },
    },
  ],
  [
    'groups in part, tied by an expression',
    {
      ...thresholds,
      matchers,
      blocking: { ...windows, amountTolerance: 0.1 },
      filters: ['left.rate <= right.rate'],
      composition: { enabled: true, partial: { enabled: true }, maxGroupSize: 3, skipAlreadyMatched: false },
    },
  ],
  ['thresholds of 0', { Tmatch: 0.9, Tpossible: 0, matchers, blocking: windows }],
];

async function simulateAgain(ruleSetId: string, change: Partial<RuleSetParams> = {}): Promise<SimulationView> {
  const { scope, service } = jobs;
  const { params, ...ruleSet } = await getRuleSet(scope, ruleSetId);
  const { id } = await startSimulation(scope, {
    ruleSet: { ...ruleSet, params: { ...params, ...change } },
    against: ruleSetId,
  });
  await queueDrained(service.queueSettings, 'matching');
  return getSimulation(scope, id);
}

const nothingNew = {
  new: { MATCH: 0, POSSIBLE: 0 },
  lost: { MATCH: 0, POSSIBLE: 0 },
  changed: { to_match: 0, to_possible: 0 },
};

/** Amounts that groups of two or three others add up to. */
const sums = ({ composition }: RuleSetParams, seed: number): object[] =>
  composition === undefined ? [] : rows(20, seed, 24);

const inputOf = ([, params, jsonataExpr]: (typeof cases)[number]): JobInput => ({
  lefts: [...rows(70, 1), ...sums(params, 21)],
  rights: [...rows(90, 2), ...sums(params, 22)],
  params,
  ...(jsonataExpr === undefined ? {} : { jsonataExpr }),
});

test.each(cases)('%s: a simulation decides on every pair as the job did', async (...one) => {
  const { job, ruleSetId } = await jobs.run(inputOf(one));
  const entry = job.entries[0];
  const { status, error, answer } = await simulateAgain(ruleSetId);
  expect({ status, error }).toEqual({ status: 'completed', error: null });
  const { MATCH, POSSIBLE, COMPOSITE_MATCH = 0, COMPOSITE_POSSIBLE = 0 } = entry?.decisionCounts ?? {};
  const groups = COMPOSITE_MATCH + COMPOSITE_POSSIBLE;
  const composes = one[1].composition !== undefined;
  expect(groups > 0).toBe(composes);
  expect(answer).toMatchObject({
    isFinal: true,
    pairs: entry?.pairsTotal,
    decisionCounts: entry?.decisionCounts,
    composites: composes ? { changes: { live: groups, new: 0, lost: 0, changed: 0, unchanged: groups } } : null,
    possibleCut: entry?.possibleCut,
    unblocked: entry?.unblocked,
    changes: { ...nothingNew, unchanged: (MATCH ?? 0) + (POSSIBLE ?? 0) },
  });
});

test('a trial asks often whether it still runs, also while it decides on what it compared', async () => {
  const { ruleSetId } = await jobs.run(inputOf(cases[1] as (typeof cases)[number]));
  const { leftDatasetId, rightDatasetId, ...definition } = await getRuleSet(jobs.scope, ruleSetId);
  const input = {
    id: ruleSetId,
    leftDatasetId,
    rightDatasetId,
    definition,
    rivalId: null,
    maxRecords: 1_000,
    pending: 0,
  };
  const asked: number[] = [];
  await runTrial(jobs.scope, input, {
    onStep: () => undefined,
    check: (progress) => void asked.push(progress),
    onAnswer: () => Promise.resolve(),
  });
  expect(asked.filter((progress) => progress >= 0.9).length).toBeGreaterThanOrEqual(8);
});

test('a dataset compared with itself is simulated as it is matched', async () => {
  const { scope, service } = jobs;
  const dataset = await jobs.newDataset('people', rows(80, 3));
  const params = { ...thresholds, matchers, assignment: 'one_to_one' as const, blocking: windows };
  const ruleSet = await createRuleSet(scope, {
    name: 'doubles',
    leftDatasetId: dataset,
    rightDatasetId: dataset,
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params,
    logicJson: null,
  });
  const { entries } = await jobs.rerun('people');
  const { MATCH, POSSIBLE, NO_MATCH, ERROR } = entries[0]?.decisionCounts ?? {};
  await queueDrained(service.queueSettings, 'matching');
  const { answer } = await simulateAgain(ruleSet.id);
  expect(answer).toMatchObject({ decisionCounts: { MATCH, POSSIBLE, NO_MATCH, ERROR }, changes: nothingNew });
});

test('what people decided holds in a simulation, and is no change', async () => {
  const { scope } = jobs;
  const params = { ...thresholds, matchers, assignment: 'one_to_one' as const, blocking: windows };
  const { job, ruleSetId } = await jobs.run({ lefts: rows(40, 4), rights: rows(40, 5), params });
  const found = [...(await jobs.matchesOf(job)).values()];
  const [first, second] = found.filter(({ decision }) => decision === 'MATCH');
  const possible = found.find(
    ({ decision, leftRecordId, rightRecordId }) =>
      decision === 'POSSIBLE' &&
      ![first, second].some((m) => m?.leftRecordId === leftRecordId || m?.rightRecordId === rightRecordId),
  );
  await reviewMatch(scope, first?.id as string, { status: 'confirmed', note: null, apiKeyId: null, userId: null });
  await reviewMatch(scope, second?.id as string, { status: 'rejected', note: null, apiKeyId: null, userId: null });
  await reviewMatch(scope, possible?.id as string, { status: 'rejected', note: null, apiKeyId: null, userId: null });
  const again = await jobs.rerun(job.datasetName);
  const { MATCH, POSSIBLE, NO_MATCH, ERROR } = again.entries[0]?.decisionCounts ?? {};
  const { answer } = await simulateAgain(ruleSetId);
  expect(answer).toMatchObject({ decisionCounts: { MATCH, POSSIBLE, NO_MATCH, ERROR }, changes: nothingNew });
});

test('the figures of a threshold are what a simulation with it counts', async () => {
  const params = { ...thresholds, matchers, assignment: 'one_to_one' as const, blocking: { keys: [{ expr: 'code' }] } };
  const { ruleSetId } = await jobs.run({
    lefts: rows(60, 6).filter(isReadable),
    rights: rows(60, 7).filter(isReadable),
    params,
  });
  const { answer } = await simulateAgain(ruleSetId);
  for (const at of [30, 60, 90]) {
    const figures = answer?.thresholds[at];
    const strict = await simulateAgain(ruleSetId, { Tmatch: at / 100, Tpossible: Math.min(0.2, at / 100) });
    expect(strict.answer?.decisionCounts.MATCH).toBe(figures?.matches);
    const lax = await simulateAgain(ruleSetId, { Tpossible: Math.min(at / 100, 0.75) });
    if (at < 75) expect(lax.answer?.decisionCounts.POSSIBLE).toBe(figures?.possible);
  }
  expect(answer?.histogram.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(answer?.thresholds[0]?.pairs);
});

const isReadable = (row: object): boolean => typeof (row as { amount: unknown }).amount === 'number';

test('changes name the pairs that come, go and change, best first', async () => {
  const params = { ...thresholds, matchers, blocking: windows };
  const { ruleSetId, job } = await jobs.run({ lefts: rows(40, 8), rights: rows(40, 9), params });
  const { decisionCounts: was } = job.entries[0] as { decisionCounts: Record<string, number> };
  const { answer } = await simulateAgain(ruleSetId, { Tmatch: 0.9, Tpossible: 0.5 });
  const { changes } = answer ?? {};
  expect(changes?.live).toEqual({ MATCH: was['MATCH'], POSSIBLE: was['POSSIBLE'] });
  expect(changes?.changed.to_possible).toBeGreaterThan(0);
  expect(changes?.pages.changed[0]).toMatchObject({ before: { decision: 'MATCH' }, after: { decision: 'POSSIBLE' } });
  expect(changes?.lost.POSSIBLE).toBe(changes?.pages.lost.length);
  expect(changes?.pages.lost.every(({ before }) => before !== null && before.score < 0.5)).toBe(true);
});

test('records without a match are shown with their nearest pair and its explanation', async () => {
  const lefts = [
    { amount: 1, code: 'A' },
    { amount: 5, code: 'B' },
    { amount: 900, code: 'C' },
  ];
  const rights = [
    { amount: 1, code: 'A' },
    { amount: 5, code: 'X' },
  ];
  const params = {
    Tmatch: 0.9,
    Tpossible: 0.8,
    matchers: [
      { id: 'amount', expr: 'left.amount = right.amount', weight: 0.5 },
      { id: 'code', expr: 'left.code = right.code', weight: 0.5 },
    ],
    blocking: { amountKey: 'amount', amountTolerance: 1 },
  };
  const { ruleSetId } = await jobs.run({ lefts, rights, params });
  const { answer } = await simulateAgain(ruleSetId);
  const { count, withoutCandidate, sample } = answer?.unmatched.left ?? {};
  expect({ count, withoutCandidate }).toEqual({ count: 2, withoutCandidate: 1 });
  expect(sample?.map(({ nearest }) => nearest?.score)).toEqual([0.5, undefined]);
  expect(sample?.[0]?.nearest?.explanation).toMatchObject({
    matchers: [
      { id: 'amount', value: 1 },
      { id: 'code', value: 0 },
    ],
  });
});

test('groups that come and go are counted, and a page of them names their records', async () => {
  const lefts = [{ amount: 30, date: '2024-05-01' }];
  const rights = [10, 20, 7].map((amount) => ({ amount, date: '2024-05-01' }));
  const params = { ...thresholds, matchers: [{ id: 'amount', expr: 'left.amount = right.amount' }], blocking: windows };
  const { ruleSetId } = await jobs.run({ lefts, rights, params });
  const { answer } = await simulateAgain(ruleSetId, { composition: { enabled: true } });
  expect(answer).toMatchObject({
    decisionCounts: { MATCH: 0, COMPOSITE_MATCH: 1, COMPOSITE_POSSIBLE: 0 },
    composites: {
      partial: 0,
      changes: { live: 0, new: 1, lost: 0, unchanged: 0 },
      page: [{ direction: 'one_to_many', status: 'COMPLETE', score: 1, targetAmount: 30, composedAmount: 30 }],
    },
    unmatched: { left: { count: 0 }, right: { count: 1 } },
  });
  expect(answer?.composites?.page[0]?.memberRecordIds).toHaveLength(2);
  expect(answer?.warnings.map(({ code }) => code)).not.toContain('composition_not_simulated');
});

test('a sample is announced by a first answer and a warning', async () => {
  const params = { ...thresholds, matchers, blocking: windows };
  const { ruleSetId } = await jobs.run({ lefts: rows(400, 10), rights: rows(50, 11), params });
  const { params: own, ...ruleSet } = await getRuleSet(jobs.scope, ruleSetId);
  const { id } = await startSimulation(jobs.scope, { ruleSet: { ...ruleSet, params: own }, sample: { records: 100 } });
  await queueDrained(jobs.service.queueSettings, 'matching');
  const { answer } = await getSimulation(jobs.scope, id);
  const { read, total } = answer?.records.left ?? { read: 0, total: 0 };
  expect({ total, isSampled: read > 50 && read < 150 }).toEqual({ total: 400, isSampled: true });
  expect(answer?.warnings.map(({ code }) => code)).toContain('sampled');
  expect(answer?.changes).toBeNull();
});

test('of many records, a first answer is of neighbouring ones with all that they meet', async () => {
  const { scope } = jobs;
  const amounts = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ amount: 100 + at / 50 }));
  const leftDatasetId = await jobs.newDataset('many left', amounts(2_000));
  const rightDatasetId = await jobs.newDataset('many right', amounts(20_500));
  const params = {
    ...thresholds,
    matchers: [{ id: 'amount', expr: '$abs(left.amount - right.amount) < 0.011', weight: 1 }],
    blocking: { amountKey: 'amount', amountTolerance: 0.5 },
  };
  const definition = { engine: 'jsonata-batch' as const, jsonataExpr: null, params, version: 1 };
  const answers: TrialAnswer[] = [];
  const input = { id: leftDatasetId, leftDatasetId, rightDatasetId, definition, rivalId: null };
  const run = () =>
    runTrial(
      scope,
      { ...input, maxRecords: 2_000, pending: 0 },
      {
        onStep: () => undefined,
        check: () => undefined,
        onAnswer: (answer) => Promise.resolve(void answers.push(answer)),
      },
    );
  const last = await run();
  await run();
  const [first, again] = answers;
  const { left, right } = first?.records ?? {};
  expect({ totals: [left?.total, right?.total], isFinal: first?.isFinal }).toEqual({
    totals: [2_000, 20_500],
    isFinal: false,
  });
  expect(left?.read).toBeGreaterThanOrEqual(150);
  expect(right?.read).toBeLessThan(1_000);
  // Each left record but the lowest ones meets 51 right ones, and matches the one that is equal.
  expect(first).toMatchObject({ pairs: 51 * (left?.read ?? 0), decisionCounts: { MATCH: left?.read } });
  expect({ ...again, cost: null }).toEqual({ ...first, cost: null });
  expect(last).toMatchObject({ isFinal: true, decisionCounts: { MATCH: 2_000 } });
});

test('a sample of which blocking can place no record says so', async () => {
  const blocking = { amountKeyLeft: 'none', amountKeyRight: 'amount' };
  const { ruleSetId } = await jobs.run({
    lefts: rows(400, 10),
    rights: rows(50, 11),
    params: { ...thresholds, matchers, blocking },
  });
  const ruleSet = await getRuleSet(jobs.scope, ruleSetId);
  const { id } = await startSimulation(jobs.scope, { ruleSet, sample: { records: 100 } });
  await queueDrained(jobs.service.queueSettings, 'matching');
  const { answer } = await getSimulation(jobs.scope, id);
  const codes = answer?.warnings.map(({ code }) => code) ?? [];
  expect(codes).toEqual(expect.arrayContaining(['all_left_unblocked', 'sampled']));
  expect(codes).not.toContain('no_candidates');
});
