import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import {
  createMatchingHandlers,
  getMatchingJob,
  listCompositeMatches,
  listMatches,
  reviewCompositeMatch,
  tenantScope,
  type TenantScope,
} from '../..';
import { compositionBench } from '../../../testing/composition-bench';

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

afterAll(async () => {
  await service.close();
});

const bench = compositionBench(() => ({ scope, handlers }));
const page = { page: 1, limit: 100 };
const steps = ['before its plan', 'after its pairs', 'after its assignment', 'after its groups'] as const;

/** Finds the group A = a1 + a2 in a first job. */
async function composed(): Promise<{ id: string; firstJob: string }> {
  const date = '2025-03-10';
  await bench.newRuleSet(
    [{ no: 'A', amount: 100, date }],
    [
      { no: 'a1', amount: 60, date },
      { no: 'a2', amount: 40, date },
    ],
    { enabled: true },
  );
  const firstJob = await bench.runJob();
  const { items } = await listCompositeMatches(scope, {}, page);
  return { id: items[0]?.id as string, firstJob };
}

/** Adds a right record whose amount equals that of A. */
async function addRival(): Promise<void> {
  await scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
     select $2::uuid, $1::uuid, id, 'NEW', '{"no": "NEW", "amount": 100, "date": "2025-03-10"}', '{}', 'ready'
       from datasets where tenant_id = $1::uuid and name = 'right'`,
    [scope.tenantId, newId()],
  );
}

/** Runs a job with every step done twice, and a review before or after one of them. */
async function runWith(review: () => Promise<unknown>, at: (typeof steps)[number]): Promise<string> {
  const twice = async (step: () => Promise<unknown>): Promise<void> => {
    await step();
    await step();
  };
  const jobId = await bench.startJob();
  if (at === steps[0]) await review();
  await twice(() => bench.plan(jobId));
  await twice(() => bench.runBatches(jobId, 'pairs'));
  if (at === steps[1]) await review();
  await bench.finish(jobId);
  if (at === steps[2]) await review();
  await twice(() => bench.runBatches(jobId, 'groups'));
  if (at === steps[3]) await review();
  await twice(() => bench.finish(jobId));
  expect((await getMatchingJob(scope, jobId)).status).toBe('completed');
  return jobId;
}

const decide = (id: string, status: 'confirmed' | 'rejected') => () =>
  reviewCompositeMatch(scope, id, { status, note: null, apiKeyId: null, userId: null });

test.each(steps)('a group that is confirmed %s holds its records', async (step) => {
  const { id } = await composed();
  await addRival();
  const jobId = await runWith(decide(id, 'confirmed'), step);
  expect((await listMatches(scope, { matchingJobId: jobId }, page)).items).toEqual([]);
  expect(await bench.compositesOf(jobId)).toEqual([]);
  expect(await bench.unmatchedOf(jobId)).toEqual({ NEW: 'held' });
  const [entry] = (await getMatchingJob(scope, jobId)).entries;
  expect(entry?.decisionCounts).toMatchObject({ MATCH: 0, POSSIBLE: 0, NO_MATCH: 1 });
});

test.each(steps)('a group that is rejected %s is not found again', async (step) => {
  const { id } = await composed();
  const jobId = await runWith(decide(id, 'rejected'), step);
  expect(await bench.compositesOf(jobId)).toEqual([]);
  expect(await bench.unmatchedOf(jobId)).toEqual({ A: 'rejected', a1: 'rejected', a2: 'rejected' });
});
