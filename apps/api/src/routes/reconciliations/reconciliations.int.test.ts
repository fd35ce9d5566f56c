import { newId } from '@tieout/infra';
import { openBooks, startTestApi, type Books, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const params = {
  Tmatch: 0.9,
  Tpossible: 0.5,
  assignment: 'one_to_one',
  blocking: { amountKey: 'total', dateKey: 'day', dateToleranceDays: 3 },
};
const sidesOf = (books: Books): object => ({ leftDatasetIds: [books.leftId], rightDatasetIds: [books.rightId] });
/** Gives the id of the one pass. */
async function passOf(own: ReconciledBooks): Promise<string> {
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
  return (body as { rule_set_ids: string[] }).rule_set_ids[0] as string;
}

describe('a reconciliation', () => {
  test('takes its keys from the first pass, and is read, listed, changed and deleted', async () => {
    const books = await openBooks(api, [], []);
    const pass = await books.ruleSet({ jsonataExpr: 'true', params });
    const { api: keyed } = books.tenant;
    const created = await keyed
      .post('/v1/reconciliations', { name: 'bank', ...sidesOf(books), ruleSetIds: [pass.id] })
      .expect(201);
    const { id } = created.body as { id: string };
    expect(created.body).toMatchObject({
      amount_key_left: 'total',
      date_key_right: 'day',
      currency_key_left: null,
      accept: 'auto',
      amount_sign: 'same',
      timezone: 'UTC',
      rule_set_ids: [pass.id],
    });
    const changed = await keyed
      .patch(`/v1/reconciliations/${id}`, { archived: true, currencyKeyLeft: 'ccy', currencyKeyRight: 'ccy' })
      .expect(200);
    expect(changed.body).toMatchObject({ archived: true, currency_key_left: 'ccy' });
    expect((await keyed.get(`/v1/reconciliations/${id}`).expect(200)).body).toEqual(changed.body);
    const listed = await keyed.get('/v1/reconciliations?archived=true').expect(200);
    expect(listed.body).toMatchObject({ total: 1, items: [{ id }] });
    expect((await keyed.get('/v1/reconciliations?archived=false').expect(200)).body).toMatchObject({ total: 0 });
    await keyed.post(`/v1/reconciliations/${id}/runs`, {}).expect(409);
    await keyed.delete(`/v1/reconciliations/${id}`).expect(204);
    await keyed.get(`/v1/reconciliations/${id}`).expect(404);
  });

  test('that has held a group is archived instead of deleted, and its keys are fixed', async () => {
    const own = await openReconciliation(api, { lefts: [{ amount: 1 }], rights: [{ amount: 1 }] });
    await own.tie(['l0'], ['r0']).expect(201);
    const at = `/v1/reconciliations/${own.id}`;
    expect((await own.tenant.api.delete(at).expect(409)).body).toMatchObject({ code: 'reconciliation_in_use' });
    const fixed = await own.tenant.api.patch(at, { currencyKeyLeft: 'c', currencyKeyRight: 'c' }).expect(409);
    expect(fixed.body).toMatchObject({ code: 'conflict', errors: [{ path: '/currencyKeyLeft' }] });
    await own.tenant.api.patch(at, { name: 'old bank', archived: true }).expect(200);
  });

  test.each<[string, object, object]>([
    ['an unknown dataset', { leftDatasetIds: [newId()] }, { path: '/leftDatasetIds/0', code: 'unknown_dataset' }],
    ['an unknown rule set', { ruleSetIds: [newId()] }, { path: '/ruleSetIds/0', code: 'unknown_rule_set' }],
    ['a name that cannot be seen', { name: '   ' }, { path: '/name' }],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, { path: '/timezone' }],
    ['an amount on one side only', { amountKeyLeft: null }, { path: '/amountKeyLeft', code: 'one_side' }],
    [
      'another key than that of the pass',
      { amountKeyLeft: 'x', amountKeyRight: 'x' },
      { path: '/ruleSetIds/0', code: 'other_key' },
    ],
    [
      'a schedule of four fields',
      { triggers: { schedule: { cron: '0 6 * 1-5' } } },
      { path: '/triggers/schedule/cron' },
    ],
    [
      'a schedule that is none',
      { triggers: { schedule: { cron: '0 6 * * 9-99' } } },
      { path: '/triggers/schedule/cron' },
    ],
    [
      'less patience than quiet',
      { triggers: { onArrival: { quietSeconds: 60, maxWaitSeconds: 5 } } },
      { path: '/triggers/onArrival/maxWaitSeconds' },
    ],
  ])('with %s is refused at its place', async (_what, change, error) => {
    const books = await openBooks(api, [], []);
    const pass = await books.ruleSet({ jsonataExpr: 'true', params });
    const body = { name: 'bank', ...sidesOf(books), ruleSetIds: [pass.id], ...change };
    const answer = await books.tenant.api.post('/v1/reconciliations', body).expect(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      errors: expect.arrayContaining([expect.objectContaining(error)]) as object,
    });
  });

  test.each<[string, object, string]>([
    ['ties a record several times', { assignment: 'none' }, 'not_one_to_one'],
    ['uses matched records again', { composition: { enabled: true, skipAlreadyMatched: false } }, 'uses_matched'],
    ['has another sign', { amountSign: 'opposite' }, 'other_sign'],
  ])('a rule set that %s is not a pass, and the error names it', async (_what, change, code) => {
    const books = await openBooks(api, [], []);
    const pass = await books.ruleSet({ jsonataExpr: 'true', params: { ...params, ...change } });
    const body = { name: 'bank', ...sidesOf(books), ruleSetIds: [pass.id] };
    const answer = await books.tenant.api.post('/v1/reconciliations', body).expect(400);
    expect(answer.body).toMatchObject({
      errors: [{ path: '/ruleSetIds/0', code, message: expect.stringContaining(pass.id) as string }],
    });
  });

  test.each<[string, (own: ReconciledBooks, other: string) => object, string, string]>([
    ['ties a record several times', () => ({ params: { assignment: 'none' } }), 'params/assignment', 'not_one_to_one'],
    ['says nothing of assignment', () => ({ params: {} }), 'params/assignment', 'not_one_to_one'],
    [
      'uses matched records again',
      () => ({ params: { ...params, composition: { enabled: true, skipAlreadyMatched: false } } }),
      'params/composition/skipAlreadyMatched',
      'uses_matched',
    ],
    ['has another sign', () => ({ params: { ...params, amountSign: 'opposite' } }), 'params/amountSign', 'other_sign'],
    [
      'is blocked by another key',
      () => ({ params: { ...params, blocking: { amountKey: 'x', dateKey: 'date' } } }),
      'params/blocking/amountKey',
      'other_key',
    ],
    [
      'compares the sides the other way round',
      ({ leftId, rightId }) => ({ leftDatasetId: rightId, rightDatasetId: leftId }),
      'leftDatasetId',
      'other_dataset',
    ],
    [
      'reads a dataset of neither side',
      (_own, other) => ({ rightDatasetId: other }),
      'rightDatasetId',
      'other_dataset',
    ],
  ])('a change by which a pass %s is refused, and names the reconciliation', async (_what, change, path, code) => {
    const own = await openReconciliation(api, { lefts: [{ amount: 1 }], rights: [{ amount: 1 }] });
    const at = `/v1/rule-sets/${await passOf(own)}`;
    const { body: other } = await own.tenant.api.post('/v1/datasets', { name: 'other' }).expect(201);
    const before = (await own.tenant.api.get(at).expect(200)).body as object;
    const { params: changed, ...datasets } = change(own, (other as { id: string }).id) as { params?: object };
    const matchers = [{ expr: 'left.ref = right.ref' }];
    const sent = changed ? { params: { Tmatch: 0.9, Tpossible: 0.5, matchers, ...changed } } : datasets;
    const answer = await own.tenant.api.patch(at, sent).expect(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      errors: expect.arrayContaining([
        expect.objectContaining({ path: `/${path}`, code, message: expect.stringContaining(own.id) as string }),
      ]) as object,
    });
    expect((await own.tenant.api.get(at).expect(200)).body).toEqual(before);
  });

  test('a run of a pass that breaks the rules is refused, and says what to mend', async () => {
    const own = await openReconciliation(api, { lefts: [{ amount: 1 }], rights: [{ amount: 1 }] });
    await api.service.deps.db.system.execute(
      `update rule_sets set params = params || '{"assignment": "none"}' where id = $1::uuid`,
      [await passOf(own)],
    );
    const { body } = await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, {}).expect(409);
    expect(body).toMatchObject({ code: 'conflict', errors: [{ key: 'params.assignment', code: 'not_one_to_one' }] });
  });

  test('a pass belongs to one reconciliation, and a job leaves it out', async () => {
    const own = await openReconciliation(api, { lefts: [{ amount: 1 }], rights: [{ amount: 1 }] });
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
    const { rule_set_ids: ruleSetIds } = body as { rule_set_ids: string[] };
    const again = { name: 'again', ...sidesOf(own), ruleSetIds };
    const refused = await own.tenant.api.post('/v1/reconciliations', again).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ code: 'pass_of_another' }] });
    const none = await own.tenant.api.post('/v1/matching-jobs', { dataset: 'left' }).expect(400);
    expect(none.body).toMatchObject({ errors: [{ code: 'no_rule_set' }] });
    const named = await own.tenant.api.post('/v1/matching-jobs', { dataset: 'left', ruleSetIds }).expect(409);
    expect(named.body).toMatchObject({ code: 'rule_set_is_a_pass' });
  });
});

