import { newId } from '@tieout/infra';
import { openBooks, startTestApi, type Books, type TestApi, type TestTenant } from '../../../testing';

type JsonObject = Record<string, unknown>;

let api: TestApi;
let books: Books;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  books = await openBooks(api, [], []);
  tenant = books.tenant;
});

afterAll(() => api.close());

const thresholds = { Tmatch: 0.9, Tpossible: 0.5 };
const matchers = [{ expr: 'left.a = right.a' }];

const definition = (change: JsonObject = {}): JsonObject => ({
  name: 'rules',
  leftDatasetId: books.leftId,
  rightDatasetId: books.rightId,
  jsonataExpr: 'left.a = right.a',
  params: thresholds,
  ...change,
});

/** With `undefined` for a key that is to be left out. */
const create = (change: JsonObject = {}) => tenant.api.post('/v1/rule-sets', definition(change));

interface ErrorBody {
  code: string;
  errors: { path: string; code: string; message: string }[];
}

describe('what cannot run is refused with 400, path and code', () => {
  const batch = (params: JsonObject): JsonObject => ({
    engine: 'jsonata-batch',
    jsonataExpr: undefined,
    params: { ...thresholds, ...params },
  });
  const withParams = (params: JsonObject): JsonObject => ({ params: { ...thresholds, ...params } });
  const withBlocking = (blocking: JsonObject): JsonObject => withParams({ blocking });
  const withComposition = (composition: JsonObject): JsonObject => withParams({ composition });

  test.each<[string, JsonObject, string, string]>([
    ['no name', { name: undefined }, '/name', 'required'],
    ['an empty name', { name: '' }, '/name', 'minLength'],
    ['no left dataset', { leftDatasetId: undefined }, '/leftDatasetId', 'required'],
    ['no right dataset', { rightDatasetId: undefined }, '/rightDatasetId', 'required'],
    ['a left dataset that is not a uuid', { leftDatasetId: 'left' }, '/leftDatasetId', 'format'],
    ['a right dataset that is not a uuid', { rightDatasetId: 7 }, '/rightDatasetId', 'type'],
    ['a left dataset that is unknown', { leftDatasetId: newId() }, '/leftDatasetId', 'unknown_dataset'],
    ['a right dataset that is unknown', { rightDatasetId: newId() }, '/rightDatasetId', 'unknown_dataset'],
    ['another engine', { engine: 'sql' }, '/engine', 'enum'],
    ['no params', { params: undefined }, '/params', 'required'],
    ['no Tmatch', { params: { Tpossible: 0.5 } }, '/params/Tmatch', 'required'],
    ['no Tpossible', { params: { Tmatch: 0.5 } }, '/params/Tpossible', 'required'],
    ['Tmatch as text', { params: { Tmatch: '0.9', Tpossible: 0.5 } }, '/params/Tmatch', 'type'],
    ['a Tmatch below 0', { params: { Tmatch: -0.1, Tpossible: -0.2 } }, '/params/Tmatch', 'out_of_range'],
    ['a Tmatch above 100', { params: { Tmatch: 100.5, Tpossible: 50 } }, '/params/Tmatch', 'out_of_range'],
    ['a Tpossible below 0', { params: { Tmatch: 0.9, Tpossible: -0.1 } }, '/params/Tpossible', 'out_of_range'],
    ['Tpossible > Tmatch', { params: { Tmatch: 0.9, Tpossible: 0.91 } }, '/params/Tpossible', 'tpossible_gt_tmatch'],
    ['engine jsonata without jsonataExpr', { jsonataExpr: undefined }, '/jsonataExpr', 'jsonata_expr_required'],
    ['jsonataExpr of null', { jsonataExpr: null }, '/jsonataExpr', 'type'],
    ['an empty jsonataExpr', { jsonataExpr: '' }, '/jsonataExpr', 'S0207'],
    ['matchers on engine jsonata', withParams({ matchers }), '/params/matchers', 'matchers_not_allowed'],
    ['engine jsonata-batch without matchers', batch({}), '/params/matchers', 'matchers_required'],
    [
      'engine jsonata-batch with no matcher in the list',
      batch({ matchers: [] }),
      '/params/matchers',
      'matchers_required',
    ],
    ['a matcher without expr', batch({ matchers: [{ id: 'a' }] }), '/params/matchers/0/expr', 'required'],
    [
      'two matchers with one id',
      batch({
        matchers: [
          { id: 'a', expr: '1' },
          { id: 'a', expr: '1' },
        ],
      }),
      '/params/matchers/1/id',
      'duplicate_matcher_id',
    ],
    [
      'an id that is the default of another matcher',
      batch({ matchers: [{ id: 'm2', expr: '1' }, { expr: '1' }] }),
      '/params/matchers/1/id',
      'duplicate_matcher_id',
    ],
    ['a negative weight', batch({ matchers: [{ expr: '1', weight: -1 }] }), '/params/matchers/0/weight', 'minimum'],
    ['weights that sum to 0', batch({ matchers: [{ expr: '1', weight: 0 }] }), '/params/matchers', 'weights_sum'],
    ['required as a number', batch({ matchers: [{ expr: '1', required: 1 }] }), '/params/matchers/0/required', 'type'],
    ['a negative windowDays', withParams({ windowDays: -1 }), '/params/windowDays', 'minimum'],
    ['a negative tolerance', withParams({ amountTolerancePercent: -0.1 }), '/params/amountTolerancePercent', 'minimum'],
    ['a filter that is not text', withParams({ filters: [true] }), '/params/filters/0', 'type'],
    ['another assignment', withParams({ assignment: 'greedy' }), '/params/assignment', 'enum'],
    ['an empty amountKey', withBlocking({ amountKey: '' }), '/params/blocking/amountKey', 'minLength'],
    [
      'a bucket size of 0',
      withBlocking({ amountBucketSize: 0 }),
      '/params/blocking/amountBucketSize',
      'exclusiveMinimum',
    ],
    [
      'a bucket size below a ten-thousandth',
      withBlocking({ amountBucketSize: 0.00001 }),
      '/params/blocking/amountBucketSize',
      'out_of_range',
    ],
    [
      'a negative tolerance of blocking',
      withBlocking({ amountTolerancePercent: -1 }),
      '/params/blocking/amountTolerancePercent',
      'minimum',
    ],
    ['another direction', withComposition({ direction: 'up' }), '/params/composition/direction', 'not_allowed'],
    [
      'another date strategy',
      withComposition({ dateStrategy: 'weekly' }),
      '/params/composition/dateStrategy',
      'not_allowed',
    ],
    ['a group of 1', withComposition({ maxGroupSize: 1 }), '/params/composition/maxGroupSize', 'out_of_range'],
    ['a group of 61', withComposition({ maxGroupSize: 61 }), '/params/composition/maxGroupSize', 'out_of_range'],
    [
      'a ratio above 1',
      withComposition({ partial: { minCompletionRatio: 1.1 } }),
      '/params/composition/partial/minCompletionRatio',
      'out_of_range',
    ],
    [
      'a part of more members than a group may have',
      withComposition({ maxGroupSize: 5, partial: { minMembers: 6 } }),
      '/params/composition/partial/minMembers',
      'out_of_range',
    ],
    [
      'a divisor of 1',
      withComposition({ installmentDiscovery: { maxDivisor: 1 } }),
      '/params/composition/installmentDiscovery/maxDivisor',
      'out_of_range',
    ],
    ['logicJson that is not a map', { logicJson: [] }, '/logicJson', 'type'],
    ['a NUL character', { name: 'a\0b' }, '/name', 'nul_character'],
  ])('%s', async (_what, change, path, code) => {
    const { body } = await create(change).expect(400);
    expect(body).toMatchObject({ status: 'error', code: 'validation_error' });
    expect((body as ErrorBody).errors).toContainEqual(expect.objectContaining({ path, code }));
  });

  test('Tpossible > Tmatch names the threshold', async () => {
    const { body } = await create({ params: { Tmatch: 0.9, Tpossible: 1 } }).expect(400);
    expect((body as ErrorBody).errors).toEqual([
      { path: '/params/Tpossible', code: 'tpossible_gt_tmatch', message: 'must be <= Tmatch (0.9)' },
    ]);
  });

  test.each([
    ['/', { namme: 'x' }, '/namme', 'is not a known key; did you mean name?'],
    ['/params', withParams({ Tmach: 1 }), '/params/Tmach', 'is not a known key; did you mean Tmatch?'],
    [
      'a matcher',
      batch({ matchers: [{ expr: '1', wieght: 2 }] }),
      '/params/matchers/0/wieght',
      'is not a known key; did you mean weight?',
    ],
    [
      'blocking',
      withBlocking({ amountkey: 'a' }),
      '/params/blocking/amountkey',
      'is not a known key; did you mean amountKey?',
    ],
    [
      'composition.partial',
      withComposition({ partial: { minMember: 1 } }),
      '/params/composition/partial/minMember',
      'is not a known key; did you mean minMembers?',
    ],
  ])('an unknown key in %s is named with the key that was probably meant', async (_where, change, path, message) => {
    const { body } = await create(change).expect(400);
    expect((body as ErrorBody).errors).toContainEqual({ path, code: 'unknown_key', message });
  });

  test.each([
    ['jsonataExpr', { jsonataExpr: 'left.a = ' }, '/jsonataExpr', 'S0207'],
    [
      'a gate',
      { engine: 'jsonata-batch', jsonataExpr: 'left.[', params: { ...thresholds, matchers } },
      '/jsonataExpr',
      'S0203',
    ],
    ['a matcher', batch({ matchers: [{ expr: '1' }, { expr: 'left..' }] }), '/params/matchers/1/expr', 'S0201'],
    ['a filter', withParams({ filters: ['true', '1 +* 2 )'] }), '/params/filters/1', 'S0201'],
    ['$eval', { jsonataExpr: '$eval("1")' }, '/jsonataExpr', 'eval_not_allowed'],
  ])(
    'an expression that does not parse is refused with path, position and token: %s',
    async (_where, change, path, code) => {
      const { body } = await create(change).expect(400);
      expect((body as ErrorBody).errors).toEqual([
        {
          path,
          code,
          message: expect.stringMatching(/position \d+/) as string,
          position: expect.any(Number) as number,
          token: expect.any(String) as string,
        },
      ]);
    },
  );

  test('one dataset on both sides composes nothing: a record could be its own member', async () => {
    const { body } = await create({ rightDatasetId: books.leftId, ...withComposition({ enabled: true }) }).expect(400);
    expect((body as ErrorBody).errors).toEqual([
      {
        path: '/params/composition/enabled',
        code: 'same_dataset',
        message:
          'must be false where leftDatasetId and rightDatasetId are the same; keep targets and members in two datasets',
      },
    ]);
    await create({ rightDatasetId: books.leftId, ...withComposition({ enabled: false }) }).expect(201);
  });

  test('every fault is named at once', async () => {
    const { body } = await create({
      leftDatasetId: newId(),
      jsonataExpr: '(',
      params: { Tmatch: 0.5, Tpossible: 0.6 },
    }).expect(400);
    expect((body as ErrorBody).errors.map((e) => e.path).sort()).toEqual([
      '/jsonataExpr',
      '/leftDatasetId',
      '/params/Tpossible',
    ]);
  });
});
