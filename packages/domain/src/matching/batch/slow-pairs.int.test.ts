import type { MatcherParams } from '@tieout/engine';
import { createMatchingHandlers, createRuleSet, getMatchingJob, startMatchingJobs, type TenantScope } from '../..';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';
import type { JobLimits } from '../jobs/limits';

const bench = useMatchingBench();
let scope: TenantScope;

beforeEach(async () => {
  scope = await bench.newTenant();
});

/** Batches are left whole. */
const patient: Partial<JobLimits> = { paceMs: 1e9 };

interface Running {
  jobId: string;
  run: (onStep?: () => void, limits?: Partial<JobLimits>) => Promise<void>;
}

/** A job that is planned, with the one batch that it has unless the limits say otherwise. */
async function plannedJob(
  count: number,
  matchers: readonly MatcherParams[],
  planLimits: Partial<JobLimits> = {},
): Promise<Running> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await numberedDataset(scope, 'left', count),
    rightDatasetId: await numberedDataset(scope, 'right', count),
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params: { Tmatch: 1, Tpossible: 0.5, matchers: [...matchers] },
    logicJson: null,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  const { tenantId } = scope;
  await createMatchingHandlers(bench.service.deps, undefined, planLimits)['matching.plan']({ tenantId, jobId });
  const { entries } = await getMatchingJob(scope, jobId);
  const ref = { tenantId, jobId, entryId: entries[0]?.id as string, batchNo: 0 };
  return {
    jobId,
    run: (onStep, limits = patient) =>
      createMatchingHandlers(bench.service.deps, onStep, limits)['matching.batch'](ref),
  };
}

const count = 12;

test.each([
  ['pair', '$count([1..5000].($ + $$.left.a + $$.right.a)) > 0', count ** 2],
  ['pair of the reference', 'left ~> |$|{"b": $$.right.a}| = 1', count ** 2],
  ['pair that fails', '$error($string($count([1..5000].($ + $$.left.a + $$.right.a))))', count ** 2],
  ['left record', '$count([1..5000].($ + $$.left.a)) = right.a', count],
  ['right record', 'left.a = $count([1..5000].($ + $$.right.a))', count],
])('each %s that takes long is a step', async (_name, expr, least) => {
  const { run } = await plannedJob(count, [{ expr }]);
  let steps = 0;
  await run(() => (steps += 1));
  expect(steps).toBeGreaterThanOrEqual(least);
});

/** Takes a tenth of a second. */
const heavy = '$count([1..90000].$count([1..20]))';

test('a job that is cancelled while its records are evaluated ends without the others', async () => {
  const { jobId, run } = await plannedJob(150, [
    { expr: `${heavy} + left.a = right.a` },
    { expr: `(${heavy} + left.a) - 1 = right.a` },
  ]);
  let steps = 0;
  let cancelling: Promise<unknown> | undefined;
  await run(() => {
    steps += 1;
    // One statement: the event loop has no more than a turn a second here.
    cancelling ??= scope.db.execute(
      `update matching_jobs set status = 'cancelled', finished_at = now() where id = $1::uuid`,
      [jobId],
    );
  });
  await cancelling;
  expect(steps).toBeLessThan(300);
});

test('a job that is cancelled while its records are filtered ends without the others, and its event loop turns meanwhile', async () => {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await numberedDataset(scope, 'left', 1),
    rightDatasetId: await numberedDataset(scope, 'right', 400),
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params: {
      Tmatch: 1,
      Tpossible: 0.5,
      filters: ['$count([1..90000].$count([1..20].($ + $$.right.a))) >= 0'],
      matchers: [{ expr: 'left.a = right.a' }],
    },
    logicJson: null,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  let steps = 0;
  let cancelling: Promise<unknown> | undefined;
  await createMatchingHandlers(bench.service.deps, () => {
    steps += 1;
    cancelling ??= scope.db.execute(
      `update matching_jobs set status = 'cancelled', finished_at = now() where id = $1::uuid`,
      [jobId],
    );
  })['matching.plan']({ tenantId: scope.tenantId, jobId });
  await cancelling;
  expect(steps).toBeLessThan(400);
});

