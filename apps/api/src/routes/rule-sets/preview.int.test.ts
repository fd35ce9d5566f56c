import path from 'node:path';
import { childProcessEvaluator, type Evaluator } from '@tieout/domain';
import { createLogger, newId } from '@tieout/infra';
import { openBooks, startTestApi, type Books, type TestApi } from '../../../testing';

type JsonObject = Record<string, unknown>;

interface Result {
  left_record_id?: string;
  right_record_id?: string;
  decision: string;
  score: number | null;
  explanation: (JsonObject & { matchers: JsonObject[] }) | null;
  dropped?: string;
  error?: { code: string; message: string; expression: string };
}

interface PreviewBody {
  results: Result[];
  compiled: Record<string, string>;
  warnings: { code: string }[];
}

/** Expressions run in child processes, as in the service: the build has to be there. */
const evaluationTimeoutMs = 2_500;
let evaluator: Evaluator & { close(): Promise<void> };
let api: TestApi;
let books: Books;

beforeAll(async () => {
  evaluator = childProcessEvaluator({
    file: path.resolve(__dirname, '../../../dist/evaluator-child.js'),
    size: 1,
    heapMb: 64,
    timeoutMs: evaluationTimeoutMs,
    logger: createLogger('test', 'silent'),
  });
  api = await startTestApi({ evaluator });
  books = await openBooks(api, [{ ref: 1 }, { ref: 2 }, { ref: 3 }], [{ ref: 1 }, { ref: 3 }]);
});

afterAll(async () => {
  await api.close();
  await evaluator.close();
});

const thresholds = { Tmatch: 0.9, Tpossible: 0.5 };
const post = (body: object) => books.tenant.api.post('/v1/rule-sets/preview', body);
const preview = async (body: object): Promise<PreviewBody> => (await post(body).expect(200)).body as PreviewBody;

/** The result of one pair under a rule set that is not stored. */
async function score(ruleSet: JsonObject, left: JsonObject = {}, right: JsonObject = {}): Promise<Result> {
  const { results } = await preview({ ruleSet: { params: thresholds, ...ruleSet }, pairs: [{ left, right }] });
  return results[0] as Result;
}

const weighted = (...matchers: JsonObject[]): JsonObject => ({
  engine: 'jsonata-batch',
  params: { ...thresholds, matchers },
});

