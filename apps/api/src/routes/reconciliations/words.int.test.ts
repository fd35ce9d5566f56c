import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';

let api: TestApi;
let own: ReconciledBooks;

/** All records have one word, two of them another one too. */
beforeAll(async () => {
  api = await startTestApi();
  const row = (i: number) => ({
    amount: 100 + i,
    date: `2026-03-${10 + i}`,
    name: i === 2 ? 'Acme Rare' : 'Acme',
    ccy: i === 3 ? 'USD' : 'EUR',
  });
  const rows = Array.from({ length: 6 }, (_, i) => row(i));
  own = await openReconciliation(api, { lefts: rows, rights: rows, currencyKeyLeft: 'ccy', currencyKeyRight: 'ccy' });
});

afterAll(() => api.close());

const setIndexAllowed = (isAllowed: boolean): Promise<number> =>
  api.service.deps.db.system.execute(
    isAllowed
      ? 'grant execute on function items_with_words(uuid, tsquery, integer) to tieout_tenant'
      : 'revoke execute on function items_with_words(uuid, tsquery, integer) from tieout_tenant',
  );

interface Totals {
  count: number;
  amounts: { currency: string; amount: number }[];
}

/** The items of a list, and what its totals say of each side. */
const listed = async (query: string): Promise<{ ids: string[]; left: string; right: string }> => {
  const answer = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?${query}`).expect(200);
  const { items, totals } = answer.body as {
    items: { external_id: string }[];
    totals: Record<'left' | 'right', Totals>;
  };
  const shown = ({ count, amounts }: Totals): string =>
    [count, ...amounts.map(({ currency, amount }) => `${currency} ${amount}`)].join(', ');
  return {
    ids: items.map(({ external_id }) => external_id).sort(),
    left: shown(totals.left),
    right: shown(totals.right),
  };
};

describe('open items with words', () => {
  const lefts = ['l0', 'l1', 'l2', 'l3', 'l4', 'l5'];
  test.each<[string, string, string[], string, string]>([
    ['that most have', 'q=acme&side=left', lefts, '6, EUR 512, USD 103', '0'],
    ['that most have, of a currency', 'q=acme&sort=-amount&currency=USD', ['l3', 'r3'], '1, USD 103', '1, USD 103'],
    ['and amounts', 'q=rare&amountMin=101.5&amountMax=102', ['l2', 'r2'], '1, EUR 102', '1, EUR 102'],
    ['and other amounts', 'q=rare&amountMin=103', [], '0', '0'],
    ['and days', 'q=rare&dateFrom=2026-03-12&dateTo=2026-03-13', ['l2', 'r2'], '1, EUR 102', '1, EUR 102'],
    ['and an age', 'q=acme%20rare&side=right&minAgeDays=1', ['r2'], '0', '1, EUR 102'],
    ['and an assignee that none has', 'q=acme&assignee=nobody', [], '0', '0'],
    ['and an amount that all have, and a day', 'q=rare&amountMin=1&dateTo=2026-03-11', [], '0', '0'],
  ])('%s are found without reading the index of words', async (_what, query, ids, left, right) => {
    await setIndexAllowed(false);
    try {
      expect(await listed(query)).toEqual({ ids, left, right });
    } finally {
      await setIndexAllowed(true);
    }
  });

  test('that few have are found by their index', async () => {
    expect(await listed('q=rare')).toEqual({ ids: ['l2', 'r2'], left: '1, EUR 102', right: '1, EUR 102' });
    await setIndexAllowed(false);
    try {
      await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?q=rare`).expect(500);
    } finally {
      await setIndexAllowed(true);
    }
  });
});
