import { newId, PreemptedError } from '@tieout/infra';
import {
  cancelMatchingJob,
  createMatchingHandlers,
  createRuleSet,
  hasOtherTenantsWork,
  hasOtherTenantsWaiting,
  planWaitMs,
  maxSnapshots,
  startMatchingJobs,
  type TenantScope,
} from '../..';
import { enqueueBatches } from './protocol';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';

const bench = useMatchingBench();

afterEach(async () => {
  await bench.service.deps.db.system.execute(`update matching_jobs set status = 'completed'`);
});

/** Creates a running, planned job with this many open batches, all in the queue. */
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
    `insert into job_rule_sets (id, tenant_id, job_id, rule_set_id, rule_set_name, rule_set_version, left_dataset_id,
       right_dataset_id, definition, position)
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

/** Runs all jobs of the queue one after the other and returns their tenants in the order of service. */
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

test('a small job of one tenant does not wait for an earlier large job of another', async () => {
  const [large, small] = [await bench.newTenant(), await bench.newTenant()];
  await runningJob(large, 10);
  await runningJob(small, 2);
  const served = await servedTenants();
  expect(served).toHaveLength(12);
  expect(served.lastIndexOf(small.tenantId)).toBeLessThan(5);
});

test('many small jobs of one tenant do not delay the job of another', async () => {
  const [flood, other] = [await bench.newTenant(), await bench.newTenant()];
  for (let i = 0; i < 6; i++) await runningJob(flood, 1);
  await runningJob(other, 2);
  const served = await servedTenants();
  expect(served.lastIndexOf(other.tenantId)).toBeLessThan(5);
});

test('many jobs that a tenant starts at once do not delay the plan of another', async () => {
  const [flood, other] = [await bench.newTenant(), await bench.newTenant()];
  const start = async (scope: TenantScope, count: number): Promise<void> => {
    const requests = Array.from({ length: count }, () => ({ dataset: 'left', path: '/dataset' }));
    await startMatchingJobs(scope, requests, undefined);
  };
  for (const scope of [flood, other]) {
    const leftDatasetId = await numberedDataset(scope, 'left', 1);
    const sides = { leftDatasetId, rightDatasetId: leftDatasetId };
    const logic = { engine: 'jsonata', jsonataExpr: 'true', logicJson: null } as const;
    await createRuleSet(scope, { name: 'r', ...sides, ...logic, params: { Tmatch: 1, Tpossible: 1 } });
  }
  await start(flood, 6);
  await start(other, 2);
  const served: string[] = [];
  const plan = ({ tenantId }: { tenantId: string }): Promise<void> => Promise.resolve(void served.push(tenantId));
  await bench.runQueue({ ...createMatchingHandlers(bench.service.deps), 'matching.plan': plan }, { concurrency: 1 });
  expect(served).toHaveLength(8);
  expect(served.lastIndexOf(other.tenantId)).toBeLessThan(5);
});

test('a deferred queue job runs later, and only once', async () => {
  const scope = await bench.newTenant();
  await runningJob(scope, 3);
  const served: number[] = [];
  const deferred = new Set<number>();
  const deferMs = (payload: unknown): Promise<number> => {
    const { batchNo } = payload as { batchNo: number };
    if (deferred.has(batchNo)) return Promise.resolve(0);
    deferred.add(batchNo);
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

test('a queue job preempted by another tenant runs later, and uses up no attempt', async () => {
  const scope = await bench.newTenant();
  await runningJob(scope, 1);
  let runs = 0;
  const batch = (): Promise<void> => (++runs <= 10 ? Promise.reject(new PreemptedError()) : Promise.resolve());
  await bench.runQueue({ ...createMatchingHandlers(bench.service.deps), 'matching.batch': batch }, { concurrency: 1 });
  expect(runs).toBe(11);
});

test.each([
  ['has waited to be planned', 'queued', 10, true],
  ['is new', 'queued', 0, false],
  ['is planned', 'running', 10, false],
])('a tenant yields while a job of another one %s: %s', async (_name, status, ageSeconds, expected) => {
  const [one, other] = [await bench.newTenant(), await bench.newTenant()];
  const job = await runningJob(other, 0);
  await other.db.execute(
    `update matching_jobs set status = $2, created_at = now() - make_interval(secs => $3) where id = $1::uuid`,
    [job, status, ageSeconds],
  );
  expect(await hasOtherTenantsWaiting(bench.service.deps, [one.tenantId])).toBe(expected);
  expect(await hasOtherTenantsWaiting(bench.service.deps, [one.tenantId, other.tenantId])).toBe(false);
});

test('other tenants have work only while they have an open job', async () => {
  const [one, other] = [await bench.newTenant(), await bench.newTenant()];
  const job = await runningJob(other, 1);
  expect(await hasOtherTenantsWork(bench.service.deps, one.tenantId)).toBe(true);
  expect(await hasOtherTenantsWork(bench.service.deps, other.tenantId)).toBe(false);
  await other.db.execute(`update matching_jobs set status = 'completed' where id = $1::uuid`, [job]);
  expect(await hasOtherTenantsWork(bench.service.deps, one.tenantId)).toBe(false);
});

describe('a tenant whose jobs hold the max number of snapshots', () => {
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

  test('has no further job planned before one of them ends', async () => {
    const { scope, planned } = await fullTenant();
    const job = await queuedJob(scope);
    expect(await waitMs(scope, job)).toBeGreaterThan(0);
    await scope.db.execute(`update matching_jobs set status = 'completed' where id = $1::uuid`, [planned[3] as string]);
    expect(await waitMs(scope, job)).toBe(0);
  });

  test('can cancel a waiting job, which is running and not started', async () => {
    const { scope } = await fullTenant();
    const job = await queuedJob(scope);
    await waitMs(scope, job);
    expect(await jobOf(scope, job)).toEqual({ status: 'running', started: false });
    await cancelMatchingJob(scope, job);
    expect(await waitMs(scope, job)).toBe(0);
  });

  test('delays no other tenant', async () => {
    await fullTenant();
    const other = await bench.newTenant();
    expect(await waitMs(other, await queuedJob(other))).toBe(0);
  });

  test('makes jobs poll less often the more of them wait, and at least twice a minute', async () => {
    const { scope } = await fullTenant();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) waits.push(await waitMs(scope, await queuedJob(scope)));
    expect(waits).toEqual([1, 2, 3, 4].map((position) => position * (waits[0] as number)));
    await scope.db.execute(
      `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id, status)
       select gen_random_uuid(), tenant_id, dataset_id, dataset_name, job_group_id, 'running'
         from matching_jobs, generate_series(1, 40) where tenant_id = $1::uuid and planned_at is null`,
      [scope.tenantId],
    );
    expect(await waitMs(scope, await queuedJob(scope))).toBeLessThanOrEqual(30_000);
  });

  test('can plan a planned job again, to get lost batches back, whatever the number of snapshots', async () => {
    const { scope, planned } = await fullTenant();
    const oneMore = await runningJob(scope, 1);
    expect(await Promise.all([waitMs(scope, planned[0] as string), waitMs(scope, oneMore)])).toEqual([0, 0]);
  });
});
