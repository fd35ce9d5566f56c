import { sweepChangedItems, sweepDueRuns } from '@tieout/domain';
import { startTestApi, type JobBody, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf, tiedBy as tied } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
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

  test('frees what a run tied when it is deleted', async () => {
    const own = await openReconciliation(api, { lefts: records, rights: records });
    await run(own);
    await own.tenant.api.delete(`/v1/records/${own.recordIds.get('l0')}`).expect(204);
    await sweepChangedItems(api.service.deps);
    expect(await own.open()).toEqual({ r0: 10 });
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
    await sweep();
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
});
