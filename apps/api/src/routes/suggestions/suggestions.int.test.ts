import { createSuggestionHandlers, suggestionInquiry, sweepInquiries } from '@tieout/domain';
import {
  eventually,
  openBooks,
  startTestApi,
  unnormalise,
  type Books,
  type JobBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface SuggestionBody {
  id: string;
  status: string;
  progress: number;
  error: { code: string; message: string } | null;
  answer: {
    connected: boolean;
    reason?: string;
    rule_set: { params: { blocking: object } };
    matchers: { name: string; examples: object[] }[];
    expected?: { precision: number; recall: number; matches: number };
    sample: { left: number; right: number };
    warnings: { code: string; message: string }[];
  } | null;
}

/** Orders, and payments of most of them that name them, two or three days later. */
function rows(count: number): { left: object[]; right: object[] } {
  const day = (at: number): string => new Date(1.7e12 + at * 864e5).toISOString().slice(0, 10);
  const all = Array.from({ length: count }, (_, at) => ({
    order: { number: `PO-${5_000 + at * 17}`, total: 10 + ((at * 7919) % 5000) / 7, at: day((at * 37) % 200) },
    payment: { text: `paid PO-${5_000 + at * 17}`, sum: 10 + ((at * 7919) % 5000) / 7, on: day(((at * 37) % 200) + 2) },
  }));
  return {
    left: all.map(({ order }) => order),
    right: all.filter((_, at) => at % 10 > 0).map(({ payment }) => payment),
  };
}

async function open(count = 120): Promise<Books> {
  const { left, right } = rows(count);
  return openBooks(api, left, right);
}

const sidesOf = ({ leftId, rightId }: Books) => ({ leftDatasetId: leftId, rightDatasetId: rightId });

async function start(books: Books, more: object = {}): Promise<SuggestionBody> {
  const { body } = await books.tenant.api.post('/v1/rule-sets/suggest', { ...sidesOf(books), ...more }).expect(202);
  return body as SuggestionBody;
}

async function read(books: Books, id: string): Promise<SuggestionBody> {
  return (await books.tenant.api.get(`/v1/suggestions/${id}`).expect(200)).body as SuggestionBody;
}

test('a suggested rule set, posted as it came, matches the partners', async () => {
  const books = await open();
  const { id, status } = await start(books);
  expect(status).toBe('queued');
  await api.runMatching();
  const { answer, ...rest } = await read(books, id);
  expect(rest).toMatchObject({ status: 'completed', progress: 1, error: null });
  const ruleSet = answer?.rule_set as object;
  const { id: ruleSetId } = (await books.tenant.api.post('/v1/rule-sets', ruleSet).expect(201)).body as { id: string };
  const { body } = await books.tenant.api
    .post('/v1/matching-jobs', { datasetId: books.leftId, ruleSetIds: [ruleSetId] })
    .expect(202);
  await api.runMatching();
  const matches = Object.keys(await books.matches((body as JobBody).id));
  const partners = Array.from({ length: 120 }, (_, at) => at).filter((at) => at % 10 > 0);
  expect(matches.filter((pair) => partners.some((at, right) => pair === `l${at}|r${right}`))).toHaveLength(108);
});

test('a rule set for one dataset against itself finds its duplicates as clusters', async () => {
  const customer = (at: number) => ({
    name: `${['Ada', 'Bela', 'Cleo', 'Dora', 'Edgar'][at % 5]} ${'bcdfghklmn'[at % 10]}e${'lmnrst'[at % 6]}o${at}`,
    phone: `+49 ${2_000_003 + at * 7_919}`,
    town: ['Bonn', 'Kiel', 'Ulm', 'Trier'][at % 4],
  });
  const rows = Array.from({ length: 240 }, (_, at) => customer(at));
  const copies = rows.filter((_, at) => at % 3 === 0).map(({ name, phone }) => ({ name: name.toUpperCase(), phone }));
  const books = await openBooks(api, [...rows, ...copies], [{ a: 1 }]);
  const { id } = await start(books, { rightDatasetId: books.leftId });
  await api.runMatching();
  const { answer } = await read(books, id);
  expect(answer).toMatchObject({ connected: true });
  expect(Math.abs((answer?.expected?.matches ?? 0) - copies.length)).toBeLessThan(24);
  const { body } = await books.tenant.api.post('/v1/rule-sets', answer?.rule_set).expect(201);
  const job = await books.reconcile({ dataset: 'left', ruleSetIds: [(body as { id: string }).id] });
  const { body: clusters } = await books.tenant.api.get(`/v1/matching-jobs/${job.id}/clusters`).expect(200);
  expect(clusters).toMatchObject({ total: copies.length });
});

test('a suggestion from a part of the records finds partners in it', async () => {
  const books = await open(500);
  const { id } = await start(books, { sampleLimit: 150 });
  await api.runMatching();
  const { answer } = await read(books, id);
  const { left = 0 } = answer?.sample ?? {};
  expect({ isPart: left > 75 && left < 300 }).toEqual({ isPart: true });
  expect(answer?.expected).toMatchObject({ recall: expect.closeTo(1, 1) as number });
  expect(Math.abs((answer?.expected?.matches ?? 0) - 450)).toBeLessThan(90);
});

test('a suggestion reports its evidence with examples, to keys that see records', async () => {
  const books = await open(80);
  const { id } = await start(books, { sampleLimit: 1_000 });
  await api.runMatching();
  const { answer } = await read(books, id);
  expect(answer?.matchers.map(({ name }) => name)).toContain('total and sum: how far apart');
  expect(answer?.matchers.some(({ examples }) => examples.length > 0)).toBe(true);
  const { api: narrow } = await api.newKey(books.tenant, ['rule-sets:read']);
  await narrow.get(`/v1/suggestions/${id}`).expect(403);
  await narrow.get('/v1/suggestions').expect(200);
});

test('a value that a field reads is compared once', async () => {
  const books = await open(80);
  const declare = (datasetId: string, key: string, sourcePath: string) =>
    books.tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, { key, name: key, type: 'amount', sourcePath })
      .expect(201);
  await declare(books.leftId, 'invoiced', 'total');
  await declare(books.rightId, 'paid', 'sum');
  await api.runIngest();
  const { id } = await start(books);
  await api.runMatching();
  const { answer } = await read(books, id);
  const ofAmounts = answer?.matchers.map(({ name }) => name).filter((name) => name.includes('how far apart'));
  expect(ofAmounts).toEqual(['invoiced and paid: how far apart']);
});

