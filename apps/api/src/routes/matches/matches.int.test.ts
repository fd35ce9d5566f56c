import { createMatchingHandlers } from '@tieout/domain';
import { newId } from '@tieout/infra';
import {
  allOf,
  openBooks,
  alone,
  startTestApi,
  type Books,
  type JobBody,
  type KeyedApi,
  type ListBody,
  type MatchBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;
/** No worker runs here: what workers do is done by hand. */
let idle: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  idle = await startTestApi(alone);
});

afterAll(async () => {
  await api.close();
  await idle.close();
});

const matchers = [
  { id: 'ref', name: 'Reference', expr: 'left.ref = right.ref', weight: 3, required: true },
  { expr: 'left.name = null or right.name = null ? null : left.name = right.name' },
];
const batch = (params: object = {}): object => ({
  engine: 'jsonata-batch',
  params: { Tmatch: 0.9, Tpossible: 0.5, matchers, ...params },
});

describe('one match', () => {
  let books: Books;
  let job: JobBody;

  beforeAll(async () => {
    books = await openBooks(
      api,
      [
        { ref: 'a', name: 'ada', amount: '10.10', date: '2025-03-01' },
        { ref: 'b', name: 'bob' },
        { ref: 'c', name: null },
      ],
      [
        { ref: 'a', name: 'ada', amount: 10.4, date: '2025-02-27T23:00:00-02:00' },
        { ref: 'b', name: 'eve' },
        { ref: 'c', name: 'cy' },
      ],
    );
    await books.ruleSet(batch());
    job = await books.reconcile();
  });

  test('is shown as the interface says, with a complete explanation', async () => {
    const match = (await books.matches())['l0|r0'] as MatchBody;
    const { body } = await books.tenant.api.get(`/v1/matches/${match.id}`).expect(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      left_record_id: books.recordIds.get('l0'),
      right_record_id: books.recordIds.get('r0'),
      rule_set_id: job.rule_sets[0]?.rule_set_id,
      score: 1,
      decision: 'MATCH',
      explanation: {
        scale: 1,
        thresholds: { Tmatch: 0.9, Tpossible: 0.5 },
        matchers: [
          { id: 'ref', name: 'Reference', value: 1, weight: 3, contribution: 0.75, required: true },
          { id: 'm2', name: 'm2', value: 1, weight: 1, contribution: 0.25, required: false },
        ],
        amountDelta: 0.3,
        dayDelta: -1,
        ruleSetVersion: 1,
      },
      matching_job_id: job.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(match).toEqual(body);
  });

  test('below Tmatch is POSSIBLE', async () => {
    expect((await books.matches())['l1|r1']).toMatchObject({ decision: 'POSSIBLE', score: 0.75 });
  });

  test('of a matcher that abstains has the score of the others', async () => {
    expect((await books.matches())['l2|r2']).toMatchObject({
      decision: 'MATCH',
      score: 1,
      explanation: { matchers: [{ contribution: 1 }, { value: null, contribution: 0 }] },
    });
  });

  test('is not found under an unknown id, one that is not a uuid, and by another tenant, all alike', async () => {
    const match = (await books.matches())['l0|r0'] as MatchBody;
    const other = await api.newTenant();
    const answers = [
      books.tenant.api.get(`/v1/matches/${newId()}`),
      books.tenant.api.get('/v1/matches/x'),
      other.api.get(`/v1/matches/${match.id}`),
    ];
    for (const answer of answers) {
      expect({ ...((await answer.expect(404)).body as object), request_id: '' }).toEqual({
        status: 'error',
        code: 'match_not_found',
        message: 'Match not found',
        request_id: '',
      });
    }
  });

  test('goes with either of its records', async () => {
    const own = await openBooks(api, [{ ref: 'a' }, { ref: 'b' }], [{ ref: 'a' }, { ref: 'b' }]);
    await own.ruleSet();
    await own.reconcile();
    const match = (await own.matches())['l0|r0'] as MatchBody;
    await own.tenant.api.delete(`/v1/records/${match.right_record_id}`).expect(204);
    await own.tenant.api.get(`/v1/matches/${match.id}`).expect(404);
    expect(Object.keys(await own.matches())).toEqual(['l1|r1']);
  });
});

describe('the list', () => {
  let books: Books;
  let matches: MatchBody[];
  const at = (i: number): MatchBody => matches[i] as MatchBody;

  beforeAll(async () => {
    books = await openBooks(api, [{ n: 1 }, { n: 0.8 }, { n: 0.6 }], [{ n: 1 }, { n: 0.5 }]);
    await books.ruleSet({ jsonataExpr: 'left.n * right.n', params: { Tmatch: 0.8, Tpossible: 0.4 } });
    await books.ruleSet({ jsonataExpr: 'left.n = right.n', name: 'equal' });
    await books.reconcile();
    matches = await allOf<MatchBody>(books.tenant, '/v1/matches');
  });

  const ids = async (query: string): Promise<string[]> =>
    (await allOf<MatchBody>(books.tenant, `/v1/matches${query}`)).map((m) => m.id);
  const idsOf = (wanted: (m: MatchBody) => boolean): string[] => matches.filter(wanted).map((m) => m.id);

  test('is newest first and holds MATCH and POSSIBLE', () => {
    expect(matches).toHaveLength(6);
    expect(matches.map((m) => m.id)).toEqual(
      matches
        .map((m) => m.id)
        .sort()
        .reverse(),
    );
    expect(new Set(matches.map((m) => m.decision))).toEqual(new Set(['MATCH', 'POSSIBLE']));
  });

  test.each<[string, () => [string, (m: MatchBody) => boolean]]>([
    ['decision MATCH', () => ['decision=MATCH', (m) => m.decision === 'MATCH']],
    ['decision POSSIBLE', () => ['decision=POSSIBLE', (m) => m.decision === 'POSSIBLE']],
    ['rule set', () => [`ruleSetId=${at(0).rule_set_id}`, (m) => m.rule_set_id === at(0).rule_set_id]],
    ['job', () => [`matchingJobId=${at(0).matching_job_id}`, () => true]],
    ['left record', () => [`recordId=${at(0).left_record_id}`, (m) => m.left_record_id === at(0).left_record_id]],
    ['right record', () => [`recordId=${at(0).right_record_id}`, (m) => m.right_record_id === at(0).right_record_id]],
    ['a score, inclusive', () => ['minScore=0.5', (m) => m.score >= 0.5]],
    [
      'all together',
      () => [
        `decision=MATCH&minScore=0.9&ruleSetId=${at(5).rule_set_id}`,
        (m) => m.decision === 'MATCH' && m.score >= 0.9 && m.rule_set_id === at(5).rule_set_id,
      ],
    ],
    ['an unknown job', () => [`matchingJobId=${newId()}`, () => false]],
    ['an unknown rule set', () => [`ruleSetId=${newId()}`, () => false]],
    ['an unknown record', () => [`recordId=${newId()}`, () => false]],
  ])('filters by %s', async (_what, filter) => {
    const [query, wanted] = filter();
    expect(await ids(`?${query}`)).toEqual(idsOf(wanted));
  });

  test('is read by page', async () => {
    const { body } = await books.tenant.api.get('/v1/matches?limit=4&page=2').expect(200);
    expect(body).toEqual({ items: matches.slice(4), total: 6, page: 2, limit: 4, next_cursor: null });
  });

  test('is read by cursor, each match once', async () => {
    const seen: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await books.tenant.api.get(`/v1/matches${query}`).expect(200);
      const { items, total, next_cursor } = body as ListBody<MatchBody>;
      seen.push(...items.map((m) => m.id));
      expect([items.length, total]).toEqual([2, 6]);
      if (pages === 2) expect(next_cursor).toBeNull();
      query = `?limit=2&cursor=${next_cursor}`;
    }
    expect(seen).toEqual(matches.map((m) => m.id));
  });

  test('has pages of 25 unless asked otherwise', async () => {
    const { body } = await books.tenant.api.get('/v1/matches').expect(200);
    expect(body).toMatchObject({ total: 6, page: 1, limit: 25, next_cursor: null });
  });

  test.each<[string, string]>([
    ['decision=NO_MATCH', 'decision'],
    ['matchingJobId=x', 'matchingJobId'],
    ['ruleSetId=x', 'ruleSetId'],
    ['recordId=x', 'recordId'],
    ['minScore=high', 'minScore'],
    ['page=0', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['page=1&cursor=AZ_NwUgAcAC_GwAAAAAAAA', 'page'],
    ['jobId=x', 'jobId'],
  ])('?%s is refused at %s', async (query, name) => {
    const { body } = await books.tenant.api.get(`/v1/matches?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: `/query/${name}` }] });
  });

  test('shows nothing of another tenant, by whatever filter', async () => {
    const other = await api.newTenant();
    const { rule_set_id, matching_job_id, left_record_id } = at(0);
    for (const query of [
      '',
      `ruleSetId=${rule_set_id}`,
      `matchingJobId=${matching_job_id}`,
      `recordId=${left_record_id}`,
    ]) {
      expect((await other.api.get(`/v1/matches?${query}`).expect(200)).body).toMatchObject({ items: [], total: 0 });
    }
  });

  test.each<[string, (as: KeyedApi) => ReturnType<KeyedApi['get']>]>([
    ['list', (as) => as.get('/v1/matches')],
    ['read', (as) => as.get(`/v1/matches/${at(0).id}`)],
  ])('%s needs a key with matches:read', async (_what, send) => {
    const status = async (scopes: readonly string[]): Promise<number> =>
      (await send((await api.newKey(books.tenant, scopes)).api)).status;
    expect([
      await status(['jobs:write', 'rule-sets:write']),
      await status(['matches:read']),
      await status(['matches:write']),
    ]).toEqual([403, 200, 200]);
    expect((await send(api.withKey(''))).status).toBe(401);
  });
});

describe('live matches', () => {
  const jobsOf = async (books: Books): Promise<string[]> => [
    ...new Set(Object.values(await books.matches()).map((m) => m.matching_job_id)),
  ];

  test('are those of the latest completed job of each rule set', async () => {
    const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    const [first, second] = [await books.ruleSet(), await books.ruleSet()];
    const both = await books.reconcile();
    expect(await jobsOf(books)).toEqual([both.id]);
    const one = await books.reconcile({ dataset: 'left', ruleSetIds: [second.id] });
    const live = await allOf<MatchBody>(books.tenant, '/v1/matches');
    expect(new Map(live.map((m) => [m.rule_set_id, m.matching_job_id]))).toEqual(
      new Map([
        [first.id, both.id],
        [second.id, one.id],
      ]),
    );
  });

  test('are replaced by a run that finds none', async () => {
    const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    const { id } = await books.ruleSet();
    await books.reconcile();
    await books.tenant.api.patch(`/v1/rule-sets/${id}`, { jsonataExpr: 'false' }).expect(200);
    await books.reconcile();
    expect(await books.matches()).toEqual({});
  });

  test('the matches of a job that a later one superseded are deleted', async () => {
    const books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    await books.ruleSet();
    const before = await books.reconcile();
    const [old] = Object.values(await books.matches());
    await books.reconcile();
    await books.tenant.api.get(`/v1/matches/${old?.id}`).expect(404);
    expect(await books.matches(before.id)).toEqual({});
  });

  test('change in one step when a job completes; until then a running job shows its own by its id alone', async () => {
    const rows = (count: number): object[] => Array.from({ length: count }, (_, ref) => ({ ref }));
    const books = await openBooks(idle, rows(210), rows(100));
    await books.ruleSet();
    const handlers = createMatchingHandlers(idle.service.deps, undefined, { leftRows: 200 });
    const { tenantId } = books.tenant;
    const step = async (job: JobBody, batchNo: number): Promise<void> =>
      handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.rule_sets[0]?.id as string, batchNo });
    const total = async (query: string): Promise<number> =>
      ((await books.tenant.api.get(`/v1/matches?limit=1&${query}`).expect(200)).body as ListBody<MatchBody>).total;

    const first = await books.start();
    await handlers['matching.plan']({ tenantId, jobId: first.id });
    expect([await total(''), await total(`matchingJobId=${first.id}`)]).toEqual([0, 0]);
    await step(first, 0);
    const early = await total(`matchingJobId=${first.id}`);
    expect([await total(''), early > 0]).toEqual([0, true]);
    await step(first, 1);
    expect(await total('')).toBe(0);
    await handlers['matching.finish']({ tenantId, jobId: first.id });
    expect(await total('')).toBe(100);

    const second = await books.start();
    await handlers['matching.plan']({ tenantId, jobId: second.id });
    await step(second, 0);
    expect([await jobsOf(books), await total('')]).toEqual([[first.id], 100]);
    await step(second, 1);
    await handlers['matching.finish']({ tenantId, jobId: second.id });
    expect([await jobsOf(books), await total('')]).toEqual([[second.id], 100]);
  });
});
