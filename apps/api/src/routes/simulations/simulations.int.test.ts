import { createSimulationHandlers, simulationInquiry, sweepInquiries } from '@tieout/domain';
import { eventually, openBooks, startTestApi, unnormalise, type Books, type TestApi } from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';
import { runOf, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface SimulationBody {
  id: string;
  status: string;
  progress: number;
  against: string | null;
  error: { code: string; message: string } | null;
  answer: {
    is_final: boolean;
    decision_counts: Record<string, number>;
    histogram: { pairs: number }[];
    thresholds: { threshold: number; matches: number; live: number | null }[];
    changes: { pages: { new: { left_record_id: string; right_record_id: string }[] } } | null;
    examples: Record<'best' | 'match' | 'possible' | 'random', { left_record_id: string; score: number }[]> | null;
    unmatched: { left: { sample: { record_id: string; nearest: { explanation: object } | null }[] } };
    warnings: { code: string; message: string }[];
  } | null;
}

const definition = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.4,
    matchers: [
      { id: 'ref', expr: 'left.ref = right.ref', weight: 0.6 },
      { id: 'amount', expr: 'left.amount = right.amount', weight: 0.4 },
    ],
    blocking: { amountKey: 'amount', amountTolerance: 0.5 },
  },
};

const open = (): Promise<Books> =>
  openBooks(
    api,
    [
      { ref: 'a', amount: 1 },
      { ref: 'b', amount: 2 },
      { ref: 'c', amount: 900 },
    ],
    [
      { ref: 'a', amount: 1 },
      { ref: 'x', amount: 2 },
    ],
  );

const ruleSetOf = ({ leftId, rightId }: Books, change: object = {}) => ({
  leftDatasetId: leftId,
  rightDatasetId: rightId,
  ...definition,
  ...change,
});

async function start(books: Books, more: object = {}): Promise<SimulationBody> {
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/simulate', { ruleSet: ruleSetOf(books), ...more })
    .expect(202);
  return body as SimulationBody;
}

async function read(books: Books, id: string): Promise<SimulationBody> {
  return (await books.tenant.api.get(`/v1/simulations/${id}`).expect(200)).body as SimulationBody;
}

test('a simulation answers counts, figures of thresholds, changes and nearest pairs, and stores no match', async () => {
  const books = await open();
  const ruleSet = (await books.tenant.api.post('/v1/rule-sets', { name: 'now', ...ruleSetOf(books) }).expect(201))
    .body as { id: string };
  const { id, status, against } = await start(books, { against: ruleSet.id });
  expect({ status, against }).toEqual({ status: 'queued', against: ruleSet.id });
  await api.runMatching();
  const { answer, ...rest } = await read(books, id);
  expect(rest).toMatchObject({ status: 'completed', progress: 1, error: null });
  expect(answer).toMatchObject({ is_final: true, decision_counts: { MATCH: 1, POSSIBLE: 1, NO_MATCH: 0, ERROR: 0 } });
  expect(answer?.histogram).toHaveLength(100);
  expect(answer?.thresholds[80]).toMatchObject({ threshold: 0.8, matches: 1, live: 0 });
  expect(answer?.changes?.pages.new).toMatchObject([
    { left_external_id: 'l0', right_external_id: 'r0' },
    { left_external_id: 'l1', right_external_id: 'r1' },
  ]);
  expect(answer?.unmatched.left.sample).toMatchObject([
    { external_id: 'l1', nearest: { external_id: 'r1' } },
    { external_id: 'l2', nearest: null },
  ]);
  const scores = Object.fromEntries(
    Object.entries(answer?.examples ?? {}).map(([name, pairs]) => [name, pairs.map(({ score }) => score)]),
  );
  expect(scores).toEqual({ best: [1, 0.4], match: [1, 0.4], possible: [0.4, 1], random: [1, 0.4] });
  const nearest = answer?.unmatched.left.sample.map((one) => one.nearest !== null);
  expect(nearest).toEqual([true, false]);
  const { body } = await books.tenant.api.get('/v1/matches').expect(200);
  expect(body).toMatchObject({ total: 0 });
  const { api: narrow } = await api.newKey(books.tenant, ['rule-sets:read']);
  await narrow.get(`/v1/simulations/${id}`).expect(403);
  await narrow.get('/v1/simulations').expect(200);
});

test('a held pair of records of one side is not new to a simulation of the pass that found it', async () => {
  const payment = { ref: 'a', amount: 5, date: '2026-03-10' };
  const own = await openReconciliation(api, { lefts: [payment, { ...payment, amount: -5 }], rights: [] });
  const params = {
    Tmatch: 0.8,
    Tpossible: 0.4,
    assignment: 'one_to_one',
    matchers: [{ expr: 'left.ref = right.ref' }],
    blocking: { keys: [{ expr: 'ref' }] },
  };
  const sides = ruleSetOf({ ...own, rightId: own.leftId }, { params });
  const ruleSet = (await own.tenant.api.post('/v1/rule-sets', { name: 'returns', ...sides }).expect(201)).body as {
    id: string;
  };
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: [ruleSet.id] }).expect(200);
  // The second run finds nothing: its results no longer name the pair.
  for (const _ of [1, 2]) await runOf(api, own);
  expect(await tiedBy(own)).toEqual(['l0 l1']);
  const simulation = await own.tenant.api
    .post('/v1/rule-sets/simulate', { ruleSet: sides, against: ruleSet.id })
    .expect(202);
  await api.runMatching();
  const { answer } = await read(own, (simulation.body as SimulationBody).id);
  expect(answer?.changes).toMatchObject({ live: { MATCH: 1 }, new: { MATCH: 0 }, lost: { MATCH: 0 }, unchanged: 1 });
});

