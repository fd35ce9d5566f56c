import { openBooks, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ settings: { maxUnblockedPairs: 5_000 } });
});

afterAll(() => api.close());

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const counts = (some: object): object => ({
  MATCH: 0,
  POSSIBLE: 0,
  NO_MATCH: 0,
  ERROR: 0,
  COMPOSITE_MATCH: 0,
  COMPOSITE_POSSIBLE: 0,
  ...some,
});

describe('what cannot be blocked, filtered or compared', () => {
  test('records without a usable key are unblocked, by side and reason', async () => {
    const books = await openBooks(
      api,
      [
        { sum: 1, day: '2025-01-01' },
        { day: '2025-01-01' },
        { sum: 'much', day: '2025-01-01' },
        { sum: 1 },
        { sum: 1, day: 'soon' },
      ],
      [
        { sum: 1, day: '2025-01-01' },
        { sum: 1e300, day: '2025-01-01' },
      ],
    );
    await books.ruleSet({
      jsonataExpr: 'true',
      params: { Tmatch: 1, Tpossible: 1, blocking: { amountKey: 'sum', dateKey: 'day', dateToleranceDays: 1 } },
    });
    const unblocked = {
      left: { count: 4, reasons: { missing_amount: 1, unreadable_amount: 1, missing_date: 1, unreadable_date: 1 } },
      right: { count: 1, reasons: { amount_out_of_range: 1 } },
    };
    const job = await books.reconcile();
    expect(job).toMatchObject({ unblocked, pairs_total: 1, rule_sets: [{ unblocked }] });
    const { items } = await books.unmatched(job.id, 'side=left');
    expect(items.map((i) => [i.record.external_id, i.reason])).toEqual([
      ['l4', 'unblocked'],
      ['l3', 'unblocked'],
      ['l2', 'unblocked'],
      ['l1', 'unblocked'],
    ]);
  });

  test('an amount out of range under a tolerance is an error of its record, also without blocking', async () => {
    const books = await openBooks(api, [{ amount: 9e15 }, { amount: 5 }, {}], [{ amount: 9e13 }, { amount: 5.0001 }]);
    await books.ruleSet({ jsonataExpr: 'true', params: { Tmatch: 1, Tpossible: 1, amountTolerancePercent: 1 } });
    const job = await books.reconcile();
    const out = { count: 1, reasons: { amount_out_of_range: 1 } };
    expect(job).toMatchObject({
      pairs_total: 2,
      unblocked: { left: out, right: out },
      decision_counts: { MATCH: 1, NO_MATCH: 1 },
    });
    const { items } = await books.unmatched(job.id, 'side=left');
    expect(items.map((i) => [i.record.external_id, i.reason])).toEqual([
      ['l2', 'below_threshold'],
      ['l0', 'unblocked'],
    ]);
  });

  test('windowDays, tolerance and pair filters drop candidates, which count as NO_MATCH', async () => {
    const books = await openBooks(
      api,
      [{ amount: '100', date: '2025-01-01', open: true }],
      [
        { amount: 100.5, date: '2025-01-02', open: true },
        { amount: 102, date: '2025-01-01', open: true },
        { amount: 100, date: '2025-01-05', open: true },
        { amount: 100, date: '2025-01-01', open: false },
        { amount: 100 },
      ],
    );
    await books.ruleSet({
      jsonataExpr: 'true',
      params: {
        Tmatch: 1,
        Tpossible: 1,
        windowDays: 1,
        amountTolerancePercent: 1,
        filters: ['left.open = right.open'],
      },
    });
    const job = await books.reconcile();
    expect(job).toMatchObject({
      pairs_total: 5,
      pairs_processed: 5,
      decision_counts: { MATCH: 1, NO_MATCH: 4, ERROR: 0 },
    });
    expect(Object.keys(await books.matches())).toEqual(['l0|r0']);
  });

  test('a one-sided filter leaves records out once, a throwing one counts an ERROR', async () => {
    const books = await openBooks(api, [{ n: 1 }, { n: -1 }, { n: 'x' }], [{ n: 1 }, { n: -1 }]);
    await books.ruleSet({
      jsonataExpr: 'true',
      params: { Tmatch: 1, Tpossible: 1, filters: ['left.n + 0 > 0', 'right.n > 0'] },
    });
    const job = await books.reconcile();
    expect(job).toMatchObject({
      records_total: 5,
      pairs_total: 1,
      decision_counts: { MATCH: 1, NO_MATCH: 0, ERROR: 1 },
    });
    expect(job['errors']).toEqual([
      {
        left_record_id: books.recordIds.get('l2'),
        right_record_id: null,
        code: 'T2001',
        message: expect.any(String) as string,
        expression: 'filters/0',
      },
    ]);
    const shown = async (query: string) =>
      (await books.unmatched(job.id, query)).items.map((i) => [i.record.external_id, i.reason]);
    expect(await shown('side=left')).toEqual([]);
    expect(await shown('side=left&include=filtered')).toEqual([
      ['l2', 'filtered'],
      ['l1', 'filtered'],
    ]);
    expect(await shown('side=right&include=filtered,failed')).toEqual([['r1', 'filtered']]);
  });

  test('pairs whose evaluation throws are ERRORs: all are counted, the first 20 shown with their records', async () => {
    const books = await openBooks(
      api,
      Array.from({ length: 30 }, () => ({ n: 'x' })),
      [{ n: 1 }],
    );
    await books.ruleSet({ jsonataExpr: 'left.n + right.n > 0' });
    const job = await books.reconcile();
    expect(job).toMatchObject({ status: 'completed', decision_counts: counts({ ERROR: 30 }), average_score: null });
    const errors = job['errors'] as { left_record_id: string }[];
    const lefts = new Set([...books.recordIds].filter(([name]) => name.startsWith('l')).map(([, id]) => id));
    expect(new Set(errors.map((error) => error.left_record_id)).size).toBe(20);
    for (const error of errors) {
      const [right, text] = [books.recordIds.get('r0'), expect.any(String) as string];
      expect(error).toEqual({
        left_record_id: text,
        right_record_id: right,
        code: 'T2001',
        message: text,
        expression: 'jsonataExpr',
      });
      expect(lefts).toContain(error.left_record_id);
    }
    expect(job.rule_sets[0]?.['errors']).toEqual(errors);
  });

  test('an error of a pair names the failed expression: a matcher by id, filters and gate by position', async () => {
    const books = await openBooks(api, [{ n: 'matcher' }, { n: 'filter' }, { n: 'gate' }, { n: 'own' }], [{ n: 1 }]);
    const fails = (at: string): string => `(left.n = "${at}" ? left.n + right.n : 1) > 0`;
    const params = {
      filters: [fails('filter'), 'left.n = "own" ? 1 + left.n : true'],
      matchers: [{ expr: 'true' }, { id: 'amounts', expr: fails('matcher') }],
    };
    await books.ruleSet({
      engine: 'jsonata-batch',
      jsonataExpr: fails('gate'),
      params: { Tmatch: 1, Tpossible: 0.5, ...params },
    });
    const job = await books.reconcile();
    const errors = job['errors'] as { left_record_id: string; expression: string }[];
    const found = ['l0', 'l1', 'l2', 'l3'].map(
      (name) => errors.find((error) => error.left_record_id === books.recordIds.get(name))?.expression,
    );
    expect(found).toEqual(['amounts', 'filters/0', 'jsonataExpr', 'filters/1']);
  });

  test('errors that were stored without an expression are still shown', async () => {
    const books = await openBooks(api, [{ n: 'x' }, { n: 1 }], [{ n: 1 }]);
    await books.ruleSet({
      jsonataExpr: 'left.n + right.n > 0',
      params: { Tmatch: 1, Tpossible: 0.5, filters: ['left.n + 0 > 0'] },
    });
    const { id } = await books.reconcile();
    const stored = await api.service.deps.db.system.execute(
      `update job_rule_sets set errors = jsonb_build_array((errors -> 0) - 'expression') where job_id = $1::uuid`,
      [id],
    );
    const { body } = await books.tenant.api.get(`/v1/matching-jobs/${id}`).expect(200);
    expect([stored, (body as { errors: object[] }).errors]).toEqual([
      1,
      [expect.not.objectContaining({ expression: expect.anything() as string })],
    ]);
  });

  test('too many pairs without blocking fail the job, which says so', async () => {
    const rows = Array.from({ length: 71 }, (_, ref) => ({ ref }));
    const books = await openBooks(api, rows, rows);
    await books.ruleSet();
    const job = await books.reconcile();
    expect(job).toMatchObject({
      status: 'failed',
      finished_at: isoTime,
      error: { code: 'too_many_pairs' },
      rule_sets: [{ status: 'failed' }],
    });
    expect((job['error'] as { message: string }).message).toMatch(/5041 pairs .* 5000 allowed/);
  });

  test('with blocking the same records are compared', async () => {
    const rows = Array.from({ length: 71 }, (_, amount) => ({ ref: amount, amount }));
    const books = await openBooks(api, rows, rows);
    await books.ruleSet({
      jsonataExpr: 'left.ref = right.ref',
      params: { Tmatch: 1, Tpossible: 1, blocking: { amountKey: 'amount', amountBucketWindow: 0 } },
    });
    expect(await books.reconcile()).toMatchObject({
      status: 'completed',
      pairs_total: 71,
      decision_counts: { MATCH: 71 },
    });
  });
});

