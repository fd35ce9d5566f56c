import { sweepInquiries, trainingInquiry } from '@tieout/domain';
import { eventually, openBooks, startTestApi, type Books, type JobBody, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface QuestionBody {
  match_id: string;
  left_record_id: string;
  right_record_id: string;
  score: number;
  left?: { size: number };
  right?: { size: number };
  stratum: { from: number; to: number; pairs: number; reviewed: number };
}

interface QuestionsBody {
  items: QuestionBody[];
  labels: { confirmed: number; rejected: number };
  needed: { labels: number; of_each_kind: number };
}

interface TrainingBody {
  id: string;
  status: string;
  rule_set_id: string;
  sample_limit: number | null;
  error: { code: string; message: string } | null;
  answer: {
    trained: boolean;
    reason?: string;
    rule_set: { params: { Tmatch: number; Tpossible: number; matchers: { weight: number }[] } };
    labels: { confirmed: number; rejected: number; left_out: number };
    held_out: Record<'before' | 'after', { precision: number; recall: number; f1: number }>;
    warnings: { code: string; message: string }[];
  };
}

const count = 60;
/** Records agree the less, the later they come; pairs belong together up to this one. */
const partners = 40;

/** A rule set that matches the pairs whose sizes are alike by half: too many of them. */
async function openLive(params: object = {}): Promise<{ books: Books; ruleSetId: string; jobId: string }> {
  const rows = (other: boolean) =>
    Array.from({ length: count }, (_, at) => ({ key: `k${at}`, size: 100 + (other ? at : 0), note: at % 2 }));
  const books = await openBooks(api, rows(false), rows(true));
  const { id } = await books.ruleSet({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: {
      Tmatch: 0.4,
      Tpossible: 0.2,
      assignment: 'one_to_one',
      blocking: { keys: [{ expr: 'key' }] },
      matchers: [
        { id: 'size', expr: '1 - (right.size - left.size) / 60' },
        { id: 'note', expr: 'left.note = right.note' },
      ],
      ...params,
    },
  });
  const job = await books.reconcile({ dataset: 'left', ruleSetIds: [id] });
  return { books, ruleSetId: id, jobId: job.id };
}

async function ask({ tenant }: Books, ruleSetId: string, limit = 40): Promise<QuestionsBody> {
  return (await tenant.api.get(`/v1/rule-sets/${ruleSetId}/questions?limit=${limit}`).expect(200))
    .body as QuestionsBody;
}

/** Answers questions by the truth. */
async function answer({ tenant }: Books, { items }: QuestionsBody, isPartner = isNear): Promise<void> {
  for (const action of ['confirm', 'reject']) {
    const ids = items.filter((item) => isPartner(item) === (action === 'confirm')).map(({ match_id: id }) => id);
    if (ids.length > 0) await tenant.api.post('/v1/matches/review', { ids, action }).expect(200);
  }
}

const isNear = ({ right }: QuestionBody): boolean => (right?.size ?? 0) < 100 + partners;

async function train({ tenant }: Books, ruleSetId: string): Promise<TrainingBody> {
  const { body } = await tenant.api.post(`/v1/rule-sets/${ruleSetId}/train`).expect(202);
  await api.runMatching();
  return (await tenant.api.get(`/v1/suggestions/${(body as TrainingBody).id}`).expect(200)).body as TrainingBody;
}

test('answers to questions move the threshold to where they part, and the draft can be put in place', async () => {
  const { books, ruleSetId } = await openLive();
  await answer(books, await ask(books, ruleSetId, 30));
  const { status, answer: found, rule_set_id, sample_limit } = await train(books, ruleSetId);
  expect({ status, rule_set_id, sample_limit }).toEqual({
    status: 'completed',
    rule_set_id: ruleSetId,
    sample_limit: null,
  });
  expect(found.held_out.after.f1).toBeGreaterThan(found.held_out.before.f1);
  const { Tmatch } = found.rule_set.params;
  await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, found.rule_set).expect(200);
  const job = await books.reconcile({ dataset: 'left', ruleSetIds: [ruleSetId] });
  const { body } = await books.tenant.api.get(`/v1/matches?matchingJobId=${job.id}&minScore=${Tmatch}&limit=100`);
  for (const { left_record_id: id } of (body as { items: { left_record_id: string }[] }).items) {
    const { body: record } = await books.tenant.api.get(`/v1/records/${id}`).expect(200);
    expect(Number((record as { external_id: string }).external_id.slice(1))).toBeLessThan(partners + 6);
  }
  expect((await train(books, ruleSetId)).answer).toMatchObject({ trained: true, labels: found.labels });
});

