import { newId } from '@tieout/infra';
import {
  allOf,
  openBooks,
  startTestApi,
  storeComposite,
  type Books,
  type JobBody,
  type MatchBody,
  type TestApi,
  whileLocked,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface Case {
  books: Books;
  ruleSetId: string;
  job: JobBody;
  /** The id of a live match, as `l0|r0`. */
  id(pair: string): Promise<string>;
  review(id: string, body: object, status?: number): Promise<MatchBody>;
}

const score = { jsonataExpr: 'left.n * right.n', params: { Tmatch: 0.8, Tpossible: 0.4 } };
const oneToOne = { ...score, params: { ...score.params, assignment: 'one_to_one' } };

/** l0|r0 and l0|r1, l1|r0 of a lower score, and l1|r1, which is POSSIBLE whatever the assignment. */
async function openCase(ruleSet: object = score): Promise<Case> {
  const books = await openBooks(api, [{ n: 1 }, { n: 0.9 }], [{ n: 1 }, { n: 0.85 }]);
  const { id: ruleSetId } = await books.ruleSet(ruleSet);
  const job = await books.reconcile();
  return {
    books,
    ruleSetId,
    job,
    id: async (pair) => (await books.matches())[pair]?.id as string,
    review: async (id, body, status = 200) =>
      (await books.tenant.api.post(`/v1/matches/${id}/review`, body).expect(status)).body as MatchBody,
  };
}

/** Maps each live or reviewed pair to its decision and review. */
async function decisions(books: Books, jobId?: string): Promise<Record<string, string>> {
  const found = Object.entries(await books.matches(jobId));
  return Object.fromEntries(
    found.map(([pair, { decision, review }]) => [pair, review ? `${decision} ${review.status}` : decision]),
  );
}

test.each([
  ['confirm', 'confirmed'],
  ['reject', 'rejected'],
])('%s: the answer, the resource and the list say %s, by which key and when', async (action, status) => {
  const { books, id, review } = await openCase();
  const match = await id('l0|r0');
  const { id: apiKeyId, api: keyed } = await api.newKey(books.tenant, ['matches:write', 'records:read']);
  const { body } = await keyed.post(`/v1/matches/${match}/review`, { action, note: 'seen' }).expect(200);
  const shown = {
    status,
    note: 'seen',
    reviewed_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    api_key_id: apiKeyId,
  };
  expect(body).toMatchObject({ id: match, decision: 'MATCH', review: shown });
  expect((await books.tenant.api.get(`/v1/matches/${match}`).expect(200)).body).toEqual(body);
  expect((await books.matches())['l0|r0']).toEqual(body);
  expect((await review(match, { action })).review).toMatchObject({ status, note: null });
});

test('the platform key reviews on behalf of a tenant and leaves no key id', async () => {
  const { books, id } = await openCase();
  const { body } = await api.platform
    .post(`/v1/matches/${await id('l0|r0')}/review`, { action: 'reject' })
    .set('x-tenant-id', books.tenant.tenantId)
    .expect(200);
  expect(body).toMatchObject({ review: { status: 'rejected', api_key_id: null } });
});

test('reviewing needs a key with matches:write', async () => {
  const { books, id } = await openCase();
  const { api: reader } = await api.newKey(books.tenant, ['matches:read']);
  expect(
    (await reader.post(`/v1/matches/${await id('l0|r0')}/review`, { action: 'reject' }).expect(403)).body,
  ).toMatchObject({ code: 'insufficient_scope' });
});

test('the same review again changes nothing', async () => {
  const { id, review } = await openCase();
  const match = await id('l0|r0');
  const once = await review(match, { action: 'confirm', note: 'fine' });
  expect(await review(match, { action: 'confirm', note: 'fine' })).toEqual(once);
});

test('a second review takes the place of the first', async () => {
  const { id, review } = await openCase();
  const match = await id('l0|r0');
  await review(match, { action: 'confirm', note: 'fine' });
  expect((await review(match, { action: 'reject' })).review).toMatchObject({ status: 'rejected', note: null });
});

test.each<[string, string[]]>([
  ['confirmed', ['l0|r0']],
  ['rejected', ['l0|r1']],
  ['none', ['l1|r0', 'l1|r1']],
])('the list filters by review %s', async (wanted, pairs) => {
  const { books, id, review } = await openCase();
  await review(await id('l0|r0'), { action: 'confirm' });
  await review(await id('l0|r1'), { action: 'reject' });
  const ids = await Promise.all(pairs.map(id));
  const listed = await allOf<MatchBody>(books.tenant, `/v1/matches?review=${wanted}`);
  expect(listed.map((match) => match.id).sort()).toEqual(ids.sort());
  const { body } = await books.tenant.api.get('/v1/matches?review=open').expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/query/review' }] });
});

describe('a later job', () => {
  test('leaves a reviewed match as it is, and proposes its pair no second time', async () => {
    const { books, id, review, job } = await openCase();
    const [confirmed, rejected] = [
      await review(await id('l1|r1'), { action: 'confirm' }),
      await review(await id('l0|r0'), { action: 'reject', note: 'no' }),
    ];
    const next = await books.reconcile();
    expect(await decisions(books)).toEqual({
      'l0|r0': 'MATCH rejected',
      'l0|r1': 'MATCH',
      'l1|r0': 'MATCH',
      'l1|r1': 'POSSIBLE confirmed',
    });
    expect(await decisions(books, next.id)).toEqual({ 'l0|r1': 'MATCH', 'l1|r0': 'MATCH' });
    for (const match of [confirmed, rejected])
      expect((await books.tenant.api.get(`/v1/matches/${match.id}`).expect(200)).body).toEqual(match);
    expect(job.decision_counts).toMatchObject({ MATCH: 3, POSSIBLE: 1, NO_MATCH: 0 });
    expect(next).toMatchObject({
      decision_counts: { MATCH: 2, POSSIBLE: 0, NO_MATCH: 2 },
      average_score: (0.85 + 0.9) / 2,
    });
  });

  test('gives the same when it runs again and again', async () => {
    const { books, id, review } = await openCase(oneToOne);
    await review(await id('l0|r0'), { action: 'reject' });
    const { decision_counts: once } = await books.reconcile();
    const { decision_counts: twice } = await books.reconcile();
    expect(twice).toEqual(once);
  });

  test('proposes a rejected pair again once what decides has changed, and keeps the rejected match', async () => {
    const { books, ruleSetId, id, review } = await openCase();
    const rejected = await id('l0|r0');
    await review(rejected, { action: 'reject' });
    await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { params: { Tmatch: 0.8, Tpossible: 0.3 } }).expect(200);
    const next = await books.reconcile();
    expect((await decisions(books, next.id))['l0|r0']).toBe('MATCH');
    expect((await books.tenant.api.get(`/v1/matches/${rejected}`).expect(200)).body).toMatchObject({
      review: { status: 'rejected' },
    });
  });

  test('holds to a confirmed pair under another version of the rule set', async () => {
    const { books, ruleSetId, id, review } = await openCase(oneToOne);
    await review(await id('l0|r0'), { action: 'confirm' });
    await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { name: 'second' }).expect(200);
    const next = await books.reconcile();
    expect(await decisions(books, next.id)).toEqual({ 'l0|r1': 'POSSIBLE', 'l1|r0': 'POSSIBLE', 'l1|r1': 'POSSIBLE' });
  });

  test('one_to_one: gives the records of a rejected pair to the next best ones', async () => {
    const { books, id, review, job } = await openCase(oneToOne);
    expect(await decisions(books, job.id)).toEqual({
      'l0|r0': 'MATCH',
      'l0|r1': 'POSSIBLE',
      'l1|r0': 'POSSIBLE',
      'l1|r1': 'POSSIBLE',
    });
    await review(await id('l0|r0'), { action: 'reject' });
    const next = await books.reconcile();
    expect(await decisions(books, next.id)).toEqual({ 'l0|r1': 'MATCH', 'l1|r0': 'MATCH', 'l1|r1': 'POSSIBLE' });
  });

  test('one_to_one: gives the records of a confirmed match to nobody else', async () => {
    const { books, id, review } = await openCase(oneToOne);
    await review(await id('l0|r0'), { action: 'reject' });
    await review(await id('l1|r0'), { action: 'confirm' });
    const next = await books.reconcile();
    expect(await decisions(books, next.id)).toEqual({ 'l0|r1': 'MATCH', 'l1|r1': 'POSSIBLE' });
    expect((await books.matches(next.id))['l1|r1']?.explanation).not.toHaveProperty('conflict');
  });

  test('counts the records of a confirmed match as matched, those of a rejected one alone as unmatched', async () => {
    const books = await openBooks(api, [{ ref: 1 }, { ref: 2 }], [{ ref: 1 }, { ref: 2 }]);
    await books.ruleSet();
    await books.reconcile();
    const at = async (pair: string): Promise<string> => (await books.matches())[pair]?.id as string;
    await books.tenant.api.post(`/v1/matches/${await at('l0|r0')}/review`, { action: 'confirm' }).expect(200);
    await books.tenant.api.post(`/v1/matches/${await at('l1|r1')}/review`, { action: 'reject' }).expect(200);
    const { id } = await books.reconcile();
    const unmatched = await Promise.all(
      (['left', 'right'] as const).map((side) => books.unmatched(id, `side=${side}`)),
    );
    expect(unmatched.flatMap(({ items }) => items).map(({ record, reason }) => [record.external_id, reason])).toEqual([
      ['l1', 'rejected'],
      ['r1', 'rejected'],
    ]);
  });

  test('composes no group of a record that is in a confirmed match', async () => {
    const books = await openBooks(api, [{ amount: 30 }], [{ amount: 10 }, { amount: 20 }]);
    await books.ruleSet({
      engine: 'jsonata-batch',
      params: {
        Tmatch: 1,
        Tpossible: 0.5,
        blocking: { enabled: false },
        matchers: [{ expr: 'left.amount > right.amount ? 0.6 : 0' }],
        composition: { enabled: true, dateStrategy: 'none' },
      },
    });
    const first = await books.reconcile();
    expect(first.decision_counts).toMatchObject({ POSSIBLE: 2, COMPOSITE_MATCH: 1 });
    const pair = (await books.matches())['l0|r0']?.id as string;
    const { items } = (await books.tenant.api.get('/v1/composite-matches').expect(200)).body as {
      items: [{ id: string }];
    };
    const held = await books.tenant.api.post(`/v1/matches/${pair}/review`, { action: 'confirm' }).expect(409);
    expect(held.body).toMatchObject({ code: 'conflict', message: expect.stringContaining(items[0].id) as string });
    await books.tenant.api.post(`/v1/composite-matches/${items[0].id}/review`, { action: 'reject' }).expect(200);
    await books.tenant.api.post(`/v1/matches/${pair}/review`, { action: 'confirm' }).expect(200);
    const back = await books.tenant.api
      .post(`/v1/composite-matches/${items[0].id}/review`, { action: 'confirm' })
      .expect(409);
    expect(back.body).toMatchObject({ code: 'conflict', message: expect.stringContaining(pair) as string });
    expect((await books.reconcile()).decision_counts).toMatchObject({ COMPOSITE_MATCH: 0, COMPOSITE_POSSIBLE: 0 });
  });
});

