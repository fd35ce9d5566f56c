import { openBooks, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ settings: { maxUnblockedPairs: 200 } });
});

afterAll(() => api.close());

const lefts = [
  { number: 'INV-1', name: 'Acme', sum: 10, day: '2025-01-01' },
  { number: 'INV-2', name: 'Beta', sum: 20, day: '2025-01-02' },
  { number: 'INV-3', name: 'Gamma', sum: 30, day: '2025-01-03' },
];
const rights = [
  { memo: 'pays INV-1 and INV-2', name: 'acme', sum: 30, day: '2025-01-05' },
  { memo: 'thanks', name: 'GAMMA', sum: 30, day: '2025-01-10' },
  { memo: null, name: 'other', sum: 20, day: '2025-01-01' },
];
const codes = { left: 'number', right: '$match(memo, /INV-\\d+/).match' };
const names = { expr: '$lowercase(name)' };

test.each<[string, object, string[]]>([
  ['any element of a list agrees', { keys: [codes] }, ['l0|r0', 'l1|r0']],
  ['all keys of a rule agree', { keys: [codes, names] }, ['l0|r0']],
  [
    'a key may name its side',
    { keys: [{ left: '$lowercase(left.name)', right: '$lowercase(right.name)' }] },
    ['l0|r0', 'l2|r1'],
  ],
  [
    'any rule lets a pair through, and both count once',
    { rules: [{ keys: [codes] }, { keys: [names] }] },
    ['l0|r0', 'l1|r0', 'l2|r1'],
  ],
  [
    'rules may be of other parts',
    {
      rules: [
        { amountKey: 'sum', amountTolerance: 0, dateKey: 'day', dateFromDays: -1, dateToDays: 3 },
        { keys: [names], dateKey: 'day', dateFromDays: 5, dateToDays: 7 },
      ],
    },
    ['l1|r2', 'l2|r0', 'l2|r1'],
  ],
  [
    'the right date comes 1 to 4 days after the left one',
    { dateKey: 'day', dateFromDays: 1, dateToDays: 4 },
    ['l0|r0', 'l1|r0', 'l2|r0'],
  ],
  [
    'the right date comes before the left one',
    { dateKey: 'day', dateFromDays: -2, dateToDays: -1 },
    ['l1|r2', 'l2|r2'],
  ],
])('%s', async (_name, blocking, expected) => {
  const books = await openBooks(api, lefts, rights);
  await books.ruleSet({ jsonataExpr: 'true', params: { Tmatch: 1, Tpossible: 1, blocking } });
  const job = await books.reconcile();
  expect(job).toMatchObject({ status: 'completed', pairs_total: expected.length, pairs_processed: expected.length });
  expect(Object.keys(await books.matches()).sort()).toEqual(expected);
});

const titles = {
  left: ['Bosch drill PSB-500 RE', 'Makita saw 5007', 'Garden hose'].map((title) => ({ title, kind: 'tool' })),
  right: ['drill bosch psb500re green', 'saw makita 5007 nk', 'drill stand', 'lamp'].map((name) => ({
    name,
    kind: name === 'drill stand' ? 'stand' : 'tool',
  })),
};

test.each<[string, object, string[]]>([
  [
    'each record finds its most similar ones',
    { text: { left: 'title', right: 'name', top: 1 } },
    ['l0|r0', 'l0|r2', 'l1|r1'],
  ],
  [
    'the other conditions of the rule hold too',
    {
      text: { left: 'title', right: 'name', top: 1 },
      keys: [{ expr: 'kind' }],
    },
    ['l0|r0', 'l1|r1'],
  ],
])('similar texts: %s', async (_name, rule, expected) => {
  const books = await openBooks(api, titles.left, titles.right);
  await books.ruleSet({ jsonataExpr: 'true', params: { Tmatch: 1, Tpossible: 1, blocking: { rules: [rule] } } });
  const job = await books.reconcile();
  expect(job).toMatchObject({ pairs_total: expected.length });
  expect(Object.keys(await books.matches()).sort()).toEqual(expected);
});

test('the explanation of a pair names the rules that let it through', async () => {
  const books = await openBooks(api, lefts, rights);
  await books.ruleSet({
    jsonataExpr: 'true',
    params: {
      Tmatch: 1,
      Tpossible: 1,
      blocking: { rules: [{ name: 'number in memo', keys: [codes] }, { keys: [names] }] },
    },
  });
  await books.reconcile();
  const matches = await books.matches();
  expect(
    Object.fromEntries(Object.entries(matches).map(([pair, { explanation }]) => [pair, explanation['blockingRules']])),
  ).toEqual({
    'l0|r0': ['number in memo', 'rule 2'],
    'l1|r0': ['number in memo'],
    'l2|r1': ['rule 2'],
  });
});

