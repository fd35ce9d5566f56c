import { sweepChangedItems } from '@tieout/domain';
import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-01-10';
const month = '2026-01';
const records = [
  { ref: 'a', amount: 10, date },
  { ref: 'b', amount: 20, date },
];

async function send(own: ReconciledBooks, externalId: string, body: object): Promise<void> {
  const dataset = externalId.startsWith('l') ? 'left' : 'right';
  await own.tenant.api.post(`/v1/records/bulk?dataset=${dataset}`, [{ externalId, body }]).expect(202);
  await api.runIngest();
}

const settle = (): Promise<void> => sweepChangedItems(api.service.deps);
const at = (own: ReconciledBooks, path: string): string => `/v1/reconciliations/${own.id}/${path}`;
const close = (own: ReconciledBooks) => own.tenant.api.post(at(own, `periods/${month}/close`), {});
const reopen = (own: ReconciledBooks) => own.tenant.api.post(at(own, `periods/${month}/reopen`), { reason: 'late' });

/** Pairs l0 r0 and l1 r1, held by a run. */
async function tiedBooks(): Promise<ReconciledBooks> {
  const own = await openReconciliation(api, { lefts: records, rights: records });
  await runOf(api, own);
  return own;
}

const releases = async (own: ReconciledBooks): Promise<(string | null)[]> => {
  const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&status=released`).expect(200);
  return (body as { items: { release_reason: string | null }[] }).items.map((group) => group.release_reason);
};

test('closing a month settles first what has changed in it: the certificate is right on its records', async () => {
  const own = await tiedBooks();
  await send(own, 'l0', { ref: 'a', amount: 11, date });
  await own.tenant.api.delete(`/v1/records/${own.recordIds.get('r1')}`).expect(204);
  const warned = async (): Promise<unknown> =>
    ((await own.tenant.api.get(at(own, 'summary')).expect(200)).body as { warnings: unknown }).warnings;
  expect(await warned()).toMatchObject([
    { code: 'changes_not_settled', message: expect.stringContaining(': 2.') as string },
  ]);
  await close(own).expect(200);
  expect(await warned()).toEqual([]);
  expect(await tiedBy(own)).toEqual([]);
  expect((await releases(own)).sort()).toEqual(['record_changed', 'record_deleted']);
  const { body } = await own.tenant.api.get(at(own, `summary?period=${month}`)).expect(200);
  expect(body).toMatchObject({
    left: { open: { count: 2, amounts: [{ amount: 31 }] }, stale: { count: 0 } },
    right: { records: { count: 1 }, open: { count: 1, amounts: [{ amount: 10 }] } },
  });
  const { body: audit } = await own.tenant.api.get('/v1/audit?action=match_group.release').expect(200);
  const byService = { actor: { type: 'job' } };
  expect(audit).toMatchObject({ items: [byService, byService] });
});

test.each([
  ['another amount', { ref: 'a', amount: 11, date }, { l0: 11, r0: 10 }],
  ['another month', { ref: 'a', amount: 10, date: '2026-02-20' }, { l0: 10, r0: 10 }],
])('a month that is opened again frees what a run tied of a record that has %s since', async (_what, body, open) => {
  const own = await tiedBooks();
  await close(own).expect(200);
  await send(own, 'l0', body);
  await settle();
  expect(await tiedBy(own)).toEqual(['l0 r0', 'l1 r1']);
  await reopen(own).expect(200);
  expect(await tiedBy(own)).toEqual(['l1 r1']);
  expect(await releases(own)).toEqual(['record_changed']);
  expect(await own.open()).toEqual(open);
  const { body: page } = await own.tenant.api.get(at(own, 'open-items?side=left')).expect(200);
  expect(page).toMatchObject({ items: [{ amount: body.amount, date: body.date, revision: 2 }] });
  await runOf(api, own, { mode: 'full' });
  expect((await heldGroups(own)).filter(({ stale }) => stale)).toEqual([]);
});

test('a release that opens a month frees the other groups of it with changed records too', async () => {
  const own = await tiedBooks();
  await close(own).expect(200);
  await send(own, 'l0', { ref: 'a', amount: 11, date });
  await settle();
  const [group] = (await heldGroups(own)).filter(({ stale }) => !stale);
  await own.tenant.api
    .post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'data_error', force: true })
    .expect(200);
  await settle();
  expect(await own.open()).toEqual({ l0: 11, l1: 20, r0: 10, r1: 20 });
});

test('a month that is opened again keeps what people tied of a record that has changed', async () => {
  const own = await openReconciliation(api, { lefts: records, rights: records });
  await own.tie(['l0'], ['r0']).expect(201);
  await close(own).expect(200);
  await send(own, 'l0', { ref: 'a', amount: 11, date });
  await settle();
  await reopen(own).expect(200);
  expect(await tiedBy(own, 'stale=true')).toEqual(['l0 r0']);
});

describe('a proposal of a run', () => {
  const proposed = async (): Promise<{ own: ReconciledBooks; matches: Record<string, { id: string }> }> => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: [...records, { ref: 'x', amount: 4, date }],
      accept: 'review',
    });
    const job = await runOf(api, own);
    return { own, matches: await own.matches(job.id) };
  };
  const listed = async (own: ReconciledBooks): Promise<string[]> => {
    const { body } = await own.tenant.api.get(at(own, 'proposals')).expect(200);
    return (body as { items: { id: string }[] }).items.map(({ id }) => id);
  };

  test.each<[string, (own: ReconciledBooks) => PromiseLike<unknown>]>([
    ['has another amount', (own) => send(own, 'l0', { ref: 'a', amount: 15, date })],
    ['has another sign', (own) => send(own, 'l0', { ref: 'a', amount: -10, date })],
    ['has another reference', (own) => send(own, 'l0', { ref: 'z', amount: 10, date })],
    [
      'is held in part',
      (own) =>
        own.tenant.api
          .post('/v1/match-groups', {
            reconciliationId: own.id,
            left: [{ recordId: own.recordIds.get('l0'), amount: 4 }],
            right: [own.recordIds.get('r2')],
          })
          .expect(201),
    ],
  ])('is none any more once a record of it %s', async (_what, change) => {
    const { own, matches } = await proposed();
    await change(own);
    expect(await listed(own)).toEqual([matches['l1|r1']?.id]);
    const { body: page } = await own.tenant.api.get(at(own, 'open-items?side=left&suggested=true')).expect(200);
    expect(page).toMatchObject({ items: [{ external_id: 'l1' }] });
    const refused = await own.tenant.api.post(`/v1/matches/${matches['l0|r0']?.id}/review`, { action: 'confirm' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(refused.body).toHaveProperty('message', expect.stringContaining('run again'));
    const many = { ids: Object.values(matches).map(({ id }) => id), action: 'confirm' };
    const { body } = await own.tenant.api.post('/v1/matches/review', many).expect(200);
    expect(body).toMatchObject({ done: 1, failed: [{ id: matches['l0|r0']?.id, code: 'conflict' }] });
  });

  test('stays one where people only annotate its records', async () => {
    const { own, matches } = await proposed();
    const note = { note: 'asked the bank', assignee: 'ana' };
    await own.tenant.api.patch(at(own, `open-items/${own.recordIds.get('l0')}`), note).expect(204);
    expect((await listed(own)).sort()).toEqual([matches['l0|r0']?.id, matches['l1|r1']?.id].sort());
    await own.tenant.api.post(`/v1/matches/${matches['l0|r0']?.id}/review`, { action: 'confirm' }).expect(200);
  });
});

test('late lists what came after its month was closed, and not what was open then', async () => {
  const own = await openReconciliation(api, { lefts: records, rights: records.slice(0, 1) });
  const late = async (is: boolean): Promise<unknown> => {
    const { body } = await own.tenant.api.get(at(own, `open-items?side=left&late=${is}&sort=amount`)).expect(200);
    const { items, total } = body as { items: { external_id: string; late: boolean }[]; total: number };
    return { total, items: items.map((item) => [item.external_id, item.late]) };
  };
  await runOf(api, own);
  expect(await late(true)).toEqual({ total: 0, items: [] });
  await close(own).expect(200);
  await send(own, 'l7', { ref: 'c', amount: 30, date });
  await send(own, 'l8', { ref: 'd', amount: 40, date: '2026-02-01' });
  expect(await late(true)).toEqual({ total: 1, items: [['l7', true]] });
  expect(await late(false)).toMatchObject({
    items: [
      ['l1', false],
      ['l8', false],
    ],
  });
});

const groupsThatAre = async (own: ReconciledBooks, isLate: boolean): Promise<object[]> => {
  const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&late=${isLate}`).expect(200);
  return (body as { items: object[] }).items;
};

