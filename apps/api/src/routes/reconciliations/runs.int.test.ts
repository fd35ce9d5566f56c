import { fillItems, sweepChangedItems, tenantScope } from '@tieout/domain';
import { startTestApi, type JobBody, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups as groups, runOf, startRunOf as start, tiedBy as tied } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const run = (own: ReconciledBooks): Promise<JobBody> => runOf(api, own);

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
    const [group] = await groups(own);
    expect(group).toMatchObject({ origin: 'auto', kind: 'pair', difference: 0 });
    const match = (await own.matches(job.id))['l0|r0'];
    expect(group).toMatchObject({ match_id: match?.id, explanation: match?.explanation });
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
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items`).expect(200);
    expect(body).toMatchObject({ items: [{ reason: 'rejected' }, { reason: 'rejected' }] });
    const again = await own.tie(['l0'], ['r0']).expect(201);
    const { id } = again.body as { id: string };
    const allowed = { reasonCode: 'other', allowAgain: true };
    await own.tenant.api.post(`/v1/match-groups/${id}/release`, allowed).expect(200);
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test('records of several currencies are not tied, and those without one are', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date, ccy: 'EUR' },
        { ref: 'b', amount: 20, date, ccy: 'EUR' },
        { ref: 'c', amount: 30, date },
        { ref: 'd', amount: 40, date, ccy: '' },
      ],
      rights: [
        { ref: 'a', amount: 10, date, ccy: 'USD' },
        { ref: 'b', amount: 20, date, ccy: 'EUR' },
        { ref: 'c', amount: 30, date },
        { ref: 'd', amount: 40, date, ccy: null },
      ],
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
    });
    await run(own);
    expect(await tied(own)).toEqual(['l1 r1', 'l2 r2', 'l3 r3']);
  });

  test('equal rivals are left to people', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date }],
      rights: [
        { ref: 'a', amount: 10, date: '2026-03-09' },
        { ref: 'a', amount: 10, date: '2026-03-11' },
      ],
    });
    await run(own);
    expect(await tied(own)).toEqual([]);
    expect(await own.open()).toEqual({ l0: 10, r0: 10, r1: 10 });
  });
});

test('what a job releases is not what people released: that stays released by the rules of its time', async () => {
  const records = [{ ref: 'a', amount: 10, date }];
  const own = await openReconciliation(api, { lefts: records, rights: records });
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
  const [pass] = (body as { rule_set_ids: string[] }).rule_set_ids;
  const { params } = (await own.tenant.api.get(`/v1/rule-sets/${pass}`).expect(200)).body as { params: object };
  const patch = (change: object) => own.tenant.api.patch(`/v1/rule-sets/${pass}`, { params: { ...params, ...change } });
  await run(own);
  const [group] = await groups(own);
  await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'data_error' }).expect(200);
  await patch({ Tpossible: 0.4 }).expect(200);
  await run(own);
  expect(await tied(own)).toEqual(['l0 r0']);
  await own.tenant.api
    .post('/v1/records/bulk?dataset=left', [{ externalId: 'l0', body: { ref: 'a', amount: 11, date } }])
    .expect(202);
  await api.runIngest();
  await sweepChangedItems(api.service.deps);
  await own.tenant.api.post('/v1/records/bulk?dataset=left', [{ externalId: 'l0', body: records[0] }]).expect(202);
  await api.runIngest();
  await patch({}).expect(200);
  await run(own);
  expect(await tied(own)).toEqual([]);
});

describe('reviewing what a run found', () => {
  const records = [
    { ref: 'a', amount: 10, date },
    { ref: 'b', amount: 20, date },
  ];
  const proposed = (): Promise<ReconciledBooks> =>
    openReconciliation(api, { lefts: records, rights: records, accept: 'review' });
  const review = (own: ReconciledBooks, id: string | undefined, action: string) =>
    own.tenant.api.post(`/v1/matches/${id}/review`, { action });

  test('a confirmed proposal is a held group, and a rejected one is not found again', async () => {
    const own = await proposed();
    const job = await run(own);
    const found = await own.matches(job.id);
    await review(own, found['l0|r0']?.id, 'confirm').expect(200);
    await review(own, found['l1|r1']?.id, 'reject').expect(200);
    const held = await groups(own);
    expect(held).toMatchObject([{ origin: 'confirmed', kind: 'pair', match_id: found['l0|r0']?.id, score: 1 }]);
    const again = await run(own);
    expect(again.decision_counts).toMatchObject({ MATCH: 0 });
    expect(await own.open()).toEqual({ l1: 20, r1: 20 });
  });

  test('confirming what the run has held makes it a group of people, rejecting it is refused', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    const job = await run(own);
    const match = (await own.matches(job.id))['l0|r0']?.id;
    expect((await review(own, match, 'reject').expect(409)).body).toMatchObject({ code: 'conflict' });
    await review(own, match, 'confirm').expect(200);
    expect((await groups(own)).map(({ origin }) => origin).sort()).toEqual(['auto', 'confirmed']);
  });

  test('a confirmation of which somebody holds a record is refused, and changes nothing', async () => {
    const own = await proposed();
    const job = await run(own);
    await own.tie(['l0'], ['r0']).expect(201);
    const match = (await own.matches(job.id))['l0|r0']?.id;
    expect((await review(own, match, 'confirm').expect(409)).body).toMatchObject({ code: 'record_held' });
    const { body } = await own.tenant.api.get(`/v1/matches/${match}`).expect(200);
    expect(body).not.toHaveProperty('review');
  });

  test('many are confirmed at once, and each that is not says why', async () => {
    const own = await proposed();
    const job = await run(own);
    await own.tie(['l0'], ['r0']).expect(201);
    const { body } = await own.tenant.api
      .post('/v1/matches/review', { filter: { matchingJobId: job.id }, action: 'confirm' })
      .expect(200);
    expect(body).toMatchObject({ done: 1, failed: [{ code: 'record_held' }] });
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });

  test('a run is undone as a whole, and does not tie the same again', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    const { id } = await run(own);
    const { body } = await own.tenant.api.post(`/v1/matching-jobs/${id}/undo`, {}).expect(200);
    expect(body).toEqual({ done: 2, failed: [] });
    await run(own);
    expect(await tied(own)).toEqual([]);
  });

  test('a released confirmation holds nothing: other records can be confirmed', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date }],
      rights: [
        { ref: 'a', amount: 10, date },
        { ref: 'x', amount: 10, date },
      ],
      accept: 'review',
    });
    const job = await run(own);
    const match = (await own.matches(job.id))['l0|r0']?.id;
    await review(own, match, 'confirm').expect(200);
    const [group] = await groups(own);
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
    expect((await own.tenant.api.get(`/v1/matches/${match}`).expect(200)).body).not.toHaveProperty('review');
    await own.tie(['l0'], ['r1']).expect(201);
  });
});

describe('several passes', () => {
  const byRef = { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one' };

  test('go in order: pairs, then composites of a pass, then the next pass over what is left', async () => {
    const lefts = [
      { ref: 'a', amount: 10, date },
      { ref: 'sum', amount: 30, date },
      { ref: 'late', amount: 7, date },
    ];
    const rights = [
      { ref: 'a', amount: 10, date },
      { ref: 'p1', amount: 10, date },
      { ref: 'p2', amount: 20, date },
      { ref: 'other', amount: 7, date },
    ];
    const own = await openReconciliation(api, { lefts, rights });
    const composing = await own.ruleSet({
      jsonataExpr: 'left.ref = right.ref',
      params: { ...byRef, composition: { enabled: true } },
    });
    const byAmount = await own.ruleSet({ jsonataExpr: 'left.amount = right.amount', params: byRef });
    const at = `/v1/reconciliations/${own.id}`;
    const { body } = await own.tenant.api.get(at).expect(200);
    const { rule_set_ids: first } = body as { rule_set_ids: string[] };
    await own.tenant.api.patch(at, { ruleSetIds: [composing.id, ...first, byAmount.id] }).expect(200);
    const job = await run(own);
    expect(job).toMatchObject({ status: 'completed' });
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1 r2', 'l2 r3']);
    expect((await groups(own)).map(({ kind }) => kind).sort()).toEqual(['composite', 'pair', 'pair']);
  });

  test('a pass over one dataset ties a payment and its return', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'x', amount: 50, date },
        { ref: 'x', amount: -50, date: '2026-03-11' },
        { ref: 'y', amount: 5, date },
      ],
      rights: [],
    });
    const netting = await own.ruleSet({
      rightDatasetId: own.leftId,
      engine: 'jsonata-batch',
      jsonataExpr: undefined,
      params: {
        ...byRef,
        blocking: { amountKey: 'amount', amountTolerance: 0 },
        matchers: [{ expr: 'left.ref = right.ref and left.amount = -right.amount' }],
      },
    });
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [netting.id] }).expect(200);
    await run(own);
    expect(await tied(own)).toEqual(['l0 l1']);
    expect((await groups(own))[0]?.difference).toBe(0);
    expect(await own.open()).toEqual({ l2: 5 });
  });
});

describe('a record of which a part is held', () => {
  const pass = (more: object): object => ({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one', ...more },
  });
  const partly = async (own: ReconciledBooks, ruleSet: object): Promise<void> => {
    const { id } = await own.ruleSet(ruleSet);
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [id] }).expect(200);
    const part = { recordId: own.recordIds.get('l0'), amount: 300 };
    await own.tie([], ['r0'], { left: [part] }).expect(201);
  };
  const records = {
    lefts: [{ ref: 'a', amount: 900, date }],
    rights: [
      { ref: 'x', amount: 300, date },
      { ref: 'a', amount: 600, date },
    ],
  };

  test('is placed by its rest, which expressions read beside its own amount', async () => {
    const own = await openReconciliation(api, records);
    const blocking = { amountKey: 'amount', amountTolerance: 0 };
    const expr = '$remaining(left) = right.amount and left.amount = 900 and $remaining(right) = right.amount';
    await partly(own, pass({ blocking, matchers: [{ expr }] }));
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0', 'l0 r1']);
    expect(await own.open()).toEqual({});
  });

  test('is completed by one member, judged on its rest', async () => {
    const own = await openReconciliation(api, records);
    const matchers = [{ expr: 'left.ref = right.ref and left.amount = right.amount' }];
    await partly(own, pass({ matchers, composition: { enabled: true, matchKeys: [{ left: 'ref', right: 'ref' }] } }));
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0', 'l0 r1']);
    expect((await groups(own, 'origin=auto'))[0]).toMatchObject({ kind: 'composite', difference: 0 });
  });

  test('is a member with its rest', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 900, date },
        { ref: 'a', amount: 100, date },
      ],
      rights: [
        { ref: 'x', amount: 300, date },
        { ref: 'a', amount: 700, date },
      ],
    });
    const composition = { enabled: true, direction: 'right_to_many_left', matchKeys: [{ left: 'ref', right: 'ref' }] };
    await partly(own, pass({ matchers: [{ expr: 'left.amount = right.amount' }], composition }));
    await run(own);
    expect(await tied(own)).toEqual(['l0 l1 r1', 'l0 r0']);
  });
});

test('a pass that blocks by date only composes by the amounts of the reconciliation', async () => {
  const own = await openReconciliation(api, {
    lefts: [{ ref: 'a', total: 30, amount: 1, date }],
    rights: [
      { ref: 'b', paid: 10, amount: 50, date },
      { ref: 'c', paid: 20, amount: 60, date },
    ],
  });
  const { id } = await own.ruleSet({
    jsonataExpr: 'false',
    params: {
      Tmatch: 1,
      Tpossible: 1,
      assignment: 'one_to_one',
      blocking: { dateKey: 'date', dateToleranceDays: 1 },
      composition: { enabled: true },
    },
  });
  const change = { ruleSetIds: [id], amountKeyLeft: 'total', amountKeyRight: 'paid' };
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, change).expect(200);
  await fillItems(tenantScope(api.service.deps, own.tenant.tenantId), own.id);
  await run(own);
  expect(await tied(own)).toEqual(['l0 r0 r1']);
});