describe('what is previewed', () => {
  test('explicit pairs, in their order, with decision, score and explanation', async () => {
    const { results, compiled } = await preview({
      ruleSet: { jsonataExpr: 'left.n', params: thresholds },
      pairs: [0.4, 0.5, 0.9].map((n) => ({ left: { n }, right: {} })),
    });
    expect(results.map((r) => [r.decision, r.score])).toEqual([
      ['NO_MATCH', 0.4],
      ['POSSIBLE', 0.5],
      ['MATCH', 0.9],
    ]);
    for (const { explanation } of results)
      expect(explanation).toEqual({ scale: 1, thresholds, matchers: [], ruleSetVersion: 1 });
    expect(Object.keys(compiled)).toEqual(['jsonataExpr']);
  });

  test('a stored rule set, by its id and version', async () => {
    const { id } = await books.ruleSet({ ...weighted({ expr: 'left.a = right.a' }), name: 'stored' });
    await books.tenant.api.patch(`/v1/rule-sets/${id}`, { name: 'changed' }).expect(200);
    const { results } = await preview({ ruleSetId: id, pairs: [{ left: { a: 1 }, right: { a: 1 } }] });
    expect(results).toMatchObject([{ decision: 'MATCH', score: 1, explanation: { ruleSetVersion: 2 } }]);
  });

  test('compiled says for every expression which way it runs', async () => {
    const params = {
      ...thresholds,
      filters: ['left.a > 0', 'right.a > 0'],
      matchers: [{ id: 'amount', expr: '1' }, { expr: '2' }],
    };
    const { compiled } = await preview({
      ruleSet: { engine: 'jsonata-batch', jsonataExpr: 'true', params },
      pairs: [{ left: {}, right: {} }],
    });
    expect(Object.keys(compiled).sort()).toEqual(['amount', 'filters/0', 'filters/1', 'jsonataExpr', 'm2']);
    for (const way of Object.values(compiled)) expect(['compiled', 'reference']).toContain(way);
  });

  test('a sample of stored records, each left one in turn from the newest on, with their ids', async () => {
    const { id } = await books.ruleSet();
    const { results } = await preview({ ruleSetId: id, sample: { limit: 4 } });
    const named = results.map((r) => [nameOf(r.left_record_id), nameOf(r.right_record_id), r.decision]);
    expect(named).toEqual([
      ['l2', 'r1', 'MATCH'],
      ['l1', 'r1', 'NO_MATCH'],
      ['l0', 'r1', 'NO_MATCH'],
      ['l2', 'r0', 'NO_MATCH'],
    ]);
  });

  test('pairs of stored records, by their ids and in their order', async () => {
    const { id } = await books.ruleSet();
    const idOf = (name: string): string => books.recordIds.get(name) as string;
    const recordPairs = [
      { left: idOf('l0').toUpperCase(), right: idOf('r1') },
      { left: idOf('l0'), right: idOf('r0') },
    ];
    const { results } = await preview({ ruleSetId: id, recordPairs });
    expect(results.map((r) => [nameOf(r.left_record_id), nameOf(r.right_record_id), r.decision])).toEqual([
      ['l0', 'r1', 'NO_MATCH'],
      ['l0', 'r0', 'MATCH'],
    ]);
  });

  test.each([
    ['an unknown id', () => newId()],
    ['a record of the other side', () => books.recordIds.get('r0') as string],
  ])('pairs of stored records with %s are refused, and the place is named', async (_what, left) => {
    const { id } = await books.ruleSet();
    const right = books.recordIds.get('r0') as string;
    const good = { left: books.recordIds.get('l0'), right };
    const { body } = await post({ ruleSetId: id, recordPairs: [good, { left: left(), right }] }).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/recordPairs/1/left', code: 'unknown_record' }] });
  });

  test('a sample over one dataset, of a rule set that is not stored, holds each pair once', async () => {
    const ruleSet = {
      jsonataExpr: 'left.ref != right.ref',
      params: thresholds,
      leftDatasetId: books.rightId,
      rightDatasetId: books.rightId,
    };
    const { results } = await preview({ ruleSet, sample: { limit: 9 } });
    expect(results).toMatchObject([
      { decision: 'MATCH', left_record_id: books.recordIds.get('r1'), right_record_id: books.recordIds.get('r0') },
    ]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'windows of amount and date',
      { amountKey: 'amount', amountTolerance: 1, dateKey: 'date', dateToleranceDays: 2 },
      ['l0 r1'],
    ],
    ['an asymmetric window', { dateKey: 'date', dateFromDays: 5, dateToDays: 20 }, ['l1 r0']],
    ['keys', { keys: [{ expr: '$lowercase(name)' }] }, ['l0 r0', 'l1 r1']],
    ['similar texts', { text: { left: 'name', right: 'name', top: 1, maxDocumentShare: 1 } }, ['l0 r0', 'l1 r1']],
    [
      'rules',
      { rules: [{ keys: [{ expr: 'name' }] }, { amountKey: 'amount', amountTolerance: 1 }] },
      ['l0 r1', 'l1 r1'],
    ],
    ['a filter of a side', { filters: ['left.amount = 10'], keys: [{ expr: '$lowercase(name)' }] }, ['l0 r0']],
  ])('a sample holds the pairs that %s let through, and no others', async (_, { filters, ...blocking }, expected) => {
    const own = await openBooks(
      api,
      [
        { name: 'Alpha', amount: 10, date: '2024-01-05' },
        { name: 'beta', amount: 50, date: '2024-01-20' },
      ],
      [
        { name: 'alpha', amount: 90, date: '2024-02-01' },
        { name: 'beta', amount: 10.5, date: '2024-01-06' },
      ],
    );
    const ruleSet = {
      jsonataExpr: 'true',
      params: { ...thresholds, blocking, ...(filters === undefined ? {} : { filters }) },
      leftDatasetId: own.leftId,
      rightDatasetId: own.rightId,
    };
    const { body } = await own.tenant.api.post('/v1/rule-sets/preview', { ruleSet, sample: { limit: 10 } }).expect(200);
    const names = new Map([...own.recordIds].map(([name, id]) => [id, name]));
    const pairs = (body as PreviewBody).results.map(
      (one) => `${names.get(one.left_record_id as string)} ${names.get(one.right_record_id as string)}`,
    );
    expect(pairs.sort()).toEqual(expected);
  });

  test('a sample without candidates says so', async () => {
    const { id } = await books.ruleSet({
      jsonataExpr: 'true',
      params: { ...thresholds, blocking: { keys: [{ left: 'ref', right: '"none"' }] } },
    });
    const { results, warnings } = await preview({ ruleSetId: id, sample: {} });
    expect({ results, codes: warnings.map(({ code }) => code) }).toEqual({ results: [], codes: ['no_candidates'] });
  });

  test('a sample holds 10 pairs at most unless asked otherwise', async () => {
    const { id } = await books.ruleSet();
    const { results } = await preview({ ruleSetId: id, sample: {} });
    expect(results).toHaveLength(6);
  });

  test('a sample of empty datasets is empty', async () => {
    const empty = await openBooks(api, [], []);
    const { id } = await empty.ruleSet();
    const { body } = await empty.tenant.api
      .post('/v1/rule-sets/preview', { ruleSetId: id, sample: { limit: 5 } })
      .expect(200);
    expect(body).toMatchObject({ results: [] });
  });

  test('nothing is stored', async () => {
    const before = await books.tenant.api.get('/v1/rule-sets').expect(200);
    await score({ jsonataExpr: 'true' });
    const after = await books.tenant.api.get('/v1/rule-sets').expect(200);
    expect(after.body).toEqual(before.body);
    expect(await books.matches()).toEqual({});
  });

  const nameOf = (id: string | undefined): string | undefined =>
    [...books.recordIds].find(([, recordId]) => recordId === id)?.[0];
});

