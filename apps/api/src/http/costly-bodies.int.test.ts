import type { Evaluator } from '@tieout/domain';
import { reaches, startTestApi, type TestApi, type TestTenant } from '../../testing';
import type { ApiAnswer } from '../../testing/call';

let evaluating = 0;
let end: () => void;
const ended = new Promise<void>((resolve) => (end = resolve));

/** Evaluations that run until the test lets them end. */
const evaluator: Evaluator = {
  check: () => Promise.resolve([]),
  identify: () => Promise.reject(new Error('not asked for here')),
  fieldValues: () => Promise.reject(new Error('not asked for here')),
  references: () => Promise.reject(new Error('not asked for here')),
  candidates: () => Promise.reject(new Error('not asked for here')),
  samplePairs: () => Promise.reject(new Error('not asked for here')),
  preview: async () => {
    evaluating++;
    await ended;
    return { results: [], compiled: {} };
  },
};

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ evaluator });
});
afterAll(() => api.close());

const preview = async (tenant: TestTenant, bytes: number): Promise<ApiAnswer> =>
  tenant.api.post('/v1/rule-sets/preview', {
    ruleSet: { engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 1, matchers: [{ id: 'm', expr: 'true' }] } },
    pairs: [{ left: { text: 'x'.repeat(bytes) }, right: {} }],
  });
test('previews of two tenants at their limits delay neither records nor previews of other tenants', async () => {
  const crowding = [await api.newTenant(), await api.newTenant()];
  const other = await api.newTenant();
  const previews = crowding.flatMap((tenant) =>
    [4_000_000, 900_000, 900_000, 900_000].map((bytes) => preview(tenant, bytes)),
  );
  await reaches(() => evaluating, 2);
  for (const bytes of [100, 20_000, 900_000])
    await other.api.post('/v1/records?dataset=a', { body: { text: 'x'.repeat(bytes) } }).expect(202);
  await other.api
    .post('/v1/records/bulk?dataset=a')
    .set('content-type', 'application/x-ndjson')
    .send(`${JSON.stringify({ body: { text: 'x'.repeat(900_000) } })}\n`.repeat(3))
    .expect(202);
  const light = preview(other, 100_000);
  await reaches(() => evaluating, 3);
  end();
  const answers = await Promise.all([...previews, light]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
