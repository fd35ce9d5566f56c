import { amountRules, openLedger, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const contains = {
  ...amountRules,
  blocking: undefined,
  matchers: [{ id: 'ref', expr: '$contains(right.text, left.no)' }],
};

test.each<[string, object, Record<string, object>, Record<string, object>, string[], RegExp]>([
  [
    'a number as a text',
    contains,
    { I1: { no: 7 } },
    { B1: { text: 'a 7' } },
    ['all_pairs_error'],
    /ref: T0410.*\$string/,
  ],
  [
    'null as a text',
    contains,
    { I1: { no: null } },
    { B1: { text: 'a' } },
    ['all_pairs_error'],
    /ref: T0410.*null.*\? \$contains.* : false/,
  ],
  [
    'evidence that fails',
    { ...amountRules, matchers: contains.matchers, composition: { enabled: true, evidence: { matchers: ['ref'] } } },
    { I1: { amount: 100, no: 7 } },
    { B1: { amount: 60, text: '7' }, B2: { amount: 40, text: '8' } },
    ['composition_error'],
    /^2 evaluations.*ref: T0410.*\$string/,
  ],
  [
    'nothing that reaches Tpossible',
    contains,
    { I1: { no: 'x' } },
    { B1: { text: 'y' } },
    ['nothing_kept'],
    /Tpossible/,
  ],
  [
    'amounts that differ',
    amountRules,
    { I1: { amount: 1 } },
    { B1: { amount: 9 } },
    ['no_candidates'],
    /amountTolerance/,
  ],
  ['no amounts', amountRules, { I1: {} }, { B1: { amount: 9 } }, ['all_left_unblocked'], /amountKeyLeft/],
  [
    'a filter that drops every record of a side',
    { ...amountRules, filters: ["right.kind = 'x'"] },
    { I1: { amount: 1 } },
    { B1: { amount: 1 } },
    ['all_right_filtered', 'absent_field'],
    /params\.filters/,
  ],
  [
    'a filter that fails on every record of a side',
    { ...amountRules, filters: ["$contains(left.no, 'x')"] },
    { I1: { amount: 1, no: 7 } },
    { B1: { amount: 1 } },
    ['all_left_filtered'],
    /failed on 1 record\..*filters\/0: T0410/,
  ],
  [
    'no field for evidence, beside a match',
    {
      ...amountRules,
      matchers: [...amountRules.matchers, { id: 'ref', expr: '$contains(left.text, right.number)', weight: 0 }],
      composition: { enabled: true, evidence: { matchers: ['ref'], required: true } },
    },
    { I1: { amount: 100, text: 'N1' }, I2: { amount: 5, text: 'N5' } },
    { B1: { amount: 60, no: 'N1' }, B2: { amount: 40, no: 'N1' }, B3: { amount: 5, no: 'N5' } },
    ['absent_field'],
    /No right record has the field number that matcher ref reads/,
  ],
  [
    'no field for a filter, and nothing else',
    { ...amountRules, filters: ["left.knd = 'x'"] },
    { I1: { amount: 1, kind: 'x' } },
    { B1: { amount: 1 } },
    ['all_left_filtered', 'absent_field'],
    /params\.filters.* reads: do you mean kind|No left record passes/,
  ],
  ['an empty dataset', amountRules, { I1: { amount: 1 } }, {}, ['no_right_records'], /right dataset/],
  ['a match', amountRules, { I1: { amount: 1 } }, { B1: { amount: 1 } }, [], /^$/],
])('a job that finds %s says so and what to do', async (_, params, lefts, rights, codes, message) => {
  const ledger = await openLedger(api, params);
  await ledger.send('left', lefts);
  if (Object.keys(rights).length > 0) await ledger.send('right', rights);
  const job = (await ledger.run()) as unknown as { warnings: { code: string; message: string }[] };
  expect(job.warnings.map(({ code }) => code)).toEqual(codes);
  for (const warning of job.warnings) expect(warning.message).toMatch(message);
  expect(job).toMatchObject({ rule_sets: [{ warnings: job.warnings }] });
  const ruleSet = `/v1/rule-sets/${ledger.ruleSetId}`;
  const { body } = (await ledger.tenant.api.get(ruleSet).expect(200)) as { body: { warnings: { code: string }[] } };
  expect(body.warnings.filter(({ code }) => code !== 'no_blocking')).toEqual(job.warnings);
  const { body: page } = await ledger.tenant.api.get('/v1/rule-sets').expect(200);
  expect(page).toMatchObject({ items: [{ warnings: body.warnings }] });
});

test.each<[string, object, string[]]>([
  ['without blocking', { ...amountRules, blocking: undefined }, ['no_blocking']],
  ['that keeps everything', { ...amountRules, Tpossible: 0 }, ['all_possible']],
  ['without faults', amountRules, []],
  ['that composes by matchers', { ...amountRules, composition: { enabled: true } }, []],
])('a rule set %s carries its warnings', async (_, params, codes) => {
  const ledger = await openLedger(api, params);
  const { body } = await ledger.tenant.api.get(`/v1/rule-sets/${ledger.ruleSetId}`).expect(200);
  expect((body as { warnings: { code: string }[] }).warnings.map(({ code }) => code)).toEqual(codes);
});

test('groups on which the expression of a rule set does not decide: the rule set and its jobs warn', async () => {
  const composition = { enabled: true };
  const engine = { engine: 'jsonata', jsonataExpr: 'left.no = right.no' };
  const { matchers: _matchers, ...params } = amountRules;
  const ledger = await openLedger(api, { ...params, composition }, engine);
  await ledger.send('left', { I1: { amount: 100, no: 1 } });
  await ledger.send('right', { B1: { amount: 60, no: 1 }, B2: { amount: 40, no: 2 } });
  const job = (await ledger.run()) as unknown as { warnings: { code: string }[] };
  expect(job.warnings.map(({ code }) => code)).toEqual(['composition_ignores_expression']);
  const tied = await ledger.patch({
    params: { ...params, composition: { ...composition, matchKeys: [{ left: 'no', right: 'no' }] } },
  });
  // The warning of the earlier version stands with its result until the next job.
  await ledger.run();
  const { body } = await ledger.tenant.api.get(`/v1/rule-sets/${tied.id}`).expect(200);
  expect((body as { warnings: { code: string }[] }).warnings.map(({ code }) => code)).toEqual(['no_candidates']);
});

test.each<[string, object, string[]]>([
  [
    'matchKeys, on the right',
    { matchKeys: [{ left: 'payer', right: 'custmer' }] },
    ['No right record has the field custmer that params.composition.matchKeys[0].right reads: do you mean customer?'],
  ],
  [
    'matchKeys, on the left',
    { matchKeys: [{ left: 'PAYER', right: 'customer' }] },
    ['No left record has the field PAYER that params.composition.matchKeys[0].left reads: do you mean payer?'],
  ],
  [
    'groupByField',
    { groupByField: 'bil' },
    ['No right record has the field bil that params.composition.groupByField reads: do you mean bill?'],
  ],
  [
    'amountField, a path',
    { amountField: 'net.totl' },
    [
      'No left record has the field net.totl that params.composition.amountField reads: do you mean net?',
      'No right record has the field net.totl that params.composition.amountField reads: do you mean net?',
    ],
  ],
  [
    'dateFieldRight',
    { dateStrategy: 'after', dateFieldRight: 'boked' },
    ['No right record has the field boked that params.composition.dateFieldRight reads: do you mean booked?'],
  ],
  ['dateFieldRight without a strategy', { dateFieldRight: 'boked' }, []],
  [
    'installments, which neither side has',
    { installmentDiscovery: { enabled: true, totalCountField: 'plan' } },
    [
      'No left or right record has the field plan that params.composition.installmentDiscovery.totalCountField ' +
        'reads: name a field that they have',
    ],
  ],
])('a field of composition that no record has is named with near names: %s', async (_, keys, messages) => {
  const ledger = await openLedger(api, { ...amountRules, composition: { enabled: true, ...keys } });
  const same = { amount: 60, date: '2026-03-01', net: { total: 60 } };
  await ledger.send('left', { I1: { ...same, payer: 'Zed' } });
  await ledger.send('right', { B1: { ...same, customer: 'Zed', bill: 'A', booked: '2026-03-01' } });
  const { warnings } = (await ledger.run()) as unknown as { warnings: { code: string; message: string }[] };
  expect(warnings).toEqual(messages.map((message) => ({ code: 'absent_field', message })));
});