test('a rejected pair is nobody’s best possible one', async () => {
  const { books, job, id, review } = await openCase({ ...score, params: { Tmatch: 1, Tpossible: 0.4 } });
  await review(await id('l1|r0'), { action: 'reject' });
  const { items } = await books.unmatched(job.id, 'side=left');
  expect(items.map((item) => [item.record.external_id, item.best_possible?.match_id])).toEqual([
    ['l1', await id('l1|r1')],
  ]);
});

test('a reviewed match goes with its record', async () => {
  const { books, id, review } = await openCase();
  const match = await id('l0|r0');
  await review(match, { action: 'confirm' });
  await books.tenant.api.delete(`/v1/records/${books.recordIds.get('r0')}`).expect(204);
  await books.tenant.api.get(`/v1/matches/${match}`).expect(404);
});

test('a reviewed match goes with its rule set', async () => {
  const { books, ruleSetId, id, review } = await openCase();
  const match = await id('l0|r0');
  await review(match, { action: 'confirm' });
  await books.reconcile();
  await books.tenant.api.delete(`/v1/rule-sets/${ruleSetId}`).expect(204);
  await books.tenant.api.get(`/v1/matches/${match}`).expect(404);
});

describe('is refused with 409', () => {
  test('when a later job has replaced the match', async () => {
    const { books, job, id, review } = await openCase();
    const match = await id('l0|r0');
    await api.service.deps.db.system.execute('update rule_sets set live_job_id = null where id = $1::uuid', [
      job.rule_sets[0]?.rule_set_id as string,
    ]);
    expect(await review(match, { action: 'confirm' }, 409)).toMatchObject({
      code: 'conflict',
      message: 'A later matching job has replaced the match',
    });
    expect(await decisions(books)).toEqual({});
  });

  test.each([
    ['a job of the rule set is completing', 'select 1 from rule_sets where id = $1::uuid for key share'],
    ['somebody has the match in hand', 'select 1 from matches where rule_set_id = $1::uuid for update'],
    [
      'the figures of the tenant are being counted',
      `select pg_advisory_xact_lock(hashtextextended('live figures ' || tenant_id::text, 0))
         from rule_sets where id = $1::uuid`,
    ],
  ])('when %s, with the time to wait', async (_when, lock) => {
    const { books, ruleSetId, id } = await openCase();
    const match = await id('l0|r0');
    await whileLocked(api, books.tenant, lock, [ruleSetId], async () => {
      const answer = await books.tenant.api
        .post(`/v1/matches/${match}/review`, { action: 'confirm' })
        .expect(409)
        .expect('retry-after', '5');
      expect(answer.body).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is completing') as string,
      });
    });
  });

  test('when its job is not completed', async () => {
    const { job, id, review } = await openCase();
    const match = await id('l0|r0');
    await api.service.deps.db.system.execute(`update matching_jobs set status = 'running' where id = $1::uuid`, [
      job.id,
    ]);
    expect(await review(match, { action: 'reject' }, 409)).toMatchObject({
      code: 'conflict',
      message: 'The matching job of the match is not completed',
    });
  });

  test('one_to_one: confirming, until the MATCH that has one of the records is rejected', async () => {
    const { id, review } = await openCase(oneToOne);
    const [taken, wanted] = [await id('l0|r0'), await id('l0|r1')];
    expect(await review(wanted, { action: 'confirm' }, 409)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(taken) as string,
    });
    await review(taken, { action: 'reject' });
    expect((await review(wanted, { action: 'confirm' })).review?.status).toBe('confirmed');
    expect(await review(taken, { action: 'confirm' }, 409)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(wanted) as string,
    });
  });

  test('confirming a match that was rejected, when other rules have found the pair again', async () => {
    const { books, ruleSetId, id, review } = await openCase();
    const rejected = await id('l0|r0');
    await review(rejected, { action: 'reject' });
    await books.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { params: { Tmatch: 0.8, Tpossible: 0.3 } }).expect(200);
    const next = await books.reconcile();
    const twin = (await books.matches(next.id))['l0|r0']?.id as string;
    expect(await review(rejected, { action: 'confirm' }, 409)).toMatchObject({
      message: expect.stringContaining(twin) as string,
    });
  });
});

