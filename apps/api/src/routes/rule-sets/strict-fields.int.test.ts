import { openBooks, startTestApi, type Books, type TestApi } from '../../../testing';

const settings = { validateFieldsStrict: true };
const declared = ['amount', 'items', 'address', 'net-total', 'a.b'];
const thresholds = { Tmatch: 1, Tpossible: 1 };

let api: TestApi;
let books: Books;

/** A tenant whose left dataset declares some fields; the right one declares `sum`. */
async function declareFields(on: TestApi): Promise<Books> {
  const opened = await openBooks(on, [], []);
  const declare = (datasetId: string, keys: readonly string[]) =>
    opened.tenant.api
      .post(`/v1/datasets/${datasetId}/fields/from-columns`, {
        columns: keys.map((key) => ({ name: key, key, type: 'string' })),
      })
      .expect(200);
  await declare(opened.leftId, declared);
  await declare(opened.rightId, ['sum']);
  return opened;
}

beforeAll(async () => {
  api = await startTestApi({ settings });
  books = await declareFields(api);
});

afterAll(() => api.close());

const create = (change: object) =>
  books.tenant.api.post('/v1/rule-sets', {
    name: 'x',
    leftDatasetId: books.leftId,
    rightDatasetId: books.rightId,
    params: thresholds,
    ...change,
  });

test.each([
  'left.amount = right.sum',
  'left.address.city.name = right.sum',
  'left.`net-total` > 0 and left.`a.b` = right.sum',
  'left.items[price > 3 and colour = "red"].qty',
  '$sum(left.items.(price * qty)) = right.sum',
  'left.(amount + $number(items))',
  'left.{"x": amount}.x = right.sum',
  '$$.left.amount = $.right.sum',
  '"left.nothing" = /left\\.nothing/ /* left.nothing */',
  '($l := left; $l.amount = right.sum)',
  '$count($keys(left)) > 0',
])('%s names declared fields only and is accepted', async (jsonataExpr) => {
  await create({ jsonataExpr }).expect(201);
});

test.each([
  ['left.amuont = right.sum', ['left.amuont']],
  ['left.amount = right.amount', ['right.amount']],
  ['left.city', ['left.city']],
  ['left.`amount.net`', ['left.amount.net']],
  ['left.a.b', ['left.a']],
  ['left.(amount + tax)', ['left.tax']],
  ['left.{"x": tax}', ['left.tax']],
  ['$$.left.tax > $.right.vat', ['left.tax', 'right.vat']],
  ['($l := left; $l.tax)', ['left.tax']],
  ['left.items[price > $$.left.limit]', ['left.limit']],
  ['left.amount ? left.yes : left.no', ['left.no', 'left.yes']],
])('%s is refused for the fields that its datasets do not declare', async (jsonataExpr, unknown) => {
  const { body } = await create({ jsonataExpr }).expect(400);
  const { errors } = body as { errors: { path: string; code: string; message: string }[] };
  expect(errors.map((e) => /names (\S+),/.exec(e.message)?.[1])).toEqual(unknown);
  expect(new Set(errors.map((e) => `${e.path} ${e.code}`))).toEqual(new Set(['/jsonataExpr undeclared_field']));
});

test('what the syntax tree does not say for certain is not held against an expression', async () => {
  await create({ jsonataExpr: 'function($x){ $x.left.tax }($$)' }).expect(201);
});

test.each([
  [
    'a matcher',
    { engine: 'jsonata-batch', params: { ...thresholds, matchers: [{ expr: 'left.amount' }, { expr: 'left.tax' }] } },
    '/params/matchers/1/expr',
  ],
  [
    'a filter',
    { jsonataExpr: 'true', params: { ...thresholds, filters: ['left.amount > 0', 'right.vat > 0'] } },
    '/params/filters/1',
  ],
  [
    'a gate',
    { engine: 'jsonata-batch', jsonataExpr: 'left.tax', params: { ...thresholds, matchers: [{ expr: '1' }] } },
    '/jsonataExpr',
  ],
])('an undeclared field in %s is refused with its path', async (_where, change, path) => {
  const { body } = await create(change).expect(400);
  expect(body).toMatchObject({ code: 'validation_error', errors: [{ path, code: 'undeclared_field' }] });
});

test('a change is held against the declared fields too', async () => {
  const { id } = await books.ruleSet({ jsonataExpr: 'left.amount = right.sum' });
  const { body } = await books.tenant.api.patch(`/v1/rule-sets/${id}`, { jsonataExpr: 'left.tax' }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/jsonataExpr', code: 'undeclared_field' }] });
});

test('so is a preview that names its datasets', async () => {
  const ruleSet = {
    jsonataExpr: 'left.tax',
    params: thresholds,
    leftDatasetId: books.leftId,
    rightDatasetId: books.rightId,
  };
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/preview', { ruleSet, pairs: [{ left: {}, right: {} }] })
    .expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/ruleSet/jsonataExpr', code: 'undeclared_field' }] });
});

test('unless the deployment asks for it, undeclared fields are accepted', async () => {
  const lenient = await startTestApi();
  try {
    const opened = await declareFields(lenient);
    await opened.ruleSet({ jsonataExpr: 'left.tax = right.vat' });
  } finally {
    await lenient.close();
  }
});
