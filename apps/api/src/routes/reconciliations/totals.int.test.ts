import { foldTotals, sweepChangedItems } from '@tieout/domain';
import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';
import { heldGroups, runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

/** The totals as stored, and as items and groups have them when they are counted. */
const stored = `
  select side, state, currency, day::text as day, sum(count)::int as count, sum(amount)::text as amount,
         sum(held)::text as held
    from reconciliation_totals where reconciliation_id = $1::uuid
   group by 1, 2, 3, 4 having sum(count) <> 0 or sum(amount) <> 0 or sum(held) <> 0 order by 1, 2, 3, 4`;
const counted = `
  select side, case when excluded is not null then 'excluded' when open then 'open' else 'held' end as state, currency,
         day::text as day, count(*)::int as count, coalesce(sum(amount), 0)::numeric(30, 4)::text as amount,
         sum(held)::numeric(30, 4)::text as held
    from reconciliation_items where reconciliation_id = $1::uuid and (ready or holds > 0) group by 1, 2, 3, 4
  union all
  select null, origin, null, null, count(*)::int, coalesce(sum(difference), 0)::numeric(30, 4)::text, '0.0000'
    from match_groups where reconciliation_id = $1::uuid and status = 'held' group by 2
   order by 1, 2, 3, 4`;

test('the maintained totals are what counting gives, whatever happens to items and groups', async () => {
  // The same play on each run: a multiplicative generator.
  let seed = 20_261;
  const pick = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const row = (i: number, amount: number | null): object => ({
    ref: `${i}`,
    amount,
    date: `2026-03-1${i % 5}`,
    ccy: ['EUR', 'USD'][i % 2],
  });
  const rows = Array.from({ length: 12 }, (_, i) => row(i, 10 + i));
  const own = await openReconciliation(api, {
    lefts: rows,
    rights: rows,
    currencyKeyLeft: 'ccy',
    currencyKeyRight: 'ccy',
  });
  const { db } = api.service.deps;
  const at = `/v1/reconciliations/${own.id}`;
  const send = async (side: string, externalId: string, body: object): Promise<void> => {
    await own.tenant.api.post(`/v1/records/bulk?dataset=${side}`, [{ externalId, body }]).expect(202);
    await api.runIngest();
    await sweepChangedItems(api.service.deps);
  };
  const acts: (() => PromiseLike<unknown>)[] = [
    () => runOf(api, own),
    () => runOf(api, own, { mode: 'full' }),
    () => own.tie([`l${pick(12)}`], [`r${pick(12)}`]),
    async () => {
      const groups = await heldGroups(own);
      const group = groups[pick(groups.length)];
      if (group)
        await own.tenant.api.post(`/v1/match-groups/${group.id}/release`, { reasonCode: 'other', allowAgain: true });
    },
    () => send('left', `l${pick(12)}`, row(pick(12), [5, 12, null][pick(3)] ?? null)),
    () => send('right', `new${pick(5)}`, row(pick(12), 10 + pick(12))),
    async () => {
      const excluded = pick(2) === 0 ? { reasonCode: 'duplicate' } : null;
      await own.tenant.api.patch(`${at}/open-items/${own.recordIds.get(`r${pick(12)}`)}`, { excluded });
    },
    async () => {
      await own.tenant.api.delete(`/v1/records/${own.recordIds.get(`l${pick(12)}`)}`);
      await sweepChangedItems(api.service.deps);
    },
    () =>
      db.system.execute(`update reconciliation_totals set folded = false where reconciliation_id = $1::uuid`, [own.id]),
    () => foldTotals(api.service.deps, 0),
  ];
  for (let step = 0; step < 40; step++) {
    const act = step < acts.length ? step : pick(acts.length);
    await acts[act]?.();
    expect({ step, act, totals: await db.system.query(stored, [own.id]) }).toEqual({
      step,
      act,
      totals: await db.system.query(counted, [own.id]),
    });
  }
});

test.each([
  ['from a day', { dateFrom: '2026-03-12' }],
  ['to a day', { dateTo: '2026-03-12' }],
  ['of one day', { dateFrom: '2026-03-11', dateTo: '2026-03-11' }],
  ['of a side and days', { side: 'left', dateFrom: '2026-03-11', dateTo: '2026-03-13' }],
  ['of an age', { minAgeDays: 1 }],
  ['of an age that none has', { minAgeDays: 100_000 }],
  ['of days and of an amount', { dateTo: '2026-03-12', amountMin: 11 }],
  ['without an assignee', { assigned: 'false' }],
  ['of a side, without explanation and to a day', { side: 'left', explained: 'false', dateTo: '2026-03-13' }],
  ['that nothing is said of', { assigned: 'false', explained: 'false', snoozed: 'false', suggested: 'false' }],
  ['that are not snoozed, of an amount', { snoozed: 'false', amountMin: 11 }],
  ['that are neither late nor assigned', { late: 'false', assigned: 'false' }],
  ['that are explained, but not assigned', { explained: 'true', assigned: 'false' }],
])('the totals of open items %s are those of the items listed', async (_what, query) => {
  const rows = Array.from({ length: 8 }, (_, i) => ({
    ref: `${i}`,
    amount: i === 7 ? null : 10 + i,
    date: i === 6 ? null : `2026-03-1${i % 5}`,
  }));
  const own = await openReconciliation(api, { lefts: rows, rights: rows.slice(2) });
  await own.tie(['l5'], ['r3']).expect(201);
  const part = (name: string): object => ({ recordId: own.recordIds.get(name), amount: 4 });
  await own.tenant.api
    .post('/v1/match-groups', { reconciliationId: own.id, left: [part('l3')], right: [part('r2')] })
    .expect(201);
  const annotate = (name: string, set: object) =>
    own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get(name)}`, set).expect(204);
  await annotate('l0', { assignee: 'ana', snoozedUntil: '2999-01-01' });
  await annotate('l3', { assignee: 'ana', reasonCode: 'timing' });
  await annotate('l7', { note: 'asked' });
  await annotate('r4', { reasonCode: 'timing', note: 'asked', snoozedUntil: '2999-01-01' });
  const asked = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?${asked.join('&')}`).expect(200);
  const { items, totals } = body as {
    items: { side: string; remaining_amount: number | null }[];
    totals: Record<string, { count: number; amounts: { amount: number }[] }>;
  };
  for (const side of ['left', 'right']) {
    const listed = items.filter((item) => item.side === side);
    const amount = listed.reduce((sum, item) => sum + (item.remaining_amount ?? 0), 0);
    const total = totals[side] ?? { count: -1, amounts: [] };
    expect({ side, count: total.count, amount: total.amounts[0]?.amount ?? 0 }).toEqual({
      side,
      count: listed.length,
      amount,
    });
  }
});
