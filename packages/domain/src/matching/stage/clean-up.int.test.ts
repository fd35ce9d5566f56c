import { newId } from '@tieout/infra';
import { queueDrained } from '@tieout/testing';
import {
  cleanUpJob,
  createMaintenanceHandlers,
  createMatchingHandlers,
  createRuleSet,
  listMatches,
  startMatchingJobs,
  sweepStages,
  tenantScope,
  type TenantScope,
} from '../..';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';

const bench = useMatchingBench();
let scope: TenantScope;

beforeEach(async () => {
  scope = await bench.newTenant();
});

const runQueue = (): Promise<void> => bench.runQueue(createMatchingHandlers(bench.service.deps));

/** Starts a job with one match. */
async function startedJob(): Promise<string> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await numberedDataset(scope, 'left', 2),
    rightDatasetId: await numberedDataset(scope, 'right', 1),
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a',
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  return jobIds[0] as string;
}

/** Counts the snapshot tables of the tenant: two for each entry of a job. */
async function stageTables(): Promise<number> {
  const [stages] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'staging' and c.relkind = 'r'
       join job_rule_sets e on e.tenant_id = $1::uuid and replace(e.id::text, '-', '') = substr(c.relname, 3)`,
    [scope.tenantId],
  );
  return stages?.count ?? 0;
}

test('the clean-up of a completed job drops its snapshot and deletes superseded matches', async () => {
  const first = await startedJob();
  await runQueue();
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  await queueDrained(bench.service.queueSettings, 'matching');
  const maintenance = createMaintenanceHandlers(bench.service.deps, { keyIds: [] });
  for (const jobId of [first, ...jobIds]) await maintenance['matching.cleanup']({ tenantId: scope.tenantId, jobId });
  expect(await stageTables()).toBe(0);
  const matchesOf = async (matchingJobId: string) =>
    (await listMatches(scope, { matchingJobId }, { page: 1, limit: 10 })).total;
  expect([await matchesOf(first), await matchesOf(jobIds[0] as string)]).toEqual([0, 1]);
});

test('a clean-up skips earlier jobs of its rule sets without results', async () => {
  const started = async () =>
    (await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined)).jobIds[0] as string;
  const jobs = [await startedJob(), await started(), await started()];
  await scope.db.execute(
    `update matching_jobs set status = 'cancelled', finished_at = now() where tenant_id = $1::uuid`,
    [scope.tenantId],
  );
  jobs.push(await started());
  await runQueue();
  let transactions = 0;
  const counting: TenantScope = { ...scope, transaction: (work) => (transactions++, scope.transaction(work)) };
  for (const jobId of jobs) await cleanUpJob(counting, jobId, 0);
  expect(transactions).toBe(0);
});

test('a snapshot is readable for the tenant of its job only', async () => {
  const jobId = await startedJob();
  await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId: scope.tenantId, jobId });
  const tables = await scope.db.query<{ name: string }>(
    `select 'staging.' || t.kind || replace(e.id::text, '-', '') as name
       from job_rule_sets e, unnest(array['s_', 'd_']) as t (kind) where e.job_id = $1::uuid`,
    [jobId],
  );
  const rows = async ({ db }: TenantScope) =>
    Promise.all(tables.map(async ({ name }) => (await db.query(`select 1 from ${name}`)).length > 0));
  expect([await rows(scope), await rows(tenantScope(bench.service.deps, newId()))]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('the sweep drops a snapshot without a job', async () => {
  const table = `staging.s_${newId().replace(/-/g, '')}`;
  await bench.service.deps.db.system.execute(`create unlogged table ${table} (side int)`);
  await sweepStages(bench.service.deps);
  const [found] = await scope.db.query<{ name: string | null }>(`select to_regclass($1)::text as name`, [table]);
  expect(found?.name).toBeNull();
});

test('the sweep drops the snapshot of a job whose clean-up was lost or waits, a while after its end', async () => {
  const jobId = await startedJob();
  await runQueue();
  await sweepStages(bench.service.deps);
  expect(await stageTables()).toBe(2);
  await scope.db.execute(`update matching_jobs set finished_at = now() - interval '2 minutes' where id = $1::uuid`, [
    jobId,
  ]);
  await sweepStages(bench.service.deps);
  expect(await stageTables()).toBe(0);
});

describe('a locked snapshot', () => {
  /** Locks tables of the schema `staging` for the time of `work`, as a dump does. */
  const whileLocked = async <T>(tables: readonly string[], work: () => Promise<T>): Promise<T> =>
    scope.db.session(async (reader) => {
      await reader.query(
        `reset role; begin; lock table ${tables.map((table) => `staging.${table}`).join()} in access share mode`,
      );
      try {
        return await work();
      } finally {
        await reader.query('rollback');
      }
    });
  const exists = async (table: string): Promise<boolean> =>
    (await scope.db.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [`staging.${table}`]))[0]
      ?.found === true;

  test('does not keep a sweep from dropping others, and is dropped by a later one', async () => {
    const [locked, other] = [newId(), newId()].map((id) => `s_${id.replace(/-/g, '')}`) as [string, string];
    for (const table of [locked, other])
      await bench.service.deps.db.system.execute(`create unlogged table staging.${table} (side int)`);
    await whileLocked([locked], () => sweepStages(bench.service.deps));
    expect([await exists(locked), await exists(other)]).toEqual([true, false]);
    await sweepStages(bench.service.deps);
    expect(await exists(locked)).toBe(false);
  });

  test.each([
    ['completed', null],
    ['failed', { code: 'expression_timeout' }],
  ])('does not block the clean-up of a %s job; the sweep drops it once it is unlocked', async (status, error) => {
    const jobId = await startedJob();
    await runQueue();
    await bench.emptyQueue('maintenance');
    await scope.db.execute(`update matching_jobs set status = $2, error = $3::jsonb where id = $1::uuid`, [
      jobId,
      status,
      JSON.stringify(error),
    ]);
    const [entry] = await scope.db.query<{ id: string }>(
      `select replace(id::text, '-', '') as id from job_rule_sets where job_id = $1::uuid`,
      [jobId],
    );
    const tables = [`s_${entry?.id}`, `d_${entry?.id}`];
    const allExist = () => Promise.all(tables.map(exists));
    const cleanUp = () =>
      createMaintenanceHandlers(bench.service.deps, { keyIds: [] })['matching.cleanup']({
        tenantId: scope.tenantId,
        jobId,
      });
    await scope.db.execute(`update matching_jobs set finished_at = now() - interval '2 minutes' where id = $1::uuid`, [
      jobId,
    ]);
    await whileLocked(tables, async () => {
      await cleanUp();
      await sweepStages(bench.service.deps);
    });
    expect(await allExist()).toEqual([true, true]);
    await sweepStages(bench.service.deps);
    expect(await allExist()).toEqual([false, false]);
  });
});
