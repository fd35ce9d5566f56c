import { newId } from '@tieout/infra';
import {
  allOf,
  openBooks,
  startTestApi,
  storeComposite,
  type Books,
  type CompositeBody,
  type JobBody,
  type KeyedApi,
  type ListBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;
let books: Books;
let job: JobBody;
let ids: string[];

const row = { ref: 1 };

beforeAll(async () => {
  api = await startTestApi();
  books = await openBooks(api, [row, row, row, row], [row, row, row, row, row]);
  await books.ruleSet();
  job = await books.reconcile();
  ids = [
    await storeComposite(api, books, job, { target: 'l0', members: ['r0', 'r1'] }),
    await storeComposite(api, books, job, {
      target: 'l1',
      members: ['r2', 'r3', 'r4'],
      decision: 'POSSIBLE',
      score: 0.75,
    }),
    await storeComposite(api, books, job, { target: 'r3', members: ['l2', 'l3'], direction: 'many_to_one' }),
    await storeComposite(api, books, job, {
      target: 'r4',
      members: ['l3', 'l2'],
      direction: 'many_to_one',
      decision: 'POSSIBLE',
      score: 0.5,
    }),
  ];
});

afterAll(() => api.close());

const idOf = (name: string): string => books.recordIds.get(name) as string;
const listed = async (query = '', of = books): Promise<string[]> =>
  (await allOf<CompositeBody>(of.tenant, `/v1/composite-matches${query}`)).map(({ id }) => id);

describe('one composite match', () => {
  test('is shown as the interface says, with its target and its members in their stored order', async () => {
    const { body } = await books.tenant.api.get(`/v1/composite-matches/${ids[1]}`).expect(200);
    expect(body).toEqual({
      id: ids[1],
      ruleSetId: job.rule_sets[0]?.rule_set_id,
      matchingJobId: job.id,
      direction: 'one_to_many',
      status: 'PARTIAL',
      expectedMemberCount: 3,
      score: 0.75,
      decision: 'POSSIBLE',
      targetAmount: 30.5,
      composedAmount: 30,
      amountDelta: -0.5,
      explanation: { kind: 'subset' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      targetRecordId: idOf('l1'),
      members: [
        { recordId: idOf('r2'), amount: 10, date: '2025-03-01' },
        { recordId: idOf('r3'), amount: 10, date: '2025-03-02' },
        { recordId: idOf('r4'), amount: 10, date: null },
      ],
    });
  });

  test('is not found under an unknown id, one that is not a uuid, and by another tenant, all alike', async () => {
    const other = await api.newTenant();
    const answers = [
      books.tenant.api.get(`/v1/composite-matches/${newId()}`),
      books.tenant.api.get('/v1/composite-matches/x'),
      other.api.get(`/v1/composite-matches/${ids[0]}`),
    ];
    for (const answer of answers) {
      expect({ ...((await answer.expect(404)).body as object), request_id: '' }).toEqual({
        status: 'error',
        code: 'composite_match_not_found',
        message: 'Composite match not found',
        request_id: '',
      });
    }
  });
});

describe('the list', () => {
  test('is newest first and shows the fields of the interface', async () => {
    const { body } = await books.tenant.api.get('/v1/composite-matches').expect(200);
    const { items, ...rest } = body as ListBody<CompositeBody>;
    expect(rest).toEqual({ total: 4, page: 1, limit: 25, nextCursor: null });
    expect(items.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(Object.keys(items[0] as CompositeBody)).toEqual([
      'id',
      'ruleSetId',
      'matchingJobId',
      'direction',
      'status',
      'expectedMemberCount',
      'score',
      'decision',
      'targetAmount',
      'composedAmount',
      'amountDelta',
      'explanation',
      'createdAt',
    ]);
  });

  test.each<[string, () => string, number[]]>([
    ['decision MATCH', () => 'decision=MATCH', [2, 0]],
    ['decision POSSIBLE', () => 'decision=POSSIBLE', [3, 1]],
    ['direction one_to_many', () => 'direction=one_to_many', [1, 0]],
    ['direction many_to_one', () => 'direction=many_to_one', [3, 2]],
    ['rule set', () => `ruleSetId=${job.rule_sets[0]?.rule_set_id}`, [3, 2, 1, 0]],
    ['job', () => `jobId=${job.id}`, [3, 2, 1, 0]],
    [
      'all together',
      () => `jobId=${job.id}&ruleSetId=${job.rule_sets[0]?.rule_set_id}&decision=MATCH&direction=many_to_one`,
      [2],
    ],
    ['an unknown job', () => `jobId=${newId()}`, []],
    ['an unknown rule set', () => `ruleSetId=${newId()}`, []],
  ])('filters by %s', async (_what, query, wanted) => {
    expect(await listed(`?${query()}`)).toEqual(wanted.map((place) => ids[place]));
  });

  test('is read by page', async () => {
    const { body } = await books.tenant.api.get('/v1/composite-matches?limit=3&page=2').expect(200);
    expect(body).toMatchObject({ items: [{ id: ids[0] }], total: 4, page: 2, limit: 3, nextCursor: null });
  });

  test('is read by cursor, each composite once', async () => {
    const seen: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 2; pages++) {
      const { items, nextCursor } = (await books.tenant.api.get(`/v1/composite-matches${query}`).expect(200))
        .body as ListBody<CompositeBody>;
      seen.push(...items.map(({ id }) => id));
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect([seen, query]).toEqual([[...ids].reverse(), '?limit=2&cursor=null']);
  });

  test.each<[string, string]>([
    ['decision=COMPOSITE_MATCH', 'decision'],
    ['direction=left_to_many_right', 'direction'],
    ['ruleSetId=x', 'ruleSetId'],
    ['jobId=x', 'jobId'],
    ['page=0', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['page=1&cursor=AZ_NwUgAcAC_GwAAAAAAAA', 'page'],
    ['matchingJobId=x', 'matchingJobId'],
  ])('?%s is refused at %s', async (query, name) => {
    const { body } = await books.tenant.api.get(`/v1/composite-matches?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: `/query/${name}` }] });
  });

  test('shows nothing of another tenant, by whatever filter', async () => {
    const other = await api.newTenant();
    for (const query of ['', `?ruleSetId=${job.rule_sets[0]?.rule_set_id}`, `?jobId=${job.id}`]) {
      expect((await other.api.get(`/v1/composite-matches${query}`).expect(200)).body).toMatchObject({
        items: [],
        total: 0,
      });
    }
  });

  test('holds those of the latest completed job of the rule set; those of an earlier job only on request', async () => {
    const own = await openBooks(api, [row], [row, row]);
    await own.ruleSet();
    const first = await own.reconcile();
    const second = await own.reconcile();
    const old = await storeComposite(api, own, first, { target: 'l0', members: ['r0', 'r1'] });
    const live = await storeComposite(api, own, second, { target: 'l0', members: ['r0', 'r1'] });
    expect([await listed('', own), await listed(`?jobId=${first.id}`, own)]).toEqual([[live], [old]]);
  });
});

test.each<[string, readonly string[], (as: KeyedApi) => ReturnType<KeyedApi['get']>]>([
  ['list', ['matches:read'], (as) => as.get('/v1/composite-matches')],
  ['read', ['matches:read'], (as) => as.get(`/v1/composite-matches/${ids[0]}`)],
  ['review', ['matches:write'], (as) => as.post(`/v1/composite-matches/${newId()}/review`, { action: 'reject' })],
])('%s needs a key with the scope %p', async (what, scopes, send) => {
  const status = async (granted: readonly string[]): Promise<number> =>
    (await send((await api.newKey(books.tenant, granted)).api)).status;
  expect([await status(['jobs:write', 'rule-sets:write']), await status(scopes)]).toEqual([
    403,
    what === 'review' ? 404 : 200,
  ]);
  expect((await send(api.withKey(''))).status).toBe(401);
});

test('reviewing needs more than matches:read', async () => {
  const { api: reader } = await api.newKey(books.tenant, ['matches:read']);
  await reader.post(`/v1/composite-matches/${ids[0]}/review`, { action: 'confirm' }).expect(403);
});

describe('composites go', () => {
  test.each([
    ['target', 'l0'],
    ['member', 'r1'],
  ])('with the record that is their %s, and no others', async (_role, name) => {
    const own = await openBooks(api, [row, row], [row, row, row, row]);
    await own.ruleSet();
    const made = await own.reconcile();
    const gone = await storeComposite(api, own, made, { target: 'l0', members: ['r0', 'r1'] });
    const kept = await storeComposite(api, own, made, { target: 'l1', members: ['r2', 'r3'] });
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get(name)}`).expect(204);
    await own.tenant.api.get(`/v1/composite-matches/${gone}`).expect(404);
    expect(await listed('', own)).toEqual([kept]);
    expect(await membersLeft(own)).toBe(2);
  });

  test('with the rule set that found them, and no others', async () => {
    const own = await openBooks(api, [row], [row, row]);
    const [first, second] = [await own.ruleSet(), await own.ruleSet()];
    const composed = async (ruleSetId: string): Promise<string> =>
      storeComposite(api, own, await own.reconcile({ dataset: 'left', ruleSetIds: [ruleSetId] }), {
        target: 'l0',
        members: ['r0', 'r1'],
      });
    const [, kept] = [await composed(first.id), await composed(second.id)];
    await own.tenant.api.delete(`/v1/rule-sets/${first.id}`).expect(204);
    expect([await listed('', own), await membersLeft(own)]).toEqual([[kept], 2]);
  });

  test('with the dataset that holds their members', async () => {
    const own = await openBooks(api, [row], [row, row]);
    const { id: ruleSetId } = await own.ruleSet();
    const made = await own.reconcile();
    const id = await storeComposite(api, own, made, { target: 'l0', members: ['r0', 'r1'] });
    // A dataset that a rule set uses cannot be deleted: the rule set moves on to another one first.
    const { body } = await own.tenant.api.post('/v1/datasets', { name: 'new right' }).expect(201);
    await own.tenant.api
      .patch(`/v1/rule-sets/${ruleSetId}`, { rightDatasetId: (body as { id: string }).id })
      .expect(200);
    await own.tenant.api.delete(`/v1/datasets/${own.rightId}`).expect(204);
    await own.tenant.api.get(`/v1/composite-matches/${id}`).expect(404);
    expect(await membersLeft(own)).toBe(0);
  });

  const membersLeft = async ({ tenant }: Books): Promise<number> => {
    const [answer] = await api.service.deps.db
      .forTenant(tenant.tenantId)
      .query<{ count: number }>('select count(*)::int as count from composite_members where tenant_id = $1::uuid', [
        tenant.tenantId,
      ]);
    return answer?.count ?? -1;
  };
});

describe('unmatched records', () => {
  test('show the best POSSIBLE composite that names them as target or member and is not rejected', async () => {
    const own = await openBooks(api, [{ ref: 1 }, { ref: 2 }, { ref: 3 }], [{ ref: 4 }, { ref: 5 }]);
    await own.ruleSet();
    const made = await own.reconcile();
    const [fair, better, rejected] = [
      await storeComposite(api, own, made, { target: 'l0', members: ['r0', 'r1'], decision: 'POSSIBLE', score: 0.5 }),
      await storeComposite(api, own, made, { target: 'l1', members: ['r1', 'r0'], decision: 'POSSIBLE', score: 0.75 }),
      await storeComposite(api, own, made, { target: 'l2', members: ['r0', 'r1'], decision: 'POSSIBLE', score: 1 }),
    ];
    await own.tenant.api.post(`/v1/composite-matches/${rejected}/review`, { action: 'reject' }).expect(200);
    const best = async (side: string) =>
      (await own.unmatched(made.id, `side=${side}`)).items.map((item) => [
        item.record.external_id,
        item.best_possible_composite,
      ]);
    expect(await best('left')).toEqual([
      ['l2', null],
      ['l1', { composite_match_id: better, score: 0.75 }],
      ['l0', { composite_match_id: fair, score: 0.5 }],
    ]);
    expect(await best('right')).toEqual([
      ['r1', { composite_match_id: better, score: 0.75 }],
      ['r0', { composite_match_id: better, score: 0.75 }],
    ]);
  });

  test('show no composite of another job', async () => {
    const own = await openBooks(api, [{ ref: 1 }], [{ ref: 2 }, { ref: 3 }]);
    await own.ruleSet();
    const [first, second] = [await own.reconcile(), await own.reconcile()];
    await storeComposite(api, own, second, { target: 'l0', members: ['r0', 'r1'], decision: 'POSSIBLE' });
    expect((await own.unmatched(first.id, 'side=left')).items).toMatchObject([{ best_possible_composite: null }]);
  });
});
