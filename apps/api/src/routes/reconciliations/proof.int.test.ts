import { sweepChangedItems } from '@tieout/domain';
import { startTestApi, uploadTo, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface ProofBody {
  currency: string | null;
  day: string;
  balances: { left: { amount: number; date: string } | null; right: { amount: number; date: string } | null };
  unexplained: number | null;
  [term: string]: unknown;
}

const proofOf = async (own: ReconciledBooks, query = ''): Promise<ProofBody[]> => {
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary?${query}`).expect(200);
  return (body as { proof: ProofBody[] }).proof;
};
const give = (own: ReconciledBooks, side: string, date: string, amount: unknown, more: object = {}) =>
  own.tenant.api.post(`/v1/reconciliations/${own.id}/balances`, { side, date, amount, ...more });
const balancesOf = async (own: ReconciledBooks, query = ''): Promise<Record<string, unknown>[]> => {
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/balances?${query}`).expect(200);
  return (body as { items: Record<string, unknown>[] }).items;
};

const jan = '2026-01-10';
const feb = '2026-02-10';

describe('the proof of balance', () => {
  test('is 0 when open, held and excluded items explain the difference, and names each term', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 100, date: jan },
        { ref: 'b', amount: 40.1, date: jan },
        { ref: 'c', amount: 7, date: jan },
        { ref: 'next', amount: 1000, date: feb },
      ],
      rights: [{ ref: 'x', amount: 98, date: jan }],
    });
    await own.tie(['l0'], ['r0'], { adjustments: [{ amount: -2, reasonCode: 'bank_fee' }] }).expect(201);
    const excluded = { excluded: { reasonCode: 'other' } };
    const l2 = own.recordIds.get('l2') as string;
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${l2}`, excluded).expect(204);
    expect((await proofOf(own))[0]).toMatchObject({ unexplained: null, balances: { left: null, right: null } });
    await give(own, 'left', '2026-01-31', 647.1).expect(201);
    await give(own, 'right', '2026-01-31', '598.00').expect(201);
    const [proof] = await proofOf(own);
    expect(proof).toMatchObject({
      currency: null,
      day: '2026-01-31',
      balances: { left: { amount: 647.1, date: '2026-01-31' }, right: { amount: 598 } },
      open: { left: 40.1, right: 0, url: `/v1/reconciliations/${own.id}/open-items?upTo=2026-01-31` },
      held: { left: 100, right: 98 },
      excluded: { left: 7, right: 0 },
      stale: { left: 0, right: 0 },
      unexplained: 0,
    });
    expect((await proofOf(own, 'period=2026-01'))[0]).toMatchObject({ day: '2026-01-31', unexplained: 0 });
    // A balance counts until the next one: what came in February is not explained.
    expect((await proofOf(own, 'period=2026-02'))[0]).toMatchObject({ day: '2026-02-28', unexplained: -1000 });
  });

  describe('of two currencies links each term to a list', () => {
    let own: ReconciledBooks;
    const at = (): string => `/v1/reconciliations/${own.id}`;
    const exclude = (name: string, excluded: object | null) =>
      own.tenant.api.patch(`${at()}/open-items/${own.recordIds.get(name)}`, { excluded }).expect(204);

    beforeAll(async () => {
      const rows = (side: number): object[] => [
        { ref: 'large', amount: 900, date: jan, ccy: 'EUR' },
        { ref: 'both', amount: 10, date: jan, ccy: 'EUR' },
        { ref: 'next', amount: 9, date: feb, ccy: 'EUR' },
        { ref: 'dollar', amount: 70, date: jan, ccy: 'USD' },
        { ref: 'none', amount: 6, date: jan },
        { ref: `undated${side}`, amount: 800 + side, ccy: 'EUR' },
        { ref: `open${side}`, amount: 30 + side, date: jan, ccy: 'USD' },
        { ref: `out${side}`, amount: 4 + side, date: jan, ccy: 'EUR' },
        { ref: `late${side}`, amount: 2 + side, date: feb, ccy: 'EUR' },
      ];
      const currencies = { currencyKeyLeft: 'ccy', currencyKeyRight: 'ccy' };
      own = await openReconciliation(api, { lefts: rows(0), rights: rows(1), approvalAbove: 500, ...currencies });
      await runOf(api, own);
      await exclude('l7', { reasonCode: 'duplicate' });
    });

    type Amounts = Record<'left' | 'right', number>;
    interface ListedBody extends Record<'left' | 'right', { amount: number }[]> {
      side: 'left' | 'right';
      remaining_amount: number;
    }
    const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
    async function listed(url: string): Promise<Amounts> {
      const { items } = (await own.tenant.api.get(url).expect(200)).body as { items: ListedBody[] };
      const of = (side: 'left' | 'right'): number =>
        total(
          items.flatMap((item) =>
            'side' in item
              ? item.side === side
                ? [item.remaining_amount]
                : []
              : (item as ListedBody)[side].map(({ amount }) => amount),
          ),
        );
      return { left: of('left'), right: of('right') };
    }
    async function expectLists(query: string, terms: readonly string[]): Promise<void> {
      const proofs = await proofOf(own, query);
      expect(proofs.map(({ currency }) => currency)).toEqual([null, 'EUR', 'USD']);
      for (const { currency, ...proof } of proofs) {
        for (const term of terms) {
          const { url, left, right } = proof[term] as Amounts & { url: string };
          expect({ currency, term, ...(await listed(url)) }).toEqual({ currency, term, left, right });
        }
      }
    }

    test('of what it counts now, in an open month and as of a moment', async () => {
      const all = ['open', 'held', 'excluded', 'stale'];
      await give(own, 'left', '2026-01-31', 1, { currency: 'EUR' }).expect(201);
      await give(own, 'right', '2026-01-31', 1, { currency: 'EUR' }).expect(201);
      await expectLists('', all);
      await expectLists('period=2026-01', all);
      await expectLists('period=2026-02', all);
      await expectLists(`asOf=${new Date().toISOString()}`, ['held', 'stale']);
    });

    test('of what a certificate counts, whatever comes later', async () => {
      const { body } = await own.tenant.api.get('/v1/match-groups?status=pending').expect(200);
      for (const { id } of (body as { items: { id: string }[] }).items)
        await own.tenant.api.post(`/v1/match-groups/${id}/approve`).set('x-actor', 'Bea').expect(200);
      const certificate = await own.tenant.api.post(`${at()}/periods/2026-01/close`, {}).expect(200);
      await exclude('l6', { reasonCode: 'duplicate' });
      await exclude('l7', null);
      await expectLists('period=2026-01', ['open', 'held', 'excluded']);
      await own.tenant.api.post(`${at()}/periods/2026-01/reopen`, { reason: 'again' }).expect(200);
      for (const { id } of await heldGroups(own))
        await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(200);
      const { proof } = (certificate.body as { certificate: { proof: ProofBody[] } }).certificate;
      for (const { open, held, excluded } of proof as unknown as Record<string, Amounts & { url: string }>[]) {
        for (const term of [open, held, excluded])
          expect(await listed(term?.url ?? '')).toEqual({ left: term?.left, right: term?.right });
      }
    });
  });

  test('has no row of a currency that only a deleted record had lost', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date: jan, ccy: 'EUR' }],
      rights: [{ ref: 'a', amount: 10, date: jan, ccy: 'EUR' }],
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
    });
    await runOf(api, own);
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/2026-01/close`, {}).expect(200);
    const l0 = own.recordIds.get('l0') as string;
    await api.service.deps.db.system.execute('delete from records where id = $1::uuid', [l0]);
    await sweepChangedItems(api.service.deps);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary`).expect(200);
    expect(body).toMatchObject({
      left: { stale: { count: 1, amounts: [{ currency: 'EUR', amount: -10 }] } },
      proof: [{ currency: 'EUR', held: { left: 10, right: 10 }, stale: { left: -10, right: 0 } }],
    });
    expect((body as { proof: unknown[] }).proof).toHaveLength(1);
  });

  test('a later balance takes the place of one of the same day, which is kept; null takes it back', async () => {
    const own = await openReconciliation(api, { lefts: [], rights: [] });
    await give(own, 'left', '2026-01-31', 10).expect(201);
    await give(own, 'right', '2026-01-31', 4).expect(201);
    expect((await proofOf(own))[0]).toMatchObject({ unexplained: 6 });
    await give(own, 'left', '2026-01-31', 4).expect(201);
    expect((await proofOf(own))[0]).toMatchObject({ unexplained: 0 });
    expect(await balancesOf(own, 'side=left')).toMatchObject([{ amount: 4, valid_to: null, by: { type: 'key' } }]);
    expect(await balancesOf(own, 'side=left&replaced=true')).toHaveLength(2);
    expect((await give(own, 'left', '2026-01-31', null).expect(201)).body).toBeNull();
    expect((await proofOf(own))[0]).toMatchObject({ unexplained: null });
  });

  test('is given for each currency, and adds up opposite signs', async () => {
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date: jan, ccy: 'EUR' },
        { ref: 'b', amount: 5, date: jan, ccy: 'USD' },
      ],
      rights: [{ ref: 'c', amount: -10, date: jan, ccy: 'EUR' }],
      currencyKeyLeft: 'ccy',
      currencyKeyRight: 'ccy',
      amountSign: 'opposite',
    });
    await give(own, 'left', '2026-01-31', 110, { currency: 'EUR' }).expect(201);
    await give(own, 'right', '2026-01-31', -110, { currency: 'EUR' }).expect(201);
    expect(await proofOf(own)).toMatchObject([
      { currency: 'EUR', open: { left: 10, right: -10 }, unexplained: 0 },
      { currency: 'USD', open: { left: 5, right: 0 }, unexplained: null },
    ]);
  });

  test('counts what a changed record differs by from what its group holds, as stale', async () => {
    const own = await openReconciliation(api, {
      lefts: [{ ref: 'a', amount: 10, date: jan }],
      rights: [{ ref: 'a', amount: 10, date: jan }],
    });
    await runOf(api, own);
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/2026-01/close`, {}).expect(200);
    const changed = { externalId: 'l0', body: { ref: 'a', amount: 13, date: jan } };
    await own.tenant.api.post('/v1/records/bulk?dataset=left', [changed]).expect(202);
    await api.runIngest();
    await sweepChangedItems(api.service.deps);
    await give(own, 'left', '2026-01-31', 13).expect(201);
    await give(own, 'right', '2026-01-31', 10).expect(201);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary`).expect(200);
    expect(body).toMatchObject({
      left: { held: { amounts: [{ amount: 10 }] }, stale: { count: 1, amounts: [{ currency: null, amount: 3 }] } },
      proof: [{ held: { left: 10, right: 10 }, stale: { left: 3, right: 0 }, unexplained: 0 }],
    });
    expect(await heldGroups(own, 'stale=true')).toHaveLength(1);
  });

  test.each([
    ['an amount that is none', { amount: 'much' }, '/amount'],
    ['an amount of five decimals', { amount: '0.12345' }, '/amount'],
    ['an amount of more digits than are kept', { amount: `${'9'.repeat(30)}.0000` }, '/amount'],
    ['a currency where there are none', { amount: 1, currency: 'EUR' }, '/currency'],
  ])('%s is refused at its place', async (_what, more, path) => {
    const own = await openReconciliation(api, { lefts: [], rights: [] });
    const refused = await give(own, 'left', '2026-01-31', 1, more).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path }] });
  });

  test.each([
    ['asOf=soon-or-later', '/query/asOf'],
    ['asOf=2026-02-30', '/query/asOf'],
    ['asOf=2026-01-01T10:00:00', '/query/asOf'],
    ['period=2026-13', '/query/period'],
  ])('a summary with %s is refused', async (query, path) => {
    const own = await openReconciliation(api, { lefts: [], rights: [] });
    const refused = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary?${query}`).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path }] });
  });
});

