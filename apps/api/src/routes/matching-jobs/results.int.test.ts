import { openBooks, startTestApi, unnormalise, eventually, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ settings: { maxUnblockedPairs: 5_000 } });
});

afterAll(() => api.close());

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const batch = (params: object): object => ({
  engine: 'jsonata-batch',
  params: { Tmatch: 0.9, Tpossible: 0.4, ...params },
});
const counts = (some: object): object => ({
  MATCH: 0,
  POSSIBLE: 0,
  NO_MATCH: 0,
  ERROR: 0,
  COMPOSITE_MATCH: 0,
  COMPOSITE_POSSIBLE: 0,
  ...some,
});

test('a completed job shows its counts, times and average score', async () => {
  const books = await openBooks(
    api,
    [{ ref: 1, n: 1 }, { ref: 2, n: 5 }, { ref: 3 }],
    [
      { ref: 1, n: 1 },
      { ref: 2, n: 7 },
    ],
  );
  const ruleSet = await books.ruleSet(
    batch({ matchers: [{ expr: 'left.ref = right.ref' }, { expr: 'left.n = right.n' }] }),
  );
  const job = await books.reconcile();
  const some = {
    candidates_count: 6,
    pairs_total: 6,
    pairs_processed: 6,
    decision_counts: counts({ MATCH: 1, POSSIBLE: 1, NO_MATCH: 4 }),
  };
  const { candidates_count: _, ...ofJob } = some;
  expect(job).toMatchObject({
    ...ofJob,
    status: 'completed',
    error: null,
    records_total: 5,
    failed_records: 0,
    pending_records: 0,
    rule_sets_total: 1,
    batches_expected: 1,
    batches_completed: 1,
    current_rule_set_id: null,
    current_rule_set_name: null,
    errors: [],
    average_score: 0.75,
    created_at: isoTime,
    started_at: isoTime,
    finished_at: isoTime,
    rule_sets: [
      {
        ...some,
        rule_set_id: ruleSet.id,
        rule_set_name: 'rules',
        status: 'completed',
        started_at: isoTime,
        finished_at: isoTime,
      },
    ],
  });
  expect(job.decision_counts).toEqual(some.decision_counts);
});

test.each<[string, object[], object[]]>([
  ['both sides', [], []],
  ['the left side', [], [{ ref: 1 }]],
  ['the right side', [{ ref: 1 }], []],
])('a job completes without records on %s', async (_what, lefts, rights) => {
  const books = await openBooks(api, lefts, rights);
  await books.ruleSet();
  const job = await books.reconcile();
  expect(job).toMatchObject({
    status: 'completed',
    records_total: lefts.length + rights.length,
    pairs_total: 0,
    average_score: null,
    decision_counts: counts({}),
  });
});

test('two rule sets in one job are counted apart and together, a shared record once', async () => {
  const books = await openBooks(api, [{ ref: 1 }, { ref: 2 }], [{ ref: 1 }]);
  const strict = await books.ruleSet();
  const loose = await books.ruleSet({ jsonataExpr: '0.5', params: { Tmatch: 1, Tpossible: 0.5 } });
  const job = await books.reconcile();
  expect(job).toMatchObject({
    records_total: 3,
    rule_sets_total: 2,
    pairs_total: 4,
    decision_counts: counts({ MATCH: 1, POSSIBLE: 2, NO_MATCH: 1 }),
  });
  expect(job.rule_sets.map((r) => [r.rule_set_id, r.decision_counts])).toEqual([
    [strict.id, counts({ MATCH: 1, NO_MATCH: 1 })],
    [loose.id, counts({ POSSIBLE: 2 })],
  ]);
  expect(job['average_score']).toBe(0.6666666667);
});

test('a job says which way each expression runs once it is planned', async () => {
  const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
  await books.ruleSet({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: {
      Tmatch: 1,
      Tpossible: 1,
      filters: ['left.ref > 0'],
      matchers: [{ id: 'ref', expr: 'left.ref = right.ref' }],
    },
  });
  expect((await books.reconcile()).rule_sets).toMatchObject([
    { expressions: { ref: 'compiled', 'filters/0': 'compiled' } },
  ]);
});

test('a job runs the definition that stood when it was started', async () => {
  const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
  const { id } = await books.ruleSet();
  const { id: jobId } = await books.start();
  await books.tenant.api.patch(`/v1/rule-sets/${id}`, { jsonataExpr: 'false', name: 'later' }).expect(200);
  await api.runMatching();
  expect(await books.job(jobId)).toMatchObject({
    decision_counts: { MATCH: 1 },
    rule_sets: [{ rule_set_name: 'rules', rule_set_version: 1 }],
  });
});

describe('records', () => {
  test('those whose fields could not be coerced are left out and counted', async () => {
    const books = await openBooks(api, [], [{ amount: 1 }]);
    await books.tenant.api
      .post(`/v1/datasets/${books.leftId}/fields`, { name: 'amount', key: 'amount', type: 'amount' })
      .expect(201);
    for (const amount of ['1.00', 'one'])
      await books.tenant.api.post('/v1/records?dataset=left', { externalId: amount, body: { amount } }).expect(202);
    await api.runIngest();
    await books.ruleSet({ jsonataExpr: 'left.amount = right.amount' });
    const job = await books.reconcile();
    expect(job).toMatchObject({ records_total: 2, failed_records: 1, pairs_total: 1, decision_counts: { MATCH: 1 } });
    expect((await books.unmatched(job.id, 'side=left')).items).toEqual([]);
    expect((await books.unmatched(job.id, 'side=left&include=failed')).items).toMatchObject([
      { reason: 'failed', record: { external_id: 'one' } },
    ]);
  });

  test('those that are not normalised yet are waited for', async () => {
    const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    await books.ruleSet();
    await unnormalise(api, [...books.recordIds.values()]);
    const { id } = await books.start();
    await api.startMatching();
    await eventually(
      () => books.job(id),
      ({ status }) => status === 'running',
    );
    await api.service.deps.db.system.execute(
      `update records set status = 'ready', fields = '{}' where tenant_id = $1::uuid`,
      [books.tenant.tenantId],
    );
    await api.runMatching();
    expect(await books.job(id)).toMatchObject({
      status: 'completed',
      records_total: 2,
      pending_records: 0,
      decision_counts: { MATCH: 1 },
    });
  });

  test('those that are not normalised within a minute are left out and counted', async () => {
    const books = await openBooks(api, [{ ref: 1 }, { ref: 2 }], [{ ref: 1 }, { ref: 2 }]);
    await books.ruleSet();
    await unnormalise(api, [books.recordIds.get('l1') as string]);
    const { id } = await books.start();
    await api.service.deps.db.system.execute(
      `update matching_jobs set started_at = now() - interval '61 seconds' where id = $1::uuid`,
      [id],
    );
    await api.runMatching();
    expect(await books.job(id)).toMatchObject({
      status: 'completed',
      records_total: 3,
      pending_records: 1,
      decision_counts: { MATCH: 1, NO_MATCH: 1 },
    });
  });
});
