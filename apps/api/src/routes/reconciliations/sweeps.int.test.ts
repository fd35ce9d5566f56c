import { sweepChangedItems, sweepDueRuns } from '@tieout/domain';
import { alone, startTestApi, type JobBody, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf, startRunOf, tiedBy as tied } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi(alone);
});

afterAll(() => api.close());

const date = '2026-03-10';
const run = (own: ReconciledBooks): Promise<JobBody> => runOf(api, own);

describe('a record that changes while it is held', () => {
  const records = [{ ref: 'a', amount: 10, date }];
  const change = async (own: ReconciledBooks, body: object): Promise<void> => {
    await own.tenant.api.post('/v1/records/bulk?dataset=left', [{ externalId: 'l0', body }]).expect(202);
    await api.runIngest();
    await sweepChangedItems(api.service.deps);
  };

  test('frees what a run tied if its amount differs, and is open as it is now', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await run(own);
    await change(own, { ref: 'a', amount: 11, date });
    expect(await own.open()).toEqual({ l0: 11, r0: 10 });
    const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}`).expect(200);
    expect(body).toMatchObject({ items: [{ status: 'released', release_reason: 'record_changed' }] });
    await change(own, { ref: 'a', amount: 10, date });
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test.each([
    ['another sign', -10],
    ['no amount', null],
  ])('frees what a run tied, and is marked in what people tied, if it has %s now', async (_what, amount) => {
    const byRun = await openReconciliation(api, { lefts: records, rights: records });
    await run(byRun);
    await change(byRun, { ref: 'a', amount, date });
    expect(await byRun.open()).toEqual({ l0: amount, r0: 10 });
    const byHand = await openReconciliation(api, { lefts: records, rights: records });
    await byHand.tie(['l0'], ['r0']).expect(201);
    await change(byHand, { ref: 'a', amount, date });
    expect(await tied(byHand, 'stale=true')).toEqual(['l0 r0']);
    expect(await byHand.open()).toEqual({});
  });

  test('stays held where only other fields differ', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await run(own);
    await change(own, { ref: 'a', amount: 10, date, memo: 'new' });
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test('stays in what people tied, which is stale', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await own.tie(['l0'], ['r0']).expect(201);
    await change(own, { ref: 'a', amount: 11, date });
    expect(await tied(own, 'stale=true')).toEqual(['l0 r0']);
    expect(await own.open()).toEqual({});
  });

  test.each<[string, (own: ReconciledBooks) => PromiseLike<unknown>]>([
    ['a run', run],
    ['people', (own) => own.tie(['l0'], ['r0']).expect(201)],
  ])('frees what %s tied in an open month when it is deleted', async (_who, tie) => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await tie(own);
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l0')}`).expect(204);
    await sweepChangedItems(api.service.deps);
    expect(await own.open()).toEqual({ r0: 10 });
    const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}`).expect(200);
    expect(body).toMatchObject({ items: [{ status: 'released', release_reason: 'record_deleted' }] });
  });
});

describe('a record that changes while a part of it is held', () => {
  const send = async (own: ReconciledBooks, body: object): Promise<void> => {
    await own.tenant.api.post('/v1/records/bulk?dataset=left', [{ externalId: 'l0', body }]).expect(202);
    await api.runIngest();
  };
  const settle = (): Promise<void> => sweepChangedItems(api.service.deps);
  const part = (own: ReconciledBooks, amount: number, right: string) =>
    own.tenant.api.post('/v1/match-groups', {
      reconciliationId: own.id,
      left: [{ recordId: own.recordIds.get('l0'), amount }],
      right: [own.recordIds.get(right)],
    });
  const ofAmount = (amount: number | null, more: object = {}): object => ({
    ref: 'L',
    amount,
    date,
    ccy: 'EUR',
    ...more,
  });
  /** A record of 10, or -10, of which a group that people made holds 4. */
  const partlyHeld = async (sign = 1): Promise<ReconciledBooks> => {
    const own = await openReconciliation(api, {
      lefts: [ofAmount(10 * sign)],
      rights: [4, 6, 11, 2].map((amount) => ofAmount(amount * sign, { ref: `R${amount}` })),
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
    });
    const made = await part(own, 4 * sign, 'r0');
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return own;
  };
  /** The terms of the left side, which add up to what its record is. */
  const sumsOf = async (own: ReconciledBooks, query = ''): Promise<Record<string, number>> => {
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary?${query}`).expect(200);
    const { left } = body as { left: Record<string, { amounts: { amount: number }[] }> };
    return Object.fromEntries(
      ['open', 'held', 'stale'].map((term) => [
        term,
        (left[term]?.amounts ?? []).reduce((sum, { amount }) => sum + amount, 0),
      ]),
    );
  };

  test.each([
    ['a larger one', 1, ofAmount(15), { open: 11, held: 4, stale: 0 }],
    ['a smaller one that covers it', 1, ofAmount(6), { open: 2, held: 4, stale: 0 }],
    ['what is held', 1, ofAmount(4), { open: 0, held: 4, stale: 0 }],
    ['less than is held', 1, ofAmount(3), { open: 0, held: 4, stale: -1 }],
    ['nothing', 1, ofAmount(0), { open: 0, held: 4, stale: -4 }],
    ['another sign', 1, ofAmount(-10), { open: 0, held: 4, stale: -14 }],
    ['none that can be read', 1, ofAmount(null), { open: 0, held: 4, stale: -4 }],
    ['another currency', 1, ofAmount(15, { ccy: 'USD' }), { open: 0, held: 4, stale: 11 }],
    ['a larger one below 0', -1, ofAmount(-15), { open: -11, held: -4, stale: 0 }],
    ['less than is held, below 0', -1, ofAmount(-3), { open: 0, held: -4, stale: 1 }],
  ])('has a rest that follows an amount of %s, at once and for good', async (_what, sign, body, sums) => {
    const own = await partlyHeld(sign);
    const { body: found } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary`);
    const before = new Date().toISOString();
    expect(found).toMatchObject({ left: { open: { amounts: [{ amount: 6 * sign }] } } });
    await send(own, body);
    expect(await sumsOf(own)).toEqual(sums);
    await part(own, 6 * sign, 'r1').expect(sums.open * sign >= 6 ? 201 : 409);
    await settle();
    if (sums.open * sign < 6) expect(await sumsOf(own)).toEqual(sums);
    expect(await sumsOf(own, `asOf=${encodeURIComponent(before)}`)).toEqual({
      open: 6 * sign,
      held: 4 * sign,
      stale: 0,
    });
    const { body: groups } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}&stale=true`);
    expect(groups).toMatchObject({ items: [{ left: [{ amount: 4 * sign, revision: 1, current: { revision: 2 } }] }] });
  });

  test.each([[3], [4], [-1], [null]])('is open again after it fell to %p and rose to 12', async (amount) => {
    const own = await partlyHeld();
    await send(own, ofAmount(amount));
    await settle();
    await send(own, ofAmount(12));
    await settle();
    expect(await own.open('side=left')).toEqual({ l0: 8 });
  });

  test('is not held beyond its new amount by a run', async () => {
    const own = await partlyHeld();
    await send(own, ofAmount(3, { ref: 'R6' }));
    await run(own);
    await settle();
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0']);
  });

  test('is tied by its new rest by a run', async () => {
    const own = await partlyHeld();
    await send(own, ofAmount(15, { ref: 'R11' }));
    await run(own);
    await settle();
    expect(await tied(own)).toEqual(['l0 r0', 'l0 r2']);
    expect(await own.open('side=left')).toEqual({});
    expect(await tied(own, 'stale=true')).toEqual(['l0 r0']);
  });

  test('is as it was when its former amount comes back', async () => {
    const own = await partlyHeld();
    for (const amount of [15, 10]) {
      await send(own, ofAmount(amount));
      await settle();
    }
    expect(await own.open('side=left')).toEqual({ l0: 6 });
    expect(await tied(own, 'stale=true')).toEqual([]);
  });

  test('follows once one of the groups that held all of it is released', async () => {
    const own = await partlyHeld();
    const { body } = await part(own, 6, 'r1').expect(201);
    await send(own, ofAmount(15));
    await settle();
    expect(await sumsOf(own)).toEqual({ open: 0, held: 10, stale: 5 });
    const { id } = body as { id: string };
    await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(200);
    expect(await sumsOf(own)).toEqual({ open: 11, held: 4, stale: 0 });
  });

  test('frees the part that a run holds, and keeps the one that people hold', async () => {
    const own = await partlyHeld();
    await send(own, ofAmount(10, { ref: 'R6' }));
    await settle();
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0', 'l0 r1']);
    await send(own, ofAmount(7, { ref: 'R6' }));
    await settle();
    expect(await tied(own)).toEqual(['l0 r0']);
    expect(await sumsOf(own)).toEqual({ open: 3, held: 4, stale: 0 });
  });

  test('has no rest once it is deleted, and no group', async () => {
    const own = await partlyHeld();
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l0')}`).expect(204);
    expect(await sumsOf(own)).toMatchObject({ open: 0 });
    await settle();
    expect(await sumsOf(own)).toEqual({ open: 0, held: 0, stale: 0 });
  });
});

