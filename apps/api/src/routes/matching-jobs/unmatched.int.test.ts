import { openBooks, startTestApi, type Books, type JobBody, type TestApi, type UnmatchedBody } from '../../../testing';

let api: TestApi;
let books: Books;
let job: JobBody;

beforeAll(async () => {
  api = await startTestApi();
  books = await openBooks(
    api,
    [
      { name: 'matched', amount: 1, a: 1, b: 1 },
      { name: 'possible', amount: 20, a: 1, b: 1 },
      { name: 'low', amount: 40, a: 1, b: 1 },
      { name: 'alone', amount: 60, a: 1, b: 1 },
      { name: 'keyless', a: 1, b: 1 },
      { name: 'filtered', amount: 1, a: 1, b: 1, skip: true },
    ],
    [
      { name: 'matched', amount: 1, a: 1, b: 1 },
      { name: 'possible', amount: 20, a: 1, b: 0.6 },
      { name: 'better', amount: 20, a: 1, b: 0.7 },
      { name: 'low', amount: 40, a: 0, b: 0 },
      { name: 'alone', amount: 99, a: 1, b: 1 },
      { name: 'keyless', amount: 'n/a' },
    ],
  );
  await books.ruleSet({
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0.6,
      filters: ['$not($exists(left.skip))'],
      blocking: { amountKey: 'amount', amountBucketWindow: 0 },
      matchers: [{ expr: 'right.a * right.b' }],
    },
  });
  job = await books.reconcile();
});

afterAll(() => api.close());

const shown = async (query: string): Promise<string[][]> =>
  (await books.unmatched(job.id, query)).items.map(({ record, reason }) => [
    (record['data'] as { name: string }).name,
    reason,
  ]);

test('every record without a MATCH is listed with its reason, newest first; by default the left ones', async () => {
  const left = [
    ['keyless', 'unblocked'],
    ['alone', 'no_candidate'],
    ['low', 'below_threshold'],
    ['possible', 'possible_only'],
  ];
  expect(await shown('')).toEqual(left);
  expect(await shown('side=left')).toEqual(left);
  expect(await shown('side=right')).toEqual([
    ['keyless', 'unblocked'],
    ['alone', 'no_candidate'],
    ['low', 'below_threshold'],
    ['better', 'possible_only'],
    ['possible', 'possible_only'],
  ]);
});

test('filtered records are listed on request only', async () => {
  expect(await shown('include=filtered')).toContainEqual(['filtered', 'filtered']);
  expect(await shown('include=failed')).not.toContainEqual(['filtered', 'filtered']);
});

test('an item holds the record as it is shown elsewhere, and its best POSSIBLE if there is one', async () => {
  const { items } = await books.unmatched(job.id, 'side=left');
  const possible = items.find((i) => i.reason === 'possible_only') as UnmatchedBody;
  const record = await books.tenant.api.get(`/v1/records/${possible.record.id}`).expect(200);
  expect(possible.record).toEqual(record.body);
  const matches = await books.matches(job.id);
  expect(possible.best_possible).toEqual({
    match_id: matches['l1|r2']?.id,
    record_id: books.recordIds.get('r2'),
    score: 0.7,
  });
  expect(items.filter((i) => i.best_possible !== null)).toHaveLength(1);
});

