import { tableWaiter } from '@tieout/testing';
import {
  createMatchingHandlers,
  createRuleSet,
  failJobOfWorker,
  getMatchingJob,
  listMatches,
  startMatchingJobs,
  type TenantScope,
} from '../..';
import { numberedDataset, useMatchingBench } from '../../../testing/matching-bench';
import { deleteUnreviewedComposites } from '../../results/composites';
import { deleteMatches, expireResults } from '../jobs/retention';
import { cleanUpJob } from '../stage/clean-up';

const bench = useMatchingBench();
let scope: TenantScope;
let datasets: { left: string; right: string };
let ruleSets: string[];

/** Two rule sets of the same datasets, whose three records each match by `a`. */
beforeEach(async () => {
  scope = await bench.newTenant();
  datasets = { left: await numberedDataset(scope, 'left', 3), right: await numberedDataset(scope, 'right', 3) };
  ruleSets = [await ruleSet('one'), await ruleSet('two')];
});

async function ruleSet(name: string): Promise<string> {
  const { id } = await createRuleSet(scope, {
    name,
    leftDatasetId: datasets.left,
    rightDatasetId: datasets.right,
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a',
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  return id;
}

/** A job that has only to finish. */
async function unfinishedJob(ruleSetIds = ruleSets): Promise<string> {
  const {
    jobIds: [jobId = ''],
  } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], ruleSetIds);
  const { tenantId } = scope;
  const handlers = createMatchingHandlers(bench.service.deps);
  await handlers['matching.plan']({ tenantId, jobId });
  for (const { id } of (await getMatchingJob(scope, jobId)).entries)
    await handlers['matching.batch']({ tenantId, jobId, entryId: id, batchNo: 0 });
  await bench.emptyQueue();
  return jobId;
}

/** As a process of its own. */
const finish = (jobId: string): Promise<void> =>
  createMatchingHandlers(bench.service.deps)['matching.finish']({ tenantId: scope.tenantId, jobId });

const liveJobs = async (): Promise<(string | null)[]> => {
  const rows = await scope.db.orm.ruleSet.findMany({ select: { id: true, liveJobId: true } });
  return ruleSets.map((id) => rows.find((row) => row.id === id)?.liveJobId ?? null);
};
const matchesOf = async (matchingJobId?: string): Promise<number> =>
  (await listMatches(scope, { matchingJobId }, { page: 1, limit: 10 })).items.length;
const matchedCount = async (): Promise<unknown> =>
  (await scope.db.query('select count from matched_counts where tenant_id = $1::uuid', [scope.tenantId]))[0];

async function deleteLeftRecord(): Promise<void> {
  await scope.db.execute(
    `delete from records where tenant_id = $1::uuid and dataset_id = $2::uuid and data = '{"a": 3}'`,
    [scope.tenantId, datasets.left],
  );
}

test('a plan does not wait for who deletes a rule set of the job, which waits for the plan', async () => {
  const {
    jobIds: [jobId = ''],
  } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], ruleSets);
  await scope.transaction(async ({ db, tenantId }) => {
    await db.query('select id from rule_sets where tenant_id = $1::uuid for update', [tenantId]);
    await createMatchingHandlers(bench.service.deps)['matching.plan']({ tenantId, jobId });
  });
  expect((await getMatchingJob(scope, jobId)).entries.map(({ status }) => status)).toEqual(['running', 'running']);
});

test('a job that completes after a newer one does not become live; its results are superseded, and billed', async () => {
  const older = await unfinishedJob();
  await deleteLeftRecord();
  const newer = await unfinishedJob();
  await finish(newer);
  await finish(older);
  expect((await getMatchingJob(scope, older)).status).toBe('completed');
  expect(await liveJobs()).toEqual([newer, newer]);
  expect([await matchesOf(), await matchesOf(newer), await matchesOf(older), await matchedCount()]).toEqual([
    4,
    4,
    6,
    { count: 2n },
  ]);
  const billed = await scope.db.orm.billingEntry.findMany({ where: { jobId: older }, select: { matches: true } });
  expect(billed).toEqual([{ matches: 3n }, { matches: 3n }]);
  await cleanUpJob(scope, older, 0);
  expect([await matchesOf(), await matchesOf(newer), await matchesOf(older), await matchedCount()]).toEqual([
    4,
    4,
    0,
    { count: 2n },
  ]);
  expect((await getMatchingJob(scope, older)).entries.map(({ resultsExpiredAt }) => resultsExpiredAt)).toEqual([
    expect.any(Date),
    expect.any(Date),
  ]);
});

test('a job becomes live for those of its rule sets that no newer one is live for', async () => {
  const older = await unfinishedJob();
  const newer = await unfinishedJob(ruleSets.slice(1));
  await finish(newer);
  await finish(older);
  expect(await liveJobs()).toEqual([older, newer]);
  await cleanUpJob(scope, older, 0);
  expect([await matchesOf(older), await matchesOf(newer)]).toEqual([3, 3]);
});

