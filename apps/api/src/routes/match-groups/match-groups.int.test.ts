import { newId } from '@tieout/infra';
import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const books = (lefts: readonly (number | object)[], rights: readonly (number | object)[], more: object = {}) => {
  const records = (sent: readonly (number | object)[]): object[] =>
    sent.map((one) => (typeof one === 'number' ? { amount: one, date } : { date, ...one }));
  return openReconciliation(api, { lefts: records(lefts), rights: records(rights), ...more });
};
const codeOf = (answer: { body: unknown }): unknown => (answer.body as { code: string }).code;

describe('tying by hand', () => {
  test('records of both sides that add up are held, and no longer open', async () => {
    const own = await books([100, 7], [60, 40, 9]);
    const { body } = await own.tie(['l0'], ['r0', 'r1'], { note: 'two parts' }).expect(201);
    expect(body).toMatchObject({
      status: 'held',
      origin: 'manual',
      kind: 'manual',
      left_amount: 100,
      right_amount: 100,
      difference: 0,
      period: '2026-03',
      note: 'two parts',
      held_by: { type: 'key' },
      left: [{ external_id: 'l0', amount: 100, date, revision: 1 }],
    });
    expect(await own.open()).toEqual({ l1: 7, r2: 9 });
  });

  test.each<[string, string[], string[], object]>([
    ['one side only, a reversal and its original', ['l0', 'l1'], [], {}],
    [
      'records with an adjustment that explains the difference',
      ['l0'],
      ['r0'],
      { adjustments: [{ amount: -1, reasonCode: 'bank_fee' }] },
    ],
    ['parts of records', ['l0'], [], { left: 'part' }],
  ])('%s', async (_what, left, right, more) => {
    const own = await books([10, -10], [9, 4]);
    const l0 = own.recordIds.get('l0') as string;
    const r1 = own.recordIds.get('r1') as string;
    if ('left' in more) {
      await own.tie([], [], { left: [{ recordId: l0, amount: '4.0' }], right: [r1] }).expect(201);
      expect(await own.open('side=left')).toEqual({ l0: 6, l1: -10 });
      await own.tie(['l0'], ['r0'], { adjustments: [{ amount: '3', reasonCode: 'other' }] }).expect(201);
      expect(await own.open()).toEqual({ l1: -10 });
      return;
    }
    await own.tie(left, right, more).expect(201);
    const open = await own.open();
    for (const name of [...left, ...right]) expect(open).not.toHaveProperty(name);
  });

  test.each<[string, string[], string[], object, number, string, object]>([
    ['a difference', ['l0'], ['r0'], {}, 422, 'not_balanced', { difference: 1 }],
    [
      'a difference with the wrong adjustment',
      ['l0'],
      ['r0'],
      { adjustments: [{ amount: 1, reasonCode: 'other' }] },
      422,
      'not_balanced',
      { difference: 2 },
    ],
    [
      'an unknown reason',
      ['l0'],
      ['r0'],
      { adjustments: [{ amount: -1, reasonCode: 'magic' }] },
      400,
      'validation_error',
      { path: '/adjustments/0/reasonCode' },
    ],
    ['one record', ['l0'], [], {}, 400, 'validation_error', { path: '/left' }],
    ['a record twice', ['l0', 'l0'], [], {}, 400, 'validation_error', { path: '/left/1', code: 'duplicate' }],
    [
      'a record of the other side',
      ['l0', 'r0'],
      [],
      {},
      400,
      'validation_error',
      { path: '/left/1', code: 'other_side' },
    ],
    [
      'a record that is not there',
      ['l0', 'x'],
      [],
      {},
      400,
      'validation_error',
      { path: '/left/1', code: 'unknown_record' },
    ],
  ])('%s is refused and holds nothing', async (_what, left, right, more, status, code, error) => {
    const own = await books([10, -10], [9, 4]);
    own.recordIds.set('x', newId());
    const answer = await own.tie(left, right, more).expect(status);
    expect(answer.body).toMatchObject({ code, errors: [error] });
    expect(await own.open()).toEqual({ l0: 10, l1: -10, r0: 9, r1: 4 });
  });

  test.each([
    ['more than the record has', 11, 400],
    ['nothing of it', 0, 400],
    ['the other sign', -1, 400],
    ['no amount', 'x', 400],
    ['more decimals than are kept', 9.00001, 400],
    ['more decimals than are kept, as text', '9.00001', 400],
  ])('a part of %s is refused', async (_what, amount, status) => {
    const own = await books([10], [9]);
    const left = [{ recordId: own.recordIds.get('l0') as string, amount }];
    await own.tie([], ['r0'], { left }).expect(status);
  });

  test.each([
    ['five decimals', 0.99996],
    ['five decimals in a text', '1.00004'],
    ['more digits than are kept', `${'9'.repeat(30)}.0000`],
    ['nothing that is kept', 0.00001],
  ])('an adjustment of %s is refused, not rounded', async (_what, amount) => {
    const own = await books([10], [11]);
    const refused = await own.tie(['l0'], ['r0'], { adjustments: [{ amount, reasonCode: 'other' }] }).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path: '/adjustments/0/amount', code: 'amount' }] });
    await own.tie(['l0'], ['r0'], { adjustments: [{ amount: 0.7 + 0.1 + 0.2, reasonCode: 'other' }] }).expect(201);
  });

  test('a record that a group holds is refused with the name of the group, until that is released', async () => {
    const own = await books([10], [10, 10]);
    const first = await own.tie(['l0'], ['r0']).expect(201);
    const { id } = first.body as { id: string };
    const answer = await own.tie(['l0'], ['r1']).expect(409);
    expect(answer.body).toMatchObject({ code: 'record_held', errors: [{ groupId: id }] });
    await own.tenant.api
      .post(`/v1/match-groups/${id}/release`, { reasonCode: 'data_error', note: 'wrong one' })
      .expect(200);
    expect(await own.open()).toEqual({ l0: 10, r0: 10, r1: 10 });
    await own.tie(['l0'], ['r1']).expect(201);
    const again = await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(409);
    expect(codeOf(again)).toBe('conflict');
  });

  test('of two people who tie the same record at once one wins', async () => {
    const own = await books([10], [10, 10, 10, 10]);
    const answers = await Promise.all(['r0', 'r1', 'r2', 'r3'].map((right) => own.tie(['l0'], [right])));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(Object.keys(await own.open())).toHaveLength(3);
  });

  test('records of several currencies are refused', async () => {
    const own = await books(
      [{ amount: 5, ccy: 'EUR' }],
      [
        { amount: 5, ccy: 'USD' },
        { amount: 5 },
        { amount: 5, ccy: 'EUR' },
        { amount: -5, ccy: '' },
        { amount: 0, ccy: null },
      ],
      {
        currencyKeyLeft: 'ccy',
        currencyKeyRight: 'ccy',
      },
    );
    for (const right of ['r0', 'r1'])
      expect(codeOf(await own.tie(['l0'], [right]).expect(422))).toBe('mixed_currencies');
    await own.tie(['l0'], ['r2']).expect(201);
    // A blank one is missing, as one that is not there.
    expect((await own.tie([], ['r1', 'r3', 'r4']).expect(201)).body).toMatchObject({ currency: null });
  });

  test('a group is read as it was answered', async () => {
    const own = await books([10], [10]);
    const [left, right] = [own.recordIds.get('l0'), own.recordIds.get('r0')];
    const body = { reconciliationId: own.id, left: [left], right: [{ recordId: right, amount: '10.0' }] };
    const made = await own.tenant.api.post('/v1/match-groups', body).expect(201);
    const { id } = made.body as { id: string };
    expect((await own.tenant.api.get(`/v1/match-groups/${id}`).expect(200)).body).toEqual(made.body);
  });

  test('opposite signs add up where the reconciliation says so', async () => {
    const own = await books([10], [-10, 10], { amountSign: 'opposite' });
    expect(codeOf(await own.tie(['l0'], ['r1']).expect(422))).toBe('not_balanced');
    await own.tie(['l0'], ['r0']).expect(201);
  });

  test('sums stay exact', async () => {
    const own = await books([0.1, 0.2, { amount: '900719925474.0991' }], [0.3, { amount: '900719925474.0991' }]);
    const { body } = await own.tie(['l0', 'l1', 'l2'], ['r0', 'r1']).expect(201);
    expect(body).toMatchObject({ left_amount: '900719925474.3991', difference: 0 });
  });

  test('the same request again with its Idempotency-Key makes one group', async () => {
    const own = await books([10], [10]);
    const send = () => own.tie(['l0'], ['r0']).set('Idempotency-Key', 'tie-1');
    const first = await send().expect(201);
    expect((await send().expect(201)).body).toEqual(first.body);
  });
});