test('a simulation can be cancelled once, and stays cancelled', async () => {
  const books = await open();
  await api.stopMatching();
  const { id } = await start(books);
  await books.tenant.api.post(`/v1/simulations/${id}/cancel`).expect(200);
  const { body } = await books.tenant.api.post(`/v1/simulations/${id}/cancel`).expect(409);
  expect(body).toMatchObject({ code: 'job_not_running' });
  await api.runMatching();
  expect(await read(books, id)).toMatchObject({ status: 'cancelled', answer: null });
});

test('a simulation that was killed is repeated, and one that has ended is not', async () => {
  const books = await open();
  await api.stopMatching();
  const { id } = await start(books);
  const { deps } = api.service;
  // The state after a kill: running, silent, without a queue job.
  await deps.db.system.execute(
    `update simulations set status = 'running', seen_at = now() - interval '1 minute' where id = $1::uuid`,
    [id],
  );
  await deps.queue.removeWhere((one) => (one as { simulationId?: string }).simulationId === id);
  await sweepInquiries(deps, simulationInquiry);
  await api.startMatching();
  await eventually(
    () => read(books, id),
    ({ status }) => status === 'completed',
  );
  const payload = { tenantId: books.tenant.tenantId, simulationId: id };
  await createSimulationHandlers(deps)['simulation.run'](payload);
  expect(await read(books, id)).toMatchObject({ status: 'completed', progress: 1 });
});

test('expressions that run into their limits end a simulation with the reason', async () => {
  const books = await open();
  const endless = '($f := function($n) { $n = 0 ? 0 : $f($n - 1) + $f($n - 1) }; $f(40) > left.amount)';
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/simulate', {
      ruleSet: { ...ruleSetOf(books), engine: 'jsonata', jsonataExpr: endless, params: { Tmatch: 1, Tpossible: 1 } },
    })
    .expect(202);
  await api.runMatching();
  const { status, error } = await read(books, (body as SimulationBody).id);
  expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'expression_timeout' });
});

test('a simulation waits for records that are not normalised yet', async () => {
  const books = await open();
  await unnormalise(api, [...books.recordIds.values()]);
  const { id } = await start(books);
  await api.startMatching();
  await eventually(
    () => read(books, id),
    ({ status }) => status === 'running',
  );
  await api.service.deps.db.system.execute(
    `update records set status = 'ready', fields = '{}' where tenant_id = $1::uuid`,
    [books.tenant.tenantId],
  );
  await api.runMatching();
  expect(await read(books, id)).toMatchObject({ status: 'completed', answer: { decision_counts: { MATCH: 1 } } });
});

test('a simulation leaves out what is not normalised within a minute, or cannot be, and says so', async () => {
  const books = await open();
  const idOf = (name: string): string => books.recordIds.get(name) as string;
  await api.stopMatching();
  const { id } = await start(books);
  await unnormalise(api, [idOf('l0')]);
  await api.service.deps.db.system.execute(`update records set status = 'failed' where id = $1::uuid`, [idOf('r1')]);
  await api.service.deps.db.system.execute(
    `update simulations set started_at = now() - interval '61 seconds' where id = $1::uuid`,
    [id],
  );
  await api.startMatching();
  await api.runMatching();
  const { status, answer } = await read(books, id);
  expect(status).toBe('completed');
  const taken = answer?.warnings.filter(({ code }) => code.startsWith('records_'));
  expect(taken?.map(({ code, message }) => `${code}: ${message.slice(0, 10)}`)).toEqual([
    'records_failed: 1 record c',
    'records_pending: Without 1 ',
  ]);
});

test.each([
  [
    'an unknown dataset',
    (books: Books) => ({ ruleSet: ruleSetOf(books, { leftDatasetId: books.tenant.tenantId }) }),
    '/ruleSet/leftDatasetId',
  ],
  [
    'an expression that does not parse',
    (books: Books) => ({ ruleSet: ruleSetOf(books, { params: { ...definition.params, filters: ['left.('] } }) }),
    '/ruleSet/params/filters/0',
  ],
  ['an unknown rule set', (books: Books) => ({ against: books.tenant.tenantId }), '/against'],
  ['a sample of no records', () => ({ sample: { records: 0 } }), '/sample/records'],
])('%s is refused by its name', async (_, change, path) => {
  const books = await openBooks(api, [{ a: 1 }], [{ a: 1 }]);
  const { body } = await books.tenant.api
    .post('/v1/rule-sets/simulate', { ruleSet: ruleSetOf(books), ...change(books) })
    .expect(400);
  expect(JSON.stringify(body)).toContain(path);
});
