import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const date = '2026-03-10';

interface ItemBody {
  external_id: string;
  reason: string | null;
  best_possible: { match_id: string; record_id: string; score: number } | null;
  best_possible_composite: { composite_match_id: string; score: number } | null;
}

/** Opens books with one pass. */
async function booksWith(pass: object, sides: { lefts: object[]; rights: object[] }, more = {}) {
  const own = await openReconciliation(api, { ...sides, ...more });
  const { id } = await own.ruleSet({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: { Tmatch: 0.9, Tpossible: 0.5, assignment: 'one_to_one', ...pass },
  });
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [id] }).expect(200);
  return { ...own, passId: id };
}

const itemsOf = async (own: ReconciledBooks, query = ''): Promise<Record<string, ItemBody>> => {
  const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?limit=100&${query}`).expect(200);
  return Object.fromEntries((body as { items: ItemBody[] }).items.map((item) => [item.external_id, item]));
};

const halves = [{ expr: 'left.ref = right.ref' }, { expr: 'left.memo = right.memo' }];

describe('what the latest run says of an open item', () => {
  const sides = {
    lefts: [
      { ref: 'a', memo: 'x', amount: 10, date },
      { ref: 'b', memo: 'y', amount: 20, date },
      { ref: 'c', memo: 'z', amount: 30, date },
    ],
    rights: [
      { ref: 'a', memo: 'other', amount: 10, date },
      { ref: 'q', memo: 'q', amount: 20, date },
    ],
  };
  const pass = { blocking: { amountKey: 'amount', amountTolerance: 0 }, matchers: halves };

  test('is its reason and its best proposal; nothing before a run', async () => {
    const own = await booksWith(pass, sides);
    expect(await itemsOf(own)).toMatchObject({ l0: { reason: null, best_possible: null } });
    expect(Object.keys(await itemsOf(own, 'suggested=true'))).toEqual([]);
    await runOf(api, own);
    expect(await itemsOf(own)).toMatchObject({
      l0: { reason: 'possible_only', best_possible: { record_id: own.recordIds.get('r0'), score: 0.5 } },
      l1: { reason: 'below_threshold', best_possible: null },
      l2: { reason: 'no_candidate', best_possible: null },
      r0: { reason: 'possible_only', best_possible: { record_id: own.recordIds.get('l0') } },
    });
    expect(Object.keys(await itemsOf(own, 'suggested=true')).sort()).toEqual(['l0', 'r0']);
    expect(Object.keys(await itemsOf(own, 'suggested=false&side=left')).sort()).toEqual(['l1', 'l2']);
  });

  test('is no proposal whose other record is held, or that was rejected', async () => {
    const own = await booksWith(pass, sides);
    await runOf(api, own);
    await own.tie(['l1'], ['r0'], { adjustments: [{ amount: -10, reasonCode: 'other' }] }).expect(201);
    expect((await itemsOf(own))['l0']).toMatchObject({ best_possible: null });
    expect(await itemsOf(own, 'suggested=true')).toEqual({});
    const other = await booksWith(pass, sides);
    await runOf(api, other);
    const match = (await itemsOf(other))['l0']?.best_possible?.match_id;
    await other.tenant.api.post(`/v1/matches/${match}/review`, { action: 'reject' }).expect(200);
    expect(await itemsOf(other, 'suggested=true')).toEqual({});
  });

  test('is a MATCH that waits for a review, until it is held and released', async () => {
    const own = await booksWith({ ...pass, matchers: halves.slice(0, 1) }, sides, { accept: 'review' });
    await runOf(api, own);
    const found = (await itemsOf(own))['l0'];
    expect(found).toMatchObject({ reason: null, best_possible: { score: 1 } });
    const at = `/v1/matches/${found?.best_possible?.match_id}/review`;
    await own.tenant.api.post(at, { action: 'confirm' }).expect(200);
    const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}`).expect(200);
    const { id } = (body as { items: { id: string }[] }).items[0] ?? {};
    await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(200);
    expect((await itemsOf(own))['l0']).toMatchObject({ best_possible: null });
  });

  test('is a composite for its target and its members', async () => {
    const own = await booksWith(
      { matchers: [{ expr: 'false' }], composition: { enabled: true, partial: { enabled: true } } },
      {
        lefts: [{ amount: 100, date }],
        rights: [
          { amount: 50, date },
          { amount: 30, date },
          { amount: 999, date },
        ],
      },
    );
    await runOf(api, own);
    const items = await itemsOf(own, 'suggested=true');
    expect(Object.keys(items).sort()).toEqual(['l0', 'r0', 'r1']);
    for (const item of Object.values(items)) expect(item).toMatchObject({ best_possible_composite: { score: 0.8 } });
  });
});
