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

  test('is not a proposal whose other record is held, or that was rejected', async () => {
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

interface CandidateBody {
  kind: string;
  likeness: number;
  records: { external_id: string; remaining_amount: number }[];
  difference: number | null;
  score: number | null;
  why: { code: string; message: string };
  passes: { rule_set_id: string; decision: string; why: { code: string } }[];
}

/** Candidates by the external ids of their records, the likeliest first. */
async function candidatesOf(own: ReconciledBooks, name: string, query = ''): Promise<[string, CandidateBody][]> {
  const { body } = await own.tenant.api
    .get(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get(name)}/candidates?${query}`)
    .expect(200);
  return (body as { items: CandidateBody[] }).items.map((one) => [
    one.records
      .map((record) => record.external_id)
      .sort()
      .join(' '),
    one,
  ]);
}

describe('the candidates of an open item', () => {
  const pass = {
    blocking: { amountKey: 'amount', amountTolerance: 0, dateKey: 'date', dateToleranceDays: 3 },
    matchers: [{ expr: 'left.ref = right.ref' }],
    filters: ['$not(left.kind = "no" and right.kind = "no")'],
  };
  const item = { ref: 'INV-A77', amount: 100, date };

  test.each([
    ['window', { ref: 'INV-A77', amount: 100, date: '2026-06-20' }],
    ['blocking', { ref: 'INV-A77', amount: 99, date }],
    ['filter', { ref: 'INV-A77', amount: 100, date, kind: 'no' }],
    ['threshold', { ref: 'other', amount: 100, date }],
    ['not_run', { ref: 'INV-A77', amount: 100, date }],
  ])('say why no pass took them: %s', async (code, right) => {
    const own = await booksWith(pass, { lefts: [{ ...item, kind: code === 'filter' ? 'no' : 'x' }], rights: [right] });
    const [[name, candidate] = []] = await candidatesOf(own, 'l0');
    expect(name).toBe('r0');
    expect(candidate).toMatchObject({
      kind: 'pair',
      why: { code },
      passes: [{ rule_set_id: own.passId, why: { code } }],
    });
  });

  test('are blocked by keys, unless another rule lets them through', async () => {
    const rules = [{ keys: [{ expr: 'ref' }] }, { dateKey: 'date', dateToleranceDays: 3 }];
    const matchers = [{ expr: 'left.amount = right.amount' }];
    const own = await booksWith(
      { blocking: { rules }, matchers },
      {
        lefts: [item],
        rights: [
          { ref: 'Q', amount: 100, date: '2026-04-20' },
          { ref: 'INV-A77', amount: 100, date: '2026-04-20' },
          { ref: 'Q', amount: 100, date },
        ],
      },
    );
    const found = Object.fromEntries(await candidatesOf(own, 'l0'));
    expect(found).toMatchObject({
      r0: { why: { code: 'window' } },
      r1: { why: { code: 'not_run' } },
      r2: { why: { code: 'not_run' } },
    });
  });

  test('are in competition where others are as good, and rejected where people said so', async () => {
    const rights = ['2026-03-09', '2026-03-11'].map((day) => ({ ref: 'INV-A77', amount: 100, date: day }));
    const own = await booksWith(pass, { lefts: [item], rights });
    await runOf(api, own);
    const found = await candidatesOf(own, 'l0');
    expect(found.map(([, { why }]) => why.code)).toEqual(['competition', 'competition']);
    const group = await own.tie(['l0'], ['r0']).expect(201);
    const { id } = group.body as { id: string };
    await own.tenant.api.post(`/v1/match-groups/${id}/release`, { reasonCode: 'other' }).expect(200);
    const again = Object.fromEntries(await candidatesOf(own, 'l0'));
    expect(again['r0']).toMatchObject({ why: { code: 'rejected' } });
  });

  test('come in the order of likeness: a reference far away before an amount by chance', async () => {
    const rights = [
      { ref: 'Q1', amount: 100, date },
      { ref: 'INV-A77', amount: 100, date: '2026-08-01' },
      { ref: 'INV-A77', amount: 40, date: '2026-03-12' },
      { ref: 'Q2', amount: 5000, date },
    ];
    const own = await booksWith(pass, { lefts: [item], rights });
    const found = await candidatesOf(own, 'l0', 'limit=3');
    expect(found.map(([name]) => name)).toEqual(['r1', 'r0', 'r2']);
    expect(found[0]?.[1]).toMatchObject({ difference: 0, score: 1 });
  });

  test('are groups that add up to it, by what remains', async () => {
    const rights = [
      { ref: 'INV-A77', amount: 30, date: '2026-05-01' },
      { ref: 'INV-A77', amount: 70, date: '2026-06-01' },
      { ref: 'x', amount: 11, date },
    ];
    const own = await booksWith(pass, { lefts: [item], rights });
    const [[name, group] = []] = (await candidatesOf(own, 'l0')).filter(([, { kind }]) => kind === 'group');
    expect(name).toBe('r0 r1');
    expect(group).toMatchObject({ difference: 0, why: { code: 'composition' } });
    await own.tie([], ['r0'], { left: [{ recordId: own.recordIds.get('l0'), amount: 30 }] }).expect(201);
    const [[rest, candidate] = []] = await candidatesOf(own, 'l0');
    expect(rest).toBe('r1');
    expect(candidate).toMatchObject({ difference: 0 });
  });

  test.each([
    ['threshold', { maxGroupSize: 2, dateStrategy: 'none' }, 'INV-A77'],
    ['window', { dateStrategy: 'window', dateToleranceDays: 2 }, 'INV-A77'],
    ['filter', { matchKeys: [{ left: 'ref', right: 'ref' }] }, 'INV-A77'],
    ['not_run', {}, 'INV-A77'],
  ])('are groups with the reason of the pass that composes: %s', async (code, composition, ref) => {
    const amounts = code === 'threshold' ? [30, 60, 10] : [30, 70];
    const rights = amounts.map((amount, at) => ({
      ref: at === 0 && code === 'filter' ? 'B9' : ref,
      amount,
      date: '2026-04-01',
    }));
    const own = await booksWith({ ...pass, composition: { enabled: true, ...composition } }, { lefts: [item], rights });
    const groups = (await candidatesOf(own, 'l0')).filter(([, { kind }]) => kind === 'group');
    expect(groups[0]?.[1]).toMatchObject({ difference: 0, why: { code } });
  });

  test('have opposite signs where the reconciliation says so, and one currency', async () => {
    const own = await booksWith(
      { matchers: [{ expr: 'left.ref = right.ref' }] },
      {
        lefts: [{ ...item, ccy: 'EUR' }],
        rights: [
          { ref: 'INV-A77', amount: -100, date, ccy: 'EUR' },
          { ref: 'INV-A77', amount: -100, date, ccy: 'USD' },
        ],
      },
      { amountSign: 'opposite', currencyKeyLeft: 'ccy', currencyKeyRight: 'ccy' },
    );
    const found = await candidatesOf(own, 'l0');
    expect(found.map(([name]) => name)).toEqual(['r0']);
    expect(found[0]?.[1]).toMatchObject({ difference: 0 });
  });

  test('an expression that fails is a reason, and a record that is not open an error', async () => {
    const own = await booksWith(
      { matchers: [{ expr: '$contains(right.text, 5)' }] },
      { lefts: [item, item], rights: [{ text: 'x', amount: 100, date }] },
    );
    expect((await candidatesOf(own, 'l0'))[0]?.[1]).toMatchObject({
      why: { code: 'error' },
      passes: [{ decision: 'ERROR' }],
    });
    await own.tie(['l1'], ['r0']).expect(201);
    const at = `/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('l1')}/candidates`;
    expect((await own.tenant.api.get(at).expect(404)).body).toMatchObject({ code: 'record_not_found' });
  });
});

describe('the proposals of the latest run', () => {
  const pass = { blocking: { amountKey: 'amount', amountTolerance: 0 }, matchers: halves };
  const sides = {
    lefts: [
      { ref: 'a', memo: 'x', amount: 10, date },
      { ref: 'b', memo: 'y', amount: 20, date },
      { ref: 'c', memo: 'z', amount: 30, date },
    ],
    rights: [
      { ref: 'a', memo: 'other', amount: 10, date },
      { ref: 'b', memo: 'y', amount: 20, date },
      { ref: 'c', memo: 'other', amount: 30, date },
    ],
  };

  interface ProposalBody {
    id: string;
    score: number;
    decision: string;
    difference: number;
    records: { record_id: string; external_id: string; side: string; record: object }[];
  }

  const proposalsOf = async (own: ReconciledBooks, query = '') => {
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/proposals?${query}`).expect(200);
    const page = body as { items: ProposalBody[]; total: number | null; next_cursor: string | null };
    return { ...page, names: page.items.map(({ records }) => records.map((one) => one.external_id).join(' ')) };
  };

  test('have their records, the best first, page after page; none before a run', async () => {
    const own = await booksWith(pass, sides, { accept: 'review' });
    expect(await proposalsOf(own)).toMatchObject({ items: [], total: 0, next_cursor: null });
    await runOf(api, own);
    const all = await proposalsOf(own);
    expect(all.total).toBe(3);
    expect(all.names[0]).toBe('l1 r1');
    expect(all.items[0]).toMatchObject({
      kind: 'pair',
      decision: 'MATCH',
      score: 1,
      difference: 0,
      records: [
        { side: 'left', amount: 20, remaining_amount: 20, date, record: { ref: 'b', memo: 'y' } },
        { side: 'right', record: { ref: 'b' } },
      ],
      explanation: { thresholds: { Tmatch: 0.9 } },
    });
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = await proposalsOf(own, `limit=1${cursor}`);
      paged.push(...page.names);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(all.names);
  });

  test.each([
    ['decision=MATCH', ['l1 r1']],
    ['minScore=0.9', ['l1 r1']],
    ['maxScore=0.9', ['l0 r0', 'l2 r2']],
    ['kind=composite', []],
    ['kind=pair&decision=POSSIBLE', ['l0 r0', 'l2 r2']],
  ])('are filtered by %s', async (query, names) => {
    const own = await booksWith(pass, sides, { accept: 'review' });
    await runOf(api, own);
    expect((await proposalsOf(own, query)).names.sort()).toEqual(names);
  });

  test('are those of one record', async () => {
    const own = await booksWith(pass, sides);
    await runOf(api, own);
    const recordId = own.recordIds.get('r2') as string;
    expect((await proposalsOf(own, `recordId=${recordId}`)).names).toEqual(['l2 r2']);
  });

  test('are without those that people have decided about, and those whose records are held', async () => {
    const own = await booksWith(pass, sides);
    await runOf(api, own);
    const { items } = await proposalsOf(own);
    expect(items.map(({ decision }) => decision)).toEqual(['POSSIBLE', 'POSSIBLE']);
    await own.tenant.api.post(`/v1/matches/${items[0]?.id}/review`, { action: 'reject' }).expect(200);
    expect((await proposalsOf(own)).items.map(({ id }) => id)).toEqual([items[1]?.id]);
    const [left, right] = items[1]?.records ?? [];
    await own.tie([left?.external_id ?? ''], [right?.external_id ?? '']).expect(201);
    expect(await proposalsOf(own)).toMatchObject({ items: [], total: 0 });
  });

  test('are composites too: the target, then its members', async () => {
    const own = await booksWith(
      {
        blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 3 },
        composition: { enabled: true, direction: 'left_to_many_right' },
        matchers: [{ expr: 'false' }],
      },
      {
        lefts: [{ amount: 30, date }],
        rights: [
          { amount: 10, date },
          { amount: 20, date },
        ],
      },
      { accept: 'review' },
    );
    await runOf(api, own);
    const { items, names } = await proposalsOf(own);
    expect(items).toMatchObject([{ kind: 'composite', difference: 0 }]);
    expect(names[0]?.split(' ').sort()).toEqual(['l0', 'r0', 'r1']);
    expect(names[0]?.startsWith('l0')).toBe(true);
  });

  test('a cursor of another list is refused', async () => {
    const own = await booksWith(pass, sides);
    await runOf(api, own);
    const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/proposals?cursor=bm9uZQ`).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/query/cursor' }] });
  });
});
