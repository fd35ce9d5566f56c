import { sweepChangedItems } from '@tieout/domain';
import { allOf, startTestApi, usageOf, type MatchBody, type TestApi } from '../../../testing';
import { openReconciliation, passRules, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf, runWith, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const row = (ref: string, amount: number, day = date): object => ({ ref, amount, date: day });

const send = async (own: ReconciledBooks, side: string, rows: Record<string, object>): Promise<void> => {
  const lines = Object.entries(rows).map(([externalId, body]) => ({ externalId, body }));
  await own.tenant.api.post(`/v1/records/bulk?dataset=${side}`, lines).expect(202);
  await api.runIngest();
};

/** Makes a rule set the one pass. */
async function passOf(own: ReconciledBooks, params: object): Promise<string> {
  const { id } = await own.ruleSet({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: { Tmatch: 1, Tpossible: 0.5, assignment: 'one_to_one', ...params },
  });
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [id] }).expect(200);
  return id;
}

const byRef = { matchers: [{ expr: 'left.ref = right.ref and left.amount = right.amount' }] };
const composing = { ...byRef, composition: { enabled: true, matchKeys: [{ left: 'ref', right: 'ref' }] } };
/** A pair and an invoice of two payments; later a second pair. */
const lefts = [row('a', 10), row('sum', 30)];
const rights = [row('a', 10), row('sum', 10), row('sum', 20)];

interface Results {
  matches: number;
  composites: number;
  usage: unknown;
}

async function liveResults(own: ReconciledBooks, ruleSetId: string): Promise<Results> {
  const matches = await allOf<MatchBody>(own.tenant, `/v1/matches?ruleSetId=${ruleSetId}&decision=MATCH`);
  const composites = await allOf(own.tenant, `/v1/composite-matches?ruleSetId=${ruleSetId}`);
  expect(await allOf(own.tenant, '/v1/matches')).toHaveLength(matches.length);
  expect(await allOf(own.tenant, '/v1/matches?decision=POSSIBLE')).toEqual([]);
  const usage = (await usageOf(own.tenant)) as unknown as Record<'matches' | 'composites', { total: number }>;
  return {
    matches: matches.length,
    composites: composites.length,
    usage: [usage.matches.total, usage.composites.total],
  };
}

describe('a match or composite of a pass', () => {
  test('is live as long as its group is held, whatever runs follow', async () => {
    const own = await openReconciliation(api, { lefts, rights });
    const pass = await passOf(own, composing);
    await runOf(api, own);
    const first = await heldGroups(own);
    await send(own, 'left', { later: row('z', 5) });
    await send(own, 'right', { later2: row('z', 5) });
    await runOf(api, own);
    await runOf(api, own);
    expect(await liveResults(own, pass)).toEqual({ matches: 2, composites: 1, usage: [2, 1] });
    for (const { match_id: match, composite_match_id: composite } of first as unknown as Record<string, string>[])
      await own.tenant.api.get(match ? `/v1/matches/${match}` : `/v1/composite-matches/${composite}`).expect(200);
  });

  test('is not live any more once its group of an earlier run is released, and is swept then', async () => {
    const own = await openReconciliation(api, { lefts, rights });
    const pass = await passOf(own, composing);
    await runOf(api, own);
    await runOf(api, own);
    const groups = await heldGroups(own);
    const body = { ids: groups.map(({ id }) => id), reasonCode: 'other' };
    await own.tenant.api.post('/v1/match-groups/release', body).expect(200);
    expect(await liveResults(own, pass)).toEqual({ matches: 0, composites: 0, usage: [0, 0] });
    await runOf(api, own);
    const pair = groups.find(({ kind }) => kind === 'pair') as unknown as { match_id: string };
    await own.tenant.api.get(`/v1/matches/${pair.match_id}`).expect(404);
  });

  test('that an earlier run has held can still be confirmed, and is counted once', async () => {
    const own = await openReconciliation(api, { lefts, rights });
    const pass = await passOf(own, composing);
    await runOf(api, own);
    await runOf(api, own);
    const pair = (await heldGroups(own)).find(({ kind }) => kind === 'pair') as unknown as { match_id: string };
    await own.tenant.api.post(`/v1/matches/${pair.match_id}/review`, { action: 'confirm' }).expect(200);
    expect(await liveResults(own, pass)).toEqual({ matches: 1, composites: 1, usage: [1, 1] });
  });
});