test('datasets that nothing connects are answered with the reason', async () => {
  const books = await openBooks(
    api,
    Array.from({ length: 20 }, (_, at) => ({ a: `left ${at}` })),
    Array.from({ length: 20 }, (_, at) => ({ b: at * 1.5 })),
  );
  const { id } = await start(books);
  await api.runMatching();
  expect((await read(books, id)).answer).toMatchObject({
    connected: false,
    reason: expect.stringMatching(/^nothing connects these datasets: /) as string,
  });
});

test.each<[string, () => object, RegExp]>([
  ['empty records', () => ({}), /values that differ/],
  ['one value everywhere', () => ({ a: 'x', n: 5 }), /values that differ/],
  ['lists', () => ({ a: [1, 2], b: { c: { d: { e: 1 } } } }), /values that differ/],
])('%s, more than are read at once, are answered with the reason', async (_, row, reason) => {
  const rows = Array.from({ length: 300 }, row);
  const books = await openBooks(api, rows, rows);
  const { id } = await start(books, { sampleLimit: 100 });
  await api.runMatching();
  expect((await read(books, id)).answer).toMatchObject({
    connected: false,
    reason: expect.stringMatching(reason) as string,
  });
});

test('few records with a value of their own stand for no others', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => ({ a: at < 3 ? `number k${at}` : 'the same text in all' }));
  const books = await openBooks(api, rows, rows);
  const { id } = await start(books, { sampleLimit: 100 });
  await api.runMatching();
  const { answer } = await read(books, id);
  expect(answer?.expected?.matches ?? 0).toBeLessThanOrEqual(3);
});

