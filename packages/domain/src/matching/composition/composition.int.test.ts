import type { CompositionParams } from '@tieout/engine';
import { createConsumer, newId, queueClasses } from '@tieout/infra';
import { createTestService, queueDrained, tableWaiter, type TestService } from '@tieout/testing';
import {
  cancelMatchingJob,
  createMaintenanceHandlers,
  createMatchingHandlers,
  getMatchingJob,
  jobCatalog,
  sweepMatchingJobs,
  tenantScope,
  type TenantScope,
} from '../..';
import type { JobLimits } from '../jobs/limits';
import { JobStoppedError, runningCheck, runSteps } from '../jobs/context';
import { compositionBench, type Row } from '../../../testing/composition-bench';

let service: TestService;
let scope: TenantScope;
let handlers: ReturnType<typeof createMatchingHandlers>;

beforeAll(async () => {
  service = await createTestService();
});

beforeEach(async () => {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
  handlers = createMatchingHandlers(service.deps);
});

afterEach(emptyQueue);

afterAll(async () => {
  await service.close();
});

async function emptyQueue(): Promise<void> {
  const queue = queueClasses(service.queueSettings, { role: 'producer' }).openQueue('matching');
  await queue.waitUntilReady();
  await queue.obliterate({ force: true });
  await queue.close();
}

const { newRuleSet, startJob, batchesOf, runBatches, plan, finish, runJob, compositesOf, unmatchedOf } =
  compositionBench(() => ({ scope, handlers }));

/** An invoice in three payments, one paid whole, one that nothing pays, and a payment for nothing. */
const invoices: Row[] = [
  { no: 'A', amount: 100, date: '2025-03-10' },
  { no: 'B', amount: 55.5, date: '2025-03-11' },
  { no: 'C', amount: 7, date: '2025-03-12' },
];
const payments: Row[] = [
  { no: 'a1', amount: 50, date: '2025-03-11' },
  { no: 'a2', amount: '29.99', date: '2025-03-12' },
  { no: 'a3', amount: '20.01' },
  { no: 'b1', amount: 55.5, date: '2025-03-11' },
  { no: 'x', amount: 901, date: '2025-03-12' },
];
const composed = [
  {
    target: 'A',
    members: ['a1 50 2025-03-11', 'a2 29.99 2025-03-12', 'a3 20.01 -'],
    decision: 'MATCH',
    status: 'COMPLETE',
  },
];

test('a target and the members that add up to it are stored with their amounts and days', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  expect(await compositesOf(await runJob())).toEqual([
    expect.objectContaining({
      ...composed[0],
      direction: 'one_to_many',
      targetAmount: 100,
      composedAmount: 100,
      amountDelta: 0,
      expected: 3,
      score: 1,
    }),
  ]);
});

test('composites count beside pairs', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const job = await getMatchingJob(scope, await runJob());
  expect(job.entries[0]?.decisionCounts).toMatchObject({ MATCH: 1, COMPOSITE_MATCH: 1, COMPOSITE_POSSIBLE: 0 });
});

test('records of a MATCH composite are matched, those of an ambiguous one ambiguous', async () => {
  const twoWays: Row[] = [30, 10, 15, 25].map((amount, i) => ({ no: `d${i + 1}`, amount, date: '2025-05-01' }));
  await newRuleSet([...invoices, { no: 'D', amount: 40, date: '2025-05-01' }], [...payments, ...twoWays], {
    enabled: true,
    dateStrategy: 'none',
  });
  const unmatched = await unmatchedOf(await runJob());
  const shown = Object.fromEntries(Object.entries(unmatched).filter(([no]) => /^[AaBbDd]/.test(no)));
  expect(shown).toEqual({ D: 'ambiguous', d1: 'ambiguous', d2: 'ambiguous', d3: 'no_candidate', d4: 'no_candidate' });
});

test('records whose only composites are POSSIBLE, without another group as good, are possible only', async () => {
  await newRuleSet(
    [{ no: 'A', amount: 100 }],
    [
      { no: 'a1', amount: 50 },
      { no: 'a2', amount: 30 },
    ],
    {
      enabled: true,
      dateStrategy: 'none',
      partial: { enabled: true },
    },
  );
  expect(await unmatchedOf(await runJob())).toEqual({ A: 'possible_only', a1: 'possible_only', a2: 'possible_only' });
});

test.each([
  [true, []],
  [false, ['b1']],
])('with skipAlreadyMatched %s a record of a MATCH pair is left out, or not', async (skipAlreadyMatched, members) => {
  const both: Row[] = [
    { no: 'B', amount: 55, date: '2025-03-11' },
    { no: 'E', amount: 60, date: '2025-03-11' },
  ];
  await newRuleSet(
    both,
    [
      { no: 'b1', amount: 55, date: '2025-03-11' },
      { no: 'e', amount: 5, date: '2025-03-11' },
    ],
    { enabled: true, skipAlreadyMatched },
  );
  const composites = await compositesOf(await runJob());
  expect(
    composites.flatMap((c) => c.members.map((member) => member.split(' ')[0])).filter((no) => no === 'b1'),
  ).toEqual(members);
});