test('a record below the threshold is shown with its best candidate and the matchers that it lacks', async () => {
  const own = await openBooks(
    api,
    [
      { amount: 1, ref: 'a', name: 'x', city: 'p' },
      { amount: 2, ref: 'b', name: 'y', city: null },
      { amount: 9, ref: 'c', name: 'z', city: 'p' },
      { amount: 5, ref: 'd', name: 'z', city: 'p' },
    ],
    [
      { amount: 1, ref: 'b', name: 'x', city: 'q' },
      { amount: 1, ref: 'c', name: 'y', city: 'q' },
      { amount: 2, ref: 'a', name: 'y', city: 'q' },
      { amount: 5, ref: 'd', name: 'z', city: 'p' },
    ],
  );
  const { id: ruleSetId } = await own.ruleSet({
    engine: 'jsonata-batch',
    params: {
      Tmatch: 90,
      Tpossible: 80,
      blocking: { amountKey: 'amount', amountBucketWindow: 0 },
      matchers: [
        { id: 'ref', name: 'reference', expr: 'left.ref = right.ref', weight: 2 },
        { id: 'name', expr: 'left.name = right.name', weight: 1 },
        { id: 'near', expr: '0.75', weight: 1 },
        { id: 'city', expr: 'left.city = null ? null : left.city = right.city', weight: 1 },
      ],
    },
  });
  const { id } = await own.reconcile();
  const nearestOf = async (side: string) =>
    Object.fromEntries(
      (await own.unmatched(id, `side=${side}`)).items.map(({ record, nearest }) => [record['external_id'], nearest]),
    );
  const lefts = await nearestOf('left');
  expect(lefts).toMatchObject({
    l0: { record_id: own.recordIds.get('r0'), external_id: 'r0', rule_set_id: ruleSetId, score: 35 },
    l1: { external_id: 'r2', score: 43.75 },
    l2: null,
  });
  expect(lefts['l0']?.lacks).toEqual([
    { id: 'ref', name: 'reference', value: 0, weight: 2, required: false, lost: 40 },
    { id: 'city', name: 'city', value: 0, weight: 1, required: false, lost: 20 },
    { id: 'near', name: 'near', value: 0.75, weight: 1, required: false, lost: 5 },
  ]);
  expect(lefts['l1']?.lacks?.map((one) => one.id)).toEqual(['ref', 'near']);
  expect(await nearestOf('right')).toMatchObject({
    r0: { external_id: 'l0', score: 35 },
    r1: { external_id: 'l0', score: 15 },
    r2: { external_id: 'l1', score: 43.75 },
  });
  await own.tenant.api.delete(`/v1/records/${own.recordIds.get('r0')}`).expect(204);
  expect(await nearestOf('left')).toMatchObject({ l0: null, l1: { external_id: 'r2' } });
});

test.each([
  [
    'a required matcher',
    { matchers: [{ id: 'ref', expr: 'left.ref = right.ref', required: true }, { expr: 'true' }] },
    ['ref'],
  ],
  ['a filter', { filters: ['left.ref = right.ref'], matchers: [{ expr: 'true' }] }, null],
  ['windowDays', { windowDays: 1, matchers: [{ expr: 'true' }] }, null],
])('a candidate that %s refuses is nearest with a score of 0', async (_, params, lacks) => {
  const own = await openBooks(
    api,
    [{ ref: 'a', date: '2024-01-01' }],
    [
      { ref: 'b', date: '2024-02-01' },
      { ref: 'c', date: '2024-03-01' },
    ],
  );
  await own.ruleSet({ engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 0.2, ...params } });
  const { id } = await own.reconcile();
  const { items } = await own.unmatched(id, 'side=left');
  expect(items[0]?.nearest).toMatchObject({ score: 0 });
  expect(items[0]?.nearest?.lacks?.map((one) => one.id) ?? null).toEqual(lacks);
});

test('matchers that fail, or never end, on pairs below the threshold change no count', async () => {
  const endless = '($f := function($n) { $n = 0 ? 0 : $f($n - 1) + $f($n - 1) }; $f(40) > 0)';
  const own = await openBooks(api, [{ ref: 'a' }, { ref: 'b' }], [{ ref: 'c' }, { ref: 'd' }]);
  await own.ruleSet({
    engine: 'jsonata-batch',
    params: {
      Tmatch: 1,
      Tpossible: 0.9,
      matchers: [
        { id: 'ref', expr: 'left.ref = right.ref', weight: 1, required: true },
        { expr: `left.ref = 'a' ? ${endless} : $number(left.ref & right.ref) > 0`, weight: 1 },
      ],
    },
  });
  const job = await own.reconcile();
  expect(job).toMatchObject({ status: 'completed', decision_counts: { NO_MATCH: 4, ERROR: 0 }, errors: [] });
});

test('the list is read by page or by cursor', async () => {
  const all = (await books.unmatched(job.id, 'side=left')).items;
  expect(await books.unmatched(job.id, 'limit=3')).toMatchObject({
    items: all.slice(0, 3),
    total: 4,
    page: 1,
    limit: 3,
    next_cursor: expect.any(String) as string,
  });
  expect(await books.unmatched(job.id, 'limit=3&page=2')).toMatchObject({
    items: all.slice(3),
    total: 4,
    page: 2,
    next_cursor: null,
  });
  const { next_cursor } = await books.unmatched(job.id, 'limit=3');
  expect(await books.unmatched(job.id, `limit=3&cursor=${next_cursor}`)).toMatchObject({
    items: all.slice(3),
    total: 4,
    next_cursor: null,
  });
});

