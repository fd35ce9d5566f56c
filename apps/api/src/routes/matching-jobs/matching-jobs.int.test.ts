import { newId } from '@tieout/infra';
import {
  openBooks,
  startTestApi,
  type Books,
  type JobBody,
  type KeyedApi,
  type ListBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const noCounts = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0, COMPOSITE_MATCH: 0, COMPOSITE_POSSIBLE: 0 };
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string;

describe('starting', () => {
  let books: Books;

  beforeAll(async () => {
    books = await openBooks(api, [], []);
  });

  const post = (body: object, as: KeyedApi = books.tenant.api) => as.post('/v1/matching-jobs', body);

  test('answers 202 with the queued job, complete as it is shown later', async () => {
    const ruleSet = await books.ruleSet();
    const job = await books.start({ dataset: 'left', ruleSetIds: [ruleSet.id] });
    const none = { count: 0, reasons: {} };
    const timings = { read_ms: 0, block_ms: 0, score_ms: 0, write_ms: 0, finish_ms: 0 };
    expect(job).toEqual({
      id: uuid,
      dataset_name: 'left',
      job_group_id: uuid,
      batches_expected: 0,
      batches_completed: 0,
      status: 'queued',
      error: null,
      records_total: 0,
      failed_records: 0,
      pending_records: 0,
      rule_sets_total: 1,
      pairs_total: 0,
      pairs_processed: 0,
      decision_counts: noCounts,
      possible_cut: 0,
      current_rule_set_id: null,
      current_rule_set_name: null,
      unblocked: { left: none, right: none },
      errors: [],
      warnings: [],
      timings,
      created_at: isoTime,
      started_at: null,
      finished_at: null,
      average_score: null,
      rule_sets: [
        {
          id: uuid,
          rule_set_id: ruleSet.id,
          rule_set_name: 'rules',
          rule_set_version: 1,
          status: 'pending',
          candidates_count: 0,
          pairs_total: 0,
          pairs_processed: 0,
          decision_counts: noCounts,
          possible_cut: 0,
          unblocked: { left: none, right: none },
          composition: null,
          errors: [],
          warnings: [],
          expressions: {},
          timings,
          created_at: isoTime,
          started_at: null,
          finished_at: null,
          results_expired_at: null,
        },
      ],
    });
    expect(await books.job(job.id)).toEqual(job);
  });

  test.each([
    ['its name', () => ({ dataset: 'left' })],
    ['its id', () => ({ datasetId: books.leftId })],
    ['its id in capitals', () => ({ datasetId: books.leftId.toUpperCase() })],
  ])('the dataset is given by %s', async (_what, body) => {
    await books.ruleSet();
    expect((await post(body()).expect(202)).body).toMatchObject({ dataset_name: 'left' });
  });

  test('runs all rule sets with this left dataset in the order of their creation, unless some are chosen', async () => {
    const own = await openBooks(api, [], []);
    const [first, second] = [await own.ruleSet(), await own.ruleSet()];
    await own.ruleSet({ leftDatasetId: own.rightId, rightDatasetId: own.leftId, jsonataExpr: 'true' });
    const ids = (job: JobBody) => job.rule_sets.map((r) => r.rule_set_id);
    expect(ids(await own.start())).toEqual([first.id, second.id]);
    expect(ids(await own.start({ dataset: 'left', ruleSetIds: [second.id] }))).toEqual([second.id]);
    expect(ids(await own.start({ dataset: 'left', ruleSetIds: [second.id, first.id.toUpperCase()] }))).toEqual([
      second.id,
      first.id,
    ]);
  });

  test('several datasets make a group of jobs, in the order of the names', async () => {
    const own = await openBooks(api, [], []);
    await own.ruleSet();
    await own.ruleSet({ leftDatasetId: own.rightId, rightDatasetId: own.leftId, jsonataExpr: 'true' });
    const { body } = await post({ datasets: ['right', 'left'] }, own.tenant.api).expect(202);
    const { job_group_id, items } = body as { job_group_id: string; items: JobBody[] };
    expect(items.map((job) => [job.dataset_name, job.job_group_id])).toEqual([
      ['right', job_group_id],
      ['left', job_group_id],
    ]);
    const single = await own.start();
    expect(single.job_group_id).not.toBe(job_group_id);
  });

  test.each<[string, (own: Books) => object, string, string]>([
    ['no dataset', () => ({}), '', 'one_of'],
    ['a name and an id', (own) => ({ dataset: 'left', datasetId: own.leftId }), '', 'one_of'],
    ['a name and names', () => ({ dataset: 'left', datasets: ['left'] }), '', 'one_of'],
    ['an unknown name', () => ({ dataset: 'nowhere' }), '/dataset', 'unknown_dataset'],
    ['an empty name', () => ({ dataset: '' }), '/dataset', 'minLength'],
    ['an id in place of a name', (own) => ({ dataset: own.leftId }), '/dataset', 'unknown_dataset'],
    ['an unknown id', () => ({ datasetId: newId() }), '/datasetId', 'unknown_dataset'],
    ['an id that is not a uuid', () => ({ datasetId: 'left' }), '/datasetId', 'format'],
    ['a dataset without rule set', () => ({ dataset: 'right' }), '/dataset', 'no_rule_set'],
    ['no names', () => ({ datasets: [] }), '/datasets', 'minItems'],
    ['a name twice', () => ({ datasets: ['left', 'left'] }), '/datasets', 'uniqueItems'],
    ['an unknown name among others', () => ({ datasets: ['left', 'nowhere'] }), '/datasets/1', 'unknown_dataset'],
    ['a dataset without rule set among others', () => ({ datasets: ['left', 'right'] }), '/datasets/1', 'no_rule_set'],
    ['no rule sets', () => ({ dataset: 'left', ruleSetIds: [] }), '/ruleSetIds', 'minItems'],
    ['an unknown rule set', () => ({ dataset: 'left', ruleSetIds: [newId()] }), '/ruleSetIds/0', 'unknown_rule_set'],
    ['a rule set that is not a uuid', () => ({ dataset: 'left', ruleSetIds: ['x'] }), '/ruleSetIds/0', 'format'],
    ['rule sets for several datasets', () => ({ datasets: ['left'], ruleSetIds: [newId()] }), '/ruleSetIds', 'one_of'],
    ['an unknown key', () => ({ dataset: 'left', rulesetIds: [] }), '/rulesetIds', 'unknown_key'],
  ])('%s is refused with 400, and no job starts', async (_what, body, path, code) => {
    const own = await openBooks(api, [], []);
    await own.ruleSet();
    const response = await post(body(own), own.tenant.api).expect(400);
    const { errors } = response.body as { errors: { path: string; code: string }[] };
    expect(errors).toContainEqual(expect.objectContaining({ path, code }));
    const jobs = await own.tenant.api.get('/v1/matching-jobs').expect(200);
    expect(jobs.body).toMatchObject({ total: 0 });
  });

  test('a rule set twice is refused, also in another case', async () => {
    const { id } = await books.ruleSet();
    const refusal = async (again: string): Promise<unknown> =>
      (await post({ dataset: 'left', ruleSetIds: [id, again] }).expect(400)).body;
    expect(await refusal(id)).toMatchObject({ errors: [{ path: '/ruleSetIds', code: 'uniqueItems' }] });
    expect(await refusal(id.toUpperCase())).toMatchObject({ errors: [{ path: '/ruleSetIds/1', code: 'duplicate' }] });
  });

  test('a rule set of another left dataset is refused with its place', async () => {
    const [own, other] = [
      await books.ruleSet(),
      await books.ruleSet({ leftDatasetId: books.rightId, jsonataExpr: 'true' }),
    ];
    const { body } = await post({ dataset: 'left', ruleSetIds: [own.id, other.id] }).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/ruleSetIds/1', code: 'other_left_dataset' }] });
  });

  test('what belongs to another tenant is as unknown as what does not exist', async () => {
    const other = await openBooks(api, [], []);
    const foreign = await other.ruleSet();
    const refusal = async (body: object): Promise<object> => ({
      ...((await post(body).expect(400)).body as object),
      request_id: '',
    });
    await books.ruleSet();
    expect(await refusal({ datasetId: other.leftId })).toEqual(await refusal({ datasetId: newId() }));
    expect(await refusal({ dataset: 'left', ruleSetIds: [foreign.id] })).toEqual(
      await refusal({ dataset: 'left', ruleSetIds: [newId()] }),
    );
  });

  test('the same request with the same Idempotency-Key starts one job', async () => {
    const own = await openBooks(api, [], []);
    await own.ruleSet();
    const answers = [];
    for (let i = 0; i < 2; i++)
      answers.push(await post({ dataset: 'left' }, own.tenant.api).set('idempotency-key', 'one').expect(202));
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect((await own.tenant.api.get('/v1/matching-jobs').expect(200)).body).toMatchObject({ total: 1 });
    await post({ datasets: ['left'] }, own.tenant.api)
      .set('idempotency-key', 'one')
      .expect(422);
    await api.runMatching();
    expect(await own.job((answers[0]?.body as JobBody).id)).toMatchObject({ status: 'completed' });
  });
});

