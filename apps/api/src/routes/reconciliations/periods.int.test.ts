import { sweepChangedItems } from '@tieout/domain';
import { startTestApi, uploadTo, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf, startRunOf, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface PeriodBody {
  period: string;
  status: string;
  certificate: (Record<string, unknown> & { id: string; digest: string }) | null;
  voided_certificates: (Record<string, unknown> & { id: string; void_reason: string })[];
}

const close = (own: ReconciledBooks, period: string, body: object = {}) =>
  own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/${period}/close`, body);
const lock = (own: ReconciledBooks, period: string) =>
  own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/${period}/lock`);
const reopen = (own: ReconciledBooks, period: string) =>
  own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/${period}/reopen`, { reason: 'mistake' });
const periodOf = async (own: ReconciledBooks, period: string): Promise<PeriodBody> =>
  (await own.tenant.api.get(`/v1/reconciliations/${own.id}/periods/${period}`).expect(200)).body as PeriodBody;

async function itemsOf(own: ReconciledBooks, period: string, query = ''): Promise<Record<string, unknown>> {
  const answer = await own.tenant.api
    .get(`/v1/reconciliations/${own.id}/periods/${period}/open-items?limit=100&${query}`)
    .expect(200);
  const { items } = answer.body as { items: { external_id: string; remaining_amount: unknown }[] };
  return Object.fromEntries(items.map((item) => [item.external_id, item.remaining_amount]));
}

async function send(own: ReconciledBooks, dataset: string, records: object[]): Promise<void> {
  await own.tenant.api.post(`/v1/records/bulk?dataset=${dataset}`, records).expect(202);
  await api.runIngest();
}

const settle = (): Promise<void> => sweepChangedItems(api.service.deps);

const jan = '2026-01-10';
const feb = '2026-02-10';

/** Books of two months: a pair of each, and what is open in January. */
const openMonths = (more: object = {}): Promise<ReconciledBooks> =>
  openReconciliation(api, {
    lefts: [
      { ref: 'a', amount: 10, date: jan },
      { ref: 'b', amount: 20, date: feb },
      { ref: 'c', amount: 5, date: jan },
    ],
    rights: [
      { ref: 'a', amount: 10, date: jan },
      { ref: 'b', amount: 20, date: feb },
    ],
    ...more,
  });

describe('closing a month', () => {
  test('keeps sums, counts, open items and a digest, in a certificate', async () => {
    const own = await openMonths();
    await runOf(api, own);
    const { body } = await close(own, '2026-01', { note: 'done' }).expect(200);
    expect(body).toMatchObject({
      period: '2026-01',
      status: 'closed',
      certificate: {
        note: 'done',
        by: { type: 'key' },
        sums: {
          left: [{ currency: null, records: 15, held: 10, open: 5, excluded: 0, stale: 0 }],
          right: [{ currency: null, records: 10, held: 10, open: 0 }],
        },
        counts: { left: { records: 2, held: 1, open: 1, excluded: 0 }, right: { records: 1 }, groups: 1 },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        voided_at: null,
      },
      voided_certificates: [],
    });
    expect(await itemsOf(own, '2026-01')).toEqual({ l2: 5 });
    const listed = await own.tenant.api.get(`/v1/reconciliations/${own.id}/periods?limit=1`).expect(200);
    expect(listed.body).toMatchObject({ items: [{ period: '2026-02', status: 'open', certificate: null }] });
    const { next_cursor: cursor } = listed.body as { next_cursor: string };
    const rest = await own.tenant.api.get(`/v1/reconciliations/${own.id}/periods?cursor=${cursor}`).expect(200);
    expect(rest.body).toMatchObject({ items: [{ period: '2026-01', status: 'closed' }], next_cursor: null });
    const summary = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary?period=2026-01`).expect(200);
    expect(summary.body).toMatchObject({
      certificate_id: (body as PeriodBody).certificate?.id,
      left: { records: { count: 2 }, open: { count: 1, amounts: [{ currency: null, amount: 5 }] } },
    });
  });

  test('keeps what people had said about its items, whatever they say later', async () => {
    const own = await openMonths();
    await runOf(api, own);
    const item = `/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('l2')}`;
    const said = { assignee: 'Anna', reasonCode: 'timing', note: 'comes in March' };
    await own.tenant.api.patch(item, said).expect(204);
    await close(own, '2026-01').expect(200);
    await own.tenant.api.patch(item, { assignee: 'Ben', note: null }).expect(204);
    const listed = await own.tenant.api.get(`/v1/reconciliations/${own.id}/periods/2026-01/open-items`).expect(200);
    const kept = { external_id: 'l2', assignee: 'Anna', reason_code: 'timing', note: 'comes in March' };
    expect(listed.body).toMatchObject({ items: [kept] });
    const report = `/v1/reconciliations/${own.id}/report?format=json`;
    const { body: ofMonth } = await own.tenant.api.get(`${report}&period=2026-01`).expect(200);
    expect(ofMonth).toMatchObject({ open_items: [kept] });
    const { body: now } = await own.tenant.api.get(report).expect(200);
    expect(now).toMatchObject({
      open_items: [{ external_id: 'l2', assignee: 'Ben', reason_code: 'timing', note: null }],
    });
  });

  test('takes the months in their order, and each once', async () => {
    const own = await openMonths();
    await runOf(api, own);
    const refused = await close(own, '2026-02').expect(409);
    expect(refused.body).toMatchObject({ code: 'period_open', errors: [{ period: '2026-01' }] });
    await close(own, '2026-01').expect(200);
    expect((await close(own, '2026-01').expect(409)).body).toMatchObject({ code: 'period_closed' });
    await close(own, '2026-02').expect(200);
    // A month without records needs no certificate of its own.
    await close(own, '2026-05').expect(200);
    expect(await periodOf(own, '2026-04')).toMatchObject({ status: 'closed', certificate: null });
    for (const month of ['2026-13', '2026-1', '0000-01', 'last']) await close(own, month).expect(400);
    for (const month of ['2999-12', '9999-11']) await close(own, month).expect(409);
  });

  test('twice at once makes one certificate', async () => {
    const own = await openMonths();
    await runOf(api, own);
    const answers = await Promise.all([1, 2, 3].map(() => close(own, '2026-01')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await periodOf(own, '2026-01')).voided_certificates).toEqual([]);
  });

  test('a member of a later month is open at the end of the earlier one', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ amount: 10, date: '2026-01-31' }],
      rights: [{ amount: 10, date: '2026-02-01' }],
    });
    await own.tie(['l0'], ['r0']).expect(201);
    expect(await heldGroups(own)).toMatchObject([{ period: '2026-02' }]);
    await close(own, '2026-01').expect(200);
    expect(await itemsOf(own, '2026-01')).toEqual({ l0: 10 });
    const [group] = await heldGroups(own);
    // It belongs to an open month, and what the certificate says stays true.
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
    expect(await own.open()).toEqual({ l0: 10, r0: 10 });
  });

  test('the certificate and its items stay as they were, whatever comes later', async () => {
    const own = await openMonths();
    await runOf(api, own);
    const { body: before } = await close(own, '2026-01').expect(200);
    await send(own, 'left', [
      { externalId: 'l2', body: { ref: 'c', amount: 7, date: jan } },
      { externalId: 'late', body: { ref: 'd', amount: 3, date: jan } },
    ]);
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('r1')}`).expect(204);
    await settle();
    expect((await own.tenant.api.get(`/v1/reconciliations/${own.id}/periods/2026-01`).expect(200)).body).toEqual(
      before,
    );
    expect(await itemsOf(own, '2026-01')).toEqual({ l2: 5 });
  });
});

describe('a closed month', () => {
  const closed = async (): Promise<ReconciledBooks> => {
    const own = await openMonths();
    await runOf(api, own);
    await close(own, '2026-01').expect(200);
    return own;
  };
  const groupOf = async (own: ReconciledBooks, month: string): Promise<string> =>
    (await heldGroups(own, `period=${month}`))[0]?.id as string;

  test('keeps its groups, unless a release is forced, which opens it again', async () => {
    const own = await closed();
    const id = await groupOf(own, '2026-01');
    const path = `/v1/match-groups/${id}/release`;
    const refused = await own.tenant.api.post(path, { reasonCode: 'data_error' }).expect(409);
    expect(refused.body).toMatchObject({ code: 'period_closed' });
    const forced = { reasonCode: 'data_error', note: 'wrong invoice', force: true };
    await own.tenant.api.post(path, forced).expect(200);
    expect(await periodOf(own, '2026-01')).toMatchObject({
      status: 'open',
      certificate: null,
      voided_certificates: [{ void_reason: 'wrong invoice' }],
    });
    const audited = await own.tenant.api.get('/v1/audit?action=match_group.release').expect(200);
    expect(audited.body).toMatchObject({
      items: [{ after: { reopened_periods: ['2026-01'] }, reason: 'wrong invoice' }],
    });
    const ofMonth = await own.tenant.api.get(`/v1/audit?objectType=period`).expect(200);
    expect(ofMonth.body).toMatchObject({
      items: [{ action: 'period.reopen', reason: 'wrong invoice', object: { id: `${own.id}/2026-01` } }, {}],
    });
    await close(own, '2026-01').expect(200);
    expect(await itemsOf(own, '2026-01')).toEqual({ l0: 10, l2: 5, r0: 10 });
    const [voided] = (await periodOf(own, '2026-01')).voided_certificates;
    expect(await itemsOf(own, '2026-01', `certificateId=${voided?.id}`)).toEqual({ l2: 5 });
  });

  test('many are released as far as their months are open', async () => {
    const own = await closed();
    const ids = (await heldGroups(own)).map(({ id }) => id);
    const all = { ids, reasonCode: 'other' };
    const { body } = await own.tenant.api.post('/v1/match-groups/release', all).expect(200);
    expect(body).toMatchObject({ done: 1, failed: [{ code: 'period_closed' }] });
    await lock(own, '2026-01').expect(200);
    const forced = await own.tenant.api.post('/v1/match-groups/release', { ...all, force: true }).expect(200);
    expect((forced.body as { failed: { code: string }[] }).failed.map(({ code }) => code).sort()).toEqual([
      'conflict',
      'period_locked',
    ]);
  });

  test('a run is undone as far as its months are open, or whole by force', async () => {
    const own = await openMonths();
    const { id } = await runOf(api, own);
    await close(own, '2026-01').expect(200);
    const undo = (body: object) => own.tenant.api.post(`/v1/matching-jobs/${id}/undo`, body).expect(200);
    expect((await undo({})).body).toMatchObject({ done: 1, failed: [{ code: 'period_closed' }] });
    const unexplained = await own.tenant.api.post(`/v1/matching-jobs/${id}/undo`, { force: true }).expect(400);
    expect(unexplained.body).toMatchObject({ errors: [{ path: '/reasonCode' }] });
    expect((await undo({ force: true, reasonCode: 'data_error' })).body).toEqual({ done: 1, failed: [] });
    expect(await periodOf(own, '2026-01')).toMatchObject({ status: 'open' });
  });

  test('opens with the later ones; a locked one does not, nor those before', async () => {
    const own = await closed();
    await close(own, '2026-02').expect(200);
    expect((await reopen(own, '2026-01').expect(200)).body).toMatchObject({ reopened: ['2026-01', '2026-02'] });
    expect((await reopen(own, '2026-01').expect(409)).body).toMatchObject({ code: 'period_open' });
    expect((await lock(own, '2026-01').expect(409)).body).toMatchObject({ code: 'period_open' });
    await close(own, '2026-01').expect(200);
    await close(own, '2026-02').expect(200);
    await lock(own, '2026-02').expect(200);
    for (const month of ['2026-01', '2026-02']) {
      expect(await periodOf(own, month)).toMatchObject({
        status: 'locked',
        certificate: { locked_by: { type: 'key' } },
      });
      expect((await reopen(own, month).expect(409)).body).toMatchObject({ code: 'period_locked' });
    }
    const forced = { reasonCode: 'other', force: true };
    const release = `/v1/match-groups/${await groupOf(own, '2026-01')}/release`;
    expect((await own.tenant.api.post(release, forced).expect(409)).body).toMatchObject({ code: 'period_locked' });
  });

  test('late records are accepted, flagged, and count in the first open month', async () => {
    const own = await closed();
    await send(own, 'left', [{ externalId: 'late', body: { ref: 'z', amount: 3, date: jan } }]);
    await send(own, 'right', [{ externalId: 'too', body: { ref: 'z', amount: 3, date: '2025-12-31' } }]);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items`).expect(200);
    const flags = (body as { items: { external_id: string; late: boolean }[] }).items;
    expect(Object.fromEntries(flags.map((item) => [item.external_id, item.late]))).toEqual({
      l2: false,
      late: true,
      too: true,
    });
    const ids = Object.fromEntries(
      (body as { items: { external_id: string; record_id: string }[] }).items.map((i) => [i.external_id, i.record_id]),
    );
    const tied = await own.tenant.api
      .post('/v1/match-groups', { reconciliationId: own.id, left: [ids['late']], right: [ids['too']] })
      .expect(201);
    expect(tied.body).toMatchObject({ period: '2026-02' });
    await close(own, '2026-02').expect(200);
    const second = (await periodOf(own, '2026-02')).certificate;
    expect(second).toMatchObject({ counts: { left: { records: 4, open: 1 }, right: { records: 3 } } });
  });

  test.each([
    ['sent again with another amount', { ref: 'a', amount: 12, date: jan }, { amount: 12, deleted: false }],
    ['sent again with another sign', { ref: 'a', amount: -10, date: jan }, { amount: -10, deleted: false }],
    ['sent again without an amount', { ref: 'a', date: jan }, { amount: null, deleted: false }],
    ['backdated', { ref: 'a', amount: 10, date: '2025-11-01' }, { date: '2025-11-01', deleted: false }],
  ])('a group whose record is %s stays, as stale, with both versions', async (_what, body, current) => {
    const own = await closed();
    await send(own, 'left', [{ externalId: 'l0', body }]);
    await settle();
    expect(await heldGroups(own, 'stale=true')).toMatchObject([
      { period: '2026-01', stale: true, left: [{ external_id: 'l0', amount: 10, date: jan, current }] },
    ]);
    expect(await tiedBy(own)).toEqual(['l0 r0', 'l1 r1']);
    expect(await periodOf(own, '2026-01')).toMatchObject({ status: 'closed' });
  });

  test.each([
    ['closed', 'period_closed'],
    ['locked', 'period_locked'],
  ])('a record that a %s month holds is not deleted by request', async (status, code) => {
    const own = await closed();
    if (status === 'locked') await lock(own, '2026-01').expect(200);
    const refused = await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l0')}`).expect(409);
    expect(refused.body).toMatchObject({ code });
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l1')}`).expect(204);
    await settle();
    expect(await tiedBy(own)).toEqual(['l0 r0']);
  });

  test('a record that a file takes out leaves its group of a closed month, as an exception', async () => {
    const own = await closed();
    await api.service.deps.db.system.execute(`delete from records where id = $1::uuid`, [
      own.recordIds.get('l0') as string,
    ]);
    await settle();
    expect(await heldGroups(own, 'stale=true')).toMatchObject([
      { period: '2026-01', left: [{ external_id: 'l0', amount: 10, current: { deleted: true, amount: null } }] },
    ]);
    const [group] = await heldGroups(own, 'stale=true');
    const forced = { reasonCode: 'data_error', force: true };
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, forced).expect(200);
    expect(await own.open()).toEqual({ l2: 5, r0: 10 });
  });

  test('a release reads a record again that has changed meanwhile', async () => {
    const own = await closed();
    await send(own, 'left', [{ externalId: 'l0', body: { ref: 'a', amount: 12, date: jan } }]);
    await settle();
    const path = `/v1/match-groups/${await groupOf(own, '2026-01')}/release`;
    await own.tenant.api.post(path, { reasonCode: 'data_error', force: true }).expect(200);
    expect(await own.open('side=left')).toEqual({ l0: 12, l2: 5 });
  });

  test('a month that is closed and locked while a run works: what it finds belongs to the first open one', async () => {
    const own = await openMonths();
    await startRunOf(own);
    await close(own, '2026-01').expect(200);
    await lock(own, '2026-01').expect(200);
    await api.runMatching();
    expect((await heldGroups(own)).map(({ left, ...group }) => [left[0]?.external_id, group])).toMatchObject([
      ['l1', { period: '2026-02' }],
      ['l0', { period: '2026-02' }],
    ]);
    expect(await itemsOf(own, '2026-01')).toEqual({ l0: 10, l2: 5, r0: 10 });
  });

  test('a full run takes groups of open months apart, and none of a closed one', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date: jan },
        { ref: 'b', amount: 20, date: feb },
      ],
      rights: [
        { ref: 'a', amount: 10, date: '2026-01-11' },
        { ref: 'b', amount: 20, date: '2026-02-11' },
      ],
    });
    await runOf(api, own);
    await close(own, '2026-01').expect(200);
    // Partners of the very day, which a run over everything prefers.
    await send(own, 'right', [
      { externalId: 'better-a', body: { ref: 'a', amount: 10, date: jan } },
      { externalId: 'better-b', body: { ref: 'b', amount: 20, date: feb } },
    ]);
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, { mode: 'full' }).expect(202);
    await api.runMatching();
    expect(await tiedBy(own)).toEqual(['l0 r0', 'l1 better-b']);
  });

  test('a file that is replaced by one without some rows leaves the groups of a closed month', async () => {
    const own = await openReconciliation(api, {
      lefts: [],
      rights: [
        { ref: 'a', amount: 10, date: jan },
        { ref: 'b', amount: 20, date: feb },
      ],
    });
    const source = await own.tenant.api.post('/v1/data-sources', { name: 'bank', kind: 'files' }).expect(201);
    const { id } = source.body as { id: string };
    const rows = [`a,10,${jan}`, `b,20,${feb}`, `c,5,${jan}`];
    const upload = (lines: string[], options: Record<string, string>) =>
      uploadTo(
        own.tenant.api,
        id,
        ['ref,amount,date', ...lines, ''].join('\n'),
        { dataset: 'left', ...options },
        'a.csv',
      );
    const first = await upload(rows, {});
    await api.runIngest();
    await runOf(api, own);
    await close(own, '2026-01').expect(200);
    await upload(rows.slice(2), { replaces: first.id });
    await api.runIngest();
    await settle();
    expect(await heldGroups(own)).toMatchObject([
      { period: '2026-01', stale: true, left: [{ amount: 10, current: { deleted: true } }] },
    ]);
    expect(await own.open('side=right')).toEqual({ r1: 20 });
  });
});