test('the list continues after records that can no longer be read, such as those of a deleted dataset', async () => {
  const own = await openBooks(api, [{ n: 1 }, { n: 2 }], [{ n: 3 }]);
  await own.ruleSet({ jsonataExpr: 'left.n = right.n' });
  const { id } = await own.reconcile();
  await api.service.deps.db.system.execute('delete from records where tenant_id = $1::uuid and id = $2::uuid', [
    own.tenant.tenantId,
    own.recordIds.get('l1') as string,
  ]);
  const { items, next_cursor } = await own.unmatched(id, 'limit=1');
  expect(items).toEqual([]);
  expect(await own.unmatched(id, `limit=1&cursor=${next_cursor}`)).toMatchObject({
    items: [{ record: { id: own.recordIds.get('l0') } }],
    next_cursor: null,
  });
});

test.each<[string, string]>([
  ['side=up', 'side'],
  ['include=open', 'include'],
  ['include=', 'include'],
  ['limit=101', 'limit'],
  ['page=0', 'page'],
  ['cursor=x', 'cursor'],
  ['page=1&cursor=AZ_NwUgAcAC_GwAAAAAAAA', 'page'],
  ['dataset=left', 'dataset'],
])('?%s is refused at %s', async (query, name) => {
  const { body } = await books.tenant.api.get(`/v1/matching-jobs/${job.id}/unmatched?${query}`).expect(400);
  expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: `/query/${name}` }] });
});

test('a job that is not completed has none', async () => {
  const own = await openBooks(api, [{ ref: 1 }], []);
  await own.ruleSet();
  const { id } = await own.start();
  await own.tenant.api.get(`/v1/matching-jobs/${id}/unmatched`).expect(200);
  await api.runMatching();
  expect(await own.unmatched(id, '')).toMatchObject({ total: 1 });
});

test('over several rule sets the most telling reason counts, and one MATCH is enough', async () => {
  const own = await openBooks(api, [{ ref: 1 }, { ref: 2 }, { ref: 3 }], [{ ref: 1 }]);
  await own.ruleSet();
  await own.ruleSet({ jsonataExpr: 'left.ref = 2 ? 0.5 : 0', params: { Tmatch: 1, Tpossible: 0.5 } });
  const { id } = await own.reconcile();
  const { items } = await own.unmatched(id, 'side=left');
  expect(items.map((i) => [i.record.external_id, i.reason])).toEqual([
    ['l2', 'below_threshold'],
    ['l1', 'possible_only'],
  ]);
});

test('with one_to_one a tie is ambiguous, a loser possible_only', async () => {
  const own = await openBooks(
    api,
    [{ ref: 1 }, { ref: 2, n: 1 }, { ref: 2 }],
    [
      { ref: 1, memo: 'a' },
      { ref: 1, memo: 'b' },
      { ref: 2, n: 1 },
    ],
  );
  await own.ruleSet({
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.5,
      Tpossible: 0.2,
      assignment: 'one_to_one',
      matchers: [
        { expr: 'left.ref = right.ref', required: true },
        { expr: 'left.n = right.n' },
        { expr: '$exists(right.memo)', weight: 0 },
      ],
    },
  });
  const { id, decision_counts } = await own.reconcile();
  const reasons = async (side: string) =>
    (await own.unmatched(id, `side=${side}`)).items.map((i) => [i.record.external_id, i.reason]);
  expect(await reasons('left')).toEqual([
    ['l2', 'possible_only'],
    ['l0', 'ambiguous'],
  ]);
  expect(await reasons('right')).toEqual([
    ['r1', 'ambiguous'],
    ['r0', 'ambiguous'],
  ]);
  expect(decision_counts).toMatchObject({ MATCH: 1, POSSIBLE: 3 });
});

test('a record that is deleted later is no longer listed', async () => {
  const own = await openBooks(api, [{ ref: 1 }, { ref: 2 }], []);
  await own.ruleSet();
  const { id } = await own.reconcile();
  await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l0')}`).expect(204);
  const list = await own.unmatched(id, 'side=left');
  expect(list).toMatchObject({ total: 1, items: [{ record: { external_id: 'l1' } }] });
});