test('questions are spread, stay until they are answered, and show records to keys that see them', async () => {
  const { books, ruleSetId } = await openLive();
  const first = await ask(books, ruleSetId, 16);
  expect(await ask(books, ruleSetId, 16)).toEqual(first);
  expect(new Set(first.items.map(({ stratum }) => stratum.from)).size).toBeGreaterThan(2);
  expect(first.items[0]?.left).toMatchObject({ size: 100 });
  const { api: narrow } = await api.newKey(books.tenant, ['rule-sets:read', 'matches:read']);
  const { items } = (await narrow.get(`/v1/rule-sets/${ruleSetId}/questions?limit=16`).expect(200))
    .body as QuestionsBody;
  expect(items.map(({ match_id }) => match_id)).toEqual(first.items.map(({ match_id }) => match_id));
  expect(items.some((item) => 'left' in item || 'right' in item)).toBe(false);
  await answer(books, first);
  const next = await ask(books, ruleSetId, 100);
  expect(next.items.some(({ match_id }) => first.items.some((one) => one.match_id === match_id))).toBe(false);
  expect(next.labels.confirmed + next.labels.rejected).toBe(16);
});

test.each([
  ['no reviews', 0, () => true, '0 confirmed and 0 rejected'],
  ['too few reviews', 4, isNear, 'at least 10 reviewed pairs'],
  ['reviews that all reject', 16, () => false, 'All 16 reviewed pairs are rejected'],
] as const)('%s are too little to learn from', async (_, answers, isPartner, message) => {
  const { books, ruleSetId } = await openLive();
  if (answers > 0) await answer(books, await ask(books, ruleSetId, answers), isPartner);
  const { body } = await books.tenant.api.post(`/v1/rule-sets/${ruleSetId}/train`).expect(409);
  expect(body).toMatchObject({ code: 'conflict', message: expect.stringContaining(message) as string });
});

test('where only MATCH is kept, answers to questions can be learnt from, and bring questions below it', async () => {
  const { books, ruleSetId } = await openLive({ Tmatch: 0.75, Tpossible: 0.75 });
  const first = await ask(books, ruleSetId);
  expect(first.items.length).toBeGreaterThan(10);
  await answer(books, first);
  const { answer: found } = await train(books, ruleSetId);
  expect(found).toMatchObject({ trained: true, labels: { rejected: 0 } });
  expect(found.warnings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['answers_of_one_kind', 'threshold_at_edge']),
  );
  expect(found.rule_set.params.Tpossible).toBeLessThan(0.75);
  await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, found.rule_set).expect(200);
  await books.reconcile({ dataset: 'left', ruleSetIds: [ruleSetId] });
  const { items } = await ask(books, ruleSetId);
  expect(items.some(({ score }) => score < 0.75)).toBe(true);
});

test('where few pairs are kept, their reviews are enough once all are reviewed', async () => {
  const { books, ruleSetId } = await openLive({ filters: ['left.key in ["k3", "k20", "k58"]'] });
  await answer(books, await ask(books, ruleSetId, 1));
  await books.tenant.api.post(`/v1/rule-sets/${ruleSetId}/train`).expect(409);
  await answer(books, await ask(books, ruleSetId));
  expect((await train(books, ruleSetId)).answer).toMatchObject({ trained: true, labels: { left_out: 0 } });
});

/** A training that is in the state after a kill: running, silent, without a queue job. */
async function killed(books: Books, ruleSetId: string): Promise<string> {
  await api.stopMatching();
  const { body } = await books.tenant.api.post(`/v1/rule-sets/${ruleSetId}/train`).expect(202);
  const { id } = body as TrainingBody;
  const { deps } = api.service;
  await deps.db.system.execute(
    `update suggestions set status = 'running', seen_at = now() - interval '1 minute' where id = $1::uuid`,
    [id],
  );
  await deps.queue.removeWhere((one) => (one as { suggestionId?: string }).suggestionId === id);
  return id;
}

test.each([
  ['is repeated', () => Promise.resolve(), { status: 'completed', answer: { trained: true } }],
  [
    'fails where its results are gone',
    (books: Books, id: string) =>
      books.tenant.api.patch(`/v1/rule-sets/${id}`, { params: { Tmatch: 1, Tpossible: 1, matchers: [{ expr: '1' }] } }),
    { status: 'failed', answer: null, error: { code: 'conflict' } },
  ],
] as const)('a training that was killed %s', async (_, meanwhile, expected) => {
  const { books, ruleSetId } = await openLive();
  await answer(books, await ask(books, ruleSetId, 30));
  const id = await killed(books, ruleSetId);
  await meanwhile(books, ruleSetId);
  await sweepInquiries(api.service.deps, trainingInquiry);
  await api.startMatching();
  const found = await eventually(
    async () => (await books.tenant.api.get(`/v1/suggestions/${id}`).expect(200)).body as TrainingBody,
    ({ status }) => !['queued', 'running'].includes(status),
  );
  expect(found).toMatchObject(expected);
});

