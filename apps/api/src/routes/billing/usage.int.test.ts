import { createMatchingHandlers, defaultQuotas } from '@tieout/domain';
import {
  expectExact,
  openBooks,
  alone,
  startTestApi,
  usageOf,
  whileLocked,
  type Books,
  type JobBody,
  type MatchBody,
  type TestApi,
  type TestTenant,
} from '../../../testing';

let api: TestApi;
/** No worker runs here until a test asks for it: what workers do is done by hand. */
let idle: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  idle = await startTestApi(alone);
});

afterEach(() => idle.stopMatching());

afterAll(async () => {
  await api.close();
  await idle.close();
});

const thisMonth = (): string => new Date().toISOString().slice(0, 7);

/** Puts what was booked for a job into another month, as if it had completed then. */
async function bookInto(jobId: string, period: string): Promise<void> {
  await api.service.deps.db.system.execute('update billing_entries set period = $2 where job_id = $1::uuid', [
    jobId,
    period,
  ]);
}

const scored = { jsonataExpr: 'left.n * right.n', params: { Tmatch: 0.8, Tpossible: 0.4 } };
const openCase = async (on = api): Promise<Books> => {
  const books = await openBooks(on, [{ n: 1 }, { n: 0.9 }, { n: 0.1 }], [{ n: 1 }, { n: 0.85 }]);
  await books.ruleSet(scored);
  return books;
};

describe('the answer', () => {
  test('of a tenant that has nothing lists every month with zero', async () => {
    const tenant = await api.newTenant();
    const current = thisMonth();
    const usage = await usageOf(tenant);
    expect(usage).toEqual({
      currentPeriod: current,
      totalMatches: 0,
      byPeriod: expect.any(Array) as unknown[],
      byRuleSet: [],
      byDataset: [],
      records: { total: 0, byDataset: [] },
      matches: { total: 0, byDecision: { MATCH: 0, POSSIBLE: 0 }, matchRate: 0 },
      composites: { total: 0, byDecision: { MATCH: 0, POSSIBLE: 0 }, byStatus: { COMPLETE: 0, PARTIAL: 0 } },
      recentJobs: [],
      billing: { currentPeriod: current, matchesCount: 0 },
      connectors: [],
      quotas: Object.fromEntries(Object.entries(defaultQuotas).map(([name, limit]) => [name, { limit, used: 0 }])),
    });
    expect(usage.byPeriod).toHaveLength(13);
    expect(usage.byPeriod.at(-1)).toEqual({ period: current, matches: 0 });
    expect(usage.byPeriod[0]?.period).toBe(`${Number(current.slice(0, 4)) - 1}${current.slice(4)}`);
  });

  test('has what a job found, under its names', async () => {
    const books = await openCase();
    const job = await books.reconcile();
    await books.tenant.api.post('/v1/data-sources', { name: 'bank', kind: 'file' }).expect(201);
    const usage = await usageOf(books.tenant);
    expect(job.decision_counts).toMatchObject({ MATCH: 3, POSSIBLE: 1 });
    expect(usage).toMatchObject({
      totalMatches: 3,
      byRuleSet: [{ ruleSetId: job.rule_sets[0]?.rule_set_id, name: 'rules', matches: 3 }],
      byDataset: [{ dataset: 'left', matches: 3 }],
      billing: { matchesCount: 3 },
      recentJobs: [{ id: job.id, dataset: 'left', status: 'completed', matchRate: 2 / 3 }],
      records: {
        total: 5,
        byDataset: [
          { datasetId: books.leftId, name: 'left', count: 3 },
          { datasetId: books.rightId, name: 'right', count: 2 },
        ],
      },
      matches: { total: 4, byDecision: { MATCH: 3, POSSIBLE: 1 }, matchRate: 2 / 3 },
    });
    expect(usage.connectors[0]).toEqual({
      name: 'bank',
      type: 'file',
      createdAt: expect.stringMatching(/Z$/) as string,
    });
    await expectExact(books.tenant);
  });

  test('shows the newest ten jobs, those that have not completed with a rate of 0', async () => {
    const books = await openCase(idle);
    const jobs: JobBody[] = [];
    for (let i = 0; i < 11; i++) jobs.push(await books.start());
    expect((await usageOf(books.tenant)).recentJobs).toEqual(
      jobs
        .reverse()
        .slice(0, 10)
        .map(({ id }) => ({ id, dataset: 'left', status: 'queued', matchRate: 0 })),
    );
  });
});

