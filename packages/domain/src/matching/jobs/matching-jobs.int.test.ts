import fc from 'fast-check';
import type { RuleSetParams } from '@tieout/engine';
import { createConsumer, newId, type Consumer } from '@tieout/infra';
import { createTestService, queueDrained, tableWaiter, type TestService } from '@tieout/testing';
import {
  createMatchingHandlers,
  createRuleSet,
  getMatchingJob,
  jobCatalog,
  listMatches,
  listUnmatched,
  startMatchingJobs,
  tenantScope,
  type Match,
  type MatchingJobView,
  type RecordView,
  type TenantScope,
} from '../..';

interface Sample {
  amount: string | number | null;
  date: string | null;
  name: string;
}

let service: TestService;
let consumer: Consumer;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
  consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: service.queueSettings,
    logger: service.deps.logger,
    concurrency: 2,
    handlers: createMatchingHandlers(service.deps),
  });
});

afterAll(async () => {
  await consumer.close();
  await service.close();
});

beforeEach(async () => {
  scope = await newTenant();
});

async function newTenant(): Promise<TenantScope> {
  const tenantId = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
  return tenantScope(service.deps, tenantId);
}

async function newDataset(name: string, rows: readonly object[]): Promise<string> {
  const id = newId();
  await scope.db.execute('insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, $4)', [
    id,
    scope.tenantId,
    name,
    'records',
  ]);
  await scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
     select r.id, $1::uuid, $2::uuid, r.external_id, r.data, '{}', 'ready'
       from unnest($3::uuid[], $4::text[], $5::jsonb[]) as r(id, external_id, data)`,
    [
      scope.tenantId,
      id,
      rows.map(() => newId()),
      rows.map((_, i) => `${name}${i}`),
      rows.map((r) => JSON.stringify(r)),
    ],
  );
  return id;
}

type SeenMatch = Omit<Match, 'explanation'> & { explanation: Record<string, unknown> };

interface RunResult {
  job: MatchingJobView;
  /** By `left external id|right external id`. */
  matches: Map<string, SeenMatch>;
  ruleSetId: string;
}

async function run(
  lefts: readonly object[],
  rights: readonly object[],
  params: RuleSetParams,
  jsonataExpr: string | null = null,
): Promise<RunResult> {
  const suffix = newId();
  const leftDatasetId = await newDataset(`l${suffix}-`, lefts);
  const rightDatasetId = await newDataset(`r${suffix}-`, rights);
  const ruleSet = await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId,
    rightDatasetId,
    engine: params.matchers ? 'jsonata-batch' : 'jsonata',
    jsonataExpr,
    params,
    logicJson: null,
  });
  const job = await rerun(`l${suffix}-`);
  return { job, matches: await matchesOf(job.id, suffix), ruleSetId: ruleSet.id };
}

async function rerun(dataset: string): Promise<MatchingJobView> {
  const { jobIds } = await startMatchingJobs(scope, [{ dataset, path: '/dataset' }], undefined);
  await queueDrained(service.queueSettings, 'matching');
  return getMatchingJob(scope, jobIds[0] as string);
}

async function matchesOf(jobId: string, suffix: string): Promise<Map<string, SeenMatch>> {
  const externalIds = new Map(
    (
      await scope.db.query<{ id: string; name: string }>(
        'select id, external_id as name from records where tenant_id = $1::uuid',
        [scope.tenantId],
      )
    ).map((r) => [r.id, r.name.replace(`${suffix}-`, '')]),
  );
  const found = new Map<string, SeenMatch>();
  let cursor: string | undefined;
  do {
    const page = await listMatches(
      scope,
      { matchingJobId: jobId },
      { page: 1, limit: 100, ...(cursor === undefined ? {} : { cursor }) },
    );
    for (const { explanation, ...m } of page.items) {
      const pair = `${externalIds.get(m.leftRecordId)}|${externalIds.get(m.rightRecordId)}`;
      found.set(pair, { ...m, explanation: JSON.parse(explanation.text) as Record<string, unknown> });
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const cents = (value: string | number | null): number | null =>
  value === null || value === 'n/a' ? null : Math.round(Number(value) * 100);
const dayOf = (date: string | null): number | null =>
  date === null || date === 'soon' ? null : Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 86_400_000);

/** What comparing every pair, one by one and in the plainest way, gives. */
function bruteForce(
  lefts: readonly Sample[],
  rights: readonly Sample[],
  blocking: BlockingCase,
  thresholds: { Tmatch: number; Tpossible: number },
) {
  const counts = { pairs: 0, MATCH: 0, POSSIBLE: 0, NO_MATCH: 0 };
  const decisions = new Map<string, string>();
  lefts.forEach((l, i) =>
    rights.forEach((r, j) => {
      if (!blocking.candidate(l, r)) return;
      counts.pairs++;
      const values: (boolean | null)[] = [
        cents(l.amount) !== null && cents(l.amount) === cents(r.amount),
        l.name === 'ghost' ? null : l.name === r.name,
      ];
      const weights = [2, 1];
      let sum = 0;
      let weight = 0;
      values.forEach((v, k) => {
        if (v === null) return;
        weight += weights[k] as number;
        if (v) sum += weights[k] as number;
      });
      const score = weight === 0 ? 0 : sum / weight;
      const decision = score >= thresholds.Tmatch ? 'MATCH' : score >= thresholds.Tpossible ? 'POSSIBLE' : 'NO_MATCH';
      counts[decision]++;
      if (decision !== 'NO_MATCH') decisions.set(`l${i}|r${j}`, decision);
    }),
  );
  return { counts, decisions };
}

interface BlockingCase {
  params: Pick<RuleSetParams, 'blocking'>;
  candidate: (l: Sample, r: Sample) => boolean;
}

const near = (a: number | null, b: number | null, within: (x: number, y: number) => boolean): boolean =>
  a !== null && b !== null && within(a, b);

const blockingCase: fc.Arbitrary<BlockingCase> = fc.oneof(
  fc
    .record({ size: fc.constantFrom(0.01, 0.5, 1, 10), window: fc.nat(2), days: fc.option(fc.nat(3)) })
    .map(({ size, window, days }) => ({
      params: {
        blocking: {
          amountKey: 'amount',
          amountBucketSize: size,
          amountBucketWindow: window,
          ...(days === null ? {} : { dateKey: 'date', dateToleranceDays: days }),
        },
      },
      candidate: (l: Sample, r: Sample) =>
        near(cents(l.amount), cents(r.amount), (x, y) => {
          const bucket = (v: number): number => Math.floor(Math.abs(v) / Math.round(size * 100));
          return Math.abs(bucket(x) - bucket(y)) <= window;
        }) &&
        (days === null || near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days)),
    })),
  fc.record({ percent: fc.constantFrom(0, 1, 10, 100), days: fc.nat(3) }).map(({ percent, days }) => ({
    params: {
      blocking: { amountKey: 'amount', amountTolerancePercent: percent, dateKey: 'date', dateToleranceDays: days },
    },
    candidate: (l: Sample, r: Sample) =>
      near(
        cents(l.amount),
        cents(r.amount),
        (x, y) => Math.abs(x - y) * 100 <= percent * Math.max(Math.abs(x), Math.abs(y)),
      ) && near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days),
  })),
  fc.nat(2).map((days) => ({
    params: { blocking: { dateKey: 'date', dateToleranceDays: days } },
    candidate: (l: Sample, r: Sample) => near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days),
  })),
  fc.constant<BlockingCase>({ params: {}, candidate: () => true }),
);

const sample: fc.Arbitrary<Sample> = fc.record({
  amount: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -300, max: 3000 }).map((c) => c / 100) },
    { weight: 2, arbitrary: fc.constantFrom('10.00', '-3.5', '0', 12.5, 100) },
    { weight: 1, arbitrary: fc.constantFrom(null, 'n/a') },
  ),
  date: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }).map((d) => `2025-03-0${d}`) },
    { weight: 1, arbitrary: fc.constantFrom('2025-03-03T23:59:59Z', null, 'soon') },
  ),
  name: fc.constantFrom('ada', 'bob', 'ghost'),
});

const matchers = [
  { expr: '$number(left.amount) = $number(right.amount)', weight: 2 },
  { expr: `left.name = 'ghost' ? null : left.name = right.name`, weight: 1 },
];

test('candidate pairs and decisions equal those of comparing every pair', async () => {
  const thresholds = { Tmatch: 0.9, Tpossible: 0.3 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(sample, { maxLength: 25 }),
      fc.array(sample, { maxLength: 25 }),
      blockingCase,
      async (lefts, rights, blocking) => {
        scope = await newTenant();
        const readable = matchers.map((m) => ({
          ...m,
          expr: m.expr.replace(
            /\$number\((\w+)\.amount\)/g,
            `($1.amount = null or $1.amount = 'n/a' ? {'of': '$1'} : $number($1.amount))`,
          ),
        }));
        const { job, matches } = await run(lefts, rights, { ...thresholds, ...blocking.params, matchers: readable });
        const expected = bruteForce(lefts, rights, blocking, thresholds);
        const { NO_MATCH, MATCH, POSSIBLE, ERROR } = job.entries[0]?.decisionCounts ?? {};
        expect({ status: job.status, error: job.error }).toEqual({ status: 'completed', error: null });
        expect(job.entries[0]).toMatchObject({
          pairsTotal: expected.counts.pairs,
          pairsProcessed: expected.counts.pairs,
        });
        expect({ NO_MATCH, MATCH, POSSIBLE, ERROR }).toEqual({
          NO_MATCH: expected.counts.NO_MATCH,
          MATCH: expected.counts.MATCH,
          POSSIBLE: expected.counts.POSSIBLE,
          ERROR: 0,
        });
        expect(new Map([...matches].map(([pair, m]) => [pair, m.decision]))).toEqual(expected.decisions);
      },
    ),
    { numRuns: 40 },
  );
}, 180_000);

test('the same input gives the same result, whatever the batches and the workers do', async () => {
  const rows = (seed: number): object[] =>
    Array.from({ length: 400 }, (_, i) => ({
      amount: ((i * 7 + seed) % 90) / 10,
      date: `2025-03-${String(1 + (i % 20)).padStart(2, '0')}`,
      name: `n${(i * seed) % 5}`,
    }));
  const params: RuleSetParams = {
    Tmatch: 0.6,
    Tpossible: 0.3,
    assignment: 'one_to_one',
    matchers: [{ expr: 'left.amount = right.amount', weight: 2 }, { expr: 'left.name = right.name' }],
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 4 },
  };
  const strip = ({ matches }: RunResult): Map<string, object> =>
    new Map(
      [...matches].sort().map(([pair, { decision, score, explanation }]) => [pair, { decision, score, explanation }]),
    );
  const first = await run(rows(3), rows(11), params);
  const second = await run(rows(3), rows(11), params);
  expect(strip(second)).toEqual(strip(first));
  expect(first.job.entries[0]?.decisionCounts).toEqual(second.job.entries[0]?.decisionCounts);
});

test('one_to_one leaves a record in at most one MATCH and turns the losers into POSSIBLE with conflict', async () => {
  const { matches, job } = await run(
    [{ amount: 10, name: 'ada' }],
    [
      { amount: 10, name: 'ada' },
      { amount: 10, name: 'bob' },
    ],
    {
      Tmatch: 0.5,
      Tpossible: 0.2,
      assignment: 'one_to_one',
      matchers: [{ expr: 'left.amount = right.amount', weight: 3 }, { expr: 'left.name = right.name' }],
      blocking: { amountKey: 'amount' },
    },
  );
  expect(matches.get('l0|r0')?.decision).toBe('MATCH');
  expect(matches.get('l0|r1')).toMatchObject({ decision: 'POSSIBLE', explanation: { conflict: true } });
  expect(job.entries[0]?.decisionCounts).toMatchObject({ MATCH: 1, POSSIBLE: 1, NO_MATCH: 0 });
});

test('an exact tie leaves all its pairs POSSIBLE and ambiguous', async () => {
  const { matches } = await run([{ amount: 10 }], [{ amount: 10 }, { amount: 10 }], {
    Tmatch: 0.5,
    Tpossible: 0.2,
    assignment: 'one_to_one',
    matchers: [{ expr: 'left.amount = right.amount' }],
    blocking: { amountKey: 'amount' },
  });
  expect([...matches.values()].map((m) => [m.decision, m.explanation['ambiguous']])).toEqual([
    ['POSSIBLE', true],
    ['POSSIBLE', true],
  ]);
});

/** The pairs of a job without assignment, as one-to-one assignment decides them: level by level, over plain lists. */
function assigned(matches: RunResult['matches']): Map<string, [string, string?]> {
  const pairs = [...matches]
    .filter(([, m]) => m.decision === 'MATCH')
    .map(([pair, m]) => {
      const [left, right] = pair.split('|');
      const size = (key: string): number =>
        typeof m.explanation[key] === 'number' ? Math.abs(m.explanation[key]) : Infinity;
      return { pair, left, right, rank: [-m.score, size('dayDelta'), size('amountDelta')] };
    });
  const apart = (one: number[], other: number[]): number =>
    one.map((value, i) => (value === other[i] ? 0 : value - (other[i] as number))).find((d) => d !== 0) ?? 0;
  const found = new Map<string, [string, string?]>([...matches].map(([pair, m]) => [pair, [m.decision]]));
  const used = new Set<string | undefined>();
  let rest = pairs.sort((one, other) => apart(one.rank, other.rank));
  while (rest[0]) {
    const { rank } = rest[0];
    const level = rest.filter((one) => apart(one.rank, rank) === 0);
    rest = rest.slice(level.length);
    const free = level.filter(({ left, right }) => !used.has(left) && !used.has(right));
    for (const one of level) {
      const rivals = free.filter(({ left, right }) => left === one.left || right === one.right);
      if (!free.includes(one)) found.set(one.pair, ['POSSIBLE', 'conflict']);
      else if (rivals.length > 1) found.set(one.pair, ['POSSIBLE', 'ambiguous']);
    }
    for (const { left, right } of free) used.add(left).add(right);
  }
  return found;
}

test('one_to_one decides each pair as taking the best first does, and says of each loser why', async () => {
  const rows = (count: number, seed: number): object[] =>
    Array.from({ length: count }, (_, i) => ({
      amount: ((i * 7 + seed) % 11) / 2,
      ...(i % 9 === 0 ? {} : { date: `2025-03-${String(1 + ((i * seed) % 28)).padStart(2, '0')}` }),
      name: `n${(i * seed) % 4}`,
    }));
  const params: RuleSetParams = {
    Tmatch: 0.3,
    Tpossible: 0.1,
    matchers: [{ expr: 'left.name = right.name' }, { expr: 'left.date = right.date' }, { expr: 'true' }],
    blocking: { amountKey: 'amount' },
  };
  const plain = await run(rows(80, 3), rows(70, 5), params);
  const { matches, job } = await run(rows(80, 3), rows(70, 5), { ...params, assignment: 'one_to_one' });
  const expected = assigned(plain.matches);
  const kinds = new Map(
    [...matches].map(([pair, { decision, explanation }]) => [
      pair,
      [decision, ...['conflict', 'ambiguous'].filter((flag) => explanation[flag] === true)],
    ]),
  );
  expect(kinds).toEqual(expected);
  const count = (...kind: string[]): number => [...expected.values()].filter((of) => of.join() === kind.join()).length;
  expect([count('MATCH'), count('POSSIBLE', 'conflict'), count('POSSIBLE', 'ambiguous')].every((n) => n > 5)).toBe(
    true,
  );
  expect(job.entries[0]?.decisionCounts).toMatchObject({
    MATCH: count('MATCH'),
    POSSIBLE: expected.size - count('MATCH'),
  });
});

test('unmatched lists every record without a MATCH, with the reason and the best POSSIBLE', async () => {
  const params: RuleSetParams = {
    Tmatch: 0.9,
    Tpossible: 0.4,
    filters: [`left.name != 'skip'`],
    matchers: [{ expr: 'left.amount = right.amount' }, { expr: 'left.name = right.name' }],
    blocking: { amountKey: 'amount' },
  };
  const { job, matches } = await run(
    [
      { amount: 1, name: 'ada' },
      { amount: 2, name: 'x' },
      { amount: 50, name: 'far' },
      { name: 'none' },
      { amount: 3, name: 'skip' },
      { amount: 9.5, name: 'low' },
    ],
    [
      { amount: 1, name: 'ada' },
      { amount: 2, name: 'bob' },
      { amount: 10, name: 'y' },
    ],
    params,
  );
  const list = (side: 'left' | 'right', include: ('filtered' | 'failed')[] = []) =>
    listUnmatched(scope, job.id, { side, include }, { page: 1, limit: 100 });
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
  service.deps.settings.maxUnblockedPairs = 5;
  try {
    const { job } = await run([{}, {}, {}], [{}, {}], { Tmatch: 1, Tpossible: 1 }, 'true');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'too_many_pairs' } });
    expect(job.error?.message).toContain('6 pairs');
  } finally {
    service.deps.settings.maxUnblockedPairs = 50_000_000;
  }
});

test('an expression that throws counts an ERROR, kept with its records, and the job completes', async () => {
  const { job, matches } = await run(
    [{ a: 'x' }, { a: 1 }],
    [{ a: 2 }],
    { Tmatch: 1, Tpossible: 1 },
    '$abs(left.a) <= right.a',
  );
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
  const { ruleSetId, job } = await run([{ a: 1 }], [{ a: 1 }], { Tmatch: 1, Tpossible: 1 }, 'left.a = right.a');
  const live = () => listMatches(scope, { ruleSetId }, { page: 1, limit: 10 });
  const before = await live();
  const next = await rerun(job.datasetName);
  const after = await live();
  expect(before.items.map((m) => m.matchingJobId)).toEqual([job.id]);
  expect(after.items.map((m) => m.matchingJobId)).toEqual([next.id]);
});

test('a batch and a finish that run again change nothing', async () => {
  const { job, matches } = await run([{ a: 1 }, { a: 2 }], [{ a: 1 }], { Tmatch: 1, Tpossible: 1 }, 'left.a = right.a');
  const handlers = createMatchingHandlers(service.deps);
  const { tenantId } = scope;
  await handlers['matching.plan']({ tenantId, jobId: job.id });
  await handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.entries[0]?.id as string, batchNo: 0 });
  await handlers['matching.finish']({ tenantId, jobId: job.id });
  expect(await getMatchingJob(scope, job.id)).toEqual(job);
  const suffix = job.datasetName.slice(1, -1);
  expect(await matchesOf(job.id, suffix)).toEqual(matches);
});

test('a snapshot that a database crash has emptied is taken again', async () => {
  const leftDatasetId = await newDataset('l-', [{ a: 1 }, { a: 2 }]);
  const rightDatasetId = await newDataset('r-', [{ a: 2 }]);
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId,
    rightDatasetId,
    engine: 'jsonata',
    jsonataExpr: 'left.a = right.a',
    params: { Tmatch: 1, Tpossible: 1 },
    logicJson: null,
  });
  const { tenantId, db } = scope;
  await consumer.close();
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'l-', path: '/dataset' }], undefined);
  const jobId = jobIds[0] as string;
  const handlers = createMatchingHandlers(service.deps);
  await handlers['matching.plan']({ tenantId, jobId });
  const [entry] = await db.query<{ id: string }>('select id from job_rule_sets where job_id = $1::uuid', [jobId]);
  await service.deps.db.system.execute(`truncate staging.s_${entry?.id.replace(/-/g, '')}`);
  await handlers['matching.batch']({ tenantId, jobId, entryId: entry?.id as string, batchNo: 0 });
  consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: service.queueSettings,
    logger: service.deps.logger,
    concurrency: 2,
    handlers: createMatchingHandlers(service.deps),
  });
  await queueDrained(service.queueSettings, 'matching');
  expect(await getMatchingJob(scope, jobId)).toMatchObject({
    status: 'completed',
    entries: [{ decisionCounts: { MATCH: 1 } }],
  });
});

test('what a job says of itself and what its rule sets say is of one moment', async () => {
  const row = { amount: 1, date: '2025-01-01', name: 'a' };
  const { job } = await run([row], [row], {
    matchers: [{ id: 'name', expr: 'left.name = right.name' }],
    Tmatch: 0.5,
    Tpossible: 0.2,
    blocking: { amountKey: 'amount', amountBucketWindow: 0, dateKey: 'date', dateToleranceDays: 0 },
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