test('a suggestion can be cancelled once, and stays cancelled', async () => {
  const books = await open(20);
  await api.stopMatching();
  const { id } = await start(books);
  await books.tenant.api.post(`/v1/suggestions/${id}/cancel`).expect(200);
  const { body } = await books.tenant.api.post(`/v1/suggestions/${id}/cancel`).expect(409);
  expect(body).toMatchObject({ code: 'job_not_running' });
  await api.runMatching();
  expect(await read(books, id)).toMatchObject({ status: 'cancelled', answer: null });
});

test('a search that was killed is repeated, and one that has ended is not', async () => {
  const books = await open(60);
  await api.stopMatching();
  const { id } = await start(books);
  const { deps } = api.service;
  const handlers = createSuggestionHandlers(deps);
  const payload = { tenantId: books.tenant.tenantId, suggestionId: id };
  // The state after a kill: running, silent, without a queue job.
  await deps.db.system.execute(
    `update suggestions set status = 'running', seen_at = now() - interval '1 minute' where id = $1::uuid`,
    [id],
  );
  await deps.queue.removeWhere((one) => (one as { suggestionId?: string }).suggestionId === id);
  await sweepInquiries(deps, suggestionInquiry);
  await api.startMatching();
  await eventually(
    () => read(books, id),
    ({ status }) => status === 'completed',
  );
  await handlers['suggestion.search'](payload);
  expect(await read(books, id)).toMatchObject({ status: 'completed', progress: 1 });
});

test('a search waits for records that are not normalised yet', async () => {
  const books = await open(60);
  await unnormalise(api, [...books.recordIds.values()]);
  const { id } = await start(books);
  await api.startMatching();
  await eventually(
    () => read(books, id),
    ({ status }) => status === 'running',
  );
  await api.service.deps.db.system.execute(
    `update records set status = 'ready', fields = '{}' where tenant_id = $1::uuid`,
    [books.tenant.tenantId],
  );
  await api.runMatching();
  expect(await read(books, id)).toMatchObject({ status: 'completed', answer: { connected: true } });
});

test('a search leaves out what is not normalised within a minute, or cannot be, and says so', async () => {
  const books = await open(60);
  await api.stopMatching();
  const { id } = await start(books);
  await unnormalise(
    api,
    [...books.recordIds].flatMap(([name, recordId]) => (name.startsWith('r') ? [recordId] : [])),
  );
  await api.service.deps.db.system.execute(`update records set status = 'failed' where id = $1::uuid`, [
    books.recordIds.get('l1') as string,
  ]);
  await api.service.deps.db.system.execute(
    `update suggestions set started_at = now() - interval '61 seconds' where id = $1::uuid`,
    [id],
  );
  await api.startMatching();
  await api.runMatching();
  const { status, answer } = await read(books, id);
  expect({ status, connected: answer?.connected }).toEqual({ status: 'completed', connected: false });
  expect(answer?.warnings.map(({ code, message }) => `${code}: ${message.slice(0, 10)}`)).toEqual([
    'records_failed: 1 record c',
    'records_pending: Without 54',
  ]);
});

test.each([
  ['an unknown dataset', (books: Books) => ({ leftDatasetId: books.tenant.tenantId }), '/leftDatasetId'],
  ['a sample that is too small', () => ({ sampleLimit: 5 }), '/sampleLimit'],
])('%s is refused by its name', async (_, change, path) => {
  const books = await openBooks(api, [{ a: 1 }], [{ a: 1 }]);
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/suggest', { ...sidesOf(books), ...change(books) })
    .expect(400);
  expect(JSON.stringify(body)).toContain(path);
});
