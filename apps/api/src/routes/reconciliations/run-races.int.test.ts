import { createMatchingHandlers, fillItems, tenantScope } from '@tieout/domain';
import { newId } from '@tieout/infra';
import { lockWaiters, startTestApi, type JobBody, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups as groups, runOf, runWith, startRunOf, tiedBy as tied } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';
const run = (own: ReconciledBooks): Promise<JobBody> => runOf(api, own);
const noMatch = { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one', matchers: [{ expr: 'false' }] };

test('a run that is asked for before all records are items waits for them', async () => {
  const records = [{ ref: 'a', amount: 10, date }];
  const own = await openReconciliation(api, { lefts: records, rights: records });
  const { body } = await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { timezone: 'Asia/Tokyo' }).expect(200);
  expect(body).toMatchObject({ status: 'filling' });
  await api.stopMatching();
  const { id: jobId } = await startRunOf(own);
  const { deps } = api.service;
  const { tenantId } = own.tenant;
  await createMatchingHandlers(deps)['matching.plan']({ tenantId, jobId });
  expect(await own.job(jobId)).toMatchObject({ status: 'running', records_total: 0 });
  await fillItems(tenantScope(deps, tenantId), own.id);
  await api.runMatching();
  expect(await own.job(jobId)).toMatchObject({ status: 'completed', records_total: 2 });
  expect(await tied(own)).toEqual(['l0 r0']);
});

describe('what happens between the plan and the finish of a run', () => {
  const records = [
    { ref: 'a', amount: 10, date },
    { ref: 'b', amount: 20, date },
  ];
  const books = (): Promise<ReconciledBooks> => openReconciliation(api, { lefts: records, rights: records });
  const send = async (own: ReconciledBooks, externalId: string, body: object): Promise<void> => {
    await own.tenant.api.post('/v1/records/bulk?dataset=right', [{ externalId, body }]).expect(202);
    await api.runIngest();
  };

  test.each<[string, (own: ReconciledBooks) => PromiseLike<unknown>, string[]]>([
    ['a record that arrives waits for the next run', (own) => send(own, 'late', { ref: 'a', amount: 10, date }), []],
    ['a record that changes is taken out', (own) => send(own, 'r0', { ref: 'x', amount: 10, date }), ['l0', 'r0']],
    ['a record that people tie is taken out', (own) => own.tie(['l0'], ['r0']), []],
    [
      'a record that people exclude is taken out',
      (own) =>
        own.tenant.api
          .patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('r0')}`, {
            excluded: { reasonCode: 'other' },
          })
          .expect(204),
      ['l0'],
    ],
    [
      'a record that is deleted is taken out',
      (own) => own.tenant.api.delete(`/v1/records/${own.recordIds.get('r0')}`).expect(204),
      ['l0'],
    ],
    [
      'the pass compares as it did when the run began',
      async (own) => {
        const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
        const { rule_set_ids: ids } = body as { rule_set_ids: string[] };
        await own.tenant.api.patch(`/v1/rule-sets/${ids[0]}`, { name: 'other', params: noMatch }).expect(200);
      },
      [],
    ],
  ])('%s', async (_what, act, open) => {
    const own = await books();
    const job = await runWith(api, own, { compared: async () => act(own) });
    expect(job).toMatchObject({ status: 'completed' });
    const left = await own.open();
    delete left['late'];
    expect(Object.keys(left).sort()).toEqual(open);
    expect(await tied(own)).toEqual(open.length === 0 ? ['l0 r0', 'l1 r1'] : ['l1 r1']);
  });

  test('a rule set that changes leaves the run as it began: its groups keep the version that found them', async () => {
    const own = await books();
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
    const [ruleSetId] = (body as { rule_set_ids: string[] }).rule_set_ids;
    const change = async () => own.tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, { params: noMatch }).expect(200);
    await runWith(api, own, { planned: change });
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
    expect(await groups(own)).toMatchObject([{ rule_set_version: 1 }, { rule_set_version: 1 }]);
    expect((await run(own)).status).toBe('completed');
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });

  test('a record that changes while the finish waits for it is taken out', async () => {
    const own = await books();
    await runWith(api, own, {
      finishing: async (finish) => {
        const { db } = api.service.deps;
        const changed = `update records set data = '{"ref": "a", "amount": 10, "date": "2026-03-11"}', revision = 2
          where id = '${own.recordIds.get('r0')}'`;
        let finished: Promise<void> = Promise.resolve();
        await db.forTenant(own.tenant.tenantId).session(async (client) => {
          await client.query(`begin; ${changed}`);
          finished = finish();
          await lockWaiters(api, 1);
          await client.query('commit');
        });
        await finished;
      },
    });
    expect(await tied(own)).toEqual(['l1 r1']);
    await run(own);
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });

  test('a record whose transaction commits after the plan, with an older id, is seen by the next run', async () => {
    const own = await openReconciliation(api, { lefts: [records[0] as object], rights: [] });
    const { db } = api.service.deps;
    const { tenantId } = own.tenant;
    await db.forTenant(tenantId).session(async (client) => {
      await client.query('begin');
      await client.query(
        `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
         values ($1, $2, $3, 'early', '{"ref": "a", "amount": 10, "date": "${date}"}', '{}', 'ready')`,
        [newId(), tenantId, own.rightId],
      );
      await runWith(api, own, { planned: () => client.query('commit') });
    });
    expect(await tied(own)).toEqual([]);
    await run(own);
    expect(await tied(own)).toEqual(['l0 early']);
  });

  test('a released group is open to the run whose proposals name its records only as it was at its plan', async () => {
    const own = await books();
    await run(own);
    await send(own, 'late', { ref: 'a', amount: 10, date });
    await runWith(api, own, {
      compared: async () => {
        const [group] = await groups(own, `recordId=${own.recordIds.get('l0')}`);
        await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
      },
    });
    expect(await own.open()).toEqual({ l0: 10, late: 10, r0: 10 });
    await run(own);
    expect(await tied(own)).toEqual(['l0 late', 'l1 r1']);
  });

  test('a finish that runs again after its transaction was lost holds everything once', async () => {
    const own = await books();
    const { db } = api.service.deps;
    await runWith(api, own, {
      finishing: async (finish) => {
        let first: Promise<unknown> = Promise.resolve();
        await db.forTenant(own.tenant.tenantId).session(async (client) => {
          await client.query('begin');
          await client.query('select 1 from reconciliation_items where reconciliation_id = $1 for update', [own.id]);
          first = finish().catch((error: unknown) => error);
          await lockWaiters(api, 1);
          await db.system.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where wait_event_type = 'Lock' and datname = current_database()`,
          );
          await first;
          await client.query('rollback');
        });
        expect(await tied(own)).toEqual([]);
        await finish();
        await finish();
      },
    });
    expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
  });
});

test.each([
  ['completes in the queue job of its plan', 100, 'completed'],
  ['is batched where it has more pairs', 1, 'running'],
])('a small run %s', async (_what, smallJobPairs, status) => {
  await api.stopMatching();
  const records = ['a', 'b'].map((ref) => ({ ref, amount: 10, date }));
  const own = await openReconciliation(api, { lefts: records, rights: records });
  const { id: jobId } = await startRunOf(own);
  const handlers = createMatchingHandlers(api.service.deps, undefined, { smallJobPairs });
  const planned = { tenantId: own.tenant.tenantId, jobId };
  await handlers['matching.plan'](planned);
  expect((await own.job(jobId)).status).toBe(status);
  await handlers['matching.plan'](planned);
  await api.runMatching();
  expect(await tied(own)).toEqual(['l0 r0', 'l1 r1']);
});