describe('what is refused', () => {
  const pairs = [{ left: {}, right: {} }];
  const ruleSet = { jsonataExpr: 'true', params: thresholds };

  test.each<[string, object, string, string]>([
    ['neither rule set nor id', { pairs }, '', 'one_of'],
    ['both rule set and id', { ruleSet, ruleSetId: newId(), pairs }, '', 'one_of'],
    ['neither pairs nor sample', { ruleSet }, '', 'one_of'],
    ['both pairs and sample', { ruleSet, pairs, sample: {} }, '', 'one_of'],
    ['an unknown id', { ruleSetId: newId(), pairs }, '/ruleSetId', 'unknown_rule_set'],
    ['an id that is not a uuid', { ruleSetId: 'x', pairs }, '/ruleSetId', 'format'],
    ['no pair', { ruleSet, pairs: [] }, '/pairs', 'minItems'],
    ['1,001 pairs', { ruleSet, pairs: Array.from({ length: 1001 }, () => pairs[0]) }, '/pairs', 'maxItems'],
    ['a pair without a side', { ruleSet, pairs: [{ left: {} }] }, '/pairs/0/right', 'required'],
    ['a sample of 0', { ruleSet, sample: { limit: 0 } }, '/sample/limit', 'minimum'],
    ['a sample of 101', { ruleSet, sample: { limit: 101 } }, '/sample/limit', 'maximum'],
    ['a sample without a left dataset', { ruleSet, sample: {} }, '/ruleSet/leftDatasetId', 'required'],
    [
      'a sample without a right dataset',
      { ruleSet: { ...ruleSet, leftDatasetId: newId() }, sample: {} },
      '/ruleSet/rightDatasetId',
      'required',
    ],
    [
      'an unknown dataset',
      { ruleSet: { ...ruleSet, leftDatasetId: newId(), rightDatasetId: newId() }, pairs },
      '/ruleSet/leftDatasetId',
      'unknown_dataset',
    ],
    [
      'an expression that does not parse',
      { ruleSet: { ...ruleSet, jsonataExpr: '1 +' }, pairs },
      '/ruleSet/jsonataExpr',
      'S0207',
    ],
    [
      'crossing thresholds',
      { ruleSet: { ...ruleSet, params: { Tmatch: 0.1, Tpossible: 0.2 } }, pairs },
      '/ruleSet/params/Tpossible',
      'tpossible_gt_tmatch',
    ],
    ['a mistyped key', { ruleSet: { ...ruleSet, jsonataexpr: '1' }, pairs }, '/ruleSet/jsonataexpr', 'unknown_key'],
  ])('%s', async (_what, body, at, code) => {
    const response = await post(body).expect(400);
    expect((response.body as { errors: object[] }).errors).toContainEqual(expect.objectContaining({ path: at, code }));
  });

  test('a rule set of another tenant, like an unknown one', async () => {
    const foreign = await (await openBooks(api, [], [])).ruleSet();
    const answer = async (ruleSetId: string): Promise<object> => ({
      ...((await post({ ruleSetId, pairs }).expect(400)).body as object),
      request_id: '',
    });
    expect(await answer(foreign.id)).toEqual(await answer(newId()));
  });

  test('a body above 8 MiB with 413, one just below it is read', async () => {
    const large = (bytes: number) => post({ ruleSet, pairs: [{ left: { x: 'y'.repeat(bytes) }, right: {} }] });
    await large(8 * 1024 * 1024).expect(413);
    await large(8 * 1024 * 1024 - 200).expect(200);
  });
});