describe('the database', () => {
  let own: ReconciledBooks;
  let group: string;

  beforeAll(async () => {
    own = await books([10], [10]);
    group = ((await own.tie(['l0'], ['r0']).expect(201)).body as { id: string }).id;
  });

  test.each([
    [
      'to hold a record beyond its amount',
      `insert into match_group_members 
         (tenant_id, group_id, reconciliation_id, position, record_id, side, revision, amount)
       select tenant_id, group_id, reconciliation_id, 9, record_id, side, revision, 1
         from match_group_members where group_id = $1::uuid limit 1`,
    ],
    ['a change of what a group holds', 'update match_groups set left_amount = 1 where id = $1::uuid'],
    [
      'to hold a released group again',
      `update match_groups set status = 'held' where id = $1::uuid and status = 'released'`,
    ],
    ['to delete a group', 'delete from match_groups where id = $1::uuid'],
    ['to delete its members', 'delete from match_group_members where group_id = $1::uuid'],
    ['to change the audit chain', `update audit_entries set reason = 'x' where object_id = $1::text`],
    ['to delete from it', `delete from audit_entries where object_id = $1::text`],
  ])('refuses %s, whoever asks', async (what, statement) => {
    if (what.includes('released')) {
      await own.tenant.api.post(`/v1/match-groups/${group}/release`, { reasonCode: 'other' }).expect(200);
    }
    await expect(api.service.deps.db.system.execute(statement, [group])).rejects.toThrow();
  });
});

