import { newId, PreemptedError } from '@tieout/infra';
import {
  cancelMatchingJob,
  createMatchingHandlers,
  hasOtherTenantsWork,
  otherTenantsWait,
  planWaitMs,
  maxSnapshots,
  type TenantScope,
} from '../..';
import { enqueueBatches } from './protocol';
import { useMatchingBench } from '../../../testing/matching-bench';

const bench = useMatchingBench();

afterEach(async () => {
  await bench.service.deps.db.system.execute(`update matching_jobs set status = 'completed'`);
});

/** A running, planned job with this many open batches, all of them in the queue. */
async function runningJob(scope: TenantScope, batches: number): Promise<string> {
  const [dataset, ruleSet, job, entry] = [newId(), newId(), newId(), newId()];
  const { db, tenantId } = scope;
  await db.execute(`insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $1, 'records')`, [
    dataset,
    tenantId,
  ]);
  await db.execute(
    `insert into rule_sets (id, tenant_id, name, left_dataset_id, right_dataset_id, engine, params, updated_at)
     values ($1::uuid, $2::uuid, 'r', $3::uuid, $3::uuid, 'jsonata', '{}', now())`,
    [ruleSet, tenantId, dataset],
  );
  await db.execute(
    `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id, status, started_at, planned_at)
     values ($1::uuid, $2::uuid, $3::uuid, 'd', $1::uuid, 'running', now(), now())`,
    [job, tenantId, dataset],
  );
  await db.execute(
    `insert into job_rule_sets (id, tenant_id, job_id, rule_set_id, rule_set_name, rule_set_version, left_dataset_id, right_dataset_id, definition, position)
     values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, 'r', 1, $5::uuid, $5::uuid, '{}', 0)`,
    [entry, tenantId, job, ruleSet, dataset],
  );
  await db.execute(
    `insert into job_batches (entry_id, batch_no, tenant_id, job_id, bounds, left_rows, pairs)
     select $1::uuid, no, $2::uuid, $3::uuid, '{}', 1, 1 from generate_series(0, $4::int - 1) no`,
    [entry, tenantId, job, batches],
  );
  await enqueueBatches(scope, job);
  return job;
}

/** Runs every job of the queue one after the other and returns the tenants in the order in which they were served. */
async function servedTenants(): Promise<string[]> {
  const served: string[] = [];
  await bench.runQueue(
    {
      ...createMatchingHandlers(bench.service.deps),
      'matching.batch': ({ tenantId }) => Promise.resolve(void served.push(tenantId)),
    },
    { concurrency: 1 },
  );
  return served;
}

test('a small job of one tenant does not wait for the large job of another that came first', async () => {
  const [large, small] = [await bench.newTenant(), await bench.newTenant()];
  await runningJob(large, 10);
  await runningJob(small, 2);
  const served = await servedTenants();
  expect(served).toHaveLength(12);
  expect(served.lastIndexOf(small.tenantId)).toBeLessThan(5);
});

test('many small jobs of one tenant do not hold up the job of another', async () => {
  const [flood, other] = [await bench.newTenant(), await bench.newTenant()];
  for (let i = 0; i < 6; i++) await runningJob(flood, 1);
  await runningJob(other, 2);
  const served = await servedTenants();
  expect(served.lastIndexOf(other.tenantId)).toBeLessThan(5);
});

test('a job that is sent back to the queue runs later, and only once', async () => {
  const scope = await bench.newTenant();
  await runningJob(scope, 3);
  const served: number[] = [];
  const sentBack = new Set<number>();
  const deferMs = (payload: unknown): Promise<number> => {
    const { batchNo } = payload as { batchNo: number };
    if (sentBack.has(batchNo)) return Promise.resolve(0);
    sentBack.add(batchNo);
    return Promise.resolve(20);
  };
  await bench.runQueue(
    {
      ...createMatchingHandlers(bench.service.deps),
      'matching.batch': ({ batchNo }) => Promise.resolve(void served.push(batchNo)),
    },
    { concurrency: 1, deferMs },
  );
  expect(served.sort()).toEqual([0, 1, 2]);
});

test('a job that makes room for another tenant runs later, and has used up no attempt', async () => {
  const scope = await bench.newTenant();
  await runningJob(scope, 1);
  let runs = 0;
  const batch = (): Promise<void> => (++runs <= 10 ? Promise.reject(new PreemptedError()) : Promise.resolve());
  await bench.runQueue({ ...createMatchingHandlers(bench.service.deps), 'matching.batch': batch }, { concurrency: 1 });
  expect(runs).toBe(11);
});

