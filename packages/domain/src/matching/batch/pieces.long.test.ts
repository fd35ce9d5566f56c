import type { RuleSetParams, Side } from '@tieout/engine';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import {
  createMatchingHandlers,
  createRuleSet,
  getMatchingJob,
  listUnmatched,
  startMatchingJobs,
  tenantScope,
  type TenantScope,
} from '../..';
import { tinyLimits } from '../../../testing/tiny-limits';
import type { JobLimits } from '../jobs/limits';
import type { DecisionCounts } from '../jobs/read';

let service: TestService;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
});

beforeEach(async () => {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
});

afterAll(async () => {
  await service.close();
});

const words = [
  'ada',
  'Ünïcode 漢字 🎉',
  'quote " and \\ backslash',
  'tab\tline\nfeed',
  '',
  'null',
  '\u0007\u007f',
  'ada',
];

/** Creates records with repeated amounts, most of them on one day, some without block keys or filtered. */
const records = (count: number, step: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    amount: i % 11 === 0 ? 'n/a' : [10, 10.5, '10.004', 11, 250, 250.25, -3, 0, '9.99'][(i * step) % 9],
    date: i % 13 === 0 ? null : i % 3 === 0 ? `2025-03-${String(1 + (i % 20)).padStart(2, '0')}` : '2025-03-05',
    name: words[(i * step) % words.length],
    nested: { amount: i % 5, tags: ['a', { b: i % 2 === 0 }] },
    'key "with" \\ signs': i,
  }));

