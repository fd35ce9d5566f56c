import {
  allOf,
  openBooks,
  startTestApi,
  type Books,
  type CompositeBody,
  type CompositeDetailBody,
  type JobBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const amounts = (...values: number[]): object[] => values.map((amount) => ({ amount }));

/** Opens a case in which no pair matches and amounts are composed. */
async function openComposing(
  lefts: object[],
  rights: object[],
  composition: object = {},
): Promise<{ books: Books; ruleSetId: string }> {
  const books = await openBooks(api, lefts, rights);
  const { id } = await books.ruleSet({
    jsonataExpr: 'left.ref != null and left.ref = right.ref',
    params: { Tmatch: 0.8, Tpossible: 0.5, composition: { enabled: true, ...composition } },
  });
  return { books, ruleSetId: id };
}

/** Lists composites as `l0 = r0 + r1: MATCH`, sorted: the live and reviewed ones, or those of a job. */
async function composites(books: Books, query = ''): Promise<string[]> {
  const names = new Map([...books.recordIds].map(([name, id]) => [id, name]));
  const found: string[] = [];
  for (const { id } of await allOf<CompositeBody>(books.tenant, `/v1/composite-matches${query}`)) {
    const { targetRecordId, members, decision, review } = (
      await books.tenant.api.get(`/v1/composite-matches/${id}`).expect(200)
    ).body as CompositeDetailBody;
    const sum = members.map(({ recordId }) => names.get(recordId)).join(' + ');
    found.push(`${names.get(targetRecordId)} = ${sum}: ${decision}${review ? ` ${review.status}` : ''}`);
  }
  return found.sort();
}

/** Reviews the first composite of the list. */
async function review(books: Books, action: string): Promise<void> {
  const [first] = await allOf<CompositeBody>(books.tenant, '/v1/composite-matches');
  await books.tenant.api.post(`/v1/composite-matches/${first?.id}/review`, { action }).expect(200);
}

const unmatched = async (books: Books, job: JobBody, side: string) =>
  (await books.unmatched(job.id, `side=${side}`)).items.map(({ record, reason, best_possible_composite: best }) => [
    record.external_id,
    reason,
    best?.score ?? null,
  ]);

test('records of a composite MATCH are not unmatched; those of an ambiguous one are listed as such', async () => {
  const { books } = await openComposing(amounts(100, 1000, 7), amounts(60, 40, 600, 400, 700, 300, 3));
  const job = await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: MATCH', 'l1 = r2 + r3: POSSIBLE']);
  expect(await unmatched(books, job, 'left')).toEqual([
    ['l2', 'below_threshold', null],
    ['l1', 'ambiguous', 1],
  ]);
  expect(await unmatched(books, job, 'right')).toEqual([
    ['r6', 'below_threshold', null],
    ['r5', 'below_threshold', null],
    ['r4', 'below_threshold', null],
    ['r3', 'ambiguous', 1],
    ['r2', 'ambiguous', 1],
  ]);
  expect(job.decision_counts).toMatchObject({ MATCH: 0, COMPOSITE_MATCH: 1, COMPOSITE_POSSIBLE: 1 });
  expect(job.rule_sets[0]?.decision_counts).toEqual(job.decision_counts);
});

test('an amount that is too large to be composed is told with the job', async () => {
  const { books } = await openComposing(amounts(100, 7), amounts(60, 40, 2e12));
  const job = await books.reconcile();
  expect(job.rule_sets[0]?.composition).toEqual({
    targets: 2,
    search_ended: 0,
    amounts_out_of_range: 1,
    plans_too_long: 0,
    failed_evaluations: 0,
  });
  expect(job.errors).toEqual([expect.objectContaining({ left_record_id: null, code: 'amount_out_of_range' })]);
});

test('a rule set that does not compose has no composites and counts none', async () => {
  const { books } = await openComposing(amounts(100), amounts(60, 40), { enabled: false });
  const job = await books.reconcile();
  expect(await composites(books)).toEqual([]);
  expect(job.decision_counts).toMatchObject({ COMPOSITE_MATCH: 0, COMPOSITE_POSSIBLE: 0 });
});

test('each tenant sees the composites of its own records', async () => {
  const [one, other] = [
    await openComposing(amounts(100), amounts(60, 40)),
    await openComposing(amounts(100), amounts(60, 40)),
  ];
  const [job] = [await one.books.reconcile(), await other.books.reconcile()];
  expect([await composites(one.books), await composites(other.books)]).toEqual([
    ['l0 = r0 + r1: MATCH'],
    ['l0 = r0 + r1: MATCH'],
  ]);
  expect(await composites(other.books, `?jobId=${job.id}`)).toEqual([]);
  expect(await composites(other.books, `?ruleSetId=${one.ruleSetId}`)).toEqual([]);
});

test('a later job replaces the composites of the one before', async () => {
  const { books, ruleSetId } = await openComposing(amounts(100), amounts(60, 40, 30, 70));
  const first = await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: POSSIBLE']);
  await books.tenant.api.delete(`/v1/records/${books.recordIds.get('r0')}`).expect(204);
  await books.reconcile();
  expect([await composites(books), await composites(books, `?jobId=${first.id}`)]).toEqual([
    ['l0 = r2 + r3: MATCH'],
    [],
  ]);
  expect(await composites(books, `?ruleSetId=${ruleSetId}`)).toEqual(['l0 = r2 + r3: MATCH']);
});

test('a confirmed composite stays over later jobs, which compose of the other records', async () => {
  const { books } = await openComposing(amounts(100, 100), amounts(60, 40, 30, 70));
  await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: POSSIBLE', 'l1 = r0 + r1: POSSIBLE']);
  await review(books, 'confirm');
  const job = await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r2 + r3: MATCH', 'l1 = r0 + r1: POSSIBLE confirmed']);
  expect([await unmatched(books, job, 'left'), await unmatched(books, job, 'right')]).toEqual([[], []]);
});

test('a rejected composite is proposed again once what decides has changed, not before', async () => {
  const { books, ruleSetId } = await openComposing(amounts(100), amounts(60, 40));
  await books.reconcile();
  await review(books, 'reject');
  await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: MATCH rejected']);
  await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { name: 'again' }).expect(200);
  await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: MATCH rejected']);
  const { params } = (await books.tenant.api.get(`/v1/rule-sets/${ruleSetId}`).expect(200)).body as { params: object };
  await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { params: { ...params, windowDays: 4000 } }).expect(200);
  await books.reconcile();
  expect(await composites(books)).toEqual(['l0 = r0 + r1: MATCH', 'l0 = r0 + r1: MATCH rejected']);
});

test('targets on the right are listed as many_to_one', async () => {
  const { books } = await openComposing(amounts(60, 40), amounts(100), { direction: 'both' });
  await books.reconcile();
  expect([
    await composites(books, '?direction=many_to_one'),
    await composites(books, '?direction=one_to_many'),
  ]).toEqual([['r0 = l0 + l1: MATCH'], []]);
});
