import type { RuleSetParams } from '@tieout/engine';
import { tableWaiter } from '@tieout/testing';
import {
  createMatchingHandlers,
  createRuleSet,
  getMatchingJob,
  listMatches,
  listUnmatched,
  startMatchingJobs,
  type RecordView,
} from '../..';
import { usePairJobs } from '../../../testing/pair-jobs';

const jobs = usePairJobs();
const params: RuleSetParams = { Tmatch: 1, Tpossible: 1 };
const jsonataExpr = 'left.a = right.a';

test('unmatched lists every record without a MATCH, with its reason and its best POSSIBLE', async () => {
  const filtering: RuleSetParams = {
    Tmatch: 0.9,
    Tpossible: 0.4,
    filters: [`left.name != 'skip'`],
    matchers: [{ expr: 'left.amount = right.amount' }, { expr: 'left.name = right.name' }],
    blocking: { amountKey: 'amount' },
  };
  const { job, matches } = await jobs.run({
    lefts: [
      { amount: 1, name: 'ada' },
      { amount: 2, name: 'x' },
      { amount: 50, name: 'far' },
      { name: 'none' },
      { amount: 3, name: 'skip' },
      { amount: 9.5, name: 'low' },
    ],
    rights: [
      { amount: 1, name: 'ada' },
      { amount: 2, name: 'bob' },
      { amount: 10, name: 'y' },
    ],
    params: filtering,
  });
  const list = (side: 'left' | 'right', include: ('filtered' | 'failed')[] = []) =>
    listUnmatched(jobs.scope, job.id, { side, include }, { page: 1, limit: 100 });
  const reasons = async (...args: Parameters<typeof list>) =>
    (await list(...args)).items
      .map(({ record, reason }) => [(JSON.parse((record as RecordView).data.text) as { name: string }).name, reason])
      .reverse();
  expect(await reasons('left')).toEqual([
    ['x', 'possible_only'],
    ['far', 'no_candidate'],
    ['none', 'unblocked'],
    ['low', 'below_threshold'],
  ]);
  expect(await reasons('left', ['filtered'])).toContainEqual(['skip', 'filtered']);
  expect(await reasons('right')).toEqual([
    ['bob', 'possible_only'],
    ['y', 'below_threshold'],
  ]);
  const best = (await list('left')).items.find((u) => u.reason === 'possible_only')?.bestPossible;
  expect(best).toEqual({
    matchId: matches.get('l1|r1')?.id,
    recordId: matches.get('l1|r1')?.rightRecordId,
    score: 0.5,
  });
});

test('a job without blocking is refused above the limit of pairs, with the count', async () => {
  jobs.service.deps.settings.maxUnblockedPairs = 5;
  try {
    const { job } = await jobs.run({ lefts: [{}, {}, {}], rights: [{}, {}], params, jsonataExpr: 'true' });
    expect(job).toMatchObject({ status: 'failed', error: { code: 'too_many_pairs' } });
    expect(job.error?.message).toContain('6 pairs');
  } finally {
    jobs.service.deps.settings.maxUnblockedPairs = 50_000_000;
  }
});

test('an expression that throws counts as an ERROR, stored with its records, and the job completes', async () => {
  const { job, matches } = await jobs.run({
    lefts: [{ a: 'x' }, { a: 1 }],
    rights: [{ a: 2 }],
    params,
    jsonataExpr: '$abs(left.a) <= right.a',
  });
  expect(job.status).toBe('completed');
  expect(job.entries[0]?.decisionCounts).toMatchObject({ MATCH: 1, ERROR: 1 });
  expect(job.entries[0]?.errors).toEqual([
    {
      left_record_id: expect.any(String) as string,
      right_record_id: expect.any(String) as string,
      code: 'T0410',
      message: expect.any(String) as string,
      expression: 'jsonataExpr',
    },
  ]);
  expect([...matches.keys()]).toEqual(['l1|r0']);
});