describe('expressions that run away', () => {
  const ruleSet = (jsonataExpr: string): object => ({ jsonataExpr, params: thresholds });

  /** Each of the pairs runs until its steps are used up; all of them together never end in time. */
  const endless = (): ReturnType<typeof post> =>
    post({
      ruleSet: ruleSet('($f := function($n) { $f($n + 1) }; $f(left.n))'),
      pairs: Array.from({ length: 500 }, (_, n) => ({ left: { n }, right: {} })),
    });

  test('a clear error within the limit, nobody else waits, and evaluation goes on', async () => {
    let open = true;
    const answer = Promise.resolve(endless()).finally(() => (open = false));
    await books.tenant.api.get('/v1/rule-sets').expect(200);
    expect(open).toBe(true);
    const { status, body } = await answer;
    const message = `The expressions took longer than ${evaluationTimeoutMs} ms`;
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ status: 'error', code: 'evaluation_timeout', message }) as object,
    ]);
    expect(await score({ jsonataExpr: 'true' })).toMatchObject({ decision: 'MATCH' });
  });

  test('a call that waited for the process that was replaced is answered', async () => {
    const [, waiting] = await Promise.all([endless().expect(422), score({ jsonataExpr: 'true' })]);
    expect(waiting.decision).toBe('MATCH');
  });

  test('a recursion without end is a clear error', async () => {
    const { body } = await post({
      ruleSet: ruleSet('($f := function($n) { 1 + $f($n + 1) }; $f(1))'),
      pairs: [{ left: {}, right: {} }],
    }).expect(200);
    expect(body).toMatchObject({ results: [{ decision: 'ERROR', error: { code: 'D1011' } }] });
  });

  test.each<[string, (body: object) => ReturnType<typeof post>]>([
    ['a preview', (definition) => post({ ruleSet: definition, pairs: [{ left: {}, right: {} }] })],
    [
      'a creation',
      (definition) =>
        books.tenant.api.post('/v1/rule-sets', {
          name: 'x',
          leftDatasetId: books.leftId,
          rightDatasetId: books.rightId,
          ...definition,
        }),
    ],
  ])('megabytes of expressions hold up nobody while %s parses them', async (_what, send) => {
    const expr = `${'left.a = right.a and '.repeat(3120)}true`;
    let open = true;
    const answer = Promise.resolve(send(weighted(...Array.from({ length: 45 }, () => ({ expr }))))).finally(
      () => (open = false),
    );
    let others = 0;
    while (open) {
      await api.request.get('/healthz').expect(200);
      others++;
    }
    expect((await answer).status).toBeLessThan(500);
    // Behind a parse that holds up everybody there are two: one before it, one after it.
    expect(others).toBeGreaterThan(10);
  });
});