describe('blocking keys', () => {
  const candidates = async (blocking: object, left: object, right: object, params: object = {}): Promise<unknown> => {
    const books = await openBooks(api, [left], [right]);
    await books.ruleSet({ jsonataExpr: 'true', params: { Tmatch: 1, Tpossible: 1, ...params, blocking } });
    return (await books.reconcile())['pairs_total'];
  };
  const amounts = (left: unknown, right: unknown): [object, object] => [{ amount: left }, { amount: right }];
  const dates = (left: unknown, right: unknown): [object, object] => [{ date: left }, { date: right }];

  test.each<[string, object, [object, object], number]>([
    ['neighbouring buckets of 1 by default', { amountKey: 'amount' }, amounts('10.99', 11), 1],
    ['no bucket further', { amountKey: 'amount' }, amounts(10.99, 12), 0],
    ['window 0: the same bucket', { amountKey: 'amount', amountBucketWindow: 0 }, amounts('10.99', '10.00'), 1],
    ['window 0: not the next', { amountKey: 'amount', amountBucketWindow: 0 }, amounts('10.99', '11.00'), 0],
    ['a size without key blocks on amount', { amountBucketSize: 10 }, amounts(5, 25), 0],
    ['a debit meets a credit', { amountKey: 'amount' }, amounts(-5, 5), 1],
    ['not with a tolerance', { amountKey: 'amount', amountTolerancePercent: 50 }, amounts(-5, 5), 0],
    ['a tolerance is exact at its edge', { amountTolerancePercent: 10 }, amounts('100.00', '90.00'), 1],
    ['and beyond it', { amountTolerancePercent: 10 }, amounts('100.00', '89.99'), 0],
    [
      'with a tolerance the bucket has no effect',
      { amountTolerancePercent: 10, amountBucketSize: 0.01, amountBucketWindow: 0 },
      amounts(100, 90),
      1,
    ],
    [
      'own keys of the sides',
      { amountKey: 'no', amountKeyLeft: 'a.b', amountKeyRight: 'c' },
      [{ a: { b: 5 } }, { c: 5 }],
      1,
    ],
    ['a dotted path that is a key as a whole', { amountKey: 'a.b' }, [{ 'a.b': 5, a: { b: 900 } }, { a: { b: 5 } }], 1],
    ['a date without tolerance does not block', { dateKey: 'date' }, dates('2025-01-01', '2099-01-01'), 1],
    ['dateToleranceDays', { dateKey: 'date', dateToleranceDays: 2 }, dates('2025-02-27', '2025-03-02'), 0],
    [
      'over the end of a leap February',
      { dateKey: 'date', dateToleranceDays: 2 },
      dates('2024-02-28', '2024-03-01'),
      1,
    ],
    ['years 0001 and 9999', { dateKey: 'date', dateToleranceDays: 1 }, dates('0001-01-01', '9999-12-31'), 0],
    ['switched off', { enabled: false, amountKey: 'amount' }, amounts(1, 900), 1],
  ])('%s', async (_what, blocking, [left, right], pairs) => {
    expect(await candidates(blocking, left, right)).toBe(pairs);
  });

  test.each<[string, object, object, [object, object], number]>([
    [
      'dateToleranceDays takes over windowDays',
      { dateKey: 'date' },
      { windowDays: 1 },
      dates('2025-01-01', '2025-01-03'),
      0,
    ],
    [
      'its tolerance takes over that of params',
      { amountKey: 'amount' },
      { amountTolerancePercent: 1 },
      amounts(100, 98),
      0,
    ],
  ])('%s', async (_what, blocking, params, [left, right], pairs) => {
    expect(await candidates(blocking, left, right, params)).toBe(pairs);
  });
});