test.each([
  ['has waited to be planned', 'queued', 10, true],
  ['has just come', 'queued', 0, false],
  ['is planned', 'running', 10, false],
])('a tenant makes room while a job of another one %s: %s', async (_name, status, ageSeconds, expected) => {
  const [one, other] = [await bench.newTenant(), await bench.newTenant()];
  const job = await runningJob(other, 0);
  await other.db.execute(
    `update matching_jobs set status = $2, created_at = now() - make_interval(secs => $3) where id = $1::uuid`,
    [job, status, ageSeconds],
  );
  expect(await otherTenantsWait(bench.service.deps, [one.tenantId])).toBe(expected);
  expect(await otherTenantsWait(bench.service.deps, [one.tenantId, other.tenantId])).toBe(false);
});

test('a tenant sees that others have work only while they have an open job', async () => {
  const [one, other] = [await bench.newTenant(), await bench.newTenant()];
  const job = await runningJob(other, 1);
  expect(await hasOtherTenantsWork(bench.service.deps, one.tenantId)).toBe(true);
  expect(await hasOtherTenantsWork(bench.service.deps, other.tenantId)).toBe(false);
  await other.db.execute(`update matching_jobs set status = 'completed' where id = $1::uuid`, [job]);
  expect(await hasOtherTenantsWork(bench.service.deps, one.tenantId)).toBe(false);
});

describe('a tenant whose jobs hold as many snapshots as they may', () => {
  const waitMs = ({ tenantId }: TenantScope, jobId: string): Promise<number> =>
    planWaitMs(bench.service.deps, { tenantId, jobId });
  const jobOf = async ({ db }: TenantScope, jobId: string) =>
    (
      await db.query<{ status: string; started: boolean }>(
        `select status, started_at is not null as started from matching_jobs where id = $1::uuid`,
        [jobId],
      )
    )[0];

  async function queuedJob(scope: TenantScope): Promise<string> {
    const job = await runningJob(scope, 0);
    await scope.db.execute(
      `update matching_jobs set status = 'queued', started_at = null, planned_at = null where id = $1::uuid`,
      [job],
    );
    return job;
  }

  async function fullTenant(): Promise<{ scope: TenantScope; planned: string[] }> {
    const scope = await bench.newTenant();
    const planned: string[] = [];
    for (let i = 0; i < maxSnapshots; i++) planned.push(await runningJob(scope, 1));
    return { scope, planned };
  }

  test('has no further one planned before one of them ends', async () => {
    const { scope, planned } = await fullTenant();
    const job = await queuedJob(scope);
    expect(await waitMs(scope, job)).toBeGreaterThan(0);
    await scope.db.execute(`update matching_jobs set status = 'completed' where id = $1::uuid`, [planned[3] as string]);
    expect(await waitMs(scope, job)).toBe(0);
  });

  test('can cancel one that waits, which is running and not started', async () => {
    const { scope } = await fullTenant();
    const job = await queuedJob(scope);
    await waitMs(scope, job);
    expect(await jobOf(scope, job)).toEqual({ status: 'running', started: false });
    await cancelMatchingJob(scope, job);
    expect(await waitMs(scope, job)).toBe(0);
  });

  test('keeps no other tenant waiting', async () => {
    await fullTenant();
    const other = await bench.newTenant();
    expect(await waitMs(other, await queuedJob(other))).toBe(0);
  });

  test('has jobs ask the less often the more of them wait, and at least twice a minute', async () => {
    const { scope } = await fullTenant();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) waits.push(await waitMs(scope, await queuedJob(scope)));
    expect(waits).toEqual([1, 2, 3, 4].map((place) => place * (waits[0] as number)));
    await scope.db.execute(
      `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id, status)
       select gen_random_uuid(), tenant_id, dataset_id, dataset_name, job_group_id, 'running' from matching_jobs, generate_series(1, 40) where tenant_id = $1::uuid and planned_at is null`,
      [scope.tenantId],
    );
    expect(await waitMs(scope, await queuedJob(scope))).toBeLessThanOrEqual(30_000);
  });

  test('gets back what a job that is planned has lost of its batches, however many are', async () => {
    const { scope, planned } = await fullTenant();
    const oneMore = await runningJob(scope, 1);
    expect(await Promise.all([waitMs(scope, planned[0] as string), waitMs(scope, oneMore)])).toEqual([0, 0]);
  });
});
