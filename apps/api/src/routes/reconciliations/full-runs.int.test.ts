import { startTestApi, usageOf, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups as groups, runOf, runWith, startRunOf as start, tiedBy as tied } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const row = (ref: string, amount: number, day = date): object => ({ ref, amount, date: day });
const full = { mode: 'full' };

const send = async (own: ReconciledBooks, side: string, rows: Record<string, object>): Promise<void> => {
  const lines = Object.entries(rows).map(([externalId, body]) => ({ externalId, body }));
  await own.tenant.api.post(`/v1/records/bulk?dataset=${side}`, lines).expect(202);
  await api.runIngest();
};

/** Opens books in which an earlier run has tied a record before its better partner, `better`, arrived. */
async function tiedToTheWorse(more: object = {}): Promise<ReconciledBooks> {
  const own = await openReconciliation(api, {
    lefts: [row('a', 10), row('k', 70)],
    rights: [row('a', 10, '2026-03-12'), row('k', 70)],
    ...more,
  });
  await runOf(api, own);
  await send(own, 'right', { better: row('a', 10) });
  return own;
}

interface ChangeBody {
  kind: string;
  today: { id: string; left: { external_id: string }[]; right: { external_id: string }[] } | null;
  would: {
    kind: string;
    score: number;
    left: { external_id: string; amount: number }[];
    right: { external_id: string }[];
  }[];
}

const changesOf = async (own: ReconciledBooks, jobId: string, query = ''): Promise<string[]> => {
  const { body } = await own.tenant.api.get(`/v1/matching-jobs/${jobId}/changes?limit=100&${query}`).expect(200);
  const { items, total } = body as { items: ChangeBody[]; total: number };
  expect(total).toBe(items.length);
  const names = (of: { left: { external_id: string }[]; right: { external_id: string }[] } | null): string =>
    of ? [...of.left, ...of.right].map((one) => one.external_id).join(' ') : '-';
  return items.map(({ kind, today, would }) => `${kind}: ${[today, ...would].map(names).join(' > ')}`).sort();
};