describe('lists', () => {
  test('groups are filtered by each of their properties', async () => {
    const own = await books([10, 20, { amount: 30, date: '2026-04-02' }], [10, 20, { amount: 30, date: '2026-04-02' }]);
    const ids: string[] = [];
    for (const i of [0, 1, 2]) ids.push(((await own.tie([`l${i}`], [`r${i}`]).expect(201)).body as { id: string }).id);
    await own.tenant.api.post(`/v1/match-groups/${ids[1]}/release`, { reasonCode: 'other' }).expect(200);
    const found = async (query: string): Promise<number[]> => {
      const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&${query}`).expect(200);
      const { items, total } = body as { items: { id: string }[]; total: number };
      expect(total).toBe(items.length);
      return items.map(({ id }) => ids.indexOf(id));
    };
    expect(await found('')).toEqual([2, 1, 0]);
    expect(await found('status=held')).toEqual([2, 0]);
    expect(await found('origin=auto')).toEqual([]);
    expect(await found(`recordId=${own.recordIds.get('r1')}`)).toEqual([1]);
    expect(await found('period=2026-04')).toEqual([2]);
    expect(await found('minAmount=15&maxAmount=25')).toEqual([1]);
    expect(await found('sort=amount')).toEqual([0, 1, 2]);
    const first = await own.tenant.api.get('/v1/match-groups?sort=-amount&limit=2').expect(200);
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    const second = await own.tenant.api.get(`/v1/match-groups?sort=-amount&limit=2&cursor=${cursor}`).expect(200);
    expect((second.body as { items: { id: string }[] }).items.map(({ id }) => ids.indexOf(id))).toEqual([0]);
  });

  test('members bear their records where they are asked for, as many as a person and an answer can hold', async () => {
    const long = { memo: 'm'.repeat(900_000) };
    const small = Array.from({ length: 51 }, () => 1);
    const own = await books([...small, 1], [51, ...[1, 2, 3, 4, 5].map((amount) => ({ amount, ...long })), 1]);
    const names = (side: string, from: number, to: number) => small.map((_, at) => `${side}${at}`).slice(from, to);
    const { body: made } = await own.tie(names('l', 0, 51), ['r0']).expect(201);
    await own.tie([], names('r', 1, 6), { adjustments: [{ amount: 15, reasonCode: 'other' }] }).expect(201);
    await own.tie(['l51'], ['r6']).expect(201);
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('r6')}`).expect(204);
    interface Shown {
      left: { record?: object | null }[];
      right: { record?: object | null }[];
    }
    const at = `/v1/match-groups/${(made as { id: string }).id}`;
    const one = (await own.tenant.api.get(`${at}?records=true`).expect(200)).body as Shown;
    expect(one.left[49]?.record).toMatchObject({ amount: 1, date });
    expect(one.left[50]?.record).toBeNull();
    expect(one.right[0]?.record).toMatchObject({ amount: 51 });
    expect(((await own.tenant.api.get(at).expect(200)).body as Shown).left[0]).not.toHaveProperty('record');
    const list = `/v1/match-groups?reconciliationId=${own.id}&records=true&sort=heldAt`;
    const { items } = (await own.tenant.api.get(list).expect(200)).body as { items: Shown[] };
    expect(items[1]?.right.map(({ record }) => record !== null)).toEqual([true, true, true, true, false]);
    expect([items[2]?.left[0]?.record, items[2]?.right[0]?.record]).toEqual([null, null]);
  });

  test('many are released at once, by id and by filter, and each that is not says why', async () => {
    const own = await books([10, 20, 30], [10, 20, 30]);
    const ids: string[] = [];
    for (const i of [0, 1, 2]) ids.push(((await own.tie([`l${i}`], [`r${i}`]).expect(201)).body as { id: string }).id);
    const release = async (body: object): Promise<unknown> =>
      (await own.tenant.api.post('/v1/match-groups/release', { reasonCode: 'timing', ...body }).expect(200)).body;
    const unknown = newId();
    expect(await release({ ids: [ids[0], unknown] })).toMatchObject({
      done: 1,
      failed: [{ id: unknown, code: 'match_group_not_found' }],
    });
    expect(await release({ ids: [ids[0]] })).toMatchObject({ done: 0, failed: [{ code: 'conflict' }] });
    expect(await release({ filter: { reconciliationId: own.id } })).toEqual({ done: 2, failed: [] });
    expect(Object.keys(await own.open())).toHaveLength(6);
  });
});

