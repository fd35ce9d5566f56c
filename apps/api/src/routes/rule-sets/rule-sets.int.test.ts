import { newId } from '@tieout/infra';
import { tableWaiter } from '@tieout/testing';
import {
  openBooks,
  startTestApi,
  whileLocked,
  type Books,
  type KeyedApi,
  type ListBody,
  type RuleSetBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;
let books: Books;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  books = await openBooks(api, [], []);
});

const batch = {
  engine: 'jsonata-batch',
  params: { Tmatch: 0.9, Tpossible: 0.5, matchers: [{ expr: 'left.a = right.a' }] },
};

describe('reading', () => {
  test('gives what the creation gave, by any case of the id', async () => {
    const ruleSet = await books.ruleSet();
    const lower = await books.tenant.api.get(`/v1/rule-sets/${ruleSet.id}`).expect(200);
    const upper = await books.tenant.api.get(`/v1/rule-sets/${ruleSet.id.toUpperCase()}`).expect(200);
    expect([lower.body, upper.body]).toEqual([ruleSet, ruleSet]);
  });

  test('an unknown id, one that is not a uuid and one of another tenant answer alike', async () => {
    const foreign = await (await openBooks(api, [], [])).ruleSet();
    const answers = await Promise.all(
      [newId(), 'x', '42', foreign.id].map(
        async (id) => (await books.tenant.api.get(`/v1/rule-sets/${id}`).expect(404)).body as object,
      ),
    );
    for (const body of answers) {
      expect({ ...body, request_id: '' }).toEqual({
        status: 'error',
        code: 'rule_set_not_found',
        message: 'Rule set not found',
        request_id: '',
      });
    }
  });
});

describe('listing', () => {
  const list = async (query = ''): Promise<ListBody<RuleSetBody>> =>
    (await books.tenant.api.get(`/v1/rule-sets${query}`).expect(200)).body as ListBody<RuleSetBody>;

  test('is newest first, in pages of 25 unless asked otherwise', async () => {
    const made: RuleSetBody[] = [];
    for (let i = 0; i < 3; i++) made.unshift(await books.ruleSet());
    expect(await list()).toEqual({ items: made, total: 3, page: 1, limit: 25 });
    expect(await list('?limit=2')).toEqual({ items: made.slice(0, 2), total: 3, page: 1, limit: 2 });
    expect(await list('?limit=2&page=2')).toEqual({ items: made.slice(2), total: 3, page: 2, limit: 2 });
    expect(await list('?page=9')).toEqual({ items: [], total: 3, page: 9, limit: 25 });
  });

  test('filters by either dataset, and by both', async () => {
    const forward = await books.ruleSet();
    const back = await books.ruleSet({
      leftDatasetId: books.rightId,
      rightDatasetId: books.leftId,
      jsonataExpr: 'true',
    });
    const self = await books.ruleSet({ rightDatasetId: books.leftId, jsonataExpr: 'true' });
    const ids = async (query: string) => (await list(query)).items.map((r) => r.id);
    expect(await ids(`?leftDatasetId=${books.leftId}`)).toEqual([self.id, forward.id]);
    expect(await ids(`?rightDatasetId=${books.leftId}`)).toEqual([self.id, back.id]);
    expect(await ids(`?leftDatasetId=${books.leftId}&rightDatasetId=${books.leftId}`)).toEqual([self.id]);
    expect(await ids(`?leftDatasetId=${newId()}`)).toEqual([]);
  });

  test('shows nothing of another tenant', async () => {
    const other = await openBooks(api, [], []);
    await other.ruleSet();
    expect(await list()).toMatchObject({ items: [], total: 0 });
    expect(await list(`?leftDatasetId=${other.leftId}`)).toMatchObject({ items: [], total: 0 });
  });

  test.each([
    'page=0',
    'page=2147483648',
    'page=1.5',
    'limit=0',
    'limit=101',
    'limit=x',
    'leftDatasetId=x',
    'cursor=x',
    'name=x',
  ])('?%s is refused, not bent', async (query) => {
    const { body } = await books.tenant.api.get(`/v1/rule-sets?${query}`).expect(400);
    const { code, errors } = body as { code: string; errors: { path: string }[] };
    expect(code).toBe('validation_error');
    expect(new Set(errors.map((e) => e.path))).toEqual(new Set([`/query/${query.split('=')[0]}`]));
  });
});