test('records that no rule can place are unblocked with a reason; a failing key is an ERROR too', async () => {
  const books = await openBooks(
    api,
    [
      { code: 'a', n: 1 },
      { n: 1 },
      { code: { x: 1 }, n: 1 },
      { code: Array.from({ length: 1_001 }, (_, i) => i), n: 1 },
    ],
    [
      { code: 'a', n: 1 },
      { code: 'a', n: 'x' },
    ],
  );
  await books.ruleSet({
    jsonataExpr: 'true',
    params: { Tmatch: 1, Tpossible: 1, blocking: { keys: [{ expr: 'code' }, { expr: 'n + 0' }] } },
  });
  const job = await books.reconcile();
  expect(job).toMatchObject({
    pairs_total: 1,
    decision_counts: { MATCH: 1, ERROR: 1 },
    unblocked: {
      left: { count: 3, reasons: { missing_key: 1, unreadable_key: 1, too_many_keys: 1 } },
      right: { count: 1, reasons: { failed_key: 1 } },
    },
    errors: [{ left_record_id: null, right_record_id: books.recordIds.get('r1'), expression: 'blocking/keys/1/expr' }],
  });
});

test('too many pairs fail the job with the name of the rule and the declared field that would narrow it', async () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ kind: 'x', number: i, secret: i }));
  const books = await openBooks(api, many, many);
  for (const id of [books.leftId, books.rightId])
    for (const key of ['kind', 'number'])
      await books.tenant.api.post(`/v1/datasets/${id}/fields`, { name: key, key, type: 'string' }).expect(201);
  await api.runIngest();
  await books.ruleSet({
    jsonataExpr: 'true',
    params: {
      Tmatch: 1,
      Tpossible: 1,
      blocking: { rules: [{ keys: [{ expr: 'number' }] }, { name: 'same kind', keys: [{ expr: 'kind' }] }] },
    },
  });
  const job = await books.reconcile();
  expect(job).toMatchObject({ status: 'failed', error: { code: 'too_many_pairs' } });
  const { message } = job['error'] as { message: string };
  expect(message).toContain('"same kind": ');
  expect(message).toContain('"number" about 5 %');
  expect(message).not.toContain('secret');
});

test('too many pairs of one of several rule sets name it, and declared fields that hold the same', async () => {
  const books = await openBooks(
    api,
    Array.from({ length: 20 }, (_, i) => ({ kind: 'x', invoice: `INV${i}` })),
    Array.from({ length: 20 }, (_, i) => ({ kind: 'x', reference: `INV${i}` })),
  );
  const declare = (id: string, key: string) =>
    books.tenant.api.post(`/v1/datasets/${id}/fields`, { name: key, key, type: 'string' }).expect(201);
  await declare(books.leftId, 'invoice');
  await declare(books.rightId, 'reference');
  await api.runIngest();
  const params = { Tmatch: 1, Tpossible: 1 };
  await books.ruleSet({
    name: 'tight',
    jsonataExpr: 'true',
    params: { ...params, blocking: { keys: [{ expr: 'none' }] } },
  });
  await books.ruleSet({ name: 'loose', jsonataExpr: 'true', params });
  const { message } = (await books.reconcile())['error'] as { message: string };
  expect(message).toMatch(/^Rule set "loose": Without blocking 400 pairs/);
  expect(message).toContain('"invoice" with right "reference" about 5 %');
});

test.each<[string, object, string]>([
  ['no rules', { rules: [] }, '/params/blocking/rules'],
  ['a rule without a condition', { rules: [{}] }, '/params/blocking/rules/0'],
  ['a date key without days', { rules: [{ dateKey: 'd' }] }, '/params/blocking/rules/0'],
  ['a key of one side only', { keys: [{ left: 'a' }] }, '/params/blocking/keys/0'],
  ['a key with expr and left', { keys: [{ left: 'a', right: 'b', expr: 'c' }] }, '/params/blocking/keys/0'],
  ['a key for both sides that names one', { keys: [{ expr: 'left.a' }] }, '/params/blocking/keys/0/expr'],
  [
    'a key of one side that names the other',
    { keys: [{ left: 'right.a', right: 'b' }] },
    '/params/blocking/keys/0/left',
  ],
  ['texts of one side that names the other', { text: { left: 'a', right: 'left.b' } }, '/params/blocking/text/right'],
  ['a key that does not parse', { keys: [{ expr: 'a +' }] }, '/params/blocking/keys/0/expr'],
  [
    'a tolerance beside rules',
    { dateToleranceDays: 1, rules: [{ keys: [{ expr: 'a' }] }] },
    '/params/blocking/dateToleranceDays',
  ],
  ['too many similar texts', { text: { left: 'a', right: 'b', top: 51 } }, '/params/blocking/text/top'],
  ['days in the wrong order', { dateFromDays: 3, dateToDays: 1 }, '/params/blocking/dateToDays'],
  ['one end of a window', { dateFromDays: 3 }, '/params/blocking/dateToDays'],
])('%s is refused by its field', async (_name, blocking, path) => {
  const books = await openBooks(api, [], []);
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/preview', {
      ruleSet: { jsonataExpr: 'true', params: { Tmatch: 1, Tpossible: 1, blocking } },
      pairs: [{ left: {}, right: {} }],
    })
    .expect(400);
  const paths = (body as { errors: { path: string }[] }).errors.map((error) => error.path);
  expect(paths).toEqual([`/ruleSet${path}`]);
});
