import { newId } from '@tieout/infra';
import { startTestApi, type TestApi } from '../../../testing';
import { entriesOf } from '../../../testing/audit';
import { openReconciliation } from '../../../testing/open-books';
import { runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const webhook = { url: 'https://hooks.example/a', secret: 'first-secret' };

describe('an action on many is one entry that names them all', () => {
  const date = '2026-03-10';
  const rows = ['a', 'b', 'c'].map((ref, i) => ({ ref, amount: 10 + i, date }));
  const open = () => openReconciliation(api, { lefts: rows, rights: rows, accept: 'review' });
  const eventsOf = async (tenantId: string, type: string) =>
    (
      await api.service.deps.db.system.query<{ body: string }>(
        'select body from events where tenant_id = $1::uuid and type = $2 order by id',
        [tenantId, type],
      )
    ).map(({ body }) => (JSON.parse(body) as { data: { matchGroupIds: string[] } }).data);

  test('of matches, with the groups that it holds and one event; what is refused is in neither', async () => {
    const own = await open();
    await own.tenant.api.post('/v1/webhooks', webhook).expect(201);
    const { id: jobId } = await runOf(api, own);
    const ids = Object.values(await own.matches(jobId)).map(({ id }) => id);
    const unknown = newId();
    let outcome: unknown;
    const [entry, ...others] = await entriesOf(own.tenant, async () => {
      const body = { ids: [...ids, unknown], action: 'confirm', note: 'seen' };
      outcome = (await own.tenant.api.post('/v1/matches/review', body).expect(200)).body;
    });
    expect(outcome).toMatchObject({ done: 3, failed: [{ id: unknown, code: 'match_not_found' }] });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'match.confirm',
      object: { type: 'match', id: ids[0] },
      after: { review: { status: 'confirmed', note: 'seen' }, count: 3, ids, match_group_ids: expect.any(Array) as [] },
      reason: 'seen',
    });
    const held = (entry?.after as { match_group_ids: string[] }).match_group_ids;
    expect(await eventsOf(own.tenant.tenantId, 'MATCH_GROUP_HELD')).toMatchObject([{ matchGroupIds: held }]);
    const again = { ids, action: 'confirm', note: 'seen' };
    expect(await entriesOf(own.tenant, () => own.tenant.api.post('/v1/matches/review', again).expect(200))).toEqual([]);
  });

  test('of matches by a filter, with its conditions; another note of what is confirmed is an entry too', async () => {
    const own = await open();
    const { id: matchingJobId } = await runOf(api, own);
    const review = (body: object) => () =>
      own.tenant.api.post('/v1/matches/review', { filter: { matchingJobId }, ...body }).expect(200);
    const confirm = { action: 'confirm', note: 'one' };
    expect(await entriesOf(own.tenant, review(confirm))).toMatchObject([
      { action: 'match.confirm', after: { count: 3, filter: { matchingJobId } } },
    ]);
    expect(await entriesOf(own.tenant, review({ ...confirm, note: 'two' }))).toMatchObject([
      { action: 'match.confirm', after: { review: { note: 'two' }, count: 3 }, reason: 'two' },
    ]);
    const [first = ''] = Object.values(await own.matches(matchingJobId)).map(({ id }) => id);
    const single = { action: 'confirm', note: 'three' };
    expect(
      await entriesOf(own.tenant, () => own.tenant.api.post(`/v1/matches/${first}/review`, single).expect(200)),
    ).toMatchObject([
      { action: 'match.confirm', object: { id: first }, before: { review: { note: 'two' } }, reason: 'three' },
    ]);
  });

  test('of groups and items by a filter, with its conditions; an undo is one of the run', async () => {
    const own = await openReconciliation(api, { lefts: rows, rights: rows });
    const { id: jobId } = await runOf(api, own);
    const release = { filter: { reconciliationId: own.id, maxAmount: 10.5 }, reasonCode: 'other' };
    expect(
      await entriesOf(own.tenant, () => own.tenant.api.post('/v1/match-groups/release', release).expect(200)),
    ).toMatchObject([
      { action: 'match_group.release', after: { filter: { reconciliationId: own.id, maxAmount: 10.5 } } },
    ]);
    const annotate = { filter: { side: 'left', amountMax: 10.5 }, set: { assignee: 'Anna' } };
    const path = `/v1/reconciliations/${own.id}/open-items/annotate`;
    expect(await entriesOf(own.tenant, () => own.tenant.api.post(path, annotate).expect(200))).toMatchObject([
      { action: 'open_item.annotate', after: { set: { assignee: 'Anna' }, filter: { side: 'left', amountMax: 10.5 } } },
    ]);
    const [undone, ...others] = await entriesOf(own.tenant, () =>
      own.tenant.api.post(`/v1/matching-jobs/${jobId}/undo`, { reasonCode: 'data_error', note: 'wrong' }).expect(200),
    );
    expect(others).toEqual([]);
    expect(undone).toMatchObject({
      action: 'matching_job.undo',
      object: { type: 'matching_job', id: jobId },
      after: { status: 'released', reason_code: 'data_error' },
      reason: 'wrong',
    });
    expect((undone?.after as { ids: string[] }).ids).toHaveLength(2);
  });
});

describe('what is only added to', () => {
  beforeAll(async () => {
    const row = { ref: 'a', amount: 1, date: '2026-03-10' };
    await runOf(api, await openReconciliation(api, { lefts: [row], rights: [row] }));
  });

  test.each([
    ['audit_entries', ['truncate', 'update', 'delete']],
    ['match_groups', ['truncate', 'delete']],
    ['match_group_members', ['truncate', 'update', 'delete']],
    ['match_group_adjustments', ['truncate']],
    ['period_certificates', ['truncate']],
    ['period_open_items', ['truncate']],
  ] as const)('%s is not emptied, changed or deleted, not even by its owner: %j', async (table, forbidden) => {
    const statements = {
      truncate: `truncate ${table} cascade`,
      update: `update ${table} set tenant_id = tenant_id`,
      delete: `delete from ${table}`,
    };
    for (const kind of forbidden)
      await expect(api.service.deps.db.system.execute(statements[kind])).rejects.toThrow(`${table} is only added to`);
  });
});