test('a rule set that composes nothing has no batches of groups and stages nothing for them', async () => {
  await newRuleSet(invoices, payments, { enabled: false });
  const jobId = await startJob();
  await plan(jobId);
  const [entry] = (await getMatchingJob(scope, jobId)).entries;
  const [staged] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from staging.s_${(entry?.id as string).replace(/-/g, '')} where side > 1`,
  );
  expect([await batchesOf(jobId, 'groups'), staged?.count]).toEqual([[], 0]);
});

test('a rule set that composes nothing comes out as it does alone, beside one that does', async () => {
  const composing = await newRuleSet(invoices, payments, { enabled: true });
  await scope.db.execute(
    `insert into rule_sets (id, tenant_id, name, left_dataset_id, right_dataset_id, engine, params, updated_at)
     select $2::uuid, tenant_id, 'pairs alone', left_dataset_id, right_dataset_id, engine, params - 'composition', now() from rule_sets where id = $1::uuid`,
    [composing, newId()],
  );
  const { entries } = await getMatchingJob(scope, await runJob());
  expect(entries.map(({ decisionCounts }) => [decisionCounts.MATCH, decisionCounts.COMPOSITE_MATCH]).sort()).toEqual([
    [1, 0],
    [1, 1],
  ]);
});

test('a job that composes runs through the queue, every step once', async () => {
  await newRuleSet(invoices, payments, { enabled: true, direction: 'both' });
  const jobId = await startJob();
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: service.queueSettings,
    logger: service.deps.logger,
    concurrency: 2,
    handlers,
  });
  await queueDrained(service.queueSettings, 'matching');
  await consumer.close();
  expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual([
    'completed',
    [expect.objectContaining(composed[0])],
  ]);
});

/** Somebody who wants to know of composites. */
async function newWebhook(): Promise<void> {
  await scope.db.orm.webhook.create({
    data: {
      id: newId(),
      tenantId: scope.tenantId,
      url: 'https://receiver.test',
      secret: '',
      events: ['COMPOSITE_MATCH_CREATED'],
    },
  });
}

test('each composite has one event, whose text says what it is, and a delivery for each webhook', async () => {
  await newWebhook();
  await newWebhook();
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await runJob();
  await finish(jobId);
  const events = await scope.db.query<{ id: string; type: string; body: string; occurredAt: Date }>(
    `select id, type, body, occurred_at as "occurredAt" from events where tenant_id = $1::uuid`,
    [scope.tenantId],
  );
  const [composite] = await scope.db.query<{ id: string; ruleSetId: string }>(
    `select id, rule_set_id as "ruleSetId" from composite_matches where job_id = $1::uuid`,
    [jobId],
  );
  const [event] = events;
  expect(events.map(({ type, body }) => ({ type, body }))).toEqual([
    {
      type: 'COMPOSITE_MATCH_CREATED',
      body: JSON.stringify({
        event: 'COMPOSITE_MATCH_CREATED',
        data: {
          eventId: event?.id,
          occurredAt: event?.occurredAt.toISOString(),
          compositeMatchId: composite?.id,
          ruleSetId: composite?.ruleSetId,
          matchingJobId: jobId,
          decision: 'COMPOSITE_MATCH',
          status: 'COMPLETE',
        },
      }),
    },
  ]);
  const deliveries = await scope.db.orm.webhookDelivery.findMany({
    select: { eventId: true, eventType: true, status: true },
  });
  expect(deliveries).toEqual(
    Array(2).fill({ eventId: event?.id, eventType: 'COMPOSITE_MATCH_CREATED', status: 'pending' }),
  );
});

/** Invoices and payments of few amounts and days, so that many sets fit, and many targets want the same members. */
function crowd(count: number, prefix: string, step: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    no: `${prefix}${i}`,
    ...(i % 9 === 7
      ? {}
      : { amount: [10, 20, 30, 12.5, 7.505, 50, -5, 100, '40.00', 22.5][(i * step) % 10] as number | string }),
    ...(i % 7 === 3 ? {} : { date: `2025-04-${String(1 + ((i * step) % 28)).padStart(2, '0')}` }),
    ...(i % 5 === 4 ? {} : { bill: `bill ${(i * step) % 4}` }),
    ...(i % 3 === 0 ? { plan: `${1 + (i % 3)}/3` } : {}),
  }));
}

const tiny: JobLimits = {
  filtersMs: Infinity,
  filterRecordMs: 0,
  runBytes: 900,
  spareRows: 5_000,
  blockRows: 3,
  blockBytes: 200,
  batchMs: 1,
  paceMs: Infinity,
  longBatches: 0,
  leftRows: 5,
  leftBytes: 400,
  chunkRows: 4,
  chunkBytes: 300,
  madeBytes: 64,
  keptPairs: 2,
  factRows: 4,
  groupTargets: 3,
  groupBatches: 12,
};

/** Every handler runs twice, batches from the last to the first. */
async function runInPieces(
  limits: Partial<JobLimits>,
): Promise<{ pairs: number; groups: number; counts: object | undefined; composites: object[]; unmatched: object }> {
  const run = createMatchingHandlers(service.deps, undefined, limits);
  const jobId = await startJob();
  const twice = async (step: () => Promise<unknown>): Promise<void> => {
    await step();
    await step();
  };
  await twice(() => plan(jobId, run));
  let pairs = 0;
  // A batch that is cut as it runs leaves others.
  for (let before = -1; before !== pairs;) [before, pairs] = [pairs, await runBatches(jobId, 'pairs', run)];
  await finish(jobId, run);
  await twice(() => runBatches(jobId, 'groups', createMatchingHandlers(service.deps, undefined, limits)));
  await twice(() => finish(jobId, run));
  const job = await getMatchingJob(scope, jobId);
  expect(job.status).toBe('completed');
  return {
    pairs,
    groups: (await batchesOf(jobId, 'groups')).length,
    counts: job.entries[0]?.decisionCounts,
    composites: await compositesOf(jobId),
    unmatched: await unmatchedOf(jobId),
  };
}

test.each<[string, CompositionParams]>([
  ['one direction', { enabled: true, maxGroupSize: 4 }],
  [
    'both directions and a window',
    { enabled: true, direction: 'both', dateStrategy: 'window', dateToleranceDays: 6, maxGroupSize: 5 },
  ],
  ['groups', { enabled: true, direction: 'both', groupByField: 'bill', amountTolerancePercent: 10, maxGroupSize: 30 }],
  [
    'partial ones and negative amounts',
    {
      enabled: true,
      direction: 'many_to_one',
      allowNegativeAmounts: true,
      partial: { enabled: true },
      maxGroupSize: 3,
    },
  ],
  [
    'installments',
    {
      enabled: true,
      dateStrategy: 'monthly',
      dateToleranceDays: 40,
      installmentDiscovery: { enabled: true, totalCountField: 'plan' },
      partial: { enabled: true },
    },
  ],
])(
  '%s: however a job is cut, in whatever order its pieces run, it composes the same groups',
  async (_name, composition) => {
    await newRuleSet(crowd(31, 'L', 3), crowd(53, 'R', 7), composition);
    const whole = await runInPieces({});
    const pieces = await runInPieces(tiny);
    expect(whole.composites.length).toBeGreaterThan(0);
    expect(pieces.groups).toBeGreaterThan(5);
    expect({ ...pieces, pairs: whole.pairs, groups: whole.groups }).toEqual(whole);
    const cut = await runInPieces({ paceMs: 0, longBatches: 0 });
    expect(cut.pairs).toBeGreaterThan(whole.pairs);
    expect({ ...cut, pairs: whole.pairs }).toEqual(whole);
  },
);

test('groups wait for the assignment of the pairs', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await startJob();
  await plan(jobId);
  await runBatches(jobId, 'groups');
  const [job] = (await getMatchingJob(scope, jobId)).entries;
  expect(job).toMatchObject({ batchesExpected: 2, batchesCompleted: 0 });
});

test('a job whose groups were lost from the queue is taken up by the sweep', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await startJob();
  await plan(jobId);
  await runBatches(jobId, 'pairs');
  await finish(jobId);
  await emptyQueue();
  await scope.db.execute(
    `with e as (update job_rule_sets set assigned_at = assigned_at - interval '1 hour' where job_id = $1::uuid),
          b as (update job_batches set done_at = done_at - interval '1 hour' where job_id = $1::uuid)
     update matching_jobs set created_at = now() - interval '1 hour', started_at = now() - interval '1 hour',
            planned_at = planned_at - interval '1 hour'
      where id = $1::uuid`,
    [jobId],
  );
  await sweepMatchingJobs(service.deps);
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: service.queueSettings,
    logger: service.deps.logger,
    concurrency: 1,
    handlers,
  });
  await queueDrained(service.queueSettings, 'matching');
  await consumer.close();
  expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual([
    'completed',
    [expect.objectContaining(composed[0])],
  ]);
});

test('composites that nobody wants to know of have no events', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await runJob();
  expect([(await compositesOf(jobId)).length, await scope.db.orm.event.count()]).toEqual([1, 0]);
});

test.each(['after the pairs', 'after the assignment', 'after the groups'])(
  'a job that is cancelled %s leaves no composites',
  async (moment) => {
    await newWebhook();
    await newRuleSet(invoices, payments, { enabled: true });
    const jobId = await startJob();
    await plan(jobId);
    await runBatches(jobId, 'pairs');
    if (moment !== 'after the pairs') await finish(jobId);
    if (moment === 'after the groups') await runBatches(jobId, 'groups');
    await cancelMatchingJob(scope, jobId);
    await finish(jobId);
    await runBatches(jobId, 'groups');
    await finish(jobId);
    expect([
      (await getMatchingJob(scope, jobId)).status,
      await compositesOf(jobId),
      await scope.db.orm.event.count(),
    ]).toEqual(['cancelled', [], 0]);
  },
);

test.each(['after the assignment', 'after the groups'])(
  'a stage that a crash emptied %s is planned again, and the result is the same',
  async (moment) => {
    await newRuleSet(invoices, payments, { enabled: true });
    const jobId = await startJob();
    await plan(jobId);
    await runBatches(jobId, 'pairs');
    await finish(jobId);
    if (moment === 'after the groups') await runBatches(jobId, 'groups');
    const [entry] = (await getMatchingJob(scope, jobId)).entries;
    const table = (entry?.id as string).replace(/-/g, '');
    await service.deps.db.system.execute(`truncate staging.s_${table}, staging.d_${table}`);
    if (moment === 'after the groups') await finish(jobId);
    else await runBatches(jobId, 'groups');
    await plan(jobId);
    await runBatches(jobId, 'pairs');
    await finish(jobId);
    await runBatches(jobId, 'groups');
    await finish(jobId);
    expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual([
      'completed',
      [expect.objectContaining(composed[0])],
    ]);
  },
);

test('a job that is cancelled while it stores its composites leaves none', async () => {
  await newWebhook();
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await startJob();
  await plan(jobId);
  await runBatches(jobId, 'pairs');
  await finish(jobId);
  await runBatches(jobId, 'groups');
  await scope.db.session(async (client) => {
    await client.query('begin; lock table events in access exclusive mode');
    const finishing = finish(jobId);
    await tableWaiter(service.deps.db.system, 'events');
    await cancelMatchingJob(scope, jobId);
    await client.query('commit');
    await finishing;
  });
  expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual(['cancelled', []]);
});

test('work in hand ends when its job is cancelled', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await startJob();
  await plan(jobId);
  const endless = (function* (): Generator<void, void, void> {
    for (;;) yield;
  })();
  let cancelling: Promise<void> | undefined;
  const onStep = (): void => void (cancelling ??= cancelMatchingJob(scope, jobId));
  await expect(runSteps(endless, onStep, runningCheck(scope, jobId, 0))).rejects.toThrow(JobStoppedError);
  await cancelling;
});

const review = (jobId: string, status: 'confirmed' | 'rejected'): Promise<number> =>
  scope.db.execute(`update composite_matches set review_status = $2, reviewed_at = now() where job_id = $1::uuid`, [
    jobId,
    status,
  ]);

test('what is confirmed stays, and its records are taken and matched', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const first = await runJob();
  await review(first, 'confirmed');
  const second = await runJob();
  for (const jobId of [first, second])
    await createMaintenanceHandlers(service.deps, { keyIds: [] })['matching.cleanup']({
      tenantId: scope.tenantId,
      jobId,
    });
  const unmatched = await unmatchedOf(second);
  expect([await compositesOf(first), await compositesOf(second), unmatched['A'], unmatched['a3']]).toEqual([
    [expect.objectContaining(composed[0])],
    [],
    undefined,
    undefined,
  ]);
});

test('what is rejected is not proposed again until the rule set changes', async () => {
  const ruleSetId = await newRuleSet(invoices, payments, { enabled: true });
  await review(await runJob(), 'rejected');
  const second = await compositesOf(await runJob());
  await scope.db.execute(`update rule_sets set version = version + 1 where id = $1::uuid`, [ruleSetId]);
  const third = await compositesOf(await runJob());
  expect([second, third]).toEqual([[], [expect.objectContaining(composed[0])]]);
});

test('composites that a later job supersedes are deleted with their members', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const first = await runJob();
  const second = await runJob();
  for (const jobId of [first, second])
    await createMaintenanceHandlers(service.deps, { keyIds: [] })['matching.cleanup']({
      tenantId: scope.tenantId,
      jobId,
    });
  const members = await scope.db.query(`select 1 from composite_members where tenant_id = $1::uuid`, [scope.tenantId]);
  expect([await compositesOf(first), members.length]).toEqual([[], 3]);
});