test('a group is late that is tied after its month was closed, also once that is open again', async () => {
  const own = await openReconciliation(api, {
    lefts: [...records, { ref: 'c', amount: 5, date: '2026-02-01' }],
    rights: [...records, { ref: 'c', amount: 5, date }],
  });
  await own.tie(['l0'], ['r0']).expect(201);
  await close(own).expect(200);
  const [tardy, timely] = [await own.tie(['l1'], ['r1']).expect(201), await own.tie(['l2'], ['r2']).expect(201)];
  expect([tardy.body, timely.body]).toMatchObject([
    { late: true, period: '2026-02' },
    { late: false, period: '2026-02' },
  ]);
  await reopen(own).expect(200);
  expect(await groupsThatAre(own, true)).toEqual([tardy.body]);
  expect(await groupsThatAre(own, false)).toMatchObject([{ late: false }, { late: false, period: month }]);
});

test('the report of a closed month keeps the name that the reconciliation had', async () => {
  const own = await tiedBooks();
  await close(own).expect(200);
  const report = async (): Promise<string> =>
    (await own.tenant.api.get(at(own, `report?period=${month}&format=csv&section=summary`)).expect(200)).text;
  const before = await report();
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { name: 'another name' }).expect(200);
  expect(await report()).toBe(before);
});

test('a group is late that a run ties after its month was closed', async () => {
  const rows = [...records, { ref: 'c', amount: 5, date: '2026-02-01' }];
  const own = await openReconciliation(api, { lefts: rows, rights: rows });
  await close(own).expect(200);
  await runOf(api, own);
  const period = '2026-02';
  expect(await groupsThatAre(own, true)).toMatchObject(records.map(() => ({ origin: 'auto', late: true, period })));
  expect(await groupsThatAre(own, false)).toMatchObject([{ origin: 'auto', late: false, period }]);
});