describe('the range', () => {
  test('sums what was booked in its months, whatever the current month', async () => {
    const books = await openCase();
    const jobs = [await books.reconcile(), await books.reconcile(), await books.reconcile()];
    await bookInto((jobs[0] as JobBody).id, '2024-12');
    await bookInto((jobs[1] as JobBody).id, '2025-02');
    expect(await usageOf(books.tenant, '?periodFrom=2024-12&periodTo=2025-02')).toMatchObject({
      totalMatches: 6,
      byPeriod: [
        { period: '2024-12', matches: 3 },
        { period: '2025-01', matches: 0 },
        { period: '2025-02', matches: 3 },
      ],
      byRuleSet: [{ matches: 6 }],
      byDataset: [{ matches: 6 }],
      billing: { currentPeriod: thisMonth(), matchesCount: 3 },
    });
    expect(await usageOf(books.tenant, '?periodFrom=2025-01&periodTo=2025-01')).toMatchObject({
      totalMatches: 0,
      byRuleSet: [],
      byDataset: [],
    });
  });

  test.each([
    ['periodFrom=2025-13', 'periodFrom'],
    ['periodTo=2025-00', 'periodTo'],
    ['periodFrom=2025', 'periodFrom'],
    ['periodTo=2025-1', 'periodTo'],
    ['periodFrom=2025-02&periodTo=2025-01', 'periodFrom'],
    ['periodTo=2020-01', 'periodFrom'],
    ['periodFrom=0001-01', 'periodFrom'],
    ['from=2025-01', 'from'],
  ])('?%s is refused at %s', async (query, name) => {
    const tenant = await api.newTenant();
    const { body } = await tenant.api.get(`/v1/billing/usage?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: `/query/${name}` }] });
  });
});

/** A job whose pairs are compared, and how it finishes. */
async function comparedJob(books: Books): Promise<{ job: JobBody; finish: () => Promise<void> }> {
  const { tenantId } = books.tenant;
  const handlers = createMatchingHandlers(idle.service.deps);
  const job = await books.start();
  await handlers['matching.plan']({ tenantId, jobId: job.id });
  await handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.rule_sets[0]?.id as string, batchNo: 0 });
  return { job, finish: () => handlers['matching.finish']({ tenantId, jobId: job.id }) };
}

describe('what is billed', () => {
  const billed = async (tenant: TestTenant) => {
    const { totalMatches, byPeriod, byDataset, billing } = await usageOf(tenant);
    return { totalMatches, byPeriod, byDataset, billing };
  };

  test('is not changed by deleting records, reviewing matches and deleting the rule set', async () => {
    const books = await openCase();
    const { rule_sets } = await books.reconcile();
    const before = await billed(books.tenant);
    const match = (await books.matches())['l1|r0'] as MatchBody;
    await books.tenant.api.post(`/v1/matches/${match.id}/review`, { action: 'reject' }).expect(200);
    await books.tenant.api.delete(`/v1/records/${books.recordIds.get('l0')}`).expect(204);
    await books.tenant.api.delete(`/v1/rule-sets/${rule_sets[0]?.rule_set_id}`).expect(204);
    expect(await billed(books.tenant)).toEqual(before);
    expect((await usageOf(books.tenant)).byRuleSet).toEqual([
      { ruleSetId: rule_sets[0]?.rule_set_id, name: 'rules', matches: 3 },
    ]);
  });

  test('adds what each run finds to what was booked before', async () => {
    const books = await openCase();
    const jobs = [await books.reconcile(), await books.reconcile()];
    expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: 6, matches: { byDecision: { MATCH: 3 } } });
    expect(jobs.reduce((sum, job) => sum + (job.decision_counts['MATCH'] ?? 0), 0)).toBe(6);
  });

  test('does not include what a job found that was cancelled or has not completed', async () => {
    const books = await openCase(idle);
    const { job, finish } = await comparedJob(books);
    expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: 0, matches: { total: 0, matchRate: 0 } });
    await books.tenant.api.post(`/v1/matching-jobs/${job.id}/cancel`).expect(200);
    await finish();
    expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: 0, matches: { total: 0, matchRate: 0 } });
  });

  test('is booked once, with right live counts, when the finish dies before its commit and runs twice', async () => {
    const books = await openCase(idle);
    const { finish } = await comparedJob(books);
    await whileLocked(idle, books.tenant, 'lock table matched_counts in access exclusive mode', [], async (waiters) => {
      const dying = finish();
      const died = expect(dying).rejects.toThrow();
      await waiters(1);
      await idle.service.deps.db.system.execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      await died;
    });
    expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: 0, matches: { total: 0 } });
    await finish();
    await finish();
    expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: 3, recentJobs: [{ status: 'completed' }] });
    await expectExact(books.tenant);
  });
});
