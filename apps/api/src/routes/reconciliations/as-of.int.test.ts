import { sweepChangedItems } from '@tieout/domain';
import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

type Body = Record<string, unknown>;

async function summaryOf(own: ReconciledBooks, query = ''): Promise<Body> {
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary?${query}`).expect(200);
  const { as_of: _asOf, certificate_id: _certificate, ...summary } = body as Body;
  // Links name the view that they are of.
  return JSON.parse(JSON.stringify(summary, (key, value: unknown) => (key === 'url' ? undefined : value))) as Body;
}

/** A moment after all that was done, and before all that comes: the clock of the database has passed it. */
async function momentNow(): Promise<string> {
  const [row] = await api.service.deps.db.system.query<{ at: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as at`,
  );
  const at = row?.at as Date;
  for (;;) {
    const [passed] = await api.service.deps.db.system.query<{ is: boolean }>(
      'select clock_timestamp() > $1::timestamptz as is',
      [at],
    );
    if (passed?.is === true) return at.toISOString();
  }
}

async function send(own: ReconciledBooks, dataset: string, records: object[]): Promise<void> {
  await own.tenant.api.post(`/v1/records/bulk?dataset=${dataset}`, records).expect(202);
  await api.runIngest();
}

/** Numbers below a maximum, the same for a seed (mulberry32). */
function dice(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

/** Plays a random step: an arrival, a correction, a deletion, a hold, a release, an exclusion, a balance, a period. */
function playerOf(own: ReconciledBooks, roll: (max: number) => number): () => Promise<void> {
  const { api: keyed } = own.tenant;
  const at = `/v1/reconciliations/${own.id}`;
  const settle = (): Promise<void> => sweepChangedItems(api.service.deps);
  const pick = <T>(all: readonly T[]): T | undefined => all[roll(all.length || 1)];
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const value = (): Body => ({
    ref: pick(names),
    ...(roll(8) === 0 ? {} : { amount: (roll(5) - 1) * 10 }),
    ...(roll(8) === 0 ? {} : { date: `2026-0${1 + roll(3)}-1${roll(9)}` }),
    ccy: pick(['EUR', 'EUR', 'EUR', 'USD']),
  });
  const openItems = async (query: string): Promise<Body[]> =>
    ((await keyed.get(`${at}/open-items?limit=100&${query}`).expect(200)).body as { items: Body[] }).items;
  /** The same record on both sides, mostly; a run ties them. */
  const arrive = async (): Promise<void> => {
    const [externalId, body] = [pick(names), value()];
    await send(own, 'left', [{ externalId, body: { ...body, ref: externalId } }]);
    if (roll(4) > 0) await send(own, 'right', [{ externalId, body: { ...body, ref: externalId } }]);
  };
  const groups = async (): Promise<string[]> => (await heldGroups(own)).map(({ id }) => id);
  const steps: (() => Promise<unknown>)[] = [
    arrive,
    arrive,
    () => send(own, pick(['left', 'right']) as string, [{ externalId: pick(names), body: value() }]),
    () => runOf(api, own),
    () => runOf(api, own),
    async () => {
      const [item] = await openItems(`side=${pick(['left', 'right'])}`);
      if (item) await keyed.delete(`/v1/records/${item['record_id'] as string}`);
    },
    async () => {
      const group = pick((await heldGroups(own)) as unknown as { left: Body[] }[]);
      if (group?.left[0]) await keyed.delete(`/v1/records/${group.left[0]['record_id'] as string}`);
      if (roll(2) === 0) await settle();
    },
    async () => {
      const [left, right] = [pick(await openItems('side=left')), pick(await openItems('side=right'))];
      const rest = (item: Body | undefined): number => Number(item?.['remaining_amount'] ?? 0);
      const less = rest(right) - rest(left);
      await keyed.post('/v1/match-groups', {
        reconciliationId: own.id,
        left: left ? [left['record_id']] : [],
        right: right ? [right['record_id']] : [],
        adjustments: less === 0 ? [] : [{ amount: less, reasonCode: 'other' }],
      });
    },
    async () => {
      const [left] = (await openItems('side=left')).filter((item) => Number(item['remaining_amount']) >= 10);
      const [right] = (await openItems('side=right')).filter((item) => Number(item['remaining_amount']) >= 10);
      if (!left || !right) return;
      const part = (item: Body): object => ({ recordId: item['record_id'], amount: 5 });
      await keyed.post('/v1/match-groups', { reconciliationId: own.id, left: [part(left)], right: [part(right)] });
    },
    async () => {
      const id = pick(await groups());
      if (id !== undefined)
        await keyed.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other', force: true, allowAgain: true });
    },
    async () => {
      const item = pick(await openItems(''));
      const set = { excluded: { reasonCode: 'other' } };
      if (item) await keyed.patch(`${at}/open-items/${item['record_id'] as string}`, set);
    },
    async () => {
      const item = pick(await openItems('excluded=true'));
      if (item) await keyed.patch(`${at}/open-items/${item['record_id'] as string}`, { excluded: null });
    },
    () => settle(),
    async () => {
      await keyed.post(`${at}/balances`, {
        side: pick(['left', 'right']),
        date: pick(['2026-01-31', '2026-02-28']),
        amount: pick([10, 20.5, null]),
        currency: pick(['EUR', 'USD']),
      });
    },
    async () => {
      await keyed.post(`${at}/periods/2026-0${1 + roll(2)}/close`, {});
    },
    async () => {
      await keyed.post(`${at}/periods/2026-0${1 + roll(2)}/reopen`, { reason: 'again' });
    },
    async () => {
      const { body } = await keyed.get('/v1/matches?limit=20').expect(200);
      const match = pick((body as { items: Body[] }).items);
      if (match) await keyed.post(`/v1/matches/${match['id'] as string}/review`, { action: 'confirm' });
    },
  ];
  return async () => {
    await pick(steps)?.();
  };
}

describe('a summary as of a moment', () => {
  test.each([12, 15])('says what the summary said then, whatever came later (play %i)', async (seed) => {
    const own = await openReconciliation(api, {
      lefts: [],
      rights: [],
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
    });
    const play = playerOf(own, dice(seed));
    const said: { at: string; summary: Body }[] = [];
    for (let step = 0; step < 50; step++) {
      await play();
      said.push({ summary: await summaryOf(own), at: await momentNow() });
    }
    // Warnings are about the records of today: a summary as of a moment has none.
    for (const { at, summary } of said)
      expect({ at, ...(await summaryOf(own, `asOf=${at}`)) }).toEqual({ at, ...summary, warnings: [] });
  });

  test('of a past day knows nothing of what came after it; of today, all', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date: '2026-01-10' }],
      rights: [{ ref: 'a', amount: 10, date: '2026-01-10' }],
    });
    await runOf(api, own);
    expect(await summaryOf(own, 'asOf=2026-01-31')).toMatchObject({ left: { records: { count: 0 } }, groups: [] });
    const today = new Date().toISOString().slice(0, 10);
    expect(await summaryOf(own, `asOf=${today}`)).toMatchObject({
      left: { held: { count: 1 } },
      groups: [{ count: 1 }],
    });
  });

  test('of a month is what the month was known to be, as a closed one is', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date: '2026-01-10' }],
      rights: [{ ref: 'a', amount: 10, date: '2026-02-10' }],
    });
    await own.tie(['l0'], ['r0']).expect(201);
    const at = await momentNow();
    const january = await summaryOf(own, 'period=2026-01');
    expect(january).toMatchObject({ left: { open: { count: 1 } }, right: { records: { count: 0 } }, groups: [] });
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/2026-01/close`, {}).expect(200);
    await send(own, 'left', [{ externalId: 'late', body: { ref: 'b', amount: 3, date: '2026-01-11' } }]);
    expect(await summaryOf(own, 'period=2026-01')).toEqual(january);
    expect(await summaryOf(own, `period=2026-01&asOf=${at}`)).toEqual(january);
    expect(await summaryOf(own, 'period=2026-02')).toMatchObject({
      left: { records: { count: 2 }, open: { count: 1 } },
      groups: [{ count: 1 }],
    });
  });
});