describe('open items', () => {
  const rows = [
    { amount: 10, date: '2026-01-05', memo: 'Invoice INV-2026-001 Müller', ccy: 'EUR' },
    { amount: '20.50', date: '2026-02-05', memo: 'rent', ccy: 'EUR' },
    { amount: -5, memo: 'reversal of a fee', ccy: 'EUR' },
    { amount: 30, date: '2026-03-05T23:30:00-03:00', memo: 'INV-77', ccy: 'USD' },
  ];

  test('are filtered by words, amounts, dates and age, and sorted', async () => {
    const own = await openReconciliation(api, { lefts: rows, rights: [] });
    const names = async (query: string): Promise<string[]> => {
      const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?${query}`).expect(200);
      const { items, total } = body as { items: { external_id: string }[]; total: number };
      expect(total).toBe(items.length);
      return items.map((item) => item.external_id);
    };
    expect(await names('')).toEqual(['l0', 'l1', 'l3', 'l2']);
    expect(await names('sort=age')).toEqual(['l2', 'l3', 'l1', 'l0']);
    expect(await names('sort=amount')).toEqual(['l2', 'l0', 'l1', 'l3']);
    expect(await names('side=right')).toEqual([]);
    expect(await names('q=inv')).toEqual(['l0', 'l3']);
    expect(await names(`q=${encodeURIComponent('müll INV-2026')}`)).toEqual(['l0']);
    expect(await names('q=l3')).toEqual(['l3']);
    expect(await names('amountMin=10&amountMax=20.5')).toEqual(['l0', 'l1']);
    expect(await names('dateFrom=2026-02-05&dateTo=2026-03-06')).toEqual(['l1', 'l3']);
    expect(await names('minAgeDays=36500')).toEqual([]);
  });

  test('come page by page, whatever the order', async () => {
    const own = await openReconciliation(api, { lefts: rows, rights: rows });
    for (const sort of ['-age', 'age', 'amount', '-amount']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await own.tenant.api
          .get(`/v1/reconciliations/${own.id}/open-items?limit=3&totals=false&sort=${sort}${cursor}`)
          .expect(200);
        const page = body as { items: { external_id: string }[]; next_cursor: string | null; total: null };
        expect(page.total).toBeNull();
        seen.push(...page.items.map((item) => item.external_id));
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      expect([...seen].sort()).toEqual(['l0', 'l1', 'l2', 'l3', 'r0', 'r1', 'r2', 'r3']);
    }
  });

  test('show their record, age and amounts, and totals by side and currency', async () => {
    const own = await openReconciliation(api, {
      lefts: rows,
      rights: [],
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
    });
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?limit=1`).expect(200);
    expect(body).toMatchObject({
      items: [
        { amount: 10, remaining_amount: 10, date: '2026-01-05', currency: 'EUR', record: { memo: rows[0]?.memo } },
      ],
      total: 4,
      totals: {
        left: {
          count: 4,
          amounts: [
            { currency: 'EUR', amount: 25.5 },
            { currency: 'USD', amount: 30 },
          ],
        },
        right: { count: 0, amounts: [] },
      },
    });
  });

  test('records that are sent again or removed follow at once', async () => {
    const own = await openReconciliation(api, { lefts: rows.slice(0, 2), rights: [] });
    await own.tenant.api.post('/v1/records?dataset=left', { externalId: 'l0', body: { amount: 11 } }).expect(202);
    await api.runIngest();
    expect(await own.open()).toEqual({ l0: 11, l1: 20.5 });
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l1')}`).expect(204);
    expect(await own.open()).toEqual({ l0: 11 });
  });

  test('are annotated, snoozed and excluded, one or many', async () => {
    const own = await openReconciliation(api, { lefts: rows, rights: [] });
    const at = `/v1/reconciliations/${own.id}/open-items`;
    const l0 = own.recordIds.get('l0') as string;
    await own.tenant.api
      .patch(`${at}/${l0}`, { assignee: 'Ann', reasonCode: 'timing', note: 'next month', snoozedUntil: '2999-01-01' })
      .expect(204);
    const past = await own.tenant.api.patch(`${at}/${l0}`, { snoozedUntil: '2000-01-01' }).expect(400);
    expect(past.body).toMatchObject({ errors: [{ path: '/snoozedUntil', code: 'past' }] });
    expect(Object.keys(await own.open('assignee=Ann'))).toEqual(['l0']);
    expect(Object.keys(await own.open('reasonCode=timing&snoozed=true'))).toEqual(['l0']);
    expect(Object.keys(await own.open('snoozed=false'))).toEqual(['l1', 'l3', 'l2']);
    const many = { filter: { amountMin: 20 }, set: { excluded: { reasonCode: 'duplicate', note: 'twice' } } };
    const done = await own.tenant.api.post(`/v1/reconciliations/${own.id}/open-items/annotate`, many).expect(200);
    expect(done.body).toEqual({ done: 2, failed: [] });
    expect(Object.keys(await own.open())).toEqual(['l0', 'l2']);
    expect(Object.keys(await own.open('excluded=true'))).toEqual(['l1', 'l3']);
    const all = await own.tenant.api.post(`${at}/annotate`, { ...many, filter: {} }).expect(400);
    expect(all.body).toMatchObject({ errors: [{ path: '/filter' }] });
    expect((await own.tie(['l1'], ['l2']).expect(400)).body).toMatchObject({ code: 'validation_error' });
    expect((await own.tie(['l1', 'l2'], []).expect(409)).body).toMatchObject({ code: 'record_excluded' });
    const unknown = await own.tenant.api.patch(`${at}/${l0}`, { reasonCode: 'magic' }).expect(400);
    expect(unknown.body).toMatchObject({ errors: [{ path: '/reasonCode', code: 'unknown_reason' }] });
    await own.tenant.api.patch(`${at}/${newId()}`, { note: 'x' }).expect(404);
  });

  test('are listed by whether they are assigned and explained', async () => {
    const own = await openReconciliation(api, { lefts: rows, rights: [] });
    const annotate = (name: string, set: object) =>
      own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get(name)}`, set).expect(204);
    await annotate('l0', { assignee: 'Ann', reasonCode: 'timing' });
    await annotate('l1', { note: 'paid in May' });
    const listed = async (query: string): Promise<string> =>
      Object.keys(await own.open(query))
        .sort()
        .join(' ');
    expect(await listed('assigned=true')).toBe('l0');
    expect(await listed('assigned=false')).toBe('l1 l2 l3');
    expect(await listed('explained=true')).toBe('l0 l1');
    expect(await listed('assigned=false&explained=false')).toBe('l2 l3');
  });

  test('a held record cannot be excluded', async () => {
    const own = await openReconciliation(api, { lefts: [{ amount: 1 }], rights: [{ amount: 1 }] });
    await own.tie(['l0'], ['r0']).expect(201);
    const at = `/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('l0')}`;
    const answer = await own.tenant.api.patch(at, { excluded: { reasonCode: 'other' } }).expect(409);
    expect(answer.body).toMatchObject({ code: 'record_held' });
  });
});

test('a summary counts what is held, open and excluded, by currency and age', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const old = { date: '2020-01-01' };
  const own = await openReconciliation(api, {
    lefts: [{ amount: 10, date: today }, { amount: 20, ...old }, { amount: 5 }, { amount: 7, ...old }],
    rights: [{ amount: 9, date: today }],
  });
  await own.tie(['l0'], ['r0'], { adjustments: [{ amount: -1, reasonCode: 'bank_fee' }] }).expect(201);
  const l3 = own.recordIds.get('l3');
  const at = `/v1/reconciliations/${own.id}`;
  await own.tenant.api.patch(`${at}/open-items/${l3}`, { excluded: { reasonCode: 'other' } }).expect(204);
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary`).expect(200);
  const totals = (count: number, amount: number) => ({ count, amounts: [{ currency: null, amount }] });
  expect(body).toMatchObject({
    left: {
      records: totals(4, 42),
      held: totals(1, 10),
      open: totals(2, 25),
      excluded: totals(1, 7),
      match_rate: 0.3333,
    },
    right: { records: totals(1, 9), held: totals(1, 9), open: { count: 0 }, match_rate: 1 },
    groups: [{ origin: 'manual', count: 1 }],
    adjustments: [{ reason_code: 'bank_fee', count: 1, amount: -1 }],
    difference: 0,
  });
  const { ageing } = (body as { left: { ageing: { days: string; count: number }[] } }).left;
  expect(Object.fromEntries(ageing.map(({ days, count }) => [days, count]))).toEqual({
    '0-7': 0,
    '8-30': 0,
    '31-60': 0,
    '61-90': 0,
    'over 90': 1,
    'no date': 1,
  });
});

