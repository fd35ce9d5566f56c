import { amountRules, openLedger, startTestApi, type Ledger, type TestApi } from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';

let api: TestApi;
let ledger: Ledger;
let jobId: string;

interface ClusterBody {
  rule_set_id: string;
  records_total: number;
  records: { record_id: string; external_id: string }[];
  weakest_link: { match_id: string; score: number; review: string | null } | null;
}

interface Clusters {
  items: ClusterBody[];
  total: number;
}

const clusters = async (query = ''): Promise<Clusters> =>
  (await ledger.tenant.api.get(`/v1/matching-jobs/${jobId}/clusters${query}`).expect(200)).body as Clusters;
const namesOf = ({ items }: Clusters): string[] =>
  items.map(({ records }) => records.map(({ external_id: name }) => name).join(''));

beforeAll(async () => {
  api = await startTestApi();
  ledger = await openLedger(
    api,
    {
      Tmatch: 0.5,
      Tpossible: 0.5,
      matchers: [{ expr: '$abs(left.no - right.no) = 1 ? left.no + right.no < 8 ? 0.9 : 0.6 : 0' }],
    },
    { sameDataset: true },
  );
  await ledger.send('left', { A: { no: 8 }, B: { no: 9 }, C: { no: 1 }, D: { no: 2 }, E: { no: 3 }, F: { no: 20 } });
  jobId = (await ledger.run()).id;
});

afterAll(() => api.close());

test('records that matches connect are one cluster, the largest first, without lone records', async () => {
  const found = await clusters();
  expect(found).toMatchObject({ total: 2, page: 1, limit: 25 });
  expect(namesOf(found)).toEqual(['CDE', 'AB']);
  expect(found.items.map((cluster) => [cluster.records_total, cluster.weakest_link?.score])).toEqual([
    [3, 0.9],
    [2, 0.6],
  ]);
});

test('pages hold the clusters once each', async () => {
  expect(namesOf(await clusters('?limit=1&page=2'))).toEqual(['AB']);
  expect(namesOf(await clusters('?limit=1&page=3'))).toEqual([]);
});

test('the weakest link shows its review, and deleted records leave their cluster', async () => {
  await ledger.review('A~B', 'reject');
  const [, pair] = (await clusters()).items;
  expect(pair?.weakest_link).toMatchObject({ match_id: await ledger.idOf('A~B'), review: 'rejected' });
  const [member] = (await clusters()).items[0]?.records ?? [];
  await ledger.tenant.api.delete(`/v1/records/${member?.record_id}`).expect(204);
  const [first] = (await clusters()).items;
  expect(first).toMatchObject({ records_total: 2, records: [{ external_id: 'D' }, { external_id: 'E' }] });
});

test('a confirmed pair connects in later jobs too', async () => {
  const own = await openLedger(api, amountRules, { sameDataset: true });
  await own.send('left', { A: 5, B: 5 });
  await own.run();
  await own.review('A~B', 'confirm');
  await own.send('left', { A: 5, B: 5 });
  const { id } = await own.run();
  const { body } = await own.tenant.api.get(`/v1/matching-jobs/${id}/clusters`).expect(200);
  expect(body).toMatchObject({ total: 1, items: [{ records_total: 2, weakest_link: { review: 'confirmed' } }] });
});

test('a job of two datasets answers what to do for clusters, and an unknown job is not found', async () => {
  const own = await openLedger(api, amountRules);
  await own.send('left', { L: 5 });
  await own.send('right', { R: 5 });
  const { id } = await own.run();
  const { body } = await own.tenant.api.get(`/v1/matching-jobs/${id}/clusters`).expect(409);
  expect(body).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the same leftDatasetId') as string,
  });
  await own.tenant.api.get(`/v1/matching-jobs/${jobId}/clusters`).expect(404);
});

test('the job of a run has match groups in place of clusters', async () => {
  const books = await openReconciliation(api, { lefts: [{ amount: 5 }], rights: [{ amount: 5 }] });
  const run = await books.tenant.api.post(`/v1/reconciliations/${books.id}/runs`, { mode: 'full' }).expect(202);
  await api.runMatching();
  const { id } = run.body as { id: string };
  const { body } = await books.tenant.api.get(`/v1/matching-jobs/${id}/clusters`).expect(409);
  expect(body).toMatchObject({ code: 'conflict', message: expect.stringContaining('/v1/match-groups') as string });
});
