import { newId } from '@tieout/infra';
import {
  allOf,
  openBooks,
  startTestApi,
  storeComposite,
  type Books,
  type CompositeBody,
  type CompositeDetailBody,
  type JobBody,
  type StoredComposite,
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
  job: JobBody;
  store(composite?: Partial<StoredComposite>, job?: JobBody): Promise<string>;
  review(id: string, body: object, status?: number): Promise<CompositeDetailBody>;
}

/** A completed job over three records each, to which tests add composites. */
async function openCase(): Promise<Case> {
  const books = await openBooks(api, [{ ref: 1 }, { ref: 2 }, { ref: 3 }], [{ ref: 4 }, { ref: 5 }, { ref: 6 }]);
  await books.ruleSet();
  const job = await books.reconcile();
  return {
    books,
    job,
    store: (composite = {}, of = job) =>
      storeComposite(api, books, of, { target: 'l0', members: ['r0', 'r1'], ...composite }),
    review: async (id, body, status = 200) =>
      (await books.tenant.api.post(`/v1/composite-matches/${id}/review`, body).expect(status))
        .body as CompositeDetailBody,
  };
}

test.each([
  ['confirm', 'confirmed'],
  ['reject', 'rejected'],
])('%s: the answer, the resource and the list say %s, by which key and when', async (action, status) => {
  const { books, store, review } = await openCase();
  const id = await store();
  const { id: apiKeyId, api: keyed } = await api.newKey(books.tenant, ['matches:write', 'records:read']);
  const { body } = await keyed.post(`/v1/composite-matches/${id}/review`, { action, note: 'seen' }).expect(200);
  const shown = {
    status,
    note: 'seen',
    reviewedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    apiKeyId,
    userId: null,
  };
  expect(body).toMatchObject({ id, decision: 'MATCH', targetRecordId: books.recordIds.get('l0'), review: shown });
  expect((await books.tenant.api.get(`/v1/composite-matches/${id}`).expect(200)).body).toEqual(body);
  expect((await allOf<CompositeBody>(books.tenant, '/v1/composite-matches'))[0]?.review).toEqual(shown);
  expect((await review(id, { action })).review).toMatchObject({ status, note: null });
});

test('a review that is sent again by its Idempotency-Key replaces no later one', async () => {
  const { books, store, review } = await openCase();
  const id = await store();
  const send = () =>
    books.tenant.api
      .post(`/v1/composite-matches/${id}/review`, { action: 'reject' })
      .set('idempotency-key', 'reject-1')
      .expect(200);
  const first = await send();
  await review(id, { action: 'withdraw' });
  const again = await send();
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toEqual(first.body);
  expect((await allOf<CompositeBody>(books.tenant, '/v1/composite-matches'))[0]?.review).toBeUndefined();
});

test('the platform key reviews on behalf of a tenant and leaves no key id', async () => {
  const { books, store } = await openCase();
  const id = await store();
  const { body } = await api.platform
    .post(`/v1/composite-matches/${id}/review`, { action: 'reject' })
    .set('x-tenant-id', books.tenant.tenantId)
    .expect(200);
  expect(body).toMatchObject({ review: { status: 'rejected', apiKeyId: null } });
});

test('a second review takes the place of the first', async () => {
  const { store, review } = await openCase();
  const id = await store();
  await review(id, { action: 'confirm', note: 'fine' });
  expect((await review(id, { action: 'reject' })).review).toMatchObject({ status: 'rejected', note: null });
});

test.each(['confirm', 'reject'])('%s that is withdrawn leaves the composite without a review', async (action) => {
  const { books, store, review } = await openCase();
  const id = await store();
  const before = await allOf<CompositeBody>(books.tenant, '/v1/composite-matches');
  await review(id, { action });
  expect(await review(id, { action: 'withdraw' })).not.toHaveProperty('review');
  expect(await allOf<CompositeBody>(books.tenant, '/v1/composite-matches')).toEqual(before);
});

test('a reviewed composite stays readable, listed and open to another review when a later job completes', async () => {
  const { books, store, review } = await openCase();
  const [confirmed, rejected] = [await store(), await store({ target: 'l1', decision: 'POSSIBLE' })];
  await review(confirmed, { action: 'confirm' });
  await review(rejected, { action: 'reject' });
  await books.reconcile();
  expect((await allOf<CompositeBody>(books.tenant, '/v1/composite-matches')).map(({ id }) => id)).toEqual([
    rejected,
    confirmed,
  ]);
  expect((await review(confirmed, { action: 'reject' })).review?.status).toBe('rejected');
});