test('where records may have several matches, all of them can be confirmed', async () => {
  const { books, id, review } = await openCase();
  for (const pair of ['l0|r0', 'l0|r1', 'l1|r0']) await review(await id(pair), { action: 'confirm' });
  expect(Object.values(await decisions(books)).sort()).toEqual([
    'MATCH confirmed',
    'MATCH confirmed',
    'MATCH confirmed',
    'POSSIBLE',
  ]);
});

test('one of two concurrent confirmations that share a record succeeds', async () => {
  const { books, id, review } = await openCase(oneToOne);
  await review(await id('l0|r0'), { action: 'reject' });
  const ids = [await id('l0|r1'), await id('l1|r1')];
  const answers = await Promise.all(
    ids.map((match) => books.tenant.api.post(`/v1/matches/${match}/review`, { action: 'confirm' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a confirmed composite does not keep pairs of other rule sets from being confirmed', async () => {
  const { books, job, id, review } = await openCase();
  await storeComposite(api, books, job, { target: 'l0', members: ['r0', 'r1'] });
  expect((await review(await id('l0|r0'), { action: 'confirm' })).review?.status).toBe('confirmed');
});

test.each<[string, object, string]>([
  ['without an action', {}, '/action'],
  ['with an unknown action', { action: 'approve' }, '/action'],
  ['with a note of 4,001 characters', { action: 'confirm', note: 'x'.repeat(4001) }, '/note'],
  ['with another key', { action: 'confirm', status: 'confirmed' }, '/status'],
])('a body %s is refused', async (_what, body, path) => {
  const tenant = await api.newTenant();
  const answer = await tenant.api.post(`/v1/matches/${newId()}/review`, body).expect(400);
  expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});

test('another tenant reviews nothing: its answer is that for an unknown id', async () => {
  const { books, id } = await openCase();
  const match = await id('l0|r0');
  const other = await api.newTenant();
  for (const unknown of [match, newId(), 'x']) {
    expect(
      (await other.api.post(`/v1/matches/${unknown}/review`, { action: 'reject' }).expect(404)).body,
    ).toMatchObject({ code: 'match_not_found' });
  }
  expect((await books.tenant.api.get(`/v1/matches/${match}`).expect(200)).body).not.toHaveProperty('review');
});