describe('triggers', () => {
  const records = [{ ref: 'a', amount: 10, date }];
  const runs = async (own: ReconciledBooks): Promise<string[]> => {
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/runs`).expect(200);
    return (body as { items: { trigger: string }[] }).items.map(({ trigger }) => trigger);
  };
  const age = (own: ReconciledBooks, change: string) => api.service.deps.db.system.execute(change, [own.id]);
  const sweep = async (): Promise<void> => {
    await sweepDueRuns(api.service.deps);
    await api.runMatching();
  };

  test('a schedule that was missed starts one run, and its next moment is later', async () => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: records,
      triggers: { schedule: { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' } },
    });
    await sweep();
    expect(await runs(own)).toEqual([]);
    await age(own, `update reconciliations set next_run_at = now() - interval '30 days' where id = $1::uuid`);
    await Promise.all([1, 2, 3].map(() => sweepDueRuns(api.service.deps)));
    await sweep();
    expect(await runs(own)).toEqual(['schedule']);
    expect(await tied(own)).toEqual(['l0 r0']);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
    expect(Date.parse((body as { next_run_at: string }).next_run_at)).toBeGreaterThan(Date.now());
  });

  test('a schedule without passes stays due, and starts its run once there are some', async () => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: records,
      triggers: { schedule: { cron: '0 6 * * 1-5' } },
    });
    await age(own, `update reconciliations set next_run_at = now() - interval '1 day' where id = $1::uuid`);
    const { db } = api.service.deps;
    const passes = await db.system.query(`select * from reconciliation_passes where reconciliation_id = $1::uuid`, [
      own.id,
    ]);
    await age(own, `delete from reconciliation_passes where reconciliation_id = $1::uuid`);
    await sweep();
    expect(await runs(own)).toEqual([]);
    await db.system.execute(
      `insert into reconciliation_passes
       select * from jsonb_populate_recordset(null::reconciliation_passes, $1::jsonb)`,
      [JSON.stringify(passes)],
    );
    await sweep();
    expect(await runs(own)).toEqual(['schedule']);
  });

  test('a run that its passes refuse waits longer each time, and starts once they are mended', async () => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: records,
      triggers: { schedule: { cron: '0 6 * * 1-5' }, onArrival: { quietSeconds: 1, maxWaitSeconds: 1 } },
    });
    await age(own, `update reconciliations set next_run_at = now() - interval '1 day' where id = $1::uuid`);
    const assign = (assignment: string): string =>
      `update rule_sets set params = jsonb_set(params, '{assignment}', '"${assignment}"')
        where id in (select rule_set_id from reconciliation_passes where reconciliation_id = $1::uuid)`;
    await age(own, assign('none'));
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      await sweep();
      await sweep();
      const [row] = await api.service.deps.db.system.query<{ minutes: number }>(
        `select round(extract(epoch from refused_until - now()) / 60)::int as minutes
           from reconciliations where id = $1::uuid`,
        [own.id],
      );
      pauses.push(row?.minutes ?? 0);
      await age(own, `update reconciliations set refused_until = now() where id = $1::uuid`);
    }
    expect(pauses).toEqual([1, 2, 4]);
    const shown = async (): Promise<unknown> =>
      (await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200)).body;
    expect(await shown()).toMatchObject({
      last_run: {
        matching_job_id: null,
        status: 'refused',
        trigger: 'schedule',
        error: { code: 'conflict', message: expect.stringMatching(/assignment/) as unknown },
        next_attempt_at: expect.any(String) as unknown,
      },
    });
    await age(own, `update reconciliations set refused_until = now() + interval '1 hour' where id = $1::uuid`);
    await age(own, assign('one_to_one'));
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { name: 'mended' }).expect(200);
    await age(own, `update reconciliations set next_run_at = now() - interval '1 day' where id = $1::uuid`);
    await sweep();
    expect(await runs(own)).toEqual(['schedule']);
    expect(await shown()).toMatchObject({ last_run: { status: 'completed', trigger: 'schedule', error: null } });
  });

  test('items that arrive start a run once it is quiet, and none that a run has seen starts another', async () => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: [...records, { ref: 'b', amount: 3, date }],
      triggers: { onArrival: { quietSeconds: 60, maxWaitSeconds: 900 } },
    });
    await sweep();
    expect(await runs(own)).toEqual([]);
    await age(
      own,
      `update reconciliation_items set updated_at = now() - interval '2 minutes' where reconciliation_id = $1::uuid`,
    );
    await sweep();
    expect(await runs(own)).toEqual(['arrival']);
    await age(
      own,
      `update reconciliation_items set updated_at = now() - interval '2 minutes' where reconciliation_id = $1::uuid`,
    );
    await sweep();
    expect(await runs(own)).toEqual(['arrival']);
  });

  test('items whose waiting run is cancelled start none at once', async () => {
    const own = await openReconciliation(api, {
      lefts: records,
      rights: records,
      triggers: { onArrival: { quietSeconds: 60, maxWaitSeconds: 900 } },
    });
    await api.stopMatching();
    const { id } = await startRunOf(own);
    await own.tenant.api.post(`/v1/matching-jobs/${id}/cancel`).expect(200);
    await age(
      own,
      `update reconciliation_items set updated_at = now() - interval '2 minutes' where reconciliation_id = $1::uuid`,
    );
    await sweep();
    expect(await runs(own)).toEqual(['manual']);
    await age(
      own,
      `update matching_jobs set finished_at = now() - interval '1 hour' where reconciliation_id = $1::uuid`,
    );
    await sweep();
    expect(await runs(own)).toEqual(['arrival', 'manual']);
  });
});