describe('records of which a part is held', () => {
  const partly = (own: ReconciledBooks, name: string, amount: number, other: string) =>
    own.tie([], [other], { left: [{ recordId: own.recordIds.get(name), amount }] }).expect(201);

  test('are not interchangeable with whole ones of the same rest: expressions see their amounts', async () => {
    const own = await openReconciliation(api, {
      lefts: [row('a', 100), row('a', 40)],
      rights: [row('x', 60), row('a', 40)],
    });
    await passOf(own, {
      blocking: { amountKey: 'amount', amountTolerance: 0 },
      matchers: [{ expr: '$remaining(left) = right.amount' }],
    });
    await partly(own, 'l0', 60, 'r0');
    await runOf(api, own);
    expect(await tiedBy(own)).toEqual(['l0 r0']);
    expect(await own.open()).toEqual({ l0: 40, l1: 40, r1: 40 });
  });

  test('and composites: a full run keeps what it ties alike, and ties better what it may', async () => {
    const own = await openReconciliation(api, {
      lefts: [row('sum', 100), row('b', 7)],
      rights: [row('x', 40), row('sum', 20), row('sum', 40), row('b', 7, '2026-03-12')],
    });
    await passOf(own, { ...composing, blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 5 } });
    await partly(own, 'l0', 40, 'r0');
    await runOf(api, own);
    expect(await tiedBy(own)).toEqual(['l0 r0', 'l0 r1 r2', 'l1 r3']);
    const kept = await runOf(api, own, { mode: 'full' });
    expect(kept['changes']).toEqual({ kept: 3, changed: 0, new: 0, lost: 0 });
    await send(own, 'right', { better: row('b', 7) });
    const better = await runOf(api, own, { mode: 'full' });
    expect(better['changes']).toEqual({ kept: 2, changed: 1, new: 0, lost: 0 });
    expect(await tiedBy(own)).toEqual(['l0 r0', 'l0 r1 r2', 'l1 better']);
  });

  test('a full run ties a composite again when one of its members changes, with the rest of its target', async () => {
    const own = await openReconciliation(api, {
      lefts: [row('sum', 100)],
      rights: [row('x', 40), row('sum', 20), row('sum', 40)],
    });
    await passOf(own, composing);
    await partly(own, 'l0', 40, 'r0');
    await runOf(api, own);
    await send(own, 'right', { r1: row('sum', 15), more: row('sum', 5) });
    await sweepChangedItems(api.service.deps);
    expect(await tiedBy(own)).toEqual(['l0 r0']);
    await runOf(api, own, { mode: 'full' });
    expect(await tiedBy(own)).toEqual(['l0 r0', 'l0 r1 r2 more']);
  });
});

test('a confirmed PARTIAL composite holds what is there; a later installment is tied to the rest', async () => {
  const own = await openReconciliation(api, { lefts: [row('a', 900)], rights: [row('a', 300), row('a', 200)] });
  await passOf(own, { ...composing, composition: { ...composing.composition, partial: { enabled: true } } });
  await runOf(api, own);
  expect(await tiedBy(own)).toEqual([]);
  const [found] = await allOf<{ id: string; status: string }>(own.tenant, '/v1/composite-matches');
  expect(found).toMatchObject({ status: 'PARTIAL' });
  await own.tenant.api.post(`/v1/composite-matches/${found?.id}/review`, { action: 'confirm' }).expect(200);
  expect(await tiedBy(own)).toEqual(['l0 r0 r1']);
  expect(await own.open()).toEqual({ l0: 400 });
  await send(own, 'right', { r2: row('a', 400) });
  await runOf(api, own);
  expect(await tiedBy(own)).toEqual(['l0 r0 r1', 'l0 r2']);
  expect(await own.open()).toEqual({});
});

test('a month that is closed while a full run works keeps its groups, and the others are tied again', async () => {
  const january = '2026-01-10';
  const own = await openReconciliation(api, {
    lefts: [row('a', 10, january), row('b', 20)],
    rights: [row('a', 10, '2026-01-12'), row('b', 20, '2026-03-12')],
  });
  await runOf(api, own);
  await send(own, 'right', { 'better-a': row('a', 10, january), 'better-b': row('b', 20) });
  const close = `/v1/reconciliations/${own.id}/periods/2026-01/close`;
  const job = await runWith(api, own, {
    body: { mode: 'full' },
    compared: async () => {
      await own.tenant.api.post(close, {}).expect(200);
    },
  });
  expect(job).toMatchObject({ status: 'completed', changes: { changed: 1, lost: 0, new: 0 } });
  expect(await tiedBy(own)).toEqual(['l0 r0', 'l1 better-b']);
});

test('the candidates of an item of a netting pass are of its own side, with the other sign', async () => {
  const own = await openReconciliation(api, {
    lefts: [row('x', 50), row('x', -50, '2026-04-20'), row('y', 50, '2026-04-20')],
    rights: [row('r', 50)],
  });
  const netting = await own.ruleSet({
    ...passRules,
    rightDatasetId: own.leftId,
    jsonataExpr: undefined,
    params: { ...passRules.params, Tmatch: 1 },
  });
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [netting.id] }).expect(200);
  await runOf(api, own);
  const { body } = await own.tenant.api
    .get(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('l0')}/candidates`)
    .expect(200);
  const found = JSON.stringify(body);
  expect(found).toContain(own.recordIds.get('l1'));
});
