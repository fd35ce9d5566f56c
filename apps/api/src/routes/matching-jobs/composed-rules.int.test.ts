import { amountRules, groupRules, openLedger, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const customers = {
  A: { amount: 100, cust: 'Zed' },
  B: { amount: 120, cust: 'Zed' },
  C: { amount: 180, cust: 'Zed' },
  D: { amount: 250, cust: 'Yam' },
  E: { amount: 150, cust: 'Yam' },
};
const invoices = Object.fromEntries(
  Array.from({ length: 7 }, (_, at) => [
    `I${100 + at}`,
    { amount: 100, no: `INV-${100 + at}`, date: `2026-02-0${at + 1}` },
  ]),
);
const byReference = {
  ...amountRules,
  matchers: [amountRules.matchers[0], { id: 'ref', expr: '$contains(right.text, left.no)', weight: 0 }],
};

test.each<[string, object, Record<string, object>, Record<string, object>, string[]]>([
  [
    'a filter that names both sides',
    { ...amountRules, filters: ['left.cust = right.cust'], composition: { ...groupRules, groupByField: 'cust' } },
    customers,
    { PAY: { amount: 400, cust: 'Zed' } },
    ['PAY=A+B+C MATCH'],
  ],
  [
    'match keys',
    { ...amountRules, composition: { ...groupRules, matchKeys: [{ left: 'cust', right: 'payer' }] } },
    customers,
    { PAY: { amount: 400, payer: 'Zed' }, PAY2: { amount: 400, payer: 'Yam' } },
    ['PAY2=D+E MATCH', 'PAY=A+B+C MATCH'],
  ],
  [
    'a filter on the currency',
    { ...amountRules, filters: ['left.currency = right.currency'], composition: groupRules },
    { A: { amount: 100, currency: 'USD' }, B: { amount: 50, currency: 'EUR' } },
    { PAY: { amount: 150, currency: 'EUR' } },
    [],
  ],
  [
    'evidence',
    { ...byReference, composition: { ...groupRules, evidence: { matchers: ['ref'] } } },
    invoices,
    { PAY: { amount: 500, text: 'INV-102 INV-103 INV-104 INV-105 INV-106' } },
    ['PAY=I102+I103+I104+I105+I106 MATCH'],
  ],
  [
    'opposite signs',
    { ...amountRules, amountSign: 'opposite', composition: { enabled: true } },
    { L: { amount: -300 } },
    { A: { amount: 100 }, B: { amount: 200 } },
    ['L=A+B MATCH'],
  ],
  [
    'an absolute tolerance',
    { ...amountRules, composition: { ...groupRules, amountTolerance: 5 } },
    { A: { amount: 100 }, B: { amount: 50 } },
    { PAY: { amount: 145 } },
    ['PAY=A+B MATCH'],
  ],
])('groups are found by %s', async (_, params, lefts, rights, groups) => {
  const ledger = await openLedger(api, params);
  await ledger.send('left', lefts);
  await ledger.send('right', rights);
  const job = await ledger.run();
  expect(job.status).toBe('completed');
  expect((await ledger.state()).groups).toEqual(groups);
});

test('a group of opposite signs shows each amount as it was sent', async () => {
  const ledger = await openLedger(api, { ...amountRules, amountSign: 'opposite', composition: { enabled: true } });
  await ledger.send('left', { L: { amount: -300 } });
  await ledger.send('right', { A: { amount: 100 }, B: { amount: 200 } });
  await ledger.run();
  const { body } = await ledger.tenant.api.get(`/v1/composite-matches/${await ledger.idOf('L=A+B')}`).expect(200);
  expect(body).toMatchObject({ targetAmount: -300, composedAmount: -300, amountDelta: 0 });
  const { members } = body as { members: { amount: number }[] };
  expect(members.map(({ amount }) => amount).sort()).toEqual([100, 200]);
});

test.each<[string, object, object, object, string[]]>([
  ['an absolute tolerance', { amountTolerance: 5 }, { amount: 100 }, { amount: 95 }, ['L~R MATCH']],
  ['beyond an absolute tolerance', { amountTolerance: 5 }, { amount: 100 }, { amount: 94.99 }, []],
  [
    'the larger of both tolerances',
    { amountTolerance: 5, amountTolerancePercent: 10 },
    { amount: 100 },
    { amount: 90 },
    ['L~R MATCH'],
  ],
  ['opposite signs', { amountSign: 'opposite', amountTolerance: 0 }, { amount: -100 }, { amount: 100 }, ['L~R MATCH']],
  [
    'equal signs for opposite ones',
    { amountSign: 'opposite', amountTolerance: 0 },
    { amount: 100 },
    { amount: 100 },
    [],
  ],
  ['opposite signs in buckets', { amountSign: 'opposite' }, { amount: -100 }, { amount: 100 }, ['L~R MATCH']],
  ['equal signs for opposite ones in buckets', { amountSign: 'opposite' }, { amount: 100 }, { amount: 100 }, []],
  ['any signs in buckets where none is asked for', {}, { amount: -100 }, { amount: 100 }, ['L~R MATCH']],
  [
    'the day in a time zone',
    { timezone: 'America/New_York', windowDays: 0 },
    { amount: 1, date: '2026-03-01' },
    { amount: 1, date: '2026-03-01T23:30:00-05:00' },
    ['L~R MATCH'],
  ],
  [
    'the UTC day without one',
    { windowDays: 0 },
    { amount: 1, date: '2026-03-01' },
    { amount: 1, date: '2026-03-01T23:30:00-05:00' },
    [],
  ],
])('pairs are found by %s', async (_, params, left, right, pairs) => {
  const ledger = await openLedger(api, {
    ...amountRules,
    blocking: { amountKey: 'amount', dateKey: 'date' },
    matchers: [{ expr: 'true' }],
    ...params,
  });
  await ledger.send('left', { L: left });
  await ledger.send('right', { R: right });
  await ledger.run();
  expect((await ledger.state()).pairs).toEqual(pairs);
});

test.each<[string, object, string, RegExp]>([
  ['an unknown sign', { amountSign: 'both' }, '/params/amountSign', /same|allowed/],
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, '/params/timezone', /IANA/],
  ['a negative tolerance', { amountTolerance: -1 }, '/params/amountTolerance', /0/],
  ['no match keys', { composition: { matchKeys: [] } }, '/params/composition/matchKeys', /1/],
  [
    'half a match key',
    { composition: { matchKeys: [{ left: 'a' }] } },
    '/params/composition/matchKeys/0/right',
    /required/,
  ],
  [
    'an unknown matcher',
    { composition: { evidence: { matchers: ['x'] } } },
    '/params/composition/evidence/matchers/0',
    /amount/,
  ],
  [
    'a weight above 1',
    { composition: { evidence: { matchers: ['amount'], weight: 2 } } },
    '/params/composition/evidence/weight',
    /1/,
  ],
  ['an unknown key', { amountSigns: 'same' }, '/params/amountSigns', /known/],
])('%s is refused with its path', async (_, params, path, message) => {
  const ledger = await openLedger(api, amountRules);
  const { body } = await ledger.tenant.api
    .patch(`/v1/rule-sets/${ledger.ruleSetId}`, { params: { ...amountRules, ...params } })
    .expect(400);
  expect(body).toMatchObject({ errors: [{ path, message: expect.stringMatching(message) as string }] });
});
