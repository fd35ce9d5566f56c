import { newId } from '@tieout/infra';
import { openUser, startTestApi, type SignedInUser, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const books = (lefts: readonly (number | object)[], rights: readonly (number | object)[], more: object = {}) => {
  const records = (sent: readonly (number | object)[]): object[] =>
    sent.map((one, i) => (typeof one === 'number' ? { ref: `r${i}`, amount: one, date } : { date, ...one }));
  return openReconciliation(api, { lefts: records(lefts), rights: records(rights), approvalAbove: 100, ...more });
};
const codeOf = (answer: { body: unknown }): string => (answer.body as { code: string }).code;
const idOf = (answer: { body: unknown }): string => (answer.body as { id: string }).id;

type Person = 'preparer' | 'approver' | 'second';

/** Users of the tenant; the second is another approver. */
async function people<P extends Person>({ tenant }: ReconciledBooks, ...names: P[]) {
  const opened: Partial<Record<P, SignedInUser>> = {};
  for (const name of names)
    opened[name] = await openUser(api, tenant, { role: name === 'preparer' ? 'preparer' : 'approver' });
  return opened as Record<P, SignedInUser>;
}

const tieAs = (own: ReconciledBooks, as: { post: ReconciledBooks['tenant']['api']['post'] }, name = '0') =>
  as.post('/v1/match-groups', {
    reconciliationId: own.id,
    left: [own.recordIds.get(`l${name}`)],
    right: [own.recordIds.get(`r${name}`)],
  });

describe('a match group', () => {
  const adjusted = { adjustments: [{ amount: -200, reasonCode: 'bank_fee' }] };
  const split = { adjustments: [60, -60, -90].map((amount) => ({ amount, reasonCode: 'other' })) };
  type Limits = { approvalAbove?: number | null } & object;

  test.each<[string, (number | object)[], (number | object)[], Limits, string]>([
    ['at the limit is held', [100], [100], {}, 'held'],
    ['above it is pending', [100.01], [100.01], {}, 'pending'],
    ['above it with the other sign is pending', [-100.01], [-100.01], {}, 'pending'],
    ['of small records that add up to more is pending', [60, 60], [60, 60], {}, 'pending'],
    ['with an adjustment above it is pending', [100], [-100], adjusted, 'pending'],
    ['with an amount that cannot be read is pending', [{ amount: 'x,y' }], [{ amount: 'x,y' }], {}, 'pending'],
    ['of a reconciliation without a limit is held', [1e9], [1e9], { approvalAbove: null }, 'held'],
    ['above the limit 0 is pending', [0.01], [0.01], { approvalAbove: 0 }, 'pending'],
    ['of records above it that cancel each other out is pending', [500, -500, 1], [1], {}, 'pending'],
    ['of adjustments that add up to more is pending', [100], [10], split, 'pending'],
  ])('%s', async (_what, lefts, rights, { approvalAbove = 100, ...more }, status) => {
    const own = await books(lefts, rights, { approvalAbove });
    const names = (side: string, all: readonly unknown[]): string[] => all.map((_, i) => `${side}${i}`);
    const { body } = await own.tie(names('l', lefts), names('r', rights), more).expect(201);
    expect(body).toMatchObject({
      status,
      approval: status === 'held' ? null : { status: 'pending', decided_by: null },
    });
    expect(await own.open()).toEqual({});
  });
});

test('each group with a part of a record above the limit is pending, however small the part', async () => {
  const own = await books([500], [90, 80, 330]);
  const tie = async (right: string, amount: number) =>
    (await own.tie([], [right], { left: [{ recordId: own.recordIds.get('l0'), amount }] }).expect(201)).body;
  expect(await tie('r0', 90)).toMatchObject({ status: 'pending' });
  expect(await tie('r1', 80)).toMatchObject({ status: 'pending' });
  expect(await own.open()).toEqual({ l0: 330, r2: 330 });
});

describe('a pending group', () => {
  test('holds its records, and is found as pending, not as held', async () => {
    const own = await books([500], [500, 500]);
    const id = idOf(await own.tie(['l0'], ['r0']).expect(201));
    expect(codeOf(await own.tie(['l0'], ['r1']).expect(409))).toBe('record_held');
    const found = async (status: string) =>
      (await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&status=${status}`).expect(200)).body;
    expect(await found('pending')).toMatchObject({ total: 1, items: [{ id, status: 'pending' }] });
    expect(await found('held')).toMatchObject({ total: 0 });
  });

  test('is approved by another person than its maker, once', async () => {
    const own = await books([500], [500]);
    const { approver, second, preparer } = await people(own, 'approver', 'second', 'preparer');
    const id = idOf(await tieAs(own, approver.api).expect(201));
    const at = `/v1/match-groups/${id}/approve`;
    expect(codeOf(await approver.api.post(at).expect(403))).toBe('insufficient_scope');
    expect(codeOf(await preparer.api.post(at).expect(403))).toBe('insufficient_scope');
    expect((await own.tenant.api.post(at).expect(400)).body).toMatchObject({ errors: [{ path: '/headers/x-actor' }] });
    await own.tenant.api.post(at).set('x-actor', approver.email.toUpperCase()).expect(403);
    const { body } = await second.api.post(at, { note: 'seen the invoice' }).expect(200);
    expect(body).toMatchObject({
      status: 'held',
      approval: { status: 'approved', note: 'seen the invoice', decided_by: { type: 'user', id: second.id } },
    });
    expect(codeOf(await second.api.post(at).expect(409))).toBe('conflict');
    const { body: audit } = await own.tenant.api.get(`/v1/audit?objectId=${id}`).expect(200);
    expect(audit).toMatchObject({
      items: [
        { action: 'match_group.approve', actor: { id: second.id }, reason: 'seen the invoice' },
        { action: 'match_group.hold', actor: { id: approver.id }, after: { approval: 'pending' } },
      ],
    });
  });

  test('is approved by the person whom a key names, who is not the one that the key named for its maker', async () => {
    const own = await books([500], [500]);
    const id = idOf(await own.tie(['l0'], ['r0']).set('x-actor', 'Ana').expect(201));
    const approve = (name: string) => own.tenant.api.post(`/v1/match-groups/${id}/approve`).set('x-actor', name);
    await approve('ana').expect(403);
    await approve('Bea').expect(200);
  });

  test.each([
    ['in wide letters', 'José Weiß', 'ＪＯＳＥ\u0301 WEISS'],
    ['with a composed letter', 'José', 'Jose\u0301'],
    ['with a blank more', 'Ana Maria', 'Ana  Maria'],
    ['with a blank that does not break', 'Ana Maria', 'Ana\u00a0Maria'],
    ['with a sign that does not show', 'Ana', 'A\u200dna'],
    ['with a ligature', 'Steffi', 'Ste\ufb03'],
  ])('is not approved by its maker, named %s', async (_how, maker, same) => {
    const own = await books([500], [500]);
    const id = idOf(await own.tie(['l0'], ['r0']).set('x-actor', maker).expect(201));
    const approve = own.tenant.api.post(`/v1/match-groups/${id}/approve`);
    // Node.js sends the headers of a request without a body as Latin-1.
    const named = approve.set('x-actor', Buffer.from(same, 'utf8').toString('latin1'));
    expect(codeOf(await named.expect(403))).toBe('insufficient_scope');
  });

  test('that a key without a person has made is not approved by the user who made the key', async () => {
    const own = await books([500], [500]);
    const admin = await openUser(api, own.tenant, { role: 'admin' });
    const { second } = await people(own, 'second');
    const made = await admin.api.post('/v1/api-keys', { label: 'mine' }).expect(201);
    const id = idOf(await tieAs(own, api.withKey((made.body as { key: string }).key)).expect(201));
    await admin.api.post(`/v1/match-groups/${id}/approve`).expect(403);
    await second.api.post(`/v1/match-groups/${id}/approve`).expect(200);
  });

  test('is decided once by two who decide at once', async () => {
    const own = await books([500], [500]);
    const { approver, second } = await people(own, 'approver', 'second');
    const id = idOf(await own.tie(['l0'], ['r0']).expect(201));
    const answers = await Promise.all([
      approver.api.post(`/v1/match-groups/${id}/approve`),
      second.api.post(`/v1/match-groups/${id}/reject`, { reasonCode: 'other' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('that is rejected leaves its records open', async () => {
    const own = await books([500], [500]);
    const { approver } = await people(own, 'approver');
    const id = idOf(await own.tie(['l0'], ['r0']).expect(201));
    const { body } = await approver.api
      .post(`/v1/match-groups/${id}/reject`, { reasonCode: 'data_error', note: 'not ours' })
      .expect(200);
    expect(body).toMatchObject({
      status: 'released',
      release_reason: 'data_error',
      approval: { status: 'rejected', note: 'not ours', decided_by: { id: approver.id } },
    });
    expect(await own.open()).toEqual({ l0: 500, r0: 500 });
    await own.tie(['l0'], ['r0']).expect(201);
  });

  test('is withdrawn by its maker', async () => {
    const own = await books([500], [500]);
    const { preparer } = await people(own, 'preparer');
    const id = idOf(await tieAs(own, preparer.api).expect(201));
    await preparer.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(200);
  });

  test('keeps its month from being closed, until it is decided', async () => {
    const own = await books([500, 5], [500, 5]);
    const { approver } = await people(own, 'approver');
    const id = idOf(await own.tie(['l0'], ['r0']).expect(201));
    const close = (month: string) => approver.api.post(`/v1/reconciliations/${own.id}/periods/${month}/close`);
    await close('2026-02').expect(200);
    for (const month of ['2026-03', '2026-04']) {
      const answer = await close(month).expect(409);
      expect(answer.body).toMatchObject({
        code: 'approval_pending',
        message: expect.stringContaining('1 match') as string,
      });
    }
    await approver.api.post(`/v1/match-groups/${id}/approve`).expect(200);
    await close('2026-03').expect(200);
  });

  test('is none once its limit is gone: that changes groups to come only, and needs an approver', async () => {
    const own = await books([500, 600], [500, 600]);
    const { preparer, approver } = await people(own, 'preparer', 'approver');
    const id = idOf(await own.tie(['l0'], ['r0']).expect(201));
    const at = `/v1/reconciliations/${own.id}`;
    expect(codeOf(await preparer.api.patch(at, { approvalAbove: null }).expect(403))).toBe('insufficient_scope');
    await preparer.api.patch(at, { name: newId() }).expect(200);
    const { body } = await approver.api.patch(at, { approvalAbove: null }).expect(200);
    expect(body).toMatchObject({ approval_above: null });
    expect((await own.tenant.api.get(`/v1/match-groups/${id}`).expect(200)).body).toMatchObject({ status: 'pending' });
    expect((await own.tie(['l1'], ['r1']).expect(201)).body).toMatchObject({ status: 'held' });
  });
});

describe('what people have decided', () => {
  test('is released by an approver, and by a preparer only where it is their own and needed no approval', async () => {
    const own = await books([50, 60, 500], [50, 60, 500]);
    const { preparer, approver } = await people(own, 'preparer', 'approver');
    const other = await openUser(api, own.tenant, { role: 'preparer' });
    const release = (as: typeof preparer, id: string) =>
      as.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' });
    const tie = async (name: string): Promise<string> => idOf(await tieAs(own, preparer.api, name).expect(201));
    const [first, second, large] = [await tie('0'), await tie('1'), await tie('2')];
    expect(codeOf(await release(other, first).expect(403))).toBe('insufficient_scope');
    await release(preparer, first).expect(200);
    await release(approver, second).expect(200);
    await approver.api.post(`/v1/match-groups/${large}/approve`).expect(200);
    expect(codeOf(await release(preparer, large).expect(403))).toBe('insufficient_scope');
    const { body } = await preparer.api
      .post('/v1/match-groups/release', { ids: [large], reasonCode: 'other' })
      .expect(200);
    expect(body).toMatchObject({ done: 0, failed: [{ id: large, code: 'insufficient_scope' }] });
    const { api: limited } = await api.newKey(own.tenant, ['matches:write', 'records:read']);
    await limited.post(`/v1/match-groups/${large}/release`, { reasonCode: 'other' }).expect(403);
    await release(approver, large).expect(200);
  });
});

const run = async (own: ReconciledBooks, body: object = {}): Promise<void> => {
  await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, body).expect(202);
  await api.runMatching();
};
const groups = async (own: ReconciledBooks) =>
  (
    (await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&sort=amount`).expect(200)).body as {
      items: { id: string; status: string; origin: string; confirmed_at: string | null }[];
    }
  ).items;

describe('a run', () => {
  test('leaves what it ties above the limit pending, and does not take apart what is approved', async () => {
    const own = await books([50, 500], [50, 500]);
    const { approver } = await people(own, 'approver');
    await run(own);
    const [small, large] = await groups(own);
    expect([small?.status, large?.status]).toEqual(['held', 'pending']);
    await approver.api.post(`/v1/match-groups/${large?.id}/approve`).expect(200);
    await run(own, { mode: 'full' });
    expect((await groups(own))[1]).toMatchObject({ id: large?.id, status: 'held', origin: 'confirmed' });
  });

  test('leaves the rest that it ties of a record above the limit pending', async () => {
    const own = await books([{ ref: 'a', amount: 500 }], [480, { ref: 'a', amount: 20 }]);
    await own.tie([], ['r0'], { left: [{ recordId: own.recordIds.get('l0'), amount: 480 }] }).expect(201);
    await run(own);
    expect(await groups(own)).toMatchObject([
      { status: 'pending', origin: 'auto', left_amount: 20 },
      { status: 'pending', origin: 'manual', left_amount: 480 },
    ]);
  });

  test('whose MATCH a person confirms needs another person for it', async () => {
    const own = await books([500], [500], { accept: 'review' });
    const { approver, second } = await people(own, 'approver', 'second');
    await run(own);
    const { body } = await own.tenant.api.get('/v1/matches').expect(200);
    const [match] = (body as { items: { id: string }[] }).items;
    const reviewed = await approver.api.post(`/v1/matches/${match?.id}/review`, { action: 'confirm' }).expect(200);
    expect(reviewed.body).toMatchObject({ review: { user_id: approver.id, api_key_id: null } });
    const [group] = await groups(own);
    expect(group).toMatchObject({ status: 'pending', origin: 'confirmed' });
    await approver.api.post(`/v1/match-groups/${group?.id}/approve`).expect(403);
    await second.api.post(`/v1/match-groups/${group?.id}/approve`).expect(200);
  });

  test('whose group a person confirms needs another person for it', async () => {
    const own = await books([500], [500]);
    const { approver, second } = await people(own, 'approver', 'second');
    await run(own);
    const { body } = await own.tenant.api.get('/v1/matches').expect(200);
    const [match] = (body as { items: { id: string }[] }).items;
    await approver.api.post(`/v1/matches/${match?.id}/review`, { action: 'confirm' }).expect(200);
    const [group] = await groups(own);
    expect(group).toMatchObject({ held_by: { type: 'job' }, confirmed_by: { type: 'user', id: approver.id } });
    expect(group?.confirmed_at).toMatch(/^\d{4}-/);
    await approver.api.post(`/v1/match-groups/${group?.id}/approve`).expect(403);
    await second.api.post(`/v1/match-groups/${group?.id}/approve`).expect(200);
  });
});

describe('a review that replaces no other', () => {
  const matchOf = async (own: ReconciledBooks): Promise<string> => {
    await run(own);
    const { body } = await own.tenant.api.get('/v1/matches').expect(200);
    return (body as { items: { id: string }[] }).items[0]?.id as string;
  };
  const reviewAs = ({ api: own }: SignedInUser, id: string, action = 'confirm') =>
    own.post(`/v1/matches/${id}/review`, { action, unlessReviewed: true });

  test.each([
    ['confirm', 'confirm', 'confirmed'],
    ['reject', 'confirm', 'rejected'],
    ['reject', 'reject', 'rejected'],
  ])('tells who was faster to %s: %s', async (first, later, status) => {
    const own = await books([500], [500], { accept: 'review' });
    const { approver, preparer } = await people(own, 'approver', 'preparer');
    const id = await matchOf(own);
    await reviewAs(approver, id, first).expect(200);
    const before = await groups(own);
    const { body } = await reviewAs(preparer, id, later).expect(409);
    expect(body).toMatchObject({ code: 'conflict', message: `The approver has already ${status} the match` });
    const many = { ids: [id], action: later, unlessReviewed: true };
    expect((await preparer.api.post('/v1/matches/review', many).expect(200)).body).toMatchObject({
      done: 0,
      failed: [{ id, code: 'conflict' }],
    });
    expect(await groups(own)).toEqual(before);
    // A request that is sent twice is no other review.
    const { body: again } = await reviewAs(approver, id, first).expect(200);
    expect(again).toMatchObject({ review: { status, user_id: approver.id } });
    await reviewAs(preparer, id, 'withdraw').expect(first === 'reject' ? 200 : 409);
  });

  test('is done by one of two at the same time', async () => {
    const own = await books([500], [500], { accept: 'review' });
    const { approver, preparer } = await people(own, 'approver', 'preparer');
    const id = await matchOf(own);
    const answers = await Promise.all([approver, preparer].map((who) => reviewAs(who, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? approver : preparer;
    const { body } = await own.tenant.api.get(`/v1/matches/${id}`).expect(200);
    expect(body).toMatchObject({ review: { user_id: winner.id } });
  });
});

test.each([
  ['a negative amount', -1],
  ['no amount', 'much'],
  ['more decimals than are kept', 0.12345],
])('approvalAbove is refused with %s', async (_what, approvalAbove) => {
  const own = await books([1], [1]);
  const answer = await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { approvalAbove }).expect(400);
  expect(answer.body).toMatchObject({ errors: [{ path: '/approvalAbove', code: 'amount' }] });
});

test('the database takes no second decision about a group, nor one about a group that needs none', async () => {
  const own = await books([50, 500], [50, 500]);
  const [small, large] = [await own.tie(['l0'], ['r0']), await own.tie(['l1'], ['r1'])].map(idOf);
  const change = (id: string | undefined, approval: string) =>
    api.service.deps.db.system.execute('update match_groups set approval = $2 where id = $1::uuid', [
      id ?? '',
      approval,
    ]);
  await expect(change(small, 'approved')).rejects.toThrow();
  await change(large, 'approved');
  await expect(change(large, 'rejected')).rejects.toThrow();
});

test('the answer to a group that is made is what reading it gives, late, pending or without amounts', async () => {
  const row = (amount: unknown, on = date) => ({ amount, date: on, ccy: 'EUR' });
  const own = await openReconciliation(api, {
    lefts: [row(10, '2026-01-31'), row(70), row('x'), row(50), row(8)],
    rights: [row(10, '2026-01-30'), row(70), row('y'), row(9)],
    currencyKeyLeft: 'ccy',
    currencyKeyRight: 'ccy',
    approvalAbove: 60,
  });
  await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/2026-01/close`, {}).expect(200);
  const part = { recordId: own.recordIds.get('l3') as string, amount: '4.5' };
  const fee = [{ amount: '4.5', reasonCode: 'bank_fee', note: 'monthly' }];
  const made = [
    await own.tie(['l0'], ['r0'], { note: 'of January' }),
    await own.tie(['l1'], ['r1']),
    await own.tie(['l2'], ['r2']),
    await own.tie([], [], { left: [part], right: [own.recordIds.get('r3')], adjustments: fee }),
    await own.tie(['l4', 'l3'], [], { adjustments: [{ amount: -53.5, reasonCode: 'other' }] }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  for (const { body } of made as { body: { id: string } }[]) {
    expect((await own.tenant.api.get(`/v1/match-groups/${body.id}`).expect(200)).body).toEqual(body);
  }
  expect(made.map(({ body }) => body as object)).toMatchObject([
    { late: true, period: '2026-02', status: 'held' },
    { late: false, status: 'pending', approval: { status: 'pending' } },
    { status: 'pending', left_amount: null, warnings: [{ code: 'amounts_not_read' }] },
    { difference: 0, left: [{ amount: 4.5 }], adjustments: [{ amount: 4.5, note: 'monthly' }] },
    { right: [], left_amount: 53.5, currency: 'EUR' },
  ]);
});