test.each([
  ['compiled', `${heavy} + right.a > 0`],
  ['of the reference', `$count((right ~> |$|{"n": 1}|).a) + ${heavy} > 0`],
])(
  'filters of one record, %s, that take far more time than is usual end the job: a plan cannot be cut, and others wait for its slot',
  async (_name, filter) => {
    await createRuleSet(scope, {
      name: 'Card bills',
      leftDatasetId: await numberedDataset(scope, 'left', 1),
      rightDatasetId: await numberedDataset(scope, 'right', 400),
      engine: 'jsonata-batch',
      jsonataExpr: null,
      params: { Tmatch: 1, Tpossible: 0.5, filters: [filter], matchers: [{ expr: 'left.a = right.a' }] },
      logicJson: null,
    });
    const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
    const jobId = jobIds[0] as string;
    let steps = 0;
    await createMatchingHandlers(bench.service.deps, () => (steps += 1), { filtersMs: 300 })['matching.plan']({
      tenantId: scope.tenantId,
      jobId,
    });
    expect(await getMatchingJob(scope, jobId)).toMatchObject({
      status: 'failed',
      error: {
        code: 'expression_timeout',
        message: expect.stringMatching(
          /^Filters that read one record, the last of rule set "Card bills", took .* in a field with transform_expr$/,
        ) as string,
      },
    });
    expect(steps).toBeLessThan(100);
  },
);

test('of a slow rule set a batch is cut once a few of its pairs tell how long all of them take', async () => {
  const { jobId, run } = await plannedJob(30, [{ expr: '$count([1..9000].($$.left.a + $$.right.a)) > 0' }]);
  let steps = 0;
  await run(() => (steps += 1), { paceMs: 50, batchMs: 100, longBatches: 1 });
  expect(steps).toBeLessThan(200);
  expect((await getMatchingJob(scope, jobId)).entries[0]).toMatchObject({ pairsProcessed: 0, batchesCompleted: 0 });
  expect((await getMatchingJob(scope, jobId)).entries[0]?.batchesExpected).toBeGreaterThan(1);
});

/** Is charged with more than half of the steps that an evaluation may take, for what a search might take. */
const search = '$contains($pad("", 110000, "x"), $pad("", 55000, "y"))';
const failing = `$error($string(${search}))`;

test('the third evaluation that takes most of what it may and fails ends the job, before others are made', async () => {
  const { jobId, run } = await plannedJob(30, [
    { expr: `(${search} ? "" : left.a) = right.a` },
    { expr: `(left.a & ${failing}) = right.a` },
  ]);
  let steps = 0;
  await run(() => (steps += 1));
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'failed',
    error: { code: 'expression_timeout', message: expect.stringContaining('limits 3 times') as string },
  });
  // A step for each value that is made and takes long, a few for the clock; all failing ones would be 27 more.
  expect(steps).toBeLessThan(115);
});