describe('changing', () => {
  const patch = (id: string, change: object) => books.tenant.api.patch(`/v1/rule-sets/${id}`, change);

  test.each<[string, object]>([
    ['name', { name: 'other' }],
    ['expression', { jsonataExpr: 'right.b = left.b' }],
    ['params', { params: { Tmatch: 50, Tpossible: 10 } }],
    ['logicJson', { logicJson: { a: 1 } }],
    ['engine', { ...batch, jsonataExpr: null }],
    ['nothing', {}],
  ])('a change of %s changes that alone and raises the version', async (_what, change) => {
    const before = await books.ruleSet();
    const { body } = await patch(before.id, change).expect(200);
    const { jsonataExpr, logicJson, ...rest } = change as Record<string, unknown>;
    const changed = {
      ...rest,
      ...(jsonataExpr === undefined ? {} : { jsonata_expr: jsonataExpr }),
      ...(logicJson ? { logic_json: logicJson } : {}),
    };
    const { effective_params, ...after } = body as RuleSetBody;
    const { effective_params: former, ...kept } = before;
    expect(after).toEqual({ ...kept, ...changed, version: 2 });
    expect(effective_params).toEqual(
      'params' in change ? expect.not.objectContaining({ Tmatch: former['Tmatch'] }) : former,
    );
    const stored = await books.tenant.api.get(`/v1/rule-sets/${before.id}`).expect(200);
    expect(stored.body).toEqual(body);
  });

  test('every change raises the version by one, also when they come at once', async () => {
    const { id } = await books.ruleSet();
    const answers = await Promise.all([1, 2, 3, 4].map((i) => patch(id, { name: `name ${i}` }).expect(200)));
    expect(answers.map((a) => (a.body as RuleSetBody).version).sort()).toEqual([2, 3, 4, 5]);
  });

  test('of changes that were made to one version, one is stored, and the others are told', async () => {
    const { id, version } = await books.ruleSet();
    const answers = await Promise.all([1, 2, 3].map((i) => patch(id, { name: `name ${i}`, version })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const stored = answers.find(({ status }) => status === 200)?.body as RuleSetBody;
    expect((await books.tenant.api.get(`/v1/rule-sets/${id}`).expect(200)).body).toEqual(stored);
    const { body } = await patch(id, { name: 'late', version }).expect(409);
    expect(body).toMatchObject({
      code: 'conflict',
      message: 'The rule set is at version 2, not 1: read it again, then change it',
    });
    await patch(id, { name: 'in time', version: 2 }).expect(200);
  });

  test('both datasets can be changed', async () => {
    const { id } = await books.ruleSet();
    const { body } = await patch(id, { leftDatasetId: books.rightId, rightDatasetId: books.leftId }).expect(200);
    expect(body).toMatchObject({ left_dataset_id: books.rightId, right_dataset_id: books.leftId });
  });

  test('null removes logicJson', async () => {
    const { id } = await books.ruleSet({ logicJson: { a: 1 }, jsonataExpr: 'true' });
    const { body } = await patch(id, { logicJson: null }).expect(200);
    expect(body).toMatchObject({ logic_json: null });
  });

  test.each<[string, object, string, string]>([
    ['an unknown dataset', { rightDatasetId: newId() }, '/rightDatasetId', 'unknown_dataset'],
    ['thresholds that cross', { params: { Tmatch: 0.1, Tpossible: 0.2 } }, '/params/Tpossible', 'tpossible_gt_tmatch'],
    ['an engine that the rest does not fit', { engine: 'jsonata-batch' }, '/params/matchers', 'matchers_required'],
    [
      'the removal of the expression that the engine needs',
      { jsonataExpr: null },
      '/jsonataExpr',
      'jsonata_expr_required',
    ],
    ['an expression that does not parse', { jsonataExpr: '(' }, '/jsonataExpr', 'S0203'],
    ['the name null', { name: null }, '/name', 'type'],
    ['an unknown key', { rank: 7 }, '/rank', 'unknown_key'],
  ])('%s is refused and changes nothing', async (_what, change, path, code) => {
    const before = await books.ruleSet();
    const { body } = await patch(before.id, change).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path, code }] });
    const stored = await books.tenant.api.get(`/v1/rule-sets/${before.id}`).expect(200);
    expect(stored.body).toEqual(before);
  });

  test('unknown ids, texts that are not uuids and ids of other tenants answer alike, and nothing changes', async () => {
    const other = await openBooks(api, [], []);
    const foreign = await other.ruleSet();
    for (const id of [newId(), 'x', foreign.id]) {
      const { body } = await patch(id, { name: 'mine' }).expect(404);
      expect(body).toMatchObject({ code: 'rule_set_not_found', message: 'Rule set not found' });
    }
    const stored = await other.tenant.api.get(`/v1/rule-sets/${foreign.id}`).expect(200);
    expect(stored.body).toEqual(foreign);
  });
});

