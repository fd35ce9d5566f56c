import { openBooks, alone, startTestApi, type MatchBody, type TestApi } from '../../../testing';

let api: TestApi;
/** No worker runs here: what workers do is done by hand. */
let idle: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  idle = await startTestApi(alone);
});

afterAll(async () => {
  await api.close();
  await idle.close();
});

const matchers = [
  { id: 'ref', name: 'Reference', expr: 'left.ref = right.ref', weight: 3, required: true },
  { expr: 'left.name = null or right.name = null ? null : left.name = right.name' },
];
const batch = (params: object = {}): object => ({
  engine: 'jsonata-batch',
  params: { Tmatch: 0.9, Tpossible: 0.5, matchers, ...params },
});

describe('explanations', () => {
  const explain = async (ruleSet: object, left: object, right: object): Promise<MatchBody> => {
    const own = await openBooks(api, [left], [right]);
    await own.ruleSet(ruleSet);
    await own.reconcile();
    return (await own.matches())['l0|r0'] as MatchBody;
  };

  test('Tmatch above 1: scores and contributions on a scale of 100', async () => {
    const match = await explain(batch({ Tmatch: 90, Tpossible: 50 }), { ref: 1, name: 'a' }, { ref: 1, name: 'b' });
    expect(match).toMatchObject({
      decision: 'POSSIBLE',
      score: 75,
      explanation: { scale: 100, thresholds: { Tmatch: 90, Tpossible: 50 } },
    });
    expect(match.explanation.matchers.map((m) => m['contribution'])).toEqual([75, 0]);
  });

  test('the block key of the pair and the rule set version it was scored with', async () => {
    const own = await openBooks(api, [{ amount: 12.5, date: '2025-03-01' }], [{ amount: 12.5, date: '2025-03-02' }]);
    const { id } = await own.ruleSet({
      jsonataExpr: 'true',
      params: { Tmatch: 1, Tpossible: 1, blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 3 } },
    });
    await own.tenant.api.patch(`/v1/rule-sets/${id}`, { name: 'second' }).expect(200);
    await own.reconcile();
    expect((await own.matches())['l0|r0']?.explanation).toMatchObject({
      blockKey: expect.stringContaining('2025-03-01') as string,
      ruleSetVersion: 2,
      dayDelta: 1,
      amountDelta: 0,
    });
  });

  test('reasons that the expression gives', async () => {
    const match = await explain(
      { jsonataExpr: '{"score": 1, "reasons": ["same ref", left.ref]}' },
      { ref: 'é\u2028' },
      {},
    );
    expect(match.explanation).toMatchObject({ matchers: [], reasons: ['same ref', 'é\u2028'] });
  });

  test.each<[string, unknown, unknown, number | undefined]>([
    ['decimal strings', '0.10', '0.30', 0.2],
    ['a number and a string', 1e3, '1000.0001', 0.0001],
    ['numbers that are not exact decimals', 0.1 + 0.2, 0.3, 0],
    ['large amounts', '90000000000000.00', '90000000000000.01', 0.01],
    ['opposite signs', '-5', 5, 10],
    ['an unreadable one', '1,50', 1.5, undefined],
    ['a missing one', null, 1.5, undefined],
  ])('amounts as %s differ exactly', async (_what, left, right, delta) => {
    const { explanation } = await explain({ jsonataExpr: 'true' }, { amount: left }, { amount: right });
    expect(explanation['amountDelta']).toBe(delta);
  });

  test('one_to_one: conflict and ambiguous are named', async () => {
    const own = await openBooks(
      api,
      [{ ref: 1, n: 1 }, { ref: 2 }],
      [{ ref: 1, n: 1 }, { ref: 1 }, { ref: 2, memo: 'a' }, { ref: 2, memo: 'b' }],
    );
    await own.ruleSet({
      engine: 'jsonata-batch',
      params: {
        Tmatch: 0.5,
        Tpossible: 0.2,
        assignment: 'one_to_one',
        matchers: [
          { expr: 'left.ref = right.ref', required: true },
          { expr: 'left.n = right.n' },
          { expr: '$exists(right.memo)', weight: 0 },
        ],
      },
    });
    await own.reconcile();
    const found = Object.entries(await own.matches()).map(([pair, { decision, explanation }]) => [
      pair,
      decision,
      explanation['conflict'] !== undefined,
      explanation['ambiguous'] === true,
    ]);
    expect(found.sort()).toEqual([
      ['l0|r0', 'MATCH', false, false],
      ['l0|r1', 'POSSIBLE', true, false],
      ['l1|r2', 'POSSIBLE', false, true],
      ['l1|r3', 'POSSIBLE', false, true],
    ]);
  });
});