test.each([
  [
    'a matcher over a record',
    {
      matchers: [
        { id: 'good', expr: 'true' },
        { id: 'hostile', expr: `(left.a & ${failing}) = right.a` },
      ],
    },
    /"hostile" of left record "L-\d+" with D3137/,
    'left',
    'hostile',
  ],
  [
    'a matcher over pairs',
    {
      matchers: [
        {
          id: 'hostile',
          expr: '$error($string($contains($pad("", 110000, "x"), $pad("", 55000, "y" & left.a & right.a))))',
        },
      ],
    },
    /"hostile" of left record "L-\d+" and right record "R-\d+" with D3137/,
    'pair',
    'hostile',
  ],
  [
    'a filter',
    { filters: ['true', `${failing} & right.a = "x"`], matchers: [{ expr: 'true' }] },
    /"filters\/1" of right record "R-\d+" with D3137/,
    'right',
    'filters/1',
  ],
])(
  'a job that %s ends tells which one, of which rule set, and on what',
  async (_name, params, last, of, expression) => {
    const datasets = {
      leftDatasetId: await numberedDataset(scope, 'left', 5),
      rightDatasetId: await numberedDataset(scope, 'right', 5),
    };
    for (const [letter, id] of [
      ['L', datasets.leftDatasetId],
      ['R', datasets.rightDatasetId],
    ] as const) {
      await scope.db.execute(
        `update records set external_id = $2 || '-' || (data ->> 'a') where dataset_id = $1::uuid`,
        [id, letter],
      );
    }
    const rules = { ...datasets, engine: 'jsonata-batch', jsonataExpr: null, logicJson: null } as const;
    await createRuleSet(scope, {
      ...rules,
      name: 'good',
      params: { Tmatch: 1, Tpossible: 0.5, matchers: [{ expr: 'left.a = right.a' }] },
    });
    await createRuleSet(scope, { ...rules, name: 'Card bills', params: { Tmatch: 1, Tpossible: 0.5, ...params } });
    const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
    await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, patient));
    const job = await getMatchingJob(scope, jobIds[0] as string);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'expression_timeout' } });
    expect(job.error?.message).toMatch(
      /^Expressions of rule set "Card bills" ran into their limits 3 times, the last time /,
    );
    expect(job.error?.message).toMatch(last);
    const failed = job.entries.find(({ ruleSetName }) => ruleSetName === 'Card bills');
    const id = expect.any(String) as string;
    const error = {
      left_record_id: of === 'right' ? null : id,
      right_record_id: of === 'left' ? null : id,
      code: 'D3137',
      message: 'false',
      expression,
    };
    expect(failed?.errors).toEqual([error, error, error]);
  },
);

test('what ends a job is among the errors of its rule set, also behind many others', async () => {
  const [leftDatasetId, rightDatasetId] = [
    await numberedDataset(scope, 'left', 40),
    await numberedDataset(scope, 'right', 5),
  ];
  const params = {
    Tmatch: 1,
    Tpossible: 0.5,
    filters: ['left.a > 4 ? $number("none") = 1 : true'],
    matchers: [{ id: 'hostile', expr: `(left.a & ${failing}) = right.a` }],
  };
  await createRuleSet(scope, {
    leftDatasetId,
    rightDatasetId,
    engine: 'jsonata-batch',
    jsonataExpr: null,
    logicJson: null,
    name: 'crowded',
    params,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, patient));
  const job = await getMatchingJob(scope, jobIds[0] as string);
  expect(job.error?.message).toContain('"hostile" of left record');
  expect(job.entries[0]?.errors.map(({ code }) => code)).toEqual(
    Array.from({ length: 20 }, (_, i) => (i < 3 ? 'D3137' : 'D3030')),
  );
});

test('what fails once for a record counts once, however many pairs it has', async () => {
  const { jobId, run } = await plannedJob(30, [
    { expr: `($n := left.a <= 2 ? left.a & ${failing} : left.a; $n = right.a)` },
  ]);
  await run();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'running',
    entries: [{ pairsProcessed: 900, decisionCounts: { MATCH: 28, ERROR: 60 } }],
  });
});

test('what fails, takes most of what it may and is needed by no pair, ends no job', async () => {
  const { jobId, run } = await plannedJob(30, [
    { expr: `right.a > 30 and (left.a & ${failing}) = right.a` },
    { expr: 'left.a = right.a' },
  ]);
  await run();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'running',
    entries: [{ pairsProcessed: 900, decisionCounts: { POSSIBLE: 30, ERROR: 0 } }],
  });
});

test.each([
  [
    'three records end it, each in a batch of its own',
    `(left.a % 10 = 5 ? ${failing} : left.a) = right.a`,
    { status: 'failed', error: { code: 'expression_timeout' } },
  ],
  [
    'one record does not, in however many batches',
    `(right.a = 5 ? ${failing} : right.a) = left.a`,
    { status: 'completed', entries: [{ decisionCounts: { MATCH: 29, ERROR: 30 } }] },
  ],
])('of a job whose evaluations take most of what they may and fail %s', async (_name, expr, outcome) => {
  const { jobId } = await plannedJob(30, [{ expr }], { leftRows: 10 });
  await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, patient));
  const job = await getMatchingJob(scope, jobId);
  expect(job.entries[0]?.batchesExpected).toBe(3);
  expect(job).toMatchObject(outcome);
});