describe('reading and listing', () => {
  test('an unknown job, one whose id is not a uuid and one of another tenant answer alike', async () => {
    const [books, other] = [await openBooks(api, [], []), await openBooks(api, [], [])];
    await other.ruleSet();
    const foreign = await other.start();
    for (const id of [newId(), 'x', foreign.id]) {
      const requests = [
        books.tenant.api.get(`/v1/matching-jobs/${id}`),
        books.tenant.api.get(`/v1/matching-jobs/${id}/unmatched`),
        books.tenant.api.post(`/v1/matching-jobs/${id}/cancel`),
      ];
      for (const request of requests) {
        expect((await request.expect(404)).body).toMatchObject({
          status: 'error',
          code: 'matching_job_not_found',
          message: 'Matching job not found',
        });
      }
    }
    expect((await other.tenant.api.get('/v1/matching-jobs?status=cancelled').expect(200)).body).toMatchObject({
      total: 0,
    });
  });

  test('the list is newest first, by page, filtered by status and dataset', async () => {
    const books = await openBooks(api, [], []);
    await books.ruleSet();
    await books.ruleSet({ leftDatasetId: books.rightId, jsonataExpr: 'true' });
    const done = await books.reconcile();
    const other = await books.reconcile({ dataset: 'right' });
    const list = async (query: string) => {
      const { items, ...page } = (await books.tenant.api.get(`/v1/matching-jobs${query}`).expect(200))
        .body as ListBody<JobBody>;
      return { ids: items.map((job) => job.id), ...page };
    };
    expect(await list('')).toEqual({ ids: [other.id, done.id], total: 2, page: 1, limit: 25 });
    expect(await list('?limit=1&page=2')).toEqual({ ids: [done.id], total: 2, page: 2, limit: 1 });
    expect(await list('?dataset=left')).toMatchObject({ ids: [done.id], total: 1 });
    expect(await list('?status=completed&dataset=right')).toMatchObject({ ids: [other.id], total: 1 });
    expect(await list('?status=queued')).toMatchObject({ ids: [], total: 0 });
    expect(await list('?dataset=nowhere')).toMatchObject({ ids: [], total: 0 });
  });

  test.each(['status=done', 'page=0', 'limit=101', 'cursor=x', 'ruleSetId=x'])('?%s is refused', async (query) => {
    const { tenant } = await openBooks(api, [], []);
    const { body } = await tenant.api.get(`/v1/matching-jobs?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: `/query/${query.split('=')[0]}` }] });
  });

  const requests: [string, 'read' | 'write', (as: KeyedApi, id: string) => ReturnType<KeyedApi['get']>][] = [
    ['start', 'write', (as) => as.post('/v1/matching-jobs', { dataset: 'left' })],
    ['list', 'read', (as) => as.get('/v1/matching-jobs')],
    ['read', 'read', (as, id) => as.get(`/v1/matching-jobs/${id}`)],
    ['cancel', 'write', (as, id) => as.post(`/v1/matching-jobs/${id}/cancel`)],
    ['unmatched', 'read', (as, id) => as.get(`/v1/matching-jobs/${id}/unmatched`)],
  ];

  test.each(requests)('%s needs a key with jobs:%s', async (_what, needs, send) => {
    const books = await openBooks(api, [], []);
    await books.ruleSet();
    const { id } = await books.start();
    const outcome = async (scopes: readonly string[]): Promise<number> =>
      (await send((await api.newKey(books.tenant, scopes)).api, id)).status;
    expect(await outcome(['rule-sets:write', 'matches:write', 'records:write'])).toBe(403);
    expect((await outcome(['jobs:read', 'records:read'])) === 403).toBe(needs === 'write');
    expect(await outcome(['jobs:write', 'records:read'])).not.toBe(403);
    expect((await send(api.withKey(''), id)).status).toBe(401);
  });
});