const statusOf = async (own: ReconciledBooks, query: string): Promise<object[]> => {
  const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&${query}`).expect(200);
  return (body as { items: object[] }).items;
};

describe('a better partner that comes after a hold', () => {
  test('changes nothing in an incremental run', async () => {
    const own = await tiedToTheWorse();
    await runOf(api, own);
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });

  test('takes the record over in a full run, which keeps what it ties alike', async () => {
    const own = await tiedToTheWorse();
    const before = await groups(own);
    await send(own, 'left', { n: row('n', 5) });
    await send(own, 'right', { n2: row('n', 5) });
    const job = await runOf(api, own, full);
    expect(job).toMatchObject({ status: 'completed', mode: 'full', dry_run: false });
    expect(job['changes']).toEqual({ kept: 1, changed: 1, new: 1, lost: 0 });
    expect(await tied(own)).toEqual(['l0 better', 'l1 r1', 'n n2']);
    expect(await own.open()).toEqual({ r0: 10 });
    const stays = (await groups(own)).find(({ left }) => left[0]?.external_id === 'l1');
    expect(before.map(({ id }) => id)).toContain(stays?.id);
    expect(await statusOf(own, 'status=released')).toMatchObject([
      { release_reason: 'full_run', released_by: { type: 'job', id: job.id }, left: [{ external_id: 'l0' }] },
    ]);
    expect(await changesOf(own, job.id)).toEqual(['changed: l0 r0 > l0 better', 'kept: l1 r1', 'new: - > n n2']);
    const again = await runOf(api, own, full);
    expect(again['changes']).toEqual({ kept: 3, changed: 0, new: 0, lost: 0 });
    expect(await statusOf(own, 'status=released')).toHaveLength(1);
  });

  test('is only said by a dry run', async () => {
    const own = await tiedToTheWorse();
    await send(own, 'left', { n: row('n', 5) });
    await send(own, 'right', { n2: row('n', 5) });
    const before = [await groups(own), await own.open()];
    const job = await runOf(api, own, { ...full, dryRun: true });
    expect(job).toMatchObject({
      status: 'completed',
      dry_run: true,
      changes: { kept: 1, changed: 1, new: 1, lost: 0 },
    });
    expect([await groups(own), await own.open()]).toEqual(before);
    expect(await changesOf(own, job.id)).toEqual(['changed: l0 r0 > l0 better', 'kept: l1 r1', 'new: - > n n2']);
    expect(await changesOf(own, job.id, 'kind=new')).toEqual(['new: - > n n2']);
    const first = await own.tenant.api.get(`/v1/matching-jobs/${job.id}/changes?limit=2`).expect(200);
    const { next_cursor: cursor, items } = first.body as { next_cursor: string; items: ChangeBody[] };
    const second = await own.tenant.api.get(`/v1/matching-jobs/${job.id}/changes?limit=2&cursor=${cursor}`).expect(200);
    const rest = (second.body as { items: ChangeBody[] }).items;
    expect([...items, ...rest].map(({ kind }) => kind)).toEqual(['kept', 'changed', 'new']);
    const { body } = await own.tenant.api.get('/v1/matches').expect(200);
    expect((body as { items: { matching_job_id: string }[] }).items.map((m) => m.matching_job_id)).not.toContain(
      job.id,
    );
  });

  test.each<[string, (own: ReconciledBooks) => Promise<void>]>([
    [
      'confirmed',
      async (own) => {
        const [group] = await statusOf(own, `recordId=${own.recordIds.get('l0')}`);
        const { match_id: match } = group as { match_id: string };
        await own.tenant.api.post(`/v1/matches/${match}/review`, { action: 'confirm' }).expect(200);
      },
    ],
    [
      'tied by hand',
      async (own) => {
        const [group] = await groups(own, `recordId=${own.recordIds.get('l0')}`);
        await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
        await own.tie(['l0'], ['r0']).expect(201);
      },
    ],
  ])('leaves what people have %s in a full run', async (_what, decide) => {
    const own = await tiedToTheWorse();
    await decide(own);
    const job = await runOf(api, own, full);
    expect(job['changes']).toEqual({ kept: 2, changed: 0, new: 0, lost: 0 });
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });
});

test('a full run opens what its rules tie no more', async () => {
  const own = await tiedToTheWorse();
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
  const [pass] = (body as { rule_set_ids: string[] }).rule_set_ids;
  const { params } = (await own.tenant.api.get(`/v1/rule-sets/${pass}`).expect(200)).body as { params: object };
  const stricter = { params: { ...params, matchers: [{ expr: 'left.ref = right.ref and left.ref != "k"' }] } };
  await own.tenant.api.patch(`/v1/rule-sets/${pass}`, stricter).expect(200);
  const dry = await runOf(api, own, { ...full, dryRun: true });
  expect(dry['changes']).toEqual({ kept: 0, changed: 1, new: 0, lost: 1 });
  expect(await changesOf(own, dry.id, 'kind=lost')).toEqual(['lost: l1 r1']);
  await runOf(api, own, full);
  expect(await tied(own)).toEqual(['l0 better']);
  expect(await own.open()).toEqual({ l1: 70, r0: 10, r1: 70 });
});

test('where people accept matches, a full run opens what it ties differently and proposes the rest', async () => {
  const own = await tiedToTheWorse();
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { accept: 'review' }).expect(200);
  const job = await runOf(api, own, full);
  expect(await tied(own)).toEqual(['l1 r1']);
  expect(await own.open()).toEqual({ better: 10, l0: 10, r0: 10 });
  const found = await own.matches(job.id);
  await own.tenant.api.post(`/v1/matches/${found['l1|r1']?.id}/review`, { action: 'reject' }).expect(409);
  await own.tenant.api.post(`/v1/matches/${found['l1|r1']?.id}/review`, { action: 'confirm' }).expect(200);
  expect(await statusOf(own, 'status=held')).toMatchObject([{ origin: 'confirmed', left: [{ external_id: 'l1' }] }]);
});

test('an incremental dry run says what it would hold, and a run after it holds it', async () => {
  const own = await openReconciliation(api, { lefts: [row('a', 10)], rights: [row('a', 10)] });
  const job = await runOf(api, own, { dryRun: true });
  expect(job).toMatchObject({ mode: 'incremental', changes: { kept: 0, changed: 0, new: 1, lost: 0 } });
  expect(await tied(own)).toEqual([]);
  await runOf(api, own);
  expect(await tied(own)).toEqual(['l0 r0']);
});

test('a full run ties all that is free of a record of which people hold a part', async () => {
  const own = await openReconciliation(api, {
    lefts: [row('a', 10), row('x', 4)],
    rights: [row('a', 6), row('y', 4)],
  });
  const l0 = own.recordIds.get('l0') as string;
  const part = await own.tie([], ['r1'], { left: [{ recordId: l0, amount: 4 }] }).expect(201);
  await runOf(api, own);
  expect(await tied(own)).toEqual(['l0 r0', 'l0 r1']);
  const kept = await runOf(api, own, full);
  expect(kept['changes']).toEqual({ kept: 2, changed: 0, new: 0, lost: 0 });
  await own.tenant.api.post(`/v1/match-groups/${(part.body as { id: string }).id}/release`, { reasonCode: 'other' });
  const job = await runOf(api, own, full);
  expect(job['changes']).toEqual({ kept: 0, changed: 0, new: 0, lost: 1 });
  expect(await own.open()).toEqual({ l0: 10, l1: 4, r0: 6, r1: 4 });
});

describe('what happens between the plan and the finish of a full run', () => {
  const released = (own: ReconciledBooks) => async (): Promise<void> => {
    const [group] = await groups(own, `recordId=${own.recordIds.get('l0')}`);
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
  };
  const confirmed = (own: ReconciledBooks) => async (): Promise<void> => {
    const [group] = (await statusOf(own, `recordId=${own.recordIds.get('l0')}`)) as { match_id: string }[];
    await own.tenant.api.post(`/v1/matches/${group?.match_id}/review`, { action: 'confirm' }).expect(200);
  };
  const changed = (own: ReconciledBooks) => () => send(own, 'right', { r0: row('a', 11) });
  const tiedBetter = (own: ReconciledBooks) => async (): Promise<void> => {
    await send(own, 'left', { mine: row('mine', 10) });
    const { items } = (await own.tenant.api.get('/v1/records?dataset=left&externalId=mine').expect(200)).body as {
      items: { id: string }[];
    };
    const { items: better } = (await own.tenant.api.get('/v1/records?dataset=right&externalId=better').expect(200))
      .body as { items: { id: string }[] };
    const body = { reconciliationId: own.id, left: [items[0]?.id], right: [better[0]?.id] };
    await own.tenant.api.post('/v1/match-groups', body).expect(201);
  };

  test.each<[string, (own: ReconciledBooks) => () => Promise<void>, string[]]>([
    ['a group that people release', released, ['l1 r1']],
    ['a group that people confirm', confirmed, ['l0 r0', 'l1 r1']],
    ['a held record that changes', changed, ['l0 r0', 'l1 r1']],
    ['the better partner, which people tie to another', tiedBetter, ['l0 r0', 'l1 r1', 'mine better']],
  ])('%s is left to itself', async (_what, act, expected) => {
    const own = await tiedToTheWorse();
    const job = await runWith(api, own, { body: full, compared: act(own) });
    expect(job).toMatchObject({ status: 'completed', changes: { changed: 0 } });
    expect(await tied(own)).toEqual(expected);
  });
});

test('runs that wait are one, which becomes a full one on request, and dry ones wait for themselves', async () => {
  const own = await openReconciliation(api, { lefts: [], rights: [] });
  await api.stopMatching();
  const ids: string[] = [];
  for (const body of [{}, full, {}, { dryRun: true }, { dryRun: true }, { ...full, dryRun: true }])
    ids.push((await start(own, body)).id);
  const [run, , , dry, , dryFull] = ids as [string, string, string, string, string, string];
  expect(ids).toEqual([run, run, run, dry, dry, dryFull]);
  expect(new Set(ids).size).toBe(3);
  expect(await own.job(run)).toMatchObject({ mode: 'full', dry_run: false, status: 'queued' });
  await api.runMatching();
  for (const id of ids) expect(await own.job(id)).toMatchObject({ status: 'completed' });
});

describe('a pair is billed once ever for the same records', () => {
  const records = [row('a', 10)];
  const billed = async (own: ReconciledBooks): Promise<number> => (await usageOf(own.tenant)).totalMatches;
  const release = async (own: ReconciledBooks): Promise<void> => {
    const [group] = await groups(own);
    const input = { reasonCode: 'other', allowAgain: true };
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, input).expect(200);
  };

  test('that runs hold, again and again', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await runOf(api, own);
    await release(own);
    await runOf(api, own);
    await runOf(api, own, full);
    expect(await tied(own)).toEqual(['l0 r0']);
    expect(await billed(own)).toBe(1);
  });

  test('that a run holds, more of them than it looks up one by one', async () => {
    const many = Array.from({ length: 2_100 }, (_, at) => row(`a${at}`, at + 1));
    const own = await openReconciliation(api, { lefts: many, rights: many });
    await runOf(api, own);
    const filter = { reconciliationId: own.id, status: 'held' };
    const input = { filter, reasonCode: 'other', allowAgain: true };
    const { body } = await own.tenant.api.post('/v1/match-groups/release', input).expect(200);
    expect(body).toMatchObject({ done: many.length });
    await runOf(api, own);
    expect(await billed(own)).toBe(many.length);
  });

  test('that people confirm, also after a run has held it, and not for a tie by hand', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records, accept: 'review' });
    await own.tie(['l0'], ['r0']).expect(201);
    await release(own);
    expect(await billed(own)).toBe(0);
    for (let confirmed = 0; confirmed < 2; confirmed++) {
      const job = await runOf(api, own);
      const match = (await own.matches(job.id))['l0|r0']?.id;
      await own.tenant.api.post(`/v1/matches/${match}/review`, { action: 'confirm' }).expect(200);
      expect(await billed(own)).toBe(1);
      await release(own);
    }
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { accept: 'auto' }).expect(200);
    await runOf(api, own);
    expect(await tied(own)).toEqual(['l0 r0']);
    expect(await billed(own)).toBe(1);
  });
});