describe('deleting', () => {
  test('answers 204 without a body, again and again, and the rule set is gone', async () => {
    const { id } = await books.ruleSet();
    for (let i = 0; i < 2; i++) {
      const { text } = await books.tenant.api.delete(`/v1/rule-sets/${id}`).expect(204);
      expect(text).toBe('');
    }
    await books.tenant.api.get(`/v1/rule-sets/${id}`).expect(404);
  });

  test.each(['01994e6c-2a10-7c44-9f02-6b1d3e5f7a21', 'x', '%00', "'; drop table rule_sets"])(
    'answers 204 for %s too',
    async (id) => {
      await books.tenant.api.delete(`/v1/rule-sets/${encodeURIComponent(decodeURIComponent(id))}`).expect(204);
    },
  );

  test('takes the matches of the rule set and its links to jobs along, and leaves those of others', async () => {
    books = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    const gone = await books.ruleSet();
    const kept = await books.ruleSet();
    const job = await books.reconcile();
    const matches = await books.tenant.api.get('/v1/matches').expect(200);
    const matchOf = (ruleSet: RuleSetBody) =>
      (matches.body as ListBody<{ id: string; rule_set_id: string }>).items.find((m) => m.rule_set_id === ruleSet.id);
    await books.tenant.api.delete(`/v1/rule-sets/${gone.id}`).expect(204);
    await books.tenant.api.get(`/v1/matches/${matchOf(gone)?.id}`).expect(404);
    await books.tenant.api.get(`/v1/matches/${matchOf(kept)?.id}`).expect(200);
    const after = await books.job(job.id);
    expect(after).toMatchObject({ status: 'completed', rule_sets_total: 1 });
    expect(after.rule_sets.map((r) => r.rule_set_id)).toEqual([kept.id]);
  });

  test('waits for a job that is being finished, and then takes its matches along', async () => {
    books = await openBooks(api, [{ ref: 1 }, { ref: 2 }], [{ ref: 1 }]);
    const { id } = await books.ruleSet();
    // The finish stands at the list of unmatched records, behind its work on the rule sets.
    const { job, deletion } = await whileLocked(
      api,
      books.tenant,
      'lock table unmatched_blocks in exclusive mode',
      [],
      async (waiters) => {
        const started = await books.start();
        await api.startMatching();
        await tableWaiter(api.service.deps.db.system, 'unmatched_blocks');
        const pending = Promise.resolve(books.tenant.api.delete(`/v1/rule-sets/${id}`));
        await waiters(2);
        return { job: started, deletion: { pending } };
      },
    );
    expect((await deletion.pending).status).toBe(204);
    await api.runMatching();
    expect(await books.job(job.id)).toMatchObject({ status: 'completed', rule_sets: [] });
    expect(await books.matches(job.id)).toEqual({});
  });

  test('ends a job that has no other rule set', async () => {
    const { id } = await books.ruleSet();
    const job = await books.start();
    await books.tenant.api.delete(`/v1/rule-sets/${id}`).expect(204);
    await api.runMatching();
    expect(await books.job(job.id)).toMatchObject({
      status: 'completed',
      rule_sets: [],
      decision_counts: { MATCH: 0 },
    });
  });

  test('changes nothing for another tenant', async () => {
    const other = await openBooks(api, [{ ref: 1 }], [{ ref: 1 }]);
    const foreign = await other.ruleSet();
    await other.reconcile();
    const before = await other.matches();
    await books.tenant.api.delete(`/v1/rule-sets/${foreign.id}`).expect(204);
    await other.tenant.api.get(`/v1/rule-sets/${foreign.id}`).expect(200);
    expect(Object.keys(before)).toEqual(['l0|r0']);
    expect(await other.matches()).toEqual(before);
  });
});

describe('ids of another tenant', () => {
  test('a dataset of another tenant is as unknown as one that does not exist', async () => {
    const other = await openBooks(api, [], []);
    const refuse = async (leftDatasetId: string): Promise<object> => {
      const { body } = await books.tenant.api
        .post('/v1/rule-sets', {
          name: 'x',
          leftDatasetId,
          rightDatasetId: books.rightId,
          jsonataExpr: 'true',
          params: { Tmatch: 1, Tpossible: 1 },
        })
        .expect(400);
      return { ...(body as object), request_id: '' };
    };
    expect(await refuse(other.leftId)).toEqual(await refuse(newId()));
  });
});

describe('scopes', () => {
  const requests: [string, (as: KeyedApi, id: string) => ReturnType<KeyedApi['get']>][] = [
    ['read', (as, id) => as.get(`/v1/rule-sets/${id}`)],
    ['list', (as) => as.get('/v1/rule-sets')],
    ['preview', (as, id) => as.post('/v1/rule-sets/preview', { ruleSetId: id, pairs: [{ left: {}, right: {} }] })],
    [
      'create',
      (as) =>
        as.post('/v1/rule-sets', {
          name: 'x',
          leftDatasetId: books.leftId,
          rightDatasetId: books.rightId,
          jsonataExpr: 'true',
          params: { Tmatch: 1, Tpossible: 1 },
        }),
    ],
    ['change', (as, id) => as.patch(`/v1/rule-sets/${id}`, {})],
    ['delete', (as, id) => as.delete(`/v1/rule-sets/${id}`)],
  ];
  const changing = new Set(['create', 'change', 'delete']);

  test.each(requests)('%s needs a key with its scope', async (what, send) => {
    const { id } = await books.ruleSet();
    const outcome = async (scopes: readonly string[]): Promise<number> =>
      (await send((await api.newKey(books.tenant, scopes)).api, id)).status;
    expect(await outcome(['records:write', 'jobs:write', 'matches:write'])).toBe(403);
    expect((await outcome(['rule-sets:read'])) === 403).toBe(changing.has(what));
    expect(await outcome(['rule-sets:write'])).toBeLessThan(300);
  });

  test.each(requests)('%s without a key is 401', async (_what, send) => {
    const { body } = await send(api.withKey(''), newId());
    expect(body).toMatchObject({ status: 'error', code: 'missing_api_key' });
  });
});