test('results of a job that goes on after its results have expired expire again', async () => {
  const older = await unfinishedJob();
  await failJobOfWorker(scope, older, 'out of memory');
  await scope.db.execute(
    `update matching_jobs set finished_at = now() - interval '2 hours' where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, older],
  );
  await finish(await unfinishedJob());
  await cleanUpJob(scope, older, 0);
  await finish(older);
  await bench.runQueue(createMatchingHandlers(bench.service.deps));
  expect([(await getMatchingJob(scope, older)).status, await matchesOf(older)]).toEqual(['completed', 6]);
  await cleanUpJob(scope, older, 0);
  expect(await matchesOf(older)).toBe(0);
});

test.each([1, 2, 3, 4, 5])(
  'of jobs that complete at the same time the newest becomes live, in whatever order they have the rule sets (%i)',
  async () => {
    const jobs = [await unfinishedJob(), await unfinishedJob([...ruleSets].reverse()), await unfinishedJob()];
    await Promise.all(jobs.toReversed().map(finish));
    expect(await liveJobs()).toEqual([jobs[2], jobs[2]]);
    await cleanUpJob(scope, jobs[0] as string, 0);
    expect([await matchesOf(jobs[0]), await matchesOf(jobs[1]), await matchesOf()]).toEqual([0, 0, 6]);
  },
);

const addComposites = (jobId: string, ruleSetId: string, count: number): Promise<number> =>
  scope.db.execute(
    `insert into composite_matches (id, tenant_id, job_id, rule_set_id, rule_set_version, direction, status, expected_member_count, score, decision,
       target_record_id, target_amount, composed_amount, amount_delta, explanation)
     select gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, 1, 'one_to_many', (array['COMPLETE', 'PARTIAL'])[1 + no % 2], 2, 1, 'MATCH', gen_random_uuid(), 1, 1, 0, '{}'
       from generate_series(1, $4::int) no`,
    [scope.tenantId, jobId, ruleSetId, count],
  );

const addMatches = (jobId: string, ruleSetId: string, count: number): Promise<number> =>
  scope.db.execute(
    `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)
     select gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, gen_random_uuid(), gen_random_uuid(), 1, 'MATCH', '{}' from generate_series(1, $4::int)`,
    [scope.tenantId, jobId, ruleSetId, count],
  );

const deletedAtOnce = 5_000;

test.each([
  [
    'matches',
    addMatches,
    (tx: TenantScope, jobId: string, ruleSetId: string) =>
      tx.db.query(deleteMatches, [tx.tenantId, jobId, ruleSetId, deletedAtOnce]),
  ],
  [
    'composite_matches',
    addComposites,
    (tx: TenantScope, jobId: string, ruleSetId: string) =>
      deleteUnreviewedComposites(tx.db, { tenantId: tx.tenantId, jobId, ruleSetId }),
  ],
])('of %s that somebody else is deleting none is left when they count as expired', async (table, add, deleteSome) => {
  const older = await unfinishedJob();
  const [ruleSetId = ''] = ruleSets;
  await finish(older);
  await add(older, ruleSetId, deletedAtOnce + 1_000);
  await finish(await unfinishedJob());
  const expiring = await scope.transaction(async (tx) => {
    await deleteSome(tx, older, ruleSetId);
    const expiry = cleanUpJob(scope, older, 0);
    await tableWaiter(bench.service.deps.db.system, table);
    return [expiry];
  });
  await Promise.all(expiring);
  const left = await scope.db.query(
    `select count(*)::int as left from ${table} where tenant_id = $1::uuid and job_id = $2::uuid`,
    [scope.tenantId, older],
  );
  const marks = (await getMatchingJob(scope, older)).entries.map(({ resultsExpiredAt }) => resultsExpiredAt);
  expect([left, marks]).toEqual([[{ left: 0 }], [expect.any(Date), expect.any(Date)]]);
});

test('what is left of superseded composites while they are deleted in steps is what is counted', async () => {
  const older = await unfinishedJob();
  const [ruleSetId = ''] = ruleSets;
  const { tenantId } = scope;
  await addComposites(older, ruleSetId, 6_000);
  await finish(older);
  const figures = async (): Promise<unknown[]> => {
    const there = `select status, count(*) from composite_matches where tenant_id = $1::uuid and job_id = $2::uuid group by 1 order by 1`;
    const counted = `select status, count from result_counts where tenant_id = $1::uuid and job_id = $2::uuid and kind = 'composite' and count > 0 order by 1`;
    return [await scope.db.query(there, [tenantId, older]), await scope.db.query(counted, [tenantId, older])];
  };
  const all = [
    { status: 'COMPLETE', count: 3_000n },
    { status: 'PARTIAL', count: 3_000n },
  ];
  expect(await figures()).toEqual([all, all]);
  const step = () =>
    scope.transaction(({ db }) => deleteUnreviewedComposites(db, { tenantId, jobId: older, ruleSetId }));
  expect(await step()).toBe(true);
  const [there, counted] = await figures();
  expect(there).not.toEqual(all);
  expect(counted).toEqual(there);
  expect([await step(), await step(), await figures()]).toEqual([true, false, [[], []]]);
});

test('results of a job that cannot be removed keep no others from expiring, and are told', async () => {
  const system = bench.service.deps.db.system;
  const jobs = [await unfinishedJob(), await unfinishedJob(), await unfinishedJob()];
  for (const job of jobs) await finish(job);
  await system.execute(
    `create function refuse_one() returns trigger language plpgsql as $$ begin raise 'no deletion'; end $$`,
  );
  await system.execute(
    `create trigger refuse_one before delete on matches for each row when (old.job_id = '${jobs[0]}') execute function refuse_one()`,
  );
  try {
    await expect(expireResults(bench.service.deps, 0)).rejects.toThrow('2 results could not be removed');
  } finally {
    await system.execute('drop trigger refuse_one on matches');
  }
  expect(await Promise.all(jobs.map(matchesOf))).toEqual([6, 0, 6]);
});

test('of jobs that were created in the same moment one replaces the other', async () => {
  const jobs = [await unfinishedJob(), await unfinishedJob()];
  await scope.db.execute(`update matching_jobs set created_at = now() where tenant_id = $1::uuid`, [scope.tenantId]);
  for (const job of jobs.toReversed()) await finish(job);
  expect(await liveJobs()).toEqual([jobs[1], jobs[1]]);
  await cleanUpJob(scope, jobs[0] as string, 0);
  expect([await matchesOf(jobs[0]), await matchesOf(jobs[1])]).toEqual([0, 6]);
});