async function newDataset(name: string, rows: readonly object[]): Promise<string> {
  const id = newId();
  await scope.db.execute(
    `insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, 'records')`,
    [id, scope.tenantId, name],
  );
  await scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, data, fields, status)
     select r.id, $1::uuid, $2::uuid, r.data, '{}', case when r.no % 17 = 5 then 'failed' else 'ready' end
       from unnest($3::uuid[], $4::jsonb[]) with ordinality as r(id, data, no) order by md5(r.no::text)`,
    [scope.tenantId, id, rows.map(() => newId()), rows.map((row) => JSON.stringify(row))],
  );
  return id;
}

interface Result {
  batches: number;
  counts: DecisionCounts | undefined;
  pairs: number | undefined;
  matches: object[];
  unmatched: object[];
}

/** Runs a job, its batches from the last to the first, each twice, then their pieces likewise. */
async function runJob(limits: Partial<JobLimits>): Promise<Result> {
  const handlers = createMatchingHandlers(service.deps, undefined, limits);
  const { tenantId, db } = scope;
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  await handlers['matching.plan']({ tenantId, jobId });
  const runOpen = async (): Promise<number> => {
    const open = await db.query<{ entryId: string; batchNo: number }>(
      `select entry_id as "entryId", batch_no as "batchNo" from job_batches
        where job_id = $1::uuid and not done order by batch_no desc`,
      [jobId],
    );
    for (const batch of [...open, ...open]) await handlers['matching.batch']({ tenantId, jobId, ...batch });
    return open.length;
  };
  while ((await runOpen()) > 0);
  await handlers['matching.finish']({ tenantId, jobId });
  const job = await getMatchingJob(scope, jobId);
  expect(job).toMatchObject({ status: 'completed', entries: [{ pairsProcessed: job.entries[0]?.pairsTotal }] });
  const unmatched = await Promise.all(
    (['left', 'right'] as const).map(
      async (side) =>
        (await listUnmatched(scope, jobId, { side, include: ['filtered', 'failed'] }, { page: 1, limit: 1_000 })).items,
    ),
  );
  return {
    batches: job.entries[0]?.batchesCompleted ?? 0,
    counts: job.entries[0]?.decisionCounts,
    pairs: job.entries[0]?.pairsTotal,
    matches: await db.query(
      `select left_record_id, right_record_id, score, decision, explanation from matches
        where job_id = $1::uuid order by 1, 2`,
      [jobId],
    ),
    unmatched: unmatched.flat().map(({ record, reason }) => ({ id: record.id, reason })),
  };
}

/** Makes a rule set that compares new datasets of these records. */
async function newRuleSet(sides: Record<Side, readonly object[]>, params: RuleSetParams): Promise<void> {
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: await newDataset('left', sides.left),
    rightDatasetId: await newDataset('right', sides.right),
    engine: 'jsonata-batch',
    jsonataExpr: null,
    params,
    logicJson: null,
  });
}

/** Counts the tables of snapshots: nothing cleans up here. */
async function stageTables(): Promise<number> {
  const [found] = await service.deps.db.system.query<{ count: number }>(
    `select count(*)::int as count from pg_tables where schemaname = 'staging'`,
  );
  return found?.count ?? 0;
}

const matchers: RuleSetParams['matchers'] = [
  { expr: 'left.amount = right.amount', weight: 2 },
  { expr: 'left.name = right.name' },
];
const base: RuleSetParams = { Tmatch: 0.9, Tpossible: 0.3, matchers };

test.each<[string, RuleSetParams]>([
  ['buckets and days', { ...base, blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 2 } }],
  ['buckets alone', { ...base, blocking: { amountKey: 'amount' } }],
  ['days alone', { ...base, blocking: { dateKey: 'date', dateToleranceDays: 0 } }],
  [
    'a tolerance and days',
    { ...base, blocking: { amountKey: 'amount', amountTolerancePercent: 5, dateKey: 'date', dateToleranceDays: 30 } },
  ],
  ['a tolerance that lets signs meet', { ...base, blocking: { amountKey: 'amount', amountTolerancePercent: 120 } }],
  [
    'buckets smaller than a cent',
    { ...base, blocking: { amountKey: 'amount', amountBucketSize: 0.004, amountBucketWindow: 2 } },
  ],
  ['a key inside a value', { ...base, blocking: { amountKey: 'nested.amount', amountBucketWindow: 0 } }],
  [
    'filters, and all fields',
    {
      ...base,
      filters: ['$count($keys(left)) > 1', `left.name != 'ada'`],
      blocking: { dateKey: 'date', dateToleranceDays: 1 },
    },
  ],
  [
    'rules that list their pairs',
    {
      ...base,
      blocking: {
        rules: [
          { keys: [{ expr: 'nested.tags[0]' }], dateKey: 'date', dateFromDays: 0, dateToDays: 3 },
          { amountKey: 'amount', amountTolerance: 0.5 },
          { keys: [{ expr: 'name' }] },
          { text: { left: 'name', right: 'name', top: 2 } },
        ],
      },
    },
  ],
  ['no blocking', { ...base, matchers: [{ expr: `left.'key "with" \\\\ signs' = right.'key "with" \\\\ signs'` }] }],
])('%s: however a job is cut, and wherever its snapshot is, the result is that of one batch', async (_name, params) => {
  await newRuleSet({ left: records(36, 1), right: records(25, 2) }, params);
  const whole = await runJob({});
  const pieces = await runJob(tinyLimits);
  expect(whole.batches).toBe(1);
  expect(pieces.batches).toBeGreaterThan(3);
  expect({ ...pieces, batches: 1 }).toEqual(whole);
  const tables = await stageTables();
  expect(await runJob({ smallJobPairs: 10_000 })).toEqual(whole);
  expect(await stageTables()).toBe(tables);
  expect(await runJob({ ...tinyLimits, smallJobPairs: 10_000 })).toEqual(pieces);
});

test('records that are dense in small values are cut into batches and chunks by their parsed size', async () => {
  const dense = Array.from({ length: 20 }, (_, i) => ({ i, a: Array.from({ length: 1_000 + i }, () => ({})) }));
  await newRuleSet(
    { left: dense, right: dense },
    { ...base, matchers: [{ expr: 'left.a = right.a' }, { expr: '$count(left.a) = $count(right.a)' }] },
  );
  const whole = await runJob({});
  // The text of a side, some 80 KB, would be within these limits.
  const pieces = await runJob({ leftBytes: 100_000, chunkBytes: 100_000 });
  expect([whole.batches, pieces.batches]).toEqual([1, 3]);
  expect({ ...pieces, batches: 1 }).toEqual(whole);
});

test.each<[string, RuleSetParams, keyof DecisionCounts]>([
  ['no blocking', base, 'POSSIBLE'],
  [
    'buckets and days of any width',
    { ...base, blocking: { amountKey: 'nested.amount', amountBucketSize: 3, dateKey: 'date', dateToleranceDays: 20 } },
    'NO_MATCH',
  ],
  ['listed pairs', { ...base, blocking: { keys: [{ expr: 'nested.tags[0]' }] } }, 'MATCH'],
  ['errors', { ...base, matchers: [{ expr: 'left.name < right.amount' }, ...matchers] }, 'ERROR'],
  ['one to one', { ...base, assignment: 'one_to_one' }, 'MATCH'],
])(
  '%s: a job whose batches are all cut again has the result of a job without cuts',
  async (_name, params, decision) => {
    await newRuleSet({ left: records(36, 1), right: records(25, 2) }, params);
    const never = { paceMs: Infinity };
    const always = { paceMs: 0, longBatches: 0 };
    const whole = await runJob(never);
    const halved = await runJob(always);
    const pieces = await runJob({ ...tinyLimits, leftRows: 20, leftBytes: 10_000, ...always });
    expect(whole.counts?.[decision]).toBeGreaterThan(0);
    expect(halved.batches).toBeGreaterThan(whole.batches + 3);
    const tables = await stageTables();
    const begunSmall = await runJob({ ...always, smallJobPairs: 10_000 });
    expect(begunSmall.batches).toBe(halved.batches);
    expect(await stageTables()).toBe(tables + 2);
    for (const cut of [halved, pieces, begunSmall]) expect({ ...cut, batches: whole.batches }).toEqual(whole);
  },
);

test.each<[string, string]>([
  [
    'declares fields',
    `insert into dataset_fields (id, tenant_id, dataset_id, name, key, type)
     values ($1::uuid, $2::uuid, $3::uuid, 'a', 'a', 'number')`,
  ],
  [
    'has lost its fields while its records still hold them',
    `update datasets set fields_version = 2 where $1::uuid is not null and tenant_id = $2::uuid and id = $3::uuid`,
  ],
])('a dataset that %s is read with normalised values, and the rest as it was sent', async (_name, change) => {
  const leftDatasetId = await newDataset('left', [
    { a: 'one', b: 7 },
    { a: 'two', b: 8 },
  ]);
  const rightDatasetId = await newDataset('right', [
    { a: 1, b: 7 },
    { a: 'two', b: 8 },
  ]);
  await scope.db.execute(change, [newId(), scope.tenantId, leftDatasetId]);
  await scope.db.execute(
    `update records set fields = '{"a": 1}' where dataset_id = $1::uuid and data ->> 'a' = 'one'`,
    [leftDatasetId],
  );
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId,
    rightDatasetId,
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a and left.b = right.b',
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  expect((await runJob({})).counts).toMatchObject({ MATCH: 2 });
});
