import { newId } from '@tieout/infra';
import {
  openBooks,
  startTestApi,
  type Books,
  type ListBody,
  type RuleSetBody,
  type TestApi,
  type TestTenant,
} from '../../../testing';

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

const sortedEntries = (map: object | null): string => JSON.stringify(Object.entries(map ?? {}).sort());

interface ErrorBody {
  code: string;
  errors: { path: string; code: string; message: string }[];
}

const allKeys = {
  Tmatch: 90,
  Tpossible: 60.5,
  windowDays: 3,
  amountTolerancePercent: 0.25,
  filters: ['left.a > 0', 'right.a > 0'],
  matchers: [{ id: 'amount', name: 'Amount', expr: 'left.a = right.a', weight: 0.5, required: true }, { expr: '1' }],
  blocking: {
    enabled: true,
    amountKey: 'a',
    amountKeyLeft: 'x.a',
    amountKeyRight: 'y.a',
    dateKey: 'd',
    dateKeyLeft: 'x.d',
    dateKeyRight: 'y.d',
    amountTolerancePercent: 1,
    amountBucketSize: 0.5,
    amountBucketWindow: 2,
    dateToleranceDays: 4,
  },
  composition: {
    enabled: true,
    direction: 'both',
    maxGroupSize: 60,
    amountField: 'a',
    amountTolerancePercent: 1,
    groupByField: 'g',
    preferCompleteGroup: false,
    dateStrategy: 'monthly',
    dateFieldLeft: 'x',
    dateFieldRight: 'y',
    dateToleranceDays: 2,
    allowNegativeAmounts: true,
    skipAlreadyMatched: false,
    partial: { enabled: true, minMembers: 3, minCompletionRatio: 0.75, uniformityRatio: 0.1 },
    installmentDiscovery: {
      enabled: true,
      maxDivisor: 36,
      divisorTolerance: 0.1,
      totalCountField: 't',
      unitValueField: 'u',
    },
  },
  assignment: 'one_to_one',
};

describe('creating', () => {
  test('answers 201 with the rule set as the interface shows it', async () => {
    const { body } = await create({ logicJson: { any: ['thing', null] } }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      name: 'rules',
      left_dataset_id: books.leftId,
      right_dataset_id: books.rightId,
      engine: 'jsonata',
      jsonata_expr: 'left.a = right.a',
      params: thresholds,
      effective_params: expect.any(Object) as object,
      logic_json: { any: ['thing', null] },
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      warnings: [{ code: 'no_blocking', message: expect.stringContaining('add params.blocking') as string }],
    });
  });

  test('engine jsonata-batch needs no expression, and what is absent is null', async () => {
    const { body } = await create({
      engine: 'jsonata-batch',
      jsonataExpr: undefined,
      params: { ...thresholds, matchers },
    }).expect(201);
    expect(body).toMatchObject({ engine: 'jsonata-batch', jsonata_expr: null, logic_json: null });
  });

  test('engine jsonata-batch takes an expression as a gate', async () => {
    const { body } = await create({ engine: 'jsonata-batch', params: { ...thresholds, matchers } }).expect(201);
    expect(body).toMatchObject({ jsonata_expr: 'left.a = right.a' });
  });

  test('every key of params is accepted and comes back as it was sent', async () => {
    const { body } = await create({ engine: 'jsonata-batch', jsonataExpr: undefined, params: allKeys }).expect(201);
    expect((body as RuleSetBody).params).toEqual(allKeys);
  });

  test('logicJson comes back as it was sent, whatever its keys are', async () => {
    const logicJson = JSON.parse(
      '{"__proto__": {"a": 1}, "constructor": 2, "": [], "é😀": {"deep": [{"x": 1e-7}]}}',
    ) as JsonObject;
    const { body } = await create({ logicJson }).expect(201);
    const { id } = body as RuleSetBody;
    const stored = await tenant.api.get(`/v1/rule-sets/${id}`).expect(200);
    // Text tells an own key __proto__ from a prototype.
    expect(sortedEntries((stored.body as RuleSetBody).logic_json)).toBe(sortedEntries(logicJson));
  });

  test('effective_params holds every default', async () => {
    const { body } = await create({
      engine: 'jsonata-batch',
      jsonataExpr: undefined,
      params: { ...thresholds, matchers: [...matchers, { expr: '1', weight: 3 }] },
    });
    expect((body as RuleSetBody).effective_params).toMatchObject({
      scale: 1,
      filters: [],
      assignment: 'none',
      matchers: [
        { id: 'm1', name: 'm1', weight: 1, required: false },
        { id: 'm2', weight: 3, required: false },
      ],
      blocking: {
        enabled: false,
        amountKeyLeft: 'amount',
        amountKeyRight: 'amount',
        dateKeyLeft: 'date',
        amountBucketSize: 1,
        amountBucketWindow: 1,
      },
      composition: {
        enabled: false,
        direction: 'left_to_many_right',
        maxGroupSize: 12,
        amountField: 'amount',
        amountTolerancePercent: 0,
        preferCompleteGroup: true,
        dateStrategy: 'none',
        dateToleranceDays: 0,
        allowNegativeAmounts: false,
        skipAlreadyMatched: true,
        partial: { enabled: false, minMembers: 2, minCompletionRatio: 0.5, uniformityRatio: 0 },
        installmentDiscovery: { enabled: false, maxDivisor: 24, divisorTolerance: 0.05 },
      },
    });
  });

  test('effective_params shows what one key takes over from another', async () => {
    const params = {
      Tmatch: 80,
      Tpossible: 1,
      windowDays: 4,
      amountTolerancePercent: 2,
      blocking: { amountKey: 'sum', amountKeyRight: 'total' },
    };
    const { body } = await create({ params }).expect(201);
    expect((body as RuleSetBody).effective_params).toMatchObject({
      scale: 100,
      blocking: {
        enabled: true,
        amountKeyLeft: 'sum',
        amountKeyRight: 'total',
        amountTolerancePercent: 2,
        dateToleranceDays: 4,
      },
      composition: { amountFieldLeft: 'sum', amountFieldRight: 'total', dateToleranceDays: 4 },
    });
  });

  test('the same request with the same Idempotency-Key makes one rule set', async () => {
    const name = newId();
    const post = () => create({ name }).set('idempotency-key', name);
    const first = await post().expect(201);
    const again = await post().expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const { body } = await create({ name: 'other' }).set('idempotency-key', name).expect(422);
    expect(body).toMatchObject({ code: 'idempotency_key_reused' });
    const list = await tenant.api.get('/v1/rule-sets?limit=100').expect(200);
    expect((list.body as ListBody<RuleSetBody>).items.filter((r) => r.name === name)).toHaveLength(1);
  });
});

