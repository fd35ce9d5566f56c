import {
  addRecords,
  openBooks,
  startTestApi,
  type Books,
  type JobBody,
  type ListBody,
  type MatchBody,
  type RuleSetBody,
  type TestApi,
} from '../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

/** Reads a page, and whether it was streamed. */
async function pageOf<T>(books: Books, path: string): Promise<ListBody<T> & { isStreamed: boolean }> {
  const { body, headers } = await books.tenant.api.get(path).expect(200);
  return { ...(body as ListBody<T>), isStreamed: headers['content-length'] === undefined };
}

test('a page of records that are small only in compressed form is streamed in groups', async () => {
  const books = await openBooks(api, [], []);
  await addRecords(
    books.tenant,
    'left',
    Array.from({ length: 30 }, (_, i) => ({ text: `${i} ${'a'.repeat(100_000)}` })),
  );
  await api.runIngest();
  const page = await pageOf<{ external_id: string; data: { text: string } }>(
    books,
    '/v1/records?dataset=left&limit=30',
  );
  expect(page.isStreamed).toBe(true);
  expect(page.items.map(({ external_id: id, data }) => [id, data.text.length])).toEqual(
    Array.from({ length: 30 }, (_, i) => [`l${29 - i}`, `${29 - i} `.length + 100_000]),
  );
});

test('a page of matches whose explanations are large is streamed in groups, and complete', async () => {
  const books = await openBooks(
    api,
    Array.from({ length: 8 }, (_, i) => ({ ref: `${i}` })),
    Array.from({ length: 8 }, (_, i) => ({ ref: `${i}` })),
  );
  const matchers = Array.from({ length: 600 }, (_, i) => ({
    id: `${i}`.padStart(200, 'm'),
    name: `${i}`.padStart(200, 'n'),
    expr: 'left.ref = right.ref',
  }));
  await books.ruleSet({ engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 1, matchers } });
  const { id } = await books.reconcile();
  const page = await pageOf<MatchBody & { explanation: { matchers: unknown[] } }>(
    books,
    `/v1/matches?matchingJobId=${id}`,
  );
  expect([page.isStreamed, page.total, page.items.length]).toEqual([true, 8, 8]);
  expect(page.items.map(({ explanation }) => explanation.matchers.length)).toEqual(Array<number>(8).fill(600));
  const small = await pageOf<MatchBody>(books, `/v1/matches?matchingJobId=${id}&limit=2`);
  expect([small.isStreamed, small.total, small.items]).toEqual([false, 8, page.items.slice(0, 2)]);
});

test('a page of rule sets has each of them whole, newest first, however large they are', async () => {
  const books = await openBooks(api, [], []);
  const made: RuleSetBody[] = [];
  for (let i = 0; i < 6; i++)
    made.push(
      await books.ruleSet({
        name: `${i}`,
        jsonataExpr: 'true',
        logicJson: { note: 'x'.repeat(i % 2 === 0 ? 2_000_000 : 10) },
      }),
    );
  expect((await pageOf(books, '/v1/rule-sets?limit=4')).items).toEqual(made.slice(2).reverse());
  expect((await pageOf(books, '/v1/rule-sets?limit=4&page=2')).items).toEqual(made.slice(0, 2).reverse());
  expect(await pageOf(books, `/v1/rule-sets?leftDatasetId=${books.rightId}`)).toMatchObject({ items: [], total: 0 });
});

test('a page of jobs lists all of them, newest first, however long the names in their rule sets are', async () => {
  const books = await openBooks(api, [{ ref: '1' }], [{ ref: '1' }]);
  const matchers = Array.from({ length: 2 }, (_, i) => ({ id: `${i}`.repeat(100_000), expr: 'left.ref = right.ref' }));
  await books.ruleSet({ engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 1, matchers } });
  const jobs = [];
  for (let i = 0; i < 6; i++) jobs.push(await books.reconcile());
  const page = await pageOf<JobBody>(books, '/v1/matching-jobs');
  expect([page.isStreamed, page.total]).toEqual([true, 6]);
  const told = ({ id, rule_sets: entries }: JobBody): unknown => [id, entries[0]?.['expressions']];
  expect(page.items.map(told)).toEqual(jobs.reverse().map(told));
});

test('a list of records is narrowed down by 50 values of fields at most', async () => {
  const books = await openBooks(api, [], []);
  const query = (count: number): string =>
    `/v1/records?${Array.from({ length: count }, (_, i) => `field.a=${i}`).join('&')}`;
  await books.tenant.api.get(query(50)).expect(200);
  await books.tenant.api.get(query(51)).expect(400);
});
