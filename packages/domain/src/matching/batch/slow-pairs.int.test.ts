import type { MatcherParams } from '@tieout/engine';
import { createMatchingHandlers, createRuleSet, getMatchingJob, startMatchingJobs, type TenantScope } from '../..';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';
import type { JobLimits } from '../jobs/limits';

const bench = useMatchingBench();
let scope: TenantScope;

beforeEach(async () => {
  scope = await bench.newTenant();
});

/** Limits under which no batch is cut. */
const uncut: Partial<JobLimits> = { paceMs: 1e9 };

interface PlannedBatch {
  jobId: string;
  run: (onStep?: () => void, limits?: Partial<JobLimits>) => Promise<void>;
}

/** Plans a job, which has one batch unless the limits cut it. */
async function plannedJob(
  count: number,
  matchers: readonly MatcherParams[],
  planLimits: Partial<JobLimits> = {},
): Promise<PlannedBatch> {
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
    run: (onStep, limits = uncut) => createMatchingHandlers(bench.service.deps, onStep, limits)['matching.batch'](ref),
  };
}

const count = 12;

test.each([
  ['pair', '$count([1..5000].($ + $$.left.a + $$.right.a)) > 0', count ** 2],
  ['pair of the reference', 'left ~> |$|{"b": $$.right.a}| = 1', count ** 2],
  ['pair that fails', '$error($string($count([1..5000].($ + $$.left.a + $$.right.a))))', count ** 2],
  ['left record', '$count([1..5000].($ + $$.left.a)) = right.a', count],
  ['right record', 'left.a = $count([1..5000].($ + $$.right.a))', count],
])('each %s that takes long is a step', async (_name, expr, minSteps) => {
  const { run } = await plannedJob(count, [{ expr }]);
  let steps = 0;
  await run(() => steps++);
  expect(steps).toBeGreaterThanOrEqual(minSteps);
});

/** An expression that takes a tenth of a second. */
const heavy = '$count([1..90000].$count([1..20]))';

test('a job cancelled during the evaluation of its records stops without evaluating the rest', async () => {
  const { jobId, run } = await plannedJob(150, [
    { expr: `${heavy} + left.a = right.a` },
    { expr: `(${heavy} + left.a) - 1 = right.a` },
  ]);
  let steps = 0;
  let cancelling: Promise<unknown> | undefined;
  await run(() => {
    steps++;
    // A single statement, since the event loop runs about once a second here.
    cancelling ??= scope.db.execute(
      `update matching_jobs set status = 'cancelled', finished_at = now() where id = $1::uuid`,
      [jobId],
    );
  });
  await cancelling;
  expect(steps).toBeLessThan(300);
});