test('a completed job replaces the live matches of its rule set in one step', async () => {
  const { ruleSetId, job } = await jobs.run({ lefts: [{ a: 1 }], rights: [{ a: 1 }], params, jsonataExpr });
  const live = () => listMatches(jobs.scope, { ruleSetId }, { page: 1, limit: 10 });
  const before = await live();
  const next = await jobs.rerun(job.datasetName);
  const after = await live();
  expect(before.items.map((m) => m.matchingJobId)).toEqual([job.id]);
  expect(after.items.map((m) => m.matchingJobId)).toEqual([next.id]);
});

test('a batch and a finish that run again change nothing', async () => {
  const { job, matches } = await jobs.run({ lefts: [{ a: 1 }, { a: 2 }], rights: [{ a: 1 }], params, jsonataExpr });
  const handlers = createMatchingHandlers(jobs.service.deps);
  const { tenantId } = jobs.scope;
  await handlers['matching.plan']({ tenantId, jobId: job.id });
  await handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.entries[0]?.id as string, batchNo: 0 });
  await handlers['matching.finish']({ tenantId, jobId: job.id });
  expect(await getMatchingJob(jobs.scope, job.id)).toEqual(job);
  expect(await jobs.matchesOf(job)).toEqual(matches);
});

test('a snapshot emptied by a database crash is taken again', async () => {
  const { scope } = jobs;
  const { tenantId, db } = scope;
  const leftDatasetId = await jobs.newDataset('l-', [{ a: 1 }, { a: 2 }]);
  const rightDatasetId = await jobs.newDataset('r-', [{ a: 2 }]);
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId,
    rightDatasetId,
    engine: 'jsonata',
    jsonataExpr,
    params,
    logicJson: null,
  });
  let jobId = '';
  await jobs.withoutWorker(async () => {
    ({
      jobIds: [jobId = ''],
    } = await startMatchingJobs(scope, [{ dataset: 'l-', path: '/dataset' }], undefined));
    const handlers = createMatchingHandlers(jobs.service.deps);
    await handlers['matching.plan']({ tenantId, jobId });
    const [entry] = await db.query<{ id: string }>('select id from job_rule_sets where job_id = $1::uuid', [jobId]);
    await jobs.service.deps.db.system.execute(`truncate staging.s_${entry?.id.replace(/-/g, '')}`);
    await handlers['matching.batch']({ tenantId, jobId, entryId: entry?.id as string, batchNo: 0 });
  });
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'completed',
    entries: [{ decisionCounts: { MATCH: 1 } }],
  });
});

test('a job and its entries are read in one snapshot', async () => {
  const row = { amount: 1, date: '2025-01-01', name: 'a' };
  const { scope, service } = jobs;
  const { job } = await jobs.run({
    lefts: [row],
    rights: [row],
    params: {
      matchers: [{ id: 'name', expr: 'left.name = right.name' }],
      Tmatch: 0.5,
      Tpossible: 0.2,
      blocking: { amountKey: 'amount', amountBucketWindow: 0, dateKey: 'date', dateToleranceDays: 0 },
    },
  });
  await scope.db.execute(`update matching_jobs set status = 'running' where tenant_id = $1::uuid`, [scope.tenantId]);
  await scope.db.execute(`update job_rule_sets set status = 'running' where tenant_id = $1::uuid`, [scope.tenantId]);

  const reading = await scope.db.session(async (writer) => {
    await writer.query('begin');
    await writer.query('lock table job_rule_sets in access exclusive mode');
    const view = getMatchingJob(scope, job.id);
    await tableWaiter(service.deps.db.system, 'job_rule_sets');
    await writer.query(`update matching_jobs set status = 'completed' where id = $1`, [job.id]);
    await writer.query(`update job_rule_sets set status = 'completed' where job_id = $1`, [job.id]);
    await writer.query('commit');
    return view;
  });

  expect([reading.status, ...reading.entries.map((entry) => entry.status)]).toEqual(['completed', 'completed']);
});