describe('limits', () => {
  const longest = 65_536;
  const padded = (length: number, filler = ' '): string => `true${filler.repeat(length - 4)}`;

  test.each([
    ['blanks', padded(longest)],
    ['characters outside the basic plane', `"${'😀'.repeat(longest - 2)}"`],
    ['a chain of conditions', `${'left.a = right.a and '.repeat(3120)}true`],
  ])('an expression of up to 65,536 characters is accepted: %s', async (_what, jsonataExpr) => {
    const { body } = await create({ jsonataExpr }).expect(201);
    expect((body as RuleSetBody).jsonata_expr).toBe(jsonataExpr);
  });

  test('names and keys may be as long as a hundred thousand characters', async () => {
    const long = 'n'.repeat(100_000);
    const params = { ...thresholds, blocking: { amountKey: long }, matchers: [{ id: long, name: long, expr: 'true' }] };
    const { body } = await create({ name: long, engine: 'jsonata-batch', jsonataExpr: undefined, params }).expect(201);
    expect(body).toMatchObject({ name: long, params });
  });

  test('1,000 matchers and 1,000 filters are accepted, one more is refused', async () => {
    const many = (count: number): JsonObject => ({
      engine: 'jsonata-batch',
      params: {
        ...thresholds,
        matchers: Array.from({ length: count }, () => ({ expr: '1' })),
        filters: Array.from({ length: count }, () => 'true'),
      },
    });
    await create(many(1_000)).expect(201);
    const { body } = await create(many(1_001)).expect(400);
    expect((body as ErrorBody).errors.map((e) => [e.path, e.code])).toEqual([
      ['/params/filters', 'maxItems'],
      ['/params/matchers', 'maxItems'],
    ]);
  });

  test.each([
    ['jsonataExpr', { jsonataExpr: padded(longest + 1) }, '/jsonataExpr'],
    ['jsonataExpr of wide characters', { jsonataExpr: `"${'😀'.repeat(longest - 1)}"` }, '/jsonataExpr'],
    [
      'a matcher',
      { engine: 'jsonata-batch', params: { ...thresholds, matchers: [{ expr: padded(longest + 1) }] } },
      '/params/matchers/0/expr',
    ],
    ['a filter', { params: { ...thresholds, filters: ['true', padded(longest + 1)] } }, '/params/filters/1'],
  ])('an expression of 65,537 characters is refused: %s', async (_what, change, path) => {
    const { body } = await create(change).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path, code: 'maxLength' }] });
  });

  const bodyOf = (bytes: number): string => {
    const text = JSON.stringify(definition({ logicJson: { x: '' } }));
    return text.replace('"x":""', `"x":"${'y'.repeat(bytes - text.length)}"`);
  };
  const post = (text: string) =>
    api.request.post('/v1/rule-sets').set('x-api-key', tenant.key).set('content-type', 'application/json').send(text);

  test('a body of 8 MiB is accepted', async () => {
    const { body } = await post(bodyOf(8 * 1024 * 1024)).expect(201);
    await tenant.api.delete(`/v1/rule-sets/${(body as RuleSetBody).id}`).expect(204);
  });

  test('a larger body is refused with 413', async () => {
    const { body } = await post(bodyOf(8 * 1024 * 1024 + 1)).expect(413);
    expect(body).toMatchObject({ status: 'error', code: 'body_too_large' });
  });
});
