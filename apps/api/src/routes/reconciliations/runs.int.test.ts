import { startTestApi, type JobBody, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';

async function start(own: ReconciledBooks): Promise<JobBody> {
  return (await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, {}).expect(202)).body as JobBody;
}

async function run(own: ReconciledBooks): Promise<JobBody> {
  const { id } = await start(own);
  await api.runMatching();
  return own.job(id);
}

interface GroupBody {
  id: string;
  origin: string;
  kind: string;
  difference: number | null;
  left: { external_id: string }[];
  right: { external_id: string }[];
}

async function groups(own: ReconciledBooks, query = ''): Promise<GroupBody[]> {
  const { body } = await own.tenant.api
    .get(`/v1/match-groups?reconciliationId=${own.id}&status=held&limit=100&${query}`)
    .expect(200);
  return (body as { items: GroupBody[] }).items;
}

const tied = async (own: ReconciledBooks, query = ''): Promise<string[]> =>
  (await groups(own, query))
    .map(({ left, right }) => [...left, ...right].map((one) => one.external_id).join(' '))
    .sort();

describe('an incremental run', () => {
  test('ties what matches, leaves the rest open, and finds nothing more when it runs again', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date },
        { ref: 'b', amount: 20, date },
      ],
      rights: [
        { ref: 'a', amount: 10, date },
        { ref: 'x', amount: 20, date },
      ],
    });
    const job = await run(own);
    expect(job).toMatchObject({
      status: 'completed',
      reconciliation_id: own.id,
      mode: 'incremental',
      trigger: 'manual',
    });
    expect(await tied(own)).toEqual(['l0 r0']);
    expect((await groups(own))[0]).toMatchObject({ origin: 'auto', kind: 'pair', difference: 0 });
    expect(await own.open()).toEqual({ l1: 20, r1: 20 });
    const again = await run(own);
    expect(again.decision_counts['MATCH']).toBe(0);
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test('records that arrive later are tied to open ones, and not to held ones', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date },
        { ref: 'b', amount: 20, date },
      ],
      rights: [{ ref: 'a', amount: 10, date }],
    });
    await run(own);
    const late = [
      { externalId: 'late-a', body: { ref: 'a', amount: 10, date } },
      { externalId: 'late-b', body: { ref: 'b', amount: 20, date } },
    ];
    await own.tenant.api.post('/v1/records/bulk?dataset=right', late).expect(202);
    await api.runIngest();
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0', 'l1 late-b']);
    expect(await own.open()).toEqual({ 'late-a': 10 });
  });

  test('what people tied and what they excluded takes no part', async () => {
    const lefts = [1, 2, 3].map((n) => ({ ref: `${n}`, amount: 10, date }));
    const own = await openReconciliation(api, { lefts, rights: lefts });
    await own.tie(['l0'], ['r1']).expect(201);
    const l2 = own.recordIds.get('l2') as string;
    const excluded = { reasonCode: 'duplicate' };
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${l2}`, { excluded }).expect(204);
    await run(own);
    expect(await tied(own)).toEqual(['l0 r1']);
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${l2}`, { excluded: null }).expect(204);
    await run(own);
    expect(await tied(own)).toEqual(['l0 r1', 'l2 r2']);
  });

  test('a run that is asked for while one waits is that one', async () => {
    const own = await openReconciliation(api, { lefts: [], rights: [] });
    const [one, two] = await Promise.all([start(own), start(own)]);
    expect(one?.id).toBe(two?.id);
    await api.runMatching();
    const next = await start(own);
    expect(next.id).not.toBe(one?.id);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/runs`).expect(200);
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([next.id, one?.id]);
  });

  test('with accept review a MATCH stays a proposal', async () => {
    const records = [{ ref: 'a', amount: 10, date }];
    const own = await openReconciliation(api, { lefts: records, rights: records, accept: 'review' });
    const job = await run(own);
    expect(job.decision_counts['MATCH']).toBe(1);
    expect(await tied(own)).toEqual([]);
    expect(await own.open()).toEqual({ l0: 10, r0: 10 });
  });

  test('what people released is not tied again by the same rules, unless they allow it', async () => {
    const records = [{ ref: 'a', amount: 10, date }];
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await run(own);
    const [group] = await groups(own);
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'data_error' }).expect(200);
    await run(own);
    expect(await tied(own)).toEqual([]);
    const again = await own.tie(['l0'], ['r0']).expect(201);
    const { id } = again.body as { id: string };
    const allowed = { reasonCode: 'other', allowAgain: true };
    await own.tenant.api.post(`/v1/match-groups/${id}/release`, allowed).expect(200);
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test('equal rivals are left to people', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date }],
      rights: [
        { ref: 'a', amount: 10, date, note: 'one' },
        { ref: 'a', amount: 10, date: '2026-03-09' },
        { ref: 'a', amount: 10, date: '2026-03-11' },
      ],
    });
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0']);
  });
});