describe('is refused with 409', () => {
  test('when a later job has replaced the composite', async () => {
    const { books, job, store, review } = await openCase();
    await books.reconcile();
    const id = await store({}, job);
    expect(await review(id, { action: 'confirm' }, 409)).toMatchObject({
      code: 'conflict',
      message: 'A later matching job has replaced the composite match',
    });
  });

  test('when a job of the rule set is completing, with the time to wait', async () => {
    const { books, job, store, review } = await openCase();
    const id = await store();
    const held = 'select 1 from rule_sets where id = $1 for key share';
    await whileLocked(api, books.tenant, held, [job.rule_sets[0]?.rule_set_id as string], async () => {
      const answer = await books.tenant.api
        .post(`/v1/composite-matches/${id}/review`, { action: 'confirm' })
        .expect(409)
        .expect('retry-after', '5');
      expect(answer.body).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is completing') as string,
      });
    });
    await review(id, { action: 'confirm' });
  });

  test('when its job is not completed', async () => {
    const { books, store, review } = await openCase();
    const id = await store({}, await books.start());
    expect(await review(id, { action: 'reject' }, 409)).toMatchObject({
      code: 'conflict',
      message: 'The matching job of the composite match is not completed',
    });
  });

  test.each<[string, Partial<StoredComposite>]>([
    ['a member', { target: 'l1', members: ['r1', 'r2'] }],
    ['the target', { members: ['r1', 'r2'] }],
    [
      'a record that is a member here and a target there',
      { target: 'r0', members: ['l1', 'l2'], direction: 'many_to_one' },
    ],
  ])('confirming, when another confirmed composite has %s of it', async (_what, other) => {
    const { store, review } = await openCase();
    const [first, second] = [await store({ decision: 'POSSIBLE' }), await store({ ...other, decision: 'POSSIBLE' })];
    await review(first, { action: 'confirm' });
    expect(await review(second, { action: 'confirm' }, 409)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(first) as string,
    });
    await review(second, { action: 'reject' });
  });

  test('confirming a composite that was rejected, when a MATCH of a later job has a record of it', async () => {
    const { books, store, review } = await openCase();
    const rejected = await store();
    await review(rejected, { action: 'reject' });
    const taken = await store({ target: 'l1' }, await books.reconcile());
    expect(await review(rejected, { action: 'confirm' }, 409)).toMatchObject({
      message: expect.stringContaining(taken) as string,
    });
  });
});

test('confirming passes over composites that are rejected, only POSSIBLE, or of another rule set', async () => {
  const { books, store, review } = await openCase();
  const other = await books.ruleSet({ jsonataExpr: 'false', name: 'other' });
  await store({}, await books.reconcile({ dataset: 'left', ruleSetIds: [other.id] }));
  const [rejected, , wanted] = [
    await store(),
    await store({ decision: 'POSSIBLE' }),
    await store({ decision: 'POSSIBLE' }),
  ];
  await review(rejected, { action: 'reject' });
  expect((await review(wanted, { action: 'confirm' })).review?.status).toBe('confirmed');
});

test('one of two concurrent confirmations that share a record succeeds', async () => {
  const { books, store } = await openCase();
  const ids = [await store({ decision: 'POSSIBLE' }), await store({ target: 'l1', decision: 'POSSIBLE' })];
  const answers = await Promise.all(
    ids.map((id) => books.tenant.api.post(`/v1/composite-matches/${id}/review`, { action: 'confirm' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test.each<[string, object, string]>([
  ['without an action', {}, '/action'],
  ['with an unknown action', { action: 'approve' }, '/action'],
  ['with a note that is not text', { action: 'confirm', note: 1 }, '/note'],
  ['with a note of 4,001 characters', { action: 'confirm', note: 'x'.repeat(4001) }, '/note'],
  ['with another key', { action: 'confirm', status: 'confirmed' }, '/status'],
])('a body %s is refused', async (_what, body, path) => {
  const { store, books } = await openCase();
  const answer = await books.tenant.api.post(`/v1/composite-matches/${await store()}/review`, body).expect(400);
  expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});

test('another tenant reviews nothing: its answer is that for an unknown id', async () => {
  const { store, books } = await openCase();
  const id = await store();
  const other = await api.newTenant();
  for (const unknown of [id, newId(), 'x']) {
    expect(
      (await other.api.post(`/v1/composite-matches/${unknown}/review`, { action: 'reject' }).expect(404)).body,
    ).toMatchObject({ code: 'composite_match_not_found' });
  }
  expect((await books.tenant.api.get(`/v1/composite-matches/${id}`).expect(200)).body).not.toHaveProperty('review');
});