test('reason codes of a tenant stand beside the built-in ones', async () => {
  const { api: keyed } = await api.newTenant();
  await keyed.post('/v1/reason-codes', { code: 'damaged', label: 'Damaged goods' }).expect(201);
  await keyed.post('/v1/reason-codes', { code: 'damaged', label: 'Again' }).expect(409);
  await keyed.post('/v1/reason-codes', { code: 'timing', label: 'Built in' }).expect(409);
  const { body } = await keyed.get('/v1/reason-codes').expect(200);
  const { items } = body as { items: { code: string; built_in: boolean }[] };
  expect([items.length, items.at(-1)]).toMatchObject([11, { code: 'damaged', built_in: false }]);
  const code = 'damaged';
  for (const status of [204, 404]) await keyed.delete(`/v1/reason-codes/${code}`).expect(status);
});

test('a cursor continues the list that gave it, in its order; another one is refused', async () => {
  const rows = [1, 2].map((amount) => ({ ref: `${amount}`, amount, date: '2026-01-05' }));
  const own = await openReconciliation(api, { lefts: rows, rights: rows });
  await own.tie(['l0'], ['r0']).expect(201);
  await own.tie(['l1'], ['r1']).expect(201);
  await own.tenant.api
    .post(
      `/v1/records/bulk?dataset=left`,
      rows.map((body) => ({ body })),
    )
    .expect(202);
  await api.runIngest();
  const at = `/v1/reconciliations/${own.id}`;
  const groups = `/v1/match-groups?reconciliationId=${own.id}`;
  const lists = [
    ...['age', '-age', 'amount', '-amount'].map((sort) => `${at}/open-items?sort=${sort}`),
    ...['heldAt', '-heldAt', 'amount', '-amount'].map((sort) => `${groups}&sort=${sort}`),
    '/v1/audit?',
  ];
  const cursors = new Map<string, string>();
  for (const list of lists) {
    const { body } = await own.tenant.api.get(`${list}&limit=1`).expect(200);
    cursors.set(list, (body as { next_cursor: string }).next_cursor);
  }
  const foreign = [`${at}/runs?`, `${at}/balances?`, `${at}/periods?`, '/v1/reconciliations?'];
  for (const list of [...lists, ...foreign]) {
    for (const [from, cursor] of cursors) {
      const { status } = await own.tenant.api.get(`${list}&limit=1&cursor=${cursor}`);
      expect({ list, from, status }).toEqual({ list, from, status: list === from ? 200 : 400 });
    }
  }
});
