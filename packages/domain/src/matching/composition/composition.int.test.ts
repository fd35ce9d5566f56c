import { createConsumer, newId, queueClasses } from '@tieout/infra';
import { createTestService, queueDrained, tableWaiter, type TestService } from '@tieout/testing';
import {
  cancelMatchingJob,
  createMaintenanceHandlers,
  createMatchingHandlers,
  createInquiryHandlers,
  getMatchingJob,
  jobCatalog,
  sweepMatchingJobs,
  tenantScope,
  type TenantScope,
} from '../..';
import { JobStoppedError, runningCheck, runSteps } from '../jobs/context';
import { compositionBench, invoices, payments, type BenchRecord } from '../../../testing/composition-bench';

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

const composed = [
  {
    target: 'A',
    members: ['a1 50 2025-03-11', 'a2 29.99 2025-03-12', 'a3 20.01 -'],
    decision: 'MATCH',
    status: 'COMPLETE',
  },
];

test('a target and its members are stored with their amounts and days', async () => {
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

test('composites are counted apart from pairs', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const job = await getMatchingJob(scope, await runJob());
  expect(job.entries[0]?.decisionCounts).toMatchObject({ MATCH: 1, COMPOSITE_MATCH: 1, COMPOSITE_POSSIBLE: 0 });
});

test('records of a MATCH composite are matched, and records of an ambiguous one ambiguous', async () => {
  const twoWays: BenchRecord[] = [30, 10, 15, 25].map((amount, i) => ({ no: `d${i + 1}`, amount, date: '2025-05-01' }));
  await newRuleSet([...invoices, { no: 'D', amount: 40, date: '2025-05-01' }], [...payments, ...twoWays], {
    enabled: true,
    dateStrategy: 'none',
  });
  const unmatched = await unmatchedOf(await runJob());
  const shown = Object.fromEntries(Object.entries(unmatched).filter(([no]) => /^[AaBbDd]/.test(no)));
  expect(shown).toEqual({ D: 'ambiguous', d1: 'ambiguous', d2: 'ambiguous', d3: 'no_candidate', d4: 'no_candidate' });
});

test('records of unambiguous POSSIBLE composites only are possible only', async () => {
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
])(
  'with skipAlreadyMatched %s records of MATCH pairs are left out accordingly',
  async (skipAlreadyMatched, members) => {
    const both: BenchRecord[] = [
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
  },
);

test('a rule set without composition has no batches of groups and stages no facts', async () => {
  await newRuleSet(invoices, payments, { enabled: false });
  const jobId = await startJob();
  await plan(jobId);
  const [entry] = (await getMatchingJob(scope, jobId)).entries;
  const [staged] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from staging.s_${(entry?.id as string).replace(/-/g, '')} where side > 1`,
  );
  expect([await batchesOf(jobId, 'groups'), staged?.count]).toEqual([[], 0]);
});

test('a rule set without composition is not affected by one with composition in the same job', async () => {
  const composing = await newRuleSet(invoices, payments, { enabled: true });
  await scope.db.execute(
    `insert into rule_sets (id, tenant_id, name, left_dataset_id, right_dataset_id, engine, params, updated_at)
     select $2::uuid, tenant_id, 'pairs alone', left_dataset_id, right_dataset_id, engine, params - 'composition', now()
       from rule_sets where id = $1::uuid`,
    [composing, newId()],
  );
  const { entries } = await getMatchingJob(scope, await runJob());
  expect(entries.map(({ decisionCounts }) => [decisionCounts.MATCH, decisionCounts.COMPOSITE_MATCH]).sort()).toEqual([
    [1, 0],
    [1, 1],
  ]);
});

test('a job that composes completes through the queue', async () => {
  await newRuleSet(invoices, payments, { enabled: true, direction: 'both' });
  const jobId = await startJob();
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: service.queueSettings,
    logger: service.deps.logger,
    concurrency: 2,
    handlers: { ...handlers, ...createInquiryHandlers(service.deps) },
  });
  await queueDrained(service.queueSettings, 'matching');
  await consumer.close();
  expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual([
    'completed',
    [expect.objectContaining(composed[0])],
  ]);
});

/** Creates a webhook that subscribes to composites. */
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

test('each composite has one event that describes it, and a delivery for each webhook', async () => {
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

test('groups wait for the assignment of the pairs', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await startJob();
  await plan(jobId);
  await runBatches(jobId, 'groups');
  const [job] = (await getMatchingJob(scope, jobId)).entries;
  expect(job).toMatchObject({ batchesExpected: 2, batchesCompleted: 0 });
});

test('the sweep recovers a job whose groups were lost from the queue', async () => {
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
    handlers: { ...handlers, ...createInquiryHandlers(service.deps) },
  });
  await queueDrained(service.queueSettings, 'matching');
  await consumer.close();
  expect([(await getMatchingJob(scope, jobId)).status, await compositesOf(jobId)]).toEqual([
    'completed',
    [expect.objectContaining(composed[0])],
  ]);
});

test('composites without a subscribed webhook have no events', async () => {
  await newRuleSet(invoices, payments, { enabled: true });
  const jobId = await runJob();
  expect([(await compositesOf(jobId)).length, await scope.db.orm.event.count()]).toEqual([1, 0]);
});

test.each(['after the pairs', 'after the assignment', 'after the groups'])(
  'a job cancelled %s leaves no composites',
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
  'a job whose stage a crash emptied %s is planned again, with the same result',
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

test('a job cancelled while it stores its composites leaves none', async () => {
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

test('running work stops when its job is cancelled', async () => {
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

test('a confirmed composite stays, and its records are taken and matched', async () => {
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

test('a rejected composite is not proposed again until the rule set changes', async () => {
  const ruleSetId = await newRuleSet(invoices, payments, { enabled: true });
  await review(await runJob(), 'rejected');
  const second = await compositesOf(await runJob());
  await scope.db.execute(`update rule_sets set params = params || '{"Tpossible": 0}' where id = $1::uuid`, [ruleSetId]);
  const third = await compositesOf(await runJob());
  expect([second, third]).toEqual([[], [expect.objectContaining(composed[0])]]);
});

test('superseded composites are deleted with their members', async () => {
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
