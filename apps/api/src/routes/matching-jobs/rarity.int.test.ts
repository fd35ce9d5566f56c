import { openBooks, startTestApi, type Books, type TestApi } from '../../../testing';

let api: TestApi;
let books: Books;

beforeAll(async () => {
  api = await startTestApi();
  books = await openBooks(
    api,
    [{ name: 'Smith' }, { name: 'Smith' }, { name: 'Zorn' }, { name: null, ref: 1 }],
    [{ name: 'Smith' }, { name: 'Zorn' }],
  );
});

afterAll(() => api.close());

const expected = { 'l0|r0': 0.5, 'l1|r0': 0.5, 'l2|r1': 0.75 };

test.each<[string, object]>([
  ['fields that are read one by one', { jsonataExpr: 'left.name = right.name ? 1 - $rarity(left.name) : 0' }],
  ['whole records', { jsonataExpr: '$keys(left)[0] ? (left.name = right.name ? 1 - $rarity(left.name) : 0) : 0' }],
  [
    'batches of matchers, one of them on the other side',
    {
      engine: 'jsonata-batch',
      params: {
        Tmatch: 1,
        Tpossible: 0.1,
        filters: ['$rarity(right.name) = 0.5'],
        matchers: [{ expr: 'left.name = right.name ? 1 - $rarity(left.name) : 0' }],
      },
    },
  ],
])('a job scores by how rare a value is in its snapshot: %s', async (_name, body) => {
  const { id } = await books.ruleSet({ params: { Tmatch: 1, Tpossible: 0.1 }, ...body });
  const job = await books.reconcile({ dataset: 'left', ruleSetIds: [id] });
  expect(job).toMatchObject({ status: 'completed', decision_counts: { ERROR: 0 } });
  const matches = await books.matches(job.id);
  expect(Object.fromEntries(Object.entries(matches).map(([pair, { score }]) => [pair, score]))).toEqual(expected);
});

test('a preview scores as the job does, of samples, and of given pairs where it knows the datasets', async () => {
  const ruleSet = {
    jsonataExpr: 'left.name = right.name ? 1 - $rarity(left.name) : 0',
    params: { Tmatch: 1, Tpossible: 0.1 },
    leftDatasetId: books.leftId,
    rightDatasetId: books.rightId,
  };
  const { tenant } = books;
  const scores = async (body: object): Promise<number[]> => {
    const answer = (await tenant.api.post('/v1/rule-sets/preview', body).expect(200)).body as {
      results: { score: number }[];
    };
    return answer.results.map(({ score }) => score).sort();
  };
  expect(await scores({ ruleSet, sample: { limit: 100 } })).toEqual([0, 0, 0, 0, 0, 0.5, 0.5, 0.75].slice(0, 8));
  const pair = { left: { name: 'Zorn' }, right: { name: 'Zorn' } };
  expect(await scores({ ruleSet, pairs: [pair] })).toEqual([0.75]);
  expect(await scores({ ruleSet, pairs: [{ left: { name: 'New' }, right: { name: 'New' } }] })).toEqual([1]);
});