test('every step is in the audit chain, which verifies', async () => {
  const own = await books([10], [10]);
  const { id } = (await own.tie(['l0'], ['r0']).expect(201)).body as { id: string };
  await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other', note: 'why' }).expect(200);
  const { body } = await own.tenant.api.get('/v1/audit?limit=3').expect(200);
  expect((body as { items: object[] }).items).toMatchObject([
    { action: 'match_group.release', actor: { type: 'key' }, reason: 'why' },
    { action: 'match_group.hold', object: { type: 'match_group', id } },
    { action: 'reconciliation.create', object: { type: 'reconciliation', id: own.id } },
  ]);
  const verified = await own.tenant.api.get('/v1/audit/verify').expect(200);
  expect(verified.body).toMatchObject({ valid: true });
});

test('dates that cannot be read are none, and item and summary say so', async () => {
  const row = (date?: unknown): object => ({ ref: 'a', amount: 5, ...(date === undefined ? {} : { date }) });
  const dates = ['2026-01-31', '05.01.2026', '20260105', '2026-02-30', 20260105, undefined, '', null];
  const own = await openReconciliation(api, { lefts: dates.map(row), rights: [row('31/01/2026')] });
  const at = `/v1/reconciliations/${own.id}`;
  const listed = await own.tenant.api.get(`${at}/open-items`).expect(200);
  const { items } = listed.body as { items: { external_id: string; warnings: { code: string }[] }[] };
  const warned = items.filter(({ warnings }) => warnings.some(({ code }) => code === 'date_not_read'));
  expect(warned.map(({ external_id: name }) => name).sort()).toEqual(['l1', 'l2', 'l3', 'l4', 'r0']);
  const summary = await own.tenant.api.get(`${at}/summary`).expect(200);
  expect(summary.body).toMatchObject({
    warnings: [{ code: 'dates_not_read', message: expect.stringContaining('4 on the left, 1 on the right') as string }],
  });
  const dated = await openReconciliation(api, { lefts: [row('2026-01-31'), row()], rights: [] });
  const none = await dated.tenant.api.get(`/v1/reconciliations/${dated.id}/summary`).expect(200);
  expect(none.body).toMatchObject({ warnings: [] });
});

test('amounts that cannot be read are none, and item, summary and group say so', async () => {
  const row = (amount: unknown): object => ({ ref: 'a', amount, date: '2026-03-10' });
  const own = await openReconciliation(api, { lefts: [row('0.12345'), row(5)], rights: [row('1,234.50'), row(null)] });
  const at = `/v1/reconciliations/${own.id}`;
  const listed = await own.tenant.api.get(`${at}/open-items`).expect(200);
  const { items } = listed.body as { items: { external_id: string; amount: unknown; warnings: { code: string }[] }[] };
  const shown = items.map(({ external_id: name, amount, warnings }) => [
    name,
    amount,
    warnings.map(({ code }) => code),
  ]);
  expect(shown.sort()).toEqual([
    ['l0', null, ['amount_not_read']],
    ['l1', 5, []],
    ['r0', null, ['amount_not_read']],
    ['r1', null, []],
  ]);
  const summary = await own.tenant.api.get(`${at}/summary`).expect(200);
  expect(summary.body).toMatchObject({
    warnings: [
      { code: 'amounts_not_read', message: expect.stringContaining('1 on the left, 2 on the right') as string },
    ],
  });
  const tied = await own.tie(['l0'], ['r0']).expect(201);
  expect(tied.body).toMatchObject({ difference: null, warnings: [{ code: 'amounts_not_read' }] });
  const exact = await openReconciliation(api, { lefts: [row(5)], rights: [row(5)] });
  expect((await exact.tie(['l0'], ['r0']).expect(201)).body).toMatchObject({ difference: 0, warnings: [] });
});
