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
    ['all_right_filtered'],
    /params\.filters/,
  ],
  [
    'a filter that fails on every record of a side',
    { ...amountRules, filters: ["$contains(left.no, 'x')"] },
    { I1: { amount: 1, no: 7 } },
    { B1: { amount: 1 } },
    ['all_left_filtered'],
    /failed on 1 records.*filters\/0: T0410/,
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
])('a rule set %s carries its warnings', async (_, params, codes) => {
  const ledger = await openLedger(api, params);
  const { body } = await ledger.tenant.api.get(`/v1/rule-sets/${ledger.ruleSetId}`).expect(200);
  expect((body as { warnings: { code: string }[] }).warnings.map(({ code }) => code)).toEqual(codes);
});