test('pairs of one dataset with itself are learnt from in either direction', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ key: `k${at >> 1}`, size: at % 2 === 0 ? 0 : at >> 1 }));
  const books = await openBooks(api, rows, [{ a: 1 }]);
  const { id } = await books.ruleSet({
    rightDatasetId: books.leftId,
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0,
      blocking: { keys: [{ expr: 'key' }] },
      matchers: [{ expr: '1 - $abs(left.size - right.size) / 20' }],
    },
  });
  await books.reconcile({ dataset: 'left', ruleSetIds: [id] });
  const far = ({ left, right }: QuestionBody): boolean => (left?.size ?? 0) + (right?.size ?? 0) < 12;
  await answer(books, await ask(books, id, 20), far);
  expect((await train(books, id)).answer).toMatchObject({ trained: true, labels: { left_out: 0 } });
});

test('answers that agree with a rule set leave its matches as they are, without a warning', async () => {
  const { books, ruleSetId } = await openLive({
    Tmatch: 0.34,
    matchers: [{ id: 'size', expr: '1 - (right.size - left.size) / 60' }],
  });
  await answer(books, await ask(books, ruleSetId, 40));
  const { answer: found } = await train(books, ruleSetId);
  expect(found.rule_set.params).toMatchObject({ Tmatch: 0.34 });
  expect(found.held_out.after).toEqual(found.held_out.before);
  expect(found.warnings).toEqual([]);
});

test('a review that contradicts the reviews of pairs alike is named', async () => {
  const { books, ruleSetId } = await openLive({
    matchers: [{ id: 'size', expr: '$round(1 - (right.size - left.size) / 60, 1)' }],
  });
  await answer(books, await ask(books, ruleSetId, count), (item) => isNear(item) && item.right?.size !== 101);
  const { answer: found } = await train(books, ruleSetId);
  expect(found.warnings).toContainEqual({
    code: 'contradictory_labels',
    message: expect.stringMatching(/confirmed and rejected .* such as [0-9a-f-]{36} and [0-9a-f-]{36}/) as string,
  });
});

test('reviews of pairs that a filter keeps out now teach nothing, and are counted', async () => {
  const { books, ruleSetId } = await openLive();
  await answer(books, await ask(books, ruleSetId, 40));
  const path = `/v1/rule-sets/${ruleSetId}`;
  const { params } = (await books.tenant.api.get(path).expect(200)).body as { params: object };
  await books.tenant.api
    .patch(path, { params: { ...params, filters: ['$number($substring(left.key, 1)) >= 20'] } })
    .expect(200);
  await books.reconcile({ dataset: 'left', ruleSetIds: [ruleSetId] });
  const { answer: found } = await train(books, ruleSetId);
  expect(found.labels.left_out).toBeGreaterThan(0);
});

test.each([
  ['without a completed job', false, 'no completed job'],
  ['with matchers that changed since its last job', true, 'since its last completed job'],
])('a rule set %s says that one is needed', async (_, hasRun, reason) => {
  const { books, ruleSetId } = await (hasRun ? openLive() : openIdle());
  if (hasRun) {
    const matchers = [{ id: 'size', expr: 'left.size = right.size' }];
    await books.tenant.api
      .patch(`/v1/rule-sets/${ruleSetId}`, { params: { Tmatch: 0.4, Tpossible: 0.2, matchers } })
      .expect(200);
  }
  const message = expect.stringContaining(reason) as string;
  expect(await ask(books, ruleSetId)).toMatchObject({ items: [], reason: message });
  const { body } = await books.tenant.api.post(`/v1/rule-sets/${ruleSetId}/train`).expect(409);
  expect(body).toMatchObject({ code: 'conflict', message });
});

async function openIdle(): Promise<{ books: Books; ruleSetId: string }> {
  const books = await openBooks(api, [{ a: 1 }], [{ a: 1 }]);
  return { books, ruleSetId: (await books.ruleSet()).id };
}

test('a rule set of one expression gets its threshold from reviews', async () => {
  const rows = (other: boolean) => Array.from({ length: count }, (_, at) => ({ key: `k${at}`, size: other ? at : 0 }));
  const books = await openBooks(api, rows(false), rows(true));
  const { id } = await books.ruleSet({
    jsonataExpr: '100 - right.size + left.size',
    params: { Tmatch: 45, Tpossible: 10, blocking: { keys: [{ expr: 'key' }] } },
  });
  const job: JobBody = await books.reconcile({ dataset: 'left', ruleSetIds: [id] });
  expect(job.status).toBe('completed');
  await answer(books, await ask(books, id, 40), ({ right }) => (right?.size ?? 0) < partners);
  const { answer: found } = await train(books, id);
  expect(found.rule_set.params.Tmatch).toBeGreaterThan(52);
  expect(found.rule_set.params.Tmatch).toBeLessThan(68);
  await books.tenant.api.patch(`/v1/rule-sets/${id}`, found.rule_set).expect(200);
});