test('a job cancelled during filtering stops without the rest, and does not block the event loop', async () => {
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
    steps++;
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
  'slow filters of one record, %s, end the job: a plan cannot be cut, and jobs of others wait for its slot',
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
    await createMatchingHandlers(bench.service.deps, () => steps++, { filtersMs: 300 })['matching.plan']({
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

test('a slow batch is cut once a few of its pairs show how long all of them take', async () => {
  const { jobId, run } = await plannedJob(30, [{ expr: '$count([1..9000].($$.left.a + $$.right.a)) > 0' }]);
  let steps = 0;
  await run(() => steps++, { paceMs: 50, batchMs: 100, longBatches: 1 });
  expect(steps).toBeLessThan(200);
  expect((await getMatchingJob(scope, jobId)).entries[0]).toMatchObject({ pairsProcessed: 0, batchesCompleted: 0 });
  expect((await getMatchingJob(scope, jobId)).entries[0]?.batchesExpected).toBeGreaterThan(1);
});

/** An expression charged with more than half of the steps of an evaluation, for the worst case of its search. */
const search = '$contains($pad("", 110000, "x"), $pad("", 55000, "y"))';
const failing = `$error($string(${search}))`;

test('the third heavy failure ends the job before further evaluations', async () => {
  const { jobId, run } = await plannedJob(30, [
    { expr: `(${search} ? "" : left.a) = right.a` },
    { expr: `(left.a & ${failing}) = right.a` },
  ]);
  let steps = 0;
  await run(() => steps++);
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'failed',
    error: { code: 'expression_timeout', message: expect.stringContaining('limits 3 times') as string },
  });
  // One step for each slow value, and a few for the clock. All failing values would add 27 more.
  expect(steps).toBeLessThan(115);
});

test.each([
  {
    name: 'a matcher over a record',
    params: {
      matchers: [
        { id: 'good', expr: 'true' },
        { id: 'hostile', expr: `(left.a & ${failing}) = right.a` },
      ],
    },
    last: /"hostile" of left record [-0-9a-f]{36} with D3137/,
    side: 'left',
    expression: 'hostile',
  },
  {
    name: 'a matcher over pairs',
    params: {
      matchers: [
        {
          id: 'hostile',
          expr: '$error($string($contains($pad("", 110000, "x"), $pad("", 55000, "y" & left.a & right.a))))',
        },
      ],
    },
    last: /"hostile" of left record [-0-9a-f]{36} and right record [-0-9a-f]{36} with D3137/,
    side: 'pair',
    expression: 'hostile',
  },
  {
    name: 'a filter',
    params: { filters: ['true', `${failing} & right.a = "x"`], matchers: [{ expr: 'true' }] },
    last: /"filters\/1" of right record [-0-9a-f]{36} with D3137/,
    side: 'right',
    expression: 'filters/1',
  },
])(
  'the error of a job ended by $name names it, its rule set, and its record',
  async ({ params, last, side, expression }) => {
    const datasets = {
      leftDatasetId: await numberedDataset(scope, 'left', 5),
      rightDatasetId: await numberedDataset(scope, 'right', 5),
    };
    const rules = { ...datasets, engine: 'jsonata-batch', jsonataExpr: null, logicJson: null } as const;
    await createRuleSet(scope, {
      ...rules,
      name: 'good',
      params: { Tmatch: 1, Tpossible: 0.5, matchers: [{ expr: 'left.a = right.a' }] },
    });
    await createRuleSet(scope, { ...rules, name: 'Card bills', params: { Tmatch: 1, Tpossible: 0.5, ...params } });
    const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
    await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, uncut));
    const job = await getMatchingJob(scope, jobIds[0] as string);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'expression_timeout' } });
    expect(job.error?.message).toMatch(
      /^Expressions of rule set "Card bills" ran into their limits 3 times, the last time /,
    );
    expect(job.error?.message).toMatch(last);
    const failed = job.entries.find(({ ruleSetName }) => ruleSetName === 'Card bills');
    const id = expect.any(String) as string;
    const error = {
      left_record_id: side === 'right' ? null : id,
      right_record_id: side === 'left' ? null : id,
      code: 'D3137',
      message: 'false',
      expression,
    };
    expect(failed?.errors).toEqual([error, error, error]);
  },
);

test('the failures that end a job are the first errors of its rule set, also after many others', async () => {
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
  await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, uncut));
  const job = await getMatchingJob(scope, jobIds[0] as string);
  expect(job.error?.message).toContain('"hostile" of left record');
  expect(job.entries[0]?.errors.map(({ code }) => code)).toEqual(
    Array.from({ length: 20 }, (_, i) => (i < 3 ? 'D3137' : 'D3030')),
  );
});

test('a failure of a record counts once, however many pairs the record has', async () => {
  const { jobId, run } = await plannedJob(30, [
    { expr: `($n := left.a <= 2 ? left.a & ${failing} : left.a; $n = right.a)` },
  ]);
  await run();
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'running',
    entries: [{ pairsProcessed: 900, decisionCounts: { MATCH: 28, ERROR: 60 } }],
  });
});

test('heavy failures that no pair needs do not end the job', async () => {
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
    'heavy failures of three records, each in a batch of its own, end a job',
    `(left.a % 10 = 5 ? ${failing} : left.a) = right.a`,
    { status: 'failed', error: { code: 'expression_timeout' } },
  ],
  [
    'heavy failures of one record in several batches do not end a job',
    `(right.a = 5 ? ${failing} : right.a) = left.a`,
    { status: 'completed', entries: [{ decisionCounts: { MATCH: 29, ERROR: 30 } }] },
  ],
])('%s', async (_name, expr, outcome) => {
  const { jobId } = await plannedJob(30, [{ expr }], { leftRows: 10 });
  await bench.runQueue(createMatchingHandlers(bench.service.deps, undefined, uncut));
  const job = await getMatchingJob(scope, jobId);
  expect(job.entries[0]?.batchesExpected).toBe(3);
  expect(job).toMatchObject(outcome);
});