describe('the closing balance of a statement', () => {
  const statement = (amount: string, day = '260131'): string =>
    [
      ':20:ONE',
      ':25:DE02',
      ':28C:1/1',
      `:60F:C260101EUR90,00`,
      `:61:${day}C10,00NTRFREF//B1`,
      `:62F:C${day}EUR${amount}`,
      '-',
    ].join('\r\n');

  test('is a balance of its side, until a file that replaces it states another', async () => {
    const own = await openReconciliation(api, { lefts: [], rights: [] });
    const source = await own.tenant.api.post('/v1/data-sources', { name: 'bank', kind: 'files' }).expect(201);
    const { id } = source.body as { id: string };
    const first = await uploadTo(own.tenant.api, id, statement('100,00'), { dataset: 'left' }, 'a.sta');
    await api.runIngest();
    expect(await balancesOf(own)).toMatchObject([
      { side: 'left', date: '2026-01-31', amount: 100, currency: 'EUR', account: 'DE02', file_id: first.id },
    ]);
    await uploadTo(
      own.tenant.api,
      id,
      statement('-', '260131').replace('-', '101,00'),
      { dataset: 'left', replaces: first.id },
      'b.sta',
    );
    await api.runIngest();
    expect((await balancesOf(own)).map(({ amount }) => amount)).toEqual([101]);
    await give(own, 'right', '2026-01-31', 91).expect(201);
    expect((await proofOf(own))[0]).toMatchObject({ balances: { left: { amount: 101 } }, unexplained: 0 });
    // A balance that somebody gives for the side counts from its day on.
    await give(own, 'left', '2026-01-31', 95).expect(201);
    expect((await proofOf(own))[0]).toMatchObject({ balances: { left: { amount: 95 } } });
  });
});

test('without the scope for records a summary has its counts, and no amount', async () => {
  const own = await openReconciliation(api, {
    lefts: [{ amount: 1234, date: '2026-03-10' }],
    rights: [{ amount: 4321, date: '2026-03-10' }],
  });
  const { key } = await api.newKey(own.tenant, ['reconciliations:read']);
  const { body } = await api.withKey(key).get(`/v1/reconciliations/${own.id}/summary`).expect(200);
  expect(body).toMatchObject({ left: { records: { count: 1 }, open: { count: 1 } }, right: { open: { count: 1 } } });
  expect(JSON.stringify(body)).not.toMatch(/"(amounts?|proof|difference)":/);
});
